/* io/drn_index.c - which file of a directory of DRN files is which environment; see drn_index.h.
 *
 *   { "vouch_index": 1, "environments": [ { "name": "current=0", "file": "current=0.drn" } ] }
 *
 * A file has the name of its environment, as far as every file system takes it: other letters become _, and where two names would
 * then be the same but for capitals, a number is added.
 */
#include "io/drn_index.h"

#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/formats.h"
#include "io/json.h"
#include "io/output.h"

static const char SAFE[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_=,+-.";
static const char MARK[] = "vouch_index";
enum { LONGEST = 40 }; /* letters of an environment's name that its file has */

bool drn_index_is(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, DRN_INDEX) == 0;
}

bool drn_index_speaks(const file_content *file) { return strstr(file->bytes, MARK) != NULL; }

/* The name made safe, into out. No letter that stands first hides a file or makes it an option. */
static void make_safe(const char *name, char out[LONGEST + 1])
{
    size_t n = 0;
    for (; n < LONGEST && name[n]; n++) out[n] = strchr(SAFE, name[n]) ? name[n] : '_';
    out[n] = '\0';
    if (out[0] == '.' || out[0] == '-') out[0] = '_';
}

vouch_status drn_index_files(names *file, const vouch_model *m, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    names taken = {0}; /* in small letters, for file systems that see no difference */
    for (int k = 0; k < vouch_model_environments(m) && !status; k++) {
        char safe[LONGEST + 1], name[OUTPUT_NAME], small[OUTPUT_NAME];
        make_safe(vouch_model_environment_name(m, k), safe);
        for (int again = 1;; again++) {
            if (again == 1 && safe[0])
                format_text(name, sizeof name, "%s.drn", safe);
            else
                format_text(name, sizeof name, "%s_%d.drn", safe, again == 1 ? k + 1 : again);
            for (size_t i = 0; i < sizeof small; i++) small[i] = (char)ascii_lower(name[i]);
            if (names_find(&taken, small) < 0) break;
        }
        if (names_add(&taken, small) < 0 || names_add(file, name) < 0) status = error_memory(error);
    }
    names_free(&taken);
    return status;
}

void drn_index_write(const vouch_model *m, const names *file, text *t)
{
    text_add(t, "{ \"%s\": 1, \"environments\": [", MARK);
    for (int k = 0; k < file->count; k++) {
        text_add(t, "%s\n  { \"name\": ", k ? "," : "");
        js_add_string(t, vouch_model_environment_name(m, k));
        text_add(t, ", \"file\": ");
        js_add_string(t, names_text(file, k));
        text_add(t, " }");
    }
    text_add(t, " ] }\n");
}

typedef struct index_reading {
    js_doc doc;
    const file_content *index;
    names *env, *file;
} index_reading;

/* One environment of the list. */
static void read_entry(const index_reading *r, uint32_t at)
{
    static const js_field field[] = {{"name", 1 << JS_STRING, true}, {"file", 1 << JS_STRING, true}};
    const js_doc *doc = &r->doc;
    uint32_t value[2];
    js_fields(doc, at, field, 2, value);
    const char *name = js_string(doc, value[0]), *path = js_string(doc, value[1]);
    if (names_find(r->env, name) >= 0) js_fail(doc, value[0], "the environment is given twice");
    if (strchr(path, '/') || !path_ends_in(path, ".drn")) js_fail(doc, value[1], "expected the name of a .drn file");
    if (names_find(r->file, path) >= 0) js_fail(doc, value[1], "the file is given twice");
    must_count(doc->e, names_add(r->env, name));
    must_count(doc->e, names_add(r->file, path));
}

static void read_index(void *object)
{
    static const js_field field[] = {{MARK, 1 << JS_NUMBER, true}, {"environments", 1 << JS_ARRAY, true}};
    index_reading *r = object;
    js_doc *doc = &r->doc;
    uint32_t value[2];
    char *copy = MEM_NEW(char, r->index->length + 1);
    if (!copy) escape_memory(doc->e);
    memcpy(copy, r->index->bytes, r->index->length + 1);
    js_parse(doc, r->index->name, copy, r->index->length);
    js_fields(doc, 0, field, 2, value);
    js_int(doc, value[0], 1, 1);
    if (js_count(doc, value[1]) == 0) js_fail(doc, value[1], "there is no environment");
    for (uint32_t c = value[1] + 1; c < js_end(doc, value[1]); c = js_end(doc, c)) read_entry(r, c);
}

vouch_status drn_index_read(names *env, names *file, const file_content *index, vouch_error *error)
{
    escape e = {.error = error};
    index_reading r = {{.e = &e}, index, env, file};
    vouch_status status = escape_try(&e, read_index, &r);
    escape_end(&e);
    return status;
}
