/* cli/shown.c - names as people are shown them (base/plain.h). */
#include <stdio.h>
#include <string.h>

#include "base/plain.h"
#include "cli/cli.h"

enum { SHOWN_MOST = 1024 };

const char *cli_shown(const char *name)
{
    enum { AT_ONCE = 8 };
    static char shown[AT_ONCE][SHOWN_MOST];
    static int next;
    char *out = shown[next++ % AT_ONCE];
    snprintf(out, SHOWN_MOST, "%s", name);
    plain_clean(out);
    return out;
}
