/* cli/method.c - the table of methods as words and help of options; each text is put together when it is first asked for. */
#include "cli/method.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <vouch/plan.h>

#include "cli/cli.h"

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
