/* plan/search/record.c - see record.h. */
#include "plan/search/record.h"

#include "base/memory.h"
#include "base/text.h"

/* Limits on listed policy nodes of a mixture, at a root and elsewhere, and on listed pairs of an environment. */
enum { ROOT_PLACES = 400, PLACES = 40, MOST_STEPS = 64 };
/* Smaller bounds are logged as 0: the tolerance of the promise is worth as much. */
static const double NOTHING = 1e-7;

/* Roots are always kept; of several plans only the first root, since plans may be many. */
static trace_kind kind_of(const vouch_trace *t, const tree_node *n)
{
    return n->parent || (t && t->part) ? TRACE_DETAIL : TRACE_NOTE;
}
static long long key_of(const vouch_trace *t, const tree_node *n) { return n->id - 1 + (t ? t->part : 0); }

void record_begin(node_solver *s, const tree_node *n)
{
    vouch_trace *t = s->options->trace;
    bool wanted = kind_of(t, n) == TRACE_NOTE || trace_keeps(t, TRACE_DETAIL, key_of(t, n));
    s->colgen->mix.trace = t;
    s->colgen->watched = trace_on(t) && wanted ? n->id : 0;
}

typedef struct mixture_record {
    trace_kind kind;
    long long key, id; /* id: of the node */
    int places;        /* limit on listed policy nodes; 0: masses are not known */
} mixture_record;

static void add_mixture(vouch_trace *t, const colgen *cg, const mixture_record *r, const double mass[])
{
    trace_count(t, TALLY_mixtures_asked, 1);
    if (!trace_open(t, r->kind, r->key, "mixture")) return;
    trace_int(t, "id", r->id);
    trace_reals(t, "weight", cg->weight, cg->space->K);
    trace_reals(t, "mu", cg->mix.mu, cg->space->K);
    trace_real(t, "bound", cg->bound);
    trace_real(t, "value", cg->mixture);
    trace_int(t, "columns", cg->count);
    if (r->places) record_masses(t, cg->space, mass, r->places);
    trace_close(t);
}

void record_mixture(node_solver *s, const tree_node *n, bool disagreement)
{
    vouch_trace *t = s->options->trace;
    mixture_record r = {kind_of(t, n), key_of(t, n), n->id, !disagreement ? 0 : n->parent ? PLACES : ROOT_PLACES};
    s->colgen->watched = 0;
    add_mixture(t, s->colgen, &r, s->colgen->mass);
}

void record_alone(vouch_trace *t, colgen *cg, const char *why)
{
    if (!t) return;
    record_tree(t, cg->space, &(tree_record){"history", false, why, 1});
    cg->mix.trace = t;
    cg->watched = 1;
    cg->alone = true;
}

vouch_status record_alone_end(vouch_trace *t, colgen *cg)
{
    const know_classes *c = cg->space->c;
    if (!trace_on(t)) {
        trace_count(t, TALLY_mixtures_asked, 1);
        return VOUCH_OK;
    }
    double *mass = MEM_ZERO(double, c->options);
    if (!mass) return VOUCH_ERROR_MEMORY;
    bool mixed = cg->mixture < INFINITY;
    if (mixed) colgen_mass(cg);
    for (int slot = 0; slot < c->slots && mixed && cg->by_slot; slot++) mass[c->slot_option[slot]] += cg->mass[slot];
    mixture_record r = {t->part ? TRACE_DETAIL : TRACE_NOTE, t->part, 1, mixed ? ROOT_PLACES : 0};
    add_mixture(t, cg, &r, cg->by_slot ? mass : cg->mass);
    mem_free(mass);
    return VOUCH_OK;
}

static void add_steps(vouch_trace *t, const pareto_bound *pairs)
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
    if (!trace_open(t, kind_of(t, n), key_of(t, n), "pairs")) return;
    trace_int(t, "id", n->id);
    trace_int(t, "hardest", s->pairs->hardest);
    trace_reals(t, "loss", s->pairs->loss, s->pairs->space->K);
    if (!n->parent) add_steps(t, s->pairs);
    trace_close(t);
}

static void add_decision(vouch_trace *t, const policy_space *space, const decision *d)
{
    if (d->node < 0) return;
    record_place(t, "at", space->g, d->node);
    if (d->option >= 0) {
        trace_int(t, "do", record_option(space, d->node, d->option));
        return;
    }
    trace_list(t, "split"); /* of value vectors: Pr or U, environment, threshold, side */
    trace_int(t, NULL, d->coordinate >= space->K);
    trace_int(t, NULL, d->coordinate % space->K);
    trace_real(t, NULL, d->threshold);
    trace_int(t, NULL, d->above);
    trace_list_end(t);
}

static void add_node(vouch_trace *t, const policy_space *space, const tree_node *n, const node_record *r)
{
    bool pairs = n->source[SOURCE_PAIRS].bound > n->source[SOURCE_MIXTURE].bound;
    trace_tally end = trace_tally_of(r->end);
    if (end == TALLY_by_bound) end = r->pruned ? TALLY_unseen : pairs ? TALLY_by_pairs : end;
    trace_count(t, end, 1);
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
    char best[32] = "none", bound[32] = "none left";
    add_moment(o->trace, s);
    if (s->news < 0 || (s->news == 0 && !log_due(s->nodes))) return;
    if (isfinite(s->best)) format_text(best, sizeof best, "%.9g", spread * s->best);
    if (isfinite(s->bound)) format_text(bound, sizeof bound, "%.9g", fabs(s->bound) < NOTHING ? 0 : spread * s->bound);
    log_line(&o->log, VOUCH_LOG_INFO, "%9lld %9lld  %14s  %14s  %10lld  %7.1f", s->nodes, s->open, best, bound, s->work,
             clock_seconds() - o->limit.start);
}
