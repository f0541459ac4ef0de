/* policy/record.c - see record.h. */
#include "policy/record.h"

/* Sets of environments are omitted if they have more members in all, in the first plan and in others. */
enum { MOST_MEMBERS = 20000, MOST_MEMBERS_OF_PART = 1000 };
static const double SEEN = 1e-9; /* smaller masses are omitted */

void record_place(vouch_trace *t, const char *name, const know_graph *g, int node)
{
    int boundary = g->boundary[node];
    int place[] = {know_time(g, node), know_state(g, node), g->set[node], boundary < 0 ? -1 : know_state(g, boundary)};
    trace_ints(t, name, place, 4);
}

int record_option(const policy_space *space, int node, int option)
{
    option_range at = options_of(space, node);
    return at.vectors ? -1 - (option - at.first) : space->g->m->pair_action[space->g->choice_pair[option]];
}

static void add_sets(vouch_trace *t, const know_graph *g)
{
    if (g->member_start[g->sets.count] > (t->part ? MOST_MEMBERS_OF_PART : MOST_MEMBERS)) return;
    trace_list(t, "sets");
    for (int set = 0; set < g->sets.count; set++)
        trace_ints(t, NULL, g->member + g->member_start[set], g->member_start[set + 1] - g->member_start[set]);
    trace_list_end(t);
}

void record_tree(vouch_trace *t, const policy_space *space, const tree_record *tree)
{
    const know_graph *g = space->g;
    if (!trace_open(t, TRACE_NOTE, 0, "tree")) return;
    trace_word(t, "kind", tree->kind);
    trace_word(t, "goal", tree->total ? "total" : "maximum");
    trace_word(t, "why", tree->why);
    trace_int(t, "first", tree->first);
    trace_int(t, "L", g->L);
    trace_int(t, "places", g->time_start[g->T]);
    trace_int(t, "choices", g->choices);
    if (space->c) trace_int(t, "classes", space->c->classes);
    trace_int(t, "exact", !space->c || space->c->cut > g->T);
    trace_real(t, "spread", g->m->scale.spread);
    trace_real(t, "least", g->m->scale.least);
    trace_reals(t, "optimal", space->optimal, space->K);
    trace_reals(t, "accepted", space->accepted, space->K);
    add_sets(t, g);
    trace_close(t);
}

/* Writes a policy node that the mixture uses with more than one option (split) or with exactly one. */
static bool add_masses(vouch_trace *t, const policy_space *space, const double mass[], int node, bool split)
{
    option_range at = options_of(space, node);
    int used = 0;
    for (int o = at.first; o < at.last; o++) used += mass[o] > SEEN;
    if (used == 0 || (used > 1) != split) return false;
    trace_list(t, NULL);
    record_place(t, NULL, space->g, node);
    for (int o = at.first; o < at.last; o++) {
        if (mass[o] <= SEEN) continue;
        trace_int(t, NULL, record_option(space, node, o));
        trace_real(t, NULL, mass[o]);
    }
    trace_list_end(t);
    return true;
}

void record_masses(vouch_trace *t, const policy_space *space, const double mass[], int most)
{
    trace_list(t, "mass");
    for (int split = 1; split >= 0; split--)
        for (int node = 0; node < space->g->time_start[space->g->T] && most > 0; node++)
            most -= add_masses(t, space, mass, node, split);
    trace_list_end(t);
}
