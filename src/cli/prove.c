/* cli/prove.c - see prove.h. The judge is another program and another process: nothing that this one has computed reaches it but the file. O(file). */
#include "cli/prove.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/fingerprint.h"
#include "io/formats.h"

/* The only reward tolerance that proofs know of. */
static const double REWARD_TOLERANCE = 1e-9;

static void keep(void *context, const char *more)
{
    text *lines = context;
    text_add_bytes(lines, more, strlen(more));
}

int prove_start(prove *p, const model_args *args, const char *path, vouch_plan_options *options)
{
    char *content, word[FINGERPRINT];
    size_t length;
    vouch_error error = {0};
    if (args->reward_tolerance != REWARD_TOLERANCE) return cli_wrong("a proof takes rewards within 1e-9 for one observation");
    file_kind kind = FILE_UNKNOWN;
    if (strcmp(path, "-") == 0 || recognise_path(path, &kind, &error) || kind != FILE_MODEL)
        return cli_wrong("a proof is about a JSON file; vouch convert makes one of other models");
    if (file_read(path, FILE_CAP, &content, &length, &error)) return cli_failed(&error);
    fingerprint hash = fingerprint_start();
    fingerprint_add_bytes(&hash, content, length);
    mem_free(content);
    fingerprint_text(&hash, word);
    p->model = path;
    text_add(&p->lines, "vouch-proof 1\nmodel %s %zu\n", word, length);
    options->proof = keep;
    options->proof_context = &p->lines;
    return 0;
}

vouch_status prove_end(prove *p, const char *path, vouch_error *error)
{
    size_t lines = 1;
    for (size_t i = 0; i < p->lines.length; i++) lines += p->lines.data[i] == '\n';
    text_add(&p->lines, "complete %zu\n", lines);
    if (path) return text_write(&p->lines, path, error);
    p->store = tmpfile(); /* without a name, so that nothing is left whatever ends this process */
    if (!p->store || fwrite(p->lines.data, 1, p->lines.length, p->store) != p->lines.length || fflush(p->store))
        return error_set(error, VOUCH_ERROR_IO, "no temporary file can be made for the proof");
    return VOUCH_OK;
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
    snprintf(horizon, sizeof horizon, "%d", args->horizon);
    const char *argument[8] = {"vouch-check"};
    int count = 1;
    if (args->horizon > 0) {
        argument[count++] = "-T";
        argument[count++] = horizon;
    }
    double promised;
    if (!model_probability(args, &promised) && !isnan(promised)) {
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
    text_free(&p->lines);
}
