/* io/json.h - JSON documents, and the files in JSON: search trees, models, policies. */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <vouch/groups.h>
#include <vouch/model_io.h>

#include "io/file.h"

typedef enum js_kind { JS_NULL, JS_FALSE, JS_TRUE, JS_NUMBER, JS_STRING, JS_ARRAY, JS_OBJECT, JS_ROWS } js_kind;

/* Sets of kinds. */
enum {
    NUMBER = 1U << JS_NUMBER,
    STRING = 1U << JS_STRING,
    ARRAY = 1U << JS_ARRAY,
    OBJECT = 1U << JS_OBJECT,
    TRUTH = 1U << JS_TRUE | 1U << JS_FALSE,
    FIGURE = NUMBER | 1U << JS_NULL,
    ANYTHING = FIGURE | STRING | ARRAY | OBJECT | TRUTH
};

typedef struct js_node {
    unsigned kind : 3;
    unsigned line : 29; /* from 1 */
    uint32_t end;       /* one past the last descendant; the node's own index + 1 for a leaf */
    union {
        double number;
        uint32_t text;  /* JS_STRING: where it starts in js_doc.text, ended by a zero byte */
        uint32_t count; /* JS_ARRAY: elements; JS_OBJECT: fields, each a JS_STRING node and the value behind it */
        struct js_rows {
            uint32_t text, count;
        } rows; /* JS_ROWS: where its bracket is, and how many brackets open in it */
    } u;
} js_node;

/* What the decimal of a number in a model is more than its double. */
typedef struct js_rest {
    uint32_t node;
    double rest;
} js_rest;

typedef struct js_doc {
    escape *e;     /* of the reading, which frees all of it; a call below that fails escapes by it */
    char *name;    /* of the file, for messages */
    char *text;    /* strings are decoded in place */
    js_node *node; /* [count]; 0 is the root */
    size_t count, capacity;
    js_rest *rest; /* [rests] with `skim`, in the order of the nodes; others are 0 */
    size_t rests, rest_capacity;
    size_t length;     /* of the text */
    bool skim;         /* arrays of arrays that are fields "transitions" and "rewards" become one node, JS_ROWS, and are not read */
    bool long_numbers; /* was one read that is not the shortest decimal of its double? */
    bool foreign;      /* js_fields skips comments, and fields whose name begins with x-, which belong to other programs */
} js_doc;

/* Reads a file; from memory: takes over text (from mem_alloc, length bytes and a zero byte behind them). Start from {.e}. Errors:
 * "NAME:LINE: ...". */
void js_read(js_doc *doc, const char *path);
void js_parse(js_doc *doc, const char *name, char *text, size_t length);
void js_parse_whole(js_doc *doc); /* once more without `skim`, also after an error */

js_kind js_kind_of(const js_doc *doc, uint32_t at);
double js_number(const js_doc *doc, uint32_t at);      /* of a JS_NUMBER */
double js_number_rest(const js_doc *doc, uint32_t at); /* what its decimal is more */
const char *js_string(const js_doc *doc, uint32_t at); /* of a JS_STRING */
uint32_t js_count(const js_doc *doc, uint32_t at);     /* of a JS_ARRAY or JS_OBJECT */
uint32_t js_end(const js_doc *doc, uint32_t at);
/* Of a JS_ROWS: its text from the opening bracket on; every string in it is closed, and it ends in its bracket. *count: arrays in
 * it. */
const char *js_rows(const js_doc *doc, uint32_t at, uint32_t *count);
/* Children of a container: for (c = at + 1; c < js_end(doc, at); c = js_end(doc, c)). */

/* "FILE:LINE: path.inside[3]: text" as an ERROR_INPUT. The node is the place complained of. */
_Noreturn void js_fail(const js_doc *doc, uint32_t at, const char *format, ...) VOUCH_PRINTF(3, 4);

/* The number written in [at, end) by JSON's grammar; a zero byte or a delimiter stands behind it. The double nearest to it, as
 * strtod says: with at most 15 digits both it as a whole number and the power of ten are doubles, and one division rounds once
 * (Clinger, How to read floating point numbers accurately, 1990). *long_number: set if it is not the shortest
 * decimal of that double. */
double js_decimal(const char *at, const char *end, bool *long_number);
/* Where a number that begins at s ends, by JSON's grammar; NULL: it is none. */
const char *js_number_end(const char *s);

/* A field of an object. `kinds`: bits 1 << js_kind that are accepted. */
typedef struct js_field {
    const char *name;
    unsigned kinds;
    bool required;
} js_field;

/* Finds the fields of an object: value[i] is the node of field[i]'s value, 0 where an optional one is absent. Requires a node of
 * any kind; an error when it is no object, has a field twice, one not in the list, or of another kind, or lacks a required one. */
void js_fields(const js_doc *doc, uint32_t at, const js_field *field, size_t fields, uint32_t *value);
int js_int(const js_doc *doc, uint32_t at, int least, int most); /* a whole number in [least, most] */
void js_expect(const js_doc *doc, uint32_t at, unsigned kinds);  /* an error unless the node is of one of the kinds */

/* text_add for JSON. Of its conversions: %s behind a quotation mark is escaped, %d, %lld; %g is null unless it is finite, and else
 * has 17 digits, %G as few as read back. */
void js_add(text *t, const char *format, ...) VOUCH_PRINTF(2, 3);
/* Bytes of the UTF-8 character at s, in a text of `left` bytes; 0: it is none. */
int js_utf8_length(const char *s, size_t left);
bool js_utf8(const char *s); /* is all of it UTF-8? */

/* ---- search trees as JSON lines: one object for each ended node, in the order in which they ended.
 *
 *     {"id":2,"parent":1,"depth":1,"branch":"t=0 s=A a=a1","bound":3.5,"incumbent":5,"end":"branched"}
 *
 * The root has id 1 and parent 0; branch is the node's own condition (null at the root); bound and incumbent
 * are null where there is none. ---- */

typedef struct tree_entry {
    long long id, parent;
    int depth;
    char *branch;            /* "" at the root; owned by a logged_tree */
    double bound, incumbent; /* NAN: none */
    vouch_node_end end;
    int above;    /* position of the parent, -1 at the root */
    int children; /* entries whose parent this is */
} tree_entry;

typedef struct logged_tree {
    tree_entry *node; /* [count] */
    int count;
} logged_tree;

/* Appends the line of a node (above and children do not matter; branch NULL: the root). */
void tree_add_line(text *out, const tree_entry *n);

/* Reads a log; parents that never ended (a limit was reached) are allowed to be missing and count as roots. Start from {0}; free it
 * also after an error. */
vouch_status logged_tree_read(logged_tree *tree, const char *path, vouch_error *error);
void logged_tree_free(logged_tree *tree);

const char *node_end_text(vouch_node_end end);

/* ---- models in vouch's JSON format; the calls with files are in vouch/model_io.h. ---- */

/* Reads a model from memory; takes over content (from mem_alloc, length bytes and a zero byte behind them). */
vouch_status model_json_parse(vouch_model **model, const char *name, char *content, size_t length, vouch_error *error);
void model_json_write(const vouch_model *model, text *t); /* appends its file to t */
/* Writes a model file in which what promises remember is part of the states, and every promise is of kind at and about the horizon:
 * with a start before time 0 where there are several first states. Of a model without any of that the same as vouch_model_write. */
vouch_status model_json_write_joined(const vouch_model *model, const char *path, vouch_error *error);

/* ---- policies in vouch's JSON format; the calls with files are in vouch/model_io.h. ---- */

/* Reads a policy from memory; takes over content (from mem_alloc, length bytes and a zero byte behind them). */
vouch_status policy_json_parse(vouch_policy **policy, const vouch_model *model, const char *name, char *content, size_t length,
                               vouch_error *error);
/* The same from the object at a node; escapes by the document where it fails. *policy is the caller's even then, who starts from
 * NULL. */
void policy_json_take(vouch_policy **policy, const vouch_model *model, const js_doc *doc, uint32_t at);
/* Append the policy's file; "[{"name": .., "optimal_value": .., ..}, ..]", the environments with their figures; ", "objective": ..,
 * "weights": .., "value": .." where it is not the regret; ", "optima_bounded": true" where optimal values are only upper bounds. */
void policy_json_write(const vouch_policy *policy, const vouch_model *model, text *t);
void policy_json_write_environments(const vouch_policy *policy, text *t);
void policy_json_write_objective(const vouch_policy *policy, text *t);
void policy_json_write_bounded(const vouch_policy *policy, text *t);
/* One of them, without the brace that closes it. */
void json_write_environment(text *t, const char *name, const vouch_environment_figures *figures);

/* ---- files of several policies.
 *
 *   { "vouch_policy": 1, "model", "promises": "own"|"all", "knowledge": "own"|"all", "status", "max_regret", "bound",
 *     "groups": [{ "environments": ["k1", "k3"], "max_regret", "policy": 0 }, ..], "policies": [{ a policy file }, ..] }
 *
 * A policy of "own" promises is for the model with its group's environments only; or, where "knowledge" is "all", for the model
 * with all of them, those outside the group paying and promising nothing: its rules name the environments that it knows to be
 * possible. ---- */

/* One policy of a file, and who follows it. */
typedef struct group_policy {
    vouch_model *model;             /* owned: the model of the policy; NULL: the whole model */
    bool apart;                     /* the model has the group's environments only */
    vouch_policy *policy;           /* owned */
    int *environment, environments; /* owned: of the whole model, ascending */
} group_policy;

typedef struct group_file {
    group_policy *item; /* owned, [count] */
    int count;
    bool several; /* "groups"; else a policy file like any other, for all environments */
} group_file;

/* Reads either kind; call group_file_free also after an error. */
vouch_status group_file_read(group_file *f, const vouch_model *model, const char *path, vouch_error *error);
void group_file_free(group_file *f);
/* The number of the i th environment of the group in the policy's model. */
static inline int group_policy_place(const group_policy *p, int i) { return p->apart ? i : p->environment[i]; }
/* The policy that the environment of this name follows, taken out of the file: *policy for *model (NULL: the whole one), both the
 * caller's. A file of one policy needs no name (NULL). ERROR_INPUT: there is none of this name, or one is needed. */
vouch_status group_policy_read(const vouch_model *whole, const char *path, const char *environment, vouch_model **model,
                               vouch_policy **policy, vouch_error *error);
/* Writes the groups, at least one. */
vouch_status group_file_write(const vouch_groups *groups, const vouch_model *model, vouch_group_promises promises, const char *path,
                              vouch_error *error);
/* Appends [{ "environments": [..], "max_regret": .., "policy": 0 }, ..]. */
void group_list_add(const vouch_groups *groups, const vouch_model *model, text *t);
/* Appends the parts of names like "n=1,m=2" that these environments share and not all environments have; "" if there are none. */
void group_common_add(const vouch_model *model, const int environment[], int environments, text *t);

#endif
