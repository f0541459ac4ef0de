/* io/prism_bind.c - from names to what they declare. PRISM lets a file use what it declares later, so this comes after all of it
 * has been read. */
#include "base/error.h"
#include "base/memory.h"
#include "io/prism_read.h"

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

static vouch_status declare(const prism *p, prism_meaning *m, int name, prism_meaning is, int line, int column)
{
    if (m[name].op != OP_ID) return prism_fail(p, line, column, "the name \"%.100s\" is declared twice", prism_name(p, name));
    m[name] = is;
    return VOUCH_OK;
}

/* Binds expressions from `first_expr` on and assignments from `first_assignment` on. */
vouch_status prism_bind(prism *p, size_t first_expr, size_t first_assignment)
{
    vouch_status status = VOUCH_OK;
    prism_meaning *m = MEM_NEW(prism_meaning, p->names.count);
    int *label = MEM_NEW(int, p->names.count); /* of that name; -1: none */
    if (!m || !label) status = error_memory(p->error);
    for (int i = 0; i < p->names.count && !status; i++) {
        m[i] = (prism_meaning){OP_ID, -1};
        label[i] = -1;
    }
    for (size_t i = p->label_count; i-- > 0 && !status;) label[p->label[i].name] = (int)i;
    for (size_t i = 0; i < p->constant_count && !status; i++)
        status = declare(p, m, p->constant[i].name, (prism_meaning){OP_CONST, (int)i}, p->constant[i].line, p->constant[i].column);
    for (size_t i = 0; i < p->variable_count && !status; i++)
        status = declare(p, m, p->variable[i].name, (prism_meaning){OP_VAR, (int)i}, p->variable[i].line, p->variable[i].column);
    for (size_t i = 0; i < p->formula_count && !status; i++)
        status = declare(p, m, p->formula[i].name, (prism_meaning){OP_FORMULA, (int)i}, p->formula[i].line, p->formula[i].column);
    for (size_t i = first_expr; i < p->expr_count && !status; i++) {
        prism_expr *e = &p->expr[i];
        if (e->op == OP_ID) {
            if (m[e->a].op == OP_ID)
                status =
                    prism_fail(p, e->line, e->column, "there is no constant, variable or formula \"%.100s\"", prism_name(p, e->a));
            e->op = m[e->a].op;
            e->a = m[e->a].index;
        } else if (e->op == OP_LABEL) {
            const char *name = prism_name(p, e->a);
            e->b = label[e->a];
            if (e->b >= 0) continue;
            if (strcmp(name, "init") == 0 || strcmp(name, "deadlock") == 0)
                *e = (prism_expr){
                    .op = name[0] == 'i' ? OP_INIT : OP_DEADLOCK, .a = -1, .b = -1, .c = -1, .line = e->line, .column = e->column};
            else
                status = prism_fail(p, e->line, e->column, "there is no label \"%.100s\"", prism_name(p, e->a));
        }
    }
    for (size_t i = first_assignment; i < p->assignment_count && !status; i++) {
        prism_assignment *a = &p->assignment[i];
        if (m[a->variable].op != OP_VAR)
            status = prism_fail(p, a->line, a->column, "there is no variable \"%.100s\"", prism_name(p, a->variable));
        a->variable = m[a->variable].index;
    }
    if (!status) status = prism_bind_renamings(p, m);
    mem_free(m);
    mem_free(label);
    return status;
}

/* A module may change its own variables and global ones. */
vouch_status prism_check_owners(const prism *p)
{
    for (size_t i = 0; i < p->command_count; i++)
        for (int u = p->command[i].first; u < p->command[i].first + p->command[i].count; u++)
            for (int a = p->update[u].first; a < p->update[u].first + p->update[u].count; a++) {
                const prism_assignment *x = &p->assignment[a];
                const prism_variable *v = &p->variable[x->variable];
                if (v->module >= 0 && v->module != p->command[i].module)
                    return prism_fail(p, x->line, x->column, "the variable \"%.100s\" belongs to another module",
                                      prism_name(p, v->name));
                for (int b = p->update[u].first; b < a; b++)
                    if (p->assignment[b].variable == x->variable)
                        return prism_fail(p, x->line, x->column, "the variable \"%.100s\" is assigned twice",
                                          prism_name(p, v->name));
            }
    return VOUCH_OK;
}
