/* plan/box_proof.c - see proof.h. Cost: a bound of given multipliers for each box that ends. */
#include "plan/proof.h"

#include "base/memory.h"
#include "base/text.h"

/* Tolerance of a line below the goal, relative to 1 + its size: rounding of multipliers. */
static const double SLACK = 1e-10;
/* If the regrets' multipliers sum to less, the case is proved empty. */
static const double FEW = 1e-3;
/* Limits on inductions of the search for a tree of corners, in its first and last turn. */
static const double FIRST_INDUCTIONS = 20, MOST_INDUCTIONS = 40960;
/* Error of a value by the rounding of corners, per step and unit of value. */
static const double PINNED = 0x1p-36;

/* p->value = m as written, with multipliers of the regrets that sum to 1 or, for an empty case, are 0. */
static void round_multipliers(const box_proof *p, const double m[], bool empty)
{
    proof_writer *w = p->tree;
    const know_graph *g = w->space->g;
    size_t K = (size_t)g->K, group = (size_t)w->space->m->group;
    double sum = 0, *value = p->value, *flat = value; /* [3K] as proof_round takes them */
    for (size_t k = 0; k < K; k++) sum += m[k];
    double scale = empty ? 1 : sum;
    for (size_t k = 0; k < K; k++) {
        flat[k] = empty ? 0 : m[k] / scale;
        flat[K + k] = 0;
        flat[2 * K + k] = m[K + k] / scale;
    }
    proof_round(w, flat);
    for (size_t k = 0; k < K; k++) {
        value[k] = empty ? 0 : w->space->share ? 1 / (double)K : w->trial[k] * PROOF_UNIT;
        value[K + k] = w->trial[2 * K + k] / w->unit;
    }
    for (size_t i = 2 * K; i < 2 * K + (size_t)g->choices * K; i += group) { /* one price for the rows of an environment */
        double price = 0;
        char word[32];
        for (size_t j = i; j < i + group; j++) {
            price += m[j] / scale;
            value[j] = 0;
        }
        int choice = (int)(i / K) - 2;
        if (price == 0 || g->choice_twin[choice] != choice) continue; /* twins share a price */
        format_text(word, sizeof word, "%.12g", price * w->unit);
        value[i] = number_read(word, NULL) / w->unit;
    }
}

static void write_case(const box_proof *p, int id, const char *kind, bool empty)
{
    proof_writer *w = p->tree;
    const know_graph *g = w->space->g;
    size_t K = (size_t)g->K, group = (size_t)w->space->m->group;
    const double *price = p->value + 2 * K;
    for (size_t i = 0; i < (size_t)g->choices * K; i++)
        if (price[i] != 0) (void)proof_number(w, know_owner(g, (int)(i / K)));
    format_file(w->lines, "%s %d", kind, id);
    proof_write_multipliers(w, !empty);
    for (int c = 0; c < g->choices; c++, price += K) {
        bool any = false;
        for (size_t k = 0; k < K; k += group) {
            if (price[k] == 0) continue;
            if (!any) format_file(w->lines, " ; %d %d", w->number[know_owner(g, c)], proof_action(w, c));
            any = true;
            format_file(w->lines, " %zu=%.12g", k / group, price[k] * w->unit);
        }
    }
    fputc('\n', w->lines);
}

static bool end_case(box_proof *p, int id, box_bound *b, const multipliers *m, bool empty, double goal)
{
    proof_writer *w = p->tree;
    round_multipliers(p, m->value, empty);
    double bound = box_bound_price(b, p->value);
    if (empty ? !(bound > commitment_rounding(w->space->m->T) * w->space->K) : !(bound >= goal - SLACK * (1 + fabs(goal))))
        return false;
    write_case(p, id, empty ? "empty" : "leaf", empty);
    w->open--;
    if (!empty) w->least = fmin(w->least, bound - proof_doubt(w));
    return true;
}

/* ---- the tree of fixed multipliers ------------------------------------------------------------------------------------ */

typedef struct corner_proof {
    proof_writer *w;
    const box_corners *at;
    int ahead; /* of walks; -1: leaves are inductions */
} corner_proof;

static int write_corners(void *context, int number, int node)
{
    const corner_proof *p = context;
    proof_writer *w = p->w;
    const know_graph *g = p->at->g;
    int count = p->at->count[node], policy_node = proof_number(w, node); /* its own line comes first */
    format_file(w->lines, "corners %d %d", number, policy_node);
    for (int j = 0; j < count; j++) {
        const double *share = box_corner(p->at, node, j);
        if (j) fputs(" ;", w->lines);
        for (int c = g->choice_start[node]; c < g->choice_start[node + 1]; c++)
            if (share[c - g->choice_start[node]] > 0)
                format_file(w->lines, " %d=%.17g", proof_action(w, c), share[c - g->choice_start[node]]);
    }
    fputc('\n', w->lines);
    w->cases += count;
    w->open += count - 1;
    return w->cases - count + 1;
}

static void write_leaf(void *context, int number)
{
    const corner_proof *p = context;
    if (p->ahead >= 0)
        format_file(p->w->lines, "walk %d %d\n", number, p->ahead);
    else
        format_file(p->w->lines, "leaf %d\n", number);
    p->w->open--;
}

/* The tree of corners for a box with fixed multipliers. */
typedef struct corner_case {
    corner_search *search;
    const box_graph *graph;
    corner_task task;     /* to show: the maximum is at most task.least */
    corner_stages stages; /* done: shown stage by stage */
    double upper;         /* the maximum is at most this, or task.least */
} corner_case;

/* Finds a tree by two searches that take turns with growing work. */
static bool corners_show(corner_case *c, double visit)
{
    corner_search *x = c->search;
    bool done = false;
    vouch_status status = corner_search_begin(x, &c->task);
    for (double share = FIRST_INDUCTIONS; !status && !done && !c->stages.done && share <= MOST_INDUCTIONS; share *= 2) {
        corner_task task = c->task;
        status = corner_search_run(x, share, &done);
        if (x->known) task.least = fmax(task.least, x->found);
        if (!status && !done) status = corner_stages_run(c->graph, &task, share / visit, &c->stages);
        if (deadline_expired(c->task.limit)) break;
    }
    c->upper = c->stages.done ? c->stages.upper : corner_search_upper(x);
    return !status && (done || c->stages.done) && isfinite(fmax(c->task.least, c->upper));
}

static vouch_status corners_write(corner_case *c)
{
    bool done = false;
    if (c->stages.done) return corner_stages_run(c->graph, &c->task, INFINITY, &c->stages);
    vouch_status status = corner_search_begin(c->search, &c->task);
    if (!status) status = corner_search_run(c->search, INFINITY, &done);
    corner_search_leaves(c->search);
    return status;
}

/* Upper bound on the error by rounded corners. */
static double pinned_doubt(const box_proof *p)
{
    const policy_space *space = p->tree->space;
    int K = space->K, T = space->m->T;
    const double *price = p->value + 2 * K;
    double all = T, dearest = 0;
    for (int k = 0; k < K; k++) all += p->value[K + k];
    for (int i = 0; i < space->g->choices * K; i++) dearest = fmax(dearest, fabs(price[i]));
    return PINNED * T * (all + 2 * T * dearest);
}

/* Writes the tree of corners if it bounds the box in b by `goal`, or nearly, at multipliers m. */
static bool end_by_corners(box_proof *p, int id, box_bound *b, const multipliers *m, double goal)
{
    proof_writer *w = p->tree;
    box_pricer *pricer = b->pricer;
    const deadline never = {0};
    box_pricer_enter(pricer, (policy_box){b->low, b->high});
    if (pricer->at.blurred) return false;
    round_multipliers(p, m->value, false);
    double base = box_bound_base(b, p->value), slack = SLACK * (1 + fabs(goal)), most = base - goal + slack;
    corner_case c = {.search = &pricer->tree,
                     .graph = &pricer->graph,
                     .task = {.reward = b->reward, .mu = p->value + w->space->K, .least = most, .limit = b->limit}};
    box_graph_enter(&pricer->graph);
    box_graph_price(&pricer->graph, c.task.reward, c.task.mu);
    if (!corners_show(&c, pricer->visit)) return false;
    if (c.upper > most) c.task.least = c.upper + SLACK * (1 + fabs(most));
    corner_proof proof = {w, &pricer->at, c.stages.done ? c.stages.ahead : -1};
    corner_witness witness = {&proof, id, write_corners, write_leaf};
    c.task.witness = &witness;
    c.task.limit = &never;
    write_case(p, id, "weigh", false);
    vouch_status status = corners_write(&c);
    w->least = fmin(w->least, base - c.task.least - pinned_doubt(p) - proof_doubt(w));
    if (status) w->least = -INFINITY;
    return true;
}

static bool box_close(void *context, int id, box_bound *b, const multipliers *m, double goal)
{
    box_proof *p = context;
    const policy_space *space = p->tree->space;
    double sum = 0;
    for (int k = 0; k < space->K; k++) sum += m->value[k];
    if ((m->bound >= p->ceiling || sum < FEW) && end_case(p, id, b, m, true, goal)) return true;
    if (sum > 0 && end_case(p, id, b, m, false, goal)) return true;
    return sum > 0 && isfinite(goal) && b->pricer && end_by_corners(p, id, b, m, goal);
}

static int box_parted(void *context, int id, int choice, double at)
{
    proof_writer *w = ((box_proof *)context)->tree;
    int number = proof_number(w, know_owner(w->space->g, choice));
    format_file(w->lines, "part %d %d %d %.17g\n", id, number, proof_action(w, choice), at);
    w->cases += 2;
    w->open++;
    return w->cases - 1;
}

vouch_status box_proof_begin(box_proof *p, const policy_space *space, double ceiling)
{
    search_options options = {.threads = 1, .without = part_set(VOUCH_PART_DOMINANCE)};
    tree_node root = {.id = 1};
    *p = (box_proof){.ceiling = ceiling, .witness = {p, box_parted, box_close}};
    p->value = MEM_NEW(double, (3 + (size_t)space->g->choices) * (size_t)space->K);
    vouch_status status = proof_writer_new(&p->tree);
    if (!status && !p->value) status = VOUCH_ERROR_MEMORY;
    return status ? status : proof_begin(p->tree, space, &options, &root);
}

void box_proof_end(box_proof *p, proof_writer *best)
{
    if (best && p->tree && proof_whole(p->tree) && p->tree->least > best->least) {
        proof_writer other = *best;
        *best = *p->tree;
        *p->tree = other;
    }
    proof_writer_free(p->tree);
    mem_free(p->value);
}
