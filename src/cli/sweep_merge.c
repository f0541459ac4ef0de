/* cli/sweep_merge.c - see sweep_merge.h. */
#include "cli/sweep_merge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/sweep_out.h"
#include "io/file.h"

int sweep_take_shard(grid *g, const char *shard)
{
    char *end, *last;
    errno = 0;
    long i = strtol(shard, &end, 10), n = *end == '/' && end > shard ? strtol(end + 1, &last, 10) : 0;
    bool whole = *end == '/' && end > shard && last > end + 1 && !*last && !errno;
    if (!whole || n < 1 || i < 0 || i > n) return cli_wrong("--shard: expected I/N with I from 1 to N, found \"%s\"", shard);
    size_t first = (size_t)((i + n - 1) % n), kept = 0; /* counted from 0, N is shard 0 */
    for (size_t c = first; c < g->count; c += (size_t)n) g->cells[kept++] = g->cells[c];
    g->count = kept;
    return 0;
}

bool sweep_is_table(const char *path)
{
    static const char head[] = "method,L,T,p,";
    char start[sizeof head];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, start, sizeof head - 1);
    close(fd);
    return n == sizeof head - 1 && memcmp(start, head, sizeof head - 1) == 0;
}

/* The names of the parameters and the run, from the first lines of a file. */
static int read_head(grid *g, const char *path)
{
    char *all = NULL;
    size_t length;
    vouch_error error = {0};
    if (file_read(path, FILE_CAP, &all, &length, &error)) return cli_failed(&error);
    char *end = strstr(all, ",status,"), *at = all + strlen("method,L,T,p");
    int code = end && end >= at && strncmp(all, "method,L,T,p", strlen("method,L,T,p")) == 0 ? 0 : CLI_WRONG;
    for (; !code && at < end && *at == ',' && g->axes < MOST_AXES; g->axes++) {
        size_t name = strcspn(++at, ",");
        if (name == 0 || name >= sizeof g->axis[0].name) code = CLI_WRONG;
        if (!code) memcpy(g->axis[g->axes].name, at, name);
        at += name;
    }
    if (end && !code)
        for (int o = VOUCH_OBJECTIVE_REGRET + 1; o < VOUCH_OBJECTIVES; o++) {
            const char *column = sweep_value_column((vouch_objective)o), *behind = end + strlen(",status,");
            size_t n = strlen(column);
            if (strncmp(behind, column, n) == 0 && behind[n] == ',') g->objective = (vouch_objective)o;
        }
    char *row = end ? strchr(end, '\n') : NULL, *row_end = row ? strchr(row + 1, '\n') : NULL;
    if (row_end) { /* run and limits end a row */
        *row_end = '\0';
        char *limits = strrchr(row + 1, ','), *run = NULL;
        if (limits) {
            *limits++ = '\0';
            run = strrchr(row + 1, ',');
            snprintf(g->limits, sizeof g->limits, "%s", limits);
        }
        if (run) snprintf(g->run, sizeof g->run, "%.16s", run + 1);
    }
    mem_free(all);
    return code ? cli_wrong("%s: not a file that vouch sweep writes", path) : 0;
}

/* Takes of each file in turn the next row. */
static int interleave(grid *g, const grid *part, size_t parts)
{
    bool more = true;
    for (size_t row = 0; more; row++) {
        more = false;
        for (size_t i = 0; i < parts; i++) {
            if (row >= part[i].count) continue;
            more = true;
            const cell *c = &part[i].cells[row];
            bool known = false;
            for (size_t j = 0; j < g->count && !known; j++) known = sweep_same_cell(g, &g->cells[j], c);
            cell *own = known ? NULL : grid_add(g, c->method, c->at);
            if (!known && !own) return cli_wrong("out of memory");
            if (own) *own = *c;
        }
    }
    for (int a = g->axes - 1; a >= 0; a--)
        for (size_t j = 1; j < g->count; j++)
            if (!axis_same(g->cells[j].at[a], g->cells[0].at[a])) g->along = a;
    if (g->along < 0) g->along = AXIS_L;
    return 0;
}

static int merge_alone(grid *g, const char *const file[], size_t files)
{
    grid *part = MEM_ZERO(grid, files);
    int code = part ? read_head(g, file[0]) : cli_wrong("out of memory"), kept;
    for (size_t i = 0; i < files && !code; i++) {
        part[i] = *g; /* names, and what the run is */
        code = sweep_read_csv(&part[i], file[i], &kept);
    }
    if (!code) code = interleave(g, part, files);
    for (size_t i = 0; i < files && part; i++) mem_free(part[i].cells);
    mem_free(part);
    return code;
}

int sweep_merge(grid *g, const char *const file[], size_t files, size_t *missing)
{
    int code = 0, kept;
    g->every_row = true;
    *missing = 0;
    for (size_t i = 0; i < files && !code; i++)
        if (!sweep_is_table(file[i])) code = cli_wrong("%s: not a file that vouch sweep writes, or not there", file[i]);
    if (!code && g->count == 0) return merge_alone(g, file, files);
    for (size_t i = 0; i < files && !code; i++) code = sweep_read_csv(g, file[i], &kept);
    for (size_t i = 0; i < g->count; i++) *missing += !g->cells[i].status[0];
    return code;
}
