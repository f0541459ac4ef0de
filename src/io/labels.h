/* io/labels.h - the names that a problem's rows or columns get in a written file. */
#ifndef IO_LABELS_H
#define IO_LABELS_H

#include <stdbool.h>
#include <vouch/lp.h>

typedef struct labels {
    const vouch_lp *lp;
    bool of_rows;
    bool own; /* the problem's own names; else R1, R2, .. or C1, C2, .. */
} labels;

/* Room for a made name. */
typedef char label_buffer[16];

/* Own names are kept if every one of them passes usable() and none is doubled or equal to `reserved` (NULL: none). */
vouch_status labels_choose(const vouch_lp *lp, bool of_rows, bool (*usable)(const char *name), const char *reserved, labels *out);
const char *labels_get(const labels *l, int index, label_buffer buffer);

#endif
