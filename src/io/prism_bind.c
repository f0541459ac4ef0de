/* io/prism_bind.c - from names to declarations. A PRISM file may use a name before it is declared, so this is done after all of it
 * has been read. */
#include <stdlib.h>

#include "io/prism.h"

int prism_find_label(const prism *p, const char *name)
{
    for (size_t i = 0; i < p->label_count; i++)
        if (strcmp(prism_name(p, p->label[i].name), name) == 0) return (int)i;
    return -1;
}

bool prism_uses_deadlock(const prism *p)
{
    for (size_t i = 0; i < p->expr_count; i++)
        if (p->expr[i].op == OP_DEADLOCK) return true;
    return false;
}

static void declare(const prism *p, prism_meaning *m, prism_op op, size_t index, const prism_named *n)
{
    if (m[n->name].op != OP_ID) prism_fail(p, n->line, n->column, "the name \"%.100s\" is declared twice", prism_name(p, n->name));
    m[n->name] = (prism_meaning){op, (int)index};
}

static void bind_expr(const prism *p, prism_expr *e, const prism_meaning m[], const int label[])
{
    const char *name = e->op == OP_ID || e->op == OP_LABEL ? prism_name(p, e->a) : "";
    if (e->op == OP_ID) {
        if (m[e->a].op == OP_ID) prism_fail(p, e->line, e->column, "there is no constant, variable or formula \"%.100s\"", name);
        e->op = m[e->a].op;
        e->a = m[e->a].index;
    } else if (e->op == OP_LABEL && (e->b = label[e->a]) < 0) {
        if (strcmp(name, "init") != 0 && strcmp(name, "deadlock") != 0)
            prism_fail(p, e->line, e->column, "there is no label \"%.100s\"", name);
        *e = (prism_expr){
            .op = name[0] == 'i' ? OP_INIT : OP_DEADLOCK, .a = -1, .b = -1, .c = -1, .line = e->line, .column = e->column};
    }
}

static void bind_renamings(prism *p, const prism_meaning meaning[]);

void prism_bind(prism *p, size_t first_expr, size_t first_assignment)
{
    prism_meaning *m = ESCAPE_NEW(p->e, prism_meaning, p->names.count);
    int *label = ESCAPE_NEW(p->e, int, p->names.count); /* of that name; -1: none */
    for (int i = 0; i < p->names.count; i++) {
        m[i] = (prism_meaning){OP_ID, -1};
        label[i] = -1;
    }
    for (size_t i = p->label_count; i-- > 0;) label[p->label[i].name] = (int)i;
    for (size_t i = 0; i < p->constant_count; i++) {
        const prism_constant *c = &p->constant[i];
        declare(p, m, OP_CONST, i, &(prism_named){c->name, -1, c->line, c->column});
    }
    for (size_t i = 0; i < p->variable_count; i++) {
        const prism_variable *v = &p->variable[i];
        declare(p, m, OP_VAR, i, &(prism_named){v->name, -1, v->line, v->column});
    }
    for (size_t i = 0; i < p->formula_count; i++) declare(p, m, OP_FORMULA, i, &p->formula[i]);
    for (size_t i = first_expr; i < p->expr_count; i++) bind_expr(p, &p->expr[i], m, label);
    for (size_t i = first_assignment; i < p->assignment_count; i++) {
        prism_assignment *a = &p->assignment[i];
        if (m[a->variable].op != OP_VAR)
            prism_fail(p, a->line, a->column, "there is no variable \"%.100s\"", prism_name(p, a->variable));
        a->variable = m[a->variable].index;
    }
    bind_renamings(p, m);
}

void prism_check_owners(const prism *p)
{
    for (size_t i = 0; i < p->command_count; i++)
        for (int u = p->command[i].first; u < p->command[i].first + p->command[i].count; u++)
            for (int a = p->update[u].first; a < p->update[u].first + p->update[u].count; a++) {
                const prism_assignment *x = &p->assignment[a];
                const prism_variable *v = &p->variable[x->variable];
                if (v->module >= 0 && v->module != p->command[i].module)
                    prism_fail(p, x->line, x->column, "the variable \"%.100s\" belongs to another module", prism_name(p, v->name));
                for (int b = p->update[u].first; b < a; b++)
                    if (p->assignment[b].variable == x->variable)
                        prism_fail(p, x->line, x->column, "the variable \"%.100s\" is assigned twice", prism_name(p, v->name));
            }
}

/* ---- renamed modules ----------------------------------------------------------------------------------------- */

/* `module b = a [x=y, ..] endmodule`: the module a with names replaced, and formulas expanded before that. The declarations of a
 * are copied, but not its expressions, which are most of a file: an expression of b is OP_RENAMED of the one in a, and names are
 * looked up in the module's renamings when it is evaluated (prism_eval.c). A renamed module may be renamed again. */

static int renamed(const prism *p, const prism_module *m, int name)
{
    for (int i = m->rename; i < m->rename + m->renames; i++)
        if (p->renaming[i].old == name) return p->renaming[i].new;
    return name;
}

/* An expression as the module has it. -1 and numbers stay. */
static int share(prism *p, int module, int expr)
{
    if (expr < 0) return expr;
    prism_expr e = p->expr[expr];
    if (e.op == OP_INT || e.op == OP_REAL || e.op == OP_BOOL) return expr;
    return prism_add_expr(
        p, (prism_expr){.op = OP_RENAMED, .a = expr, .b = -1, .c = -1, .line = e.line, .column = e.column, .u.whole = module});
}

static void copy_variable(prism *p, prism_variable v, int module)
{
    v.name = renamed(p, &p->module[module], v.name);
    v.module = module;
    v.low = share(p, module, v.low);
    v.high = share(p, module, v.high);
    v.init = share(p, module, v.init);
    PUSH(p, variable, v);
}

static void copy_update(prism *p, prism_update u, int module)
{
    const int first = u.first;
    u.probability = share(p, module, u.probability);
    u.first = (int)p->assignment_count;
    for (int i = first; i < first + u.count; i++) {
        prism_assignment a = p->assignment[i];
        a.variable = renamed(p, &p->module[module], a.variable);
        a.expr = share(p, module, a.expr);
        PUSH(p, assignment, a);
    }
    PUSH(p, update, u);
}

static void copy_command(prism *p, prism_command c, int module)
{
    const int first = c.first;
    c.module = module;
    if (c.label >= 0) c.label = renamed(p, &p->module[module], c.label);
    c.guard = share(p, module, c.guard);
    c.first = (int)p->update_count;
    for (int i = first; i < first + c.count; i++) copy_update(p, p->update[i], module);
    PUSH(p, command, c);
}

void prism_copy_module(prism *p, int source, int module)
{
    const prism_module from = p->module[source];
    size_t variables = p->variable_count;
    for (size_t i = 0; i < variables; i++)
        if (p->variable[i].module == source) copy_variable(p, p->variable[i], module);
    p->module[module].first = (int)p->command_count;
    p->module[module].count = from.count;
    for (int i = from.first; i < from.first + from.count; i++) copy_command(p, p->command[i], module);
}

static int order(prism_meaning a, prism_meaning b)
{
    return a.op != b.op ? (a.op > b.op) - (a.op < b.op) : (a.index > b.index) - (a.index < b.index);
}

static int by_meaning(const void *a, const void *b)
{
    return order(((const prism_renaming *)a)->from, ((const prism_renaming *)b)->from);
}

static void bind_renamings(prism *p, const prism_meaning meaning[])
{
    for (size_t i = 0; i < p->renaming_count; i++) {
        prism_renaming *r = &p->renaming[i];
        r->from = meaning[r->old];
        r->to = meaning[r->new];
        if (r->from.op != OP_ID && r->to.op == OP_ID)
            prism_fail(p, r->line, r->column, "there is no constant, variable or formula \"%.100s\"", prism_name(p, r->new));
    }
    for (size_t m = 0; m < p->module_count; m++) {
        prism_renaming *own = p->renaming + p->module[m].rename;
        int count = p->module[m].renames;
        if (count > 0) qsort(own, (size_t)count, sizeof *own, by_meaning);
        for (int i = 1; i < count; i++)
            if (own[i].from.op != OP_ID && by_meaning(&own[i - 1], &own[i]) == 0)
                prism_fail(p, own[i].line, own[i].column, "the name \"%.100s\" is replaced twice", prism_name(p, own[i].old));
    }
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
