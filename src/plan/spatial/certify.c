/* plan/spatial/certify.c - see certify.h. The loop reads: take a box, bound it, try its policy, split it. */
#include "plan/spatial/certify.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/spatial/box_branch.h"

/* Ranges narrower than this are not worth an induction. */
static const double SHAVE_LEAST = 1e-3;
/* Shaving rests while fewer than one try in SHAVE_RATE has removed anything. */
static const long long SHAVE_TRIES = 30, SHAVE_RATE = 5;
/* Descents from the policies of boxes: the first boxes, then at each doubling of their number. */
static const long long FIRST_DESCENTS = 8;

typedef struct family { /* what the parts of a box inherit */
    int refs;
    int count;
    multipliers from[BOX_MEMORY];
    double block[]; /* their values */
} family;

typedef struct box {
    long long id;
    double bound;
    family *above; /* NULL at the root */
    double side[]; /* low [choices], high [choices] */
} box;

typedef struct certifier {
    const policy_space *space;
    multistart *s;
    const certify_options *options;
    certify_result *result;
    box_bound *b;
    box_branch *r;
    box **heap; /* open boxes, least bound first */
    size_t open, capacity;
    double worst_cut; /* least bound among boxes that were closed */
    long long ids;
    long long tries, hits;                       /* of shave */
    double *low, *high, *low2, *high2, *outlook; /* [choices] scratch of shave */
} certifier;

void certify_options_init(certify_options *options)
{
    *options =
        (certify_options){.gap = 1e-4, .ceiling = INFINITY, .box = {.rounds = 4, .patience = 0.1, .worth = 0.02}, .margin = 0.2};
}

static void family_release(family *f)
{
    if (f && --f->refs == 0) mem_free(f);
}

static void box_free(box *n)
{
    if (!n) return;
    family_release(n->above);
    mem_free(n);
}

static bool before(const box *a, const box *b) { return a->bound != b->bound ? a->bound < b->bound : a->id < b->id; }

static vouch_status heap_push(certifier *t, box *n)
{
    if (mem_reserve((void **)&t->heap, &t->capacity, t->open, sizeof *t->heap)) return VOUCH_ERROR_MEMORY;
    size_t i = t->open++;
    while (i > 0 && before(n, t->heap[(i - 1) / 2])) {
        t->heap[i] = t->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    t->heap[i] = n;
    return VOUCH_OK;
}

static box *heap_pop(certifier *t)
{
    box *top = t->heap[0], *last = t->heap[--t->open];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= t->open) break;
        if (child + 1 < t->open && before(t->heap[child + 1], t->heap[child])) child++;
        if (!before(t->heap[child], last)) break;
        t->heap[i] = t->heap[child];
        i = child;
    }
    if (t->open) t->heap[i] = last;
    return top;
}

static double cutoff(const certifier *t)
{
    return multistart_found(t->s) ? multistart_regret(t->s) - t->options->gap : t->options->ceiling;
}

/* The box of the sides in t->b, as a part of the present one. */
static vouch_status push_part(certifier *t, double bound, family *above)
{
    size_t choices = (size_t)t->space->g->choices;
    box *n = mem_alloc(1, sizeof *n + 2 * choices * sizeof(double));
    if (!n) return VOUCH_ERROR_MEMORY;
    n->id = ++t->ids;
    n->bound = bound;
    n->above = above;
    if (above) above->refs++;
    memcpy(n->side, t->b->low, choices * sizeof(double));
    memcpy(n->side + choices, t->b->high, choices * sizeof(double));
    vouch_status status = heap_push(t, n);
    if (status) box_free(n);
    return status;
}

static family *found_family(const box_bound *b)
{
    family *f = mem_alloc(1, sizeof *f + (size_t)b->kept_count * b->dim * sizeof(double));
    if (!f) return NULL;
    f->refs = 1;
    f->count = b->kept_count;
    for (int i = 0; i < f->count; i++) {
        f->from[i] = (multipliers){b->kept[i].bound, f->block + (size_t)i * b->dim};
        memcpy(f->from[i].value, b->kept[i].value, b->dim * sizeof(double));
    }
    return f;
}

/* Pushes both parts of the box in n->side. above: what they inherit. */
static vouch_status push_parts(certifier *t, const box *n, const box_split *how, family *above)
{
    box_bound *b = t->b;
    size_t choices = (size_t)t->space->g->choices;
    vouch_status status = VOUCH_OK;
    for (int upper = 0; upper < 2 && !status; upper++) {
        memcpy(b->low, n->side, choices * sizeof(double));
        memcpy(b->high, n->side + choices, choices * sizeof(double));
        box_part(t->space->g, b->low, b->high, how->choice, how->at, upper);
        status = push_part(t, fmax(n->bound, how->bound[upper]), above);
    }
    return status;
}

/* Range reduction: the half of each choice's range that is far from the mixture goes when its bound, with the best multipliers at hand (value) and one
 * induction, reaches the cutoff; those for which it cannot are left out. b->low, b->high shrink. */
static void shave(certifier *t, const double value[])
{
    const know_graph *g = t->space->g;
    box_bound *b = t->b;
    size_t choices = (size_t)g->choices;
    if (t->tries > SHAVE_TRIES + SHAVE_RATE * t->hits) { /* has not paid of late: again after a while */
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
        if (b->high[c] - b->low[c] < SHAVE_LEAST || t->outlook[c] < cutoff(t)) continue;
        if (t->low2[c] > b->high[c] || t->high2[c] < b->low[c]) continue; /* gone by what another choice lost */
        bool upper = t->low2[c] > b->low[c];
        double at = upper ? t->low2[c] : t->high2[c];
        t->tries++;
        memcpy(t->low, b->low, choices * sizeof(double));
        memcpy(t->high, b->high, choices * sizeof(double));
        box_part(g, b->low, b->high, c, at, upper);
        double bound = box_bound_price(b, value);
        memcpy(b->low, t->low, choices * sizeof(double));
        memcpy(b->high, t->high, choices * sizeof(double));
        if (!(bound >= cutoff(t))) continue;
        t->hits++;
        t->worst_cut = fmin(t->worst_cut, bound);
        box_part(g, b->low, b->high, c, at, !upper);
    }
}

static bool power_of_two(long long x) { return (x & (x - 1)) == 0; }

static vouch_status process(certifier *t, box *n, bool *limit)
{
    box_bound *b = t->b;
    size_t choices = (size_t)t->space->g->choices;
    box_end end;
    memcpy(b->low, n->side, choices * sizeof(double));
    memcpy(b->high, n->side + choices, choices * sizeof(double));
    vouch_status status = box_bound_solve(b, n->above ? n->above->from : NULL, n->above ? n->above->count : 0, cutoff(t),
                                          &t->options->box, &t->options->limit, &end);
    if (status) return status;
    double bound = fmax(n->bound, b->bound);
    n->bound = bound;
    if (end == BOX_LIMIT) {
        *limit = true;
        return VOUCH_OK;
    }
    if (end == BOX_CUT || !b->mixed) {
        t->worst_cut = fmin(t->worst_cut, bound);
        return VOUCH_OK;
    }
    box_branch_look(t->r, b);
    bool agreed = t->r->count == 0; /* then the mixture is one policy */
    if (agreed || t->result->nodes <= FIRST_DESCENTS || power_of_two(t->result->nodes)) {
        status = multistart_offer(t->s, START_GIVEN, t->r->prob, n->bound, &t->options->limit);
        if (status) return status;
    }
    if (agreed || bound >= cutoff(t)) {
        t->worst_cut = fmin(t->worst_cut, bound);
        return VOUCH_OK;
    }
    family *f = found_family(b);
    if (!f) return VOUCH_ERROR_MEMORY;
    box_split how;
    shave(t, f->from[0].value);
    memcpy(n->side, b->low, choices * sizeof(double));
    memcpy(n->side + choices, b->high, choices * sizeof(double));
    status = box_branch_choose(t->r, b, bound, f->from, f->count, cutoff(t), t->options->margin, &t->options->box,
                               &t->options->limit, &how);
    if (!status) status = push_parts(t, n, &how, f);
    family_release(f);
    return status;
}

static void report(const certifier *t, double bound)
{
    if (t->options->progress)
        t->options->progress(t->options->progress_context, multistart_regret(t->s), bound, t->result->nodes, (long long)t->open);
}

vouch_status certify_run(const policy_space *space, multistart *s, const certify_options *options, certify_result *result)
{
    *result = (certify_result){.bound = options->floor};
    certifier t = {.space = space, .s = s, .options = options, .result = result, .worst_cut = INFINITY};
    double left = INFINITY; /* bound of a box left unfinished */
    bool limit = false;
    t.low = MEM_NEW(double, 5 * (size_t)space->g->choices);
    vouch_status status = t.low ? box_bound_new(space, &t.b) : VOUCH_ERROR_MEMORY;
    if (!status) status = box_branch_new(space, &t.r);
    if (!status) {
        size_t choices = (size_t)space->g->choices;
        t.high = t.low + choices;
        t.low2 = t.high + choices;
        t.high2 = t.low2 + choices;
        t.outlook = t.high2 + choices;
        status = push_part(&t, options->floor, NULL);
    }
    while (!status && !limit && t.open) {
        box *n = heap_pop(&t);
        limit = (options->limit.limits.nodes > 0 && result->nodes >= options->limit.limits.nodes) ||
                (options->inductions > 0 && t.b->inductions >= options->inductions);
        if (limit || n->bound >= cutoff(&t)) {
            if (limit)
                left = n->bound;
            else
                t.worst_cut = fmin(t.worst_cut, n->bound);
            box_free(n);
            continue;
        }
        result->nodes++;
        status = process(&t, n, &limit);
        if (limit) left = n->bound;
        box_free(n);
        if ((result->nodes & 15) == 0) report(&t, t.open ? t.heap[0]->bound : multistart_regret(s));
    }
    double bound = fmin(fmin(t.open ? t.heap[0]->bound : INFINITY, left), fmin(t.worst_cut, multistart_regret(s)));
    result->proved = !status && !limit;
    result->infeasible = result->proved && !multistart_found(s) && isfinite(options->ceiling) && t.worst_cut >= options->ceiling;
    result->bound = result->infeasible ? INFINITY : fmax(options->floor, isfinite(bound) ? bound : -INFINITY);
    result->inductions = t.b ? t.b->inductions : 0;
    report(&t, result->bound);
    while (t.open) box_free(heap_pop(&t));
    mem_free(t.heap);
    mem_free(t.low);
    box_branch_free(t.r);
    box_bound_free(t.b);
    return status;
}
