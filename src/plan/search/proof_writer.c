/* plan/search/proof_writer.c - see proof_writer.h. Cost: an induction for each node that ends by multipliers. Invariant: a line
 * that bounds a node was found to reach the cutoff in the arithmetic at hand, less SLACK. */
#include "plan/search/proof_writer.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/locale.h"
#include "base/memory.h"
#include "know/induction.h"
#include "plan/search/node_bound.h"
#include "plan/branch/branching.h"

/* By how much less than the cutoff a line may show, relative to 1 + its size: the rounding of multipliers. */
static const double SLACK = 1e-10;
/* By how much promises are lowered, for rounding, where dominated options are left out. */
static const double LOWERED = 1e-12;
/* What is doubtful of a line for each unit of the multipliers that regrets have above their cap, which may be large: the rounding
 * of U*. */
static const double DOUBT = 1e-12;
/* What `vouch-check --interval` may add to a likelihood in a step, where it takes those in one cell of its grid for one. */
static const double CELL = 0x1p-45;
/* Pairs of a set that a line names at least, how many times as many as were made, and cases made in all of nodes that cannot be
 * bounded as they are. */
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
    mem_free(w->owner);
    mem_free(w->trial);
    *w = (proof_writer){.least = INFINITY, .row = row, .total = w->total, .cap = w->cap, .first = w->first, .named = w->first};
}

void proof_writer_free(proof_writer *w)
{
    if (!w) return;
    end_tree(w);
    mem_free(w);
}

void proof_seek_total(proof_writer *w, double cap, int named)
{
    w->total = true;
    w->cap = cap;
    w->first = named;
}

void proof_of_rows(proof_writer *w, const int row[]) { w->row = row; }

double proof_least(const proof_writer *w) { return w->least * w->unit - w->offset; }

vouch_status proof_begin(proof_writer *w, const policy_space *space, const search_options *options, tree_node *root)
{
    const know_graph *g = space->g;
    colgen *cg = NULL;
    end_tree(w);
    vouch_status status = colgen_new(space, &cg);
    if (!status) status = node_solver_init(&w->solver, cg, NULL, options);
    w->space = space;
    w->limit = options->limit;
    proof_find_unit(w);
    if (status) {
        w->solver.colgen = cg;
        return status;
    }
    w->number = MEM_NEW(int, g->nodes);
    w->owner = MEM_NEW(int, g->choices);
    w->trial = MEM_NEW(double, 3 * space->K);
    w->lines = tmpfile();
    if (!w->number || !w->owner || !w->trial) return VOUCH_ERROR_MEMORY;
    if (!w->lines) return errno == ENOMEM ? VOUCH_ERROR_MEMORY : VOUCH_ERROR_IO;
    for (int n = 0; n < g->nodes; n++) {
        w->number[n] = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) w->owner[c] = n;
    }
    colgen_set_goal(cg, w->total ? MASTER_TOTAL_REGRET : MASTER_MAX_REGRET, w->cap / space->m->scale.spread);
    if (w->total)
        format_file(w->lines, "tree total %d %.17g", space->c->cut, w->cap);
    else
        format_file(w->lines, "tree %s %d", proof_subject(space->objective), space->c->cut);
    for (int k = 0; k < space->K && w->row; k += space->m->group)
        format_file(w->lines, "%c%d", k ? ',' : ' ', w->row[k] / space->m->group);
    if (w->solver.dominance) format_file(w->lines, "%s drop", w->row ? "" : " *");
    fputc('\n', w->lines);
    root->proof = w->cases = w->open = 1;
    return VOUCH_OK;
}

/* ---- lines that close a case ---- */

static double needed(const proof_writer *w) { return isfinite(w->cutoff) ? w->cutoff - SLACK * (1 + fabs(w->cutoff)) : w->cutoff; }

static void closed(proof_writer *w, double bound)
{
    w->open--;
    w->least = fmin(w->least, bound);
}

/* What w->trial shows under the options allowed: of the regret or, without it, of the shortfall. INFINITY: no policy is left. */
static double shown(proof_writer *w, bool regrets)
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

/* Do the multipliers m [3K] bound case `id` under the options allowed? If so this is written. A bound of 0 needs a line where it is
 * one on what the least value is counted down from: multipliers that are all 0 become 1 on the first row. */
static bool by_regrets(proof_writer *w, int id, const double m[])
{
    double sum = 0;
    for (int k = 0; k < w->space->K; k++) sum += m[k];
    if (!(sum > 0) && !w->total && w->space->objective == VOUCH_OBJECTIVE_REGRET) return false;
    proof_round(w, m);
    for (int k = 0; k < w->space->K; k++)
        if (!(w->trial[k] >= 0)) return false;
    double bound = shown(w, true);
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
    double missing = shown(w, false);
    if (!(missing > commitment_rounding(w->space->m->T) * K)) return false;
    format_file(w->lines, "empty %d", id);
    proof_write_multipliers(w, false);
    fputc('\n', w->lines);
    closed(w, INFINITY);
    return true;
}

/* The line asks for sets of several times as many pairs as have shown the bound: merged by another program, they may lose
 * elsewhere. It names what is to be shown, for which that one makes them finer still where need be: no more than what the best
 * policy is worth, above which nothing is claimed. */
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

/* Pairs under the options left now: a bound by pairs that a node has from above may be another environment's, and sets of fewer
 * options, merged elsewhere, may show less than those of more. */
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

/* The choice alone stays of its node, and with it what is not dominated then, as the checker finds it. */
static void decide(proof_writer *w, int node, int choice)
{
    const know_graph *g = w->space->g;
    unsigned char *allowed = w->solver.colgen->allowed;
    memset(allowed + g->choice_start[node], 0, (size_t)(g->choice_start[node + 1] - g->choice_start[node]));
    allowed[choice] = 1;
    if (w->solver.dominance) dominance_forbid(w->solver.dominance, allowed);
}

/* Parts case `id` where its mixture disagrees. */
static void part(proof_writer *w, int id, const double m[])
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

/* Closes case `id` under the options allowed, from multipliers m [3K] on (NULL: none are at hand). */
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
        w->status = colgen_start(
            cg, NULL, 0); /* the mixture again, for where to part: the inductions above have changed none of it but values */
        MEM_COPY(cg->mix.lambda, found, 3 * K);
        if (!w->status) w->status = colgen_solve(cg, INFINITY, 0, &w->limit, &end);
        if (!w->status) part(w, id, found);
    }
    mem_free(found);
}

/* ---- what the search says ---- */

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

/* Options given up at n, by its multipliers, under this cutoff. */
static void write_given(proof_writer *w, const tree_node *n, double cutoff)
{
    const know_graph *g = w->space->g;
    if (n->fixed_count == 0) return;
    for (int i = 0; i < n->fixed_count; i++)
        if (n->fixed[i] < g->choices) (void)proof_number(w, w->owner[n->fixed[i]]);
    proof_round(w, n->multipliers);
    cutoff -= proof_doubt(w);
    w->least = fmin(w->least, cutoff);
    format_file(w->lines, "give %d %.17g", n->proof, proof_written(w, cutoff));
    proof_write_multipliers(w, true);
    fputs(" ;", w->lines);
    for (int i = 0; i < n->fixed_count; i++)
        if (n->fixed[i] < g->choices && g->choice_twin[n->fixed[i]] == n->fixed[i])
            format_file(w->lines, " %d=%d", w->number[w->owner[n->fixed[i]]], proof_action(w, n->fixed[i]));
    fputc('\n', w->lines);
}

/* Was a child made for this choice? */
static bool has_child(const node_result *result, int choice)
{
    for (int i = 0; i < result->children; i++)
        if (result->made[i].made.option == choice) return true;
    return false;
}

/* Node n is parted; options without a child were cut off before one was made. */
static void write_parted(proof_writer *w, tree_node *n, const node_result *result)
{
    const know_graph *g = w->space->g;
    unsigned char *allowed = w->solver.colgen->allowed;
    int first = g->choice_start[result->node], count = g->choice_start[result->node + 1] - first,
        number = proof_number(w, result->node);
    const double *own = result->evidence + (size_t)g->m->A * 3 * (size_t)g->K;
    write_given(w, n, result->cut);
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
        write_parted(w, n, result);
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
    if (!(empty ? by_promises(w, 1, cg->mix.lambda) : by_regrets(w, 1, cg->mix.lambda))) w->failed = true;
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
