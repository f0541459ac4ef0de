/* io/json_field.c - see js_unknown_field in json.h. */
#include "base/nearest.h"
#include "io/file.h"
#include "io/json.h"

vouch_status js_unknown_field(const js_doc *doc, uint32_t at, const js_field *field, size_t fields, vouch_error *error)
{
    text words = {0};
    for (size_t i = 0; i < fields; i++) text_add(&words, "%s|", field[i].name);
    const char *near = words.data && !words.failed ? nearest_word(js_string(doc, at), words.data) : NULL;
    vouch_status status =
        near ? js_fail(doc, at, error, "unknown field; did you mean \"%s\"?", near) : js_fail(doc, at, error, "unknown field");
    text_free(&words);
    return status;
}
