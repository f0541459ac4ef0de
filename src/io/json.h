/* io/json.h - a JSON document as a flat array of nodes that know their line.
 *
 * Nodes stand in the order of the text; `end` is the index one past the last node inside, so that children of an array
 * are walked by jumping from end to end. From the index of a node alone its line and its path from the root
 * (`environments[2].transitions[7]`) can be told, which is what every message about a user's file needs.
 */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include "io/file.h"

typedef enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json_node {
    unsigned kind : 3;
    unsigned line : 29; /* from 1 */
    uint32_t end;       /* one past the last descendant; the node's own index + 1 for a leaf */
    union {
        double number;
        uint32_t text; /* JSON_STRING: where it starts in json.text, ended by a zero byte */
        uint32_t count; /* JSON_ARRAY: elements; JSON_OBJECT: fields, each a JSON_STRING node and the value behind it */
    } u;
} json_node;

typedef struct json {
    char *name;      /* of the file, for messages; owned */
    char *text;      /* owned; strings are decoded in place */
    json_node *node; /* [count]; 0 is the root */
    size_t count, capacity;
} json;

/* Reads a file (plain or gzip). Start from {0}; json_free whatever the outcome. Errors: "NAME:LINE: ...". */
vouch_status json_read(json *doc, const char *path, vouch_error *error);
/* The same from memory: takes over text (from mem_alloc, length bytes and a zero byte behind them). */
vouch_status json_parse(json *doc, const char *name, char *text, size_t length, vouch_error *error);
void json_free(json *doc);

json_kind json_kind_of(const json *doc, uint32_t at);
double json_number(const json *doc, uint32_t at);      /* of a JSON_NUMBER */
const char *json_string(const json *doc, uint32_t at); /* of a JSON_STRING */
uint32_t json_count(const json *doc, uint32_t at);     /* of a JSON_ARRAY or JSON_OBJECT */
uint32_t json_end(const json *doc, uint32_t at);
/* Children of a container: for (c = at + 1; c < json_end(doc, at); c = json_end(doc, c)). */

/* "FILE:LINE: path.inside[3]: text" as an ERROR_INPUT. The node is the place complained of. */
vouch_status json_fail(const json *doc, uint32_t at, vouch_error *error, const char *format, ...) VOUCH_PRINTF(4, 5);

/* A field of an object. `kinds`: bits 1 << json_kind that are accepted; JSON_BOOL for either truth value. */
enum { JSON_BOOL = 1 << JSON_TRUE | 1 << JSON_FALSE };
typedef struct json_field {
    const char *name;
    unsigned kinds;
    bool required;
} json_field;

/* Finds the fields of an object: value[i] is the node of field[i]'s value, 0 where an optional one is absent. Requires
 * a node of any kind; an error when it is no object, has a field twice, one not in the list, or of another
 * kind, or lacks a required one. */
vouch_status json_fields(const json *doc, uint32_t at, const json_field *field, size_t fields, uint32_t *value, vouch_error *error);
/* A whole number in [least, most]. */
vouch_status json_int(const json *doc, uint32_t at, int least, int most, int *value, vouch_error *error);
/* Is the node of one of the kinds? An error that says what was expected if not. */
vouch_status json_expect(const json *doc, uint32_t at, unsigned kinds, vouch_error *error);

/* Writing: a quoted string; a number by %.17g, null when it is not finite. */
void json_add_string(text *t, const char *value);
void json_add_number(text *t, double value);

#endif
