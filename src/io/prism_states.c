/* io/prism_states.c - the table of valuations and its names; see prism_states.h. */
#include "io/prism_states.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"

int prism_state_number(prism_states *x, const int *v, bool make)
{
    for (int w = 0; w < x->valuations.words; w++) {
        uint64_t low = 2 * w < x->V ? (uint32_t)v[2 * w] : 0, high = 2 * w + 1 < x->V ? (uint32_t)v[2 * w + 1] : 0;
        x->key[w] = low | high << 32;
    }
    int number = make ? intern_add(&x->valuations, x->key, NULL) : intern_find(&x->valuations, x->key);
    return number >= 0 ? number : make ? PRISM_NO_MEMORY : PRISM_NO_STATE;
}

void prism_valuation(const prism_states *x, int state, int v[])
{
    CHECK(state >= 0 && state < x->valuations.count);
    const uint64_t *key = intern_key(&x->valuations, state);
    for (int i = 0; i < x->V; i++) v[i] = (int)(int32_t)(uint32_t)(key[i / 2] >> (i % 2 ? 32 : 0));
}

vouch_status prism_states_start(prism_states *x)
{
    x->V = (int)x->p->variable_count;
    int words = x->V > 0 ? (x->V + 1) / 2 : 1;
    x->key = MEM_NEW(uint64_t, words);
    return x->key && !intern_init(&x->valuations, words) ? VOUCH_OK : error_memory(x->p->error);
}

void prism_states_free(prism_states *x)
{
    names_free(&x->combos);
    intern_free(&x->valuations);
    mem_free(x->key);
    mem_free(x->choice);
    mem_free(x->outcome);
    *x = (prism_states){0};
}

void prism_states_trim(prism_states *x)
{
    if (x->choice_count && !MEM_RESIZE(&x->choice, x->choice_count)) x->choice_capacity = x->choice_count;
    if (x->outcome_count && !MEM_RESIZE(&x->outcome, x->outcome_count)) x->outcome_capacity = x->outcome_count;
}

void prism_add_state_name(const prism *p, const int *v, text *t)
{
    for (size_t i = 0; i < p->variable_count; i++) {
        text_add(t, "%s%s=", i ? "," : "", prism_name(p, p->variable[i].name));
        if (p->variable[i].type == TYPE_BOOL)
            text_add(t, "%s", v[i] ? "true" : "false");
        else
            text_add(t, "%d", v[i]);
    }
    if (p->variable_count == 0) text_add(t, "s0");
}

char *prism_state_name(const prism_states *x, int state)
{
    text t = {0};
    int *v = MEM_NEW(int, x->V);
    if (!v) return NULL;
    prism_valuation(x, state, v);
    prism_add_state_name(x->p, v, &t);
    mem_free(v);
    if (t.failed) text_free(&t);
    return t.data;
}

int prism_combo_number(prism_states *x, const int *chosen, int parts)
{
    text t = {0};
    for (int i = 0; i < parts; i++) text_add(&t, "%s%d", i ? "," : "", chosen[i]);
    int number = t.failed ? -1 : names_add(&x->combos, t.data);
    text_free(&t);
    return number;
}

/* ---- commands that go together ---- */

/* Commands in the order of the file: "3,17" against "3,2", number by number. */
static int compare_combos(const char *a, const char *b)
{
    for (;;) {
        char *end_a, *end_b;
        long x = strtol(a, &end_a, 10), y = strtol(b, &end_b, 10);
        if (x != y) return x < y ? -1 : 1;
        if (!*end_a || !*end_b) return (*end_a != 0) - (*end_b != 0);
        a = end_a + 1;
        b = end_b + 1;
    }
}

typedef struct combo {
    const char *text;
    int number;
} combo;

static int by_text(const void *x, const void *y) { return compare_combos(((const combo *)x)->text, ((const combo *)y)->text); }

vouch_status prism_combos_order(prism_states *x)
{
    int count = x->combos.count;
    names ordered = {0};
    combo *list = MEM_NEW(combo, count);
    int *rank = MEM_NEW(int, count);
    bool failed = !list || !rank;
    for (int i = 0; i < count && !failed; i++) list[i] = (combo){names_text(&x->combos, i), i};
    if (!failed) qsort(list, (size_t)count, sizeof *list, by_text);
    for (int i = 0; i < count && !failed; i++) {
        rank[list[i].number] = i;
        failed = names_add(&ordered, list[i].text) != i;
    }
    for (size_t i = 0; i < x->choice_count && !failed; i++) x->choice[i].combo = rank[x->choice[i].combo];
    mem_free(list);
    mem_free(rank);
    names_free(failed ? &ordered : &x->combos);
    if (!failed) x->combos = ordered;
    return failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}
