/* Fuzzing the reader of journals: any bytes behind an honest head (and, in one input of 16, instead of it) give a journal or a
 * message; a file that is refused keeps its length, and a record that is kept is found again when the journal is opened anew. */
#include "fuzz_file.h"

#include <fcntl.h>
#include <string.h>
#include <vouch/journal.h>

#include "base/memory.h"
#include "link/journal.h"

static const journal_key KEY = {7, 11};

/* Opens it, and keeps the answer of the key if it is wanted. Returns how many records there were, -1 if it is refused. */
static long long walk(const char *path, int fd, bool keep)
{
    vouch_journal *j;
    vouch_error error = {0};
    message answer = {0};
    off_t before = lseek(fd, 0, SEEK_END);
    if (vouch_journal_open(&j, path, &(vouch_journal_options){.mark = "fuzz", .resume = 1}, &error)) {
        if (!error.text[0] || lseek(fd, 0, SEEK_END) != before) abort();
        return -1;
    }
    long long count = vouch_journal_records(j);
    (void)journal_find(j, &KEY, &answer);
    message_clear(&answer);
    if (keep) {
        message_put(&answer, "abc", 3);
        journal_keep(j, &KEY, &answer);
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
    if (!whole && walk(path, fd, false) != 0) abort(); /* writes the head */
    if (size > 1 && (lseek(fd, 0, SEEK_END) < 0 || write(fd, data + 1, size - 1) != (ssize_t)size - 1)) abort();
    long long before = walk(path, fd, true);
    if (before >= 0 && walk(path, fd, false) != before + 1) abort();
    close(fd);
    if (mem_live() != 0) abort();
    return 0;
}
