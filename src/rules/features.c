/* rules/features.c - what a test of a decision tree may ask; see rules.h.
 *
 * Names like "x=3,y=up" are read as variables if all states have the same ones; else the state is one category. Sums and
 * differences of two numbers are oblique tests with coefficients 1 and -1. */
#include "rules/rules.h"

enum { MOST_SUMMED = 8 }; /* numbers of which sums are formed */

/* ---- variables in names ---------------------------------------------------------------------------------------------------- */

/* The next "name=value" of a list, up to a comma; false: none, or none of this form. */
static bool next_pair(const char **at, span *name, span *value)
{
    size_t length = strcspn(*at, ","), equals = strcspn(*at, "=");
    if (equals == 0 || equals + 1 >= length) return false;
    *name = (span){*at, equals};
    *value = (span){*at + equals + 1, length - equals - 1};
    *at += length + (*at != NULL && (*at)[length] == ',');
    return true;
}

/* Reads the pairs of item number i; false: other variables than those of the first item. */
static bool read_item(variables *v, const char *words, int i, escape *e)
{
    int count = 0;
    span name, value;
    while (*words) {
        double x;
        if (!next_pair(&words, &name, &value)) return false;
        if (v->value == NULL) {
            if (must_count(e, names_add_bytes(&v->name, name.at, name.length)) != count++) return false;
            continue;
        }
        if (count == v->count || names_find_bytes(&v->name, name.at, name.length) != count) return false;
        if (!span_number(value, &x) || !isfinite(x)) v->number[count] = false;
        if (!v->number[count]) x = must_count(e, names_add_bytes(&v->text[count], value.at, value.length));
        v->value[(size_t)i * (size_t)v->count + (size_t)count++] = x;
    }
    if (v->value == NULL) v->count = count;
    return count == v->count && count > 0;
}

/* name(i): of item i, NULL: it has no variables and no values. Without common variables v->count is 0. */
static void read_variables(variables *v, const features *f, int items, const char *(*name)(const features *, int), escape *e)
{
    int first = 0;
    bool all = true;
    escape_names(e, &v->name);
    while (first < items && !name(f, first)) first++;
    all = first < items && read_item(v, name(f, first), 0, e);
    if (all) {
        v->value = escape_zero(e, (size_t)items * (size_t)v->count, sizeof *v->value);
        v->number = escape_new(e, (size_t)v->count, sizeof *v->number);
        v->text = escape_zero(e, (size_t)v->count, sizeof *v->text);
        for (int j = 0; j < v->count; j++) {
            v->number[j] = true;
            escape_names(e, &v->text[j]);
        }
    }
    for (int pass = 0; pass < 2; pass++) /* the second one knows which are numbers */
        for (int i = 0; i < items && all; i++)
            if (name(f, i)) all = read_item(v, name(f, i), i, e);
    if (!all) v->count = 0;
}

static const char *state_text(const features *f, int i)
{
    const char *name, *memory;
    return vouch_model_look(f->m, i, &name, &memory) < 0 ? NULL : name;
}

static const char *environment_text(const features *f, int k) { return vouch_model_environment_name(f->m, k); }

/* ---- the list -------------------------------------------------------------------------------------------------------------- */

static feature *add_feature(features *f, feature_kind kind, const char *format, const char *name, const char *more)
{
    text t = {0};
    text_add(&t, format, name, more);
    char *words = escape_take(f->e, &t);
    escape_grow(f->e, (void **)&f->list, &f->capacity, f->count, sizeof *f->list);
    f->list[f->count] = (feature){.kind = kind, .name = words, .number = true};
    return &f->list[f->count++];
}

/* Sets the range of a number over values [count * step]. */
static void set_range(feature *x, const double value[], int count, int step)
{
    x->whole = true;
    x->low = INFINITY;
    x->high = -INFINITY;
    for (int i = 0; i < count; i++) {
        double v = value[(size_t)i * (size_t)step];
        x->low = fmin(x->low, v);
        x->high = fmax(x->high, v);
        x->whole = x->whole && v == floor(v);
    }
}

static void add_variables(features *f, feature_kind kind, const char *behind)
{
    for (int j = 0; j < f->of_state.count; j++) {
        feature *x = add_feature(f, kind, "%s%s", names_text(&f->of_state.name, j), behind);
        x->at = j;
        x->number = f->of_state.number[j];
        x->values = x->number ? NULL : &f->of_state.text[j];
        if (x->number) set_range(x, f->of_state.value + j, vouch_model_states(f->m), f->of_state.count);
    }
}

static void add_environments(features *f, bool history)
{
    const variables *v = &f->of_environment;
    for (int k = 0; k < f->K && f->K > 1; k++) {
        feature *x = add_feature(f, FEATURE_POSSIBLE, "%s%s", environment_text(f, k), "");
        x->at = k;
        x->high = x->whole = true;
    }
    for (int j = 0; j < v->count && f->K > 2; j++) {
        if (!v->number[j]) continue;
        feature range = {0};
        set_range(&range, v->value + j, f->K, v->count);
        for (feature_kind kind = FEATURE_LEAST; kind <= FEATURE_LARGEST && range.low < range.high; kind++) {
            feature *x =
                add_feature(f, kind, "%s possible %s", kind == FEATURE_LEAST ? "least" : "largest", names_text(&v->name, j));
            x->at = j;
            x->whole = range.whole;
            x->low = range.low;
            x->high = range.high;
        }
    }
    for (int k = 0; k < f->K && history && f->K > 1; k++) {
        feature *x = add_feature(f, FEATURE_LIKELIHOOD, "w(%s%s)", environment_text(f, k), "");
        x->at = k;
        x->high = 1;
    }
}

/* Numbers the memory of promises of each state. */
static void read_memory(features *f)
{
    int S = vouch_model_states(f->m);
    escape_names(f->e, &f->memory);
    f->memory_of = escape_new(f->e, (size_t)S, sizeof *f->memory_of);
    f->base = escape_new(f->e, (size_t)S, sizeof *f->base);
    const char *name, *memory;
    int most = 0;
    for (int i = 0, user; i < S; i++) most = (user = vouch_model_look(f->m, i, &name, &memory)) > most ? user : most;
    int *first = escape_new(f->e, (size_t)most + 2, sizeof *first); /* by the state of the user, + 1 */
    for (int i = 0; i < most + 2; i++) first[i] = -1;
    for (int i = 0; i < S; i++) {
        int user = vouch_model_look(f->m, i, &name, &memory), *at = &first[user + 1];
        if (*at < 0) *at = i;
        f->base[i] = *at;
        f->memory_of[i] = must_count(f->e, names_add(&f->memory, memory));
    }
    escape_free(f->e, first);
    if (f->memory.count > 1) {
        feature *x = add_feature(f, FEATURE_MEMORY, "%s%s", "memory", "");
        x->number = false;
        x->values = &f->memory;
    }
}

static void add_sums(features *f)
{
    int number[MOST_SUMMED], count = 0, most = (int)f->count;
    for (int i = 0; i < most && count < MOST_SUMMED; i++)
        if (f->list[i].number && f->list[i].kind <= FEATURE_VARIABLE && f->list[i].low < f->list[i].high) number[count++] = i;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            for (int sign = 1; sign >= -1; sign -= 2) {
                feature *x =
                    add_feature(f, FEATURE_SUM, sign > 0 ? "%s + %s" : "%s - %s", f->list[number[a]].name, f->list[number[b]].name);
                const feature *p = &f->list[number[a]], *q = &f->list[number[b]];
                x->at = number[a];
                x->other = number[b];
                x->sign = sign;
                x->whole = p->whole && q->whole;
                x->low = p->low + (sign > 0 ? q->low : -q->high);
                x->high = p->high + (sign > 0 ? q->high : -q->low);
            }
}

void features_make(features *f, const vouch_model *m, int L, bool history, bool planned, escape *e)
{
    *f = (features){.e = e, .m = m, .K = vouch_model_environments(m), .L = L, .first = vouch_model_first_time(m)};
    char behind[48];
    bool bounded = !history && L > 0 && L < vouch_model_horizon(m);
    format_text(behind, sizeof behind, " at step %d", L + f->first);
    escape_names(e, &f->sets);
    read_variables(&f->of_state, f, vouch_model_states(m), state_text, e);
    read_variables(&f->of_environment, f, f->K, environment_text, e);
    feature *x = add_feature(f, FEATURE_TIME, "%s%s", "t", "");
    x->whole = true;
    x->low = f->first;
    x->high = vouch_model_horizon(m) + f->first - 1;
    add_variables(f, FEATURE_VARIABLE, "");
    read_memory(f);
    if (L > 0) add_environments(f, history);
    if (bounded) add_variables(f, FEATURE_BEHIND_VARIABLE, behind);
    if (planned) add_feature(f, FEATURE_PLAN, "%s%s", "plan", "")->whole = true;
    if (L > 0 && f->K > 2) {
        x = add_feature(f, FEATURE_SET, "%s%s", "possible", "");
        x->number = false;
        x->values = &f->sets;
    }
    for (int i = 0; i <= bounded; i++) {
        x = add_feature(f, i ? FEATURE_BEHIND_STATE : FEATURE_STATE, "%s%s", "state", i ? behind : "");
        x->number = false;
        x->last_resort = f->of_state.count > 0;
    }
    f->plain = f->count;
    add_sums(f);
}

/* ---- values ---------------------------------------------------------------------------------------------------------------- */

int features_set(features *f, const int environment[], int count)
{
    text key = {0};
    for (int i = 0; i < count; i++) text_add(&key, "%s%d", i ? "," : "", environment[i]);
    text_add(&key, "%s", count ? "" : "-");
    char *word = escape_take(f->e, &key);
    int before = f->sets.count, set = must_count(f->e, names_add(&f->sets, word));
    if (set < before) return set;
    escape_grow(f->e, (void **)&f->possible, &f->possible_capacity, (size_t)set, (size_t)f->K * sizeof *f->possible);
    for (int k = 0; k < f->K; k++) f->possible[(size_t)set * (size_t)f->K + (size_t)k] = false;
    for (int i = 0; i < count; i++) f->possible[(size_t)set * (size_t)f->K + (size_t)environment[i]] = true;
    return set;
}

int features_likely_set(features *f, const double likelihood[])
{
    int *environment = escape_new(f->e, (size_t)f->K, sizeof *environment), count = 0;
    for (int k = 0; k < f->K; k++)
        if (likelihood[k] > 0) environment[count++] = k;
    int set = features_set(f, environment, count);
    escape_free(f->e, environment);
    return set;
}

/* The least or largest value of a variable over the possible environments. */
static double extreme(const features *f, const feature *x, int set)
{
    const bool *possible = f->possible + (size_t)set * (size_t)f->K;
    double value = x->kind == FEATURE_LEAST ? INFINITY : -INFINITY;
    for (int k = 0; k < f->K; k++) {
        if (!possible[k]) continue;
        double v = f->of_environment.value[(size_t)k * (size_t)f->of_environment.count + (size_t)x->at];
        value = x->kind == FEATURE_LEAST ? fmin(value, v) : fmax(value, v);
    }
    return value;
}

double feature_value(const features *f, int number, const tree_place *p)
{
    const feature *x = &f->list[number];
    int at = x->at, count = f->of_state.count;
    switch (x->kind) {
    case FEATURE_TIME:
        return p->time + f->first;
    case FEATURE_VARIABLE:
        return f->of_state.value[(size_t)p->state * (size_t)count + (size_t)at];
    case FEATURE_MEMORY:
        return f->memory_of[p->state];
    case FEATURE_POSSIBLE:
        return f->possible[(size_t)p->set * (size_t)f->K + (size_t)at];
    case FEATURE_LEAST:
    case FEATURE_LARGEST:
        return extreme(f, x, p->set);
    case FEATURE_LIKELIHOOD:
        return p->likelihood ? p->likelihood[at] : -1;
    case FEATURE_BEHIND_VARIABLE:
        if (p->behind < 0) return x->number ? x->low - 1 : x->values->count;
        return f->of_state.value[(size_t)p->behind * (size_t)count + (size_t)at];
    case FEATURE_SET:
        return p->set;
    case FEATURE_PLAN:
        return p->plan;
    case FEATURE_STATE:
        return f->base[p->state];
    case FEATURE_BEHIND_STATE:
        return p->behind < 0 ? vouch_model_states(f->m) : p->behind;
    case FEATURE_SUM:
        return feature_value(f, x->at, p) + x->sign * feature_value(f, x->other, p);
    }
    return 0;
}
