/* lp/names.c - names, integrality and SOS1 sets of a vouch_lp: stored for others, unused by the simplex method. */
#include <math.h>
#include <string.h>

#include "base/check.h"
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

static bool in_block(const name_list *list, const char *name)
{
    return list->block && name >= list->block && name < list->block + list->length;
}

void lp_free_name(const name_list *list, char *name)
{
    if (!in_block(list, name)) mem_free(name);
}

void lp_free_names(name_list *list, size_t capacity)
{
    for (size_t i = 0; i < capacity && list->name; i++) lp_free_name(list, list->name[i]);
    mem_free(list->name);
    mem_free(list->block);
    *list = (name_list){0};
}

/* name_at(i) of source, or NULL, is copied into one block. */
typedef struct name_source {
    char *const *name;    /* NULL: */
    const char *text;     /* at */
    const size_t *offset; /* these */
} name_source;

static const char *name_at(const name_source *from, size_t i)
{
    const char *name = from->name ? from->name[i] : from->text + from->offset[i];
    return name && *name ? name : NULL;
}

static int copy_names(name_list *to, const name_source *from, size_t count, size_t capacity)
{
    size_t length = 1, at = 0;
    CHECK(!to->name && !to->block);
    for (size_t i = 0; i < count; i++) length += name_at(from, i) ? strlen(name_at(from, i)) + 1 : 0;
    to->name = MEM_ZERO(char *, capacity);
    to->block = MEM_NEW(char, length);
    if (!to->name || !to->block) {
        lp_free_names(to, 0);
        return -1;
    }
    to->length = length;
    for (size_t i = 0; i < count; i++) {
        const char *name = name_at(from, i);
        if (!name) continue;
        size_t size = strlen(name) + 1;
        to->name[i] = memcpy(to->block + at, name, size);
        at += size;
    }
    CHECK_COMPARE(at + 1, ==, length);
    return 0;
}

int lp_copy_names(name_list *to, const name_list *from, size_t count, size_t capacity)
{
    return from->name ? copy_names(to, &(name_source){.name = from->name}, count, capacity) : 0;
}

vouch_status lp_name_rows(vouch_lp *lp, const char text[], const size_t offset[])
{
    name_source from = {NULL, text, offset};
    return copy_names(&lp->row_names, &from, (size_t)lp->a.rows, lp->row_capacity) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

vouch_status lp_name_cols(vouch_lp *lp, const char text[], const size_t offset[])
{
    name_source from = {NULL, text, offset};
    return copy_names(&lp->col_names, &from, (size_t)lp->a.cols, lp->col_capacity) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

static vouch_status name_item(name_list *list, int item, int count, size_t capacity, const char *text)
{
    if (item < 0 || item >= count) return VOUCH_ERROR_ARGUMENT;
    if (!list->name && !(list->name = MEM_ZERO(char *, capacity))) return VOUCH_ERROR_MEMORY;
    if (!in_block(list, list->name[item])) return replace_string(&list->name[item], text);
    char *copy = NULL;
    vouch_status status = replace_string(&copy, text);
    if (!status) list->name[item] = copy;
    return status;
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
    return lp->row_names.name && row >= 0 && row < lp->a.rows ? text_of(lp->row_names.name[row]) : "";
}

const char *vouch_lp_col_name(const vouch_lp *lp, int col)
{
    if (!lp) return "";
    return lp->col_names.name && col >= 0 && col < lp->a.cols ? text_of(lp->col_names.name[col]) : "";
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
