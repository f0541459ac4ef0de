/* io/prism_constant.c - constants, and the holes of PAYNT's sketches, each with its two bounds NAME_MIN and NAME_MAX; see
 * prism_read.h. */
#include "base/error.h"
#include "base/memory.h"
#include "io/prism_read.h"

static vouch_status read_type(prism_reader *r, prism_type *type)
{
    *type = TYPE_INT;
    if (at_word(r, "double") || at_word(r, "rate") || at_word(r, "prob"))
        *type = TYPE_REAL;
    else if (at_word(r, "bool"))
        *type = TYPE_BOOL;
    else if (!at_word(r, "int"))
        return VOUCH_OK; /* none is given */
    step(r);
    return VOUCH_OK;
}

static vouch_status add_constant(prism_reader *r, const prism_token *t, int name, prism_type type, prism_constant **constant)
{
    int at = PRISM_ADD(r->p, constant);
    if (at < 0) return error_memory(r->p->error);
    *constant = &r->p->constant[at];
    **constant = (prism_constant){.name = name, .type = type, .expr = -1, .bound_of = -1, .low = -1, .high = -1};
    (*constant)->line = t->line;
    (*constant)->column = t->column;
    return VOUCH_OK;
}

vouch_status prism_read_constant(prism_reader *r)
{
    prism_type type;
    prism_constant *c;
    int name, expr = -1;
    step(r);
    vouch_status status = read_type(r, &type);
    const prism_token t = *here(r);
    if (!status) status = prism_take_name(r, "the name of a constant", &name);
    if (!status && at_char(r, '=')) {
        step(r);
        status = prism_read_expr(r, &expr);
    }
    if (!status) status = prism_take_char(r, ';');
    if (!status) status = add_constant(r, &t, name, type, &c);
    if (!status) c->expr = expr;
    return status;
}

static vouch_status add_hole_value(prism_reader *r)
{
    int expr;
    vouch_status status = prism_read_expr(r, &expr);
    return status ? status : PRISM_PUSH(r->p, hole_value, expr);
}

static vouch_status add_hole_bound(prism_reader *r, const prism_token *t, int hole, const char *ending, int is_max)
{
    prism *p = r->p;
    char word[256];
    const char *name = prism_name(p, p->constant[hole].name);
    size_t n = strlen(name);
    if (n > sizeof word - 8) return prism_fail(p, t->line, t->column, "the name is too long");
    memcpy(word, name, n);
    memcpy(word + n, ending, strlen(ending) + 1);
    int full = prism_intern(p, word, n + strlen(ending));
    prism_constant *c = NULL;
    vouch_status status = full < 0 ? error_memory(p->error) : add_constant(r, t, full, p->constant[hole].type, &c);
    if (status) return status;
    c->bound_of = hole;
    c->is_max = is_max;
    return VOUCH_OK;
}

/* hole int NAME in { 1, 2, 3 };   hole int NAME in { lo .. hi : step }; */
vouch_status prism_read_hole(prism_reader *r)
{
    prism *p = r->p;
    prism_type type;
    prism_constant *c;
    int name, first = (int)p->hole_value_count, count = 1;
    step(r);
    vouch_status status = read_type(r, &type);
    const prism_token t = *here(r);
    if (!status) status = prism_take_name(r, "the name of a hole", &name);
    if (!status) status = prism_take_word(r, "in");
    if (!status) status = prism_take_char(r, '{');
    if (!status) status = add_hole_value(r);
    if (!status && here(r)->symbol == SYM_DOTS) {
        step(r);
        count = -1;
        status = add_hole_value(r);
        if (!status && at_char(r, ':')) {
            step(r);
            status = add_hole_value(r);
        } else if (!status) {
            status = PRISM_PUSH(p, hole_value, -1);
        }
    }
    for (; !status && count > 0 && at_char(r, ','); count++) {
        step(r);
        status = add_hole_value(r);
    }
    if (!status) status = prism_take_char(r, '}');
    if (!status) status = prism_take_char(r, ';');
    if (!status) status = add_constant(r, &t, name, type, &c);
    if (status) return status;
    c->hole = true;
    c->first = first;
    c->count = count;
    int hole = (int)p->constant_count - 1;
    status = add_hole_bound(r, &t, hole, "_MIN", 0);
    return status ? status : add_hole_bound(r, &t, hole, "_MAX", 1);
}
