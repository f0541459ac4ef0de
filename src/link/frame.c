/* link/frame.c - see frame.h. */
#include "link/frame.h"

#include <stddef.h>

static uint64_t sum_of(const frame_head *h, const void *content)
{
    return message_sum(h, offsetof(frame_head, sum)) ^ (message_sum(content, (size_t)h->length) << 1);
}

frame_head frame_of(const parcel *p)
{
    frame_head h = {.mark = FRAME_MARK, .number = p->number, .status = p->status, .length = p->content.length};
    h.sum = sum_of(&h, p->content.data);
    return h;
}

bool frame_plausible(const frame_head *h) { return h->mark == FRAME_MARK && h->number >= 0 && h->length < FRAME_CAP; }

bool frame_holds(const frame_head *h, const void *content) { return frame_plausible(h) && h->sum == sum_of(h, content); }
