/* io/prism_missing.c - see prism_missing.h. */
#include "io/prism_missing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/nearest.h"
#include "io/file.h"

/* Does an option "A=0:2,B=1,3" give the constant values? */
static bool is_given(const vouch_source *source, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < source->constant_count; i++)
        for (const char *at = source->constants[i]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
            if (strncmp(at, name, n) == 0 && at[n] == '=') return true;
    return false;
}

static bool is_missing(const prism *p, const vouch_source *source, size_t i)
{
    const prism_constant *c = &p->constant[i];
    return c->expr < 0 && c->bound_of < 0 && !c->hole && !is_given(source, prism_name(p, c->name));
}

static const char *some_values(prism_type type) { return type == TYPE_INT ? "1:2" : type == TYPE_REAL ? "0.1,0.2" : "false,true"; }

/* The piece of an option that gives a value to what is no open constant; NULL: there is none. */
static const char *unknown_name(const prism *p, const vouch_source *source, size_t *length)
{
    for (size_t i = 0; i < source->constant_count; i++)
        for (const char *at = source->constants[i]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
            size_t n = strcspn(at, "=,"), c = 0;
            if (at[n] != '=') continue;
            while (c < p->constant_count &&
                   (strlen(prism_name(p, p->constant[c].name)) != n || strncmp(prism_name(p, p->constant[c].name), at, n) != 0))
                c++;
            *length = n;
            if (c == p->constant_count) return at;
        }
    return NULL;
}

static vouch_status no_constant(const prism *p, const char *given, size_t length)
{
    char name[64];
    text words = {0};
    format_text(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), given);
    for (size_t i = 0; i < p->constant_count; i++)
        if (p->constant[i].expr < 0 && p->constant[i].bound_of < 0) text_add(&words, "%s|", prism_name(p, p->constant[i].name));
    const char *near = words.data && !words.failed ? nearest_word(name, words.data) : NULL;
    text_free(&words);
    return error_set(p->error, VOUCH_ERROR_INPUT, "--const: %.200s has no open constant \"%s\"%s%s%s", p->file, name,
                     near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

void prism_add_example(const prism *p, text *t)
{
    text made = {0};
    const prism_variable *v = p->variable_count ? &p->variable[0] : NULL;
    const prism_expr *low = !v || v->low < 0 ? NULL : &p->expr[v->low];
    if (p->label_count)
        text_add(&made, "%s", prism_name(p, p->label[0].name));
    else if (v && v->type == TYPE_BOOL)
        text_add(&made, "%s", prism_name(p, v->name));
    else if (v)
        text_add(&made, "%s=%" PRId64, prism_name(p, v->name), low && low->op == OP_INT ? low->u.whole : 0);
    text_add_quoted(t, made.data ? made.data : "true");
    t->failed = t->failed || made.failed;
    text_free(&made);
}

vouch_status prism_check_given(const prism *p, const vouch_source *source)
{
    size_t length;
    const char *unknown = unknown_name(p, source, &length);
    if (unknown) return no_constant(p, unknown, length);
    text t = {0}, example = {0};
    bool promised = source->commit || source->commit_count || source->properties, any = source->horizon < 1;
    text_add(&t, "%.200s: these options are missing:", p->file);
    for (size_t i = 0; i < p->constant_count; i++) {
        const char *name = prism_name(p, p->constant[i].name);
        if (!is_missing(p, source, i)) continue;
        text_add(&t, " --const %s=VALUES,", name);
        text_add(&example, " --const ");
        text_add_quoted(&example, name);
        text_add(&example, "=%s", some_values(p->constant[i].type));
        any = true;
    }
    if (source->horizon < 1) text_add(&t, " -T STEPS,");
    if (!promised) text_add(&t, p->label_count ? " --commit LABEL," : " --commit STATES,");
    if (!promised) text_add(&example, " --commit ");
    if (!promised) prism_add_example(p, &example);
    if (source->horizon < 1) text_add(&example, " -T 8");
    if (isnan(source->probability) && !promised) text_add(&t, " -p PROBABILITY,");
    if (isnan(source->probability) && !promised) text_add(&example, " -p 0.9");
    if (t.data && !t.failed) t.data[t.length - 1] = ';';
    text_add(&t, " for example%s", example.data ? example.data : "");
    for (size_t i = 1; i < p->label_count && !promised; i++)
        text_add(&t, "%s\"%s\"", i == 1 ? "; other labels: " : ", ", prism_name(p, p->label[i].name));
    vouch_status status = VOUCH_OK;
    if (any) status = t.failed || example.failed ? error_memory(p->error) : error_set(p->error, VOUCH_ERROR_INPUT, "%s", t.data);
    text_free(&t);
    text_free(&example);
    return status;
}

vouch_status prism_no_reward(const prism *p, const char *given)
{
    text list = {0};
    for (size_t i = 0; i < p->rewards_count; i++)
        text_add(&list, "%s \"%s\"", i ? "," : "; there is", prism_name(p, p->rewards[i].name));
    vouch_status status =
        list.failed ? error_memory(p->error)
                    : error_set(p->error, VOUCH_ERROR_INPUT, "%.200s: --reward: there is no reward structure \"%.100s\"%.200s",
                                p->file, given, list.data ? list.data : "");
    text_free(&list);
    return status;
}

vouch_status prism_no_label(const prism *p, const char *option, const char *given)
{
    text list = {0}, words = {0};
    for (size_t i = 0; i < p->label_count; i++) {
        text_add(&list, "%s \"%s\"", i ? "," : " (labels:", prism_name(p, p->label[i].name));
        text_add(&words, "%s|", prism_name(p, p->label[i].name));
    }
    if (list.length > 0) text_add(&list, ")");
    const char *near = words.data && !words.failed ? nearest_word(given, words.data) : NULL;
    vouch_status status =
        list.failed ? error_memory(p->error)
                    : error_set(p->error, VOUCH_ERROR_INPUT,
                                "%s: \"%.100s\" is neither a label of %.200s%.200s nor an expression of its constants and "
                                "variables%s%.100s%s",
                                option, given, p->file, list.data ? list.data : "", near ? "; did you mean \"" : "",
                                near ? near : "", near ? "\"?" : "");
    text_free(&list);
    text_free(&words);
    return status;
}
