/* cli/mistyped.c - see mistyped.h. */
#include "cli/mistyped.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "base/nearest.h"

enum { LONGEST_OPTION = 64 };

static const cli_option *named(const char *name, size_t length, const cli_option *const all[], int count)
{
    for (int i = 0; i < count; i++)
        if (all[i]->name && strlen(all[i]->name) == length && strncmp(all[i]->name, name, length) == 0) return all[i];
    return NULL;
}

/* Which option may be meant by --L, -l or --lokahead; "": none. */
static void find_meant(const char *name, const cli_option *const all[], int count, char meant[LONGEST_OPTION])
{
    const char *word = name + strspn(name, "-");
    text words = {0};
    meant[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (!all[i]->help) continue;
        if (all[i]->name) text_add(&words, "--%s|", all[i]->name);
        bool same = all[i]->letter == word[0];
        if (word[0] && !word[1] && (same || (!meant[0] && ascii_lower(all[i]->letter) == ascii_lower(word[0]))))
            snprintf(meant, LONGEST_OPTION, "-%c", all[i]->letter);
    }
    const char *near = name[1] == '-' && !meant[0] && words.data && !words.failed ? nearest_word(name, words.data) : NULL;
    if (near) snprintf(meant, LONGEST_OPTION, "%s", near);
    text_free(&words);
}

void mistyped_option(bool valueless, char **argv, const cli_option *const all[], int count, text *said)
{
    const char *given = argv[optind > 1 ? optind - 1 : 1];
    bool is_long = given[0] == '-' && given[1] == '-';
    char letter[3] = {'-', (char)optopt, '\0'}, name[LONGEST_OPTION], meant[LONGEST_OPTION];
    const char *what = !is_long && optopt > 0 && optopt <= CHAR_MAX ? letter : given;
    if (valueless) {
        text_add(said, "%s: a value is missing", what);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(what, "="), what);
    if (is_long && named(name + 2, strlen(name + 2), all, count)) {
        text_add(said, "%s takes no value", name);
        return;
    }
    const char *cluster = is_long || !argv[optind] || argv[optind][0] != '-' ? "-" : argv[optind]; /* of which this is a letter */
    const cli_option *spelled = cluster[1] ? named(cluster + 1, strcspn(cluster + 1, "="), all, count) : NULL;
    if (spelled)
        snprintf(meant, sizeof meant, "--%s", spelled->name);
    else
        find_meant(name, all, count, meant);
    text_add(said, "unknown option %.80s", spelled ? cluster : name);
    if (meant[0]) text_add(said, "; did you mean %s?", meant);
}

bool mistyped_letter(const char *word, const cli_option *o, const cli_option *const all[], int count, text *said)
{
    if (word[0] != '-' || word[1] == '-' || word[1] != o->letter) return false;
    size_t length = strcspn(word + 1, "=");
    const cli_option *meant = length > 2 ? named(word + 1, length, all, count) : NULL;
    if (length == 1 && word[2] == '=')
        text_add(said, "%s: the value of a short option follows without =, as in -%c %s", word, o->letter, word + 3);
    else if (meant)
        text_add(said, "unknown option -%s; did you mean --%s?", meant->name, meant->name);
    return said->data != NULL;
}
