/* Fuzzing the reader of PRISM's explicit models. An input is the .tra file and what lies beside it, told apart by lines of three
 * dashes, in the order of `beside`: any bytes give a model or a message. */
#include "fuzz_source.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

static const char *const beside[] = {".tra", ".lab", ".sta", ".srew", ".trew", "1.srew", "1.trew", "2.rew"};
enum { FILES = sizeof beside / sizeof *beside };

static char folder[32], path[FILES][64];

static void remove_files(void)
{
    for (int i = 0; i < FILES; i++) unlink(path[i]);
}

static void remove_folder(void)
{
    remove_files();
    rmdir(folder);
}

static void make_folder(void)
{
    if (*folder) return;
    strcpy(folder, "/dev/shm/fuzz.XXXXXX");
    if (!mkdtemp(folder)) abort();
    for (int i = 0; i < FILES; i++) snprintf(path[i], sizeof path[i], "%s/m%s", folder, beside[i]);
    atexit(remove_folder);
}

static void write_file(const char *where, const char *bytes, size_t length)
{
    FILE *f = fopen(where, "w");
    if (!f || fwrite(bytes, 1, length, f) != length || fclose(f)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in;
    vouch_model *m = NULL;
    fuzz_begin(&in, data, size);
    make_folder();
    const char *at = in.content, *end = in.content + in.length;
    file_content main_file = {path[0], at, in.length};
    for (int i = 0; i < FILES && at; i++) {
        const char *split = strstr(at, "---\n");
        size_t length = (size_t)((split ? split : end) - at);
        if (i == 0) main_file.length = length;
        if (length > 0) write_file(path[i], at, length);
        at = split ? split + 4 : NULL;
    }
    vouch_status status = drn_model_parse(&m, path[0], 1, &main_file, &in.source, &in.error);
    remove_files();
    return fuzz_end(&in, status, m);
}
