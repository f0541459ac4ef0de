/* io/prism.h - the PRISM language (its part for MDPs) and PAYNT's sketches: text to syntax, expressions to values. JANI files
 * become the same arrays (jani.c).
 *
 *   prism_parse.c  text -> tokens with line and column, names interned -> the arrays of this header; declarations of names, renamed
 *                  modules, synchronisations
 *   prism_family.c which constants are open, and the environments they span
 *   prism_expand.c expressions in a valuation, valuations, where an environment begins, which are reached up to the horizon, their
 * choices and rewards prism_model.c  options and rows of the model
 *
 * Everything lives in flat arrays of one struct prism and refers by index; -1 is "none". Its escape has the memory and handles
 * errors. Source of the grammar: the PRISM manual, and R. Andriushchenko et al., PAYNT (CAV 2021), for `hole`.
 */
#ifndef IO_PRISM_H
#define IO_PRISM_H

#include "base/intern.h"
#include "io/json.h"

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
    OP_SELECT,   /* the value of one of the elements b .. b + c - 1; its number is the value of a */
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

typedef struct prism_renaming { /* within a module sorted by `from` once bound */
    int old, new;               /* names */
    prism_meaning from, to;
    int line, column;
} prism_renaming;

typedef struct prism_assignment {
    int variable; /* a name until bound, then an index */
    int expr, line, column;
    int when;  /* JANI: a condition, an element of an array is the one meant; -1: always */
    int index; /* JANI: assignments of a lower index are done first, and seen by higher ones; PRISM: 0 */
} prism_assignment;

typedef struct prism_update {
    int low, probability; /* expressions, of the limits; -1: 1 */
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
    int first, count; /* the number of these commands in prism.partaking */
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

typedef struct prism {
    const char *file;
    escape *e;
    names names; /* owned */
    ESCAPE_ARRAY(prism_token, token);
    ESCAPE_ARRAY(prism_expr, expr);
    ESCAPE_ARRAY(int, element); /* expressions, elements of an array together */
    ESCAPE_ARRAY(prism_constant, constant);
    ESCAPE_ARRAY(int, hole_value);
    ESCAPE_ARRAY(prism_variable, variable);
    ESCAPE_ARRAY(prism_named, formula);
    ESCAPE_ARRAY(prism_named, label);
    ESCAPE_ARRAY(prism_module, module);
    ESCAPE_ARRAY(prism_renaming, renaming);
    ESCAPE_ARRAY(prism_command, command);
    ESCAPE_ARRAY(prism_update, update);
    ESCAPE_ARRAY(prism_assignment, assignment);
    ESCAPE_ARRAY(prism_rewards, rewards);
    ESCAPE_ARRAY(prism_item, item);
    ESCAPE_ARRAY(prism_extra, extra);
    ESCAPE_ARRAY(prism_partner, partner);
    ESCAPE_ARRAY(int, partaking); /* commands with a label, by module and label, in the order of the file */
    ESCAPE_ARRAY(prism_sync, sync);
    int init;                   /* expression of init .. endinit, -1: none */
    bool dtmc;                  /* no choices: enabled commands are equally likely, and one action */
    bool ordered;               /* does an assignment have an index other than 0, or a condition? */
    const vouch_source *source; /* the options that go with the file; NULL: none. JANI: lengths of arrays depend on them */
    js_doc *json;               /* the JANI file, whose nodes stand where columns stand otherwise; NULL: PRISM */
} prism;

#define PUSH(p, what, ...) ESCAPE_PUSH((p)->e, p, what, __VA_ARGS__)

/* "FILE:LINE:COLUMN: text" (JANI: "FILE:LINE: PATH: text"), or "OPTION: text" for a further expression, as an ERROR_INPUT. */
_Noreturn void prism_fail(const prism *p, int line, int column, const char *format, ...) VOUCH_PRINTF(4, 5);
const char *prism_name(const prism *p, int name);
int prism_intern(prism *p, const char *word, size_t length); /* the number of a name with this length */

/* ---- prism_parse.c, jani.c: parsing ---- */

/* Parses a PRISM or JANI file and binds its names. Start from {.file, .e}; the content must outlive p. */
void prism_parse(prism *p, const char *content, size_t length);
void jani_parse(prism *p, const char *content, size_t length);
/* Parses a further expression, an option's text, against a parsed file; returns its index. Both texts must outlive p. */
int prism_parse_extra(prism *p, const char *option, const char *content);

typedef struct prism_reader { /* a cursor over tokens */
    prism *p;
    size_t at;
    int nest;
    int *module_at;    /* by name: the module of that name, -1: none yet */
    bool *label_known; /* by name: is there a label of that name? */
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

typedef struct prism_under { /* an expression is evaluated as this module has it, which may itself be renamed */
    const prism_module *module;
    const struct prism_under *outer;
} prism_under;

/* Replaces a name's meaning by its meaning under these modules. Returns the modules that a formula of that meaning is still under:
 * not the ones that replaced it. */
const prism_under *prism_meant(const prism *p, const prism_under *under, prism_meaning *what);
/* A module may change its own variables and global ones, each once in an update. */
bool prism_uses_deadlock(const prism *p);               /* does any expression use the label "deadlock"? */
int prism_find_label(const prism *p, const char *name); /* -1: none */

/* One synchronisation per label, of all modules that have it; or the synchronisations of system .. endsystem. */
void prism_make_syncs(prism *p);
/* Fills prism.partaking, and finds there the commands of all partners. */
void prism_find_partaking(prism *p);

/* ---- prism_expand.c: evaluation ---- */

typedef struct prism_standing { /* of a state in an environment */
    bool initial, deadlock;
} prism_standing;

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
prism_value prism_eval(prism_scope *scope, int expr);
bool prism_eval_bool(prism_scope *scope, int expr);
/* false: there is an error. */
bool prism_eval_quietly(prism_scope *scope, int expr, prism_value *value);

/* ---- prism_family.c: one environment per combination of values of open constants and holes ---- */

typedef struct prism_range { /* the values of one open constant */
    int constant;
    ESCAPE_ARRAY(prism_value, value);
    bool given; /* by an option */
} prism_range;

typedef struct prism_family {
    const prism *p;
    const vouch_source *source;
    prism_range *range; /* [ranges], in the order of the file */
    size_t ranges;
    int K;             /* product of their counts, or the size of the sample */
    uint32_t *drawn;   /* [K * ranges]: of a sample which of its values each has; NULL: all combinations */
    prism_value *base; /* constants that do not depend on them */
    unsigned char *known;
} prism_family;

enum { PRISM_ENVIRONMENT_CAP = 1000000 };

void prism_family_make(prism_family *f); /* start from {.p, .source} */
/* All constants in environment k, the last open constant varying fastest: constant [constant_count]. */
void prism_family_constants(const prism_family *f, int k, prism_value *constant);
/* Draws count (1 .. PRISM_ENVIRONMENT_CAP) of `all` environments; takes all if there are no more than count. */
void prism_family_sample(prism_family *f, double all, int count, uint64_t seed);
/* Computes the constants that the known ones determine: value, known [constant_count]. all: one that cannot be is an error. */
void prism_close_constants(const prism *p, prism_value *value, unsigned char *known, bool all);
/* Marks as known, with its value, each open constant to which the options give exactly one. Options that are wrong give none. */
void prism_single_constants(prism *p, prism_value *value, unsigned char *known);
char *prism_family_name(const prism_family *f, int k); /* "n=1,m=2"; "k1" where nothing is open */

/* ---- prism_expand.c: states and choices ---- */

/* One nondeterministic choice of a state: one command, or one command of each module that synchronises. */
typedef struct prism_choice {
    size_t first; /* of its outcomes */
    int count;
    int env, state;
    int label;    /* a name, -1: none */
    int combo;    /* the same commands have the same number; see prism_states.combos */
    bool reached; /* can the environment be in the state? */
} prism_choice;

typedef struct prism_outcome {
    int next;
    double low, probability; /* its limits */
} prism_outcome;

typedef struct prism_states { /* one table of valuations for all environments, and the choices found in them */
    const prism *p;
    int V;             /* variables */
    long long limit;   /* most states */
    long search_work;  /* steps in search of initial states, in all environments together */
    intern valuations; /* their keys: two values a word */
    uint64_t *key;     /* one of them, scratch */
    names combos;      /* "3,17": commands joined by commas */
    ESCAPE_ARRAY(prism_choice, choice);
    ESCAPE_ARRAY(prism_outcome, outcome);
} prism_states;

typedef struct prism_environment {
    int number;
    const char *name;            /* for messages */
    const prism_value *constant; /* [constant_count] */
} prism_environment;

typedef struct prism_initials { /* states in which an environment may begin */
    ESCAPE_ARRAY(int, state);
} prism_initials;

/* A part of --initial: states, and their probability together. */
typedef struct prism_start {
    char *words;
    int expr; /* of the words, if some part gives a probability */
    double p;
} prism_start;

typedef struct prism_starts {
    prism_start *item; /* [count] */
    size_t count;
    bool probable; /* does one give a probability? */
} prism_starts;

enum { PRISM_REACHED = 1, PRISM_EXPANDED = 2 }; /* EXPANDED: reached, and its choices are known there */

typedef struct prism_reach {
    int K, initial;        /* initial: the one of all environments; -1: there are several, or others in another environment */
    prism_initials *begin; /* [K] */
    unsigned char *seen;   /* of environment k in state s at [s * K + k], up to capacity */
    size_t capacity;
} prism_reach;

void prism_states_start(prism_states *x); /* from {.p, .limit} */
void prism_states_end(prism_states *x);   /* gives back the memory of choices, outcomes and valuations, early */
void prism_valuation(const prism_states *x, int state, int v[]); /* the values of the variables in a state: v [V] */
char *prism_state_name(const prism_states *x, int state);        /* "x=0,b=true" */
/* Numbers combos anew, in the order of the file: "3,2" before "3,17". */
void prism_combos_order(prism_states *x);

/* Reads source->initial, which takes the place of init .. endinit. */
void prism_starts_read(prism_starts *s, prism *p, const vouch_source *source);
/* Adds p to first [S], the same for each state of begin where the words hold; scope looks at valuation [V]. false: they hold in
 * none. */
bool prism_start_spread(const prism_start *start, const prism_states *x, const prism_initials *begin, prism_scope *scope,
                        int valuation[], double first[]);

/* From {0}. States that no environment can be in before the horizon get no choices. In the others every environment that comes
 * there at all has its choices, so that a longer horizon meets a state without choices before it meets a wrong one. */
void prism_reach_find(prism_reach *r, prism_states *x, int K, const prism_environment env[], int horizon);
bool prism_reach_has(const prism_reach *r, int k, int state, int what);

/* Adds the items of structure number `rewards` (-1: none) whose guard holds in the scope: items of the state itself, or (choice not
 * NULL) of the choice's transition, weighted by the probability of the update if an item belongs to one. */
void prism_rewards_add(const prism_states *x, int rewards, prism_scope *scope, const prism_choice *choice, double *sum);

/* ---- prism_model.c ---- */

/* Parses a file with its own escape; call escape_end(p->e) afterwards, also after an error. */
vouch_status prism_open(prism *p, bool jani, const file_content *file);
/* Adds a set of states that --commit takes, quoted for the shell: the first label, or else values of the first variable. */
void prism_add_example(const prism *p, text *t);

#endif
