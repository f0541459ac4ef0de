/* link/frame.h - a parcel as bytes: a head of fixed length with length and checksum, then the content. */
#ifndef LINK_FRAME_H
#define LINK_FRAME_H

#include "link/transport.h"

typedef struct frame_head {
    uint64_t mark; /* FRAME_MARK */
    int64_t number;
    int64_t status;
    uint64_t length; /* of the content */
    uint64_t sum;    /* of the content and of the words above */
} frame_head;

#define FRAME_MARK UINT64_C(0x316b6e696c687576) /* "vuhlink1" in memory, where the low byte comes first */
/* More than any message: a larger length means damage. */
#define FRAME_CAP ((uint64_t)1 << 40)

frame_head frame_of(const parcel *p);
/* Is the head plausible? Then h->length bytes follow. */
bool frame_plausible(const frame_head *h);
/* Does the checksum match? */
bool frame_holds(const frame_head *h, const void *content);

#endif
