/* io/json.h - a JSON document as a flat array of nodes that know their line.
 *
 * Nodes are in the order of the text; `end` is the index one past the last node inside, so that a loop over the children of an
 * array goes from end to end. The index of a node is enough to find its line and its path from the root
 * (`environments[2].transitions[7]`), for messages. A reader of millions of rows can have them skimmed and read them from the text
 * (io/model_json.c), and the whole parsed if something is wrong.
 */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include "io/escape.h"

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

typedef struct js_doc {
    escape *e;     /* of the reading, which frees all of it; a call below that fails escapes by it */
    char *name;    /* of the file, for messages */
    char *text;    /* strings are decoded in place */
    js_node *node; /* [count]; 0 is the root */
    size_t count, capacity;
    size_t length;     /* of the text */
    bool skim;         /* arrays of arrays that are fields "transitions" and "rewards" become one node, JS_ROWS, and are not read */
    bool long_numbers; /* was one read that is not the shortest decimal of its double? */
    bool foreign;      /* fields whose name begins with x- belong to other programs, and js_fields skips them */
} js_doc;

/* Reads a file (plain or gzip). Start from {.e}. Errors: "NAME:LINE: ...". */
void js_read(js_doc *doc, const char *path);
/* The same from memory: takes over text (from mem_alloc, length bytes and a zero byte behind them). */
void js_parse(js_doc *doc, const char *name, char *text, size_t length);
/* Parses a document once more without `skim`, also after an error. */
void js_parse_whole(js_doc *doc);

js_kind js_kind_of(const js_doc *doc, uint32_t at);
double js_number(const js_doc *doc, uint32_t at);      /* of a JS_NUMBER */
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
/* A whole number in [least, most]. */
int js_int(const js_doc *doc, uint32_t at, int least, int most);
/* Is the node of one of the kinds? If not, an error with the expected kinds. */
void js_expect(const js_doc *doc, uint32_t at, unsigned kinds);

/* Writing: a quoted string; a number by %.17g, null when it is not finite, behind the text `before`. */
void js_add_string(text *t, const char *value);
/* Bytes of the UTF-8 character at s, in a text of `left` bytes; 0: it is none. */
int js_utf8_length(const char *s, size_t left);
bool js_utf8(const char *s); /* is all of it UTF-8? */
void js_add_number(text *t, const char *before, double value);

#endif
