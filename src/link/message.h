/* link/message.h - bytes sent between processes: numbers in memory format, blocks with their length.
 *
 * A message is written at its end and read from its beginning. Out of memory, or a message shorter than expected, sets `failed`,
 * which callers test once at the end. Nothing is converted, since all processes run the same program on machines of one kind.
 */
#ifndef LINK_MESSAGE_H
#define LINK_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct message {
    unsigned char *data; /* owned, [length] */
    size_t length, capacity, at;
    bool failed;
} message;

/* Empties it; the memory stays. */
void message_clear(message *m);
void message_free(message *m);
void message_copy(message *to, const message *from);

void message_put(message *m, const void *bytes, size_t count);
void message_put_int(message *m, long long x);
void message_put_real(message *m, double x);
void message_put_text(message *m, const char *text);

/* The next `count` bytes, zeros after the end. */
void message_take(message *m, void *bytes, size_t count);
long long message_take_int(message *m);
/* A number within [least, most]; otherwise the message fails and the result is least. */
long long message_take_count(message *m, long long least, long long most);
/* The number of items that follow, at least `least` bytes each; if the message is too short it fails and the result is 0. */
int message_take_length(message *m, size_t least);
double message_take_real(message *m);
/* Into a string of `room` bytes, truncated if needed. */
void message_take_text(message *m, char text[], size_t room);

#define MESSAGE_PUT(m, from, n) message_put((m), (from), (size_t)(n) * sizeof *(from))
#define MESSAGE_TAKE(m, to, n)  message_take((m), (to), (size_t)(n) * sizeof *(to))

/* FNV-1a over 64 bits, eight bytes a step, against damage, not malice. */
uint64_t message_sum(const void *bytes, size_t count);
/* The same, starting from another sum. */
uint64_t message_sum_from(uint64_t sum, const void *bytes, size_t count);

#endif
