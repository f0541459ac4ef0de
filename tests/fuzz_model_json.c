/* Fuzzing the model reader: any bytes give a model or a message. */
#include "fuzz_source.h"

/* Rows are read from the text, or, if any string has an escape, from the tree of the whole document. */
static void read_whole(const char *content, size_t size, vouch_status status, const vouch_error *error)
{
    static const char field[] = "\"vouch\"", escaped[] = "\"v\\u006fuch\"";
    const char *at = strstr(content, field);
    size_t before = at ? (size_t)(at - content) : 0, more = sizeof escaped - sizeof field;
    char *copy = at ? mem_alloc(size + more + 1, 1) : NULL;
    if (!copy) return;
    memcpy(copy, content, before);
    memcpy(copy + before, escaped, sizeof escaped - 1);
    memcpy(copy + before + sizeof escaped - 1, at + sizeof field - 1, size - before - sizeof field + 2);
    vouch_error other = {0};
    vouch_model *m = NULL;
    if (model_json_parse(&m, "fuzz", copy, size + more, &other) != status || strcmp(other.text, error->text) != 0) abort();
    vouch_model_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vouch_error error = {0};
    vouch_model *m = NULL;
    vouch_status status = model_json_parse(&m, "fuzz", fuzz_copy(data, size), size, &error);
    if (status != VOUCH_OK && error.text[0] == '\0') abort();
    char *again = fuzz_copy(data, size);
    read_whole(again, size, status, &error);
    mem_free(again);
    fuzz_finish(m);
    return 0;
}
