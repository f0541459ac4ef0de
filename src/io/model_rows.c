/* io/model_rows.c - see model_parts.h.
 *
 * A large model is rows and little else, and a node for each of their values would take more memory than the text. So rows are read
 * from the text itself, without positions; after any error the tree is parsed and gives the message.
 */
#include "io/model_parts.h"

#include <math.h>
#include <string.h>

#include "mdp/model.h"

/* `before`: the row that was read before, most often of the same pair, or of the one that was numbered before. */
static void number_cell(rows_source *in, const json_row *before, json_row *r)
{
    if (before && before->state == r->state && before->action == r->action) {
        r->cell = before->cell;
        return;
    }
    const uint64_t key = (uint64_t)(unsigned)r->state << 32 | (unsigned)r->action;
    r->cell = before ? before->cell + 1 : 0;
    if (r->cell < in->cells.count && *intern_key(&in->cells, r->cell) == key) return;
    r->cell = must_count(in->doc->e, intern_add(&in->cells, &key, NULL));
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

static void read_skimmed(rows_source *in, uint32_t at, bool reward, json_rows *list)
{
    uint32_t count;
    const char *c = js_rows(in->doc, at, &count) + 1;
    list->row = ESCAPE_NEW(in->doc->e, json_row, count);
    bool good = count > 0;
    while (list->count < count && good) {
        json_row *r = &list->row[list->count], *before = list->count ? r - 1 : NULL;
        good = (!before || take(&c, ',')) && take_row(in, &c, reward, before, r);
        if (good) number_cell(in, before, r);
        list->count += good;
    }
    if (!good || !take(&c, ']')) escape_fail(in->doc->e, VOUCH_ERROR_INPUT, "%s: a row is wrong", in->doc->name);
}

/* ---- from the tree -------------------------------------------------------------------------------------------- */

int json_name_find(const rows_source *in, uint32_t at, const names *table, const char *what)
{
    js_expect(in->doc, at, 1U << JS_STRING);
    int number = names_find(table, js_string(in->doc, at));
    if (number < 0) js_fail(in->doc, at, "there is no %s \"%.100s\"", what, js_string(in->doc, at));
    return number;
}

double json_probability(const js_doc *doc, uint32_t at)
{
    js_expect(doc, at, 1U << JS_NUMBER);
    double value = js_number(doc, at);
    if (!(value >= 0 && value <= 1)) js_fail(doc, at, "a probability must lie between 0 and 1, found %.10g", value);
    return value;
}

/* before: the row read before; NULL: none. */
static void read_row(rows_source *in, uint32_t at, bool reward, const json_row *before, json_row *r)
{
    const js_doc *doc = in->doc;
    const char *form =
        reward ? "[state, action, reward] or [state, action, next state, reward]" : "[state, action, next state, probability]";
    if (js_kind_of(doc, at) != JS_ARRAY || js_count(doc, at) > 4 || js_count(doc, at) < (reward ? 3 : 4))
        js_fail(doc, at, "expected %s", form);
    *r = (json_row){.node = at, .next = -1};
    uint32_t c = at + 1;
    r->state = json_name_find(in, c, &in->states, "state");
    r->action = json_name_find(in, c = js_end(doc, c), &in->actions, "action");
    if (js_count(doc, at) == 4) r->next = json_name_find(in, c = js_end(doc, c), &in->states, "state");
    number_cell(in, before, r);
    c = js_end(doc, c);
    if (!reward) {
        r->value = json_probability(doc, c);
        return;
    }
    js_expect(doc, c, 1U << JS_NUMBER);
    r->value = js_number(doc, c);
    if (!(fabs(r->value) <= MODEL_REWARD_MOST))
        js_fail(doc, c, "the reward %g is too large; expected at most %g in size, so that sums of rewards can be represented",
                r->value, MODEL_REWARD_MOST);
}

static void read_tree(rows_source *in, uint32_t at, bool reward, json_rows *list)
{
    list->row = ESCAPE_NEW(in->doc->e, json_row, js_count(in->doc, at));
    for (uint32_t c = at + 1; c < js_end(in->doc, at); c = js_end(in->doc, c)) {
        json_row *r = &list->row[list->count++];
        read_row(in, c, reward, list->count > 1 ? r - 1 : NULL, r);
    }
}

void json_rows_read(rows_source *in, uint32_t at, bool reward, json_rows *list)
{
    escape_free(in->doc->e, list->row);
    *list = (json_rows){0};
    if (!at) return;
    if (js_kind_of(in->doc, at) == JS_ROWS)
        read_skimmed(in, at, reward, list);
    else
        read_tree(in, at, reward, list);
}
