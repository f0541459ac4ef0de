/* plan/search/proof_writer.c - see proof_writer.h. Cost: an induction for each node that ends by multipliers. Invariant: the bound
 * of each line was recomputed from the written numbers and reaches the cutoff less SLACK. */
#include "plan/search/proof_writer.h"

#include <errno.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/text.h"
#include "plan/branch/branching.h"
#include "plan/search/node.h"

/* Tolerance of a line below the cutoff, relative to 1 + its size: rounding of multipliers. */
static const double SLACK = 1e-10;
/* Reduction of promises, for rounding, where dominated options are dropped. */
static const double LOWERED = 1e-12;
/* Allowance per unit of the multipliers of a cap, which may be large: rounding of U*. */
static const double DOUBT = 1e-12;
/* Bound on the increase of a likelihood per step by `vouch-check --interval`, which merges a cell of its grid. */
static const double CELL = 0x1p-45;
/* Least number of pairs named in a line, its ratio to the pairs used here, and limit on the cases that the writer itself adds. */
enum { FINER_PAIRS = 64, FINER = 4, MOST_PARTED = 20000 };

vouch_status proof_writer_new(proof_writer **out)
{
    *out = MEM_ZERO(proof_writer, 1);
    return *out ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

void proof_leave_space(proof_writer *w)
{
    w->row = NULL;
    if (!w->space) return;
    colgen *cg = w->solver.colgen;
    node_solver_clear(&w->solver);
    colgen_free(cg);
    pareto_bound_free(w->pairs);
    w->pairs = NULL;
    w->space = NULL;
}

static void end_tree(proof_writer *w)
{
    const int *row = w->row;
    if (w->lines) fclose(w->lines);
    proof_leave_space(w);
    mem_free(w->number);
    mem_free(w->trial);
    *w = (proof_writer){
        .least = INFINITY, .row = row, .total = w->total, .cap = w->cap, .first = w->first, .named = w->first, .own = w->own};
}

void proof_writer_free(proof_writer *w)
{
    if (!w) return;
    end_tree(w);
    mem_free(w);
}

/* ---- numbers and names as written ---- */

int proof_row(const proof_writer *w, int k) { return w->row ? w->row[k] : k; }

/* Margin of claims, relative to the spread of the rewards plus 1 + their size; lines use a share of it. */
static const double MARGIN = 1e-11, SHARE_OF_LINES = 0.25;

double proof_kept_off(const vouch_model *m, double regret)
{
    double largest = fmax(fabs(m->scale.least), fabs(m->scale.least + m->scale.spread));
    return fmax(MARGIN * (m->scale.spread + 1 + fabs(regret)), 4 * m->T * DBL_EPSILON * largest) + rescaled_rounding(m);
}

double proof_written(const proof_writer *w, double bound)
{
    const vouch_model *m = w->space->m;
    double weights = w->space->share ? w->unit / m->scale.spread : 1, written = bound * w->unit - w->offset;
    double steep = w->space->share ? 0 : w->space->steep * m->scale.spread * (w->total ? w->space->K / m->group : 1);
    return written - SHARE_OF_LINES * weights * proof_kept_off(m, written / weights) - steep;
}

/* Regrets are written in given rewards, less the rounding of rescaling; values as regrets against an optimum of 0. */
static void proof_find_unit(proof_writer *w)
{
    const policy_space *space = w->space;
    const vouch_model *m = space->m;
    int group = w->total ? m->group : 1; /* rows of one environment share its regret */
    w->unit = m->scale.spread / group;
    w->offset = (w->total ? space->K / group : 1) * rescaled_loss(m);
    if (space->objective == VOUCH_OBJECTIVE_MAX_MIN) w->offset += m->T * (m->scale.least + m->scale.spread);
    if (!space->share) return;
    double weights = 0, best = 0;
    for (int k = 0; k < space->K; k += m->group) {
        double weight = space->weights ? space->weights[k / m->group] : 1;
        weights += weight;
        best += weight * (space->optimal[k] * m->scale.spread + m->T * m->scale.least);
    }
    w->unit *= weights;
    w->offset = w->offset * weights + best;
}

int proof_number(proof_writer *w, int node)
{
    const know_graph *g = w->space->g;
    if (w->number[node] >= 0) return w->number[node];
    int t = know_time(g, node), boundary = t > g->L ? proof_number(w, g->boundary[node]) : -1; /* one nested call at most */
    w->number[node] = w->named++;
    format_file(w->lines, "node %d %d %d ", w->number[node], t, g->state[node]);
    if (boundary >= 0) {
        format_file(w->lines, "%d\n", boundary);
        return w->number[node];
    }
    int set = g->set[node], size = know_set_size(g, set), group = w->space->m->group; /* a set has whole environments */
    fputs("- ", w->lines);
    if (size == g->K) fputc('*', w->lines);
    for (int i = 0; i < size && size < g->K; i += group)
        format_file(w->lines, "%s%d", i ? "," : "", g->member[g->member_start[set] + i] / group);
    fputc('\n', w->lines);
    return w->number[node];
}

int proof_action(const proof_writer *w, int choice) { return w->space->g->m->pair_action[w->space->g->choice_pair[choice]]; }

void proof_round(proof_writer *w, const double m[])
{
    int K = w->space->K, largest = 0;
    double left = 1 / PROOF_UNIT;
    for (int k = 0; k < K; k++) {
        bool nature = w->own && proof_row(w, k) >= w->own;
        w->trial[k] = w->space->share || nature ? 0 : floor(m[k] / PROOF_UNIT);
        left -= w->trial[k];
        if (m[k] > m[largest] && !nature) largest = k;
        w->trial[K + k] = 0;
        char word[32];
        format_text(word, sizeof word, "%.12g", m[2 * K + k] * w->unit);
        w->trial[2 * K + k] = number_read(word, NULL);
    }
    if (!w->total && !w->space->share) w->trial[largest] += left;
    for (int k = 0, group = w->space->m->group; k < K && w->total && group > 1; k += group) { /* must be divisible by the group */
        double sum = 0;
        for (int row = k; row < k + group; row++) {
            sum += w->trial[row];
            w->trial[row] = 0;
        }
        w->trial[k] = sum - fmod(sum, group);
    }
}

void proof_write_multipliers(const proof_writer *w, bool regrets)
{
    int K = w->space->K;
    int group = w->space->m->group;
    for (int k = 0; k < K && regrets; k += group) { /* all rows of an environment have its regret */
        double lambda = 0;
        for (int row = k; row < k + group; row++) lambda += w->trial[row] / (w->total ? group : 1);
        if (lambda > 0) format_file(w->lines, " %d=%.0fe-12", proof_row(w, k) / group, lambda);
    }
    if (regrets) fputs(" ;", w->lines);
    for (int k = 0; k < K; k++)
        if (w->trial[2 * K + k] > 0) format_file(w->lines, " %d=%.12g", proof_row(w, k), w->trial[2 * K + k]);
}

/* ---- the tree ---- */

void proof_seek_total(proof_writer *w, double cap, int named)
{
    w->total = true;
    w->cap = cap;
    w->first = named;
}

void proof_of_unrolled(proof_writer *w, int own, int nodes)
{
    w->own = own;
    w->first = w->named = nodes;
}

void proof_of_rows(proof_writer *w, const int row[]) { w->row = row; }

double proof_least(const proof_writer *w) { return w->least * w->unit - w->offset; }

/* The environments that a tree is about, if not all. */
static void write_rows(const proof_writer *w)
{
    for (int k = 0; k < w->space->K && w->row; k += w->space->m->group)
        format_file(w->lines, "%c%d", k ? ',' : ' ', w->row[k] / w->space->m->group);
}

/* Room for the lines of a tree. */
static vouch_status make_room(proof_writer *w)
{
    w->number = MEM_NEW(int, w->space->g->nodes);
    w->trial = MEM_NEW(double, 3 * w->space->K);
    w->lines = tmpfile();
    if (!w->number || !w->trial) return VOUCH_ERROR_MEMORY;
    if (!w->lines) return errno == ENOMEM ? VOUCH_ERROR_MEMORY : VOUCH_ERROR_IO;
    for (int n = 0; n < w->space->g->nodes; n++) w->number[n] = w->own ? w->space->g->state[n] : -1;
    w->cases = w->open = 1;
    return VOUCH_OK;
}

vouch_status proof_begin_bare(proof_writer *w, const policy_space *space)
{
    end_tree(w);
    w->space = space;
    proof_find_unit(w);
    vouch_status status = make_room(w);
    if (status) return status;
    format_file(w->lines, "tree %s 1", proof_subject(space->objective));
    write_rows(w);
    fputc('\n', w->lines);
    return VOUCH_OK;
}

vouch_status proof_begin(proof_writer *w, const policy_space *space, const search_options *options, tree_node *root)
{
    colgen *cg = NULL;
    end_tree(w);
    vouch_status status = colgen_new(space, &cg);
    if (!status) status = node_solver_init(&w->solver, cg, NULL, options);
    w->space = space;
    w->limit = options->limit;
    proof_find_unit(w);
    if (status) w->solver.colgen = cg;
    if (!status) status = make_room(w);
    if (status) return status;
    colgen_set_goal(cg, w->total ? MASTER_TOTAL_REGRET : MASTER_MAX_REGRET, w->cap / space->m->scale.spread);
    if (w->total)
        format_file(w->lines, "tree total %d %.17g", space->c->cut, w->cap);
    else
        format_file(w->lines, "tree %s %d", proof_subject(space->objective), space->c->cut);
    write_rows(w);
    if (w->solver.dominance) format_file(w->lines, "%s drop", w->row ? "" : " *");
    fputc('\n', w->lines);
    root->proof = 1;
    return VOUCH_OK;
}

/* ---- lines that close a case ---- */

static double needed(const proof_writer *w) { return isfinite(w->cutoff) ? w->cutoff - SLACK * (1 + fabs(w->cutoff)) : w->cutoff; }

static void closed(proof_writer *w, double bound)
{
    w->open--;
    w->least = fmin(w->least, bound);
}

/* The bound of w->trial under the options allowed, on the regret or else on the shortfall. INFINITY: no policy is left. */
static double bound_of(proof_writer *w, bool regrets)
{
    colgen *cg = w->solver.colgen;
    const policy_space *space = w->space;
    int K = space->K;
    double constant = 0, slack = w->solver.dominance ? LOWERED : 0;
    for (int k = 0; k < K; k++) {
        double lambda = !regrets ? 0 : space->share ? space->share[k] : w->trial[k] * PROOF_UNIT;
        cg->weight[k] = lambda + (regrets && w->total);
        if (w->total) constant -= lambda * w->cap / space->m->scale.spread;
        cg->mix.mu[k] = w->trial[2 * K + k] / w->unit;
        constant += cg->weight[k] * space->optimal[k] - cg->mix.mu[k] * slack;
    }
    constant += space_worth(space, cg->mix.mu, space->accepted);
    double value = colgen_induction(cg);
    return value == -INFINITY ? INFINITY : constant - value;
}

double proof_doubt(const proof_writer *w)
{
    double above = 0, prices = 0;
    for (int k = 0; k < w->space->K; k++) {
        if (w->total) above += w->trial[k] * PROOF_UNIT;
        prices += w->trial[2 * w->space->K + k] / w->unit;
    }
    return (DOUBT + w->space->steep) * above + (commitment_rounding(w->space->m->T) + CELL * w->space->m->T) * prices;
}

/* Writes the line of case `id` if the multipliers m [3K] bound it under the options allowed. Multipliers that are all 0 bound the
 * regret by 0, which needs no line; with other goals they become 1 on the first row. */
static bool by_regrets(proof_writer *w, int id, const double m[])
{
    double sum = 0;
    for (int k = 0; k < w->space->K; k++) sum += m[k];
    if (!(sum > 0) && !w->total && w->space->objective == VOUCH_OBJECTIVE_REGRET) return false;
    proof_round(w, m);
    for (int k = 0; k < w->space->K; k++)
        if (!(w->trial[k] >= 0)) return false;
    double bound = bound_of(w, true);
    if (!(bound >= needed(w))) return false;
    format_file(w->lines, "leaf %d", id);
    proof_write_multipliers(w, true);
    fputc('\n', w->lines);
    closed(w, bound - proof_doubt(w));
    return true;
}

static bool by_promises(proof_writer *w, int id, const double m[])
{
    int K = w->space->K;
    double most = 0;
    for (int k = 0; k < K; k++) most = fmax(most, m[2 * K + k]);
    memset(w->trial, 0, 3 * (size_t)K * sizeof *w->trial);
    for (int k = 0; k < K && most > 0; k++) { /* their scale does not matter */
        char word[32];
        format_text(word, sizeof word, "%.12g", m[2 * K + k] / most);
        w->trial[2 * K + k] = number_read(word, NULL);
    }
    double missing = bound_of(w, false);
    if (!(missing > commitment_rounding(w->space->m->T) * K)) return false;
    format_file(w->lines, "empty %d", id);
    proof_write_multipliers(w, false);
    fputc('\n', w->lines);
    closed(w, INFINITY);
    return true;
}

/* The line names sets of several times as many pairs as used here, since the checker merges differently, and the bound to be shown,
 * for which the checker may refine further: at most the value of the best policy, since nothing above is claimed. */
static void write_pairs(proof_writer *w, int id, int k, int most, double bound)
{
    if (isfinite(w->cutoff)) bound = fmin(bound, w->cutoff + w->solver.options->gap);
    format_file(w->lines, "pairs %d ", id);
    if (w->total || w->space->share)
        fputc('*', w->lines);
    else
        format_file(w->lines, "%d", proof_row(w, k));
    format_file(w->lines, " %d", FINER * most > FINER_PAIRS ? FINER * most : FINER_PAIRS);
    if (bound < INFINITY)
        format_file(w->lines, " %.17g\n", proof_written(w, bound));
    else
        fputs(" -\n", w->lines);
    closed(w, bound);
}

/* ---- cases that the multipliers at hand do not close ---- */

/* Recomputes pairs under the options allowed: an inherited bound may come from another environment, and smaller sets, merged
 * differently, may be weaker. */
static bool by_finer_pairs(proof_writer *w, int id)
{
    if (part_off(w->solver.options->without, VOUCH_PART_PARETO)) return false;
    if (!w->pairs && pareto_bound_fit(w->space, bound_pair_sums(w->space), true, NULL, &w->pairs)) w->status = VOUCH_ERROR_MEMORY;
    if (!w->pairs) return false;
    double bound = pareto_bound_solve(w->pairs, w->solver.colgen, w->cutoff, 0);
    if (!(bound >= needed(w))) return false;
    write_pairs(w, id, w->pairs->hardest, w->pairs->of[w->pairs->hardest]->pareto_front.most, bound);
    return true;
}

static void prove(proof_writer *w, int id, const double m[]);

/* Allows only this choice at its node, and drops the dominated options as the checker does. */
static void decide(proof_writer *w, int node, int choice)
{
    const know_graph *g = w->space->g;
    unsigned char *allowed = w->solver.colgen->allowed;
    memset(allowed + g->choice_start[node], 0, (size_t)(g->choice_start[node + 1] - g->choice_start[node]));
    allowed[choice] = 1;
    if (w->solver.dominance) dominance_forbid(w->solver.dominance, allowed);
}

/* Branches case `id` where its mixture disagrees. */
static void branch(proof_writer *w, int id, const double m[])
{
    const know_graph *g = w->space->g;
    colgen *cg = w->solver.colgen;
    int node = cg->count ? branching_disagreement(&w->solver) : -1;
    if (node < 0 && cg->count) node = branching_open_node(&w->solver);
    if (node < 0 || w->cases > MOST_PARTED + w->solver.options->first_id) {
        w->failed = true;
        return;
    }
    int first = g->choice_start[node], count = g->choice_start[node + 1] - first, number = proof_number(w, node);
    unsigned char *was = MEM_NEW(unsigned char, cg->space->c->options);
    if (!was) {
        w->status = VOUCH_ERROR_MEMORY;
        return;
    }
    memcpy(was, cg->allowed, (size_t)cg->space->c->options);
    format_file(w->lines, "branch %d %d\n", id, number);
    w->open--;
    for (int i = 0; i < count && !w->failed && !w->status; i++) {
        if (!was[first + i] || g->choice_twin[first + i] != first + i) continue;
        memcpy(cg->allowed, was, (size_t)cg->space->c->options);
        decide(w, node, first + i);
        w->open++;
        format_file(w->lines, "child %d %d %d\n", ++w->cases, id, proof_action(w, first + i));
        prove(w, w->cases, m);
    }
    memcpy(cg->allowed, was, (size_t)cg->space->c->options);
    mem_free(was);
}

/* Closes case `id` under the options allowed, starting from multipliers m [3K] (NULL: none). */
static void prove(proof_writer *w, int id, const double m[])
{
    colgen *cg = w->solver.colgen;
    int K = w->space->K;
    colgen_end end;
    if (w->failed || w->status) return;
    if (m && (by_regrets(w, id, m) || by_promises(w, id, m))) return;
    for (int k = 0; k < K; k++) {
        cg->mix.lambda[k] = m ? m[k] : w->total ? 0 : 1.0 / K;
        cg->mix.nu[k] = 0;
        cg->mix.mu[k] = m ? m[2 * K + k] : 0;
    }
    w->status = colgen_start(cg, NULL, 0);
    if (!w->status) w->status = colgen_solve(cg, w->cutoff, 0, &w->limit, &end);
    if (w->status) return;
    double *found = MEM_NEW(double, 3 * K);
    if (!found) {
        w->status = VOUCH_ERROR_MEMORY;
        return;
    }
    MEM_COPY(found, cg->mix.lambda, 3 * K);
    bool done = end == COLGEN_INFEASIBLE ? by_promises(w, id, found) : by_regrets(w, id, found);
    if (!done) done = by_finer_pairs(w, id);
    if (!done) {
        w->status = colgen_start(cg, NULL, 0); /* the mixture again, since the inductions above overwrote its values */
        MEM_COPY(cg->mix.lambda, found, 3 * K);
        if (!w->status) w->status = colgen_solve(cg, INFINITY, 0, &w->limit, &end);
        if (!w->status) branch(w, id, found);
    }
    mem_free(found);
}

/* ---- events of the search ---- */

void proof_child(proof_writer *w, tree_node *n)
{
    n->proof = ++w->cases;
    w->open++;
    format_file(w->lines, "child %d %d %d\n", n->proof, n->parent->proof, proof_action(w, n->made.option));
}

static const double *multipliers_above(const tree_node *n)
{
    while (n && !n->multipliers) n = n->parent;
    return n ? n->multipliers : NULL;
}

void proof_prune(proof_writer *w, const tree_node *n, double cutoff)
{
    if (w->failed || w->status) return;
    w->cutoff = cutoff;
    node_restrict(&w->solver, n);
    if (bound_leader(n) == SOURCE_PAIRS && n->source[SOURCE_PAIRS].bound >= cutoff && by_finer_pairs(w, n->proof)) return;
    prove(w, n->proof, multipliers_above(n));
}

void proof_leave(proof_writer *w, const tree_node *n)
{
    const double *m = multipliers_above(n);
    if (w->failed || w->status) return;
    w->cutoff = -INFINITY;
    node_restrict(&w->solver, n);
    if (bound_leader(n) == SOURCE_PAIRS && by_finer_pairs(w, n->proof)) return;
    if (!m || !(by_regrets(w, n->proof, m) || by_promises(w, n->proof, m))) w->failed = true;
}

/* Options fixed at n by its multipliers under this cutoff. */
static void write_fixed(proof_writer *w, const tree_node *n, double cutoff)
{
    const know_graph *g = w->space->g;
    if (n->fixed_count == 0) return;
    for (int i = 0; i < n->fixed_count; i++)
        if (n->fixed[i] < g->choices) (void)proof_number(w, know_owner(g, n->fixed[i]));
    proof_round(w, n->multipliers);
    cutoff -= proof_doubt(w);
    w->least = fmin(w->least, cutoff);
    format_file(w->lines, "give %d %.17g", n->proof, proof_written(w, cutoff));
    proof_write_multipliers(w, true);
    fputs(" ;", w->lines);
    for (int i = 0; i < n->fixed_count; i++)
        if (n->fixed[i] < g->choices && g->choice_twin[n->fixed[i]] == n->fixed[i])
            format_file(w->lines, " %d=%d", w->number[know_owner(g, n->fixed[i])], proof_action(w, n->fixed[i]));
    fputc('\n', w->lines);
}

static bool has_child(const node_result *result, int choice)
{
    for (int i = 0; i < result->children; i++)
        if (result->made[i].made.option == choice) return true;
    return false;
}

/* Node n is branched; options without a child were cut off before. */
static void write_branched(proof_writer *w, tree_node *n, const node_result *result)
{
    const know_graph *g = w->space->g;
    unsigned char *allowed = w->solver.colgen->allowed;
    int first = g->choice_start[result->node], count = g->choice_start[result->node + 1] - first,
        number = proof_number(w, result->node);
    const double *own = result->evidence + (size_t)g->m->A * 3 * (size_t)g->K;
    write_fixed(w, n, result->cut);
    format_file(w->lines, "branch %d %d\n", n->proof, number);
    w->open--;
    bool restricted = false;
    for (int i = 0; i < count && !w->failed; i++) {
        if (g->choice_twin[first + i] != first + i || has_child(result, first + i)) continue;
        if (!restricted) node_restrict(&w->solver, n);
        restricted = !allowed[first + i];
        if (restricted) continue;
        decide(w, result->node, first + i);
        w->open++;
        format_file(w->lines, "child %d %d %d\n", ++w->cases, n->proof, proof_action(w, first + i));
        prove(w, w->cases, result->tried ? result->evidence + (size_t)i * 3 * (size_t)g->K : own);
    }
}

void proof_node(proof_writer *w, tree_node *n, const node_result *result, double cutoff)
{
    if (result->limit) proof_leave(w, n);
    if (result->status) w->failed = true;
    if (w->failed || w->status || result->limit) return;
    w->cutoff = cutoff;
    if (result->end == VOUCH_NODE_BRANCHED) {
        write_branched(w, n, result);
        return;
    }
    if (result->pairs >= cutoff) {
        write_pairs(w, n->proof, n->hardest, n->pairs, result->pairs);
        return;
    }
    node_restrict(&w->solver, n);
    if (!(bound_leader(n) == SOURCE_PAIRS && n->source[SOURCE_PAIRS].bound >= cutoff && by_finer_pairs(w, n->proof)))
        prove(w, n->proof, result->evidence + (size_t)w->space->g->m->A * 3 * (size_t)w->space->K);
}

vouch_status proof_single(proof_writer *w, const colgen *cg, bool empty)
{
    search_options options = {.threads = 1, .without = part_set(VOUCH_PART_DOMINANCE)};
    tree_node root = {.id = 1};
    vouch_status status = proof_begin(w, cg->space, &options, &root);
    if (status) return status;
    w->cutoff = -INFINITY;
    memset(w->solver.colgen->allowed, 1, (size_t)cg->space->c->options);
    if (!(empty ? by_promises(w, 1, cg->mix.lambda) : by_regrets(w, 1, cg->peak))) w->failed = true;
    return w->status;
}

vouch_status proof_vectors(proof_writer *w, const policy_space *space)
{
    const pareto_sets *f = space->f;
    search_options options = {.threads = 1, .without = part_set(VOUCH_PART_DOMINANCE)};
    tree_node root = {.id = 1};
    size_t K = (size_t)space->K;
    CHECK(f->count[0] >= 0);
    vouch_status status = proof_begin(w, space, &options, &root);
    if (status) return status;
    fputs("vectors 1\n", w->lines);
    closed(w, INFINITY);
    for (int i = 0; i < f->count[0]; i++) {
        const double *v = f->value + (size_t)(f->start[0] + i) * 2 * K;
        double most = -INFINITY, total = 0, mean = 0;
        bool kept = true;
        for (size_t k = 0; k < K; k++) {
            if (space->share) mean += space->share[k] * (space->optimal[k] - v[k]);
            most = fmax(most, space->optimal[k] - v[k]);
            total += space->optimal[k] - v[k];
            kept = kept && v[K + k] >= space->accepted[k];
        }
        for (int a = 0; a < space->averages.count; a++)
            kept = kept && average_mean(&space->averages, a, space->K, v + K) >= space->accepted[K + (size_t)a];
        if (kept && !(w->total && most * space->m->scale.spread > w->cap))
            w->least = fmin(w->least, w->total ? total : space->share ? mean : most);
    }
    return VOUCH_OK;
}

bool proof_reaches(const proof_writer *w, double bound) { return proof_whole(w) && w->least >= bound - SLACK * (1 + fabs(bound)); }

bool proof_whole(const proof_writer *w) { return w->lines && !w->failed && !w->status && w->open == 0 && !ferror(w->lines); }
