/* mdp/model.c - models: sizes, names, the commitment, rows, which are frozen at the end, reading, changes. After finish a joined
 * model (mdp/model.h) is computed again from the user's. */
#include "mdp/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

static const double REWARD_TOLERANCE_DEFAULT = 1e-9; /* far above rounding, far below any real difference of rewards */

static char **numbered_names(int count, const char *prefix, int first)
{
    char **names = MEM_ZERO(char *, count);
    if (!names) return NULL;
    for (int i = 0; i < count; i++) {
        char text[32];
        format_text(text, sizeof text, "%s%d", prefix, first + i);
        names[i] = mem_string(text);
        if (!names[i]) {
            mem_free_strings(names, (size_t)i);
            return NULL;
        }
    }
    return names;
}

vouch_status vouch_model_new(vouch_model **model, int states, int actions, int environments, int horizon)
{
    if (!model) return VOUCH_ERROR_ARGUMENT;
    *model = NULL;
    if (states < 1 || actions < 1 || environments < 1 || horizon < 1) return VOUCH_ERROR_ARGUMENT;
    vouch_model *m = MEM_ZERO(vouch_model, 1);
    if (!m) return VOUCH_ERROR_MEMORY;
    m->S = states;
    m->A = actions;
    m->K = environments;
    m->T = horizon;
    m->J = m->group = 1;
    m->reward_tolerance = REWARD_TOLERANCE_DEFAULT;
    m->scale.spread = 1;
    m->name = mem_string("");
    m->state_name = numbered_names(states, "s", 0);
    m->action_name = numbered_names(actions, "a", 0);
    m->env_name = numbered_names(environments, "k", 1);
    m->terminal = MEM_ZERO(double, states);
    if (!m->name || !m->state_name || !m->action_name || !m->env_name || !m->terminal) {
        vouch_model_free(m);
        return VOUCH_ERROR_MEMORY;
    }
    *model = m;
    return VOUCH_OK;
}

static vouch_status replace_text(char **slot, const char *text)
{
    char *copy = mem_string(text);
    if (!copy) return VOUCH_ERROR_MEMORY;
    mem_free(*slot);
    *slot = copy;
    return VOUCH_OK;
}

static vouch_status rename_one(char **names, int count, int i, const char *name)
{
    return i < 0 || i >= count ? VOUCH_ERROR_ARGUMENT : replace_text(&names[i], name);
}

vouch_status vouch_model_set_name(vouch_model *m, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    return replace_text(&m->name, name);
}

vouch_status vouch_model_set_state_name(vouch_model *m, int state, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    return rename_one(m->state_name, m->S, state, name);
}

vouch_status vouch_model_set_action_name(vouch_model *m, int action, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    return rename_one(m->action_name, m->A, action, name);
}

vouch_status vouch_model_set_environment_name(vouch_model *m, int environment, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    return rename_one(m->env_name, m->K, environment, name);
}

vouch_status vouch_model_set_initial(vouch_model *m, int state)
{
    if (!m || state < 0 || state >= m->S || m->finished) return VOUCH_ERROR_ARGUMENT;
    m->s0 = state;
    return VOUCH_OK;
}

vouch_status vouch_model_set_commitment(vouch_model *m, int state, int member)
{
    if (!m || m->promises > 0 || m->join || state < 0 || state >= m->S) return VOUCH_ERROR_ARGUMENT;
    m->terminal[state] = member != 0;
    return VOUCH_OK;
}

vouch_status vouch_model_add(vouch_model *m, int environment, int state, int action, int next, double probability, double reward)
{
    if (!m || m->finished || environment < 0 || environment >= m->K || state < 0 || state >= m->S || action < 0 || action >= m->A ||
        next < 0 || next >= m->S)
        return VOUCH_ERROR_ARGUMENT;
    if (!(probability >= 0 && probability <= 1 + MODEL_SUM_TOLERANCE) || !isfinite(reward)) return VOUCH_ERROR_INPUT;
    if (MEM_RESERVE(&m->rows, &m->row_capacity, m->row_count)) return VOUCH_ERROR_MEMORY;
    m->rows[m->row_count] = (model_row){environment, state, action, next, probability + 0.0, reward, m->row_count};
    m->row_count++;
    return VOUCH_OK;
}

int model_pair(const vouch_model *m, int state, int action)
{
    for (int q = m->pair_start[state]; q < m->pair_start[state + 1]; q++)
        if (m->pair_action[q] == action) return q;
    return -1;
}

/* The first index in low .. high-1 with x <= a[index], a ascending; high: none. */
static int model_lower_bound(const int a[], int low, int high, int x)
{
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int mdp_outcome(const mdp *env, int q, int next)
{
    int end = env->start[q + 1], o = model_lower_bound(env->next, env->start[q], end, next);
    return o < end && env->next[o] == next ? o : -1;
}

/* Beyond the first two names of one hash the numbers end, and names are compared one by one. */
bool model_name_taken(const intern *numbers, const void *item, size_t size, int count, const char *name)
{
    const uint64_t key = intern_text(name);
    const char *first = item;
    int found = numbers->slot ? intern_find(numbers, &key) : -1;
    if (found >= 0 && strcmp(*(char *const *)(const void *)(first + (size_t)found * size), name) == 0) return true;
    for (int i = numbers->count; i < count; i++)
        if (strcmp(*(char *const *)(const void *)(first + (size_t)i * size), name) == 0) return true;
    return false;
}

int model_name_add(intern *numbers, int count, const char *name)
{
    const uint64_t key = intern_text(name);
    if (!numbers->slot && intern_init(numbers, 1)) return -1;
    return numbers->count == count && intern_add(numbers, &key, NULL) < 0 ? -1 : 0;
}

vouch_status model_fits(const vouch_model *m, vouch_error *error)
{
    double table = ((double)m->T + 1) * fmax(m->S, m->pairs);
    if (m->T >= MODEL_LAYERS || table > MODEL_TABLE)
        return error_set(error, VOUCH_ERROR_SIZE,
                         "too large: a horizon of %d steps with %d states and %d actions in them all (at most %d steps, and %.0f "
                         "times the states or actions)",
                         m->T, m->S, m->pairs, MODEL_LAYERS - 1, MODEL_TABLE);
    return VOUCH_OK;
}

/* ---- reading a finished model ---------------------------------------------------------------------------------------- */

int vouch_model_states(const vouch_model *m) { return m ? m->S : 0; }
int vouch_model_actions(const vouch_model *m) { return m ? m->A : 0; }
int vouch_model_environments(const vouch_model *m) { return m ? m->K : 0; }
int vouch_model_horizon(const vouch_model *m) { return m ? m->T : 0; }
int vouch_model_initial(const vouch_model *m) { return m ? m->s0 : -1; }
double vouch_model_probability(const vouch_model *m) { return m ? m->p : NAN; }
int vouch_model_is_commitment(const vouch_model *m, int state)
{
    if (!m || state < 0 || state >= m->S) return 0;
    if (!m->finished || !m->weight) return m->terminal[state] > 0;
    for (int r = 0; r < m->K * m->J; r++)
        if (m->weight[r][state] <= 0) return 0;
    return 1;
}

int vouch_model_kept(const vouch_model *m, double probability) { return m && commitment_kept(probability, m->p); }

const char *vouch_model_name(const vouch_model *m) { return m ? m->name : ""; }

static const char *name_of(char *const name[], int count, int i) { return i >= 0 && i < count ? name[i] : ""; }
const char *vouch_model_state_name(const vouch_model *m, int state) { return m ? name_of(m->state_name, m->S, state) : ""; }
const char *vouch_model_action_name(const vouch_model *m, int action) { return m ? name_of(m->action_name, m->A, action) : ""; }
const char *vouch_model_environment_name(const vouch_model *m, int environment)
{
    return m ? name_of(m->env_name, m->K, environment) : "";
}

static int find_name(char *const name[], int count, const char *wanted)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name[i], wanted) == 0) return i;
    return -1;
}
int vouch_model_find_state(const vouch_model *m, const char *name)
{
    if (!m || !name) return -1;
    int s = find_name(m->state_name, m->S, name),
        base = s < 0 && m->join ? find_name(model_user(m)->state_name, model_user(m)->S, name) : -1;
    for (int i = 0; s < 0 && base >= 0 && i < m->S; i++)
        if (m->join->base[i] == base) s = i;
    return s;
}
int vouch_model_find_action(const vouch_model *m, const char *name)
{
    return m && name ? find_name(m->action_name, m->A, name) : -1;
}

int vouch_model_available(const vouch_model *m, int state, const int **action)
{
    if (!m || !action) return 0;
    *action = NULL;
    if (!m->finished || state < 0 || state >= m->S) return 0;
    CHECK_COMPARE(m->pair_start[state], <=, m->pair_start[state + 1]);
    *action = m->pair_action + m->pair_start[state];
    return m->pair_start[state + 1] - m->pair_start[state];
}

int vouch_model_pair(const vouch_model *m, int state, int action)
{
    if (!m) return -1;
    return m->finished && state >= 0 && state < m->S ? model_pair(m, state, action) : -1;
}

void vouch_model_get_transitions(const vouch_model *m, int environment, int state, int action, vouch_transitions *transitions)
{
    if (transitions) *transitions = (vouch_transitions){0};
    if (!m || !transitions) return;
    int q = vouch_model_pair(m, state, action);
    *transitions = (vouch_transitions){0};
    if (q < 0 || environment < 0 || environment >= m->K) return;
    const mdp *e = &m->env[environment];
    int first = e->start[q];
    *transitions = (vouch_transitions){e->start[q + 1] - first, e->next + first, e->prob + first, e->reward + first};
    CHECK_COMPARE(transitions->count, >, 0);
}

/* ---- changes after finish, and the end ------------------------------------------------------------------------------- */

void mdp_free(mdp *e)
{
    MEM_FREE_ALL(e->start, e->next, e->prob, e->reward, e->seen, e->decimal, e->expected, e->earned, e->low, e->high);
}

static void release(const vouch_model *m, model_label *l)
{
    mem_free(l->name);
    for (int k = 0; k < m->K && l->in; k++) mem_free(l->in[k].state);
    mem_free(l->in);
}

void vouch_model_free(vouch_model *m)
{
    if (!m) return;
    if (m->join) {
        vouch_model *user = m->join->user;
        joined_free(m);
        vouch_model_free(user);
        mem_free(m);
        return;
    }
    joined_free(m);
    promise_free_all(m);
    for (int i = 0; i < m->labels; i++) release(m, &m->label[i]);
    mem_free(m->label);
    intern_free(&m->label_numbers);
    m->label = NULL;
    m->labels = 0;
    if (m->env)
        for (int k = 0; k < m->K; k++) mdp_free(&m->env[k]);
    for (size_t i = 0; i < m->decimal_count; i++) mem_free(m->decimal[i].text);
    MEM_FREE_ALL(m->env, m->pair_start, m->pair_action, m->rows, m->decimal);
    mem_free_strings(m->state_name, (size_t)m->S);
    mem_free_strings(m->action_name, (size_t)m->A);
    mem_free_strings(m->env_name, (size_t)m->K);
    MEM_FREE_ALL(m->terminal, m->name, m);
}

vouch_status vouch_model_set_horizon(vouch_model *m, int horizon)
{
    if (!m || horizon < 1) return VOUCH_ERROR_ARGUMENT;
    vouch_model *user = m->join ? m->join->user : m;
    int before = user->T;
    if (m->finished && horizon > user->last_horizon) return VOUCH_ERROR_INPUT;
    user->T = horizon;
    if (!m->finished || user->promises == 0) return VOUCH_OK;
    vouch_status status = promise_check(user, NULL);
    if (!status) status = model_join(m, NULL);
    if (status) user->T = before;
    return status;
}

vouch_status vouch_model_set_probability(vouch_model *m, double p)
{
    if (!m || !(p >= 0 && p <= 1)) return VOUCH_ERROR_ARGUMENT;
    if (model_user(m)->promises > 1) return VOUCH_ERROR_ARGUMENT;
    if (model_user(m)->promises == 1) return vouch_model_set_promise_probability(m, 0, -1, p);
    m->p = p;
    m->p_rest = 0;
    for (int k = 0; k < m->K && m->finished; k++) m->env[k].p = p, m->env[k].p_rest = 0;
    return VOUCH_OK;
}

static vouch_status say(const vouch_row *r, size_t i, const vouch_model *m, vouch_status status, vouch_error *error)
{
    if (status == VOUCH_ERROR_MEMORY) return error_memory(error);
    if (m->finished) return error_set(error, status, "the model is finished: rows cannot be added");
    const struct {
        const char *what;
        int number, count;
    } place[] = {{"environment", r->environment, m->K},
                 {"state", r->state, m->S},
                 {"action", r->action, m->A},
                 {"next state", r->next, m->S}};
    for (size_t j = 0; j < sizeof place / sizeof *place; j++)
        if (place[j].number < 0 || place[j].number >= place[j].count)
            return error_set(error, status, "row %zu: %s %d; expected 0 to %d", i, place[j].what, place[j].number,
                             place[j].count - 1);
    const char *environment = m->env_name[r->environment], *state = m->state_name[r->state], *action = m->action_name[r->action];
    bool probable = r->probability >= 0 && r->probability <= 1;
    return error_set(error, status, "environment \"%.100s\", state \"%.100s\", action \"%.100s\": %s, found %.10g", environment,
                     state, action, probable ? "a reward must be a finite number" : "a probability must lie between 0 and 1",
                     probable ? r->reward : r->probability);
}

vouch_status vouch_model_add_rows(vouch_model *m, const vouch_row row[], size_t count, vouch_error *error)
{
    if (!m || (!row && count)) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no model, or no rows");
    for (size_t i = 0; i < count; i++) {
        const vouch_row *r = &row[i];
        vouch_status status = vouch_model_add(m, r->environment, r->state, r->action, r->next, r->probability, r->reward);
        if (status) return say(r, i, m, status, error);
    }
    return VOUCH_OK;
}

/* ---- labels: ascending lists, since most hold in few states ---- */

vouch_status vouch_model_add_label(vouch_model *m, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    if (m->finished) return VOUCH_ERROR_ARGUMENT;
    if (model_name_taken(&m->label_numbers, m->label, sizeof *m->label, m->labels, name)) return VOUCH_ERROR_INPUT;
    if (MEM_RESERVE(&m->label, &m->label_capacity, m->labels)) return VOUCH_ERROR_MEMORY;
    model_label *l = &m->label[m->labels];
    *l = (model_label){.name = mem_string(name), .in = MEM_ZERO(label_members, m->K)};
    if (!l->name || !l->in || model_name_add(&m->label_numbers, m->labels, name)) {
        release(m, l);
        return VOUCH_ERROR_MEMORY;
    }
    m->labels++;
    return VOUCH_OK;
}

/* *at: the index of the first member >= state. */
static bool has(const label_members *in, int state, int *at)
{
    bool after = in->count > 0 && in->state[in->count - 1] < state; /* the usual case when labels are read */
    *at = after ? in->count : model_lower_bound(in->state, 0, in->count, state);
    return *at < in->count && in->state[*at] == state;
}

static vouch_status set_member(label_members *in, int state, bool member)
{
    int at;
    if (has(in, state, &at) == member) return VOUCH_OK;
    if (member && MEM_RESERVE(&in->state, &in->capacity, in->count)) return VOUCH_ERROR_MEMORY;
    if (member)
        memmove(in->state + at + 1, in->state + at, (size_t)(in->count - at) * sizeof *in->state);
    else
        memmove(in->state + at, in->state + at + 1, (size_t)(in->count - at - 1) * sizeof *in->state);
    if (member) in->state[at] = state;
    in->count += member ? 1 : -1;
    return VOUCH_OK;
}

vouch_status vouch_model_set_label_state(vouch_model *m, int label, int environment, int state, int member)
{
    if (!m || m->finished || label < 0 || label >= m->labels || environment < -1 || environment >= m->K || state < 0 ||
        state >= m->S)
        return VOUCH_ERROR_ARGUMENT;
    vouch_status status = VOUCH_OK;
    int first = environment < 0 ? 0 : environment, last = environment < 0 ? m->K - 1 : environment;
    for (int k = first; k <= last && !status; k++) status = set_member(&m->label[label].in[k], state, member != 0);
    return status;
}

int vouch_model_labels(const vouch_model *m) { return m ? model_user(m)->labels : 0; }

const char *vouch_model_label_name(const vouch_model *m, int label)
{
    if (!m) return NULL;
    return label >= 0 && label < vouch_model_labels(m) ? model_user(m)->label[label].name : NULL;
}

int vouch_model_has_label(const vouch_model *m, int label, int environment, int state)
{
    if (!m || label < 0 || label >= vouch_model_labels(m) || environment < 0 || environment >= m->K || state < 0 || state >= m->S)
        return 0;
    int base = m->join ? m->join->base[state] : state, at;
    return base >= 0 && has(&model_user(m)->label[label].in[environment], base, &at);
}

vouch_status label_copy(const vouch_model *from, const int env[], vouch_model *to)
{
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < from->labels && !status; i++) {
        status = vouch_model_add_label(to, from->label[i].name);
        for (int k = 0; k < to->K && !status; k++) {
            const label_members *in = &from->label[i].in[env ? env[k] : k];
            for (int n = 0; n < in->count && !status; n++) status = vouch_model_set_label_state(to, i, k, in->state[n], 1);
        }
    }
    return status;
}

/* ---- observations: closeness is not transitive, so the rewards of one (state, action, successor) in all environments are sorted,
 * and each chain of neighbours closer than the tolerance is one observation (single linkage). Two rewards closer than the tolerance
 * are always the same observation, but a chain may be wider ---- */

typedef struct paid { /* an outcome of one environment */
    int next;
    double reward;
    int *seen;
} paid;

static int by_reward(const void *x, const void *y)
{
    const paid *a = x, *b = y;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    return (a->reward > b->reward) - (a->reward < b->reward);
}

bool observe_close(const vouch_model *m, double a, double b)
{
    return m->observed == VOUCH_OBSERVE_STATES || fabs(a - b) <= m->reward_tolerance * fmax(fabs(a), fabs(b));
}

/* Writes `seen` of every outcome. ERROR_MEMORY leaves it unchanged. */
static vouch_status observe_rewards(vouch_model *m)
{
    size_t most = 0;
    for (int q = 0; q < m->pairs; q++) {
        size_t sum = 0;
        for (int k = 0; k < m->K; k++) sum += (size_t)(m->env[k].start[q + 1] - m->env[k].start[q]);
        if (sum > most) most = sum;
    }
    paid *list = MEM_NEW(paid, most);
    if (!list) return VOUCH_ERROR_MEMORY;
    for (int q = 0; q < m->pairs; q++) {
        size_t count = 0;
        for (int k = 0; k < m->K; k++) {
            const mdp *e = &m->env[k];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) list[count++] = (paid){e->next[o], e->reward[o], &e->seen[o]};
        }
        CHECK_COMPARE(count, <=, most);
        qsort(list, count, sizeof *list, by_reward);
        int id = 0;
        for (size_t i = 0; i < count; i++) {
            bool goes_on = i > 0 && list[i].next == list[i - 1].next;
            if (!goes_on)
                id = 0;
            else if (!observe_close(m, list[i - 1].reward, list[i].reward))
                id++;
            *list[i].seen = id;
        }
    }
    mem_free(list);
    return VOUCH_OK;
}

/* In a joined model the rules are those of the user's model. */
static vouch_status set_rules(vouch_model *m, double tolerance, vouch_observed observed)
{
    if (m->join) {
        const vouch_model *user = m->join->user;
        bool same = tolerance == user->reward_tolerance && observed == user->observed;
        vouch_status status = same ? VOUCH_OK : set_rules(m->join->user, tolerance, observed);
        return status || same ? status : model_join(m, NULL);
    }
    double tolerance_before = m->reward_tolerance;
    vouch_observed observed_before = m->observed;
    if (tolerance == tolerance_before && observed == observed_before) return VOUCH_OK;
    m->reward_tolerance = tolerance;
    m->observed = observed;
    if (m->finished && observe_rewards(m)) {
        m->reward_tolerance = tolerance_before;
        m->observed = observed_before;
        return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

vouch_status vouch_model_set_reward_tolerance(vouch_model *m, double relative)
{
    if (!m || !(relative >= 0 && relative < 1)) return VOUCH_ERROR_ARGUMENT;
    return set_rules(m, relative, m->observed);
}

vouch_status vouch_model_set_observed(vouch_model *m, vouch_observed observed)
{
    if (!m || (int)observed < 0 || observed >= VOUCH_OBSERVED_KINDS) return VOUCH_ERROR_ARGUMENT;
    return set_rules(m, m->reward_tolerance, observed);
}

vouch_status vouch_model_set_sense(vouch_model *m, vouch_sense sense)
{
    if (!m || (int)sense < 0 || sense >= VOUCH_SENSES) return VOUCH_ERROR_ARGUMENT;
    if (m->sense == sense) return VOUCH_OK;
    vouch_model *user = m->join ? m->join->user : m;
    m->sense = user->sense = sense;
    for (int k = 0; user->finished && k < user->K; k++) {
        mdp *e = &user->env[k];
        for (int o = 0; o < e->start[user->pairs]; o++) {
            e->reward[o] = 0 - e->reward[o];
            if (e->decimal && e->decimal[o]) e->decimal[o] += *e->decimal[o] == '-' ? 1 : -1; /* see model_decimal */
        }
        for (int q = 0; q < user->pairs; q++) e->expected[q] = 0 - e->expected[q];
    }
    if (user->finished && observe_rewards(user)) return VOUCH_ERROR_MEMORY; /* numbered by rewards, ascending */
    return m->join ? model_join(m, NULL) : VOUCH_OK;
}

vouch_sense vouch_model_sense(const vouch_model *m) { return m ? m->sense : VOUCH_MAXIMISE; }
const char *vouch_sense_text(vouch_sense sense) { return sense == VOUCH_MINIMISE ? "min" : "max"; }

vouch_observed vouch_model_observed(const vouch_model *m) { return m ? m->observed : VOUCH_OBSERVE_REWARDS; }

size_t vouch_model_observations(const vouch_model *m, double *tolerance, int number[])
{
    const vouch_model *user = m && m->finished ? model_user(m) : NULL;
    size_t count = 0;
    if (tolerance) *tolerance = user ? user->reward_tolerance : 0;
    for (int k = 0; user && k < user->K; k++) {
        const mdp *e = &user->env[k];
        if (number) MEM_COPY(number + count, e->seen, e->start[user->pairs]);
        count += (size_t)e->start[user->pairs];
    }
    return count;
}

vouch_status vouch_model_set_observations(vouch_model *m, double tolerance, const int number[], size_t count)
{
    if (!m || !m->finished || !number || count != vouch_model_observations(m, NULL, NULL)) return VOUCH_ERROR_ARGUMENT;
    if (!(tolerance >= 0 && tolerance < 1)) return VOUCH_ERROR_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (number[i] < 0) return VOUCH_ERROR_ARGUMENT;
    vouch_model *user = m->join ? m->join->user : m;
    user->reward_tolerance = tolerance;
    for (int k = 0; k < user->K; number += user->env[k].start[user->pairs], k++)
        MEM_COPY(user->env[k].seen, number, user->env[k].start[user->pairs]);
    return m->join ? model_join(m, NULL) : VOUCH_OK;
}

static const char *const word[VOUCH_OBSERVED_KINDS] = {[VOUCH_OBSERVE_REWARDS] = "rewards", [VOUCH_OBSERVE_STATES] = "states"};

const char *vouch_observed_text(vouch_observed observed) { return word[observed]; }

int vouch_observed_find(const char *text)
{
    if (!text) return -1;
    int i = VOUCH_OBSERVED_KINDS - 1;
    while (i >= 0 && strcmp(word[i], text) != 0) i--;
    return i;
}

/* ---- checking the rows of a model and freezing them into flat arrays. O(rows log rows) ------------------------------------------
 *
 * The rows are sorted by (environment, state, action, successor), repeated ones are added, and three conditions are checked:
 *   - each distribution sums to 1 within 1e-6; it is then normalised;
 *   - each state has the same actions in every environment;
 *   - no environment reaches a state without actions before the horizon. */

static int by_place(const void *x, const void *y)
{
    const model_row *a = x, *b = y;
    if (a->env != b->env) return a->env < b->env ? -1 : 1;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->action != b->action) return a->action < b->action ? -1 : 1;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Sorts rows, few ones by insertion. */
static void sort_together(model_row row[], size_t n)
{
    enum { FEW = 32 };
    size_t i = 1;
    while (i < n && by_place(&row[i - 1], &row[i]) < 0) i++;
    if (i < n && n > FEW) qsort(row, n, sizeof *row, by_place);
    for (; i < n && n <= FEW; i++) {
        model_row moved = row[i];
        size_t to = i;
        for (; to > 0 && by_place(&row[to - 1], &moved) > 0; to--) row[to] = row[to - 1];
        row[to] = moved;
    }
}

/* Stable counting sort of the rows of an environment by state; false: out of memory. */
static bool gather_states(const vouch_model *m, model_row row[], size_t n)
{
    bool ascend = true;
    for (size_t i = 1; i < n && ascend; i++) ascend = row[i - 1].state <= row[i].state;
    if (ascend) return true;
    size_t *place = MEM_ZERO(size_t, m->S + 1);
    model_row *sorted = MEM_NEW(model_row, n);
    bool made = place && sorted;
    if (made) {
        for (size_t i = 0; i < n; i++) place[row[i].state + 1]++;
        for (int s = 0; s < m->S; s++) place[s + 1] += place[s];
        for (size_t i = 0; i < n; i++) sorted[place[row[i].state]++] = row[i];
        memcpy(row, sorted, n * sizeof *row);
    }
    MEM_FREE_ALL(place, sorted);
    return made;
}

static vouch_status fault_at(const vouch_model *m, vouch_model_fault at, const char *what, vouch_model_fault *fault,
                             vouch_error *error)
{
    if (fault) *fault = at;
    char where[512];
    size_t used = 0;
    where[0] = '\0';
    if (at.environment >= 0)
        used += (size_t)format_text(where, sizeof where, "environment \"%.100s\", ", m->env_name[at.environment]);
    used += (size_t)format_text(where + used, sizeof where - used, "state \"%.100s\"", m->state_name[at.state]);
    if (at.action >= 0) format_text(where + used, sizeof where - used, ", action \"%.100s\"", m->action_name[at.action]);
    return error_set(error, VOUCH_ERROR_INPUT, "%s: %s", where, what);
}

/* The first row after those of the pair of row r. */
static size_t behind_pair(const vouch_model *m, size_t r)
{
    const model_row *first = &m->rows[r];
    do r++;
    while (r < m->row_count && m->rows[r].env == first->env && m->rows[r].state == first->state &&
           m->rows[r].action == first->action);
    return r;
}

/* Compares the pairs of environment k, whose sorted rows start at *r, with those of environment 0. Moves *r after them. */
static vouch_status compare_pairs(const vouch_model *m, int k, size_t *r, vouch_model_fault *fault, vouch_error *error)
{
    for (int s = 0; s < m->S; s++)
        for (int q = m->pair_start[s];; q++) {
            bool wanted = q < m->pair_start[s + 1];
            const model_row *row = *r < m->row_count && m->rows[*r].env == k && m->rows[*r].state == s ? &m->rows[*r] : NULL;
            if (!wanted && !row) break;
            if (wanted && row && row->action == m->pair_action[q]) {
                *r = behind_pair(m, *r);
                continue;
            }
            bool missing = wanted && (!row || row->action > m->pair_action[q]);
            char what[512];
            format_text(
                what, sizeof what,
                "the action is available in environment \"%.100s\" but not in \"%.100s\"; the actions of a state must be the "
                "same in every environment",
                m->env_name[missing ? 0 : k], m->env_name[missing ? k : 0]);
            return fault_at(m, (vouch_model_fault){k, s, missing ? m->pair_action[q] : row->action}, what, fault, error);
        }
    return VOUCH_OK;
}

/* Pairs are (state, action) with rows in environment 0; every other environment must have the same. */
static vouch_status collect_pairs(vouch_model *m, vouch_model_fault *fault, vouch_error *error)
{
    size_t r = 0, rows = 0;
    while (rows < m->row_count && m->rows[rows].env == 0) rows++;
    m->pairs = 0;
    for (size_t i = 0; i < rows; i = behind_pair(m, i)) m->pairs++;
    m->pair_start = MEM_NEW(int, m->S + 1);
    m->pair_action = MEM_NEW(int, m->pairs);
    if (!m->pair_start || !m->pair_action) return error_memory(error);
    int q = 0;
    for (int s = 0; s < m->S; s++) {
        m->pair_start[s] = q;
        for (; r < rows && m->rows[r].state == s; r = behind_pair(m, r)) m->pair_action[q++] = m->rows[r].action;
    }
    m->pair_start[m->S] = q;
    vouch_status status = VOUCH_OK;
    for (int k = 1; k < m->K && !status; k++) status = compare_pairs(m, k, &r, fault, error);
    return status;
}

static vouch_status reward_too_large(const vouch_model *m, vouch_model_fault *fault, const model_row *row, vouch_error *error)
{
    char what[256];
    format_text(
        what, sizeof what,
        "the reward %g is too large (for successor \"%.100s\"); expected at most %g in size, so that sums of rewards can be "
        "represented",
        row->reward, m->state_name[row->next], MODEL_REWARD_MOST);
    return fault_at(m, (vouch_model_fault){row->env, row->state, row->action}, what, fault, error);
}

vouch_status model_keep_decimal(vouch_model *m, const char *text, size_t length)
{
    if (MEM_RESERVE(&m->decimal, &m->decimal_capacity, m->decimal_count)) return VOUCH_ERROR_MEMORY;
    bool negative = *text == '-';
    char *copy = MEM_NEW(char, length - negative + 2);
    if (!copy) return VOUCH_ERROR_MEMORY;
    *copy = '-';
    memcpy(copy + 1, text + negative, length - negative);
    copy[length - negative + 1] = '\0';
    m->decimal[m->decimal_count++] = (model_decimal){m->row_count - 1, copy, negative};
    return VOUCH_OK;
}

static int by_order(const void *order, const void *decimal)
{
    const size_t *x = order, y = ((const model_decimal *)decimal)->order;
    return (*x > y) - (*x < y);
}

static const char *decimal_of_row(const vouch_model *m, const model_row *row)
{
    const model_decimal *found = bsearch(&row->order, m->decimal, m->decimal_count, sizeof *found, by_order);
    return found ? found->text + (found->negative == (m->sense == VOUCH_MINIMISE)) : NULL;
}

/* Appends the outcomes of a pair, row [count], to the *used ones of its environment. Returns the sum of their probabilities; sum
 * [2]: of their limits. */
static double freeze_row(const vouch_model *m, mdp *e, const model_row row[], size_t count, int *used, double sum[2])
{
    int first = *used;
    double all = 0;
    for (const model_row *r = row; r < row + count; r++) {
        all += r->prob;
        if (r->prob <= 0) continue;
        bool again = *used > first && e->next[*used - 1] == r->next;
        int o = again ? *used - 1 : (*used)++;
        e->next[o] = r->next;
        e->prob[o] = again ? e->prob[o] + r->prob : r->prob;
        e->reward[o] = model_given(m, r->reward);
        if (e->decimal) e->decimal[o] = decimal_of_row(m, r);
        if (!e->low) continue;
        e->low[o] = (r > row && signbit(r[-1].prob) ? -r[-1].prob : r->prob) + (again ? e->low[o] : 0);
        e->high[o] = e->prob[o];
    }
    sum[0] = sum[1] = all;
    return e->low ? limits_settle(e, first, used, sum) : all;
}

/* Rows first .. last-1 are those of environment k, sorted. */
static vouch_status freeze_environment(vouch_model *m, int k, size_t first, size_t last, vouch_model_fault *fault,
                                       vouch_error *error)
{
    mdp *e = &m->env[k];
    size_t n = last - first;
    if (n > INT32_MAX) return error_set(error, VOUCH_ERROR_SIZE, "more than 2^31 transitions in one environment");
    e->start = MEM_NEW(int, m->pairs + 1);
    e->next = MEM_NEW(int, n);
    e->prob = MEM_NEW(double, n);
    e->reward = MEM_NEW(double, n);
    e->seen = MEM_ZERO(int, n);
    e->expected = MEM_ZERO(double, m->pairs);
    if (!e->start || !e->next || !e->prob || !e->reward || !e->seen || !e->expected) return error_memory(error);
    if (m->decimal_count > 0 && !(e->decimal = MEM_ZERO(const char *, n))) return error_memory(error);
    if (m->limits && (!(e->low = MEM_NEW(double, n)) || !(e->high = MEM_NEW(double, n)))) return error_memory(error);
    int used = 0, q = 0;
    size_t r = first;
    for (int s = 0; s < m->S; s++)
        for (; q < m->pair_start[s + 1]; q++) {
            const model_row *row = &m->rows[r];
            double limits[2];
            char words[LIMITS_WORDS];
            e->start[q] = used;
            for (size_t end = behind_pair(m, r); r < end; r++)
                if (m->rows[r].prob > 0 && !(fabs(m->rows[r].reward) <= MODEL_REWARD_MOST))
                    return reward_too_large(m, fault, &m->rows[r], error);
            double sum = freeze_row(m, e, row, (size_t)(&m->rows[r] - row), &used, limits);
            if (limit_sums_wrong(limits, words))
                return fault_at(m, (vouch_model_fault){row->env, row->state, row->action}, words, fault, error);
            /* Sums of 1 up to rounding are not normalised, so that models are read back bit by bit. */
            double scale = fabs(sum - 1) <= (used - e->start[q]) * DBL_EPSILON ? 1 : sum;
            double base = e->reward[e->start[q]];
            e->expected[q] = base; /* then the differences: a reward common to all successors is exact */
            for (int o = e->start[q]; o < used; o++) {
                e->prob[o] /= scale;
                e->expected[q] += e->prob[o] * (e->reward[o] - base);
                if (e->low && e->low[o] == e->high[o]) e->low[o] = e->high[o] = e->prob[o];
            }
        }
    e->start[m->pairs] = used;
    return VOUCH_OK;
}

/* The first time at which some environment can be in a state without actions bounds the horizon. */
static vouch_status find_dead_ends(vouch_model *m, vouch_model_fault *fault, vouch_error *error)
{
    arena a = {0};
    int *queue = ARENA_NEW(&a, int, m->S), *when = ARENA_NEW(&a, int, m->S);
    vouch_status status = a.failed ? error_memory(error) : VOUCH_OK;
    if (status) goto done;
    m->last_horizon = INT32_MAX;
    int first_k = -1, first_s = -1;
    for (int k = 0; k < m->K; k++) {
        const mdp *e = &m->env[k];
        int head = 0, tail = 0;
        for (int s = 0; s < m->S; s++) when[s] = -1;
        for (int s = 0; s < m->S; s++) {
            if (m->first ? m->first[(size_t)k * (size_t)m->S + (size_t)s] <= 0 : s != m->s0) continue;
            when[s] = 0;
            queue[tail++] = s;
        }
        while (head < tail) {
            int s = queue[head++];
            if (m->pair_start[s] == m->pair_start[s + 1]) {
                if (when[s] < m->last_horizon) {
                    m->last_horizon = when[s];
                    first_k = k;
                    first_s = s;
                }
                continue;
            }
            for (int o = e->start[m->pair_start[s]]; o < e->start[m->pair_start[s + 1]]; o++)
                if (when[e->next[o]] < 0) {
                    when[e->next[o]] = when[s] + 1;
                    queue[tail++] = e->next[o];
                }
        }
    }
    if (m->last_horizon < m->T) {
        char what[160];
        format_text(what, sizeof what, "has no action but can be reached at time %d, before the horizon %d", m->last_horizon, m->T);
        status = fault_at(m, (vouch_model_fault){first_k, first_s, -1}, what, fault, error);
    }
done:
    arena_free(&a);
    return status;
}

static void model_check(const vouch_model *m)
{
    if (!CHECKING) return;
    CHECK(m->pair_start[0] == 0 && m->pair_start[m->S] == m->pairs);
    for (int s = 0; s < m->S; s++) {
        CHECK(m->terminal[s] >= 0 && m->terminal[s] <= 1);
        for (int q = m->pair_start[s] + 1; q < m->pair_start[s + 1]; q++)
            CHECK_COMPARE(m->pair_action[q - 1], <, m->pair_action[q]);
    }
    for (int k = 0; k < m->K; k++)
        for (int q = 0; q < m->pairs; q++) {
            const mdp *e = &m->env[k];
            double sum = 0;
            CHECK_COMPARE(e->start[q], <, e->start[q + 1]);
            for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                CHECK(o == e->start[q] || e->next[o - 1] < e->next[o]);
                CHECK(e->prob[o] > 0 && e->seen[o] >= 0);
                sum += e->prob[o];
            }
            CHECK_COMPARE(fabs(sum - 1), <=, MODEL_SUM_TOLERANCE);
        }
}

vouch_status vouch_model_finish(vouch_model *m, vouch_model_fault *fault, vouch_error *error)
{
    if (!m) return error_null(error);
    if (fault) *fault = (vouch_model_fault){-1, -1, -1};
    if (m->finished || m->env) return error_set(error, VOUCH_ERROR_ARGUMENT, "the model was finished before");
    vouch_status status = promise_settle(m, error);
    if (status) return status;
    /* If environments ascend, as in files, the rows of each state are sorted separately. */
    bool ascend = true;
    for (size_t r = 1; r < m->row_count && ascend; r++) ascend = m->rows[r - 1].env <= m->rows[r].env;
    for (size_t first = 0, end = 0; first < m->row_count && ascend; first = end) {
        while (end < m->row_count && m->rows[end].env == m->rows[first].env) end++;
        ascend = gather_states(m, &m->rows[first], end - first);
    }
    for (size_t first = 0, end = 0; first < m->row_count; first = end) {
        const model_row *row = &m->rows[first];
        while (end < m->row_count && (!ascend || (m->rows[end].env == row->env && m->rows[end].state == row->state))) end++;
        sort_together(&m->rows[first], end - first);
    }
    status = collect_pairs(m, fault, error);
    if (status) return status;
    m->env = MEM_ZERO(mdp, m->K);
    if (!m->env) return error_memory(error);
    size_t r = 0;
    for (int k = 0; k < m->K; k++) {
        size_t first = r;
        while (r < m->row_count && m->rows[r].env == k) r++;
        status = freeze_environment(m, k, first, r, fault, error);
        if (status) return status;
    }
    status = find_dead_ends(m, fault, error);
    if (!status && observe_rewards(m)) status = error_memory(error);
    if (status) return status;
    mem_free(m->rows);
    m->rows = NULL;
    m->row_count = m->row_capacity = 0;
    m->finished = true;
    model_check(m);
    return model_join(m, error);
}
