/* mdp/model.c - models: sizes, names, the commitment, rows (mdp/finish.c freezes them), reading, changes. After finish a joined
 * model (mdp/model.h) is computed again from the user's. */
#include "mdp/model.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "mdp/tolerance.h"

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
    m->rows[m->row_count] = (model_row){environment, state, action, next, probability, reward, m->row_count};
    m->row_count++;
    return VOUCH_OK;
}

int model_pair(const vouch_model *m, int state, int action)
{
    for (int q = m->pair_start[state]; q < m->pair_start[state + 1]; q++)
        if (m->pair_action[q] == action) return q;
    return -1;
}

int model_lower_bound(const int a[], int low, int high, int x)
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

void mdp_free(mdp *e) { MEM_FREE_ALL(e->start, e->next, e->prob, e->reward, e->seen, e->expected, e->earned); }

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
    label_free_all(m);
    if (m->env)
        for (int k = 0; k < m->K; k++) mdp_free(&m->env[k]);
    MEM_FREE_ALL(m->env, m->pair_start, m->pair_action, m->rows);
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

static void release(const vouch_model *m, model_label *l)
{
    mem_free(l->name);
    for (int k = 0; k < m->K && l->in; k++) mem_free(l->in[k].state);
    mem_free(l->in);
}

void label_free_all(vouch_model *m)
{
    for (int i = 0; i < m->labels; i++) release(m, &m->label[i]);
    mem_free(m->label);
    intern_free(&m->label_numbers);
    m->label = NULL;
    m->labels = 0;
}

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

vouch_status observe_rewards(vouch_model *m)
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
