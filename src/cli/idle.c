/* cli/idle.c - see idle.h. Environments whose names differ in the value of one constant alone are compared, each with the first
 * such one. O(K^2) names, and K environments for each constant. */
#include "cli/idle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "io/formats.h"

enum { MOST = 256 };                 /* environments */
static const double SAME = 1e-9;     /* relatively: of rewards that are one observation */
static const double WORK_MOST = 2e7; /* pairs of a state and an action, in all environments */

/* The part a=0 of a name a=0,b=1 for a; NULL: there is none. length: of all of it. */
static const char *find_part(const char *name, const char *constant, size_t letters, size_t *length)
{
    for (const char *s = name; *s; s += *length + (s[*length] == ',')) {
        *length = strcspn(s, ",");
        if (*length > letters && strncmp(s, constant, letters) == 0 && s[letters] == '=') return s;
    }
    return NULL;
}

/* Do the names differ in the value of the constant, and in nothing else? */
static bool differ_there(const char *a, const char *b, const char *constant, size_t letters)
{
    size_t n, m;
    const char *x = find_part(a, constant, letters, &n), *y = find_part(b, constant, letters, &m);
    return x && y && (n != m || strncmp(x, y, n) != 0) && x - a == y - b && strncmp(a, b, (size_t)(x - a)) == 0 &&
           strcmp(x + n, y + m) == 0;
}

static bool same_environments(const vouch_model *m, int j, int k)
{
    for (int s = 0; s < vouch_model_states(m); s++) {
        for (int a = 0; a < vouch_model_actions(m); a++) {
            vouch_transitions x, y;
            vouch_model_get_transitions(m, j, s, a, &x);
            vouch_model_get_transitions(m, k, s, a, &y);
            if (x.count != y.count) return false;
            for (int i = 0; i < x.count; i++)
                if (x.next[i] != y.next[i] || x.probability[i] != y.probability[i] || x.reward[i] != y.reward[i]) return false;
        }
        for (int p = 0; p < vouch_model_promises(m); p++)
            if (vouch_model_is_promised(m, p, j, s) != vouch_model_is_promised(m, p, k, s)) return false;
    }
    return true;
}

/* How many values the constant has, where they all give the same environments; 0: not. */
static int count_idle(const vouch_model *m, const char *constant, size_t letters)
{
    int K = vouch_model_environments(m), values = 1;
    for (int k = 1; k < K; k++) {
        int first = 0;
        while (first < k &&
               !differ_there(vouch_model_environment_name(m, first), vouch_model_environment_name(m, k), constant, letters))
            first++;
        if (first < k && !same_environments(m, first, k)) return 0;
        values += first == 0;
    }
    return values > 1 ? values : 0;
}

void idle_constants_tell(const vouch_model *m)
{
    int K = vouch_model_environments(m);
    if (K < 2 || K > MOST || (double)K * vouch_model_states(m) * vouch_model_actions(m) > WORK_MOST) return;
    const char *name = vouch_model_environment_name(m, 0);
    for (size_t n; *name; name += n + (name[n] == ',')) {
        n = strcspn(name, ",");
        size_t letters = strcspn(name, "=");
        int values = letters < n ? count_idle(m, name, letters) : 0;
        if (values)
            report_note("note: the %d values of the constant %.*s give the same environments; within %d steps it changes nothing",
                        values, (int)letters, name, vouch_model_horizon(m));
    }
}

void idle_promises_tell(const vouch_model *m)
{
    int K = vouch_model_environments(m), initial = vouch_model_first_time(m) < 0 ? -1 : vouch_model_initial(m);
    for (int j = 0; j < vouch_model_promises(m) && initial >= 0; j++) {
        vouch_promise p;
        int k = 0;
        vouch_model_get_promise(m, j, &p);
        while (p.kind == VOUCH_PROMISE_BY && k < K && vouch_model_is_promised(m, j, k, initial)) k++;
        if (k == K)
            report_note("note: every policy keeps the promise %s at step 0: the initial state is one of its states", p.name);
    }
}

void idle_promise_tell(const vouch_model *m, const char *path)
{
    file_kind kind;
    vouch_error error = {0};
    if (vouch_model_has_list(m) || vouch_model_probability(m) > 0) return;
    if (recognise_path(path, &kind, &error) || kind == FILE_MODEL) return;
    report_note("note: no promise; --commit STATES -p P promises to be in one of these states at the horizon");
}

static bool has_reward(const vouch_model *m)
{
    double pairs = 0;
    for (int k = 0; k < vouch_model_environments(m); k++)
        for (int s = 0; s < vouch_model_states(m); s++)
            for (int a = 0; a < vouch_model_actions(m); a++) {
                vouch_transitions t;
                vouch_model_get_transitions(m, k, s, a, &t);
                for (int i = 0; i < t.count; i++)
                    if (t.reward[i] != 0) return true;
                if (++pairs > WORK_MOST) return true; /* nothing is said where looking takes too long */
            }
    return false;
}

static void tell_rewards(const vouch_model *m, const char *path)
{
    text list = {0};
    if (has_reward(m)) return;
    int count = path ? about_rewards(path, &list) : 0;
    if (count > 1 && list.data)
        report_note("note: no rewards: the file has %d reward structures; choose one: --reward %s", count, list.data);
    else
        report_note("note: every reward is 0, so all policies that keep the promises are equally good");
    text_free(&list);
}

void idle_model_tell(const vouch_model *m, const char *path)
{
    tell_rewards(m, path);
    if (vouch_model_environments(m) == 1)
        report_note("note: only one environment, so no model uncertainty; the regret is the loss due to the policy class");
}

/* Are the outcomes of an action in state s, and if they are seen the rewards, the same in environments 0 and k? */
static bool looks_alike(const vouch_model *m, int k, int s, int a)
{
    vouch_transitions x, y;
    bool paid = vouch_model_observed(m) != VOUCH_OBSERVE_STATES;
    vouch_model_get_transitions(m, 0, s, a, &x);
    vouch_model_get_transitions(m, k, s, a, &y);
    bool alike = x.count == y.count;
    for (int i = 0; i < x.count && alike; i++)
        alike = x.next[i] == y.next[i] &&
                (!paid || fabs(x.reward[i] - y.reward[i]) <= SAME * fmax(1, fmax(fabs(x.reward[i]), fabs(y.reward[i]))));
    return alike;
}

/* Marks what follows the states of `now` in `next`; false: an environment may be told there. */
static bool step(const vouch_model *m, const bool now[], bool next[])
{
    for (int s = 0; s < vouch_model_states(m); s++)
        for (int a = 0; a < vouch_model_actions(m) && now[s]; a++) {
            vouch_transitions t;
            for (int k = 1; k < vouch_model_environments(m); k++)
                if (!looks_alike(m, k, s, a)) return false;
            vouch_model_get_transitions(m, 0, s, a, &t);
            for (int i = 0; i < t.count; i++) next[t.next[i]] = true;
        }
    return true;
}

void idle_lookahead_tell(const vouch_model *m, int L)
{
    size_t S = (size_t)vouch_model_states(m);
    double work = (double)L * vouch_model_environments(m) * vouch_model_states(m) * vouch_model_actions(m);
    if (L < 1 || vouch_model_environments(m) < 2 || work > WORK_MOST || vouch_model_first_time(m) < 0) return;
    bool *now = MEM_ZERO(bool, 2 * S), *next = now ? now + S : NULL, alike = now;
    for (int t = 0; t < L && alike; t++) {
        if (t == 0) now[vouch_model_initial(m)] = true;
        alike = step(m, now, next);
        for (size_t s = 0; s < S; s++) now[s] = now[s] || next[s];
    }
    mem_free(now);
    if (alike)
        report_note("note: no observation within %d step%s rules out an environment, so L = %d adds only the state at step %d", L,
                    L == 1 ? "" : "s", L, L);
}
