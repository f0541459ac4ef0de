/* Fuzzing what unpacks files: plain, gzip, xz, and archives of one file, each in another. */
#include "fuzz_file.h"

#include <string.h>
#include <vouch/status.h>

#include "base/memory.h"
#include "io/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { CAP = 1 << 24 };
    vouch_error error = {0};
    char path[32], *bytes = NULL;
    size_t length = 0;
    int fd = fuzz_file(data, size, path);
    vouch_status status = file_read(path, CAP, &bytes, &length, &error);
    close(fd);
    if (status ? bytes || !error.text[0] : !bytes || length > CAP || bytes[length] != '\0') abort();
    mem_free(bytes);
    if (mem_live() != 0) abort();
    return 0;
}
