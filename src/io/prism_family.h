/* io/prism_family.h - the environments of a PRISM file: one per combination of values of its open constants and holes. */
#ifndef IO_PRISM_FAMILY_H
#define IO_PRISM_FAMILY_H

#include <stdint.h>
#include <vouch/model_io.h>

#include "io/prism.h"

typedef struct prism_range { /* the values of one open constant */
    int constant;
    prism_value *value; /* owned, [count] */
    size_t count, capacity;
    bool given; /* by an option */
} prism_range;

typedef struct prism_family {
    const prism *p;
    const vouch_source *source;
    prism_range *range; /* owned, [ranges], in the order of the file */
    size_t ranges;
    int K;             /* product of their counts, or the size of the sample */
    uint32_t *drawn;   /* owned, [K * ranges]: of a sample which of its values each has; NULL: all combinations */
    prism_value *base; /* owned: constants that do not depend on them */
    unsigned char *known;
} prism_family;

enum { PRISM_ENVIRONMENT_CAP = 1000000 };

/* Start from {.p, .source}; prism_family_free whatever the outcome. */
vouch_status prism_family_make(prism_family *f);
void prism_family_free(prism_family *f);
/* All constants in environment k, the last open constant varying fastest: constant [constant_count]. */
vouch_status prism_family_constants(const prism_family *f, int k, prism_value *constant);
/* prism_sample.c: draws count (1 .. PRISM_ENVIRONMENT_CAP) of `all` environments; takes all if there are no more than count. */
vouch_status prism_family_sample(prism_family *f, double all, int count, uint64_t seed);
/* Computes the constants that the known ones determine: value, known [constant_count]. all: one that cannot be is an error. */
vouch_status prism_close_constants(const prism *p, prism_value *value, unsigned char *known, bool all);
/* Marks as known, with its value, each open constant to which the options give exactly one. Options that are wrong give none. */
vouch_status prism_single_constants(const prism *p, const vouch_source *source, prism_value *value, unsigned char *known);
/* "n=1,m=2", for mem_free; "k1" where nothing is open. NULL when memory is out. */
char *prism_family_name(const prism_family *f, int k);

#endif
