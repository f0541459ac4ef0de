/* A linear program in change: calls in any order, right and wrong ones, and all that the program says of itself after each. See
 * work_aid.h. */
#include <vouch/lp.h>

#include "lp_aid.h"
#include "work_aid.h"

static const double side_low[] = {0, -INFINITY, -INFINITY, 1, -2, 2, NAN}, side_high[] = {INFINITY, INFINITY, 3, 4, -2, 1, 0};

/* All that a program says of itself. */
static void add_program(digest *d, const vouch_lp *lp)
{
    vouch_lp_data p;
    vouch_lp_result r;
    unsigned char row[64], col[64];
    vouch_lp_view(lp, &p);
    assert_true(p.rows <= 64 && p.cols <= 64);
    add(d, p.rows), add(d, p.cols), add(d, p.maximize), add(d, p.offset), add(d, vouch_lp_sos1_count(lp));
    add_all(d, p.cols, p.cost), add_all(d, p.cols, p.col_lower), add_all(d, p.cols, p.col_upper);
    add_all(d, p.rows, p.row_lower), add_all(d, p.rows, p.row_upper);
    for (int j = 0; j < p.cols; j++) {
        const char *name = vouch_lp_col_name(lp, j);
        add(d, vouch_lp_is_integer(lp, j));
        add_bytes(d, name, strlen(name) + 1);
        for (int64_t e = p.start[j]; e < p.start[j + 1]; e++) add(d, p.index[e]), add(d, p.value[e]);
    }
    for (int i = 0; i < p.rows; i++) add_bytes(d, vouch_lp_row_name(lp, i), strlen(vouch_lp_row_name(lp, i)) + 1);
    for (int set = 0; set < vouch_lp_sos1_count(lp); set++) {
        int count;
        const int *cols;
        const double *weight;
        vouch_lp_sos1(lp, set, &count, &cols, &weight);
        for (int i = 0; i < count; i++) add(d, cols[i]), add(d, weight ? weight[i] : -1);
    }
    vouch_lp_get_result(lp, &r);
    add(d, r.outcome), add(d, r.objective), add(d, r.bound), add(d, (double)r.iterations);
    add_all(d, p.cols, r.x), add_all(d, p.rows, r.row_dual), add_all(d, p.cols, r.reduced_cost), add_all(d, p.rows, r.row_activity);
    add(d, vouch_lp_has_basis(lp));
    if (!vouch_lp_has_basis(lp)) return;
    vouch_lp_get_basis(lp, row, col);
    for (int i = 0; i < p.rows; i++) add(d, row[i]);
    for (int j = 0; j < p.cols; j++) add(d, col[j]);
}

/* Rows or columns of two entries, bounds of every kind. */
static vouch_status widen(vouch_lp *lp, rng *r, bool rows, int there)
{
    int64_t start[3] = {0};
    int index[4], count = pick(r, 3), kind = pick(r, 20) ? pick(r, 6) : 6, lines = rows ? vouch_lp_cols(lp) : vouch_lp_rows(lp);
    double value[4], low[2], high[2], cost[2] = {pick(r, 9) - 4, pick(r, 3)};
    for (int i = 0; i < 2; i++) {
        int entries = lines > 2 ? pick(r, 3) : 0, first = lines > 2 ? pick(r, lines - 1) : 0;
        for (int e = 0; e < entries; e++) index[start[i] + e] = first + e, value[start[i] + e] = pick(r, 7) - 3;
        if (entries && pick(r, 25) == 0) index[start[i]] = pick(r, 2) ? -1 : lines;
        start[i + 1] = start[i] + entries;
        low[i] = side_low[kind], high[i] = side_high[kind];
    }
    if (there > 40) return VOUCH_OK;
    return rows ? vouch_lp_add_rows(lp, count, start, index, value, low, high)
                : vouch_lp_add_cols(lp, count, start, index, value, cost, low, high);
}

static vouch_status edit(vouch_lp **at, rng *r, int turn, digest *d)
{
    vouch_lp *lp = *at, *copy;
    int m = vouch_lp_rows(lp), n = vouch_lp_cols(lp), what = pick(r, 19), kind = pick(r, 20) ? pick(r, 6) : 6;
    int i = pick(r, m + 1), j = pick(r, n + 1), two[2] = {pick(r, 9), pick(r, 9)};
    vouch_lp_options o;
    vouch_lp_range range[128];
    vouch_status status;
    char name[20];
    vouch_lp_options_init(&o);
    o.method = pick(r, 2) ? VOUCH_LP_PRIMAL : VOUCH_LP_DUAL;
    o.presolve = pick(r, 2);
    unsigned char row[64], col[64];
    name[0] = 0;
    if (pick(r, 5)) snprintf(name, sizeof name, "n%d", turn);
    switch (what) {
    case 0:
    case 1:
        return widen(lp, r, true, m);
    case 2:
    case 3:
        return widen(lp, r, false, n);
    case 4:
        return vouch_lp_delete_rows(lp, 1 + pick(r, 2), two);
    case 5:
        return vouch_lp_delete_cols(lp, 1 + pick(r, 2), two);
    case 6:
        return vouch_lp_set_col_bounds(lp, j, side_low[kind], side_high[kind]);
    case 7:
        return vouch_lp_set_row_bounds(lp, i, side_low[kind], side_high[kind]);
    case 8:
        return vouch_lp_set_cost(lp, j, kind == 6 ? side_low[kind] : pick(r, 9) - 4);
    case 9:
        return pick(r, 2) ? vouch_lp_set_offset(lp, kind == 6 ? side_high[0] : turn) : vouch_lp_set_maximize(lp, pick(r, 2));
    case 10:
        return pick(r, 2) ? vouch_lp_set_row_name(lp, i, name) : vouch_lp_set_col_name(lp, j, name);
    case 11:
        return pick(r, 2) ? vouch_lp_set_integer(lp, j, pick(r, 2)) : vouch_lp_add_sos1(lp, 2, two, NULL);
    case 12:
        for (int k = 0; k < m; k++) row[k] = (unsigned char)pick(r, 5);
        for (int k = 0; k < n; k++) col[k] = (unsigned char)pick(r, 5);
        return vouch_lp_set_basis(lp, row, col);
    case 13:
        if (pick(r, 3) == 0) vouch_lp_forget_basis(lp);
        status = vouch_lp_ranges(lp, range);
        for (int k = 0; k < m + n && !status; k++) {
            const double all[] = {range[k].value[0],     range[k].value[1],     range[k].cost[0],     range[k].cost[1],
                                  range[k].objective[0], range[k].objective[1], range[k].limiting[0], range[k].limiting[1]};
            add_all(d, 8, all);
        }
        return status;
    case 14:
        status = vouch_lp_clone(&copy, lp);
        if (status) return status;
        vouch_lp_free(lp);
        *at = copy;
        return status;
    default:
        return vouch_lp_solve(lp, pick(r, 4) ? NULL : &o);
    }
}

static void test_edits(void **state)
{
    (void)state;
    for (int part = 0; part < 8; part++) {
        digest all = DIGEST_NEW;
        int taken = 0;
        char line[40], figures[60];
        for (int number = 0; number < 40; number++) {
            rng r = rng_seed((uint64_t)(900 + number + 40 * part));
            sample s = part % 2 ? sample_chained_of(&r, 9, 12) : sample_random(&r, 9, 12);
            vouch_lp *lp = sample_load(&s);
            for (int turn = 0; turn < 40; turn++) {
                vouch_status status = edit(&lp, &r, turn, &all);
                taken += status == VOUCH_OK;
                add(&all, status);
                add_program(&all, lp);
            }
            vouch_lp_free(lp);
            sample_free(&s);
        }
        snprintf(line, sizeof line, "edits, part %d", part);
        snprintf(figures, sizeof figures, "%d of 1600 calls done %016llx", taken, (unsigned long long)all);
        note_figures(line, figures);
    }
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "edits", test_edits); }
