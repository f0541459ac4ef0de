/* Fuzzing the reader of journals: any bytes behind an honest head (and, in one input of 16, instead of it) give a journal or a
 * message; its records are found, and one that is kept behind them is found again when it is opened anew. */
#include "fuzz_file.h"

#include <fcntl.h>
#include <string.h>
#include <vouch/journal.h>

#include "base/memory.h"
#include "link/journal.h"

/* Opens it and asks for answers until there is none. Returns how many there were, -1 if it is refused. */
static long long walk(const char *path, bool keep)
{
    vouch_journal *j;
    vouch_error error = {0};
    message answer = {0};
    if (vouch_journal_open(&j, path, &(vouch_journal_options){.mark = "fuzz", .resume = 1}, &error)) {
        if (!error.text[0]) abort();
        return -1;
    }
    long long count = 0;
    while (count < 1000 && journal_find(j, 7, &answer)) {
        journal_keep(j, 7, &answer);
        count++;
    }
    if (count > vouch_journal_records(j)) abort();
    if (keep) {
        message_clear(&answer);
        message_put(&answer, "abc", 3);
        journal_keep(j, 7, &answer);
    }
    vouch_journal_free(j);
    message_free(&answer);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    bool whole = size > 0 && data[0] % 16 == 0;
    int fd = fuzz_file(NULL, 0, path);
    if (!whole && walk(path, false) != 0) abort(); /* writes the head */
    if (size > 1 && (lseek(fd, 0, SEEK_END) < 0 || write(fd, data + 1, size - 1) != (ssize_t)size - 1)) abort();
    long long before = walk(path, true);
    if (before >= 0 && before < 1000 && walk(path, false) != before + 1) abort();
    close(fd);
    if (mem_live() != 0) abort();
    return 0;
}
