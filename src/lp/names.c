/* lp/names.c - names, integrality and SOS1 sets of a vouch_lp: stored for others, unused by the simplex method. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "lp/problem.h"

static vouch_status replace_string(char **slot, const char *text)
{
    char *copy = NULL;
    if (text && *text && !(copy = mem_string(text))) return VOUCH_ERROR_MEMORY;
    mem_free(*slot);
    *slot = copy;
    return VOUCH_OK;
}

static vouch_status name_item(char ***names, int item, int count, size_t capacity, const char *text)
{
    if (item < 0 || item >= count) return VOUCH_ERROR_ARGUMENT;
    if (!*names && !(*names = MEM_ZERO(char *, capacity))) return VOUCH_ERROR_MEMORY;
    return replace_string(&(*names)[item], text);
}

vouch_status vouch_lp_set_name(vouch_lp *lp, const char *name)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    return replace_string(&lp->name, name);
}

vouch_status vouch_lp_set_objective_name(vouch_lp *lp, const char *name)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    return replace_string(&lp->objective_name, name);
}

vouch_status vouch_lp_set_row_name(vouch_lp *lp, int row, const char *name)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    return name_item(&lp->row_names, row, lp->a.rows, lp->row_capacity, name);
}

vouch_status vouch_lp_set_col_name(vouch_lp *lp, int col, const char *name)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    return name_item(&lp->col_names, col, lp->a.cols, lp->col_capacity, name);
}

static const char *text_of(const char *name) { return name ? name : ""; }

const char *vouch_lp_name(const vouch_lp *lp) { return lp ? text_of(lp->name) : ""; }
const char *vouch_lp_objective_name(const vouch_lp *lp) { return lp ? text_of(lp->objective_name) : ""; }

const char *vouch_lp_row_name(const vouch_lp *lp, int row)
{
    if (!lp) return "";
    return lp->row_names && row >= 0 && row < lp->a.rows ? text_of(lp->row_names[row]) : "";
}

const char *vouch_lp_col_name(const vouch_lp *lp, int col)
{
    if (!lp) return "";
    return lp->col_names && col >= 0 && col < lp->a.cols ? text_of(lp->col_names[col]) : "";
}

vouch_status vouch_lp_set_integer(vouch_lp *lp, int col, int integer)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    if (col < 0 || col >= lp->a.cols) return VOUCH_ERROR_ARGUMENT;
    lp->integer[col] = integer != 0;
    return VOUCH_OK;
}

int vouch_lp_is_integer(const vouch_lp *lp, int col) { return lp && col >= 0 && col < lp->a.cols && lp->integer[col]; }

vouch_status vouch_lp_add_sos1(vouch_lp *lp, int count, const int *cols, const double *weight)
{
    if (!lp || count < 0 || (count && !cols)) return VOUCH_ERROR_ARGUMENT;
    for (int k = 0; k < count; k++) {
        if (cols[k] < 0 || cols[k] >= lp->a.cols || (weight && !isfinite(weight[k]))) return VOUCH_ERROR_ARGUMENT;
    }
    if (MEM_RESERVE(&lp->sos1, &lp->sos1_room, lp->sos1_count)) return VOUCH_ERROR_MEMORY;
    sos1_set set = {.count = count, .cols = MEM_NEW(int, count), .weight = weight ? MEM_NEW(double, count) : NULL};
    if (!set.cols || (weight && !set.weight)) {
        mem_free(set.cols);
        mem_free(set.weight);
        return VOUCH_ERROR_MEMORY;
    }
    if (count) {
        MEM_COPY(set.cols, cols, count);
        if (weight) MEM_COPY(set.weight, weight, count);
    }
    lp->sos1[lp->sos1_count++] = set;
    return VOUCH_OK;
}

vouch_status vouch_lp_set_rewritten(vouch_lp *lp, int rewritten)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    lp->rewritten = rewritten != 0;
    return VOUCH_OK;
}

int vouch_lp_is_rewritten(const vouch_lp *lp) { return lp && lp->rewritten; }

int vouch_lp_sos1_count(const vouch_lp *lp) { return lp ? (int)lp->sos1_count : 0; }

void vouch_lp_sos1(const vouch_lp *lp, int set, int *count, const int **cols, const double **weight)
{
    if (!lp || !count || !cols || !weight) return;
    const sos1_set *s = &lp->sos1[set];
    *count = s->count;
    *cols = s->cols;
    *weight = s->weight;
}
