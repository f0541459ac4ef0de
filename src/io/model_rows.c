/* io/model_rows.c - see model_rows.h.
 *
 * A large model is rows and little else, and a node for each of their values would take more memory than the text. So they are
 * read from the text, which says nothing about where in it one is; whatever is not as it has to be is left to the tree.
 */
#include "io/model_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mdp/model.h"

/* `before`: the row that was read before, most often of the same pair, or of the one that was numbered before. */
static vouch_status number_cell(rows_source *in, const json_row *before, json_row *r)
{
    if (before && before->state == r->state && before->action == r->action) {
        r->cell = before->cell;
        return VOUCH_OK;
    }
    const uint64_t key = (uint64_t)(unsigned)r->state << 32 | (unsigned)r->action;
    r->cell = before ? before->cell + 1 : 0;
    if (r->cell < in->cells.count && *intern_key(&in->cells, r->cell) == key) return VOUCH_OK;
    r->cell = intern_add(&in->cells, &key, NULL);
    return r->cell < 0 ? error_memory(in->error) : VOUCH_OK;
}

/* ---- from the text -------------------------------------------------------------------------------------------- */

static const char *behind_blanks(const char *c)
{
    while (*c == ' ' || *c == '\n' || *c == '\t' || *c == '\r') c++;
    return c;
}

static bool take(const char **at, char wanted)
{
    const char *c = behind_blanks(*at);
    if (*c != wanted) return false;
    *at = c + 1;
    return true;
}

/* likely: the number of the row before; negative: there is none. */
static bool take_name(const char **at, const names *table, int likely, int *number)
{
    if (!take(at, '"')) return false;
    const char *name = *at, *same = likely >= 0 ? names_text(table, likely) : "", *c = name;
    while (*same && *c == *same) c++, same++;
    *number = likely;
    if (likely < 0 || *same || *c != '"') {
        while (*c && *c != '"') c++;
        if (!*c) return false; /* a zero byte in a name */
        *number = names_find_bytes(table, name, (size_t)(c - name));
    }
    *at = c + 1;
    return *number >= 0;
}

static bool take_number(const char **at, double *value)
{
    const char *c = behind_blanks(*at), *end = js_number_end(c);
    if (end) *value = js_decimal(c, end);
    *at = end;
    return end != NULL;
}

static bool take_row(const rows_source *in, const char **at, bool reward, const json_row *before, json_row *r)
{
    *r = (json_row){.next = -1};
    if (!take(at, '[') || !take_name(at, &in->states, before ? before->state : -1, &r->state) || !take(at, ',') ||
        !take_name(at, &in->actions, before ? before->action : -1, &r->action) || !take(at, ','))
        return false;
    bool next = !reward || *behind_blanks(*at) == '"';
    if (next && (!take_name(at, &in->states, -1, &r->next) || !take(at, ','))) return false;
    if (!take_number(at, &r->value) || !take(at, ']')) return false;
    return reward ? fabs(r->value) <= MODEL_REWARD_MOST : r->value >= 0 && r->value <= 1;
}

static vouch_status read_skimmed(rows_source *in, uint32_t at, bool reward, json_rows *list)
{
    uint32_t count;
    const char *c = js_rows(in->doc, at, &count) + 1;
    list->row = MEM_NEW(json_row, count);
    if (!list->row) return error_memory(in->error);
    bool good = count > 0;
    while (list->count < count && good) {
        json_row *r = &list->row[list->count], *before = list->count ? r - 1 : NULL;
        good = (!before || take(&c, ',')) && take_row(in, &c, reward, before, r);
        if (good && number_cell(in, before, r)) return VOUCH_ERROR_MEMORY;
        list->count += good;
    }
    return good && take(&c, ']') ? VOUCH_OK : error_set(in->error, VOUCH_ERROR_INPUT, "%s: a row is wrong", in->doc->name);
}

/* ---- from the tree -------------------------------------------------------------------------------------------- */

vouch_status json_name_find(const rows_source *in, uint32_t at, const names *table, const char *what, int *number)
{
    vouch_status status = js_expect(in->doc, at, 1U << JS_STRING, in->error);
    if (status) return status;
    *number = names_find(table, js_string(in->doc, at));
    return *number >= 0 ? VOUCH_OK : js_fail(in->doc, at, in->error, "there is no %s \"%.100s\"", what, js_string(in->doc, at));
}

vouch_status json_probability(const rows_source *in, uint32_t at, double *value)
{
    vouch_status status = js_expect(in->doc, at, 1U << JS_NUMBER, in->error);
    if (status) return status;
    *value = js_number(in->doc, at);
    return *value >= 0 && *value <= 1
               ? VOUCH_OK
               : js_fail(in->doc, at, in->error, "a probability must lie between 0 and 1, found %.10g", *value);
}

/* before: the row read before; NULL: none. */
static vouch_status read_row(rows_source *in, uint32_t at, bool reward, const json_row *before, json_row *r)
{
    const js_doc *doc = in->doc;
    const char *form =
        reward ? "[state, action, reward] or [state, action, next state, reward]" : "[state, action, next state, probability]";
    if (js_kind_of(doc, at) != JS_ARRAY || js_count(doc, at) > 4 || js_count(doc, at) < (reward ? 3 : 4))
        return js_fail(doc, at, in->error, "expected %s", form);
    *r = (json_row){.node = at, .next = -1};
    uint32_t c = at + 1;
    vouch_status status = json_name_find(in, c, &in->states, "state", &r->state);
    if (!status) status = json_name_find(in, c = js_end(doc, c), &in->actions, "action", &r->action);
    if (!status && js_count(doc, at) == 4) status = json_name_find(in, c = js_end(doc, c), &in->states, "state", &r->next);
    if (!status) status = number_cell(in, before, r);
    if (status) return status;
    c = js_end(doc, c);
    if (!reward) return json_probability(in, c, &r->value);
    status = js_expect(doc, c, 1U << JS_NUMBER, in->error);
    if (status) return status;
    r->value = js_number(doc, c);
    if (!(fabs(r->value) <= MODEL_REWARD_MOST))
        return js_fail(doc, c, in->error,
                       "the reward %g is too large; expected at most %g in size, so that sums of rewards can be represented",
                       r->value, MODEL_REWARD_MOST);
    return VOUCH_OK;
}

static vouch_status read_tree(rows_source *in, uint32_t at, bool reward, json_rows *list)
{
    list->row = MEM_NEW(json_row, js_count(in->doc, at));
    if (!list->row) return error_memory(in->error);
    for (uint32_t c = at + 1; c < js_end(in->doc, at); c = js_end(in->doc, c)) {
        json_row *r = &list->row[list->count++];
        vouch_status status = read_row(in, c, reward, list->count > 1 ? r - 1 : NULL, r);
        if (status) return status;
    }
    return VOUCH_OK;
}

vouch_status json_rows_read(rows_source *in, uint32_t at, bool reward, json_rows *list)
{
    mem_free(list->row);
    *list = (json_rows){0};
    if (!at) return VOUCH_OK;
    return js_kind_of(in->doc, at) == JS_ROWS ? read_skimmed(in, at, reward, list) : read_tree(in, at, reward, list);
}
