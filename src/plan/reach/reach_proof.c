/* plan/reach/reach_proof.c - see reach_proof.h. */
#include "plan/reach/reach_proof.h"

#include "base/text.h"

/* Rounding of written potentials and of the checker's sums, relative to reach_doubt; rounding of written multipliers. */
static const double WRITTEN = 4, MULTIPLIERS = 2e-12;

/* Rounds the multipliers of x to w->trial, and returns by how much the bound of the line may be less. */
static double round_multipliers(proof_writer *w, const reach_model *r, const reach_set *x)
{
    int K = r->space->K;
    double *m = w->trial;
    memset(m, 0, 3 * (size_t)K * sizeof *m);
    for (int e = 0; e < r->E; e++) m[e * r->J] = x->at.lambda[e];
    for (int k = 0; k < K; k++) m[2 * K + k] = x->at.mu[k];
    for (int a = K; a < r->P; a++)
        if (x->at.mu[a] > 0) average_spread(&r->space->averages, a - K, K, x->at.mu[a], m + 2 * (size_t)K);
    proof_round(w, m);
    double doubt = proof_doubt(w) + r->space->rounding + WRITTEN * (reach_doubt(r, x) - r->space->rounding);
    for (int k = 0; k < r->P; k++) doubt += MULTIPLIERS * x->at.mu[k];
    return doubt + MULTIPLIERS * r->E * r->space->g->T;
}

/* V of environment e at node n, for given rewards that count from the least. */
static double potential(const proof_writer *w, const reach_model *r, const reach_set *x, int e, int n)
{
    size_t i = (size_t)e * (size_t)r->nodes + (size_t)n;
    double V = x->at.lambda[e] * r->to_go[i] + x->at.W[i];
    for (int k = e * r->J; k < (e + 1) * r->J; k++) {
        double price = x->at.mu[k];
        for (int a = r->space->K; a < r->P; a++)
            price += x->at.mu[a] * r->space->averages.weight[(size_t)(a - r->space->K) * (size_t)r->space->K + (size_t)k];
        V += price * r->kept[(size_t)k * (size_t)r->nodes + (size_t)n];
    }
    return w->unit * V;
}

/* Is a potential of n worth writing? */
static bool is_reached(const reach_model *r, const reach_set *x, int n)
{
    for (int e = 0; e < r->E; e++)
        if (x->hi[(size_t)e * (size_t)r->nodes + (size_t)n] > 0) return true;
    return false;
}

static void name_nodes(proof_writer *w, const reach_model *r, const reach_set *x)
{
    const know_graph *g = r->space->g;
    for (int n = 0; n < g->time_start[g->T]; n++)
        if (is_reached(r, x, n)) proof_number(w, n);
}

static void write_point(proof_writer *w, const reach_model *r, const reach_set *x, bool regrets)
{
    const know_graph *g = r->space->g;
    proof_write_multipliers(w, regrets);
    format_file(w->lines, " ; from %.17g", g->m->scale.least);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (!is_reached(r, x, n)) continue;
        format_file(w->lines, " %d", w->number[n]);
        for (int e = 0; e < r->E; e++)
            if (know_in_set(g, g->set[n], e * r->J))
                format_file(w->lines, " %d=%.17g", proof_row(w, e * r->J) / r->J, potential(w, r, x, e, n));
        fputs(" ;", w->lines);
    }
    fputc('\n', w->lines);
}

void reach_proof_close(proof_writer *w, const reach_model *r, const reach_set *x, reach_line line)
{
    double off = round_multipliers(w, r, x);
    name_nodes(w, r, x);
    format_file(w->lines, "%s %lld", line.regrets ? "reach" : "unkept", line.id);
    write_point(w, r, x, line.regrets);
    w->open--;
    if (line.regrets) w->least = fmin(w->least, line.bound - off);
}

void reach_proof_remove(proof_writer *w, const reach_model *r, const reach_set *x, reach_line line, const int choice[], int count)
{
    double off = round_multipliers(w, r, x);
    name_nodes(w, r, x);
    for (int i = 0; i < count; i++) proof_number(w, know_owner(r->space->g, choice[i]));
    if (line.regrets) {
        w->least = fmin(w->least, line.bound - off);
        format_file(w->lines, "remove %lld %.17g", line.id, proof_written(w, line.bound - off));
    } else {
        format_file(w->lines, "remove %lld -", line.id);
    }
    for (int i = 0; i < count; i++)
        format_file(w->lines, " %d=%d", w->number[know_owner(r->space->g, choice[i])], proof_action(w, choice[i]));
    fputs(" ;", w->lines);
    write_point(w, r, x, line.regrets);
}

void reach_proof_branch(proof_writer *w, long long id, int node)
{
    proof_number(w, node);
    format_file(w->lines, "branch %lld %d\n", id, w->number[node]);
    w->open--;
}

void reach_proof_child(proof_writer *w, long long made, long long id, int choice)
{
    format_file(w->lines, "child %lld %lld %d\n", made, id, proof_action(w, choice));
    w->cases = (int)made;
    w->open++;
}
