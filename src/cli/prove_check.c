/* cli/prove_check.c - vouch-check on a proof that was written (cli/prove.h), and what became of it in words. The judge is another
 * program and another process: nothing that this one has computed reaches it but the file. O(file), and the judge's work. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/prove.h"
#include "cli/report.h"
#include "io/json.h"

/* Exit statuses of vouch-check, and of the process that could not become it. */
enum { JUDGE_VERIFIED = 0, JUDGE_REFUTED = 2, JUDGE_LIMIT = 3, JUDGE_MISSING = 127 };
/* vouch-check beside this program, or wherever it is found. */
static void judge_path(char path[], size_t room)
{
    ssize_t length = readlink("/proc/self/exe", path, room - 1);
    char *name = NULL;
    if (length > 0) {
        path[length] = '\0';
        name = strrchr(path, '/');
    }
    if (name && (size_t)(name + 1 - path) + sizeof "vouch-check" <= room) {
        strcpy(name + 1, "vouch-check");
        if (access(path, X_OK) == 0) return;
    }
    snprintf(path, room, "vouch-check");
}

/* Runs the judge and keeps what it prints, on either output; its exit status, -1: it did not end by itself. */
static int run_judge(prove *p, const char *const argument[])
{
    char judge[4096], more[4096];
    int ends[2], status = 0;
    judge_path(judge, sizeof judge);
    if (pipe(ends) != 0) return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        execvp(judge, (char *const *)(void *)argument);
        _exit(JUDGE_MISSING);
    }
    (void)close(ends[1]);
    for (ssize_t got = 1; child > 0 && (got > 0 || (got < 0 && errno == EINTR));) {
        got = read(ends[0], more, sizeof more);
        if (got > 0) text_add_bytes(&p->said, more, (size_t)got);
    }
    (void)close(ends[0]);
    if (child < 0) return -1;
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The proof that was refused and its model, for who looks into it, under names that nobody takes for a proof. */
static void keep_refuted(const prove *p)
{
    text name = {0}, model = {0};
    char *content = NULL;
    size_t length;
    vouch_error error = {0};
    text_add(&name, "%s.refuted", p->path ? p->path : "vouch-proof");
    text_add(&model, "%s.json", name.data ? name.data : "");
    bool kept = !name.failed && !model.failed;
    if (kept && p->path && file_there(p->path))
        kept = rename(p->path, name.data) == 0;
    else if (kept) {
        text proof = {0};
        char line[4096];
        rewind(p->store);
        for (size_t got; (got = fread(line, 1, sizeof line, p->store)) > 0;) text_add_bytes(&proof, line, got);
        kept = text_write(&proof, name.data, &error) == VOUCH_OK;
    }
    kept = kept && file_read(p->model, FILE_CAP, &content, &length, &error) == VOUCH_OK &&
           file_write(model.data, content, length, &error) == VOUCH_OK;
    if (kept)
        fprintf(stderr, "the proof is saved as %s, the model as %s\n", name.data, model.data);
    else
        fprintf(stderr, "the proof and the model cannot be saved\n");
    mem_free(content);
    text_free(&name);
    text_free(&model);
}

static const char NAME[] = "vouch-check: ", OUT_OF_MEMORY[] = "out of memory";

/* What vouch-check says in its last line, as the reason. */
static void take_reason(prove *p)
{
    const char *said = p->said.data ? p->said.data : "", *last = said;
    size_t length = strlen(said);
    while (length > 0 && said[length - 1] == '\n') length--;
    for (const char *c = said; c < said + length; c++)
        if (*c == '\n') last = c + 1;
    if (strncmp(last, NAME, sizeof NAME - 1) == 0) last += sizeof NAME - 1;
    snprintf(p->reason, sizeof p->reason, "%.*s", (int)(said + length - last), last);
}

void prove_check(prove *p, const model_args *args, long long most_work)
{
    char horizon[32], probability[32], store[32], work[32];
    const char *argument[10] = {"vouch-check", "--work-limit", work};
    int count = 3;
    if (p->outcome == PROVE_NONE) return;
    snprintf(work, sizeof work, "%lld", most_work > 0 ? most_work : p->work);
    snprintf(horizon, sizeof horizon, "%d", args ? args->horizon : 0);
    if (args && args->horizon > 0) {
        argument[count++] = "-T";
        argument[count++] = horizon;
    }
    double promised = p->p;
    if (!isnan(promised) || (args && !model_probability(args, &promised) && !isnan(promised))) {
        argument[count++] = "-p";
        argument[count++] = text_number(promised, probability);
    }
    argument[count++] = p->model;
    snprintf(store, sizeof store, "/dev/fd/%d", fileno(p->store));
    argument[count++] = p->path && file_there(p->path) ? p->path : store;
    argument[count] = NULL;
    int status = run_judge(p, argument);
    p->outcome = status == JUDGE_VERIFIED ? PROVE_VERIFIED : status == JUDGE_REFUTED ? PROVE_REFUTED : PROVE_SKIPPED;
    take_reason(p);
    if (status == JUDGE_MISSING) snprintf(p->reason, sizeof p->reason, "vouch-check was not found");
    if (status < 0) snprintf(p->reason, sizeof p->reason, "vouch-check was killed");
}

int prove_tell(const prove *p, bool prove_asked, bool quiet, int code)
{
    const char *name = p->path ? p->path : "proof";
    bool answered = code == CLI_SOLVED || code == CLI_INFEASIBLE;
    switch (p->outcome) {
    case PROVE_OPEN:
        return code;
    case PROVE_NONE:
        fprintf(stderr, p->removed ? "no proof: %s; an older file %s is removed\n" : "no proof: %s\n", p->reason, name);
        return answered && (p->path || !p->needless) ? CLI_LIMIT : code;
    case PROVE_VERIFIED:
        if (p->path) report_note("%s: written, and verified by vouch-check", name);
        if (prove_asked && !quiet && p->said.data) fputs(p->said.data, stdout);
        return code;
    case PROVE_SKIPPED:
        fprintf(stderr, "%s: %snot checked: %s\n", name, p->path ? "written, " : "", p->reason);
        return answered && (prove_asked || strcmp(p->reason, OUT_OF_MEMORY) == 0) ? CLI_LIMIT : code;
    case PROVE_REFUTED:
        break;
    }
    fprintf(stderr, "not proved: vouch-check does not accept the proof, which is a fault of this program: %s\n", p->reason);
    keep_refuted(p);
    return CLI_NUMERICAL;
}

void prove_json(const prove *p, text *t)
{
    static const char *const words[] = {[PROVE_OPEN] = "none",
                                        [PROVE_NONE] = "none",
                                        [PROVE_VERIFIED] = "verified",
                                        [PROVE_SKIPPED] = "skipped",
                                        [PROVE_REFUTED] = "refuted"};
    bool file = p->path && (p->outcome == PROVE_VERIFIED || p->outcome == PROVE_SKIPPED);
    text_add(t, ",\n  \"proof\": { \"file\": ");
    if (file)
        js_add_string(t, p->path);
    else
        text_add(t, "null");
    text_add(t, ", \"checked\": \"%s\"", words[p->outcome]);
    if (p->outcome != PROVE_VERIFIED) {
        text_add(t, ", \"reason\": ");
        js_add_string(t, p->reason);
    }
    text_add(t, " }");
}
