/* cli/spread.c - work spread over processes, and journals. */
#include <inttypes.h>

#include "cli/cli.h"

/* ---- fingerprints: FNV-1a (Fowler, Noll, Vo) over 64 bits, against accidental, not deliberate collisions ---- */

fingerprint fingerprint_start(void) { return (fingerprint){UINT64_C(14695981039346656037)}; }

void fingerprint_add_bytes(fingerprint *f, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < count; i++) f->hash = (f->hash ^ b[i]) * UINT64_C(1099511628211);
}

static void add_block(fingerprint *f, const void *bytes, size_t count)
{
    uint64_t length = count;
    fingerprint_add_bytes(f, &length, sizeof length);
    fingerprint_add_bytes(f, bytes, count);
}

void fingerprint_add(fingerprint *f, const char *word)
{
    fingerprint_add_bytes(f, word ? "+" : "-", 1);
    if (word) add_block(f, word, strlen(word));
}

void fingerprint_add_number(fingerprint *f, double x)
{
    char number[32];
    fingerprint_add(f, text_number(x, number));
}

static vouch_status add_file(fingerprint *f, const char *path, vouch_error *error)
{
    file_content file;
    vouch_status status = file_load(&file, path, error);
    if (!status) add_block(f, file.bytes, file.length);
    file_unload(&file);
    return status;
}

static vouch_status add_files(fingerprint *f, const char *path, vouch_error *error)
{
    names list = {0};
    bool directory = path_is_directory(path);
    vouch_status status = model_files(&list, path, error);
    for (int i = 0; i < list.count && !status; i++) {
        const char *file = names_text(&list, i);
        if (directory) fingerprint_add(f, strrchr(file, '/') + 1);
        status = add_file(f, file, error);
    }
    names_free(&list);
    return status;
}

vouch_status fingerprint_add_model(fingerprint *f, const model_args *args, const char *path, vouch_error *error)
{
    if (args->commits.count == 0) fingerprint_add(f, NULL);
    for (size_t i = 0; i < args->commits.count; i++) fingerprint_add(f, args->commits.item[i]);
    fingerprint_add(f, args->reward);
    fingerprint_add(f, args->time_to);
    for (size_t i = 0; i < args->constants.count; i++) fingerprint_add(f, args->constants.item[i]);
    if (args->observe) fingerprint_add(f, args->observe);
    if (args->prior) fingerprint_add(f, args->prior);
    fingerprint_add_number(f, args->fix_deadlocks);
    fingerprint_add_number(f, args->merge_actions);
    for (size_t i = 0; i < args->initial.count; i++) fingerprint_add(f, args->initial.item[i]);
    for (size_t i = 0; i < args->probabilities.count; i++)
        if (strchr(args->probabilities.item[i], '=')) fingerprint_add(f, args->probabilities.item[i]);
    if (args->properties) {
        vouch_status status = add_file(f, args->properties, error);
        if (status) return status;
    }
    return add_files(f, path, error);
}

void fingerprint_text(const fingerprint *f, char out[FINGERPRINT]) { snprintf(out, FINGERPRINT, "%016" PRIx64, f->hash); }

/* ---- spread ---- */

bool spread_asked(const spread_args *args) { return cli_given("workers") || args->journal || args->resume || group_possible(); }

int spread_workers(const spread_args *args) { return group_workers() > 0 || group_is_worker() ? 1 : args->workers; }

void spread_files(void)
{
    if (group_is_worker()) disk_share(&(disk_sharing){.told = group_told});
    if (group_workers() > 0) disk_share(&(disk_sharing){.told = group_told, .tell = group_tell});
}

void spread_mark(fingerprint *f, const cli_common *common, const model_args *args, const char *path)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, common->seed);
    fingerprint_add(f, vouch_version());
    fingerprint_add(f, seed);
    fingerprint_add_number(f, args->reward_tolerance);
    fingerprint_add_number(f, args->horizon);
    for (size_t i = 0; i < args->probabilities.count; i++) fingerprint_add(f, args->probabilities.item[i]);
    cli_try(fingerprint_add_model(f, args, path, &cli_error));
}

static void free_journal(void *journal) { vouch_journal_free(journal); }

vouch_journal *spread_open(const spread_args *args, const char *mark)
{
    const char *path = args->resume ? args->resume : args->journal;
    vouch_journal *journal;
    if (!path || group_is_worker()) return NULL;
    if (args->journal && args->resume && strcmp(args->journal, args->resume) != 0)
        cli_die("--journal and --resume: a resumed journal is also written; give one file");
    vouch_journal_options o = {.mark = mark, .resume = args->resume != NULL, .log = report_log()};
    cli_try(vouch_journal_open(&journal, path, &o, &cli_error));
    cli_own(free_journal, journal);
    if (vouch_journal_records(journal) > 0) report_note("%lld answers reused from %s", vouch_journal_records(journal), path);
    return journal;
}
