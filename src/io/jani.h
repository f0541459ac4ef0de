/* io/jani.h - JANI models (jani-specification, version 1; C. Dehnert et al., TACAS 2017, "JANI: Quantitative model and tool
 * interaction") of type mdp or dtmc, as the arrays of a PRISM file (prism.h); for the parts of the reader.
 *
 *   jani.c           the model: composition, initial states, properties as labels
 *   jani_variable.c  constants and variables; jani_array.c: arrays
 *   jani_automaton.c automata: locations, edges, assignments
 *   jani_expr.c      expressions, functions
 *
 * An automaton becomes a module, an edge a command, a synchronisation vector a prism_sync. The location of an automaton with more
 * than one is a variable with its name. An array is one variable for each element, NAME_0 and so on. A transient variable is a
 * formula; its value as locations give it. A Boolean one is also a label, one of numbers a reward structure: what locations give is
 * paid by every step that begins there, what edges assign by the step.
 */
#ifndef IO_JANI_H
#define IO_JANI_H

#include "io/prism.h"

enum {
    JANI_TEXT = 1U << JS_STRING,
    JANI_LIST = 1U << JS_ARRAY,
    JANI_OBJECT = 1U << JS_OBJECT,
    JANI_TRUTH = 1U << JS_TRUE | 1U << JS_FALSE,
    JANI_EXPR = JANI_TEXT | JANI_OBJECT | JANI_TRUTH | 1U << JS_NUMBER,
    JANI_ANY = (1U << (JS_OBJECT + 1)) - 1
};

typedef enum jani_kind { JANI_NONE, JANI_CONSTANT, JANI_VARIABLE, JANI_FORMULA, JANI_FUNCTION, JANI_ARRAY } jani_kind;

typedef struct jani_symbol { /* the present meaning of a name */
    jani_kind kind;
    int index;          /* in the array of prism; of a function: its formula, of an array: its expression, once it is one, -1 */
    uint32_t node;      /* of a function: its declaration */
    int transient;      /* number of the transient variable, from 1; 0: none */
    int uses;           /* automata with a variable of this name, and global names */
    bool open;          /* a function whose body is being read */
    bool local;         /* declared in the automaton at hand */
    int home, location; /* 1 + the module that last had a location of the name, and its number */
    bool taken;         /* some constant, variable or formula of prism has the name */
} jani_symbol;

typedef struct jani_transient {
    int name, formula, rewards; /* rewards: -1, of a Boolean one */
    prism_type type;
    int value;   /* expression in the making */
    bool placed; /* do locations give it a value? */
    bool zero;   /* is it 0 where nothing gives it a value? */
    uint32_t node;
} jani_transient;

typedef struct jani_binding { /* of a function's parameter */
    int name, expr;
} jani_binding;

typedef struct jani_item { /* an item of a reward structure, gathered before the structures are laid out */
    int transient;
    prism_item item;
} jani_item;

typedef struct jani_target { /* of an assignment: a variable or an array, and a condition, -1: none */
    int when, expr;
} jani_target;

typedef struct jani_reader {
    prism *p;
    const js_doc *doc;
    escape *e;                           /* of p */
    ESCAPE_ARRAY(jani_symbol, symbol);   /* by name */
    ESCAPE_ARRAY(jani_binding, binding); /* of the functions being read, innermost last */
    ESCAPE_ARRAY(jani_transient, transient);
    ESCAPE_ARRAY(jani_item, item);
    ESCAPE_ARRAY(int, local);          /* names declared in the automaton at hand */
    ESCAPE_ARRAY(int, pending);        /* elements of arrays in the making, innermost last */
    ESCAPE_ARRAY(jani_target, target); /* of the assignment at hand */
    prism_value *constant;             /* [constants]: values, where known; NULL: constants are still being read */
    unsigned char *known;
    size_t frame; /* the first binding of the innermost function */
    int depth;
    bool later;  /* in an assignment whose index is not the lowest of its destination */
    int initial; /* conjunction of what restricts initial states, -1: none */
    bool loose;  /* does some variable or location have no single initial value? */
} jani_reader;

static inline uint32_t jani_next(const jani_reader *r, uint32_t child) { return js_end(r->doc, child); }

/* The value of a field of an object; 0: none, or no object. */
uint32_t jani_value_of(const jani_reader *r, uint32_t node, const char *name);
/* The number of a name; its symbol, made if new; both of the string at a node. */
int jani_name(jani_reader *r, const char *text);
jani_symbol *jani_symbol_of(jani_reader *r, int name);
jani_symbol *jani_symbol_at(jani_reader *r, uint32_t node);
/* Gives the name at `node` a meaning that it may not have had. */
void jani_declare(jani_reader *r, uint32_t node, jani_symbol meaning);
/* `text`, or with `prefix` and "_" before it where something has that name already. */
int jani_free_name(jani_reader *r, const char *prefix, const char *text, bool prefixed);

/* An expression made here, blamed on a node. */
int jani_make(jani_reader *r, uint32_t node, prism_op op, int a, int b, int c);
int jani_make_whole(jani_reader *r, uint32_t node, prism_op op, int64_t whole);
/* The expression of a node; of an object {"exp": .., "comment": ..}. */
int jani_expr(jani_reader *r, uint32_t node);
int jani_wrapped(jani_reader *r, uint32_t node);
/* An expression that may stand on the left of several. */
int jani_shared(jani_reader *r, uint32_t node, int x);
/* a & b, either -1: the other. */
int jani_and(jani_reader *r, uint32_t node, int a, int b);

/* An initial state has to meet the expression too. */
void jani_restrict(jani_reader *r, uint32_t node, int expr);
void jani_constants(jani_reader *r, uint32_t list);
/* A list of functions; variables, of an automaton's instance or (NULL) the model's. */
void jani_functions(jani_reader *r, uint32_t list, bool local);
void jani_variables(jani_reader *r, uint32_t list, const char *instance);

/* ---- arrays ---- */

bool jani_is_array(const jani_reader *r, int expr);
/* Computes all constants that depend on no open one; a constant given exactly one value is not open. */
void jani_close_constants(jani_reader *r);
/* An array whose elements are the pending ones from mark on, which it takes away. */
int jani_make_array(jani_reader *r, uint32_t node, size_t mark);
/* choice[0] ? choice[1] : choice[2], arrays or not. */
int jani_choose_array(jani_reader *r, uint32_t node, const int choice[3]);
/* The operators aa, av and ac. */
int jani_array_expr(jani_reader *r, uint32_t node, const char *word);
/* The possible targets of an assignment with this ref: r->target. */
void jani_targets(jani_reader *r, uint32_t node);
/* Assigns like->expr to the targets. */
void jani_assign(jani_reader *r, uint32_t node, const prism_assignment *like, prism_update *u);

/* An automaton as the next module. */
void jani_automaton(jani_reader *r, uint32_t node, const char *instance);

#endif
