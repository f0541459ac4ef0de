/* policy/parts.h - which parts of a search (vouch/search.h) are switched off. */
#ifndef POLICY_PARTS_H
#define POLICY_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <vouch/search.h>

/* A set of parts, one bit each. */
typedef uint32_t search_parts;

static inline search_parts part_set(vouch_part part) { return (search_parts)1 << part; }
static inline bool part_off(search_parts without, vouch_part part) { return without & part_set(part); }

/* Those that no line of a proof shows. */
search_parts parts_unproved(void);
/* The parts named in a list, "word,word"; NULL or "": none. ERROR_ARGUMENT names the word and what was expected. */
vouch_status parts_named(const char *list, search_parts *without, vouch_error *error);

#endif
