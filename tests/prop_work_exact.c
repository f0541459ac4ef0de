/* Linear and integer programs in rational arithmetic: their proofs to the letter, their optima as fractions. See work_aid.h. */
#include <vouch/mip.h>

#include "lp_aid.h"
#include "oracle/mips.h"
#include "work_aid.h"

static void add_proof(const vouch_lp *lp, const double *x, work *w)
{
    vouch_proof proof;
    vouch_limits none = {0};
    assert_int_equal(vouch_lp_prove(lp, x, &none, &proof), VOUCH_OK);
    outcome(w, proof.proved ? proof.feasible ? "optimal" : "infeasible" : "no");
    w->nodes += proof.nodes;
    w->iterations += proof.derived;
    if (proof.why) add_bytes(&w->all, proof.why, strlen(proof.why));
    if (proof.text) add_bytes(&w->all, proof.text, proof.length);
    add(&w->all, proof.proved ? proof.objective : 0.5);
    vouch_proof_free(&proof);
}

/* By the optimum, by a worse point, and by none. */
static void prove(const vouch_lp *lp, work *w)
{
    vouch_mip *mip;
    vouch_mip_result r;
    int n = vouch_lp_cols(lp);
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, NULL), VOUCH_OK);
    vouch_mip_get_result(mip, &r);
    add_proof(lp, r.x, w);
    if (r.has_incumbent) {
        double *x = malloc(((size_t)n + 1) * sizeof *x);
        for (int j = 0; j < n; j++) x[j] = r.x[j] + (j == n / 2);
        add_proof(lp, x, w);
        free(x);
        add_proof(lp, NULL, w);
    }
    vouch_mip_free(mip);
}

/* Boxed columns, some of them integer; decimals that are no doubles. */
static vouch_lp *boxed(rng *r, int number)
{
    sample s = sample_random(r, 6, 8);
    for (int j = 0; j < s.n; j++) {
        if (isinf(s.cl[j])) s.cl[j] = -4;
        if (isinf(s.cu[j])) s.cu[j] = s.cl[j] + 5;
        if (s.cl[j] > s.cu[j]) s.cu[j] = s.cl[j];
        s.cost[j] = s.cost[j] * (number % 3 ? 0.1 : 1);
        for (int64_t e = s.start[j]; e < s.start[j + 1] && number % 4 == 3; e++) s.value[e] /= 3;
    }
    vouch_lp *lp = sample_load(&s);
    for (int j = 0; j < s.n; j++) vouch_lp_set_integer(lp, j, j % 3 < number % 4);
    if (number % 17 == 16 && s.n > 2) assert_int_equal(vouch_lp_add_sos1(lp, 2, (const int[]){0, 1}, NULL), VOUCH_OK);
    sample_free(&s);
    return lp;
}

static void run_program_proofs(void)
{
    rng r = rng_seed(77);
    for (int part = 0; part < 8; part++) {
        work w = {.all = DIGEST_NEW};
        char name[60];
        for (int number = 0; number < 30; number++) {
            vouch_lp *lp = part < 6 ? boxed(&r, number) : mips_make(500 + (uint64_t)(number + 30 * part)).lp;
            if (part == 7) vouch_lp_set_maximize(lp, 1);
            prove(lp, &w);
            vouch_lp_free(lp);
        }
        (void)snprintf(name, sizeof name, "proofs of programs, part %d", part);
        note(name, &w);
    }
}

static void run_fractions(void)
{
    rng r = rng_seed(78);
    for (int part = 0; part < 4; part++) {
        work w = {.all = DIGEST_NEW};
        char name[60];
        for (int number = 0; number < 60; number++) {
            sample s = part % 2 ? sample_chained_of(&r, 9, 12) : sample_random(&r, 9, 12);
            for (int64_t e = 0; e < s.start[s.n]; e++) s.value[e] *= number % 2 ? 0.1 : 1;
            vouch_lp *lp = sample_load(&s);
            vouch_lp_options o;
            vouch_lp_result found;
            vouch_lp_options_init(&o);
            o.exact = 1;
            o.presolve = part / 2;
            assert_int_equal(vouch_lp_solve(lp, &o), VOUCH_OK);
            vouch_lp_get_result(lp, &found);
            outcome(&w, vouch_lp_outcome_text(found.outcome));
            w.iterations += found.exact_pivots;
            if (found.exact_objective) add_bytes(&w.all, found.exact_objective, strlen(found.exact_objective) + 1);
            add(&w.all, found.objective);
            add(&w.all, found.bound);
            add_all(&w.all, s.n, found.x);
            add_all(&w.all, s.m, found.row_dual);
            add_all(&w.all, s.m, found.farkas);
            add_all(&w.all, s.n, found.ray);
            vouch_lp_free(lp);
            sample_free(&s);
        }
        (void)snprintf(name, sizeof name, "fractions, part %d", part);
        note(name, &w);
    }
}

static void test_programs(void **state)
{
    (void)state;
    run_program_proofs();
    run_fractions();
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "exact", test_programs); }
