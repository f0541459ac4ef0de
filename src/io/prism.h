/* io/prism.h - the PRISM language (its part for MDPs) and PAYNT's sketches: text to syntax, expressions to values. JANI files
 * become the same arrays (jani.h).
 *
 *   prism_lex.c     text -> tokens with line and column, names interned
 *   prism_parse.c   tokens -> the arrays of this header; module renaming re-reads the tokens of the other module
 *   prism_constant.c  constants and holes; prism_sync.c  which commands act together; prism_system.c  system .. endsystem
 *   prism_expr.c    its expressions; prism_bind.c  names -> what they declare
 *   prism_eval.c    expressions in a valuation of constants and variables
 *   prism_family.c  which constants are open, and the environments they span
 *   prism_states.c  valuations and their numbers; prism_initial.c  where an environment begins
 *   prism_reach.c   valuations reached up to the horizon; prism_expand.c  their choices; prism_rewards.c  what they pay;
 *   prism_model.c  rows of the model
 *
 * Everything lives in flat arrays of one struct prism and refers by index; -1 is "none". Source of the grammar: the PRISM
 * manual, and R. Andriushchenko et al., PAYNT (CAV 2021), for `hole`.
 */
#ifndef IO_PRISM_H
#define IO_PRISM_H

#include <stdbool.h>
#include <stdint.h>
#include <vouch/model_io.h>

#include "io/json.h"
#include "io/names.h"

typedef enum prism_symbol {
    SYM_END,
    SYM_NAME, /* token.name */
    SYM_INT,  /* token.number */
    SYM_REAL,
    SYM_STRING, /* "label": token.name */
    SYM_ARROW,  /* -> */
    SYM_DOTS,   /* .. */
    SYM_LE,
    SYM_GE,
    SYM_NE,
    SYM_IMPLIES,
    SYM_IFF,
    SYM_CHAR /* one character: token.character */
} prism_symbol;

typedef struct prism_token {
    unsigned char symbol;
    char character;
    int name;
    int line, column; /* line < 0: of the further expression number -1 - line */
    double number;
    int64_t whole; /* SYM_INT */
} prism_token;

/* By kinds: leaves, the conditional, logic, comparisons, functions of one number, of two (prism_eval). */
typedef enum prism_op {
    OP_INT,
    OP_REAL,
    OP_BOOL, /* whole, number, whole */
    OP_ID,   /* a: name; bound to one of the next three */
    OP_CONST,
    OP_VAR,
    OP_FORMULA,  /* a: index */
    OP_RENAMED,  /* a: an expression of another module, as module u.whole, a renamed one, has it */
    OP_LABEL,    /* a: name, bound to b: index of the label */
    OP_ARRAY,    /* JANI, not a value: the elements a .. a + b - 1 of prism.element */
    OP_SELECT,   /* the value of that of the elements b .. b + c - 1 whose number is the value of a */
    OP_INIT,     /* the labels "init" .. */
    OP_DEADLOCK, /* .. and "deadlock", which need no declaration */
    OP_IF,       /* a ? b : c */
    OP_IMPLIES,
    OP_IFF,
    OP_OR,
    OP_AND,
    OP_NOT,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_MINUS,
    OP_FLOOR,
    OP_CEIL,
    OP_ROUND,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MIN,
    OP_MAX,
    OP_POW,
    OP_MOD,
    OP_LOG
} prism_op;

typedef struct prism_expr {
    prism_op op;
    int a, b, c;
    int up; /* the expression whose a this is */
    int line, column;
    union {
        double number;
        int64_t whole;
    } u;
} prism_expr;

typedef enum prism_type { TYPE_INT, TYPE_REAL, TYPE_BOOL } prism_type;

typedef struct prism_value {
    prism_type type;
    union {
        int64_t i; /* TYPE_INT; TYPE_BOOL: 0 or 1 */
        double d;
    } u;
} prism_value;

typedef struct prism_constant {
    int name;
    prism_type type;
    int expr; /* -1: open */
    bool hole;
    int first, count; /* of a hole's list of values in prism.hole_value; count -1: a range low, high, step (-1) */
    int line, column;
    int bound_of, is_max; /* NAME_MIN and NAME_MAX of the hole that is constant number bound_of; -1 */
    int low, high;        /* JANI: expressions that it lies between; -1: none */
} prism_constant;

typedef struct prism_variable {
    int name, module; /* module -1: global */
    prism_type type;  /* TYPE_INT or TYPE_BOOL */
    int low, high;    /* expressions; -1: unbounded or bool */
    int init;         /* expression, -1: the lower bound, or false */
    int line, column;
} prism_variable;

typedef struct prism_named { /* formula or label */
    int name, expr, line, column;
} prism_named;

typedef struct prism_module {
    int name, first, count; /* of its commands */
    int rename, renames;    /* of a renamed one: its entries of prism.renaming */
    int line, column;
} prism_module;

typedef struct prism_meaning { /* of a name */
    prism_op op;               /* OP_CONST, OP_VAR, OP_FORMULA; OP_ID: none, an action say */
    int index;
} prism_meaning;

typedef struct prism_renaming { /* those of a module are sorted by `from` once bound */
    int old, new;               /* names */
    prism_meaning from, to;
    int line, column;
} prism_renaming;

typedef struct prism_assignment {
    int variable; /* a name until bound, then an index */
    int expr, line, column;
    int when;  /* JANI: a condition, an element of an array is the one meant; -1: always */
    int index; /* JANI: assignments of a lower index are done first, and seen by those of a higher one; PRISM: 0 */
} prism_assignment;

typedef struct prism_update {
    int probability; /* expression; -1: 1 */
    int first, count;
} prism_update;

typedef struct prism_command {
    int module, label; /* label: a name; -1: none */
    int guard, first, count;
    int line, column;
} prism_command;

typedef struct prism_item {
    bool transition;
    int label; /* of a transition reward: a name; -1: [] */
    int guard, value;
    int command, update; /* JANI: paid when this command takes part and the update is drawn; PRISM: -1 */
} prism_item;

typedef struct prism_partner { /* a module that takes part in a choice by a command of this label */
    int module, label;
    int first, count; /* of those commands in prism.partaking */
} prism_partner;

typedef struct prism_sync { /* a synchronisation: one command of each partner */
    int label;              /* of the choice: a name; -1: none */
    int first, count;       /* of its partners */
} prism_sync;

typedef struct prism_extra { /* an expression given beside the file */
    const char *option, *content;
} prism_extra;

typedef struct prism_rewards {
    int name; /* -1: unnamed */
    int first, count;
} prism_rewards;

#define PRISM_ARRAY(type, what)                                                                                                    \
    type *what;                                                                                                                    \
    size_t what##_count, what##_capacity

typedef struct prism {
    const char *file;
    vouch_error *error;
    names names;
    PRISM_ARRAY(prism_token, token);
    PRISM_ARRAY(prism_expr, expr);
    PRISM_ARRAY(int, element); /* expressions, those of an array together */
    PRISM_ARRAY(prism_constant, constant);
    PRISM_ARRAY(int, hole_value);
    PRISM_ARRAY(prism_variable, variable);
    PRISM_ARRAY(prism_named, formula);
    PRISM_ARRAY(prism_named, label);
    PRISM_ARRAY(prism_module, module);
    PRISM_ARRAY(prism_renaming, renaming);
    PRISM_ARRAY(prism_command, command);
    PRISM_ARRAY(prism_update, update);
    PRISM_ARRAY(prism_assignment, assignment);
    PRISM_ARRAY(prism_rewards, rewards);
    PRISM_ARRAY(prism_item, item);
    PRISM_ARRAY(prism_extra, extra);
    PRISM_ARRAY(prism_partner, partner);
    PRISM_ARRAY(int, partaking); /* commands with a label, by module and label, in the order of the file */
    PRISM_ARRAY(prism_sync, sync);
    int init;                   /* expression of init .. endinit, -1: none */
    bool dtmc;                  /* no choices: enabled commands are equally likely, and one action */
    bool ordered;               /* does an assignment have an index other than 0, or a condition? */
    const vouch_source *source; /* the options that go with the file; NULL: none. JANI: lengths of arrays depend on them */
    js_doc *json;               /* owned: the JANI file, whose nodes stand where columns stand otherwise; NULL: PRISM */
} prism;

/* Appends a zeroed entry and gives its index, -1 when memory is out. */
#define PRISM_ADD(p, what)                                                                                                         \
    (mem_reserve((void **)&(p)->what, &(p)->what##_capacity, (p)->what##_count, sizeof *(p)->what) ? -1 : (int)(p)->what##_count++)
/* Appends a value; a status. */
#define PRISM_PUSH(p, what, ...)                                                                                                   \
    (PRISM_ADD(p, what) < 0 ? error_memory((p)->error) : ((p)->what[(p)->what##_count - 1] = __VA_ARGS__, (vouch_status)VOUCH_OK))

/* "FILE:LINE:COLUMN: text" (JANI: "FILE:LINE: PATH: text"), or "OPTION: text" for a further expression, as an ERROR_INPUT. */
vouch_status prism_fail(const prism *p, int line, int column, const char *format, ...) VOUCH_PRINTF(4, 5);
const char *prism_name(const prism *p, int name);
/* Interns length letters; -1 when memory is out. */
int prism_intern(prism *p, const char *word, size_t length);

vouch_status prism_lex(prism *p, const char *content, size_t length);
/* Lexes and parses a file and binds its names. Start from {.file, .error}; prism_free whatever the outcome. */
vouch_status prism_parse(prism *p, const char *content, size_t length);
/* Parses a further expression, an option's text, against a parsed file; *expr is its index. Both texts must outlive p. */
vouch_status prism_parse_extra(prism *p, const char *option, const char *content, int *expr);
void prism_free(prism *p);

/* Does any expression use the label "deadlock"? */
bool prism_uses_deadlock(const prism *p);
/* The number of a label; -1: none. */
int prism_find_label(const prism *p, const char *name);

/* ---- evaluation ---- */

typedef struct prism_standing { /* of a state in an environment */
    bool initial, deadlock;
} prism_standing;

typedef struct prism_under { /* an expression is evaluated as this module has it, which may itself be renamed */
    const prism_module *module;
    const struct prism_under *outer;
} prism_under;

typedef struct prism_scope {
    const prism *p;
    const prism_value *constant;    /* [constant_count]; may be filled up to a point only while constants are computed */
    const unsigned char *known;     /* [constant_count]; NULL: all */
    const int *state;               /* [variable_count]; NULL: no variables here */
    const prism_standing *standing; /* NULL: no labels "init" and "deadlock" here */
    const prism_under *under;       /* NULL: names are as they stand */
    bool quiet;                     /* errors are expected and need no text */
    int depth;
    long work;
} prism_scope;

/* Errors name the place in the file: a wrong type, a division by zero in mod, a number out of range. */
vouch_status prism_eval(prism_scope *scope, int expr, prism_value *value);
vouch_status prism_eval_bool(prism_scope *scope, int expr, bool *value);
vouch_status prism_eval_int(prism_scope *scope, int expr, int *value);
/* A bound of a range: also a real whose value is whole, since [0..N/2] is common and / is real division. */
vouch_status prism_eval_bound(prism_scope *scope, int expr, int *value);
vouch_status prism_eval_real(prism_scope *scope, int expr, double *value);

#endif
