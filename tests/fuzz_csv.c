/* Fuzzing the CSV reader, with a companion that names the initial state before a line of three dashes: any bytes give a model or a message. */
#include "fuzz_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vouch_source source = fuzz_source();
    vouch_error error;
    vouch_model *m = NULL;
    const char *constant;
    char *copy = fuzz_copy(data, size), *content = fuzz_options(copy, &source, &constant);
    char *split = strstr(content, "---\n"), *rows = split ? split + 4 : content;
    initial_list initial = {0};
    vouch_status status =
        split ? csv_initial_parse(&initial, &(file_content){"initial", content, (size_t)(split - content)}, &error) : VOUCH_OK;
    if (!status)
        status = csv_model_parse(&m, &(file_content){"fuzz", rows, size - (size_t)(rows - copy)}, &initial, &source, &error);
    if (status && error.text[0] == '\0') abort();
    mem_free(copy);
    mem_free(initial.item);
    fuzz_finish(m);
    return 0;
}
