/* link/task_times.c - see task_times.h. */
#include "link/task_times.h"

#include <stdlib.h>
#include <time.h>

#include "base/locale.h"

double task_times_now(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) ? 0 : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void task_times_open(task_times *t, int window)
{
    const char *path = getenv("VOUCH_TASKS");
    *t = (task_times){.file = path && *path ? fopen(path, "a") : NULL};
    if (t->file)
        format_file(
            t->file,
            "# number knows task_bytes answer_bytes work_seconds merge_seconds rest_seconds, of the beginning, of each part; "
            "window %d\n",
            window);
    t->taken = task_times_now();
}

void task_times_add(task_times *t, const task_line *line)
{
    if (!t->file) return;
    double now = task_times_now();
    format_file(t->file, "%lld %lld %zu %zu %.9f %.9f %.9f", line->number, line->knows, line->task_bytes, line->answer_bytes,
                line->worked, line->asked - t->taken, now - line->asked - line->worked);
    for (int i = 0; line->parts > 0 && i <= line->parts; i++) format_file(t->file, " %.9f", line->spent[i]);
    fputc('\n', t->file);
    t->taken = now;
}

void task_times_close(task_times *t)
{
    if (t->file) fclose(t->file);
}
