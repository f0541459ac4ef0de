/* io/prism_model.c - a PRISM file or sketch as a model: one environment per combination of its open constants.
 *
 * States are the union over the environments of the valuations they reach up to the horizon, named by them. A choice is named by
 * its label; where one environment has several choices of the same label in a state they become a, a#2, .. (without label _1, _2,
 * ..) in the order of the file, counted over the choices of all environments there, so that the same commands have the same name
 * everywhere.
 */
#include <inttypes.h>

#include "io/formats.h"
#include "mdp/model.h"
#include "io/prism.h"

/* ---- options that lack or are wrong: all of it in one message, with values that would work -------------------- */

/* Does an option "A=0:2,B=1,3" give the constant values? */
static bool is_given(const vouch_source *source, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < source->constant_count; i++)
        for (const char *at = source->constants[i]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
            if (strncmp(at, name, n) == 0 && at[n] == '=') return true;
    return false;
}

static bool is_missing(const prism *p, const vouch_source *source, size_t i)
{
    const prism_constant *c = &p->constant[i];
    return c->expr < 0 && c->bound_of < 0 && !c->hole && !is_given(source, prism_name(p, c->name));
}

static const char *some_values(prism_type type) { return type == TYPE_INT ? "1:2" : type == TYPE_REAL ? "0.1,0.2" : "false,true"; }

/* The piece of an option that gives a value to a name that is no open constant; NULL: there is none. */
static const char *unknown_name(const prism *p, const vouch_source *source, size_t *length)
{
    for (size_t i = 0; i < source->constant_count; i++)
        for (const char *at = source->constants[i]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
            size_t n = strcspn(at, "=,"), c = 0;
            if (at[n] != '=') continue;
            while (c < p->constant_count &&
                   (strlen(prism_name(p, p->constant[c].name)) != n || strncmp(prism_name(p, p->constant[c].name), at, n) != 0))
                c++;
            *length = n;
            if (c == p->constant_count) return at;
        }
    return NULL;
}

static _Noreturn void no_constant(const prism *p, const char *given, size_t length)
{
    char name[64];
    text *words = escape_text(p->e);
    format_text(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), given);
    for (size_t i = 0; i < p->constant_count; i++)
        if (p->constant[i].expr < 0 && p->constant[i].bound_of < 0) text_add(words, "%s|", prism_name(p, p->constant[i].name));
    const char *near = words->data && !words->failed ? nearest_word(name, words->data) : NULL;
    escape_fail(p->e, VOUCH_ERROR_INPUT, "--const: %.200s has no open constant \"%s\"%s%s%s", p->file, name,
                near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

void prism_add_example(const prism *p, text *t)
{
    text made = {0};
    const prism_variable *v = p->variable_count ? &p->variable[0] : NULL;
    const prism_expr *low = !v || v->low < 0 ? NULL : &p->expr[v->low];
    if (p->label_count)
        text_add(&made, "%s", prism_name(p, p->label[0].name));
    else if (v && v->type == TYPE_BOOL)
        text_add(&made, "%s", prism_name(p, v->name));
    else if (v)
        text_add(&made, "%s=%" PRId64, prism_name(p, v->name), low && low->op == OP_INT ? low->u.whole : 0);
    text_add_quoted(t, made.data ? made.data : "true");
    t->failed = t->failed || made.failed;
    text_free(&made);
}

/* The horizon and a value of every open constant have to be given. */
static void check_given(const prism *p, const vouch_source *source)
{
    size_t length;
    const char *unknown = unknown_name(p, source, &length);
    if (unknown) no_constant(p, unknown, length);
    text *t = escape_text(p->e), *example = escape_text(p->e);
    bool promised = source->commit || source->commit_count || source->properties, any = source->horizon < 1;
    text_add(t, "%.200s: these options are missing:", p->file);
    for (size_t i = 0; i < p->constant_count; i++) {
        const char *name = prism_name(p, p->constant[i].name);
        if (!is_missing(p, source, i)) continue;
        text_add(t, " --const %s=VALUES,", name);
        text_add(example, " --const ");
        text_add_quoted(example, name);
        text_add(example, "=%s", some_values(p->constant[i].type));
        any = true;
    }
    if (source->horizon < 1) text_add(t, " -T STEPS,");
    if (!promised) text_add(t, p->label_count ? " --commit LABEL," : " --commit STATES,");
    if (!promised) text_add(example, " --commit ");
    if (!promised) prism_add_example(p, example);
    if (source->horizon < 1) text_add(example, " -T 8");
    if (isnan(source->probability) && !promised) text_add(t, " -p PROBABILITY,");
    if (isnan(source->probability) && !promised) text_add(example, " -p 0.9");
    if (t->data && !t->failed) t->data[t->length - 1] = ';';
    text_add(t, " for example%s", example->data ? example->data : "");
    for (size_t i = 1; i < p->label_count && !promised; i++)
        text_add(t, "%s\"%s\"", i == 1 ? "; other labels: " : ", ", prism_name(p, p->label[i].name));
    if (any && (t->failed || example->failed)) escape_memory(p->e);
    if (any) escape_fail(p->e, VOUCH_ERROR_INPUT, "%s", t->data);
}

static _Noreturn void no_reward(const prism *p, const char *given)
{
    text *list = escape_text(p->e);
    for (size_t i = 0; i < p->rewards_count; i++)
        text_add(list, "%s \"%s\"", i ? "," : "; there is", prism_name(p, p->rewards[i].name));
    if (list->failed) escape_memory(p->e);
    escape_fail(p->e, VOUCH_ERROR_INPUT, "%.200s: --reward: there is no reward structure \"%.100s\"%.200s", p->file, given,
                list->data ? list->data : "");
}

static _Noreturn void no_label(const prism *p, const char *option, const char *given)
{
    text *list = escape_text(p->e), *words = escape_text(p->e);
    for (size_t i = 0; i < p->label_count; i++) {
        text_add(list, "%s \"%s\"", i ? "," : " (labels:", prism_name(p, p->label[i].name));
        text_add(words, "%s|", prism_name(p, p->label[i].name));
    }
    if (list->length > 0) text_add(list, ")");
    if (list->failed) escape_memory(p->e);
    const char *near = words->data && !words->failed ? nearest_word(given, words->data) : NULL;
    escape_fail(p->e, VOUCH_ERROR_INPUT,
                "%s: \"%.100s\" is neither a label of %.200s%.200s nor an expression of its constants and variables%s%.100s%s",
                option, given, p->file, list->data ? list->data : "", near ? "; did you mean \"" : "", near ? near : "",
                near ? "\"?" : "");
}

typedef struct prism_builder {
    prism p;
    prism_family constants;
    prism_states x;
    mdp_family f;
    bool jani;
    const file_content *file;
    prism_value **value; /* [K] of [constant_count] */
    prism_reach reach;
    prism_standing *standing; /* [K * S] */
    int *valuation;           /* [variables]: the state of the last call of scope_of */
    int rewards;              /* index, -1: none */
    names structures;         /* of rewards */
    int time_to;              /* expression, -1: none */
    int *wanted, *through;    /* [f.promised.item_count] expressions of the promises */
    prism_starts starts;      /* of --initial */
} prism_builder;

typedef struct states_reading {
    prism *p;
    const char *option, *given;
    int expr;
} states_reading;

static void read_expression(void *object)
{
    states_reading *r = object;
    r->expr = prism_parse_extra(r->p, r->option, r->given);
}

/* A label or an expression. */
static int read_states(prism_builder *m, const char *option, const char *given)
{
    int label = prism_find_label(&m->p, given);
    if (label >= 0) return m->p.label[label].expr;
    if (strcmp(given, "init") == 0) given = "\"init\"";
    if (strcmp(given, "deadlock") == 0) given = "\"deadlock\"";
    states_reading r = {&m->p, option, given, -1};
    vouch_status status = escape_try(m->p.e, read_expression, &r);
    bool word = given[strspn(given, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789")] == '\0';
    if (status == VOUCH_ERROR_INPUT && word) no_label(&m->p, option, given);
    if (status) escape_by(m->p.e, status);
    return r.expr;
}

static void read_options(prism_builder *m)
{
    const vouch_source *source = m->f.source;
    const prism *p = &m->p;
    m->time_to = m->rewards = -1;
    escape_names(m->p.e, &m->structures);
    m->wanted = ESCAPE_NEW(m->p.e, int, m->f.promised.item_count);
    m->through = ESCAPE_NEW(m->p.e, int, m->f.promised.item_count);
    for (size_t j = 0; j < m->f.promised.item_count; j++) {
        const specification *w = &m->f.promised.item[j];
        m->wanted[j] = read_states(m, w->place, w->what);
        if (w->through) m->through[j] = read_states(m, w->place, w->through);
    }
    if (source->initial_count > 0) prism_starts_read(&m->starts, &m->p, source);
    if (source->time_to) m->time_to = read_states(m, "--time-to", source->time_to);
    if (source->reward && source->time_to) escape_fail(m->p.e, VOUCH_ERROR_INPUT, "--reward and --time-to exclude each other");
    if (source->time_to) return;
    if (!source->reward) {
        for (size_t i = 0; i < p->rewards_count; i++)
            must_count(m->p.e, names_add(&m->structures, prism_name(p, p->rewards[i].name)));
        family_check_rewards(m->p.e, p->file, source, &m->structures);
        m->rewards = p->rewards_count == 1 ? 0 : -1;
        return;
    }
    for (size_t i = 0; i < p->rewards_count; i++)
        if (strcmp(prism_name(p, p->rewards[i].name), source->reward) == 0) m->rewards = (int)i;
    if (m->rewards < 0) no_reward(p, source->reward);
}

/* The environments, their states and their choices. */
static void explore(prism_builder *m)
{
    int K = m->f.K;
    prism_states_start(&m->x);
    prism_environment *env = ESCAPE_ZERO(m->p.e, prism_environment, K);
    m->valuation = ESCAPE_NEW(m->p.e, int, m->x.V);
    for (int k = 0; k < K; k++) {
        m->f.env_name[k] = prism_family_name(&m->constants, k);
        m->value[k] = ESCAPE_NEW(m->p.e, prism_value, m->p.constant_count);
        prism_family_constants(&m->constants, k, m->value[k]);
        env[k] = (prism_environment){k, m->f.env_name[k], m->value[k]};
    }
    int horizon = m->f.source->horizon; /* whether a state at the horizon is a deadlock, its choices tell */
    if (horizon < INT_MAX && prism_uses_deadlock(&m->p)) horizon++;
    prism_reach_find(&m->reach, &m->x, K, env, horizon);
}

static void name_states(prism_builder *m)
{
    int K = m->f.K, S = m->f.S = m->x.valuations.count;
    m->f.initial = m->reach.initial < 0 ? 0 : m->reach.initial;
    m->f.reached = ESCAPE_ZERO(m->p.e, bool, (size_t)K *(size_t)S);
    m->f.state_name = ESCAPE_ZERO(m->p.e, char *, S);
    m->f.idle_reward = ESCAPE_ZERO(m->p.e, double, (size_t)K *(size_t)S);
    for (int s = 0; s < S; s++) {
        m->f.state_name[s] = prism_state_name(&m->x, s);
        for (int k = 0; k < K; k++)
            m->f.reached[(size_t)k * (size_t)S + (size_t)s] = prism_reach_has(&m->reach, k, s, PRISM_EXPANDED);
    }
}

/* ---- rewards and commitment ---------------------------------------------------------------------------------- */

static prism_scope scope_of(const prism_builder *m, int k, int s)
{
    prism_valuation(&m->x, s, m->valuation);
    return (prism_scope){.p = &m->p,
                         .constant = m->value[k],
                         .state = m->valuation,
                         .standing = &m->standing[(size_t)k * (size_t)m->f.S + (size_t)s]};
}

static void find_standings(prism_builder *m)
{
    size_t S = (size_t)m->f.S, K = (size_t)m->f.K;
    m->standing = ESCAPE_ZERO(m->p.e, prism_standing, K * S);
    for (size_t i = 0; i < K * S; i++) m->standing[i] = (prism_standing){.initial = false, .deadlock = m->f.reached[i]};
    for (size_t k = 0; k < K; k++)
        for (int i = 0; i < (int)m->reach.begin[k].state_count; i++)
            m->standing[k * S + (size_t)m->reach.begin[k].state[i]].initial = true;
    for (size_t i = 0; i < m->x.choice_count; i++)
        m->standing[(size_t)m->x.choice[i].env * S + (size_t)m->x.choice[i].state].deadlock = false;
}

/* Rewards of the state itself, paid by every step that begins there. */
static double state_reward(const prism_builder *m, int k, int s)
{
    prism_scope scope = scope_of(m, k, s);
    double late = m->f.source->minimise ? 1 : -1, sum = m->time_to >= 0 && !prism_eval_bool(&scope, m->time_to) ? late : 0;
    prism_rewards_add(&m->x, m->rewards, &scope, NULL, &sum);
    return sum;
}

static double choice_reward(const prism_builder *m, const prism_choice *c)
{
    prism_scope scope = scope_of(m, c->env, c->state);
    double sum = m->f.idle_reward[(size_t)c->env * (size_t)m->f.S + (size_t)c->state];
    prism_rewards_add(&m->x, m->rewards, &scope, c, &sum);
    return sum;
}

/* The states of each environment that meet the expression, into set [K * S]. */
static void find_states(prism_builder *m, int expr, bool set[])
{
    for (int s = 0; s < m->f.S; s++) {
        int first = -1;
        size_t S = (size_t)m->f.S, at = (size_t)s;
        for (int k = 0; k < m->f.K; k++) {
            if (!prism_reach_has(&m->reach, k, s, PRISM_REACHED)) continue;
            prism_scope scope = scope_of(m, k, s);
            set[(size_t)k * S + at] = prism_eval_bool(&scope, expr);
            if (first < 0) first = k;
        }
        for (int k = 0; k < m->f.K && first >= 0; k++) /* where an environment never is it has the set of one that is */
            if (!prism_reach_has(&m->reach, k, s, PRISM_REACHED)) set[(size_t)k * S + at] = set[(size_t)first * S + at];
    }
}

static void find_promises(prism_builder *m)
{
    family_make_sets(&m->f);
    for (size_t j = 0; j < m->f.promised.item_count; j++) {
        find_states(m, m->wanted[j], m->f.in[j]);
        if (m->f.through[j]) find_states(m, m->through[j], m->f.through[j]);
    }
}

typedef struct label_search {
    prism_builder *m;
    int expr;
    bool *set; /* [K * S] */
} label_search;

static void search_label(void *object)
{
    label_search *l = object;
    find_states(l->m, l->expr, l->set);
}

/* All labels of the file; one that cannot be evaluated somewhere is none. */
static void find_labels(prism_builder *m)
{
    size_t cells = (size_t)m->f.K * (size_t)m->f.S;
    label_search search = {m, -1, ESCAPE_NEW(m->p.e, bool, cells)};
    for (size_t l = 0; l < m->p.label_count; l++) {
        const char *name = prism_name(&m->p, m->p.label[l].name);
        memset(search.set, 0, cells * sizeof *search.set);
        search.expr = m->p.label[l].expr;
        vouch_status status = escape_try(m->p.e, search_label, &search);
        if (status == VOUCH_ERROR_INPUT) continue;
        if (status) escape_by(m->p.e, status);
        must_count(m->p.e, names_add(&m->f.labels, name));
        for (int i = 0; (size_t)i < cells; i++)
            if (search.set[i]) family_add_label(&m->f, name, i / m->f.S, i % m->f.S);
    }
    escape_free(m->p.e, search.set);
}

/* Several initial states are equally likely unless --initial says otherwise. */
static void find_first(prism_builder *m)
{
    if (m->reach.initial >= 0 && !m->starts.probable) return;
    size_t S = (size_t)m->f.S;
    m->f.first = ESCAPE_ZERO(m->p.e, double, (size_t)m->f.K *S);
    for (int k = 0; k < m->f.K; k++) {
        const prism_initials *b = &m->reach.begin[k];
        double *first = m->f.first + (size_t)k * S;
        for (size_t i = 0; i < b->state_count && !m->starts.probable; i++) first[b->state[i]] = 1.0 / (double)b->state_count;
        for (size_t i = 0; i < m->starts.count && m->starts.probable; i++) {
            prism_scope scope = {.p = &m->p, .constant = m->value[k], .state = m->valuation};
            if (!prism_start_spread(&m->starts.item[i], &m->x, b, &scope, m->valuation, first))
                escape_fail(m->p.e, VOUCH_ERROR_INPUT, "%.200s: --initial: environment %.100s has no initial state %.100s",
                            m->p.file, m->f.env_name[k], m->starts.item[i].words);
        }
    }
}

/* ---- names of choices ---------------------------------------------------------------------------------------- */

static int by_group(const void *x, const void *y)
{
    const prism_choice *a = x, *b = y;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    if (a->combo != b->combo) return a->combo < b->combo ? -1 : 1;
    return (a->env > b->env) - (a->env < b->env);
}

static void add_choice(prism_builder *m, const prism_choice *c, int rank, bool numbered)
{
    text name = {0};
    text_add(&name, "%s", c->label < 0 ? "_" : prism_name(&m->p, c->label));
    if (c->label < 0 || (numbered && rank > 1)) text_add(&name, "%s%d", c->label < 0 ? "" : "#", rank);
    int action = name.failed ? -1 : names_add(&m->f.actions, name.data);
    text_free(&name);
    must_count(m->p.e, action);
    double reward = c->reached ? choice_reward(m, c) : 0;
    for (int i = 0; i < c->count; i++) {
        const prism_outcome *o = &m->x.outcome[c->first + (size_t)i];
        family_add_limits(&m->f, (model_row){c->env, c->state, action, o->next, o->probability, reward, 0}, o->low);
    }
}

/* Choices first .. last-1: one state, one label, by commands and environment. */
static void name_group(prism_builder *m, const prism_choice *list, size_t first, size_t last, int *per_env)
{
    bool numbered = false;
    memset(per_env, 0, (size_t)m->f.K * sizeof *per_env);
    for (size_t i = first; i < last; i++)
        if (list[i].reached && ++per_env[list[i].env] > 1) numbered = true;
    int rank = numbered ? 0 : 1;
    memset(per_env, 0, (size_t)m->f.K * sizeof *per_env);
    for (size_t i = first; i < last; i++) {
        const prism_choice *c = &list[i];
        bool fresh = i == first || list[i - 1].combo != c->combo, anywhere = false;
        if (numbered && fresh) { /* commands enabled only where nobody comes do not count */
            for (size_t j = i; j < last && list[j].combo == c->combo; j++) anywhere = anywhere || list[j].reached;
            if (anywhere)
                rank++;
            else {
                while (i + 1 < last && list[i + 1].combo == c->combo) i++;
                continue;
            }
        }
        if (!c->reached && !numbered && per_env[c->env]++ > 0) continue; /* one of the name is enough where nobody comes */
        add_choice(m, c, rank, numbered);
    }
}

/* In a DTMC the choices of a state are equally likely and make one action, which pays their mean. */
static void join_choices(prism_builder *m, const prism_choice *list, size_t first, size_t last)
{
    int action = family_action(&m->f, "_1");
    for (int k = 0; k < m->f.K; k++) {
        double choices = 0, sum = 0, reward = 0;
        for (size_t i = first; i < last; i++) {
            if (list[i].env != k) continue;
            if (list[i].reached) reward = choice_reward(m, &list[i]);
            choices++, sum += reward;
        }
        for (size_t i = first; i < last; i++)
            for (int o = 0; o < list[i].count && list[i].env == k; o++) {
                const prism_outcome x = m->x.outcome[list[i].first + (size_t)o];
                family_add_limits(&m->f, (model_row){k, list[i].state, action, x.next, x.probability / choices, sum / choices, 0},
                                  x.low / choices);
            }
    }
}

static void name_choices(prism_builder *m)
{
    size_t n = m->x.choice_count;
    prism_choice *list = m->x.choice;
    int *per_env = ESCAPE_NEW(m->p.e, int, m->f.K);
    prism_combos_order(&m->x);
    size_t i = 1;
    while (i < n && by_group(&list[i - 1], &list[i]) <= 0) i++;
    if (i < n) qsort(list, n, sizeof *list, by_group); /* which may take as much memory again */
    family_expect_rows(&m->f, m->x.outcome_count);
    for (size_t first = 0, last; first < n; first = last) {
        for (last = first;
             last < n && list[last].state == list[first].state && (m->p.dtmc || list[last].label == list[first].label);)
            last++;
        if (m->p.dtmc)
            join_choices(m, list, first, last);
        else
            name_group(m, list, first, last, per_env);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static void make(void *object)
{
    prism_builder *m = object;
    mdp_family *f = &m->f;
    m->p.e = f->e;
    (m->jani ? jani_parse : prism_parse)(&m->p, m->file->bytes, m->file->length);
    check_given(&m->p, f->source);
    family_check_source(f);
    read_options(m);
    m->constants = (prism_family){.p = &m->p, .source = f->source};
    prism_family_make(&m->constants);
    f->K = m->constants.K;
    f->env_name = ESCAPE_ZERO(f->e, char *, f->K);
    m->value = ESCAPE_ZERO(f->e, prism_value *, f->K);
    explore(m);
    name_states(m);
    find_standings(m);
    for (int k = 0; k < f->K; k++)
        for (int s = 0; s < f->S; s++) {
            size_t at = (size_t)k * (size_t)f->S + (size_t)s;
            if (f->reached[at]) f->idle_reward[at] = state_reward(m, k, s);
        }
    find_promises(m);
    find_labels(m);
    find_first(m);
    intern_seal(&m->x.valuations);
    name_choices(m);
    prism_states_end(&m->x); /* half of the memory that reading takes */
    family_finish(f);
}

static vouch_status model_parse(vouch_model **model, bool jani, const file_content *file, const vouch_source *source,
                                vouch_error *error)
{
    prism_builder m = {.p = {.file = file->name, .source = source},
                       .f = {.path = file->name, .source = source},
                       .jani = jani,
                       .file = file,
                       .x = {.limit = source->state_limit > 0 ? source->state_limit : INT_MAX}};
    m.x.p = &m.p;
    return family_read(&m.f, make, &m, model, error);
}

vouch_status prism_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error)
{
    return model_parse(model, false, file, source, error);
}

vouch_status jani_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error)
{
    return model_parse(model, true, file, source, error);
}

typedef struct prism_input {
    prism *p;
    bool jani;
    const file_content *file;
} prism_input;

static void parse_input(void *object)
{
    prism_input *in = object;
    (in->jani ? jani_parse : prism_parse)(in->p, in->file->bytes, in->file->length);
}

vouch_status prism_open(prism *p, bool jani, const file_content *file)
{
    return escape_try(p->e, parse_input, &(prism_input){p, jani, file});
}
