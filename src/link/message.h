/* link/message.h - bytes that one process sends another: numbers as they lie in memory, blocks with their length.
 *
 * A message is written from its end and read from its beginning. What cannot be had, for want of memory or because the message is
 * shorter than its reader thinks, is remembered in `failed`, so that it is asked for once, at the end. Both processes run the same
 * program on machines of one kind: nothing is converted, so that a double arrives to the last bit.
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

/* Empty again; the memory stays. */
void message_clear(message *m);
void message_free(message *m);
void message_copy(message *to, const message *from);

void message_put(message *m, const void *bytes, size_t count);
void message_put_int(message *m, long long x);
void message_put_real(message *m, double x);
void message_put_text(message *m, const char *text);

/* The next `count` bytes, zeros where there are none. */
void message_take(message *m, void *bytes, size_t count);
long long message_take_int(message *m);
/* One that has to lie within [least, most]; otherwise the message has failed, and it is least. */
long long message_take_count(message *m, long long least, long long most);
/* How many items follow, of `least` bytes or more each; where the message does not hold so many it has failed, and there are none.
 */
int message_take_length(message *m, size_t least);
double message_take_real(message *m);
/* Into a text of `room` bytes with its end, cut off if need be. */
void message_take_text(message *m, char text[], size_t room);

#define MESSAGE_PUT(m, from, n) message_put((m), (from), (size_t)(n) * sizeof *(from))
#define MESSAGE_TAKE(m, to, n)  message_take((m), (to), (size_t)(n) * sizeof *(to))

/* FNV-1a over 64 bits, eight bytes a step: it tells of damage, not of malice. */
uint64_t message_sum(const void *bytes, size_t count);
/* Another such sum for each beginning. */
uint64_t message_sum_from(uint64_t sum, const void *bytes, size_t count);

#endif
