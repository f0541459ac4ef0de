/* The bilinear program: a policy's occupancies and probabilities satisfy it with z = its maximum regret, and the file contains the
 * products. */
#include "base/rng.h"
#include "io/lpfile.h"
#include "know/graph.h"
#include <vouch/generate.h>
#include "policy/space.h"
#include "program/program.h"
#include "test.h"

static void draw_policy(const know_graph *g, rng *r, double prob[])
{
    for (int n = 0; n < g->nodes; n++) {
        double sum = 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            sum += prob[c] = g->choice_twin[c] == c ? 0.01 + rng_unit(r) : 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) prob[c] /= sum;
    }
}

static int choice_of(const know_graph *g, const meaning *c)
{
    int choice = g->choice_start[c->node];
    while (g->m->pair_action[g->choice_pair[choice]] != c->action) choice++;
    return choice;
}

static void every_policy_satisfies_the_bilinear_program(void **state)
{
    (void)state;
    rng r = rng_seed(21);
    int done = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        vouch_model *m;
        policy_space space;
        program *p;
        vouch_random_shape shape = {4, 3, 3, 4, 0, 3, 0, seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        space_options so = space_options_for((int)(seed % 4));
        so.classes = 0;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        const know_graph *g = space.g;
        size_t K = (size_t)g->K;
        assert_int_equal(
            program_bilinear(g, &(program_aim){space.optimal, space.p, &space.averages, PROGRAM_MAX_REGRET, 0, NULL}, &p),
            VOUCH_OK);
        assert_int_equal(program_set_names(p), VOUCH_OK);
        double *prob = malloc((size_t)g->choices * sizeof *prob), *reach = malloc((size_t)g->nodes * K * sizeof *reach), U[3],
               Pr[3], z = 0;
        draw_policy(g, &r, prob);
        propagate_forward(g, prob, reach, U, Pr);
        for (size_t k = 0; k < K; k++) z = fmax(z, space.optimal[k] - U[k]);
        vouch_lp_data d;
        vouch_lp_view(p->lp, &d);
        double *x = malloc((size_t)d.cols * sizeof *x), *row = calloc((size_t)d.rows, sizeof *row);
        for (int j = 0; j < d.cols; j++) {
            const meaning *c = &p->column[j];
            if (c->kind == COLUMN_REGRET)
                x[j] = z;
            else if (c->kind == COLUMN_CHANCE)
                x[j] = prob[choice_of(g, c)];
            else
                x[j] = prob[choice_of(g, c)] * reach[(size_t)c->node * K + (size_t)c->env];
            for (int64_t e = d.start[j]; e < d.start[j + 1]; e++) row[d.index[e]] += d.value[e] * x[j];
        }
        for (int i = 0; i < p->products; i++)
            row[p->product[i].row] += p->product[i].value * x[p->product[i].first] * x[p->product[i].second];
        for (int i = 0; i < d.rows; i++) assert_true(row[i] >= d.row_lower[i] - 1e-9 && row[i] <= d.row_upper[i] + 1e-9);
        /* the file: one bracket a tied row */
        int tied = 0, brackets = 0;
        for (int i = 0; i < p->products; i++) tied += i == 0 || p->product[i].row != p->product[i - 1].row;
        text t = {0};
        assert_int_equal(lpformat_write_products(p->lp, p->product, p->products, &t, NULL), VOUCH_OK);
        for (const char *at = t.data; (at = strchr(at, '[')) != NULL; at++) brackets++;
        assert_int_equal(brackets, tied);
        assert_true(tied > 0 && strstr(t.data, " + [ - pi_n"));
        text_free(&t);
        free(x), free(row), free(prob), free(reach);
        program_free(p);
        space_free(&space);
        vouch_model_free(m);
        done++;
    }
    assert_true(done > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_policy_satisfies_the_bilinear_program)};
    return run_tests(tests);
}
