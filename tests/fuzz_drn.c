/* Fuzzing the DRN reader with two files, told apart by a line of three dashes: any bytes give a model or a message. */
#include "fuzz_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in;
    vouch_model *m = NULL;
    fuzz_begin(&in, data, size);
    char *split = strstr(in.content, "---\n");
    size_t first = split ? (size_t)(split - in.content) : in.length;
    if (split) *split = '\0';
    const file_content file[] = {{"a.drn", in.content, first},
                                 {"b.drn", split ? split + 4 : "", split ? in.length - first - 4 : 0}};
    vouch_status status = drn_model_parse(&m, "fuzz", split ? 2 : 1, file, &in.source, &in.error);
    return fuzz_end(&in, status, m);
}
