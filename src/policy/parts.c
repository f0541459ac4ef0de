/* policy/parts.c - the tables of methods (vouch/method.h) and of the parts of a search (vouch/search.h). */
#include "policy/policy.h"

#include <string.h>
#include <vouch/method.h>

#include "base/error.h"
#include "base/locale.h"

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
