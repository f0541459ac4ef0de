/* io/jani_property.c - what the properties of a JANI file are about, as labels with their names; see jani_read.h.
 *
 * Of "how likely, or in how many steps, is F x, true U x, G x" that is x. Other properties, and those that cannot be read, name
 * nothing.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/jani_read.h"

enum { NEST_CAP = 20 };

/* The value of a field of an object; 0: none. */
static uint32_t value_of(const jani_reader *r, uint32_t node, const char *name)
{
    if (node == 0 || js_kind_of(r->doc, node) != JS_OBJECT) return 0;
    for (uint32_t c = node + 1; c < js_end(r->doc, node); c = js_end(r->doc, c + 1))
        if (strcmp(js_string(r->doc, c), name) == 0) return c + 1;
    return 0;
}

static bool is_word(const jani_reader *r, uint32_t node, const char *list)
{
    if (node == 0 || js_kind_of(r->doc, node) != JS_STRING) return false;
    const char *word = js_string(r->doc, node), *at = strstr(list, word);
    return at && *word && !strchr(word, ' ') && (at == list || at[-1] == ' ') && strchr(" ", at[strlen(word)]);
}

/* The expression of states that a path property leads to; 0: none. */
static uint32_t target_of(const jani_reader *r, uint32_t path)
{
    uint32_t op = value_of(r, path, "op"), left = value_of(r, path, "left");
    if (is_word(r, op, "F G")) return value_of(r, path, "exp");
    if (is_word(r, op, "U") && left && js_kind_of(r->doc, left) == JS_TRUE) return value_of(r, path, "right");
    return 0;
}

static uint32_t states_of(const jani_reader *r, uint32_t expression)
{
    for (int i = 0; i < NEST_CAP && expression; i++) {
        uint32_t op = value_of(r, expression, "op");
        if (is_word(r, op, "filter"))
            expression = value_of(r, expression, "values");
        else if (is_word(r, op, "Pmin Pmax"))
            return target_of(r, value_of(r, expression, "exp"));
        else if (is_word(r, op, "Emin Emax"))
            return value_of(r, expression, "reach");
        else if (is_word(r, op, "≥ ≤ < > ="))
            expression = value_of(r, expression, "left");
        else
            return 0;
    }
    return 0;
}

vouch_status jani_properties(jani_reader *r, uint32_t list)
{
    prism *p = r->p;
    for (uint32_t c = list + 1; list && c < js_end(r->doc, list); c = jani_next(r, c)) {
        uint32_t name = value_of(r, c, "name"), states = states_of(r, value_of(r, c, "expression"));
        if (!name || js_kind_of(r->doc, name) != JS_STRING || !states) continue;
        const char *word = js_string(r->doc, name);
        if (!*word || prism_find_label(p, word) >= 0) continue;
        vouch_error none;
        vouch_error *error = r->error;
        int expr, number = jani_name(r, word);
        if (number < 0) return error_memory(r->error);
        r->error = &none;
        vouch_status status = jani_expr(r, states, &expr);
        r->error = error;
        if (status == VOUCH_ERROR_INPUT) continue;
        if (status) return error_memory(r->error);
        status = PRISM_PUSH(p, label, (prism_named){number, expr, (int)r->doc->node[name].line, (int)name});
        if (status) return status;
    }
    return VOUCH_OK;
}
