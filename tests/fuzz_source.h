/* tests/fuzz_source.h - shared by the fuzzers of model readers: a copy with a zero byte behind it, small limits, a check for leaks.
 */
#ifndef FUZZ_SOURCE_H
#define FUZZ_SOURCE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <vouch/vouch.h>

#include "base/memory.h"
#include "io/formats.h"
#include "mdp/model.h"
#include "io/json.h"

typedef struct fuzz_properties {
    specifications *list;
    escape *e;
    const file_content *file;
} fuzz_properties;

static inline void fuzz_read_properties(void *object)
{
    fuzz_properties *in = object;
    specifications_start(in->list, in->e);
    specifications_parse_properties(in->list, in->file);
}

/* Reads a file of properties; escape_end(e) whatever the outcome. */
static inline vouch_status fuzz_parse_properties(specifications *list, escape *e, const file_content *file)
{
    *list = (specifications){0};
    return escape_try(e, fuzz_read_properties, &(fuzz_properties){list, e, file});
}

static inline char *fuzz_copy(const uint8_t *data, size_t size)
{
    char *copy = mem_alloc(size + 1, 1);
    if (!copy) abort();
    memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}

static inline vouch_source fuzz_source(void)
{
    vouch_source source;
    vouch_source_init(&source);
    source.horizon = 3;
    source.state_limit = 2000;
    source.fix_deadlocks = 1;
    source.merge_actions = 1;
    return source;
}

/* The bytes of an input as a text with options. An input may begin with a line "//?CONST|COMMIT|REWARD|TIME-TO", each maybe empty:
 * the options of the command line that a reader takes text from. */
typedef struct fuzz_input {
    vouch_source source;
    vouch_error error;
    const char *constant;
    char *copy, *content; /* copy: owned; content: behind the options */
    size_t length;        /* of the content */
} fuzz_input;

static inline void fuzz_begin(fuzz_input *in, const uint8_t *data, size_t size)
{
    char *copy = fuzz_copy(data, size), *field[4] = {NULL};
    *in = (fuzz_input){.source = fuzz_source(), .copy = copy, .content = copy, .length = size};
    if (strncmp(copy, "//?", 3) != 0) return;
    char *line = copy + 3;
    in->content = line + strcspn(line, "\n");
    if (*in->content) *in->content++ = '\0';
    in->length = size - (size_t)(in->content - copy);
    for (int i = 0; i < 4; i++) {
        char *end = line + strcspn(line, "|");
        if (end > line) field[i] = line;
        if (!*end) break;
        *end = '\0';
        line = end + 1;
    }
    in->constant = field[0];
    in->source.constants = &in->constant;
    in->source.constant_count = field[0] != NULL;
    in->source.commit = field[1];
    if (field[1]) in->source.probability = 0.5;
    in->source.reward = field[2];
    in->source.time_to = field[3];
}

/* Writes a model and reads it again, if it is small enough for the sanitizers. */
static inline void fuzz_finish(vouch_model *m)
{
    enum { MOST_PAIRS = 300000 }; /* in all environments */
    text t = {0};
    vouch_error error;
    vouch_model *back = NULL;
    if (m && (double)m->K * m->pair_start[m->S] <= MOST_PAIRS) {
        model_json_write(m, &t);
        if (t.failed) abort();
        char *copy = fuzz_copy((const uint8_t *)t.data, t.length);
        if (model_json_parse(&back, "written", copy, t.length, &error) != VOUCH_OK && !strstr(error.text, "UTF-8") &&
            !strstr(error.text, "named twice") && !strstr(error.text, "empty string"))
            abort();
    }
    text_free(&t);
    vouch_model_free(back);
    vouch_model_free(m);
    if (mem_live() != 0) abort();
}

/* The lines of a text, each ended in it, as what --commit was given. */
static inline void fuzz_commits(char *content, const char *line[], size_t most, vouch_source *source)
{
    size_t lines = 0;
    for (char *at = content; *at && lines < most; lines++) {
        line[lines] = at;
        at += strcspn(at, "\n");
        if (*at) *at++ = '\0';
    }
    source->commits = line;
    source->commit_count = lines;
}

/* A model, or a message that says why not. */
static inline int fuzz_end(fuzz_input *in, vouch_status status, vouch_model *m)
{
    if (status && in->error.text[0] == '\0') abort();
    mem_free(in->copy);
    fuzz_finish(m);
    return 0;
}

#endif
