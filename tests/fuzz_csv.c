/* Fuzzing the CSV reader, with a companion that names the initial state before a line of three dashes: any bytes give a model or a
 * message. */
#include "fuzz_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in;
    vouch_model *m = NULL;
    initial_list initial = {0};
    fuzz_begin(&in, data, size);
    const char *split = strstr(in.content, "---\n"), *rows = split ? split + 4 : in.content;
    size_t first = (size_t)(rows - in.content);
    vouch_status status =
        split ? csv_initial_parse(&initial, &(file_content){"initial", in.content, first - 4}, &in.error) : VOUCH_OK;
    if (!status) status = csv_model_parse(&m, &(file_content){"fuzz", rows, in.length - first}, &initial, &in.source, &in.error);
    mem_free(initial.item);
    return fuzz_end(&in, status, m);
}
