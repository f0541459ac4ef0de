/* plan/relax/levels.c - the race of levels for the largest bound at equal work:
 *
 *     known = max over levels of their bounds;  a round gives each level  RELAX.race_work * RELAX.more_work^round  and keeps half
 *
 * Successive halving over searches with a common incumbent, so a policy found on one level prunes the trees of all. With few
 * classes there is one level, tried with and without value vectors. Cost: a small multiple of the best level's
 * (plan/relax/levels.h). Invariant: counts of work decide, never time, so results repeat.
 */
#include "plan/relax/levels.h"

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/heuristic/initial.h"
#include "plan/search/node.h"
#include "policy/parameters.h"

/* A search over Markov policies beside a search over L-updates policies, L > 0.
 *
 * A Markov policy is an L-updates policy for every L, and its tree is smaller. So a long search with L > 0 under a limit gives a
 * share of its work to a tree of L = 0 and is offered its policies: a deeper plan is no worse than a shallower one with that share.
 */
typedef struct shallower {
    plan_call *call;
    const policy_space *deeper;
    search_options *deeper_options;
    double done, next;  /* work of the deeper search: now, and at the next turn */
    policy_space space; /* of L = 0; made in the first turn, like all fields below */
    incumbent *inc;
    colgen *cg;
    tree_search *tree;
    search_options options;
    search_result result;
    double unit; /* work of an induction */
    double told; /* regret of the last offered policy */
    int in_vain; /* turns since then */
    bool over;
} shallower;

static double induction_work(const know_classes *c) { return know_induction_work(c) + RELAX.master_work; }

/* Without a limit the deeper search runs until its policy is proved optimal. */
static bool is_limited(const vouch_limits *l) { return l->seconds > 0 || l->nodes > 0 || l->iterations > 0; }

/* Beside searches over `space` with these options, whose limit of inductions it shares. *out NULL: not useful, since L = 0, the
 * best Markov policy is known, or no limit ends the search before its proof. */
static vouch_status shallower_new(plan_call *call, const policy_space *space, search_options *so, shallower **out)
{
    *out = NULL;
    if (space->g->L == 0 || call->task || call->markov_searched || !is_limited(&call->limit.limits)) return VOUCH_OK;
    shallower *s = MEM_NEW(shallower, 1);
    if (!s) return VOUCH_ERROR_MEMORY;
    *s = (shallower){.call = call, .deeper = space, .deeper_options = so, .told = INFINITY};
    s->next = RELAX.shallow_first;
    search_options_init(&s->options);
    s->options.gap = so->gap;
    s->options.seed = so->seed;
    s->options.without = so->without;
    *out = s;
    return VOUCH_OK;
}

static void shallower_free(shallower *s)
{
    if (!s) return;
    search_end(s->tree);
    colgen_free(s->cg);
    incumbent_free(s->inc);
    space_free(&s->space);
    mem_free(s);
}

/* The policies of L = 0, initial incumbents, and the root of their tree. */
static vouch_status begin(shallower *s)
{
    const policy_space *like = s->deeper;
    const deadline *limit = &s->call->limit;
    space_options so = plan_space_options(s->call, 0);
    so.p = like->p;
    so.averages = &like->averages;
    so.floor = like->floor;
    so.tolerance = like->tolerance;
    so.alike = like;
    so.enough = like->enough;
    so.cutoff = like->cutoff;
    so.limit = so.detail = limit;
    so.class_limit = LADDER_CLASSES;
    if (!part_off(s->options.without, VOUCH_PART_PARETO_VECTORS)) so.pareto_cap = PARETO_CAP;
    vouch_status status = space_make(like->m, &so, &s->space, NULL);
    if (!status) status = incumbent_new(&s->space, &s->inc);
    if (!status) status = colgen_new(&s->space, &s->cg);
    if (status) return status;
    s->inc->limit = limit;
    s->options.limit = *limit;
    s->options.limit.limits.nodes = s->options.limit.limits.iterations = 0;
    s->unit = fmax(induction_work(s->space.c), RELAX.shallow_unit * induction_work(like->c));
    status = initial_single_environments(s->inc, INITIAL_ENVIRONMENTS, limit);
    return status ? status : search_begin(s->cg, s->inc, MASTER_MAX_REGRET, &s->options, &s->result, &s->tree);
}

static vouch_status turn(shallower *s, incumbent *inc)
{
    long long before = s->result.inductions;
    s->options.most_inductions = (long long)(RELAX.shallow_share / (1 + s->in_vain) * s->done / s->unit);
    if (s->options.most_inductions <= before) return VOUCH_OK;
    vouch_status status = search_continue(s->tree);
    deadline_use(&s->call->limit, 0, s->result.inductions - before);
    if (s->call->limit.limits.iterations > 0) deadline_use(&s->deeper_options->limit, 0, s->result.inductions - before);
    s->over = !s->result.limit || s->result.bound >= incumbent_cutoff(inc, s->options.gap);
    s->in_vain++;
    if (status || !s->inc->found || incumbent_value(s->inc) >= s->told) return status;
    s->in_vain = 0;
    s->told = incumbent_value(s->inc);
    status = lift_offer(inc, s->inc);
    log_line(&s->call->options->log, VOUCH_LOG_DETAIL, "Markov policies beside it: regret %.10g; the best is %.10g now",
             s->call->m->scale.spread * s->told, s->call->m->scale.spread * incumbent_value(inc));
    return status;
}

/* For search_options.beside: at its turn, searches Markov policies and offers the best to inc. */
static vouch_status shallower_beside(void *shallow, const policy_space *space, long long inductions, incumbent *inc)
{
    shallower *s = shallow;
    s->done += (double)inductions * induction_work(space->c);
    if (s->over || s->done < s->next || deadline_expired(&s->call->limit)) return VOUCH_OK;
    s->next = RELAX.shallow_growth * s->done;
    vouch_status status = s->tree ? VOUCH_OK : begin(s);
    if (!status) status = turn(s, inc);
    s->over |= status != VOUCH_OK;
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status;
}

/* Limits on classes of the coarser levels. */
static const long long LEVELS[] = {1000, 100};

static long long inductions_for(const policy_search *s, double work)
{
    return (long long)(work / (know_induction_work(s->space.c) + RELAX.master_work));
}

/* Is a limit reached? */
static bool worked_enough(const plan_call *call) { return deadline_used_up(&call->limit) || deadline_expired(&call->limit); }

/* Starts or resumes a search, with at most most_nodes nodes and most_inductions inductions (0: no limit). */
static vouch_status continue_search(relaxation_levels *l, plan_call *call, policy_search *search, incumbent *inc,
                                    search_options *so, long long most_nodes, long long most_inductions)
{
    vouch_policy *policy = call->policy;
    l->last = search;
    so->kept = &search->kept;
    if (worked_enough(call)) {
        search->result.limit = true;
        if (search->result.nodes == 0) search->result.bound = so->floor;
        return VOUCH_OK;
    }
    so->first_id = policy->ids + 1;
    so->limit = deadline_part(&call->limit, most_nodes, most_inductions);
    long long alone = so->alone;
    if (search->result.nodes > alone) so->alone = 0; /* known to be long: starts with the restart */
    vouch_status status = search_shared(search->r, inc, MASTER_MAX_REGRET, so, &search->result);
    so->alone = alone;
    CHECK_COMPARE(search->result.nodes, >=, 0);
    CHECK(!isnan(search->result.bound));
    CHECK(!search->result.infeasible || !inc->found);
    deadline_use(&call->limit, search->result.nodes, search->result.inductions);
    l->raced = fmax(l->raced, search->result.bound);
    l->known = fmax(l->known, l->raced);
    policy->ids = search->result.ids;
    so->determinism = NULL; /* filled by the first root */
    return status;
}

/* Adds a search over the same policies with at most `limit` classes. *out NULL: not a new level or, with `fits`, more classes than
 * that. */
static vouch_status add_level(relaxation_levels *l, const plan_call *call, bool vectors, long long limit, bool fits,
                              policy_search **out)
{
    const policy_space *finest = &l->search[0].space;
    policy_search *s = &l->search[l->count];
    CHECK_COMPARE(l->count, <, MOST_LEVELS);
    *out = NULL;
    *s = (policy_search){.space = *finest};
    if (!vectors) s->space.f = NULL;
    s->space.c = NULL;
    vouch_status status =
        know_classes_new(finest->g, s->space.f, &(class_limits){limit, &call->limit, &call->limit}, &s->space.c, NULL);
    if (status) return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status;
    bool new = !fits || s->space.c->cut > finest->g->T;
    for (int i = 0; i < l->count && new && !fits; i++) new = l->search[i].grown || l->search[i].space.c->cut != s->space.c->cut;
    if (new) status = colgen_new(&s->space, &s->r);
    if (new && !status) {
        l->count++;
        *out = s;
        return VOUCH_OK;
    }
    know_classes_free(s->space.c);
    return status;
}

/* Value vectors replace continuations where transitions are deterministic and mostly shorten the search. If few policy nodes have
 * any, branching on their coordinates is weak, so a long search also tries without them and continues with the better bound. */
static vouch_status search_with_and_without_vectors(relaxation_levels *l, plan_call *call, incumbent *inc, search_options *so)
{
    policy_search *with = &l->search[0], *without;
    bool vectors = with->space.f && with->space.f->vectors > 0;
    vouch_status status = continue_search(l, call, with, inc, so, vectors ? RELAX.trial_nodes : 0, 0);
    so->floor = fmax(so->floor, l->known);
    if (status || !vectors || !with->result.limit || with->result.nodes < RELAX.trial_nodes || worked_enough(call)) return status;
    status = add_level(l, call, false, SPACE_CLASSES, true, &without);
    if (status) return status;
    policy_search *leader = with;
    if (without) {
        status = continue_search(l, call, without, inc, so, RELAX.trial_nodes, 0);
        so->floor = fmax(so->floor, l->known);
        if (status || !without->result.limit || without->result.nodes < RELAX.trial_nodes || worked_enough(call)) return status;
        if (without->result.bound > with->result.bound) leader = without;
        log_line(&call->options->log, VOUCH_LOG_DETAIL, "bound %.10g with value vectors, %.10g without them: the search goes on %s",
                 call->m->scale.spread * with->result.bound, call->m->scale.spread * without->result.bound,
                 leader == with ? "with them" : "without them");
    }
    return continue_search(l, call, leader, inc, so, 0, 0);
}

/* True if the last search finished, or another search's bound has closed its gap. */
static bool ended(relaxation_levels *l, const plan_call *call, const incumbent *inc, const search_options *so)
{
    search_result *result = &l->last->result;
    if (result->limit && !so->proof && inc->found && incumbent_value(inc) - l->known <= so->gap) {
        result->proved = true;
        result->limit = false;
        result->bound = l->known;
    }
    return !result->limit || worked_enough(call);
}

/* The better bound after the same work; of equals the coarser, which is faster. */
static bool better(const policy_search *a, const policy_search *b)
{
    if (a->result.bound != b->result.bound) return a->result.bound > b->result.bound;
    return know_induction_work(a->space.c) < know_induction_work(b->space.c);
}

static void record_level(vouch_trace *t, const policy_space *space, double work, const search_result *result)
{
    if (!trace_open(t, TRACE_NOTE, 0, "level")) return;
    trace_int(t, "classes", space->c->classes);
    trace_real(t, "work", work);
    trace_real(t, "bound", result->bound);
    trace_int(t, "nodes", result->nodes);
    trace_int(t, "inductions", result->inductions);
    trace_close(t);
}

/* Searches the levels order [count] with the same work each, and sorts them by bound. *over: the search has ended. */
static vouch_status race(relaxation_levels *l, plan_call *call, incumbent *inc, search_options *so, policy_search *order[],
                         int count, double work, bool *over)
{
    for (int i = 0; i < count; i++) {
        policy_search *s = order[i];
        vouch_status status = continue_search(l, call, s, inc, so, 0, inductions_for(s, work));
        so->perturbations = 0; /* once only */
        log_line(&call->options->log, VOUCH_LOG_DETAIL,
                 "%d likelihood classes, work %.3g: bound %.10g, %lld nodes, %lld backward inductions", s->space.c->classes, work,
                 call->m->scale.spread * s->result.bound, s->result.nodes, s->result.inductions);
        record_level(so->trace, &s->space, work, &s->result);
        *over = ended(l, call, inc, so);
        if (status || *over) return status;
    }
    for (int i = 1; i < count; i++) {
        policy_search *s = order[i];
        int at = i;
        for (; at > 0 && better(s, order[at - 1]); at--) order[at] = order[at - 1];
        order[at] = s;
    }
    return VOUCH_OK;
}

/* Does belief expansion apply? Only if the classes of all levels are cut off. */
static bool may_grow(const relaxation_levels *l, const search_options *so)
{
    const policy_space *first = &l->search[0].space;
    return !part_off(so->without, VOUCH_PART_BELIEF_EXPANSION) && first->c->cut <= first->g->T && expansion_fits(first);
}

/* Do walks apply: a policy is known and the gap is open? */
static bool may_walk(const relaxation_levels *l, const incumbent *inc, const search_options *so)
{
    return inc->found && !part_off(so->without, VOUCH_PART_THRESHOLD_ACCEPTING) && incumbent_value(inc) - l->known > so->gap;
}

static bool has_threads(const search_options *so) { return so->threads > 1 && so->workers <= 0 && !so->trace; }

static vouch_status begin_walks(relaxation_levels *l, const incumbent *inc, const search_options *so, double work)
{
    return may_walk(l, inc, so) ? walks_begin(&l->walks, inc, has_threads(so), work) : VOUCH_OK;
}

static void end_walks(relaxation_levels *l, plan_call *call, incumbent *inc, const search_options *so)
{
    if (!walks_begun(&l->walks)) return;
    if (may_walk(l, inc, so)) {
        bool better = walks_end(&l->walks, inc);
        log_line(&call->options->log, VOUCH_LOG_DETAIL, "%d walks: regret %.10g%s", walks_count(&l->walks),
                 call->m->scale.spread * incumbent_value(inc), better ? "" : ", none better");
    }
    walks_abort(&l->walks);
}

/* Continues belief expansion for `work`, up to `pause` classes (0: any number). *over: the search has ended. */
static vouch_status grow(relaxation_levels *l, plan_call *call, incumbent *inc, const search_options *so, double work, int pause,
                         const deadline *limit, bool *over)
{
    vouch_status status = l->grown ? VOUCH_OK : expansion_begin(call, &l->search[0].space, &l->grown);
    if (!status) status = expansion_continue(l->grown, work, pause, limit);
    if (status) return status;
    end_walks(l, call, inc, so);
    l->known = fmax(l->known, fmin(expansion_bound(l->grown), incumbent_value(inc)));
    log_line(&call->options->log, VOUCH_LOG_DETAIL, "expanded classes, work %.3g: bound %.10g", expansion_work(l->grown),
             call->m->scale.spread * expansion_bound(l->grown));
    if (so->progress) so->progress(so->progress_context, incumbent_value(inc), l->known, call->limit.nodes, 0);
    *over = ended(l, call, inc, so);
    return VOUCH_OK;
}

/* Adds a level of the expanded classes. */
static vouch_status add_grown(relaxation_levels *l, const plan_call *call, policy_search **out)
{
    policy_search *s = &l->search[l->count];
    CHECK_COMPARE(l->count, <, MOST_LEVELS);
    *s = (policy_search){.space = l->search[0].space, .grown = true};
    s->space.f = NULL;
    s->space.c = NULL;
    vouch_status status = expansion_level(l->grown, &s->space.c);
    if (!status) status = colgen_new(&s->space, &s->r);
    if (status) {
        know_classes_free(s->space.c);
        return status;
    }
    l->count++;
    l->of_grown = true;
    log_line(&call->options->log, VOUCH_LOG_DETAIL, "expanded classes are a level, of %d likelihood classes", s->space.c->classes);
    *out = s;
    return VOUCH_OK;
}

/* Belief expansion with the work of a level. *made: the level of its classes, once; else NULL. */
static vouch_status grow_beside(relaxation_levels *l, plan_call *call, incumbent *inc, const search_options *so, double work,
                                policy_search **made, bool *over)
{
    const know_graph *g = l->search[0].space.g;
    bool wanted = !l->of_grown && (double)g->edges * g->K <= RELAX.grown_units;
    double before = l->grown ? expansion_work(l->grown) : 0;
    *made = NULL;
    vouch_status status = grow(l, call, inc, so, work, wanted ? RELAX.grown_classes : 0, &call->limit, over);
    if (status || *over || !wanted || (expansion_classes(l->grown) < RELAX.grown_classes && !expansion_over(l->grown)))
        return status;
    status = add_grown(l, call, made);
    work -= expansion_work(l->grown) - before;
    return status || work <= 0 ? status : grow(l, call, inc, so, work, 0, &call->limit, over);
}

/* Did pairs lead at nearly every node? They do not depend on classes, so the levels differ only in cost. */
static bool by_pairs(const policy_search *s) { return (double)s->result.pairs_led >= RELAX.pairs_lead * (double)s->result.nodes; }

static vouch_status run_levels(relaxation_levels *l, plan_call *call, incumbent *inc, search_options *so)
{
    policy_search *level[MOST_LEVELS], *order[MOST_LEVELS]; /* coarse to fine; in the race, best first */
    policy_search *first = &l->search[0], *made;
    int limits = (int)(sizeof LEVELS / sizeof *LEVELS), levels = 0, joined = 0, count = 0, perturbations = so->perturbations;
    bool over = false, grows = may_grow(l, so), finer = call->options->class_limit == 0 && first->space.c->cut <= first->space.g->T;
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < limits && !status && !deadline_expired(&call->limit); i++)
        if (LEVELS[i] < first->space.c->classes) status = add_level(l, call, true, LEVELS[i], false, &made);
    for (int i = l->count - 1; i >= 0; i--) level[levels++] = &l->search[i];
    for (double work = RELAX.race_work; (joined < levels || finer || count > 1) && !status && !over; work *= RELAX.more_work) {
        if (finer && inductions_for(first, work) >= RELAX.many_inductions) {
            finer = false;
            status = add_level(l, call, true, SPACE_CLASSES, false, &made);
            if (!status && made) level[levels++] = made;
        }
        for (; joined < levels && inductions_for(level[joined], work) >= RELAX.few_inductions; joined++) {
            for (int i = count++; i > 0; i--) order[i] = order[i - 1];
            order[0] = level[joined];
        }
        if (!status && work >= RELAX.telling_work && count > 0) status = begin_walks(l, inc, so, work);
        if (!status) status = race(l, call, inc, so, order, count, work, &over);
        if (count > 0 && by_pairs(order[0])) break;
        if (work >= RELAX.telling_work) count = (count + 1) / 2;
        if (!status && !over && count > 0) end_walks(l, call, inc, so);
        if (!status && !over && grows && work >= RELAX.telling_work && count > 0) {
            status = grow_beside(l, call, inc, so, work, &made, &over);
            if (made) {
                for (int i = count++; i > 0; i--) order[i] = order[i - 1];
                order[0] = made;
            }
            grows = !status && !expansion_over(l->grown) &&
                    (work < RELAX.grown_telling || expansion_bound(l->grown) >= order[0]->result.bound);
        }
    }
    walks_abort(&l->walks);
    deadline share = deadline_share(&call->limit, TIME.race_growth);
    if (!status && !over && grows && l->grown) status = begin_walks(l, inc, so, RELAX.walk_work);
    if (!status && !has_threads(so)) end_walks(l, call, inc, so);
    if (!status && !over && grows && l->grown) status = grow(l, call, inc, so, RELAX.growth_work, 0, &share, &over);
    expansion_end(l->grown);
    l->grown = NULL;
    so->floor = fmax(so->floor, l->raced);
    so->elsewhere = l->known;
    if (!status && !over) status = continue_search(l, call, order[0], inc, so, 0, 0);
    so->perturbations = perturbations;
    return status;
}

static vouch_status search_levels(relaxation_levels *l, plan_call *call, incumbent *inc, search_options *so)
{
    const policy_space *space = &l->search[0].space;
    bool all = space->c->cut > space->g->T; /* classes distinguish histories as far as necessary */
    if (part_off(so->without, VOUCH_PART_LEVELS) || (all && know_induction_work(space->c) < RELAX.much_work))
        return search_with_and_without_vectors(l, call, inc, so);
    return run_levels(l, call, inc, so);
}

void levels_options(search_options *so, plan_call *call)
{
    const vouch_plan_options *o = call->options;
    search_options_init(so);
    so->gap = o->gap;
    so->seed = o->seed;
    so->threads = o->threads;
    so->window = o->window;
    so->grain = o->grain;
    so->without = call->without;
    so->limit = call->limit;
    so->trace = o->trace;
    so->on_node = o->on_node ? plan_report_node : NULL;
    so->on_node_context = call;
}

vouch_status levels_search(relaxation_levels *l, plan_call *call, const policy_space *space, incumbent *inc, search_options *so)
{
    l->search[0] = (policy_search){.space = *space};
    l->count = 1;
    l->last = &l->search[0];
    walks_init(&l->walks, so->seed);
    l->known = l->raced = so->floor;
    vouch_status status = colgen_new(&l->search[0].space, &l->search[0].r);
    if (!status) status = shallower_new(call, space, so, &l->shallow);
    if (status) return status;
    if (l->shallow) so->beside = shallower_beside, so->beside_context = l->shallow;
    status = search_levels(l, call, inc, so);
    so->beside = NULL;
    return status;
}

void levels_clear(relaxation_levels *l)
{
    for (int i = 0; i < l->count; i++) {
        bound_forget_pairs(&l->search[i].kept);
        colgen_free(l->search[i].r);
        if (i > 0) know_classes_free(l->search[i].space.c);
    }
    expansion_end(l->grown);
    shallower_free(l->shallow);
    walks_abort(&l->walks);
    *l = (relaxation_levels){.count = 0};
}
