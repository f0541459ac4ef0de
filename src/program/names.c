/* program/names.c - names of columns and rows: y_n3_a1_k0, pi_n3_a1, x_b2_t4_s1_a0_k1, sigma_c17_a2, D_n3_a1, flow_.., ...
 *
 * n: policy node, b: boundary node, c: likelihood class, t: time, s: state, a: action, k: environment, j: promise on average, all
 * counted from 0.
 */
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "program/program.h"

static void append(char text[64], const char *letter, int number)
{
    size_t used = strlen(text);
    if (number >= 0) format_text(text + used, 64 - used, "_%s%d", letter, number);
}

void program_column_name(const program *p, int j, char text[64])
{
    const column_meaning *c = &p->column[j];
    bool after = p->kind == PROGRAM_PAPER && c->time >= 0;
    if (c->kind == COLUMN_REGRET || c->kind == COLUMN_VALUE) {
        format_text(text, 64, "z");
        return;
    }
    format_text(text, 64, "%s",
                c->kind == COLUMN_INDICATOR   ? "D"
                : c->kind == COLUMN_CHANCE    ? "pi"
                : p->kind == PROGRAM_BILINEAR ? "y"
                : p->kind == PROGRAM_PAPER    ? (after ? "x" : "y")
                                              : "sigma");
    append(text, after ? "b" : "n", c->node);
    append(text, "c", c->cls);
    append(text, "t", c->time);
    append(text, "s", c->state);
    append(text, "a", c->action);
    append(text, "k", c->env);
}

void program_row_name(const program *p, int i, char text[64])
{
    static const char *const kinds[] = {"flow", "regret", "commitment", "one", "link", "tie", "value", "average"};
    const row_meaning *r = &p->row[i];
    format_text(text, 64, "%s", kinds[r->kind]);
    append(text, p->kind == PROGRAM_PAPER && r->time >= 0 ? "b" : "n", r->node);
    append(text, "c", r->cls);
    append(text, "t", r->time);
    append(text, "s", r->state);
    append(text, "a", r->action);
    append(text, r->kind == ROW_AVERAGE ? "j" : "k", r->env);
}

vouch_status program_set_names(program *p)
{
    char text[64];
    vouch_status status = VOUCH_OK;
    static const char *const names[] = {"milp_ccl_paper", "milp_ccl_compact", "history_optimal", "exact_ccl"};
    status = vouch_lp_set_name(p->lp, names[p->kind]);
    bool regret = p->column[0].kind == COLUMN_REGRET;
    if (!status) status = vouch_lp_set_objective_name(p->lp, regret ? "regret" : "minus_value");
    for (int j = 0; j < vouch_lp_cols(p->lp) && !status; j++) {
        program_column_name(p, j, text);
        status = vouch_lp_set_col_name(p->lp, j, text);
    }
    for (int i = 0; i < vouch_lp_rows(p->lp) && !status; i++) {
        program_row_name(p, i, text);
        status = vouch_lp_set_row_name(p->lp, i, text);
    }
    return status;
}
