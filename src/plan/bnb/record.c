/* plan/bnb/record.c - see record.h. */
#include "plan/bnb/record.h"

#include <math.h>
#include <stdio.h>

/* Masses of a mixture: policy nodes listed at most, at a root and elsewhere, those that are used in more than one way first; and
 * the least mass that counts. */
enum { ROOT_PLACES = 400, PLACES = 40 };
static const double SEEN = 1e-9;
/* Members of all sets of environments, and pairs of an environment, that are still listed. */
enum { MOST_MEMBERS = 20000, MOST_STEPS = 64 };

/* Roots are always kept. */
static trace_kind kind_of(const tree_node *n, trace_kind kind) { return n->parent ? kind : TRACE_NOTE; }

static void add_place(vouch_trace *t, const char *name, const know_graph *g, int node)
{
    int boundary = g->boundary[node];
    int place[] = {know_time(g, node), g->state[node], g->set[node], boundary < 0 ? -1 : g->state[boundary]};
    trace_ints(t, name, place, 4);
}

static int option_name(const policy_space *space, int node, int option)
{
    option_range at = options_of(space, node);
    return at.vectors ? -1 - (option - at.first) : space->g->m->pair_action[space->g->choice_pair[option]];
}

static void add_sets(vouch_trace *t, const know_graph *g)
{
    if (g->member_start[g->sets.count] > MOST_MEMBERS) return;
    trace_list(t, "sets");
    for (int set = 0; set < g->sets.count; set++)
        trace_ints(t, NULL, g->member + g->member_start[set], g->member_start[set + 1] - g->member_start[set]);
    trace_list_end(t);
}

void record_tree(vouch_trace *t, const policy_space *space, master_goal goal, long long first_id, const char *why)
{
    const know_graph *g = space->g;
    if (!trace_open(t, TRACE_NOTE, 0, "tree")) return;
    trace_word(t, "goal", goal == MASTER_TOTAL_REGRET ? "total" : "maximum");
    trace_word(t, "why", why);
    trace_int(t, "first", first_id);
    trace_int(t, "L", g->L);
    trace_int(t, "places", g->time_start[g->T]);
    trace_int(t, "choices", g->choices);
    trace_int(t, "classes", space->c->classes);
    trace_int(t, "exact", space->c->cut > g->T);
    trace_real(t, "spread", g->m->scale.spread);
    trace_real(t, "least", g->m->scale.least);
    trace_reals(t, "optimal", space->optimal, space->K);
    trace_reals(t, "accepted", space->accepted, space->K);
    add_sets(t, g);
    trace_close(t);
}

void record_begin(node_solver *s, const tree_node *n)
{
    bool wanted = !n->parent || trace_keeps(s->options->trace, TRACE_DETAIL, n->id - 1);
    s->colgen->trace = s->options->trace;
    s->colgen->watched = trace_on(s->options->trace) && wanted ? n->id : 0;
}

/* One policy node of the mixture, if it is used at all and, with `split`, in more than one way. */
static bool add_masses(vouch_trace *t, const node_solver *s, int node, bool split)
{
    const policy_space *space = s->colgen->space;
    const double *mass = s->colgen->mass;
    option_range at = options_of(space, node);
    int used = 0;
    for (int o = at.first; o < at.last; o++) used += mass[o] > SEEN;
    if (used == 0 || (used > 1) != split) return false;
    trace_list(t, NULL);
    add_place(t, NULL, space->g, node);
    for (int o = at.first; o < at.last; o++) {
        if (mass[o] <= SEEN) continue;
        trace_int(t, NULL, option_name(space, node, o));
        trace_real(t, NULL, mass[o]);
    }
    trace_list_end(t);
    return true;
}

void record_mixture(node_solver *s, const tree_node *n, bool disagreement)
{
    const colgen *cg = s->colgen;
    const know_graph *g = cg->space->g;
    vouch_trace *t = s->options->trace;
    s->colgen->watched = 0;
    trace_count(t, TALLY_mixtures_asked, 1);
    if (!trace_open(t, kind_of(n, TRACE_DETAIL), n->id - 1, "mixture")) return;
    trace_int(t, "id", n->id);
    trace_reals(t, "weight", cg->weight, cg->space->K);
    trace_reals(t, "mu", cg->mu, cg->space->K);
    trace_real(t, "bound", cg->bound);
    trace_real(t, "value", cg->mixture);
    trace_int(t, "columns", cg->count);
    if (disagreement) {
        int left = n->parent ? PLACES : ROOT_PLACES;
        trace_list(t, "mass");
        for (int split = 1; split >= 0; split--)
            for (int node = 0; node < g->time_start[g->T] && left > 0; node++) left -= add_masses(t, s, node, split);
        trace_list_end(t);
    }
    trace_close(t);
}

static void add_steps(vouch_trace *t, const pair_bound *pairs)
{
    trace_list(t, "steps");
    for (int k = 0; k < pairs->space->K; k++) {
        const know_pairs *p = pairs->of[k];
        trace_list(t, NULL);
        for (int i = 0; i < p->count[0] && i < MOST_STEPS && !isnan(pairs->loss[k]); i++) {
            trace_real(t, NULL, p->set[i].u);
            trace_real(t, NULL, p->set[i].q);
        }
        trace_list_end(t);
    }
    trace_list_end(t);
}

void record_pairs(const node_solver *s, const tree_node *n)
{
    vouch_trace *t = s->options->trace;
    trace_count(t, TALLY_pairs_asked, 1);
    trace_count(t, TALLY_pairs_led, n->source[SOURCE_PAIRS].bound > n->source[SOURCE_MIXTURE].bound);
    if (!trace_open(t, kind_of(n, TRACE_DETAIL), n->id - 1, "pairs")) return;
    trace_int(t, "id", n->id);
    trace_int(t, "hardest", s->pairs->hardest);
    trace_reals(t, "loss", s->pairs->loss, s->pairs->space->K);
    if (!n->parent) add_steps(t, s->pairs);
    trace_close(t);
}

static void add_decision(vouch_trace *t, const policy_space *space, const decision *d)
{
    if (d->node < 0) return;
    add_place(t, "at", space->g, d->node);
    if (d->option >= 0) {
        trace_int(t, "do", option_name(space, d->node, d->option));
        return;
    }
    trace_list(t, "split"); /* of value vectors: which figure, of which environment, where, which side */
    trace_int(t, NULL, d->coordinate >= space->K);
    trace_int(t, NULL, d->coordinate % space->K);
    trace_real(t, NULL, d->threshold);
    trace_int(t, NULL, d->above);
    trace_list_end(t);
}

static trace_tally tally_of(const tree_node *n, const node_record *r)
{
    switch (r->end) {
    case VOUCH_NODE_BRANCHED:
        return TALLY_divided;
    case VOUCH_NODE_BOUND:
        if (r->pruned) return TALLY_unseen;
        return n->source[SOURCE_PAIRS].bound > n->source[SOURCE_MIXTURE].bound ? TALLY_by_pairs : TALLY_by_bound;
    case VOUCH_NODE_INFEASIBLE:
        return TALLY_empty;
    case VOUCH_NODE_INTEGER:
        return TALLY_solved;
    case VOUCH_NODE_LIMIT:
        break;
    }
    return TALLY_unfinished;
}

static void add_node(vouch_trace *t, const policy_space *space, const tree_node *n, const node_record *r)
{
    trace_count(t, tally_of(n, r), 1);
    trace_count(t, TALLY_given_up, n->fixed_count);
    if (!trace_open(t, TRACE_NODE, 0, "node")) return;
    trace_int(t, "id", n->id);
    trace_int(t, "up", n->parent ? n->parent->id : 0);
    add_decision(t, space, &n->made);
    trace_real(t, "b", n->bound);
    trace_real(t, "mix", n->source[SOURCE_MIXTURE].bound);
    trace_real(t, "pure", n->source[SOURCE_PAIRS].bound);
    trace_real(t, "inc", r->best);
    trace_int(t, "end", r->end);
    if (r->pruned) trace_int(t, "unseen", 1);
    if (r->children) trace_int(t, "children", r->children);
    if (n->fixed_count) trace_int(t, "given_up", n->fixed_count);
    trace_int(t, "w", r->work);
    trace_close(t);
}

void record_node(const search_options *o, const policy_space *space, const tree_node *n, const node_record *r)
{
    const know_graph *g = space->g;
    add_node(o->trace, space, n, r);
    if (!o->on_node) return;
    vouch_search_node out = {.id = n->id,
                             .parent = n->parent ? n->parent->id : 0,
                             .depth = n->depth,
                             .bound = n->bound,
                             .end = r->end,
                             .incumbent = r->best,
                             .time = -1,
                             .state = -1,
                             .action = -1};
    if (n->made.node >= 0) {
        out.time = know_time(g, n->made.node);
        out.state = g->state[n->made.node];
        if (n->made.option >= 0) out.action = g->m->pair_action[g->choice_pair[n->made.option]];
    }
    o->on_node(o->on_node_context, &out);
}

static void add_moment(vouch_trace *t, const search_state *s)
{
    if (!trace_open(t, TRACE_MOMENT, s->nodes, "moment")) return;
    trace_int(t, "n", s->nodes);
    trace_int(t, "w", s->work);
    trace_real(t, "b", s->bound);
    trace_real(t, "inc", s->best);
    trace_close(t);
}

void record_state(const search_options *o, const policy_space *space, const search_state *s)
{
    double spread = space->m->scale.spread;
    char best[32] = "none";
    add_moment(o->trace, s);
    if (!s->news && !log_due(s->nodes)) return;
    if (isfinite(s->best)) snprintf(best, sizeof best, "%.9g", spread * s->best);
    log_line(&o->log, VOUCH_LOG_INFO, "%9lld %9lld  %14s  %14.9g  %10lld  %7.1f", s->nodes, s->open, best, spread * s->bound,
             s->work, clock_seconds() - o->limit.start);
}
