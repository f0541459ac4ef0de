/* plan/spatial/certify.c - bound = min over open boxes of bound(B), best first, until it reaches  regret - gap.
 *
 * The loop: take the open box of least bound, bound it, try its policy, reduce its ranges, split it. Source: J. Falk, R. Soland,
 * Management Science 15 (1969). Invariant: no policy has a smaller regret than the least of the bounds of open boxes, worst_cut (of
 * closed boxes), left (of boxes left by a limit), and the best policy known.
 */
#include "plan/spatial/box.h"

#include "base/check.h"
#include "base/memory.h"

/* ---- the trace, as plan/search/record.h ---- */

/* How a box was cut out of its parent. */
typedef struct box_origin {
    long long up;
    int choice; /* -1: it holds every policy */
    bool upper; /* the probability of the choice is at least `at`, or at most */
    double at;
} box_origin;

typedef struct box_record {
    long long id;
    double bound, best;
    vouch_node_end end;
    bool pruned;        /* by its parent's bound, without evaluation */
    long long given_up; /* halves of ranges that were cut off in it */
} box_record;

/* Masses of a mixture: policy nodes listed at most, of the box of all policies and of others. */
enum { ROOT_PLACES = 400, PLACES = 40 };

static void record_box(vouch_trace *t, const policy_space *space, const box_origin *origin, const box_record *box)
{
    trace_count(t, box->pruned ? TALLY_unseen : trace_tally_of(box->end), 1);
    if (!trace_open(t, TRACE_NODE, 0, "node")) return;
    trace_int(t, "id", box->id);
    trace_int(t, "up", origin->up);
    if (origin->choice >= 0) {
        int node = know_owner(space->g, origin->choice);
        record_place(t, "at", space->g, node);
        trace_int(t, "do", record_option(space, node, origin->choice));
        trace_real(t, origin->upper ? "least" : "most", origin->at);
    }
    trace_real(t, "b", box->bound);
    trace_real(t, "mix", box->bound);
    trace_real(t, "inc", box->best);
    trace_int(t, "end", box->end);
    if (box->pruned) trace_int(t, "unseen", 1);
    if (box->given_up) trace_int(t, "given_up", box->given_up);
    trace_close(t);
}

static void record_box_mixture(vouch_trace *t, const box_bound *b, long long id, double mass[])
{
    const know_graph *g = b->space->g;
    int K = b->space->K;
    const multipliers *best = &b->kept[0];
    trace_count(t, TALLY_mixtures_asked, 1);
    if (!trace_open(t, TRACE_DETAIL, id - 1, "mixture")) return;
    for (int c = 0; c < g->choices; c++) {
        mass[c] = 0;
        for (int k = 0; k < K; k++) mass[c] += b->mix[(size_t)c * (size_t)K + (size_t)k] / K;
    }
    trace_int(t, "id", id);
    trace_reals(t, "weight", best->value, K);
    trace_reals(t, "mu", best->value + K, K);
    trace_real(t, "bound", b->bound);
    trace_real(t, "value", b->mixture);
    record_masses(t, b->space, mass, id > 1 ? PLACES : ROOT_PLACES);
    trace_close(t);
}

static void record_box_moment(vouch_trace *t, long long boxes, long long inductions, double bound, double best)
{
    if (!trace_open(t, TRACE_MOMENT, boxes, "moment")) return;
    trace_int(t, "n", boxes);
    trace_int(t, "w", inductions);
    trace_real(t, "b", bound);
    trace_real(t, "inc", best);
    trace_close(t);
}

/* ---- the search ---- */

/* How hard a box is bounded. */
static const box_options BOUNDING = {.rounds = 4, .patience = 0.1, .worth = 0.02};
/* Ranges narrower than this are not worth an induction. */
static const double REDUCED_LEAST = 1e-3;
/* Range reduction rests while fewer than one try in REDUCE_RATE has removed anything. */
static const long long REDUCE_TRIES = 30, REDUCE_RATE = 5;
/* A bound may exceed a value by the rounding of its induction and corners, relative to 1 + value. */
static const double EXCESS = 1e-7;
/* Boxes between two reports. */
static const long long REPORTED = 16;
/* Descents from the policies of boxes: the first boxes, then at each doubling of their number. */
static const long long FIRST_DESCENTS = 8;
/* Policies a box hands to its parts, in multiples of the master's rows. */
enum { INHERITED = 4 };

typedef struct inheritance { /* multipliers and policies that the parts of a box begin with */
    int refs;
    int count;
    multipliers from[BOX_MEMORY];
    int column_count;
    box_column **columns; /* held */
    double *mean;         /* [choices] their mixture as one policy */
    double values[];      /* of the multipliers; the mean */
} inheritance;

typedef struct box_node {
    long long id;
    int number; /* of the witness's case */
    double bound;
    box_origin origin;
    inheritance *above;   /* NULL at the root */
    multipliers evidence; /* of the bound, less one that was there before boxes; value NULL: no witness */
    double side[];        /* low [choices], high [choices]; then the evidence's values */
} box_node;

typedef struct certifier {
    const policy_space *space;
    multistart *s;
    const multistart_result *local; /* of s */
    const certify_options *options;
    certify_result *result;
    arena memory; /* of the arrays */
    box_bound *b;
    box_branch *r;
    heap open;        /* of box_node */
    double worst_cut; /* least bound among boxes that were closed */
    double left;      /* bound of the box that a limit left unfinished */
    bool limit;
    long long ids;
    long long tries, hits;                 /* of reduce_ranges */
    double *side, *low2, *high2, *outlook; /* scratch of reduce_ranges: [2 * choices] low, high; [choices] */
} certifier;

static void inheritance_release(inheritance *f)
{
    if (!f || --f->refs > 0) return;
    for (int i = 0; i < f->column_count; i++) box_column_release(f->columns[i]);
    mem_free(f->columns);
    mem_free(f);
}

static void box_free(box_node *n)
{
    if (!n) return;
    inheritance_release(n->above);
    mem_free(n);
}

/* Order of open boxes (base/heap.h): least bound first, then oldest. */
static bool box_before(const void *unused, const void *first, const void *second)
{
    const box_node *a = first, *b = second;
    (void)unused;
    return a->bound != b->bound ? a->bound < b->bound : a->id < b->id;
}

static double cutoff(const certifier *t) { return t->local->found ? t->local->regret - t->options->gap : t->options->ceiling; }

/* The box of the sides in t->b, as a part of the present one. */
static vouch_status push_part(certifier *t, double bound, const box_origin *origin, inheritance *above, box_node **out)
{
    size_t choices = (size_t)t->space->g->choices, more = t->options->witness ? t->b->dim : 0;
    box_node *n = mem_alloc(1, sizeof *n + (2 * choices + more) * sizeof(double));
    if (!n) return VOUCH_ERROR_MEMORY;
    n->id = ++t->ids;
    n->number = 1;
    n->evidence = (multipliers){-INFINITY, more ? n->side + 2 * choices : NULL};
    n->bound = bound;
    n->origin = *origin;
    n->above = above;
    if (above) above->refs++;
    MEM_COPY(n->side, t->b->low, 2 * choices); /* with high */
    if (out) *out = n;
    if (!heap_push(&t->open, n)) return VOUCH_OK;
    box_free(n);
    return VOUCH_ERROR_MEMORY;
}

/* The results in b; of the policies the newest. mean: their mixture as one. */
static inheritance *inheritance_of(const box_bound *b, const double mean[])
{
    int most = INHERITED * (2 * b->space->K + 1), first = b->column_count > most ? b->column_count - most : 0;
    inheritance *f = mem_alloc(1, sizeof *f + ((size_t)b->kept_count * b->dim + (size_t)b->space->g->choices) * sizeof(double));
    if (!f) return NULL;
    *f = (inheritance){.refs = 1, .count = b->kept_count};
    f->mean = f->values + (size_t)f->count * b->dim;
    MEM_COPY(f->mean, mean, b->space->g->choices);
    f->columns = MEM_NEW(box_column *, b->column_count);
    if (!f->columns) {
        mem_free(f);
        return NULL;
    }
    for (int i = first; i < b->column_count; i++) f->columns[f->column_count++] = box_column_hold(b->columns[i]);
    for (int i = 0; i < f->count; i++) {
        f->from[i] = (multipliers){b->kept[i].bound, f->values + (size_t)i * b->dim};
        memcpy(f->from[i].value, b->kept[i].value, b->dim * sizeof(double));
    }
    return f;
}

static void set_box(certifier *t, const box_node *n) { MEM_COPY(t->b->low, n->side, 2 * t->space->g->choices); /* with high */ }

/* ---- the witness ---- */

/* The number of the lower part of n. */
static int case_parted(const certifier *t, const box_node *n, int choice, double at)
{
    const box_witness *w = t->options->witness;
    return w ? w->part(w->context, n->number, choice, at) : 0;
}

/* Do these multipliers bound the case of the box in t->b? */
static bool case_closed(const certifier *t, int number, const multipliers *m, double goal)
{
    const box_witness *w = t->options->witness;
    long long inductions = t->b->inductions;
    bool closed = w->close(w->context, number, t->b, m, goal);
    t->b->inductions = inductions; /* no part of the search */
    return closed;
}

/* Closes the case of box n by the evidence of its bound. at_hand: ranges in t->b are of this box. */
static void case_ends(certifier *t, const box_node *n, bool at_hand)
{
    if (!t->options->witness || !isfinite(n->evidence.bound)) return;
    set_box(t, n);
    if (!at_hand) box_bound_enter(t->b);
    if (!case_closed(t, n->number, &n->evidence, fmin(n->evidence.bound, cutoff(t))))
        (void)case_closed(t, n->number, &n->evidence, -INFINITY);
}

/* Better evidence for n. */
static void note_evidence(const certifier *t, box_node *n, const multipliers *m)
{
    if (!n->evidence.value || !(m->bound > n->evidence.bound)) return;
    n->evidence.bound = m->bound;
    memcpy(n->evidence.value, m->value, t->b->dim * sizeof(double));
}

/* Pushes both parts of the box in n->side. above: their inheritance. */
static vouch_status push_parts(certifier *t, const box_node *n, const box_split *how, inheritance *above)
{
    box_bound *b = t->b;
    box_node *part;
    vouch_status status = VOUCH_OK;
    int number = case_parted(t, n, how->choice, how->at);
    for (int upper = 0; upper < 2 && !status; upper++) {
        set_box(t, n);
        box_part(t->space->g, b->low, b->high, how->choice, how->at, upper);
        status = push_part(t, fmax(n->bound, how->bound[upper]), &(box_origin){n->id, how->choice, upper, how->at}, above, &part);
        if (status) break;
        part->number = number + upper;
        note_evidence(t, part, &n->evidence);
        note_evidence(t, part, &(multipliers){how->bound[upper], t->r->chosen[upper]});
    }
    return status;
}

/* Raises the bound of a box, or of the rest of it. */
static void close_box(certifier *t, double bound) { t->worst_cut = fmin(t->worst_cut, bound); }

/* The task of bounding a part of a box; f: NULL, at the root. */
static box_task task_of(const certifier *t, const inheritance *f, double known)
{
    box_task task = {.known = known, .cutoff = cutoff(t), .work = INFINITY, .options = &BOUNDING, .limit = &t->options->limit};
    if (t->options->inductions > 0) task.work = fmax(1, (double)t->options->inductions - box_bound_worked(t->b));
    if (!f) return task;
    task.from = f->from;
    task.count = f->count;
    task.columns = f->columns;
    task.column_count = f->column_count;
    task.mean = f->mean;
    return task;
}

/* Range reduction: the half of each choice's range that is far from the mixture goes when its bound, with the best multipliers at
 * hand (value) and one induction, reaches the cutoff; those for which it cannot are left out. b->low, b->high shrink. */
static void reduce_ranges(certifier *t, box_node *n, const multipliers *from)
{
    const double *value = from->value;
    const know_graph *g = t->space->g;
    box_bound *b = t->b;
    size_t choices = (size_t)g->choices;
    if (t->tries > REDUCE_TRIES + REDUCE_RATE * t->hits) { /* has not paid of late: again after a while */
        t->tries--;
        return;
    }
    for (size_t c = 0; c < choices; c++) {
        double middle = 0.5 * (b->low[c] + b->high[c]);
        bool upper = t->r->prob[c] < middle; /* the far half */
        t->low2[c] = upper ? middle : b->low[c];
        t->high2[c] = upper ? b->high[c] : middle;
    }
    box_bound_outlook(b, value, box_bound_price(b, value), t->low2, t->high2, t->outlook);
    for (int c = 0; c < g->choices; c++) {
        if (b->high[c] - b->low[c] < REDUCED_LEAST || t->outlook[c] < cutoff(t)) continue;
        if (t->low2[c] > b->high[c] || t->high2[c] < b->low[c]) continue; /* gone by what another choice lost */
        bool upper = t->low2[c] > b->low[c];
        double at = upper ? t->low2[c] : t->high2[c];
        t->tries++;
        MEM_COPY(t->side, b->low, 2 * choices); /* with high */
        box_part(g, b->low, b->high, c, at, upper);
        double bound = box_bound_price(b, value);
        bool gone = bound >= cutoff(t);
        if (gone && t->options->witness) {
            int lower = case_parted(t, n, c, at);
            (void)case_closed(t, lower + upper, &(multipliers){bound, from->value}, -INFINITY);
            n->number = lower + !upper;
        }
        MEM_COPY(b->low, t->side, 2 * choices);
        if (!gone) continue;
        t->hits++;
        close_box(t, bound);
        box_part(g, b->low, b->high, c, at, !upper);
    }
}

static bool power_of_two(long long x) { return (x & (x - 1)) == 0; }

/* Contract: the bound of a box that holds the best policy does not exceed its value, but for rounding. */
static void claim_check(const certifier *t, const box_node *n)
{
    if (!CHECKING) return;
    int choices = t->space->g->choices;
    const double *best = t->local->best, *low = n->side, *high = n->side + choices;
    if (!t->local->found) return;
    for (int c = 0; c < choices; c++)
        if (best[c] < low[c] || best[c] > high[c]) return;
    CHECK_COMPARE(n->bound, <=, t->local->regret + EXCESS * (1 + fabs(t->local->regret)));
}

/* Reduces the box in t->b, whose bound is n's, and pushes its two parts. */
static vouch_status split(certifier *t, box_node *n)
{
    box_bound *b = t->b;
    inheritance *f = inheritance_of(b, t->r->prob);
    if (!f) return VOUCH_ERROR_MEMORY;
    box_split how;
    double since = trace_start(t->options->trace);
    reduce_ranges(t, n, &f->from[0]);
    trace_stop(t->options->trace, KERNEL_fixing, since);
    MEM_COPY(n->side, b->low, 2 * t->space->g->choices); /* with high */
    box_task task = task_of(t, f, n->bound);
    since = trace_start(t->options->trace);
    vouch_status status = box_branch_choose(t->r, b, &task, &how);
    trace_stop(t->options->trace, KERNEL_strong_branching, since);
    if (!status) status = push_parts(t, n, &how, f);
    inheritance_release(f);
    return status;
}

/* A lower bound on the regret of all policies; pruned boxes are within the gap of the best, not above it. */
static double proved_bound(const certifier *t)
{
    const box_node *least = heap_top(&t->open);
    return fmin(fmin(t->left, least ? least->bound : INFINITY), fmin(t->worst_cut, t->local->regret));
}

static void report(const certifier *t, double bound)
{
    if (t->options->progress)
        t->options->progress(t->options->progress_context, t->local->regret, bound, t->result->nodes, (long long)t->open.count);
}

/* Reports progress while a box is bounded, at present by `bound`: the first box alone may take minutes. */
static void report_box(void *context, double bound)
{
    const certifier *t = context;
    report(t, fmin(bound, proved_bound(t)));
}

/* *ended: why. */
static vouch_status process(certifier *t, box_node *n, vouch_node_end *ended)
{
    box_bound *b = t->b;
    box_end end;
    const inheritance *f = n->above;
    box_task task = task_of(t, f, n->bound);
    task.progress = report_box;
    task.progress_context = t;
    set_box(t, n);
    double since = trace_start(t->options->trace);
    vouch_status status = box_bound_solve(b, &task, &end);
    trace_stop(t->options->trace, KERNEL_boxes, since);
    if (status) return status;
    if (b->mixed) record_box_mixture(t->options->trace, b, n->id, t->outlook);
    n->bound = fmax(n->bound, b->bound);
    if (b->kept_count) note_evidence(t, n, &b->kept[0]);
    *ended = VOUCH_NODE_BOUND;
    claim_check(t, n);
    if (end == BOX_LIMIT) {
        *ended = VOUCH_NODE_LIMIT;
        t->limit = true;
        t->left = n->bound;
        case_ends(t, n, true);
        return VOUCH_OK;
    }
    if (end == BOX_CUT || !b->mixed) {
        close_box(t, n->bound);
        case_ends(t, n, true);
        return VOUCH_OK;
    }
    box_branch_look(t->r, b);
    bool agreed = t->r->agreed || t->r->count == 0; /* then the mixture is one policy */
    /* pricing may have ended before the bound met the mixture */
    bool unfinished = t->r->count > 0 && b->mixture - n->bound > EXCESS * (1 + fabs(b->mixture));
    if (agreed || t->result->nodes <= FIRST_DESCENTS || power_of_two(t->result->nodes)) {
        status = multistart_offer(t->s, START_GIVEN, t->r->prob, n->bound, &t->options->limit);
        if (status) return status;
    }
    if ((!agreed || unfinished) && n->bound < cutoff(t)) {
        *ended = VOUCH_NODE_BRANCHED;
        return split(t, n);
    }
    if (agreed) *ended = VOUCH_NODE_INTEGER;
    close_box(t, n->bound);
    case_ends(t, n, true);
    return VOUCH_OK;
}

static vouch_status start(certifier *t)
{
    int choices = t->space->g->choices;
    heap_init(&t->open, box_before, NULL);
    t->side = ARENA_NEW(&t->memory, double, 2 * choices);
    t->low2 = ARENA_NEW(&t->memory, double, choices);
    t->high2 = ARENA_NEW(&t->memory, double, choices);
    t->outlook = ARENA_NEW(&t->memory, double, choices);
    vouch_status status = t->memory.failed ? VOUCH_ERROR_MEMORY : box_bound_new(t->space, t->options->agree, &t->b);
    if (!status) status = box_branch_new(t->space, t->b->dim, &t->r);
    return status ? status : push_part(t, t->options->floor, &(box_origin){.choice = -1}, NULL, NULL);
}

static long long worked(const box_bound *b) { return b ? (long long)box_bound_worked(b) : 0; }

/* Is a count used up before the next box? */
static bool worked_enough(const certifier *t)
{
    const certify_options *o = t->options;
    return (o->limit.limits.nodes > 0 && t->result->nodes >= o->limit.limits.nodes) ||
           (o->inductions > 0 && worked(t->b) >= o->inductions);
}

static vouch_status run_box(certifier *t)
{
    vouch_status status = VOUCH_OK;
    box_node *n = heap_pop(&t->open);
    long long hits = t->hits;
    vouch_node_end end = VOUCH_NODE_BOUND;
    CHECK(n->id <= t->ids && n->bound >= t->options->floor);
    bool pruned = !worked_enough(t) && n->bound >= cutoff(t);
    if (worked_enough(t)) {
        end = VOUCH_NODE_LIMIT;
        t->limit = true;
        t->left = n->bound;
        case_ends(t, n, false);
    } else if (pruned) {
        close_box(t, n->bound);
        case_ends(t, n, false);
    } else {
        t->result->nodes++;
        status = process(t, n, &end);
        if (t->result->nodes % REPORTED == 0) report(t, proved_bound(t));
    }
    record_box(t->options->trace, t->space, &n->origin,
               &(box_record){n->id, n->bound, t->local->regret, end, pruned, t->hits - hits});
    record_box_moment(t->options->trace, t->result->nodes, t->b->inductions, proved_bound(t), t->local->regret);
    box_free(n);
    return status;
}

/* The result. */
static void conclude(certifier *t, vouch_status status)
{
    certify_result *result = t->result;
    double floor = t->options->floor, bound = proved_bound(t);
    result->infeasible = !status && !t->limit && !t->local->found && t->worst_cut >= t->options->ceiling;
    result->bound = result->infeasible ? INFINITY : fmax(floor, isfinite(bound) ? bound : -INFINITY);
    result->inductions = worked(t->b);
    CHECK(result->bound <= fmax(floor, t->local->regret));
    report(t, result->bound);
}

vouch_status certify_run(const policy_space *space, multistart *s, const certify_options *options, certify_result *result)
{
    *result = (certify_result){.bound = options->floor};
    certifier t = {.space = space,
                   .s = s,
                   .local = multistart_result_of(s),
                   .options = options,
                   .result = result,
                   .worst_cut = INFINITY,
                   .left = INFINITY};
    CHECK(!space->f && isfinite(options->ceiling));
    vouch_status status = start(&t);
    record_tree(options->trace, space, &(tree_record){"boxes", false, "boxes of action probabilities", 1});
    while (!status && !t.limit && t.open.count) status = run_box(&t);
    conclude(&t, status);
    while (t.open.count) {
        box_node *n = heap_pop(&t.open);
        if (!status) case_ends(&t, n, false);
        box_free(n);
    }
    heap_free(&t.open);
    box_branch_free(t.r);
    box_bound_free(t.b);
    arena_free(&t.memory);
    return status;
}
