/* io/prism_rename.c - `module b = a [x=y, ..] endmodule`: the module a with names replaced, and formulas expanded before that.
 *
 * What a declares is copied, but its expressions, most of a file, are not: an expression of b is OP_RENAMED of that of a, and names
 * are looked up in the module's renamings when it is evaluated (prism_eval.c). A renamed module may be renamed again.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/prism_read.h"

static int renamed(const prism *p, const prism_module *m, int name)
{
    for (int i = m->rename; i < m->rename + m->renames; i++)
        if (p->renaming[i].old == name) return p->renaming[i].new;
    return name;
}

/* *expr as the module has it. -1 and numbers stay. */
static vouch_status share(prism *p, int module, int *expr)
{
    if (*expr < 0) return VOUCH_OK;
    prism_expr e = p->expr[*expr];
    if (e.op == OP_INT || e.op == OP_REAL || e.op == OP_BOOL) return VOUCH_OK;
    return prism_add_expr(
        p, (prism_expr){.op = OP_RENAMED, .a = *expr, .b = -1, .c = -1, .line = e.line, .column = e.column, .u.whole = module},
        expr);
}

static vouch_status copy_variable(prism *p, prism_variable v, int module)
{
    v.name = renamed(p, &p->module[module], v.name);
    v.module = module;
    vouch_status status = share(p, module, &v.low);
    if (!status) status = share(p, module, &v.high);
    if (!status) status = share(p, module, &v.init);
    return status ? status : PRISM_PUSH(p, variable, v);
}

static vouch_status copy_update(prism *p, prism_update u, int module)
{
    const int first = u.first;
    vouch_status status = share(p, module, &u.probability);
    u.first = (int)p->assignment_count;
    for (int i = first; i < first + u.count && !status; i++) {
        prism_assignment a = p->assignment[i];
        a.variable = renamed(p, &p->module[module], a.variable);
        status = share(p, module, &a.expr);
        if (!status) status = PRISM_PUSH(p, assignment, a);
    }
    return status ? status : PRISM_PUSH(p, update, u);
}

static vouch_status copy_command(prism *p, prism_command c, int module)
{
    const int first = c.first;
    c.module = module;
    if (c.label >= 0) c.label = renamed(p, &p->module[module], c.label);
    vouch_status status = share(p, module, &c.guard);
    c.first = (int)p->update_count;
    for (int i = first; i < first + c.count && !status; i++) status = copy_update(p, p->update[i], module);
    return status ? status : PRISM_PUSH(p, command, c);
}

vouch_status prism_copy_module(prism *p, int source, int module)
{
    vouch_status status = VOUCH_OK;
    const prism_module from = p->module[source];
    size_t variables = p->variable_count;
    for (size_t i = 0; i < variables && !status; i++)
        if (p->variable[i].module == source) status = copy_variable(p, p->variable[i], module);
    p->module[module].first = (int)p->command_count;
    p->module[module].count = from.count;
    for (int i = from.first; i < from.first + from.count && !status; i++) status = copy_command(p, p->command[i], module);
    return status;
}

static int order(prism_meaning a, prism_meaning b)
{
    return a.op != b.op ? (a.op > b.op) - (a.op < b.op) : (a.index > b.index) - (a.index < b.index);
}

static int by_meaning(const void *a, const void *b)
{
    return order(((const prism_renaming *)a)->from, ((const prism_renaming *)b)->from);
}

vouch_status prism_bind_renamings(prism *p, const prism_meaning meaning[])
{
    for (size_t i = 0; i < p->renaming_count; i++) {
        prism_renaming *r = &p->renaming[i];
        r->from = meaning[r->old];
        r->to = meaning[r->new];
        if (r->from.op != OP_ID && r->to.op == OP_ID)
            return prism_fail(p, r->line, r->column, "there is no constant, variable or formula \"%.100s\"", prism_name(p, r->new));
    }
    for (size_t m = 0; m < p->module_count; m++) {
        prism_renaming *own = p->renaming + p->module[m].rename;
        int count = p->module[m].renames;
        if (count > 0) qsort(own, (size_t)count, sizeof *own, by_meaning);
        for (int i = 1; i < count; i++)
            if (own[i].from.op != OP_ID && by_meaning(&own[i - 1], &own[i]) == 0)
                return prism_fail(p, own[i].line, own[i].column, "the name \"%.100s\" is replaced twice",
                                  prism_name(p, own[i].old));
    }
    return VOUCH_OK;
}

static const prism_renaming *find(const prism *p, const prism_module *m, prism_meaning what)
{
    const prism_renaming key = {.from = what};
    return m->renames > 0 ? bsearch(&key, p->renaming + m->rename, (size_t)m->renames, sizeof key, by_meaning) : NULL;
}

const prism_under *prism_meant(const prism *p, const prism_under *under, prism_meaning *what)
{
    for (const prism_under *u = under; u; u = u->outer) {
        const prism_renaming *r = find(p, u->module, *what);
        if (!r) continue;
        *what = r->to;
        under = u->outer;
    }
    return under;
}
