/* link/message.c - see message.h.
 *
 * The sum is FNV-1a (Fowler, Noll, Vo) over words of eight bytes, the last one padded with zeros, followed by the length.
 */
#include "link/message.h"

#include <limits.h>

#include "base/memory.h"

void message_clear(message *m) { *m = (message){.data = m->data, .capacity = m->capacity}; }

void message_free(message *m)
{
    mem_free(m->data);
    *m = (message){0};
}

void message_copy(message *to, const message *from)
{
    message_clear(to);
    message_put(to, from->data, from->length);
}

void message_put(message *m, const void *bytes, size_t count)
{
    if (m->failed || count == 0) return;
    if (count > m->capacity - m->length) {
        size_t room = m->length + count + (m->length + count) / 2;
        if (MEM_RESIZE(&m->data, room)) {
            m->failed = true;
            return;
        }
        m->capacity = room;
    }
    memcpy(m->data + m->length, bytes, count);
    m->length += count;
}

void message_put_int(message *m, long long x) { message_put(m, &x, sizeof x); }
void message_put_real(message *m, double x) { message_put(m, &x, sizeof x); }

void message_put_text(message *m, const char *text)
{
    size_t length = strlen(text);
    message_put_int(m, (long long)length);
    message_put(m, text, length);
}

void message_take(message *m, void *bytes, size_t count)
{
    if (m->failed || count > m->length - m->at) {
        m->failed = true;
        memset(bytes, 0, count);
        return;
    }
    if (count > 0) memcpy(bytes, m->data + m->at, count);
    m->at += count;
}

long long message_take_int(message *m)
{
    long long x;
    message_take(m, &x, sizeof x);
    return x;
}

long long message_take_count(message *m, long long least, long long most)
{
    long long x = message_take_int(m);
    if (x >= least && x <= most) return x;
    m->failed = true;
    return least;
}

int message_take_length(message *m, size_t least)
{
    long long x = message_take_int(m);
    if (x >= 0 && x <= INT_MAX && (size_t)x <= (m->length - m->at) / least) return (int)x;
    m->failed = true;
    return 0;
}

double message_take_real(message *m)
{
    double x;
    message_take(m, &x, sizeof x);
    return x;
}

void message_take_text(message *m, char text[], size_t room)
{
    size_t length = (size_t)message_take_length(m, 1), kept = length < room ? length : room - 1;
    message_take(m, text, kept);
    text[kept] = '\0';
    if (!m->failed) m->at += length - kept;
}

uint64_t message_sum_from(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    uint64_t word;
    for (size_t i = 0; i < count; i += sizeof word) {
        word = 0;
        memcpy(&word, b + i, count - i < sizeof word ? count - i : sizeof word);
        sum = (sum ^ word) * UINT64_C(1099511628211);
        sum ^= sum >> 32; /* a multiplication carries upwards only */
    }
    return (sum ^ count) * UINT64_C(1099511628211);
}

uint64_t message_sum(const void *bytes, size_t count) { return message_sum_from(UINT64_C(14695981039346656037), bytes, count); }
