/* cli/method.c - the table of methods as words and help of options; each text is put together when it is first asked for. */
#include "cli/method.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <vouch/plan.h>

#include "cli/cli.h"
#include "cli/report.h"

typedef char long_text[512];

static const char *join_words(long_text out, bool replanned)
{
    size_t n = 0;
    for (int i = 0; i < VOUCH_METHOD_COUNT && n < sizeof(long_text); i++) {
        const vouch_method_description *about = vouch_method_describe((vouch_method)i);
        if (!replanned || about->replanned)
            n += (size_t)snprintf(out + n, sizeof(long_text) - n, "%s%s", n ? "|" : "", about->word);
    }
    return out;
}

const char *method_words(void)
{
    static long_text words;
    return words[0] ? words : join_words(words, false);
}

const char *method_words_replanned(void)
{
    static long_text words;
    return words[0] ? words : join_words(words, true);
}

vouch_method method_replanned(int position)
{
    int i = -1;
    while (position >= 0) position -= vouch_method_describe((vouch_method)++i)->replanned != NULL;
    return (vouch_method)i;
}

const char *method_details(void)
{
    static long_text details;
    size_t n = 0;
    for (int i = 0; i < VOUCH_METHOD_COUNT && n < sizeof details; i++) {
        const vouch_method_description *about = vouch_method_describe((vouch_method)i);
        n += (size_t)snprintf(details + n, sizeof details - n, "%s%s: %s", n ? "; " : "", about->word, about->policies);
        if (about->proves && n < sizeof details) n += (size_t)snprintf(details + n, sizeof details - n, ", gap %g", about->gap);
    }
    return details;
}

/* "deterministic policies that use 3 observations"; lookahead < 0: "the first L observations". */
static void add_policies(text *t, const char *policies, int lookahead)
{
    static const char open[] = "use the first L observations";
    const char *at = strstr(policies, open);
    if (!at || lookahead < 0) {
        text_add(t, "%s", policies);
        return;
    }
    text_add(t, "%.*s", (int)(at - policies), policies);
    if (lookahead == 0)
        text_add(t, "see only time and state");
    else if (lookahead == 1)
        text_add(t, "use 1 observation");
    else
        text_add(t, "use %d observations", lookahead);
    text_add(t, "%s", at + sizeof open - 1);
}

static const char *aim(vouch_objective objective)
{
    return objective == VOUCH_OBJECTIVE_REGRET     ? "least maximum regret of"
           : objective == VOUCH_OBJECTIVE_WEIGHTED ? "largest weighted value of"
                                                   : "largest least value of";
}

void method_add_class(text *t, const char *word, int lookahead, vouch_objective objective)
{
    int method = vouch_method_find(word);
    text_add(t, "%s", word);
    if (method < 0) return;
    const vouch_method_description *about = vouch_method_describe((vouch_method)method);
    if (about->lookahead == VOUCH_LOOKAHEAD_ASKED && lookahead >= 0) text_add(t, ", L = %d", lookahead);
    text_add(t, ": ");
    if (about->proves) text_add(t, "%s ", aim(objective));
    add_policies(t, about->policies, lookahead);
}

void method_add_replanned(text *t, vouch_method inner, bool guarded, int steps, vouch_objective objective)
{
    const vouch_method_description *about = vouch_method_describe(inner);
    text_add(t, "%s", guarded && about->guarded ? about->guarded : about->replanned);
    if (steps >= 0) text_add(t, ", L = %d", steps);
    text_add(t, steps == 1 ? ": replans every step" : steps < 0 ? ": replans every L steps" : ": replans every %d steps", steps);
    text_add(t, " for the %s ", aim(objective));
    add_policies(t, about->policies, steps);
}

void method_note_lookahead(const char *word)
{
    int method = vouch_method_find(word);
    if (method < 0 || !cli_given("lookahead") || vouch_method_describe((vouch_method)method)->lookahead == VOUCH_LOOKAHEAD_ASKED)
        return;
    report_note("note: -L has no effect with --method %s", word);
}
