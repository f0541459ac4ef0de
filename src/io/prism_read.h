/* io/prism_read.h - the cursor over tokens that the parser's parts share. */
#ifndef IO_PRISM_READ_H
#define IO_PRISM_READ_H

#include <string.h>

#include "io/prism.h"

typedef struct prism_reader {
    prism *p;
    size_t at;
    int nest;
    int *module_at;    /* owned, by name: the module of that name, -1: none yet */
    bool *label_known; /* owned, by name: is there a label of that name? */
    size_t system_at;  /* token behind "system"; 0: there is none */
} prism_reader;

static inline const prism_token *here(const prism_reader *r) { return &r->p->token[r->at]; }
static inline const prism_token *ahead(const prism_reader *r, size_t n)
{
    size_t last = r->p->token_count - 1;
    return &r->p->token[r->at + n < last ? r->at + n : last];
}
static inline void step(prism_reader *r) { r->at += r->at + 1 < r->p->token_count; }

static inline bool token_is(const prism_token *t, char c) { return t->symbol == SYM_CHAR && t->character == c; }
static inline bool at_char(const prism_reader *r, char c) { return token_is(here(r), c); }
static inline bool at_word(const prism_reader *r, const char *word)
{
    return here(r)->symbol == SYM_NAME && strcmp(prism_name(r->p, here(r)->name), word) == 0;
}

/* "expected WANTED, found .." at the token at hand. */
vouch_status prism_unexpected(const prism_reader *r, const char *wanted);
/* The token has to be this one; steps over it. */
vouch_status prism_take_char(prism_reader *r, char c);
vouch_status prism_take_symbol(prism_reader *r, prism_symbol symbol, const char *wanted);
vouch_status prism_take_word(prism_reader *r, const char *word);
/* A name that is no reserved word. */
vouch_status prism_take_name(prism_reader *r, const char *wanted, int *name);
/* Appends an expression; *index is its number. */
vouch_status prism_add_expr(prism *p, prism_expr e, int *index);
/* A whole expression; *expr is its index. */
vouch_status prism_read_expr(prism_reader *r, int *expr);

/* A declaration `const ..` or `hole ..`. */
vouch_status prism_read_constant(prism_reader *r);
vouch_status prism_read_hole(prism_reader *r);

/* Declares what `source` declares, as `module`, a renamed one, has it: commands and variables are copied, expressions shared. */
vouch_status prism_copy_module(prism *p, int source, int module);
/* What names mean in renamed modules, which are sorted by it. meaning: of all names. */
vouch_status prism_bind_renamings(prism *p, const prism_meaning meaning[]);
/* What a name means under these modules. Returns those that a formula of that meaning is still under: not the ones that replaced
 * it. */
const prism_under *prism_meant(const prism *p, const prism_under *under, prism_meaning *what);
/* Binds names in expressions from first_expr on and in assignments from first_assignment on to what they were declared as. */
vouch_status prism_bind(prism *p, size_t first_expr, size_t first_assignment);
/* prism_sync.c: one synchronisation per label, in which every module that knows the label takes part. */
vouch_status prism_make_syncs(prism *p);
/* prism_system.c: the synchronisations that system .. endsystem asks for. */
vouch_status prism_read_system(prism_reader *r);
/* Fills prism.partaking, and finds there the commands of all partners. */
vouch_status prism_find_partaking(prism *p);
/* A module may change its own variables and global ones, each once in an update. */
vouch_status prism_check_owners(const prism *p);

#endif
