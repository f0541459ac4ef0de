/* cli/prove.c - see prove.h: the file of a proof. O(file). */
#include "cli/prove.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "cli/fingerprint.h"
#include "cli/objective.h"
#include "cli/report.h"
#include "io/formats.h"
#include "io/specification.h"

/* The only reward tolerance that proofs know of. */
static const double REWARD_TOLERANCE = 1e-9;

/* Work of vouch-check: some 20 seconds, and for an induction of the plan ten times what one over so many steps of each row takes,
 * with the classes of likelihoods that a row is met in. */
static const double LEAST_WORK = 1e10, MOST_WORK = 9e18, TIMES = 10, CLASSES = 10;

static void keep(void *context, const char *more)
{
    prove *p = context;
    for (const char *c = more; *c; c++) p->lines += *c == '\n';
    p->claims += strncmp(more, "claim ", 6) == 0 || strstr(more, "\nclaim ") != NULL;
    if (fputs(more, p->store) < 0) p->failed = true;
}

/* The command that makes a JSON file of the model is named. */
static int refuse_format(const model_args *args, const char *model)
{
    text command = {0};
    text_add(&command, " of other models:  vouch convert");
    if (args) model_words(args, model, &command);
    bool plain = !args || (!args->properties && (args->commits.count == 0 || specification_is_plain(args->commits.item[0])));
    text_add(&command, "%s -o model.json", plain ? "" : " --joined");
    int code = cli_wrong("a proof needs a JSON model; vouch convert writes one%s", args && command.data ? command.data : "");
    text_free(&command);
    return code;
}

int prove_start(prove *p, const model_args *args, const char *model, const char *path, vouch_plan_options *options)
{
    char *content, word[FINGERPRINT];
    size_t length;
    vouch_error error = {0};
    if (args && args->reward_tolerance != REWARD_TOLERANCE) return cli_wrong("a proof requires the default reward tolerance, 1e-9");
    if (args && args->observe) return cli_wrong("a proof uses the observations in the file; vouch convert --observe writes them");
    for (size_t i = 0; args && i < args->probabilities.count; i++)
        if (strchr(args->probabilities.item[i], '='))
            return cli_wrong("a proof uses the probabilities in the file; vouch convert -p NAME=P writes them");
    if (args && args->prior) return cli_wrong("a proof uses the prior in the file; vouch convert --prior writes it");
    file_kind kind = FILE_UNKNOWN;
    if (recognise_path(model, &kind, &error)) return cli_failed(&error);
    if (kind != FILE_MODEL) return refuse_format(args, model);
    if (file_read(model, FILE_CAP, &content, &length, &error)) return cli_failed(&error);
    fingerprint hash = fingerprint_start();
    fingerprint_add_bytes(&hash, content, length);
    mem_free(content);
    fingerprint_text(&hash, word);
    char head[2 * FINGERPRINT + 64];
    snprintf(head, sizeof head, "vouch-proof 2\nmodel %s %zu\n", word, length);
    *p = (prove){.path = path, .p = NAN};
    p->model = file_lend(&p->given, model, &error);
    if (!p->model) return cli_failed(&error);
    p->store = tmpfile(); /* without a name: nothing is left whatever happens */
    if (!p->store) {
        error_system(&error, errno, "no temporary file can be made for the proof");
        return cli_failed(&error);
    }
    keep(p, head);
    options->proof = keep;
    options->proof_context = p;
    return 0;
}

void prove_none(prove *p, const char *reason)
{
    p->outcome = PROVE_NONE;
    p->removed = p->path && file_remove(p->path);
    snprintf(p->reason, sizeof p->reason, "%s", reason);
}

/* How much work vouch-check may do. */
static long long work_for(const vouch_model *m, const vouch_plan_result *result)
{
    double rows = (double)vouch_model_states(m) * vouch_model_actions(m) * vouch_model_environments(m);
    double steps = (double)(result->iterations + result->nodes) * vouch_model_horizon(m);
    return (long long)fmin(MOST_WORK, LEAST_WORK + TIMES * CLASSES * rows * steps);
}

vouch_status prove_end(prove *p, const vouch_model *m, const vouch_plan_result *result, const char *reason, vouch_error *error)
{
    char last[32];
    p->work = work_for(m, result);
    if (p->claims == 0) {
        prove_none(p, reason);
        return VOUCH_OK;
    }
    snprintf(last, sizeof last, "complete %zu\n", p->lines + 1);
    keep(p, last);
    long length = ftell(p->store);
    if (fflush(p->store) || p->failed || length < 0)
        return error_set(error, VOUCH_ERROR_IO, "the temporary file of the proof cannot be written");
    if (!p->path) return VOUCH_OK;
    char *bytes = mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, fileno(p->store), 0);
    if (bytes == MAP_FAILED) return error_set(error, VOUCH_ERROR_IO, "the temporary file of the proof cannot be read");
    vouch_status status = file_write(p->path, bytes, (size_t)length, error);
    (void)munmap(bytes, (size_t)length);
    return status;
}

/* What the proof claims of the objective, V and then B where there is one; how many it claims. */
static int claimed(const prove *p, bool regret, double figure[2])
{
    enum { LAST_LINES = 512 }; /* bytes that hold the claims: they come last, and no line of them is longer than 64 */
    char last[LAST_LINES + 1], *at = NULL;
    if (fseek(p->store, 0, SEEK_END)) return 0;
    long length = ftell(p->store);
    if (length > 0 && !fseek(p->store, length > LAST_LINES ? length - LAST_LINES : 0, SEEK_SET)) {
        last[fread(last, 1, LAST_LINES, p->store)] = '\0';
        at = strstr(last, regret ? "\nclaim regret " : "\nclaim value ");
        (void)fseek(p->store, 0, SEEK_END);
    }
    return at ? scan_text(at, "\nclaim %*s %lf%*1[ ]%lf", &figure[0], &figure[1]) : 0;
}

void prove_tell_less(const prove *p, const vouch_plan_result *result, bool search)
{
    bool regret = result->objective == VOUCH_OBJECTIVE_REGRET;
    double figure[2];
    if (!search || !result->has_policy || result->outcome == VOUCH_PLAN_OPTIMAL) return;
    const char *of = regret ? "maximum regret" : objective_noun(result->objective);
    int count = claimed(p, regret, figure);
    if (count == 2)
        fprintf(stderr, "not proved: of the %s the proof shows %.10g at most and %.10g at least\n", of, figure[!regret],
                figure[regret]);
    else if (count == 1)
        fprintf(stderr, "not proved: of the %s the proof shows %.10g at least\n", of, figure[0]);
}

int prove_refuse_largest(const vouch_model *m)
{
    vouch_promise p;
    vouch_model_get_promise(m, 0, &p);
    if (vouch_model_promises(m) > 1) return cli_wrong("--max-commitment can be proved for one promise only");
    if (vouch_model_first_time(m) == 0 && p.kind == VOUCH_PROMISE_AT && p.to == vouch_model_horizon(m)) return CLI_SOLVED;
    return cli_wrong("a proof needs one initial state and a promise at the horizon; vouch convert --joined writes such a model");
}

int prove_largest(prove *p, vouch_model *m, const vouch_plan_options *o, double bound)
{
    vouch_error error = {0};
    vouch_policy *policy = NULL;
    vouch_plan_result result;
    p->p = bound + 2 * VOUCH_EXPLAIN_GAP;
    if (p->p > 1) {
        p->needless = true;
        prove_none(p, "none is needed, as no probability exceeds 1");
        return 0;
    }
    if (vouch_model_set_probability(m, p->p) || vouch_plan(&policy, m, o, &error)) return cli_failed(&error);
    report_clear();
    vouch_policy_get_result(policy, &result);
    vouch_policy_free(policy);
    bool proved = result.outcome == VOUCH_PLAN_INFEASIBLE;
    if (!proved) p->claims = 0; /* a policy that keeps more is no proof of this */
    return prove_end(p, m, &result, "it was not shown that no larger probability can be kept", &error) ? cli_failed(&error) : 0;
}

void prove_free(prove *p)
{
    if (p->store) fclose(p->store);
    file_lend_end(&p->given);
    text_free(&p->said);
}
