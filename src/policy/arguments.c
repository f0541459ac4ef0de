/* policy/arguments.c - checks at the public interface, and the tables of methods and parts. Behind it a model is finished, 0 <= L
 * <= T, enums are in range, limits are not negative. Messages name the field and the values expected.
 */
#include "policy/policy.h"

#include <math.h>
#include <string.h>
#include <vouch/method.h>

#include "base/error.h"
#include "base/text.h"

static const double WEIGHT_MOST = 1e100; /* keeps sums of weights times values finite */

vouch_status check_model(const vouch_model *m, vouch_error *error)
{
    if (!m) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no model");
    if (!m->finished) return error_set(error, VOUCH_ERROR_ARGUMENT, "the model is not finished");
    return VOUCH_OK;
}

vouch_status check_policy(const vouch_policy *p, const vouch_model *m, vouch_error *error)
{
    if (p->K * m->group != m->K)
        return error_set(error, VOUCH_ERROR_INPUT, "the policy is for %d environments, the model has %d", p->K, m->K / m->group);
    if (p->T != m->T) return error_set(error, VOUCH_ERROR_INPUT, "the policy is for horizon %d, the model has %d", p->T, m->T);
    return p->rule_count > 0 ? VOUCH_OK : error_set(error, VOUCH_ERROR_INPUT, "the policy has no rules");
}

vouch_status check_limits(const vouch_limits *l, vouch_error *error)
{
    if (!(l->seconds >= 0))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "the time limit is %g; expected seconds, or 0: no limit", l->seconds);
    if (l->iterations < 0 || l->nodes < 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "a limit of work is negative; expected a number, or 0: no limit");
    return VOUCH_OK;
}

vouch_status check_threads(int threads, vouch_error *error)
{
    return threads >= 1 ? VOUCH_OK
                        : error_set(error, VOUCH_ERROR_ARGUMENT, "the number of threads is %d; expected at least 1", threads);
}

vouch_status check_lookahead(int L, int least, const vouch_model *m, vouch_error *error)
{
    if (L >= least && L <= m->T) return VOUCH_OK;
    return error_set(error, VOUCH_ERROR_ARGUMENT, "L is %d; expected %d .. %d (the horizon)", L, least, m->T);
}

vouch_status check_objective(const vouch_plan_options *o, const vouch_model *m, vouch_error *error)
{
    int number = (int)o->objective;
    double sum = 0;
    if (number < 0 || number >= VOUCH_OBJECTIVES)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no objective %d; expected 0 .. %d", number, VOUCH_OBJECTIVES - 1);
    if (o->objective != VOUCH_OBJECTIVE_WEIGHTED || !o->weights) return VOUCH_OK;
    for (int k = 0; k < m->K; k++) {
        if (!(o->weights[k] >= 0 && o->weights[k] <= WEIGHT_MOST))
            return error_set(error, VOUCH_ERROR_ARGUMENT, "the weight %g of environment %s is none; expected 0 .. %g",
                             o->weights[k], m->env_name[k], WEIGHT_MOST);
        sum += o->weights[k];
    }
    return sum > 0 ? VOUCH_OK : error_set(error, VOUCH_ERROR_ARGUMENT, "all weights are 0; expected one above it");
}

vouch_status check_plan_options(vouch_plan_options *o, vouch_error *error)
{
    const vouch_method_description *about = vouch_method_describe(o->method);
    int engine = (int)o->engine;
    if (!about)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no method %d; expected 0 .. %d", (int)o->method,
                         VOUCH_METHOD_COUNT - 1);
    if (engine < VOUCH_ENGINE_AUTO || engine > VOUCH_ENGINE_LP)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no engine %d; expected %d .. %d", engine, VOUCH_ENGINE_AUTO,
                         VOUCH_ENGINE_LP);
    if (isnan(o->gap)) o->gap = about->gap;
    if (o->gap < 0) return error_set(error, VOUCH_ERROR_ARGUMENT, "the gap is negative");
    if (!(o->enough >= 0) || !(o->cutoff >= 0))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "enough and cutoff must not be negative");
    if (o->restarts < 0 || o->tie_break_work < 0 || o->class_limit < 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "restarts, tie_break_work and class_limit must not be negative");
    search_parts without;
    vouch_status status = parts_named(o->without, &without, error);
    if (!status) status = check_threads(o->threads, error);
    return status ? status : check_limits(&o->limits, error);
}

/* ---- the tables of methods (vouch/method.h) and of the parts of a search (vouch/search.h) ---------------------------- */

#define METHOD(name, function, ...) {__VA_ARGS__},
static const vouch_method_description METHODS[] = {VOUCH_METHODS(METHOD)};
#undef METHOD

const vouch_method_description *vouch_method_describe(vouch_method method)
{
    int number = (int)method;
    return number >= 0 && number < VOUCH_METHOD_COUNT ? &METHODS[number] : NULL;
}

const char *vouch_method_text(vouch_method method)
{
    const vouch_method_description *about = vouch_method_describe(method);
    return about ? about->word : "unknown";
}

int vouch_method_find(const char *word)
{
    if (!word) return -1;
    for (int i = 0; i < VOUCH_METHOD_COUNT; i++)
        if (strcmp(METHODS[i].word, word) == 0) return i;
    return -1;
}

#define ENTRY(name, ...) {__VA_ARGS__},
static const vouch_part_description PARTS[] = {VOUCH_PARTS(ENTRY)};
#undef ENTRY

_Static_assert(VOUCH_PART_COUNT <= 8 * sizeof(search_parts), "one bit a part");

const vouch_part_description *vouch_part_describe(vouch_part part)
{
    int number = (int)part;
    return number >= 0 && number < VOUCH_PART_COUNT ? &PARTS[number] : NULL;
}

static bool same_word(const char *a, size_t length, const char *word)
{
    return word && strlen(word) == length && memcmp(a, word, length) == 0;
}

/* Words of removed parts, for one version each. */
static const char *const GONE[] = {"stagnation-restart"};

static int find(const char *word, size_t length, int *old)
{
    for (int i = 0; i < VOUCH_PART_COUNT; i++)
        if (same_word(word, length, PARTS[i].word)) return i;
    for (int i = 0; i < VOUCH_PART_COUNT && old; i++)
        if (same_word(word, length, PARTS[i].was)) {
            *old = 1;
            return i;
        }
    for (size_t i = 0; i < sizeof GONE / sizeof *GONE && old; i++) *old |= same_word(word, length, GONE[i]);
    return -1;
}

int vouch_part_find(const char *word, int *old)
{
    if (!word) return -1;
    if (old) *old = 0;
    return find(word, strlen(word), old);
}

const char *vouch_part_kind_text(vouch_part_kind kind)
{
    static const char *const words[] = {"stage", "bound", "reduction", "heuristic", "tree", "spatial"};
    int number = (int)kind;
    return number >= 0 && number < (int)(sizeof words / sizeof *words) ? words[number] : "unknown";
}

search_parts parts_unproved(void)
{
    search_parts set = 0;
    for (int i = 0; i < VOUCH_PART_COUNT; i++)
        if (!PARTS[i].proved) set |= part_set((vouch_part)i);
    return set;
}

vouch_status parts_named(const char *list, search_parts *without, vouch_error *error)
{
    *without = 0;
    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, ",");
        int old = 0, part = find(at, length, &old);
        if (part < 0 && !old) {
            char words[512];
            size_t n = 0;
            for (int i = 0; i < VOUCH_PART_COUNT && n < sizeof words; i++)
                n += (size_t)format_text(words + n, sizeof words - n, "%s%s", i ? ", " : "", PARTS[i].word);
            return error_set(error, VOUCH_ERROR_ARGUMENT, "without: \"%.*s\" is no part of the search; expected one of %s",
                             (int)length, at, words);
        }
        if (part >= 0) *without |= part_set((vouch_part)part);
        at += length + (at[length] == ',');
    }
    return VOUCH_OK;
}
