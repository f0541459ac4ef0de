/* io/drn_read.c - one DRN file; see drn_read.h, and drn.c for the format. */
#include "io/drn_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/locale.h"
#include "io/disk.h"
#include "io/recognise.h"
#include "io/json.h"

enum { WORD = DRN_WORD, REWARD_CAP = 64 };

static _Noreturn void fail(const drn *d, const char *what, const char *found) { escape_found(d->e, d->name, d->line, what, found); }

/* ---- building ----------------------------------------------------------------------------------------------- */

static void forget_actions(drn *d)
{
    names_free(&d->like.name);
    escape_free(d->e, d->like.count);
    d->like = (drn_names){0};
    d->actions = 0;
}

void drn_add_state(drn *d)
{
    if (d->source->state_limit > 0 && (long long)d->state_count >= d->source->state_limit)
        escape_fail(d->e, VOUCH_ERROR_SIZE, "%s: too many states", d->name);
    ESCAPE_PUSH(d->e, d, state, (drn_state){.index = -1});
    forget_actions(d);
}

void drn_add_label(drn *d, drn_state *s, const char *label) { ESCAPE_PUSH(d->e, s, label, escape_string(d->e, label)); }

void drn_add_step(drn *d, drn_step step)
{
    ESCAPE_PUSH(d->e, d, step, step);
    d->choice[d->choice_count - 1].count++;
}

bool drn_has_label(const drn_state *s, const char *label)
{
    for (size_t l = 0; l < s->label_count; l++)
        if (strcmp(s->label[l], label) == 0) return true;
    return false;
}

/* ---- names of actions ----------------------------------------------------------------------------------------- */

enum { FEW_ACTIONS = 32 };

static const char NAMELESS[] = "\1"; /* means all names that begin with _ */

/* How many actions of the state at hand have this name, or it and # and more; NULL: begin with _. */
static int actions_like(const drn *d, const char *name)
{
    if (d->actions > FEW_ACTIONS) {
        int at = names_find(&d->like.name, name ? name : NAMELESS);
        return at < 0 ? 0 : d->like.count[at];
    }
    int found = 0;
    size_t n = name ? strlen(name) : 0;
    for (size_t c = d->choice_count - (size_t)d->actions; c < d->choice_count; c++) {
        const char *other = d->choice[c].name;
        found += name ? strncmp(other, name, n) == 0 && (other[n] == '\0' || other[n] == '#') : *other == '_';
    }
    return found;
}

static void count_name(drn *d, const char *name, size_t length)
{
    int known = d->like.name.count, at = must_count(d->e, names_add_bytes(&d->like.name, name, length));
    ESCAPE_GROW(d->e, &d->like.count, &d->like.capacity, at);
    if (at == known) d->like.count[at] = 0;
    d->like.count[at]++;
}

static void count_action(drn *d, const char *name)
{
    if (*name == '_') count_name(d, NAMELESS, 1);
    for (size_t i = 0; i <= strlen(name); i++)
        if (name[i] == '#' || name[i] == '\0') count_name(d, name, i);
}

/* The newest action of the state at hand; those before it once they are many. */
static void note_action(drn *d, const char *name)
{
    if (d->actions > FEW_ACTIONS + 1) {
        count_action(d, name);
        return;
    }
    for (int i = d->actions == FEW_ACTIONS + 1 ? d->actions : 0; i > 0; i--)
        count_action(d, d->choice[d->choice_count - (size_t)i].name);
}

void drn_add_action(drn *d, const char *name, double reward)
{
    char full[DRN_WORD + 16];
    int same = 1 + actions_like(d, name);
    if (!name)
        format_text(full, sizeof full, "_%d", same);
    else if (same > 1)
        format_text(full, sizeof full, "%s#%d", name, same);
    else
        format_text(full, sizeof full, "%s", name);
    ESCAPE_PUSH(d->e, d, choice, (drn_choice){(int)d->state_count - 1, escape_string(d->e, full), reward, d->step_count, 0});
    d->actions++;
    note_action(d, full);
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

/* The next line without blanks around it; blank ones are skipped, comments too unless they hold a valuation. */
static void next_line(drn *d)
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
        if (stop - s >= (long)sizeof d->line_text) fail(d, "the line is too long", NULL);
        memcpy(d->line_text, s, (size_t)(stop - s));
        d->line_text[stop - s] = '\0';
        d->s = d->line_text;
        if (!js_utf8(d->line_text)) fail(d, "expected UTF-8", NULL);
        return;
    }
    d->at_end = true;
    d->line_text[0] = '\0';
    d->s = d->line_text;
}

static void skip_blanks(drn *d)
{
    while (*d->s == ' ' || *d->s == '\t') d->s++;
}

/* The next word, in quotation marks or up to a blank; "" at the end of the line alone. */
static void word(drn *d, char out[WORD])
{
    skip_blanks(d);
    bool quoted = *d->s == '"';
    if (quoted) d->s++;
    size_t n = quoted ? strcspn(d->s, "\"") : strcspn(d->s, " \t");
    if (n >= WORD) fail(d, "a name is too long", NULL);
    if (quoted && n == 0) fail(d, "expected a name, found an empty one in quotation marks", NULL);
    memcpy(out, d->s, n);
    out[n] = '\0';
    d->s += n;
    if (quoted && *d->s != '"') fail(d, "the quotation mark is not closed", NULL);
    if (quoted) d->s++;
}

/* A number, a fraction p/q, or the name of a value. */
static double number(const drn *d, const char *s)
{
    char *end;
    if (*s == '$') {
        for (size_t i = 0; i < d->value_count; i++)
            if (strcmp(d->value[i].name, s) == 0) return d->value[i].value;
        fail(d, "no value has this name", s);
    }
    if (*s == '[') fail(d, "intervals are not supported; expected a number", s);
    double value = number_read(s, &end);
    if (end != s && *end == '/') {
        char *rest;
        double q = number_read(end + 1, &rest);
        if (rest == end + 1 || q == 0) fail(d, "expected a number", s);
        value /= q;
        end = rest;
    }
    if (end == s || *end || !isfinite(value)) fail(d, "expected a number", s);
    return value;
}

static int whole(const drn *d, const char *s)
{
    char *end;
    long x = strtol(s, &end, 10);
    if (end == s || *end || x < 0 || x > 100000000) fail(d, "expected a whole number", s);
    return (int)x;
}

/* [r1, r2] if it stands here: the chosen one of them, else 0. */
static double read_rewards(drn *d)
{
    double reward = 0;
    skip_blanks(d);
    if (*d->s != '[') return 0;
    d->s++;
    for (int i = 0;; i++) {
        char one[WORD];
        skip_blanks(d);
        size_t n = strcspn(d->s, ",] \t");
        if (n >= WORD || i > REWARD_CAP) fail(d, "expected rewards as [r1, r2, ..]", NULL);
        memcpy(one, d->s, n);
        one[n] = '\0';
        double value = number(d, one);
        if (i == d->chosen || (d->chosen < 0 && d->rewards == 0 && !d->source->reward && !d->source->time_to)) {
            if (d->chosen < 0 && i > 0)
                fail(d, "several rewards without names: name them with @reward_models and choose one with --reward", NULL);
            reward = value;
        }
        d->s += n;
        skip_blanks(d);
        if (*d->s == ']') break;
        if (*d->s != ',') fail(d, "expected rewards as [r1, r2, ..]", NULL);
        d->s++;
    }
    d->s++;
    return reward;
}

static bool begins(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

static void read_reward_names(drn *d)
{
    char name[WORD];
    for (;;) {
        word(d, name);
        if (!*name) return;
        if (d->source->reward && strcmp(name, d->source->reward) == 0) d->chosen = d->rewards;
        d->rewards++;
    }
}

static void read_named_values(drn *d)
{
    for (;;) {
        char name[WORD], value[WORD];
        next_line(d);
        if (d->at_end || *d->s == '@') return;
        char *colon = strchr(d->s, ':');
        if (*d->s != '$' || !colon) fail(d, "expected a named value, $name : value", d->s);
        *colon = ' ';
        word(d, name);
        word(d, value);
        ESCAPE_PUSH(d->e, d, value, (drn_value){escape_string(d->e, name), number(d, value)});
    }
}

static void read_head(drn *d)
{
    bool typed = false;
    next_line(d);
    if (d->at_end) {
        d->line = 1;
        fail(d, "the file is empty; expected @type: MDP", NULL);
    }
    while (!begins(d->s, "@model")) {
        char type[WORD];
        bool parameters = begins(d->s, "@parameters"), states = begins(d->s, "@nr_states");
        bool rewards = begins(d->s, "@reward_models");
        if (d->at_end) fail(d, "the file ends before @model", NULL);
        if (begins(d->s, "@type:")) {
            d->s += strlen("@type:");
            word(d, type);
            if (strcmp(type, "MDP") != 0 && strcmp(type, "DTMC") != 0)
                fail(d, "only models of type MDP or DTMC can be planned for", type);
            typed = true;
        } else if (begins(d->s, "@value_type:")) {
            d->s += strlen("@value_type:");
            word(d, type);
            if (strstr(type, "interval"))
                fail(d, "its probabilities are intervals; vouch needs numbers, a file for each environment", type);
            if (strcmp(type, "double") != 0 && strcmp(type, "rational") != 0)
                fail(d, "expected values of type double or rational", type);
        } else if (parameters || states || rewards || begins(d->s, "@nr_choices")) {
            next_line(d);
            if (d->at_end || *d->s == '@') continue;
            if (parameters) fail(d, "parametric models are not supported", d->s);
            if (states) d->states = whole(d, d->s);
            if (rewards) read_reward_names(d);
        } else if (begins(d->s, "@placeholders")) {
            read_named_values(d);
            continue;
        } else {
            fail(d, "expected a line of the head (@type, @reward_models, @nr_states, .., @model)", d->s);
        }
        next_line(d);
    }
    if (!typed) fail(d, "@type is missing before @model", NULL);
    if (d->source->reward && d->chosen < 0)
        escape_fail(d->e, VOUCH_ERROR_INPUT, "%.200s: --reward: there is no reward model \"%.100s\"", d->name, d->source->reward);
    if (!d->source->reward && !d->source->time_to && d->rewards == 1) d->chosen = 0;
}

static void read_state(drn *d)
{
    char text_word[WORD];
    d->s += strlen("state");
    word(d, text_word);
    int id = whole(d, text_word);
    if ((size_t)id != d->state_count) fail(d, "states must be numbered 0, 1, 2, .. without gaps", text_word);
    drn_add_state(d);
    drn_state *s = &d->state[d->state_count - 1];
    skip_blanks(d);
    if (*d->s == '!') fail(d, "exit rates belong to continuous time", d->s);
    if (*d->s == '{') fail(d, "observations belong to POMDPs", d->s);
    s->reward = read_rewards(d);
    for (word(d, text_word); *text_word; word(d, text_word)) drn_add_label(d, s, text_word);
}

/* //[x=0	& y=1	& !b]  ->  x=0,y=1,!b */
static void read_valuation(drn *d)
{
    CHECK(begins(d->s, "//["));
    if (d->state_count == 0 || d->state[d->state_count - 1].valuation) return;
    char *out = d->line_text, *s = d->line_text + strlen("//[");
    size_t n = strlen(s);
    if (n > 0 && s[n - 1] == ']') s[n - 1] = '\0';
    for (; *s; s++)
        if (*s != ' ' && *s != '\t') *out++ = (char)(*s == '&' ? ',' : *s);
    *out = '\0';
    d->state[d->state_count - 1].valuation = escape_string(d->e, d->line_text);
}

static void read_action(drn *d)
{
    char name[WORD];
    if (d->state_count == 0) fail(d, "an action before the first state", NULL);
    d->s += strlen("action");
    word(d, name);
    if (!*name) fail(d, "the action has no name", NULL);
    double reward = read_rewards(d);
    skip_blanks(d);
    if (*d->s) fail(d, "expected the end of the line", d->s);
    drn_add_action(d, strcmp(name, "__NOLABEL__") == 0 ? NULL : name, reward);
}

static void read_step(drn *d)
{
    char *colon = strchr(d->s, ':'), target[WORD], value[WORD];
    if (!colon || d->choice_count == 0 || d->choice[d->choice_count - 1].state != (int)d->state_count - 1)
        fail(d, "expected state, action, or a transition \"target : probability\" of an action", d->s);
    *colon = ' ';
    drn_step step = {0};
    word(d, target);
    step.to = whole(d, target);
    word(d, value);
    step.probability = number(d, value);
    if (!(step.probability >= 0 && step.probability <= 1 + 1e-6)) fail(d, "a probability must lie between 0 and 1", value);
    skip_blanks(d);
    if (*d->s) fail(d, "expected the end of the line", d->s);
    drn_add_step(d, step);
}

static void read_body(drn *d)
{
    next_line(d);
    while (!d->at_end) {
        if (begins(d->s, "state") && (d->s[5] == ' ' || d->s[5] == '\t'))
            read_state(d);
        else if (begins(d->s, "action") && (d->s[6] == ' ' || d->s[6] == '\t'))
            read_action(d);
        else if (begins(d->s, "//["))
            read_valuation(d);
        else
            read_step(d);
        next_line(d);
    }
    if (d->state_count == 0) fail(d, "there is no state", NULL);
    if (d->states >= 0 && (size_t)d->states != d->state_count) {
        char what[128];
        format_text(what, sizeof what, "@nr_states says %d states, the file has %zu", d->states, d->state_count);
        fail(d, what, NULL);
    }
    for (size_t i = 0; i < d->step_count; i++)
        if (d->step[i].to >= (int)d->state_count) {
            char what[128];
            format_text(what, sizeof what, "a transition leads to state %d, but the last state is %zu", d->step[i].to,
                        d->state_count - 1);
            fail(d, what, NULL);
        }
}

void drn_read(drn *d, escape *e, const file_content *file, const vouch_source *source)
{
    *d = (drn){.name = file->name,
               .source = source,
               .e = e,
               .at = file->bytes,
               .end = file->bytes + file->length,
               .chosen = -1,
               .states = -1};
    escape_names(e, &d->like.name);
    escape_names(e, &d->declared);
    must(e, file_check_text(file, e->error));
    if (path_ends_in(file->name, ".tra") || recognise(file) == FILE_EXPLICIT) {
        explicit_read(d, file);
        return;
    }
    read_head(d);
    read_body(d);
}

typedef struct drn_input {
    drn *d;
    escape *e;
    const file_content *file;
    const vouch_source *source;
} drn_input;

static void read_input(void *object)
{
    drn_input *in = object;
    drn_read(in->d, in->e, in->file, in->source);
}

vouch_status drn_open(drn *d, escape *e, const file_content *file, const vouch_source *source)
{
    return escape_try(e, read_input, &(drn_input){d, e, file, source});
}
