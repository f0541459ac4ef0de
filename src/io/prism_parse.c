/* io/prism_parse.c - the declarations of PRISM models and sketches, by recursive descent; see prism.h.
 *
 * `module b = a [x=y] endmodule`: see prism_rename.c.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/prism_read.h"

static vouch_status read_formula(prism_reader *r)
{
    const prism_token t = *ahead(r, 1);
    int name, expr;
    step(r);
    vouch_status status = prism_take_name(r, "the name of a formula", &name);
    if (!status) status = prism_take_char(r, '=');
    if (!status) status = prism_read_expr(r, &expr);
    if (!status) status = prism_take_char(r, ';');
    return status ? status : PRISM_PUSH(r->p, formula, (prism_named){name, expr, t.line, t.column});
}

static vouch_status read_label(prism_reader *r)
{
    step(r);
    const prism_token t = *here(r);
    int expr;
    vouch_status status = prism_take_symbol(r, SYM_STRING, "the name of a label in quotation marks");
    if (!status) status = prism_take_char(r, '=');
    if (!status) status = prism_read_expr(r, &expr);
    if (!status) status = prism_take_char(r, ';');
    if (status) return status;
    if (r->label_known[t.name])
        return prism_fail(r->p, t.line, t.column, "the label \"%.100s\" is declared twice", prism_name(r->p, t.name));
    r->label_known[t.name] = true;
    return PRISM_PUSH(r->p, label, (prism_named){t.name, expr, t.line, t.column});
}

/* x : [0..3] init 1;   b : bool;   n : int; */
static vouch_status read_variable(prism_reader *r, int module)
{
    const prism_token t = *here(r);
    prism_variable v = {.module = module, .type = TYPE_INT, .low = -1, .high = -1, .init = -1, .line = t.line, .column = t.column};
    vouch_status status = prism_take_name(r, "the name of a variable", &v.name);
    if (!status) status = prism_take_char(r, ':');
    if (!status && at_char(r, '[')) {
        step(r);
        status = prism_read_expr(r, &v.low);
        if (!status) status = prism_take_symbol(r, SYM_DOTS, "\"..\"");
        if (!status) status = prism_read_expr(r, &v.high);
        if (!status) status = prism_take_char(r, ']');
    } else if (!status && (at_word(r, "bool") || at_word(r, "int"))) {
        v.type = at_word(r, "bool") ? TYPE_BOOL : TYPE_INT;
        step(r);
    } else if (!status) {
        status = prism_unexpected(r, "a range [low..high], bool or int");
    }
    if (!status && at_word(r, "init")) {
        step(r);
        status = prism_read_expr(r, &v.init);
    }
    if (!status) status = prism_take_char(r, ';');
    return status ? status : PRISM_PUSH(r->p, variable, v);
}

static vouch_status read_assignments(prism_reader *r, prism_update *u)
{
    prism *p = r->p;
    u->first = (int)p->assignment_count;
    u->count = 0;
    if (at_word(r, "true")) {
        step(r);
        return VOUCH_OK;
    }
    for (;;) {
        prism_assignment a = {.when = -1};
        vouch_status status = prism_take_char(r, '(');
        a.line = here(r)->line;
        a.column = here(r)->column;
        if (!status) status = prism_take_name(r, "the name of a variable", &a.variable);
        if (!status) status = prism_take_char(r, '\'');
        if (!status) status = prism_take_char(r, '=');
        if (!status) status = prism_read_expr(r, &a.expr);
        if (!status) status = prism_take_char(r, ')');
        if (!status) status = PRISM_PUSH(p, assignment, a);
        if (status) return status;
        u->count++;
        if (!at_char(r, '&')) return VOUCH_OK;
        step(r);
    }
}

/* An update without a probability begins with (x'=  or is `true` alone. */
static bool at_bare_update(const prism_reader *r)
{
    if (at_word(r, "true")) return !token_is(ahead(r, 1), ':');
    return at_char(r, '(') && ahead(r, 1)->symbol == SYM_NAME && token_is(ahead(r, 2), '\'');
}

static vouch_status read_command(prism_reader *r, int module)
{
    prism *p = r->p;
    prism_command c = {
        .module = module, .label = -1, .line = here(r)->line, .column = here(r)->column, .first = (int)p->update_count};
    vouch_status status = prism_take_char(r, '[');
    if (!status && !at_char(r, ']')) status = prism_take_name(r, "the name of an action", &c.label);
    if (!status) status = prism_take_char(r, ']');
    if (!status) status = prism_read_expr(r, &c.guard);
    if (!status) status = prism_take_symbol(r, SYM_ARROW, "\"->\"");
    for (bool more = true; more && !status; c.count++) {
        prism_update u = {.probability = -1};
        bool bare = at_bare_update(r);
        if (!bare && at_char(r, '['))
            return prism_fail(
                p, here(r)->line, here(r)->column,
                "probabilities that are intervals are not supported; an open constant gives each environment its own");
        if (!bare) {
            status = prism_read_expr(r, &u.probability);
            if (!status) status = prism_take_char(r, ':');
        }
        if (!status) status = read_assignments(r, &u);
        if (!status) status = PRISM_PUSH(p, update, u);
        more = !status && !bare && at_char(r, '+');
        if (more) step(r);
    }
    if (!status) status = prism_take_char(r, ';');
    return status ? status : PRISM_PUSH(p, command, c);
}

static vouch_status read_module_body(prism_reader *r, int module)
{
    prism *p = r->p;
    vouch_status status = VOUCH_OK;
    p->module[module].first = (int)p->command_count;
    while (!status && !at_word(r, "endmodule")) {
        if (at_char(r, '['))
            status = read_command(r, module);
        else if (at_word(r, "invariant"))
            status = prism_fail(p, here(r)->line, here(r)->column, "invariants are not supported: they belong to timed models");
        else if (token_is(ahead(r, 1), ':'))
            status = read_variable(r, module);
        else
            status = prism_unexpected(r, "a variable, a command or endmodule");
    }
    p->module[module].count = (int)p->command_count - p->module[module].first;
    if (!status) step(r);
    return status;
}

/* [x=y, ..] */
static vouch_status read_renamings(prism_reader *r, prism_module *m)
{
    vouch_status status = prism_take_char(r, '[');
    m->rename = (int)r->p->renaming_count;
    for (bool more = !status; more; m->renames++) {
        prism_renaming one = {.line = here(r)->line, .column = here(r)->column};
        status = prism_take_name(r, "the name to replace", &one.old);
        if (!status) status = prism_take_char(r, '=');
        if (!status) status = prism_take_name(r, "the name to put in its place", &one.new);
        if (!status) status = PRISM_PUSH(r->p, renaming, one);
        more = !status && at_char(r, ',');
        if (more) step(r);
    }
    return status ? status : prism_take_char(r, ']');
}

static vouch_status read_module(prism_reader *r)
{
    prism *p = r->p;
    step(r);
    const prism_token t = *here(r);
    int name, from_name;
    vouch_status status = prism_take_name(r, "the name of a module", &name);
    if (status) return status;
    if (r->module_at[name] >= 0)
        return prism_fail(p, t.line, t.column, "the module \"%.100s\" is declared twice", prism_name(p, name));
    int module = PRISM_ADD(p, module);
    if (module < 0) return error_memory(p->error);
    r->module_at[name] = module;
    prism_module m = {.name = name, .line = t.line, .column = t.column};
    p->module[module] = m;
    if (!at_char(r, '=')) return read_module_body(r, module);
    step(r);
    const prism_token from = *here(r);
    status = prism_take_name(r, "the name of a module", &from_name);
    if (!status) status = read_renamings(r, &m);
    if (!status) status = prism_take_word(r, "endmodule");
    if (status) return status;
    p->module[module] = m;
    int source = r->module_at[from_name];
    if (source < 0 || source == module)
        return prism_fail(p, from.line, from.column, "there is no module \"%.100s\" above that could be renamed",
                          prism_name(p, from_name));
    return prism_copy_module(p, source, module);
}

static vouch_status read_rewards(prism_reader *r)
{
    prism *p = r->p;
    prism_rewards rewards = {.name = -1, .first = (int)p->item_count};
    step(r);
    if (here(r)->symbol == SYM_STRING) {
        rewards.name = here(r)->name;
        step(r);
    }
    vouch_status status = VOUCH_OK;
    while (!status && !at_word(r, "endrewards")) {
        prism_item item = {.label = -1, .transition = at_char(r, '['), .command = -1, .update = -1};
        if (item.transition) {
            step(r);
            if (!at_char(r, ']')) status = prism_take_name(r, "the name of an action", &item.label);
            if (!status) status = prism_take_char(r, ']');
        }
        if (!status) status = prism_read_expr(r, &item.guard);
        if (!status) status = prism_take_char(r, ':');
        if (!status) status = prism_read_expr(r, &item.value);
        if (!status) status = prism_take_char(r, ';');
        if (!status) status = PRISM_PUSH(p, item, item);
    }
    if (status) return status;
    step(r);
    rewards.count = (int)p->item_count - rewards.first;
    return PRISM_PUSH(p, rewards, rewards);
}

static vouch_status read_init(prism_reader *r)
{
    step(r);
    vouch_status status = r->p->init >= 0 ? prism_fail(r->p, here(r)->line, here(r)->column, "a second init .. endinit")
                                          : prism_read_expr(r, &r->p->init);
    return status ? status : prism_take_word(r, "endinit");
}

static vouch_status refuse(const prism_reader *r, const char *what)
{
    return prism_fail(r->p, here(r)->line, here(r)->column, "\"%s\" is not supported: %s", prism_name(r->p, here(r)->name), what);
}

/* system .. endsystem may stand before the modules that it names: prism_read_system reads it when all are known. */
static vouch_status pass_system(prism_reader *r)
{
    if (r->system_at) return refuse(r, "there is one already");
    step(r);
    r->system_at = r->at;
    while (!at_word(r, "endsystem") && here(r)->symbol != SYM_END) step(r);
    return prism_take_word(r, "endsystem");
}

static vouch_status read_declaration(prism_reader *r)
{
    static const char *const other_models[][2] = {{"ctmc", "a continuous-time Markov chain"},
                                                  {"stochastic", "a continuous-time Markov chain"},
                                                  {"pta", "a probabilistic timed automaton"},
                                                  {"popta", "a partially observable timed automaton"},
                                                  {"pomdp", "a POMDP, whose hidden part may move"},
                                                  {"smg", "a stochastic game, of PRISM-games"},
                                                  {"csg", "a concurrent game, of PRISM-games"},
                                                  {"tsg", "a turn-based game, of PRISM-games"},
                                                  {"ma", "a Markov automaton"},
                                                  {"imdp", "an interval MDP"},
                                                  {"idtmc", "an interval Markov chain"}};
    bool chain = at_word(r, "dtmc") || at_word(r, "probabilistic");
    if (chain || at_word(r, "mdp") || at_word(r, "nondeterministic")) {
        r->p->dtmc = chain;
        step(r);
        return VOUCH_OK;
    }
    if (at_word(r, "const")) return prism_read_constant(r);
    if (at_word(r, "hole")) return prism_read_hole(r);
    if (at_word(r, "formula")) return read_formula(r);
    if (at_word(r, "label")) return read_label(r);
    if (at_word(r, "module")) return read_module(r);
    if (at_word(r, "rewards")) return read_rewards(r);
    if (at_word(r, "init")) return read_init(r);
    if (at_word(r, "global")) {
        step(r);
        return read_variable(r, -1);
    }
    for (size_t i = 0; i < sizeof other_models / sizeof *other_models; i++)
        if (at_word(r, other_models[i][0])) {
            char what[128];
            format_text(what, sizeof what, "%s; vouch plans for models of type mdp and dtmc", other_models[i][1]);
            return refuse(r, what);
        }
    if (at_word(r, "system")) return pass_system(r);
    if (at_word(r, "observables") || at_word(r, "observable")) return refuse(r, "states are observed in full");
    return prism_unexpected(r, "mdp, const, hole, formula, label, global, module, rewards or init");
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

vouch_status prism_parse(prism *p, const char *content, size_t length)
{
    prism_reader r = {.p = p};
    p->init = -1;
    vouch_status status = prism_lex(p, content, length);
    if (!status && p->token_count == 1) status = prism_fail(p, 1, 1, "the file is empty; expected a PRISM model");
    size_t known = (size_t)p->names.count;
    r.module_at = MEM_NEW(int, known);
    r.label_known = MEM_ZERO(bool, known);
    if (!status && (!r.module_at || !r.label_known)) status = error_memory(p->error);
    for (size_t i = 0; i < known && !status; i++) r.module_at[i] = -1;
    while (!status && here(&r)->symbol != SYM_END) status = read_declaration(&r);
    if (!status && p->module_count == 0) status = prism_fail(p, here(&r)->line, here(&r)->column, "there is no module");
    if (!status) status = prism_bind(p, 0, 0);
    if (!status) status = prism_check_owners(p);
    if (!status) status = r.system_at ? prism_read_system(&r) : prism_make_syncs(p);
    mem_free(r.module_at);
    mem_free(r.label_known);
    return status;
}

vouch_status prism_parse_extra(prism *p, const char *option, const char *content, int *expr)
{
    size_t first_expr = p->expr_count;
    prism_reader r = {.p = p, .at = p->token_count};
    vouch_status status = PRISM_PUSH(p, extra, (prism_extra){option, content});
    if (!status) status = prism_lex(p, content, strlen(content));
    if (!status) status = prism_read_expr(&r, expr);
    if (!status && here(&r)->symbol != SYM_END)
        status = prism_unexpected(&r, at_char(&r, ':') ? "at, by, stay or avoid before \":\", or the end of the expression"
                                                       : "the end of the expression");
    return status ? status : prism_bind(p, first_expr, p->assignment_count);
}

void prism_free(prism *p)
{
    names_free(&p->names);
    mem_free(p->token);
    mem_free(p->expr);
    mem_free(p->constant);
    mem_free(p->hole_value);
    mem_free(p->variable);
    mem_free(p->formula);
    mem_free(p->label);
    mem_free(p->module);
    mem_free(p->renaming);
    mem_free(p->command);
    mem_free(p->update);
    mem_free(p->assignment);
    mem_free(p->element);
    mem_free(p->rewards);
    mem_free(p->item);
    mem_free(p->extra);
    mem_free(p->partner);
    mem_free(p->partaking);
    mem_free(p->sync);
    if (p->json) js_free(p->json);
    mem_free(p->json);
    *p = (prism){0};
}
