/* cli/gnuplot.c - see gnuplot.h. */
#include "cli/gnuplot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "io/file.h"

int gnuplot_check(void)
{
    if (system("command -v gnuplot > /dev/null 2>&1") == 0) return 0;
    return cli_wrong("--plot: gnuplot is not installed; apt-get install gnuplot-nox, or use --csv");
}

/* In single quotes, a quote is doubled. */
static void add_quoted(text *t, const char *name)
{
    text_add(t, "'");
    for (; *name; name++) text_add(t, *name == '\'' ? "''" : "%c", *name);
    text_add(t, "'");
}

int gnuplot_svg(const char *path, const char *x, const char *y, const char *data, const char *plot)
{
    text part = {0}, script = {0};
    int code = 0;
    text_add(&part, "%s.part", path);
    if (part.failed) return cli_wrong("out of memory");
    text_add(&script, "set terminal svg size 720,450 enhanced background 'white'\nset output ");
    add_quoted(&script, part.data);
    text_add(&script, "\nset xlabel '%s' noenhanced\nset ylabel '%s' noenhanced\nset key outside right top noenhanced\nset grid\nset offsets graph 0.02, graph 0.02, graph 0.05, graph 0.05\n%s%s\n", x, y, data,
             plot);
    FILE *gnuplot = script.failed ? NULL : popen("gnuplot", "w");
    if (!gnuplot) code = cli_wrong("--plot: gnuplot cannot be started");
    else {
        fputs(script.data, gnuplot);
        if (pclose(gnuplot) != 0) code = cli_wrong("--plot: gnuplot failed");
        else if (rename(part.data, path)) code = cli_wrong("%s: %s", path, strerror(errno));
        if (code) unlink(part.data);
    }
    text_free(&part);
    text_free(&script);
    return code;
}
