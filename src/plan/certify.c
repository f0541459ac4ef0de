/* plan/certify.c - see certify.h. The loop reads: take a box, bound it, try its policy, split it. */
#include "plan/certify.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* A node disagrees when the occupancies of its choices differ from those of one policy by more than this. */
static const double DISAGREE = 1e-9;
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
    family *above;  /* NULL at the root */
    double side[];  /* low [choices], high [choices] */
} box;

typedef struct certifier {
    const policy_space *space;
    exact_search *s;
    const certify_options *options;
    certify_result *result;
    box_bound *b;
    box **heap; /* open boxes, least bound first */
    size_t open, capacity;
    double worst_cut; /* least bound among boxes that were closed */
    long long ids;
    double *prob; /* [choices] */
    long long tries, hits; /* of shave */
    double *low, *high, *low2, *high2, *outlook; /* [choices] scratch of shave */
} certifier;

void certify_options_init(certify_options *options)
{
    *options = (certify_options){.gap = 1e-4, .ceiling = INFINITY, .box = {.rounds = 4, .patience = 0.1, .worth = 0.02}, .margin = 0.2};
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

static double cutoff(const certifier *t) { return exact_search_found(t->s) ? exact_search_regret(t->s) - t->options->gap : t->options->ceiling; }

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

/* The mixture as one policy, prob [choices]; the choice whose occupancies disagree most with it, -1: none. */
static int find_disagreement(certifier *t)
{
    const know_graph *g = t->space->g;
    const box_bound *b = t->b;
    size_t K = (size_t)g->K;
    int worst = -1;
    double most = DISAGREE;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], last = g->choice_start[n + 1];
        double *here = b->pr, sum = 0; /* [K] scratch */
        memset(here, 0, K * sizeof *here);
        for (int c = first; c < last; c++)
            for (size_t k = 0; k < K; k++) here[k] += b->mix[(size_t)c * K + k];
        for (size_t k = 0; k < K; k++) sum += here[k];
        for (int c = first; c < last; c++) {
            double mass = 0, off = 0;
            for (size_t k = 0; k < K; k++) mass += b->mix[(size_t)c * K + k];
            t->prob[c] = sum > 0 ? mass / sum : b->low[c];
            for (size_t k = 0; k < K; k++) off += fabs(b->mix[(size_t)c * K + k] - t->prob[c] * here[k]);
            if (off > most && b->high[c] > b->low[c]) {
                most = off;
                worst = c;
            }
        }
    }
    return worst;
}

/* What low and high of one choice imply for the others of its node. */
static void close_node(double low[], double high[], const know_graph *g, int n)
{
    double least = 0, most = 0;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        least += low[c];
        most += high[c];
    }
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        double floor = 1 - (most - high[c]), ceiling = 1 - (least - low[c]);
        low[c] = fmax(low[c], floor);
        high[c] = fmax(low[c], fmin(high[c], ceiling));
    }
}

static int node_of(const know_graph *g, int choice)
{
    int a = 0, b = g->nodes;
    while (b - a > 1) {
        int mid = (a + b) / 2;
        if (g->choice_start[mid] <= choice) a = mid;
        else b = mid;
    }
    return a;
}

static vouch_status split(certifier *t, const box *n, double bound, int choice)
{
    const know_graph *g = t->space->g;
    box_bound *b = t->b;
    size_t choices = (size_t)g->choices;
    double low = b->low[choice], high = b->high[choice], edge = t->options->margin * (high - low);
    double at = fmin(fmax(t->prob[choice], low + edge), high - edge);
    int node = node_of(g, choice);
    family *f = found_family(b);
    if (!f) return VOUCH_ERROR_MEMORY;
    b->high[choice] = at;
    close_node(b->low, b->high, g, node);
    vouch_status status = push_part(t, bound, f);
    memcpy(b->low, n->side, choices * sizeof(double));
    memcpy(b->high, n->side + choices, choices * sizeof(double));
    b->low[choice] = at;
    close_node(b->low, b->high, g, node);
    if (!status) status = push_part(t, bound, f);
    family_release(f);
    return status;
}

/* Range reduction: the half of each choice's range that is far from the mixture goes when its bound, with the best multipliers at hand and one
 * induction, reaches the cutoff; those for which it cannot are left out. b->low, b->high shrink. */
static void shave(certifier *t)
{
    const know_graph *g = t->space->g;
    box_bound *b = t->b;
    const double *value = b->kept[0].value;
    size_t choices = (size_t)g->choices;
    if (t->tries > SHAVE_TRIES + SHAVE_RATE * t->hits) { /* has not paid of late: again after a while */
        t->tries--;
        return;
    }
    for (size_t c = 0; c < choices; c++) {
        double middle = 0.5 * (b->low[c] + b->high[c]);
        bool upper = t->prob[c] < middle; /* the far half */
        t->low2[c] = upper ? middle : b->low[c];
        t->high2[c] = upper ? b->high[c] : middle;
    }
    box_bound_outlook(b, value, box_bound_price(b, value), t->low2, t->high2, t->outlook);
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (b->high[c] - b->low[c] < SHAVE_LEAST || t->outlook[c] < cutoff(t)) continue;
            if (t->low2[c] > b->high[c] || t->high2[c] < b->low[c]) continue; /* gone by what another choice lost */
            t->tries++;
            memcpy(t->low, b->low, choices * sizeof(double));
            memcpy(t->high, b->high, choices * sizeof(double));
            bool upper = t->low2[c] > b->low[c];
            *(upper ? &b->low[c] : &b->high[c]) = upper ? t->low2[c] : t->high2[c];
            close_node(b->low, b->high, g, n);
            bool empty = box_bound_price(b, value) >= cutoff(t);
            memcpy(b->low, t->low, choices * sizeof(double));
            memcpy(b->high, t->high, choices * sizeof(double));
            if (!empty) continue;
            t->hits++;
            *(upper ? &b->high[c] : &b->low[c]) = upper ? t->low2[c] : t->high2[c];
            close_node(b->low, b->high, g, n);
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
    vouch_status status = box_bound_solve(b, n->above ? n->above->from : NULL, n->above ? n->above->count : 0, cutoff(t), &t->options->box,
                                          &t->options->limit, &end);
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
    int choice = find_disagreement(t);
    if (choice < 0 || t->result->nodes <= FIRST_DESCENTS || power_of_two(t->result->nodes)) {
        status = exact_search_offer(t->s, START_GIVEN, t->prob, n->bound, &t->options->limit);
        if (status) return status;
    }
    if (choice < 0 || bound >= cutoff(t)) { /* without disagreement the mixture is one policy, and was offered */
        t->worst_cut = fmin(t->worst_cut, bound);
        return VOUCH_OK;
    }
    shave(t);
    memcpy(n->side, b->low, choices * sizeof(double));
    memcpy(n->side + choices, b->high, choices * sizeof(double));
    return split(t, n, bound, choice);
}

static void report(const certifier *t, double bound)
{
    if (t->options->progress)
        t->options->progress(t->options->progress_context, exact_search_regret(t->s), bound, t->result->nodes, (long long)t->open);
}

vouch_status certify_run(const policy_space *space, exact_search *s, const certify_options *options, certify_result *result)
{
    *result = (certify_result){.bound = options->floor};
    certifier t = {.space = space, .s = s, .options = options, .result = result, .worst_cut = INFINITY};
    double left = INFINITY; /* bound of a box left unfinished */
    bool limit = false;
    t.prob = MEM_NEW(double, space->g->choices);
    t.low = MEM_NEW(double, 5 * (size_t)space->g->choices);
    vouch_status status = t.prob && t.low ? box_bound_new(space, &t.b) : VOUCH_ERROR_MEMORY;
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
        limit = (options->limit.limits.nodes > 0 && result->nodes >= options->limit.limits.nodes) || (options->sweeps > 0 && t.b->sweeps >= options->sweeps);
        if (limit || n->bound >= cutoff(&t)) {
            if (limit) left = n->bound;
            else t.worst_cut = fmin(t.worst_cut, n->bound);
            box_free(n);
            continue;
        }
        result->nodes++;
        status = process(&t, n, &limit);
        if (limit) left = n->bound;
        box_free(n);
        if ((result->nodes & 15) == 0) report(&t, t.open ? t.heap[0]->bound : exact_search_regret(s));
    }
    double bound = fmin(fmin(t.open ? t.heap[0]->bound : INFINITY, left), fmin(t.worst_cut, exact_search_regret(s)));
    result->proved = !status && !limit;
    result->infeasible = result->proved && !exact_search_found(s) && isfinite(options->ceiling);
    result->bound = result->infeasible ? INFINITY : fmax(options->floor, isfinite(bound) ? bound : 0);
    result->sweeps = t.b ? t.b->sweeps : 0;
    report(&t, result->bound);
    while (t.open) box_free(heap_pop(&t));
    mem_free(t.heap);
    mem_free(t.prob);
    mem_free(t.low);
    box_bound_free(t.b);
    return status;
}
