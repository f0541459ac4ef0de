/* cli/spread.c - see spread.h. */
#include "cli/spread.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/report.h"
#include "io/disk.h"
#include "link/group.h"

bool spread_asked(const spread_args *args) { return cli_given("workers") || args->journal || args->resume || group_possible(); }

int spread_workers(const spread_args *args) { return group_workers() > 0 || group_is_worker() ? 1 : args->workers; }

void spread_files(void)
{
    if (group_is_worker()) disk_share(&(disk_sharing){.told = group_told});
    if (group_workers() > 0) disk_share(&(disk_sharing){.told = group_told, .tell = group_tell});
}

vouch_status spread_mark(fingerprint *f, const cli_common *common, const model_args *args, const char *path, vouch_error *error)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, common->seed);
    fingerprint_add(f, vouch_version());
    fingerprint_add(f, seed);
    fingerprint_add_number(f, args->reward_tolerance);
    fingerprint_add_number(f, args->horizon);
    for (size_t i = 0; i < args->probabilities.count; i++) fingerprint_add(f, args->probabilities.item[i]);
    return fingerprint_add_model(f, args, path, error);
}

int spread_open(const spread_args *args, const char *mark, vouch_journal **journal)
{
    vouch_error error = {0};
    const char *path = args->resume ? args->resume : args->journal;
    *journal = NULL;
    if (!path || group_is_worker()) return 0;
    if (args->journal && args->resume && strcmp(args->journal, args->resume) != 0)
        return cli_wrong("--journal and --resume: a resumed journal is also written; give one file");
    vouch_journal_options o = {.mark = mark, .resume = args->resume != NULL, .log = report_log()};
    if (vouch_journal_open(journal, path, &o, &error)) return cli_failed(&error);
    if (vouch_journal_records(*journal) > 0) report_note("%lld answers reused from %s", vouch_journal_records(*journal), path);
    return 0;
}
