/* cli/prove.c - the file of a proof, and vouch-check on it. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"

/* ---- vouch-check on a written proof
 *
 * The judge is another program in another process, which receives only the file. O(file), and the judge's work. ----
 */

/* Exit statuses of vouch-check, and of a process that could not start it. */
enum { JUDGE_VERIFIED = 0, JUDGE_REFUTED = 2, JUDGE_LIMIT = 3, JUDGE_MISSING = 127 };
/* vouch-check beside this program, or in PATH. */
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

int cli_spawn(const char *program, const char *const argument[], const char *variable, text *said)
{
    char more[4096];
    int ends[2], status = 0;
    if (pipe(ends) != 0) return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        if (variable) (void)setenv(variable, "1", 1);
        execvp(program, (char *const *)(void *)argument);
        _exit(JUDGE_MISSING);
    }
    (void)close(ends[1]);
    for (ssize_t got = 1; child > 0 && (got > 0 || (got < 0 && errno == EINTR));) {
        got = read(ends[0], more, sizeof more);
        if (got > 0) text_add_bytes(said, more, (size_t)got);
    }
    (void)close(ends[0]);
    if (child < 0) return -1;
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Saves a refuted proof and its model for inspection, under names that cannot be mistaken for a proof. */
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

/* The last line of vouch-check's output as the reason. */
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
    char horizon[32], probability[32], within[32], store[32], work[32], judge[4096];
    const char *argument[13] = {"vouch-check", "--work-limit", work};
    int count = 3;
    if (p->outcome == PROVE_NONE) return;
    snprintf(work, sizeof work, "%lld", most_work > 0 ? most_work : p->work);
    snprintf(horizon, sizeof horizon, "%d", args ? args->horizon : 0);
    if (args && args->horizon > 0) {
        argument[count++] = "-T";
        argument[count++] = horizon;
    }
    if (args && args->minimise) argument[count++] = "--minimise";
    double promised = p->p;
    if (!isnan(promised) || (args && !model_probability(args, &promised) && !isnan(promised))) {
        argument[count++] = "-p";
        argument[count++] = text_number(promised, probability);
    }
    if (!isnan(p->within)) {
        argument[count++] = "--within";
        argument[count++] = text_number(p->within, within);
    }
    argument[count++] = p->model;
    snprintf(store, sizeof store, "/dev/fd/%d", fileno(p->store));
    argument[count++] = p->path && file_there(p->path) ? p->path : store;
    argument[count] = NULL;
    judge_path(judge, sizeof judge);
    int status = cli_spawn(judge, argument, NULL, &p->said);
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
        js_add(t, "\"%s\"", p->path);
    else
        text_add(t, "null");
    text_add(t, ", \"checked\": \"%s\"", words[p->outcome]);
    if (p->outcome != PROVE_VERIFIED) js_add(t, ", \"reason\": \"%s\"", p->reason);
    text_add(t, " }");
}

/* ---- prove ---- */

/* The only reward tolerance supported in proofs. */
static const double REWARD_TOLERANCE = 1e-9;

/* Work of vouch-check: some 20 seconds, and ten times the work of each induction of the plan over its steps, rows and the
 * likelihood classes of a row. */
static const double LEAST_WORK = 1e10, MOST_WORK = 9e18, TIMES = 10, CLASSES = 10;

static void keep(void *context, const char *more)
{
    prove *p = context;
    for (const char *c = more; *c; c++) p->lines += *c == '\n';
    p->claims += strncmp(more, "claim ", 6) == 0 || strstr(more, "\nclaim ") != NULL;
    if (fputs(more, p->store) < 0) p->failed = true;
}

/* Refuses a model that is not JSON, with the command that converts it. */
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
    if (args && args->reward_tolerance != REWARD_TOLERANCE) return cli_wrong("a proof requires the default reward tolerance, 1e-9");
    if (args && args->observe) return cli_wrong("a proof uses the observations in the file; vouch convert --observe writes them");
    for (size_t i = 0; args && i < args->probabilities.count; i++)
        if (strchr(args->probabilities.item[i], '='))
            return cli_wrong("a proof uses the probabilities in the file; vouch convert -p NAME=P writes them");
    if (args && args->prior) return cli_wrong("a proof uses the prior in the file; vouch convert --prior writes it");
    file_kind kind = FILE_UNKNOWN;
    if (recognise_path(model, &kind, &cli_error)) return cli_failed(&cli_error);
    if (kind != FILE_MODEL) return refuse_format(args, model);
    if (file_read(model, FILE_CAP, &content, &length, &cli_error)) return cli_failed(&cli_error);
    fingerprint hash = fingerprint_start();
    fingerprint_add_bytes(&hash, content, length);
    mem_free(content);
    fingerprint_text(&hash, word);
    char head[2 * FINGERPRINT + 64];
    snprintf(head, sizeof head, "vouch-proof 2\nmodel %s %zu\n", word, length);
    *p = (prove){.path = path, .p = NAN, .within = NAN};
    p->model = file_lend(&p->given, model, &cli_error);
    if (!p->model) return cli_failed(&cli_error);
    p->store = tmpfile(); /* without a name, so that it disappears in every case */
    if (!p->store) {
        error_system(&cli_error, errno, "no temporary file can be made for the proof");
        return cli_failed(&cli_error);
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

/* Work limit of vouch-check. */
static long long work_for(const vouch_model *m, const vouch_plan_result *result)
{
    double rows = (double)vouch_model_states(m) * vouch_model_actions(m) * vouch_model_environments(m);
    double steps = (double)(result->iterations + result->nodes) * vouch_model_horizon(m);
    return (long long)fmin(MOST_WORK, LEAST_WORK + TIMES * CLASSES * rows * steps);
}

/* Does a line begin with a word that files of version 2 do not have? O(length). */
static bool of_later_version(const char *at, size_t length)
{
    static const char *const words[] = {"reach ", "unkept ", "remove ", "within ", "nature "};
    for (const char *end = at + length, *line; at < end; at = line ? line + 1 : end) {
        line = memchr(at, '\n', (size_t)(end - at));
        for (size_t i = 0; line && i < sizeof words / sizeof *words; i++)
            if (strncmp(at, words[i], strlen(words[i])) == 0) return true;
    }
    return false;
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
    char *bytes = mmap(NULL, (size_t)length, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(p->store), 0);
    if (bytes == MAP_FAILED) return error_set(error, VOUCH_ERROR_IO, "the temporary file of the proof cannot be read");
    if (of_later_version(bytes, (size_t)length)) *strchr(bytes, '2') = '3';
    vouch_status status = p->path ? file_write(p->path, bytes, (size_t)length, error) : VOUCH_OK;
    (void)munmap(bytes, (size_t)length);
    return status;
}

/* The claims of the proof about the objective, V and then B. Returns their number. */
static int claimed(const prove *p, bool regret, double figure[2])
{
    enum { LAST_LINES = 512 }; /* bytes with the claims, which come last in lines of at most 64 */
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
    const char *of = regret ? "maximum regret" : objective_noun(result->objective, result->sense);
    int count = claimed(p, regret, figure);
    bool costs = !regret && result->sense == VOUCH_MINIMISE; /* the proof counts minus the costs */
    for (int i = 0; i < count && costs; i++) figure[i] = 0 - figure[i];
    if (count == 2)
        fprintf(stderr, "not proved: of the %s the proof shows %.10g at most and %.10g at least\n", of, figure[!regret && !costs],
                figure[regret || costs]);
    else if (count == 1)
        fprintf(stderr, "not proved: of the %s the proof shows %.10g at %s\n", of, figure[0], costs ? "most" : "least");
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
    vouch_policy *policy = NULL;
    vouch_plan_result result;
    p->p = bound + 2 * VOUCH_EXPLAIN_GAP;
    if (p->p > 1) {
        p->needless = true;
        prove_none(p, "none is needed, as no probability exceeds 1");
        return 0;
    }
    if (vouch_model_set_probability(m, p->p) || vouch_plan(&policy, m, o, &cli_error)) return cli_failed(&cli_error);
    report_clear();
    vouch_policy_get_result(policy, &result);
    vouch_policy_free(policy);
    bool proved = result.outcome == VOUCH_PLAN_INFEASIBLE;
    if (!proved) p->claims = 0; /* a policy that keeps more proves nothing here */
    return prove_end(p, m, &result, "it was not shown that no larger probability can be kept", &cli_error) ? cli_failed(&cli_error)
                                                                                                           : 0;
}

void prove_free(prove *p)
{
    if (p->store) fclose(p->store);
    file_lend_end(&p->given);
    text_free(&p->said);
}
