/* io/family.c - see formats.h. Rows are sorted by state, so that one pass sees all environments' actions of a state together and no
 * table over states and actions is needed. */
#include "io/formats.h"
#include "mdp/model.h"

#include "io/json.h"

static const double REMOVED = -2; /* probability of a row that only environments which never get there have */

int family_action(mdp_family *f, const char *name) { return must_count(f->e, names_add(&f->actions, name)); }

void family_add_row(mdp_family *f, model_row row)
{
    CHECK(row.env >= 0 && row.state >= 0 && row.action >= 0 && row.next >= 0);
    must_count(f->e, MEM_RESERVE(&f->rows, &f->row_capacity, f->row_count));
    row.order = f->row_count;
    f->rows[f->row_count++] = row;
}

void family_add_limits(mdp_family *f, model_row row, double low)
{
    model_row of_low = row;
    of_low.prob = -fabs(low);
    if (low < row.prob) family_add_row(f, of_low);
    family_add_row(f, row);
}

void family_expect_rows(mdp_family *f, size_t more)
{
    if (f->row_capacity - f->row_count >= more) return;
    must_count(f->e, MEM_RESIZE(&f->rows, f->row_count + more));
    f->row_capacity = f->row_count + more;
}

void family_add_label(mdp_family *f, const char *name, int env, int state)
{
    int label = must_count(f->e, names_add(&f->labels, name));
    ESCAPE_PUSH(f->e, f, label, (family_label){label, env, state});
}

void family_make_sets(mdp_family *f)
{
    size_t n = f->promised.item_count, cells = (size_t)f->K * (size_t)f->S;
    f->in = ESCAPE_ZERO(f->e, bool *, n);
    f->through = ESCAPE_ZERO(f->e, bool *, n);
    for (size_t j = 0; j < n; j++) {
        f->in[j] = ESCAPE_ZERO(f->e, bool, cells);
        if (f->promised.item[j].through) f->through[j] = ESCAPE_ZERO(f->e, bool, cells);
    }
}

/* The number of the state of this name; -1: none. */
static int find_state(mdp_family *f, const char *name, size_t length)
{
    while (f->states.count < f->S) {
        int s = f->states.count;
        if (names_add(&f->states, f->state_name[s]) != s) break; /* of the same name as another one, or memory: then one by one */
    }
    int found = length && !memchr(name, 0, length) ? names_find_bytes(&f->states, name, length) : -1;
    for (int s = f->states.count; s < f->S && found < 0; s++)
        if (strlen(f->state_name[s]) == length && strncmp(f->state_name[s], name, length) == 0) found = s;
    return found;
}

static bool take_state(mdp_family *f, const char *name, size_t length, bool set[])
{
    int found = find_state(f, name, length);
    for (int k = 0; k < f->K && found >= 0; k++) set[(size_t)k * (size_t)f->S + (size_t)found] = true;
    return found >= 0;
}

bool family_find_word(mdp_family *f, const family_words *words, const char *name, bool set[])
{
    return (words && words->find(f, words->of, name, set)) || take_state(f, name, strlen(name), set);
}

bool family_find_list(mdp_family *f, const char *list, bool set[])
{
    bool all = strchr(list, ',') != NULL;
    for (size_t n; *list && all; list += n + (list[n] == ',')) {
        n = strcspn(list, ",");
        all = take_state(f, list, n, set);
    }
    return all;
}

void family_promises(mdp_family *f, const family_words *words)
{
    family_make_sets(f);
    for (size_t j = 0; j < f->promised.item_count; j++) {
        const specification *w = &f->promised.item[j];
        family_find_states(f, words, w->place, w->what, f->in[j]);
        if (w->through) family_find_states(f, words, w->place, w->through, f->through[j]);
    }
}

void family_complete_set(const mdp_family *f, bool set[])
{
    size_t S = (size_t)f->S;
    for (size_t s = 0; s < S && f->reached; s++) {
        int first = 0;
        while (first < f->K && !f->reached[(size_t)first * S + s]) first++;
        for (int k = 0; k < f->K && first < f->K; k++)
            if (!f->reached[(size_t)k * S + s]) set[(size_t)k * S + s] = set[(size_t)first * S + s];
    }
}

void family_initial(mdp_family *f)
{
    const vouch_source *source = f->source;
    size_t n = source->initial_count, S = (size_t)f->S;
    if (n == 0) return;
    double sum = 0;
    f->first = ESCAPE_ZERO(f->e, double, (size_t)f->K *S);
    for (size_t i = 0; i < n; i++) {
        const char *given = source->initial[i], *name;
        size_t length = strlen(given);
        double p = 1 / (double)n;
        int s = find_state(f, given, length);
        if (s < 0 && specification_probability(given, &name, &length, &p) && length > 0) s = find_state(f, given, length);
        if (s < 0) escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: --initial: there is no state \"%.100s\"", f->path, given);
        sum += p;
        for (int k = 0; k < f->K; k++) f->first[(size_t)k * S + (size_t)s] += p;
        if (n > 1) continue;
        f->initial = s;
        f->first = NULL;
    }
    if (!(fabs(sum - 1) <= MODEL_SUM_TOLERANCE))
        escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: --initial: the probabilities sum to %.10g; expected 1", f->path, sum);
}

/* ---- the actions of a state ---------------------------------------------------------------------------------- */

static int by_state(const void *x, const void *y)
{
    const model_row *a = x, *b = y;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->action != b->action) return a->action < b->action ? -1 : 1;
    if (a->env != b->env) return a->env < b->env ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool reached(const mdp_family *f, int k, int s) { return !f->reached || f->reached[(size_t)k * (size_t)f->S + (size_t)s]; }

static void add_loop(mdp_family *f, int k, int s, int a)
{
    CHECK(k >= 0 && k < f->K && s >= 0 && s < f->S);
    double reward = f->idle_reward ? f->idle_reward[(size_t)k * (size_t)f->S + (size_t)s] : 0;
    family_add_row(f, (model_row){k, s, a, s, 1, reward, 0});
}

/* Rows first .. last-1 belong to one state and action, environments ascending. */
static void complete_action(mdp_family *f, size_t first, size_t last, int merge)
{
    CHECK(first < last && last <= f->row_count);
    int s = f->rows[first].state, a = f->rows[first].action, has = -1;
    size_t r = first;
    for (size_t i = first; i < last && has < 0; i++)
        if (reached(f, f->rows[i].env, s)) has = f->rows[i].env;
    if (has < 0) { /* only environments that never get here have it: no action of this state */
        for (size_t i = first; i < last; i++) f->rows[i].prob = REMOVED;
        return;
    }
    for (int k = 0; k < f->K; k++) {
        bool present = r < last && f->rows[r].env == k;
        while (r < last && f->rows[r].env == k) r++;
        if (present) continue;
        if (reached(f, k, s) && !merge)
            escape_fail(f->e, VOUCH_ERROR_INPUT,
                        "%s: state \"%.200s\": environment \"%.100s\" has the action \"%.60s\", environment \"%.100s\" has "
                        "not; the actions of a "
                        "state must be the same in all environments (--merge-actions makes a missing one a loop)",
                        f->path, f->state_name[s], f->env_name[has], names_text(&f->actions, a), f->env_name[k]);
        add_loop(f, k, s, a);
    }
}

static void sort_by_state(mdp_family *f) /* a sorted list needs no qsort, which would copy it */
{
    size_t r = 1;
    while (r < f->row_count && by_state(&f->rows[r - 1], &f->rows[r]) < 0) r++;
    if (r < f->row_count) qsort(f->rows, f->row_count, sizeof *f->rows, by_state);
}

static void complete_actions(mdp_family *f)
{
    const vouch_source *source = f->source;
    size_t given = f->row_count;
    bool *acts = ESCAPE_ZERO(f->e, bool, f->S); /* has the state an action somewhere it is reached? */
    sort_by_state(f);
    for (size_t first = 0, last; first < given; first = last) {
        for (last = first;
             last < given && f->rows[last].state == f->rows[first].state && f->rows[last].action == f->rows[first].action;)
            last++;
        complete_action(f, first, last, source->merge_actions);
        if (f->rows[first].prob != REMOVED) acts[f->rows[first].state] = true;
    }
    for (int s = 0; s < f->S && source->fix_deadlocks; s++) {
        bool anywhere = false;
        for (int k = 0; k < f->K && !anywhere; k++) anywhere = reached(f, k, s);
        if (acts[s] || !anywhere) continue;
        int loop = family_action(f, "_1");
        for (int k = 0; k < f->K; k++) add_loop(f, k, s, loop);
    }
}

/* ---- the model ----------------------------------------------------------------------------------------------- */

static void accept(const mdp_family *f, vouch_status status)
{
    if (status) escape_fail(f->e, status, "%s: %s", f->path, vouch_status_text(status));
}

static void name_model(const mdp_family *f, vouch_model *m)
{
    const char *base = disk_name(f->path);
    char name[128];
    size_t n = strcspn(base, ".");
    if (n == 0 || n >= sizeof name) n = strlen(base) < sizeof name ? strlen(base) : sizeof name - 1;
    memcpy(name, base, n);
    name[n] = '\0';
    accept(f, vouch_model_set_name(m, name));
    for (int s = 0; s < f->S; s++) accept(f, vouch_model_set_state_name(m, s, f->state_name[s]));
    for (int k = 0; k < f->K; k++) accept(f, vouch_model_set_environment_name(m, k, f->env_name[k]));
    for (int a = 0; a < f->actions.count; a++) accept(f, vouch_model_set_action_name(m, a, names_text(&f->actions, a)));
}

static bool same_everywhere(const mdp_family *f, const bool set[])
{
    for (int k = 1; k < f->K; k++)
        if (memcmp(set, set + (size_t)k * (size_t)f->S, (size_t)f->S * sizeof *set) != 0) return false;
    return true;
}

static void add_promise(const mdp_family *f, vouch_model *m, int j)
{
    const specification *w = &f->promised.item[j];
    size_t cells = (size_t)f->K * (size_t)f->S;
    accept(f, vouch_model_add_promise(m, w->name, w->kind, w->from, w->to));
    for (size_t i = 0; i < cells; i++) {
        int k = (int)(i / (size_t)f->S), s = (int)(i % (size_t)f->S);
        if (f->in[j][i]) accept(f, vouch_model_set_promise_state(m, j, k, s, 1));
        if (f->through[j]) accept(f, vouch_model_set_promise_through(m, j, k, s, f->through[j][i]));
    }
    accept(f, vouch_model_set_promise_probability(m, j, -1, w->p));
    accept(f, vouch_model_set_promise_average(m, j, w->average));
}

/* One plain commitment to the same states in all environments is one without a list. */
static void add_promises(const mdp_family *f, vouch_model *m)
{
    if (f->promised.item_count != 1 || !f->promised.item[0].plain || !same_everywhere(f, f->in[0])) {
        for (size_t j = 0; j < f->promised.item_count; j++) add_promise(f, m, (int)j);
        return;
    }
    for (int s = 0; s < f->S; s++)
        if (f->in[0][s]) accept(f, vouch_model_set_commitment(m, s, 1));
    accept(f, vouch_model_set_probability(m, f->promised.item[0].p));
}

static void check_name(const mdp_family *f, const char *kind, const char *name)
{
    if (!js_utf8(name)) escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: the %s \"%.100s\" is not UTF-8", f->path, kind, name);
}

/* Names must also be possible in JSON. */
static void check_names(const mdp_family *f)
{
    for (int s = 0; s < f->S; s++) check_name(f, "state", f->state_name[s]);
    for (int k = 0; k < f->K; k++) check_name(f, "environment", f->env_name[k]);
    for (int a = 0; a < f->actions.count; a++) check_name(f, "action", names_text(&f->actions, a));
    for (int l = 0; l < f->labels.count; l++) check_name(f, "label", names_text(&f->labels, l));
}

/* The model takes over the block of rows and adds them one by one, each at its own place or before it, so that they never exist
 * twice. */
static void move_rows(mdp_family *f, vouch_model *m)
{
    CHECK(!m->rows);
    m->rows = f->rows;
    m->row_capacity = f->row_capacity;
    f->rows = NULL;
    double before = 0;
    for (size_t i = 0; i < f->row_count; i++) {
        const model_row r = m->rows[i];
        const vouch_row row = {r.env, r.state, r.action, r.next, r.prob, r.reward};
        if (r.prob == REMOVED) continue;
        if (!signbit(r.prob)) accept(f, vouch_model_add_interval(m, &row, signbit(before) ? -before : r.prob));
        before = r.prob;
    }
    f->row_count = f->row_capacity = 0;
}

static void build(mdp_family *f, vouch_model *m)
{
    name_model(f, m);
    accept(f, vouch_model_set_initial(m, f->initial));
    add_promises(f, m);
    for (int l = 0; l < f->labels.count; l++) accept(f, vouch_model_add_label(m, names_text(&f->labels, l)));
    for (size_t i = 0; i < f->label_count; i++)
        accept(f, vouch_model_set_label_state(m, f->label[i].label, f->label[i].env, f->label[i].state, 1));
    for (size_t i = 0; f->first && i < (size_t)f->K * (size_t)f->S; i++)
        if (f->first[i] > 0)
            accept(f,
                   vouch_model_set_initial_probability(m, (int)(i / (size_t)f->S), (int)(i % (size_t)f->S), fmin(1, f->first[i])));
    move_rows(f, m);
    vouch_error why = {0};
    vouch_status status = vouch_model_finish(m, NULL, &why);
    if (status)
        escape_fail(f->e, status, "%.200s: %s%s", f->path, why.text,
                    strstr(why.text, "has no action") ? " (--fix-deadlocks makes it a loop)" : "");
}

/* Is this a property of the PRISM language, such as P>=0.9 [ F "port" ] or F "port", in the place of states? */
static bool is_property(const char *commit)
{
    size_t word = strspn(commit, "PRFGmaxin");
    const char *rest = commit + word + strspn(commit + word, " ");
    if (commit[0] == 'P' || commit[0] == 'R') return word > 0 && strchr("<>=", *rest) && strchr(rest, '[');
    return word == 1 && rest > commit + 1 && (*rest == '"' || *rest == '_' || ascii_alpha(*rest));
}

void family_check_source(mdp_family *f)
{
    const vouch_source *source = f->source;
    if (source->horizon < 1) escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: a file of this format has no horizon: give -T", f->path);
    if (source->commit && is_property(source->commit))
        escape_fail(f->e, VOUCH_ERROR_INPUT,
                    "--commit \"%.100s\": this is a property of the PRISM language, which --prop FILE reads; --commit takes "
                    "states, as goal in by:goal>=0.9",
                    source->commit);
    if (source->probability < 0 || source->probability > 1)
        escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: the commitment probability must lie between 0 and 1", f->path);
    if (source->commit && isnan(source->probability))
        escape_fail(f->e, VOUCH_ERROR_INPUT,
                    "%s: --commit needs the probability: give -p, as in -p 0.9, or write [NAME:]KIND:WHAT[@TIME]>=P with "
                    "KIND " VOUCH_PROMISE_WORDS,
                    f->path);
    if (!source->commit && !source->commit_count && !source->properties && source->probability > 0)
        escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: -p needs the states that it is about: give --commit", f->path);
    specifications_read(&f->promised, source, f->path);
}

void family_check_rewards(escape *e, const char *path, const vouch_source *source, const names *structures)
{
    if (source->reward || source->time_to || source->unrewarded || structures->count < 2) return;
    text *list = escape_text(e);
    for (int i = 0; i < structures->count; i++) {
        text_add(list, "%s", i ? " or " : "");
        text_add_quoted(list, names_text(structures, i));
    }
    if (list->failed) escape_memory(e);
    escape_fail(e, VOUCH_ERROR_INPUT, "%.200s: %d reward structures; choose one: --reward %.400s", path, structures->count,
                list->data);
}

void family_finish(mdp_family *f)
{
    CHECK(f->initial >= 0 && f->initial < f->S);
    CHECK(f->state_name && f->env_name && f->in);
    check_names(f);
    complete_actions(f);
    if (f->actions.count == 0) escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: no state has an action", f->path);
    if (vouch_model_new(&f->model, f->S, f->actions.count, f->K, f->source->horizon)) escape_memory(f->e);
    build(f, f->model);
}

typedef struct family_reading {
    mdp_family *f;
    void (*read)(void *object);
    void *object;
} family_reading;

static void end_rows(void *object) { mem_free(((mdp_family *)object)->rows); }

static void begin(void *object)
{
    family_reading *r = object;
    escape_names(r->f->e, &r->f->actions);
    escape_names(r->f->e, &r->f->states);
    escape_names(r->f->e, &r->f->labels);
    escape_keep(r->f->e, end_rows, r->f);
    specifications_start(&r->f->promised, r->f->e);
    r->read(r->object);
}

vouch_status family_read(mdp_family *f, void (*read)(void *object), void *object, vouch_model **model, vouch_error *error)
{
    escape e = {.error = error};
    family_reading r = {f, read, object};
    f->e = &e;
    vouch_status status = escape_try(&e, begin, &r);
    if (status) vouch_model_free(f->model);
    *model = status ? NULL : f->model;
    escape_end(&e);
    f->e = NULL;
    return status;
}
