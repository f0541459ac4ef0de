/* tests/campaign/bench.c - see bench.h. */
#include "campaign/bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void bench_open(bench *b)
{
    const char *build = getenv("BUILD"), *program = getenv("VOUCH_CHECK");
    *b = (bench){.folder = "/tmp/vouch.campaign.XXXXXX"};
    if (!mkdtemp(b->folder)) abort();
    snprintf(b->model, sizeof b->model, "%s/m.json", b->folder);
    snprintf(b->proof, sizeof b->proof, "%s/m.vproof", b->folder);
    snprintf(b->said, sizeof b->said, "%s/said", b->folder);
    snprintf(b->program, sizeof b->program, "%s", program ? program : "");
    if (!program) snprintf(b->program, sizeof b->program, "%s/vouch-check", build ? build : "build");
}

void bench_close(bench *b)
{
    (void)unlink(b->model);
    (void)unlink(b->proof);
    (void)unlink(b->said);
    (void)rmdir(b->folder);
}

static void write_states(FILE *f, const world *w, int j, int k)
{
    fputc('[', f);
    for (int s = 0, any = 0; s < w->S; s++)
        if (w->kept[j][k][s]) fprintf(f, any++ ? ", \"s%d\"" : "\"s%d\"", s);
    fputc(']', f);
}

static void write_world(FILE *f, const world *w)
{
    fprintf(f, "{ \"vouch\": 1, \"states\": %d, \"actions\": %d, \"initial\": \"s0\", \"horizon\": %d,%s\n  ", w->S, w->A, w->T,
            w->unseen ? " \"observe\": \"states\"," : "");
    if (w->within > 0) fprintf(f, "\"within\": %.17g, ", w->within);
    double sum = 0;
    for (int k = 0; k < w->K; k++) sum += w->prior[k];
    for (int k = 0; k < w->K && sum > 0; k++)
        fprintf(f, "%s \"k%d\": %.17g%s", k ? "," : "\"prior\": {", k, w->prior[k], k + 1 < w->K ? "" : " },\n  ");
    fputs("\"commitments\": [", f);
    for (int j = 0; j < w->J; j++) {
        fprintf(f, "%s\n    { \"name\": \"j%d\", \"kind\": \"at\", \"states\": {", j ? "," : "", j);
        for (int k = 0; k < w->K; k++) {
            fprintf(f, "%s \"k%d\": ", k ? "," : "", k);
            write_states(f, w, j, k);
        }
        if (w->average[j]) {
            fprintf(f, " }, \"probability\": %.17g, \"over\": \"prior\" }", w->p[j][0]);
            continue;
        }
        fputs(" }, \"probability\": {", f);
        for (int k = 0; k < w->K; k++) fprintf(f, "%s \"k%d\": %.17g", k ? "," : "", k, w->p[j][k]);
        fputs(" } }", f);
    }
    fputs(" ],\n  \"environments\": [", f);
    for (int k = 0; k < w->K; k++)
        for (int what = 0; what < 2; what++) {
            int rows = 0;
            if (what == 0)
                fprintf(f, "%s\n    { \"name\": \"k%d\", \"transitions\": [", k ? "," : "", k);
            else
                fputs("],\n      \"rewards\": [", f);
            for (int i = 0; i < w->S * w->A * w->S; i++) {
                int s = i / w->A / w->S, a = i / w->S % w->A, n = i % w->S;
                if (w->prob[k][s][a][n] == 0) continue;
                fprintf(f, "%s[\"s%d\", \"a%d\", \"s%d\", %.17g]", rows++ ? ", " : "", s, a, n,
                        (what ? w->pay : w->prob)[k][s][a][n]);
            }
            if (what) fputs("] }", f);
        }
    fputs(" ] }\n", f);
}

bench_answer bench_check(const bench *b, const char *lines, const char *arithmetic)
{
    long count = 3; /* with head and end */
    pid_t process;
    int status;
    posix_spawn_file_actions_t quiet;
    FILE *f = fopen(b->proof, "w");
    if (!f) abort();
    for (const char *c = lines; *c; c++) count += *c == '\n';
    fprintf(f, "vouch-proof %d\n%s%scomplete %ld\n", strstr(lines, "\nwithin ") ? 3 : 2, b->head, lines, count);
    if (fclose(f)) abort();
    char *arguments[] = {(char *)b->program, (char *)b->model, (char *)b->proof, (char *)arithmetic, NULL};
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, b->said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&quiet, 1, 2);
    if (posix_spawn(&process, b->program, &quiet, NULL, arguments, environ) || waitpid(process, &status, 0) != process) abort();
    posix_spawn_file_actions_destroy(&quiet);
    if (WIFEXITED(status) && WEXITSTATUS(status) <= REFUTED) return (bench_answer)WEXITSTATUS(status);
    f = fopen(b->said, "a");
    if (f) {
        fprintf(f, "vouch-check ended with %s %d\n", WIFEXITED(status) ? "status" : "signal",
                WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        fclose(f);
    }
    return DIED;
}

void bench_fault(campaign *c, const bench *b, const char *arithmetic, const char *expected)
{
    char said[300];
    FILE *f = fopen(b->said, "r");
    size_t length = f ? fread(said, 1, sizeof said - 1, f) : 0;
    if (f) fclose(f);
    said[length] = '\0';
    campaign_fault(c, "not %s: vouch-check%s%s said: %s", expected, arithmetic ? " " : "", arithmetic ? arithmetic : "", said);
}

void bench_keep(const campaign *c, const bench *b, const char *arithmetic)
{
    char line[512];
    const char *ending[] = {".json", ".vproof"}, *from[] = {b->model, b->proof};
    for (int i = 0; i < 2; i++) {
        const char *to = campaign_file(c, ending[i]);
        snprintf(line, sizeof line, "cp %s %s", from[i], to ? to : "/dev/null");
        if (to && system(line) != 0) return;
    }
    const char *to = campaign_file(c, ".txt");
    FILE *f = to ? fopen(to, "w") : NULL;
    if (!f) return;
    fprintf(f, "%s\nvouch-check%s%s .json .vproof\n", c->reason, arithmetic ? " " : "", arithmetic ? arithmetic : "");
    fclose(f);
}

void bench_write(bench *b, const world *w)
{
    char *text;
    size_t length;
    uint64_t h = UINT64_C(14695981039346656037);
    FILE *f = open_memstream(&text, &length);
    if (!f) abort();
    write_world(f, w);
    fclose(f);
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    snprintf(b->head, sizeof b->head, "model %016llx %zu\n", (unsigned long long)h, length);
    f = fopen(b->model, "w");
    if (!f || fwrite(text, 1, length, f) != length || fclose(f)) abort();
    free(text);
}
