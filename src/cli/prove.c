/* cli/prove.c - see prove.h. The judge is another program and another process: nothing that this one has computed reaches it but
 * the file. O(file). */
#include "cli/prove.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/fingerprint.h"
#include "cli/objective.h"
#include "cli/report.h"
#include "io/formats.h"

/* The only reward tolerance that proofs know of. */
static const double REWARD_TOLERANCE = 1e-9;

static void keep(void *context, const char *more)
{
    prove *p = context;
    for (const char *c = more; *c; c++) p->lines += *c == '\n';
    if (fputs(more, p->store) < 0) p->failed = true;
}

int prove_start(prove *p, const model_args *args, const char *path, vouch_plan_options *options)
{
    char *content, word[FINGERPRINT];
    size_t length;
    vouch_error error = {0};
    if (args && args->reward_tolerance != REWARD_TOLERANCE)
        return cli_wrong("a proof takes rewards within 1e-9 for one observation");
    file_kind kind = FILE_UNKNOWN;
    if (strcmp(path, "-") == 0 || recognise_path(path, &kind, &error) || kind != FILE_MODEL)
        return cli_wrong("a proof is about a JSON file; vouch convert makes one of other models");
    if (file_read(path, FILE_CAP, &content, &length, &error)) return cli_failed(&error);
    fingerprint hash = fingerprint_start();
    fingerprint_add_bytes(&hash, content, length);
    mem_free(content);
    fingerprint_text(&hash, word);
    char head[2 * FINGERPRINT + 64];
    snprintf(head, sizeof head, "vouch-proof 2\nmodel %s %zu\n", word, length);
    *p = (prove){
        .model = path, .store = tmpfile(), .p = NAN}; /* without a name, so that nothing is left whatever ends this process */
    if (!p->store) return cli_wrong("no temporary file can be made for the proof");
    keep(p, head);
    options->proof = keep;
    options->proof_context = p;
    return 0;
}

vouch_status prove_end(prove *p, const char *path, vouch_error *error)
{
    char last[32];
    snprintf(last, sizeof last, "complete %zu\n", p->lines + 1);
    keep(p, last);
    long length = ftell(p->store);
    if (fflush(p->store) || p->failed || length < 0)
        return error_set(error, VOUCH_ERROR_IO, "the temporary file of the proof cannot be written");
    if (!path) return VOUCH_OK;
    char *bytes = mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, fileno(p->store), 0);
    if (bytes == MAP_FAILED) return error_set(error, VOUCH_ERROR_IO, "the temporary file of the proof cannot be read");
    vouch_status status = file_write(path, bytes, (size_t)length, error);
    (void)munmap(bytes, (size_t)length);
    return status;
}

void prove_tell(const vouch_plan_result *result, bool search)
{
    bool regret = result->objective == VOUCH_OBJECTIVE_REGRET;
    if (!search || result->outcome == VOUCH_PLAN_OPTIMAL || result->outcome == VOUCH_PLAN_INFEASIBLE) return;
    if (result->has_policy)
        fprintf(stderr, "not proved: of the %s the proof shows %.10g at most and %.10g at least\n",
                regret ? "maximum regret" : objective_noun(result->objective), regret ? result->value : result->bound,
                regret ? result->bound : result->value);
    else
        fprintf(stderr, "not proved: the proof shows neither a policy nor that there is none\n");
}

bool prove_largest(prove *p, vouch_model *m, const vouch_plan_options *o, double bound, const char *path, int *code)
{
    vouch_error error = {0};
    vouch_policy *policy = NULL;
    vouch_plan_result result;
    char number[32];
    p->p = bound + 2 * VOUCH_EXPLAIN_GAP;
    text_number(p->p, number);
    if (p->p > 1) {
        fprintf(stderr, "no proof is needed: no probability is above 1\n");
        return false;
    }
    if (vouch_model_set_probability(m, p->p) || vouch_plan(&policy, m, o, &error) || prove_end(p, path, &error)) {
        vouch_policy_free(policy);
        *code = cli_failed(&error);
        return false;
    }
    report_clear();
    vouch_policy_get_result(policy, &result);
    bool proved = result.outcome == VOUCH_PLAN_INFEASIBLE;
    vouch_policy_free(policy);
    if (!proved) *code = CLI_NUMERICAL;
    fprintf(stderr, proved ? "proof: no policy of this class keeps p = %s\n" : "not proved: that no policy keeps p = %s\n", number);
    return proved;
}

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

int prove_verify(const prove *p, const model_args *args, const char *path, bool quiet, int code)
{
    char judge[4096], horizon[32], probability[32], store[32];
    snprintf(horizon, sizeof horizon, "%d", args ? args->horizon : 0);
    const char *argument[8] = {"vouch-check"};
    int count = 1;
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
    if (!path) {
        snprintf(store, sizeof store, "/dev/fd/%d", fileno(p->store));
        path = store;
    }
    argument[count++] = path;
    argument[count] = NULL;
    judge_path(judge, sizeof judge);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (quiet && !freopen("/dev/null", "w", stdout)) _exit(CLI_NUMERICAL);
        execvp(judge, (char *const *)(void *)argument);
        fprintf(stderr, "vouch-check cannot be run\n");
        _exit(CLI_WRONG);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "not proved: vouch-check does not accept the proof\n");
        return code == CLI_SOLVED || code == CLI_INFEASIBLE ? CLI_NUMERICAL : code;
    }
    return code;
}

void prove_free(prove *p)
{
    if (p->store) fclose(p->store);
}
