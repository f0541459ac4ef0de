/* cli/parts.c - see parts.h. */
#include "cli/parts.h"

#include <stdio.h>
#include <string.h>
#include <vouch/search.h>

#include "cli/cli.h"
#include "cli/report.h"

enum { WORD = 64 };

const char *parts_words(void)
{
    static char words[512];
    size_t n = 0;
    for (int i = 0; i < VOUCH_PART_COUNT && n < sizeof words; i++)
        n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", i ? ", " : "", vouch_part_describe((vouch_part)i)->word);
    return words;
}

int parts_check(const char *list)
{
    for (const char *at = list; at && *at;) {
        char word[WORD];
        int old = 0, length = (int)strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", length, at);
        int part = length < WORD ? vouch_part_find(word, &old) : -1;
        if (part < 0 && !old)
            return cli_wrong("--without: \"%.*s\" is not a part of the search; expected one of %s", length, at, parts_words());
        if (part < 0)
            report_note("note: the search no longer has %s; --without %s has no effect", word, word);
        else if (old)
            report_note("note: --without %s is now --without %s", word, vouch_part_describe((vouch_part)part)->word);
        at += length + (at[length] == ',');
    }
    return 0;
}

static void print_json(void)
{
    printf("{\"parts\": [");
    for (int i = 0; i < VOUCH_PART_COUNT; i++) {
        const vouch_part_description *p = vouch_part_describe((vouch_part)i);
        printf("%s{\"word\": \"%s\", \"kind\": \"%s\", \"proved\": %s, \"what\": \"%s\", \"applies\": \"%s\", \"source\": \"%s\"}",
               i ? ", " : "", p->word, vouch_part_kind_text(p->kind), p->proved ? "true" : "false", p->what, p->applies, p->source);
    }
    printf("]}\n");
}

int parts_print(int json)
{
    if (json) {
        print_json();
        return CLI_SOLVED;
    }
    printf("Parts of the search, in order of use. --without WORD switches one off; answers do not change.\n");
    for (int i = 0; i < VOUCH_PART_COUNT; i++) {
        const vouch_part_description *p = vouch_part_describe((vouch_part)i);
        printf("\n%s (%s; %s)\n", p->word, vouch_part_kind_text(p->kind),
               p->proved ? "used if a proof is written" : "not used if a proof is written");
        printf("    %s\n    applies: %s\n    source: %s\n", p->what, p->applies, p->source);
    }
    return CLI_SOLVED;
}
