/* io/pomdp.c - a model as a POMDP in Cassandra's format, whose hidden part is the environment; see formats.h.
 *
 * The observation is the state reached and the reward paid on the way, together an arrival. A state of the POMDP is therefore an
 * environment and an arrival, and there are K times as many states as arrivals. Format: A. R. Cassandra, "Input POMDP file format",
 * pomdp-solve.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/formats.h"
#include "mdp/model.h"

typedef struct arrival {
    int state;
    double reward;
} arrival;

static int by_arrival(const void *x, const void *y)
{
    const arrival *a = x, *b = y;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    return (a->reward > b->reward) - (a->reward < b->reward);
}

/* All distinct arrivals, *count of them, owned by the caller; the first one of the initial state is the start of the model. */
static arrival *find_arrivals(const vouch_model *m, int *count)
{
    size_t n = 1, kept = 0;
    for (int k = 0; k < m->K; k++) n += (size_t)m->env[k].start[m->pairs];
    n += (size_t)m->S; /* where nothing can be done one stays, for nothing */
    arrival *list = MEM_NEW(arrival, n);
    if (!list) return NULL;
    n = 0;
    list[n++] = (arrival){m->s0, 0};
    for (int s = 0; s < m->S; s++)
        if (m->pair_start[s] == m->pair_start[s + 1]) list[n++] = (arrival){s, 0};
    for (int k = 0; k < m->K; k++)
        for (int o = 0; o < m->env[k].start[m->pairs]; o++) list[n++] = (arrival){m->env[k].next[o], m->env[k].reward[o]};
    qsort(list, n, sizeof *list, by_arrival);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || by_arrival(&list[kept - 1], &list[i]) != 0) list[kept++] = list[i];
    *count = (int)kept;
    return list;
}

static int arrival_number(const arrival *list, int count, int state, double reward)
{
    const arrival wanted = {state, reward}, *at = bsearch(&wanted, list, (size_t)count, sizeof *list, by_arrival);
    return at ? (int)(at - list) : -1;
}

/* A name inside a comment, which ends with its line. */
static void add_comment(text *t, const char *name)
{
    for (; *name; name++) text_add_bytes(t, (unsigned char)*name < ' ' ? " " : name, 1);
}

static void add_names(const vouch_model *m, const arrival *list, int count, text *t)
{
    char number[32];
    text_add(t, "# vouch: ");
    add_comment(t, m->name);
    text_add(t, ", horizon %d. State k * %d + i: environment k, arrival i. An action that a state lacks acts as its first.\n", m->T,
             count);
    for (int k = 0; k < m->K; k++) {
        text_add(t, "# environment %d: ", k);
        add_comment(t, m->env_name[k]);
        text_add(t, "\n");
    }
    for (int a = 0; a < m->A; a++) {
        text_add(t, "# action %d: ", a);
        add_comment(t, m->action_name[a]);
        text_add(t, "\n");
    }
    for (int i = 0; i < count; i++) {
        int s = list[i].state;
        text_add(t, "# arrival %d: reward %s, actions", i, text_number(list[i].reward, number));
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) text_add(t, " %d", m->pair_action[q]);
        text_add(t, ", state ");
        add_comment(t, m->state_name[s]);
        text_add(t, "\n");
    }
}

static void add_transitions(const vouch_model *m, const arrival *list, int count, text *t)
{
    char number[32];
    for (int a = 0; a < m->A; a++)
        for (int k = 0; k < m->K; k++)
            for (int i = 0; i < count; i++) {
                int s = list[i].state, q = model_pair(m, s, a), from = k * count + i;
                if (q < 0) q = m->pair_start[s];
                if (m->pair_start[s] == m->pair_start[s + 1]) {
                    text_add(t, "T: %d : %d : %d 1\n", a, from, k * count + arrival_number(list, count, s, 0));
                    continue;
                }
                const mdp *e = &m->env[k];
                for (int o = e->start[q]; o < e->start[q + 1]; o++)
                    text_add(t, "T: %d : %d : %d %s\n", a, from, k * count + arrival_number(list, count, e->next[o], e->reward[o]),
                             text_number(e->prob[o], number));
            }
}

/* Such a file has some gigabytes, too many for the readers of the format. */
#define MOST_LINES 1e8

vouch_status pomdp_write(const vouch_model *m, const char *path, vouch_error *error)
{
    int count = 0;
    char number[32];
    text t = {0};
    if (m->observed == VOUCH_OBSERVE_STATES)
        return error_set(
            error, VOUCH_ERROR_INPUT,
            "%s: the observations of a POMDP file include the rewards, which this model does not observe; expected another "
            "format",
            path);
    arrival *list = find_arrivals(m, &count);
    if (!list) return error_memory(error);
    if ((double)m->K * count * m->A > MOST_LINES) {
        mem_free(list);
        return error_set(error, VOUCH_ERROR_INPUT,
                         "%s: a POMDP file has a line for each action in each state, here more than %g; expected another format",
                         path, MOST_LINES);
    }
    add_names(m, list, count, &t);
    text_add(&t, "discount: 1\nvalues: reward\nstates: %d\nactions: %d\nobservations: %d\nstart:", m->K * count, m->A, count);
    int first = arrival_number(list, count, m->s0, 0);
    for (int i = 0; i < m->K * count; i++) text_add(&t, " %s", i % count == first ? text_number(1.0 / m->K, number) : "0");
    text_add(&t, "\n\n");
    add_transitions(m, list, count, &t);
    for (int i = 0; i < m->K * count; i++) text_add(&t, "O: * : %d : %d 1\n", i, i % count);
    for (int i = 0; i < m->K * count; i++)
        if (list[i % count].reward != 0) text_add(&t, "R: * : * : %d : * %s\n", i, text_number(list[i % count].reward, number));
    vouch_status status = text_write(&t, path, error);
    mem_free(list);
    return status;
}
