/* io/drn_read.c - one DRN file; see drn_read.h, and drn.c for the format. */
#include "io/drn_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/json.h"

enum { WORD = DRN_WORD, REWARD_CAP = 64 };

static vouch_status fail(const drn *d, const char *what, const char *found)
{
    return error_found(d->error, d->name, d->line, what, found);
}

/* The next line without blanks around it; blank ones are skipped, comments too unless they hold a valuation. */
static vouch_status next_line(drn *d)
{
    CHECK(d->at <= d->end);
    while (d->at < d->end) {
        const char *stop = memchr(d->at, '\n', (size_t)(d->end - d->at)), *s = d->at;
        if (!stop) stop = d->end;
        d->line++;
        d->at = stop < d->end ? stop + 1 : d->end;
        while (s < stop && (*s == ' ' || *s == '\t')) s++;
        while (stop > s && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t')) stop--;
        if (s == stop || (stop - s >= 2 && s[0] == '/' && s[1] == '/' && (stop - s == 2 || s[2] != '['))) continue;
        if (stop - s >= (long)sizeof d->line_text) return fail(d, "the line is too long", NULL);
        memcpy(d->line_text, s, (size_t)(stop - s));
        d->line_text[stop - s] = '\0';
        d->s = d->line_text;
        return js_utf8(d->line_text) ? VOUCH_OK : fail(d, "expected UTF-8", NULL);
    }
    d->at_end = true;
    d->line_text[0] = '\0';
    d->s = d->line_text;
    return VOUCH_OK;
}

static void skip_blanks(drn *d)
{
    while (*d->s == ' ' || *d->s == '\t') d->s++;
}

/* The next word, in quotation marks or up to a blank; "" at the end of the line alone. */
static vouch_status word(drn *d, char out[WORD])
{
    skip_blanks(d);
    bool quoted = *d->s == '"';
    if (quoted) d->s++;
    size_t n = quoted ? strcspn(d->s, "\"") : strcspn(d->s, " \t");
    if (n >= WORD) return fail(d, "a name is too long", NULL);
    if (quoted && n == 0) return fail(d, "expected a name, found an empty one in quotation marks", NULL);
    memcpy(out, d->s, n);
    out[n] = '\0';
    d->s += n;
    if (quoted && *d->s != '"') return fail(d, "the quotation mark is not closed", NULL);
    if (quoted) d->s++;
    return VOUCH_OK;
}

/* A number, a fraction p/q, or the name of a value. */
static vouch_status number(const drn *d, const char *s, double *value)
{
    char *end;
    if (*s == '$') {
        for (size_t i = 0; i < d->value_name_count; i++)
            if (strcmp(d->value_name[i], s) == 0) {
                *value = d->named_value[i];
                return VOUCH_OK;
            }
        return fail(d, "no value has this name", s);
    }
    if (*s == '[') return fail(d, "intervals are not supported; expected a number", s);
    *value = number_read(s, &end);
    if (end != s && *end == '/') {
        char *rest;
        double q = number_read(end + 1, &rest);
        if (rest == end + 1 || q == 0) return fail(d, "expected a number", s);
        *value /= q;
        end = rest;
    }
    if (end == s || *end || !isfinite(*value)) return fail(d, "expected a number", s);
    return VOUCH_OK;
}

static vouch_status whole(const drn *d, const char *s, int *value)
{
    char *end;
    long x = strtol(s, &end, 10);
    if (end == s || *end || x < 0 || x > 100000000) return fail(d, "expected a whole number", s);
    *value = (int)x;
    return VOUCH_OK;
}

/* [r1, r2] if it stands here: the chosen one of them into *reward. */
static vouch_status read_rewards(drn *d, double *reward)
{
    *reward = 0;
    skip_blanks(d);
    if (*d->s != '[') return VOUCH_OK;
    d->s++;
    for (int i = 0;; i++) {
        char one[WORD];
        skip_blanks(d);
        size_t n = strcspn(d->s, ",] \t");
        if (n >= WORD || i > REWARD_CAP) return fail(d, "expected rewards as [r1, r2, ..]", NULL);
        memcpy(one, d->s, n);
        one[n] = '\0';
        double value = 0;
        vouch_status status = number(d, one, &value);
        if (status) return status;
        if (i == d->chosen || (d->chosen < 0 && d->rewards == 0 && !d->source->reward && !d->source->time_to)) {
            if (d->chosen < 0 && i > 0)
                return fail(d, "several rewards without names: name them with @reward_models and choose one with --reward", NULL);
            *reward = value;
        }
        d->s += n;
        skip_blanks(d);
        if (*d->s == ']') break;
        if (*d->s != ',') return fail(d, "expected rewards as [r1, r2, ..]", NULL);
        d->s++;
    }
    d->s++;
    return VOUCH_OK;
}

static bool begins(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

static vouch_status read_reward_names(drn *d)
{
    char name[WORD];
    for (;;) {
        vouch_status status = word(d, name);
        if (status) return status;
        if (!*name) return VOUCH_OK;
        if (d->source->reward && strcmp(name, d->source->reward) == 0) d->chosen = d->rewards;
        d->rewards++;
    }
}

static vouch_status read_named_values(drn *d)
{
    for (;;) {
        char name[WORD], value[WORD];
        vouch_status status = next_line(d);
        if (status || d->at_end || *d->s == '@') return status;
        char *colon = strchr(d->s, ':');
        if (*d->s != '$' || !colon) return fail(d, "expected a named value, $name : value", d->s);
        *colon = ' ';
        status = word(d, name);
        if (!status) status = word(d, value);
        double x = 0;
        if (!status) status = number(d, value, &x);
        if (status) return status;
        if (DRN_GROW(d, value_name) ||
            mem_reserve((void **)&d->named_value, &d->named_value_capacity, d->value_name_count, sizeof(double)))
            return error_memory(d->error);
        char *copy = mem_string(name);
        if (!copy) return error_memory(d->error);
        d->named_value[d->value_name_count] = x;
        d->value_name[d->value_name_count++] = copy;
    }
}

static vouch_status read_head(drn *d)
{
    bool typed = false;
    vouch_status status = next_line(d);
    if (!status && d->at_end) {
        d->line = 1;
        return fail(d, "the file is empty; expected @type: MDP", NULL);
    }
    while (!status) {
        if (d->at_end) return fail(d, "the file ends before @model", NULL);
        if (begins(d->s, "@model")) break;
        if (begins(d->s, "@type:")) {
            char type[WORD];
            d->s += strlen("@type:");
            status = word(d, type);
            if (status) break;
            if (strcmp(type, "MDP") != 0 && strcmp(type, "DTMC") != 0)
                return fail(d, "only models of type MDP or DTMC can be planned for", type);
            typed = true;
            status = next_line(d);
        } else if (begins(d->s, "@value_type:")) {
            char type[WORD];
            d->s += strlen("@value_type:");
            status = word(d, type);
            if (status) break;
            if (strcmp(type, "interval") == 0 || strstr(type, "interval"))
                return fail(d, "its probabilities are intervals; vouch needs numbers, a file for each environment", type);
            if (strcmp(type, "double") != 0 && strcmp(type, "rational") != 0)
                return fail(d, "expected values of type double or rational", type);
            status = next_line(d);
        } else if (begins(d->s, "@parameters") || begins(d->s, "@nr_choices") || begins(d->s, "@nr_states") ||
                   begins(d->s, "@reward_models")) {
            bool parameters = begins(d->s, "@parameters"), states = begins(d->s, "@nr_states"),
                 rewards = begins(d->s, "@reward_models");
            status = next_line(d);
            if (status || d->at_end || *d->s == '@') continue;
            if (parameters) return fail(d, "parametric models are not supported", d->s);
            if (states) status = whole(d, d->s, &d->states);
            if (rewards) status = read_reward_names(d);
            if (!status) status = next_line(d);
        } else if (begins(d->s, "@placeholders")) {
            status = read_named_values(d);
        } else {
            return fail(d, "expected a line of the head (@type, @reward_models, @nr_states, .., @model)", d->s);
        }
    }
    if (status) return status;
    if (!typed) return fail(d, "@type is missing before @model", NULL);
    if (d->source->reward && d->chosen < 0)
        return error_set(d->error, VOUCH_ERROR_INPUT, "%.200s: --reward: there is no reward model \"%.100s\"", d->name,
                         d->source->reward);
    if (!d->source->reward && !d->source->time_to && d->rewards == 1) d->chosen = 0;
    return VOUCH_OK;
}

static vouch_status read_state(drn *d)
{
    char text_word[WORD];
    int id = 0;
    d->s += strlen("state");
    vouch_status status = word(d, text_word);
    if (!status) status = whole(d, text_word, &id);
    if (status) return status;
    if ((size_t)id != d->state_count) return fail(d, "states must be numbered 0, 1, 2, .. without gaps", text_word);
    status = drn_add_state(d);
    if (status) return status;
    drn_state *s = &d->state[d->state_count - 1];
    skip_blanks(d);
    if (*d->s == '!') return fail(d, "exit rates belong to continuous time", d->s);
    if (*d->s == '{') return fail(d, "observations belong to POMDPs", d->s);
    status = read_rewards(d, &s->reward);
    while (!status) {
        status = word(d, text_word);
        if (status || !*text_word) break;
        status = drn_add_label(d, s, text_word);
    }
    return status;
}

/* //[x=0	& y=1	& !b]  ->  x=0,y=1,!b */
static vouch_status read_valuation(drn *d)
{
    CHECK(begins(d->s, "//["));
    if (d->state_count == 0 || d->state[d->state_count - 1].valuation) return VOUCH_OK;
    char *out = d->line_text, *s = d->line_text + strlen("//[");
    size_t n = strlen(s);
    if (n > 0 && s[n - 1] == ']') s[n - 1] = '\0';
    for (; *s; s++)
        if (*s != ' ' && *s != '\t') *out++ = (char)(*s == '&' ? ',' : *s);
    *out = '\0';
    char *copy = mem_string(d->line_text);
    if (!copy) return error_memory(d->error);
    d->state[d->state_count - 1].valuation = copy;
    return VOUCH_OK;
}

static vouch_status read_action(drn *d)
{
    char name[WORD];
    double reward = 0;
    if (d->state_count == 0) return fail(d, "an action before the first state", NULL);
    d->s += strlen("action");
    vouch_status status = word(d, name);
    if (status) return status;
    if (!*name) return fail(d, "the action has no name", NULL);
    status = read_rewards(d, &reward);
    if (status) return status;
    skip_blanks(d);
    if (*d->s) return fail(d, "expected the end of the line", d->s);
    return drn_add_action(d, strcmp(name, "__NOLABEL__") == 0 ? NULL : name, reward);
}

static vouch_status read_step(drn *d)
{
    char *colon = strchr(d->s, ':'), target[WORD], value[WORD];
    if (!colon || d->choice_count == 0 || d->choice[d->choice_count - 1].state != (int)d->state_count - 1)
        return fail(d, "expected state, action, or a transition \"target : probability\" of an action", d->s);
    *colon = ' ';
    drn_step step = {0};
    vouch_status status = word(d, target);
    if (!status) status = whole(d, target, &step.to);
    if (!status) status = word(d, value);
    if (!status) status = number(d, value, &step.probability);
    if (status) return status;
    if (!(step.probability >= 0 && step.probability <= 1 + 1e-6)) return fail(d, "a probability must lie between 0 and 1", value);
    skip_blanks(d);
    if (*d->s) return fail(d, "expected the end of the line", d->s);
    return drn_add_step(d, step);
}

static vouch_status read_body(drn *d)
{
    vouch_status status = next_line(d);
    while (!status && !d->at_end) {
        if (begins(d->s, "state") && (d->s[5] == ' ' || d->s[5] == '\t'))
            status = read_state(d);
        else if (begins(d->s, "action") && (d->s[6] == ' ' || d->s[6] == '\t'))
            status = read_action(d);
        else if (begins(d->s, "//["))
            status = read_valuation(d);
        else
            status = read_step(d);
        if (!status) status = next_line(d);
    }
    if (status) return status;
    if (d->state_count == 0) return fail(d, "there is no state", NULL);
    if (d->states >= 0 && (size_t)d->states != d->state_count) {
        char what[128];
        format_text(what, sizeof what, "@nr_states says %d states, the file has %zu", d->states, d->state_count);
        return fail(d, what, NULL);
    }
    for (size_t i = 0; i < d->step_count; i++)
        if (d->step[i].to >= (int)d->state_count) {
            char what[128];
            format_text(what, sizeof what, "a transition leads to state %d, but the last state is %zu", d->step[i].to,
                        d->state_count - 1);
            return fail(d, what, NULL);
        }
    return VOUCH_OK;
}

vouch_status drn_read(drn *d, const file_content *file, const vouch_source *source, vouch_error *error)
{
    *d = (drn){.name = file->name,
               .source = source,
               .error = error,
               .at = file->bytes,
               .end = file->bytes + file->length,
               .chosen = -1,
               .states = -1};
    vouch_status status = file_check_text(file, error);
    if (!status) status = read_head(d);
    return status ? status : read_body(d);
}
