/* Fuzzing promises as texts: lines as of --commit, and behind a line of three dashes a file of PRISM properties. Any bytes give
 * valid promises, which are then added to a small model, or a message. */
#include "fuzz_source.h"

#include <math.h>

#include "io/formats.h"

enum { MOST_LINES = 8 };

static const char MODEL[] =
    "mdp\nconst int n;\nmodule m\ns : [0..3];\n[a] true -> 0.5:(s'=n)+0.5:(s'=min(s+1,3));\n[b] s>0 -> (s'=s-1);\nendmodule\n"
    "label \"home\" = s=0;\nlabel \"far\" = s=3-n;\n";

static void check_specifications(const specifications *list)
{
    for (size_t i = 0; i < list->item_count; i++) {
        const specification *w = &list->item[i];
        if (!w->name || !w->what || w->from < -1 || w->to < -1 || (w->to >= 0 && w->from > w->to)) abort();
        if (!isnan(w->p) && !(w->p >= 0 && w->p <= 1)) abort();
        if (!vouch_promise_kind_is_window(w->kind) && w->from >= 0) abort();
        for (size_t j = 0; j < i; j++)
            if (strcmp(list->item[j].name, w->name) == 0) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in;
    vouch_model *m = NULL;
    const char *line[MOST_LINES], *constant = "n=0:1";
    specifications list;
    escape e = {.error = &in.error};
    fuzz_begin(&in, data, size);
    char *split = strstr(in.content, "---\n");
    vouch_status status = VOUCH_OK;
    if (split) {
        *split = '\0';
        size_t first = (size_t)(split + 4 - in.content);
        status = fuzz_parse_properties(&list, &e, &(file_content){"fuzz.props", split + 4, in.length - first});
        if (!status) check_specifications(&list);
        escape_end(&e);
    }
    fuzz_commits(in.content, line, MOST_LINES, &in.source);
    in.source.constants = &constant;
    in.source.constant_count = 1;
    if (!status && !(status = specifications_open(&list, &e, &in.source, "fuzz"))) check_specifications(&list);
    escape_end(&e);
    if (!status) status = prism_model_parse(&m, &(file_content){"fuzz.prism", MODEL, sizeof MODEL - 1}, &in.source, &in.error);
    return fuzz_end(&in, status, m);
}
