/* Fuzzing the DRN reader with two files, told apart by a line of three dashes: any bytes give a model or a message. */
#include "fuzz_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vouch_source source = fuzz_source();
    vouch_error error;
    vouch_model *m = NULL;
    const char *constant;
    char *copy = fuzz_copy(data, size), *content = fuzz_options(copy, &source, &constant), *split = strstr(content, "---\n");
    size -= (size_t)(content - copy);
    size_t first = split ? (size_t)(split - content) : size;
    if (split) *split = '\0';
    const file_content file[] = {{"a.drn", content, first}, {"b.drn", split ? split + 4 : "", split ? size - first - 4 : 0}};
    if (drn_model_parse(&m, "fuzz", split ? 2 : 1, file, &source, &error) != VOUCH_OK && error.text[0] == '\0') abort();
    mem_free(copy);
    fuzz_finish(m);
    return 0;
}
