/* io/drn.c - explicit models, one file per environment, in the formats of PRISM and of Storm (DRN).
 *
 *   @type: MDP  @reward_models  names  @nr_states  n  @model
 *   state 0 [r1, r2] init "a label"
 *       //[x=0 & y=1 & !b]
 *       action name [r1, r2]
 *           target : probability
 *
 * Storm numbers states in the order of exploration, so numbers differ between environments whose transitions differ. States are
 * therefore aligned by their valuations where every file has one for every state; otherwise by number, and then labels and actions
 * have to agree. A state that a file lacks is one that its environment cannot reach. Source: the writer and parser of Storm
 * (moves-rwth/storm, DirectEncodingExporter, DirectEncodingParser).
 */

#include "io/formats.h"
#include "mdp/model.h"
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

static void drn_add_state(drn *d)
{
    if (d->source->state_limit > 0 && (long long)d->state_count >= d->source->state_limit)
        escape_fail(d->e, VOUCH_ERROR_SIZE, "%s: too many states", d->name);
    ESCAPE_PUSH(d->e, d, state, (drn_state){.index = -1});
    forget_actions(d);
}

static void drn_add_label(drn *d, drn_state *s, const char *label) { ESCAPE_PUSH(d->e, s, label, escape_string(d->e, label)); }

static void drn_add_step(drn *d, drn_step step)
{
    ESCAPE_PUSH(d->e, d, step, step);
    d->choice[d->choice_count - 1].count++;
}

/* Adds a state at the end; an action to it (NULL: without a name); a transition to the newest action. */
static bool drn_has_label(const drn_state *s, const char *label)
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

static void drn_add_action(drn *d, const char *name, double reward)
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
    for (span line; span_line(&d->at, d->end, &line);) {
        d->line++;
        line = span_trim(line);
        size_t n = line.length;
        if (n == 0 || (n >= 2 && line.at[0] == '/' && line.at[1] == '/' && (n == 2 || line.at[2] != '['))) continue;
        if (n >= sizeof d->line_text) fail(d, "the line is too long", NULL);
        memcpy(d->line_text, line.at, n);
        d->line_text[n] = '\0';
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
        must_count(d->e, names_add(&d->reward_names, name));
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
            size_t kind = strcspn(type, "-");
            if ((strncmp(type, "double", kind) != 0 && strncmp(type, "rational", kind) != 0) ||
                (type[kind] && strcmp(type + kind, "-interval") != 0))
                fail(d, "expected values of type double, rational, double-interval or rational-interval", type);
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
    family_check_rewards(d->e, d->name, d->source, &d->reward_names);
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

/* A probability, or its limits [low, high]. */
static void read_probability(drn *d, drn_step *step)
{
    char value[WORD], words[LIMITS_WORDS];
    skip_blanks(d);
    char *comma = strchr(d->s, ','), *close = strchr(d->s, ']');
    bool limits = *d->s == '[';
    if (limits && (!comma || !close || close < comma)) fail(d, "expected limits of a probability as [low, high]", d->s);
    if (limits) *d->s++ = *comma = *close = ' ';
    word(d, value);
    step->low = step->probability = number(d, value);
    if (limits) {
        word(d, value);
        step->probability = number(d, value);
    }
    if (limits_wrong(step->low, step->probability, words)) fail(d, words, NULL);
}

static void read_step(drn *d)
{
    char *colon = strchr(d->s, ':'), target[WORD];
    if (!colon || d->choice_count == 0 || d->choice[d->choice_count - 1].state != (int)d->state_count - 1)
        fail(d, "expected state, action, or a transition \"target : probability\" of an action", d->s);
    *colon = ' ';
    drn_step step = {0};
    word(d, target);
    step.to = whole(d, target);
    read_probability(d, &step);
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
    if (d->states >= 0 && (size_t)d->states != d->state_count)
        escape_at(d->e, d->name, d->line, "@nr_states says %d states, the file has %zu", d->states, d->state_count);
    for (size_t i = 0; i < d->step_count; i++)
        if (d->step[i].to >= (int)d->state_count)
            escape_at(d->e, d->name, d->line, "a transition leads to state %d, but the last state is %zu", d->step[i].to,
                      d->state_count - 1);
}

static void explicit_read(drn *d, const file_content *file);

void drn_read(void *object)
{
    drn *d = object;
    escape *e = d->e;
    const file_content *file = d->file;
    d->name = file->name;
    d->at = file->bytes;
    d->end = file->bytes + file->length;
    d->chosen = d->states = -1;
    escape_names(e, &d->like.name);
    escape_names(e, &d->declared);
    escape_names(e, &d->reward_names);
    must(e, file_check_text(file, e->error));
    if (path_ends_in(file->name, ".tra") || recognise(file) == FILE_EXPLICIT) {
        explicit_read(d, file);
        return;
    }
    read_head(d);
    read_body(d);
}

/* Explicit models of PRISM, as `prism -exportmodel M.all` and the older switches write them, one environment; see
 * formats.h.
 *
 *   M.tra          "STATES CHOICES TRANSITIONS", then "STATE CHOICE SUCCESSOR PROBABILITY [ACTION]" (mdp); without choices: dtmc
 *   M.lab          0="init" 1="deadlock" 2="goal", then "STATE: LABEL LABEL .."; without this file state 0 begins
 *   M.sta          (x,y), then "STATE:(VALUE,VALUE)": the names of the states
 *   M.srew, M.rews rewards of states: "STATES REWARDS", then "STATE REWARD"
 *   M.trew, M.rewt rewards of transitions, in lines as in M.tra
 *   M.rew          one of the two, as its lines say
 *
 * Of several reward structures each has a file: M1.srew, M2.srew. A comment names it, or its number does. Any file may be packed.
 * Format: the PRISM manual, appendix "Explicit Model Files".
 */

enum { PIECES = 5, NUMBER_CAP = 100000000, STRUCTURE_CAP = 64, NAME_CAP = 250 };

typedef struct rows_file { /* a file, line by line */
    const file_content *file;
    escape *e;
    const char *at;
    int line;
    span piece[PIECES];
    int count; /* of pieces; -1: the file has ended */
} rows_file;

typedef struct rows_line { /* of transitions or their rewards */
    int state, choice, next, number;
    double low, value; /* low: of a probability known within limits; else the value */
    span action;
} rows_line;

typedef struct matrix {
    ESCAPE_ARRAY(rows_line, item);
    int states;
    bool chain; /* no choices */
} matrix;

static _Noreturn void explicit_fail(const rows_file *t, const char *what, const char *found)
{
    escape_found(t->e, t->file->name, t->line, what, found);
}

/* The next line that is not blank, nor (unless `comments`) begins with #. */
static bool next_raw(rows_file *t, span *whole, bool comments)
{
    while (span_line(&t->at, t->file->bytes + t->file->length, whole)) {
        *whole = span_trim(*whole);
        t->line++;
        if (whole->length > 0 && (comments || whole->at[0] != '#')) return true;
    }
    return false;
}

static void explicit_next_line(rows_file *t)
{
    span whole;
    t->count = next_raw(t, &whole, false) ? span_split(whole, t->piece, PIECES) : -1;
}

static int whole_number(const rows_file *t, span s, int below, const char *what)
{
    double x;
    char text_found[64], expected[128];
    if (span_number(s, &x) && x >= 0 && x < below && x == floor(x)) return (int)x;
    format_text(text_found, sizeof text_found, "%.*s", SPAN_ARG(s));
    format_text(expected, sizeof expected, "expected %s, a whole number from 0 to %d", what, below - 1);
    explicit_fail(t, expected, text_found);
}

static double real_number(const rows_file *t, span s, const char *what)
{
    double value;
    char text_found[64];
    if (span_number(s, &value) && isfinite(value)) return value;
    format_text(text_found, sizeof text_found, "%.*s", SPAN_ARG(s));
    explicit_fail(t, what, text_found);
}

/* "STATE [CHOICE] SUCCESSOR VALUE [ACTION]"; rewards: "STATE CHOICE VALUE" too, for all successors (next -1). */
static void read_line(const rows_file *t, matrix *m, bool rewards)
{
    int numbers = m->chain ? 2 : 3, places[3] = {0};
    char words[LIMITS_WORDS];
    bool short_one = rewards && t->count == 3 && !m->chain;
    if (short_one) numbers = 2;
    if (t->count < numbers + 1 || t->count > numbers + 2)
        explicit_fail(t, m->chain ? "expected STATE SUCCESSOR NUMBER" : "expected STATE CHOICE SUCCESSOR NUMBER", NULL);
    for (int i = 0; i < numbers; i++) {
        bool choice = i == 1 && !m->chain;
        places[i] = whole_number(t, t->piece[i], choice ? NUMBER_CAP : m->states, choice ? "a choice" : "a state");
    }
    rows_line l = {.state = places[0], .number = t->line, .action = t->count > numbers + 1 ? t->piece[numbers + 1] : (span){"", 0}};
    l.choice = m->chain ? 0 : places[1];
    l.next = short_one ? -1 : places[numbers - 1];
    span low = t->piece[numbers], high = low;
    const char *comma = !rewards && low.length > 1 && low.at[0] == '[' ? memchr(low.at, ',', low.length) : NULL;
    if (comma && low.at[low.length - 1] == ']') {
        high = (span){comma + 1, (size_t)(low.at + low.length - 1 - (comma + 1))};
        low = (span){low.at + 1, (size_t)(comma - (low.at + 1))};
    }
    l.value = real_number(t, high, rewards ? "expected a reward" : "expected a probability, or its limits [low,high]");
    l.low = high.at == low.at ? l.value : real_number(t, low, "expected the lower limit of a probability");
    if (!rewards && limits_wrong(l.low, l.value, words))
        explicit_fail(
            t, l.low > 1 ? "a probability must lie between 0 and 1 (rates of continuous time cannot be planned for)" : words, NULL);
    ESCAPE_PUSH(t->e, m, item, l);
}

static int by_place(const void *x, const void *y)
{
    const rows_line *a = x, *b = y;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->choice != b->choice) return a->choice < b->choice ? -1 : 1;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Sorted by state, choice and successor. */
static void read_matrix(rows_file *t, matrix *m, bool rewards)
{
    explicit_next_line(t);
    m->chain = t->count == 2;
    if (t->count != 2 && t->count != 3)
        explicit_fail(t,
                      t->count == 1 && ascii_alpha(t->piece[0].at[0])
                          ? "expected how many STATES CHOICES TRANSITIONS there are: this is Storm's explicit format; "
                            "storm --explicit M.tra M.lab --exportbuild M.drn writes DRN, which vouch reads"
                          : "expected how many STATES CHOICES TRANSITIONS there are, or (dtmc) STATES TRANSITIONS",
                      NULL);
    int states = whole_number(t, t->piece[0], NUMBER_CAP, "the number of states");
    if (rewards && states != m->states) explicit_fail(t, "the file is about another number of states than the .tra", NULL);
    m->states = states;
    if (states == 0) explicit_fail(t, "there is no state; expected STATES CHOICES TRANSITIONS, their numbers", NULL);
    for (explicit_next_line(t); t->count >= 0; explicit_next_line(t)) read_line(t, m, rewards);
    if (m->item_count > 1) qsort(m->item, m->item_count, sizeof *m->item, by_place);
}

static void add_choice(drn *d, const rows_line *l)
{
    char name[NAME_CAP + 1];
    if (l->action.length > NAME_CAP) escape_at(d->e, d->name, l->number, "the name of the action is too long");
    format_text(name, sizeof name, "%.*s", (int)l->action.length, l->action.at);
    if (!js_utf8(name)) escape_at(d->e, d->name, l->number, "expected UTF-8");
    drn_add_action(d, *name ? name : NULL, 0);
}

/* Lines with the same state, choice and successor become one step. */
static void add_steps(drn *d, const matrix *m)
{
    size_t at = 0;
    for (int s = 0; s < m->states; s++) {
        drn_add_state(d);
        for (int choice = -1; at < m->item_count && m->item[at].state == s; at++) {
            const rows_line *l = &m->item[at];
            if (l->choice > choice + 1)
                escape_at(d->e, d->name, l->number, "the choices of a state are numbered 0, 1, ..: there is no %d", choice + 1);
            if (l->choice != choice) add_choice(d, l);
            bool again = l->choice == choice && at > 0 && l[-1].state == s && l[-1].next == l->next;
            choice = l->choice;
            drn_step *last = again ? &d->step[d->step_count - 1] : NULL;
            if (again)
                last->low += l->low, last->probability += l->value;
            else
                drn_add_step(d, (drn_step){l->next, l->low, l->value, 0});
        }
    }
}

/* 0="init" 2="goal" */
static void read_label_names(const rows_file *t, span head, names *label, drn *d)
{
    const char *s = head.at, *end = head.at + head.length;
    while (s < end) {
        char *number_end;
        long number = strtol(s, &number_end, 10);
        const char *open = number_end + 1, *close = open < end ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
        if (number_end == s || number != label->count || *number_end != '=' || !close || *open != '"' || close == open + 1)
            explicit_fail(t, "expected labels as 0=\"init\" 1=\"deadlock\" ..", NULL);
        int at = must_count(d->e, names_add_bytes(label, open + 1, (size_t)(close - open - 1)));
        if (at != number) explicit_fail(t, "the label is given twice", names_text(label, at));
        if (!js_utf8(names_text(label, at))) explicit_fail(t, "expected UTF-8", NULL);
        must_count(d->e, names_add(&d->declared, names_text(label, at)));
        s = close + 1;
        while (s < end && (*s == ' ' || *s == '\t')) s++;
    }
}

static void read_labels(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .e = d->e, .at = file->bytes};
    names *label = ESCAPE_ZERO(d->e, names, 1);
    span whole;
    escape_names(d->e, label);
    if (next_raw(&t, &whole, false)) read_label_names(&t, whole, label, d);
    while (next_raw(&t, &whole, false)) {
        const char *colon = memchr(whole.at, ':', whole.length), *end = whole.at + whole.length;
        if (!colon) explicit_fail(&t, "expected STATE: LABEL LABEL ..", NULL);
        int state = whole_number(&t, span_trim((span){whole.at, (size_t)(colon - whole.at)}), (int)d->state_count, "a state");
        for (const char *s = colon + 1; s < end;) {
            size_t n = 0;
            while (s < end && (*s == ' ' || *s == '\t')) s++;
            while (s + n < end && s[n] != ' ' && s[n] != '\t') n++;
            int number = whole_number(&t, (span){s, n}, label->count, "the number of a label");
            drn_add_label(d, &d->state[state], names_text(label, number));
            s += n;
        }
    }
}

/* "(a,b)" at *s, up to end: its next part; false: there is none. */
static bool next_part(const char **s, const char *end, span *part)
{
    if (*s >= end || !strchr("(,", **s)) return false;
    const char *from = ++*s;
    while (*s < end && **s != ',' && **s != ')') ++*s;
    *part = span_trim((span){from, (size_t)(*s - from)});
    return *s < end;
}

static void read_states(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .e = d->e, .at = file->bytes};
    span head, whole, name, value;
    text *made = escape_text(d->e);
    if (!next_raw(&t, &head, false) || head.at[0] != '(') explicit_fail(&t, "expected the names of the variables: (x,y)", NULL);
    const char *head_end = head.at + head.length;
    while (next_raw(&t, &whole, false)) {
        const char *colon = memchr(whole.at, ':', whole.length), *end = whole.at + whole.length, *at = head.at;
        made->length = 0;
        if (!colon) explicit_fail(&t, "expected STATE:(VALUE,VALUE)", NULL);
        int state = whole_number(&t, span_trim((span){whole.at, (size_t)(colon - whole.at)}), (int)d->state_count, "a state");
        if (d->state[state].valuation) explicit_fail(&t, "the state is given twice", NULL);
        for (const char *s = colon + 1; next_part(&at, head_end, &name);) {
            if (!next_part(&s, end, &value)) explicit_fail(&t, "expected a value for each variable", NULL);
            text_add(made, "%s%.*s=%.*s", made->length ? "," : "", (int)name.length, name.at, (int)value.length, value.at);
        }
        if (made->failed || !made->data) escape_memory(d->e);
        if (!js_utf8(made->data)) explicit_fail(&t, "expected UTF-8", NULL);
        d->state[state].valuation = escape_string(d->e, made->data);
    }
}

/* The lines are in the order of the transitions. */
static void pay_steps(drn *d, const matrix *m, const file_content *file)
{
    size_t at = 0;
    int before = -1, number = -1;
    for (size_t c = 0; c < d->choice_count; c++) {
        drn_choice *choice = &d->choice[c];
        number = choice->state == before ? number + 1 : 0;
        before = choice->state;
        for (; at < m->item_count && m->item[at].state == choice->state && m->item[at].choice <= number; at++) {
            const rows_line *l = &m->item[at];
            size_t i = choice->first;
            while (i < choice->first + choice->count && d->step[i].to != l->next) i++;
            bool all = l->next < 0, found = i < choice->first + choice->count;
            if (l->choice != number || (!all && !found)) escape_at(d->e, file->name, l->number, "there is no such transition");
            if (all) choice->reward += l->value;
            if (!all) d->step[i].reward += l->value;
        }
    }
    if (at < m->item_count) escape_at(d->e, file->name, m->item[at].number, "there is no such transition");
}

static void pay_states(drn *d, rows_file *t)
{
    for (explicit_next_line(t); t->count >= 0; explicit_next_line(t)) {
        if (t->count != 2) explicit_fail(t, "expected STATE REWARD", NULL);
        int state = whole_number(t, t->piece[0], (int)d->state_count, "a state");
        d->state[state].reward += real_number(t, t->piece[1], "expected a reward");
    }
}

/* Are the rewards of states? Then the first two lines have two numbers each; a file of transitions has more. */
static bool is_of_states(const file_content *file)
{
    rows_file t = {.file = file, .at = file->bytes};
    explicit_next_line(&t);
    if (t.count != 2) return false;
    explicit_next_line(&t);
    return t.count <= 2;
}

static void pay(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .e = d->e, .at = file->bytes};
    if (is_of_states(file)) {
        explicit_next_line(&t);
        pay_states(d, &t);
        return;
    }
    matrix m = {.states = (int)d->state_count};
    read_matrix(&t, &m, true);
    pay_steps(d, &m, file);
}

/* The name in the comment that begins # Reward structure "NAME"; else the number of the file. */
static void structure_name(const file_content *file, int number, char name[NAME_CAP + 1])
{
    rows_file t = {.file = file, .at = file->bytes};
    span whole;
    format_text(name, NAME_CAP + 1, "%d", number);
    while (next_raw(&t, &whole, true) && whole.at[0] == '#') {
        const char *open = memchr(whole.at, '"', whole.length), *end = whole.at + whole.length;
        const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
        if (close && close > open + 1) format_text(name, NAME_CAP + 1, "%.*s", (int)(close - open - 1), open + 1);
        if (close) return;
    }
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

static const char *const ending[] = {"lab", "sta", "srew", "rews", "trew", "rewt", "rew"};
enum { LABELS, STATES, FIRST_REWARD, ENDINGS = sizeof ending / sizeof *ending };

/* BASE[NUMBER].ending[which], plain or packed, if there is such a file. */
static bool find_beside(const char *path, int number, int which, text *found)
{
    static const char *const packed[] = {"", ".gz", ".xz"};
    size_t n = strlen(path);
    if (n > 3 && (strcmp(path + n - 3, ".gz") == 0 || strcmp(path + n - 3, ".xz") == 0)) n -= 3;
    if (n < 4 || strncmp(path + n - 4, ".tra", 4) != 0) return false;
    for (int i = 0; i < 3; i++) {
        found->length = 0;
        text_add_bytes(found, path, n - 4);
        if (number > 0) text_add(found, "%d", number);
        text_add(found, ".%s%s", ending[which], packed[i]);
        if (found->failed || disk_kind_of(found->data) != DISK_NOTHING) return !found->failed;
    }
    return false;
}

/* The file beside path, checked; NULL: there is none. */
static const file_content *load_beside(drn *d, const char *path, int number, int which)
{
    text *place = escape_text(d->e);
    bool exists = find_beside(path, number, which, place);
    if (place->failed) escape_memory(d->e);
    if (!exists) return NULL;
    file_content *file = escape_load(d->e, place->data);
    must(d->e, file_check_text(file, d->e->error));
    return file;
}

/* Reads reward structure `number`; 0: that without a number; only: the only one. The first of its files names it. Returns whether
 * there is one. */
static bool read_structure(drn *d, const char *path, int number, bool only)
{
    char name[NAME_CAP + 1] = "";
    bool exists = false;
    for (int i = FIRST_REWARD; i < ENDINGS; i++) {
        const file_content *file = load_beside(d, path, number, i);
        if (!file) continue;
        if (!exists) structure_name(file, number > 0 ? number : 1, name);
        if (!exists && !only) must_count(d->e, names_add(&d->reward_names, name));
        exists = true;
        const char *wanted = d->source->reward;
        bool chosen = wanted ? strcmp(wanted, name) == 0 : !d->source->time_to && (number == 0 || only);
        if (chosen) d->chosen = number;
        if (chosen) pay(d, file);
    }
    return exists;
}

static void explicit_read_rewards(drn *d, const char *path)
{
    bool plain = read_structure(d, path, 0, false);
    for (int number = 1; number <= STRUCTURE_CAP && read_structure(d, path, number, false);) number++;
    if (!plain) family_check_rewards(d->e, d->name, d->source, &d->reward_names);
    if (!plain && d->chosen < 0 && d->reward_names.count == 1) read_structure(d, path, 1, true);
    if (d->source->reward && d->chosen < 0)
        escape_fail(d->e, VOUCH_ERROR_INPUT, "%.200s: --reward: no reward file beside it has the name \"%.100s\"", d->name,
                    d->source->reward);
}

static void explicit_read(drn *d, const file_content *file)
{
    rows_file t = {.file = file, .e = d->e, .at = file->bytes};
    matrix m = {0};
    read_matrix(&t, &m, false);
    add_steps(d, &m);
    const file_content *labels = load_beside(d, file->name, 0, LABELS);
    if (labels)
        read_labels(d, labels);
    else
        drn_add_label(d, &d->state[0], "init");
    const file_content *states = load_beside(d, file->name, 0, STATES);
    if (states) read_states(d, states);
    explicit_read_rewards(d, file->name);
}

vouch_status explicit_companions(names *list, const char *path, vouch_error *error)
{
    text place = {0};
    bool failed = false, any = true;
    for (int number = 0; number <= STRUCTURE_CAP && !failed && (number < 2 || any); number++) {
        any = false;
        for (int i = number == 0 ? 0 : FIRST_REWARD; i < ENDINGS && !failed; i++) {
            if (!find_beside(path, number, i, &place)) continue;
            any = true;
            failed = names_add(list, place.data) < 0;
        }
    }
    failed = failed || place.failed;
    text_free(&place);
    return failed ? error_memory(error) : VOUCH_OK;
}

/* ---- all files together -------------------------------------------------------------------------------------- */

static void align_by_valuation(mdp_family *f, drn *files)
{
    names *all = ESCAPE_ZERO(f->e, names, 1);
    escape_names(f->e, all);
    for (int k = 0; k < f->K; k++)
        for (size_t s = 0; s < files[k].state_count; s++) {
            drn_state *state = &files[k].state[s];
            state->index = must_count(f->e, names_add(all, state->valuation));
        }
    f->S = (int)all->count;
    f->state_name = ESCAPE_ZERO(f->e, char *, f->S);
    for (int s = 0; s < f->S; s++) f->state_name[s] = escape_string(f->e, names_text(all, s));
    names_free(all);
}

/* The same number of states, the same labels and actions in each. */
static void align_by_number(mdp_family *f, drn *files)
{
    f->S = (int)files[0].state_count;
    f->state_name = ESCAPE_ZERO(f->e, char *, f->S);
    for (int s = 0; s < f->S; s++) {
        char name[32];
        format_text(name, sizeof name, "%d", s);
        f->state_name[s] = escape_string(f->e, name);
    }
    for (int k = 0; k < f->K; k++) {
        if (files[k].state_count != files[0].state_count)
            escape_fail(f->e, VOUCH_ERROR_INPUT,
                        "%s has %zu states, %s has %zu; without state valuations (--buildstateval) states are aligned by number",
                        files[0].name, files[0].state_count, files[k].name, files[k].state_count);
        for (int s = 0; s < f->S; s++) {
            drn_state *a = &files[0].state[s], *b = &files[k].state[s];
            b->index = s;
            bool same = a->label_count == b->label_count;
            for (size_t l = 0; l < a->label_count && same; l++) same = drn_has_label(b, a->label[l]);
            if (!same)
                escape_fail(f->e, VOUCH_ERROR_INPUT,
                            "state %d has other labels in %s than in %s; without state valuations (--buildstateval) states "
                            "are aligned by number",
                            s, files[k].name, files[0].name);
        }
    }
}

/* Several states labelled init are equally likely to be the initial state. */
static void find_initial(mdp_family *f, drn *files)
{
    bool several = false;
    f->initial = -1;
    f->first = ESCAPE_ZERO(f->e, double, (size_t)f->K *(size_t)f->S);
    for (int k = 0; k < f->K; k++) {
        double *first = f->first + (size_t)k * (size_t)f->S;
        int found = 0;
        for (size_t s = 0; s < files[k].state_count; s++) {
            if (!drn_has_label(&files[k].state[s], "init")) continue;
            found++;
            first[files[k].state[s].index] = 1;
            if (f->initial < 0) f->initial = files[k].state[s].index;
        }
        if (found == 0) escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: no state is labelled init", files[k].name);
        several = several || found > 1 || !(first[f->initial] > 0);
        for (int s = 0; s < f->S; s++) first[s] /= found;
    }
    if (!several) f->first = NULL;
}

static bool label_exists(const drn *d, const char *label)
{
    for (size_t s = 0; s < d->state_count; s++)
        if (drn_has_label(&d->state[s], label)) return true;
    return false;
}

/* Labels that say where one begins and ends. */
static bool is_own(const char *label) { return strcmp(label, "init") == 0 || strcmp(label, "deadlock") == 0; }

/* The states of a label, into set [K * S], or false. */
static bool find_label(const mdp_family *f, const void *of, const char *label, bool set[])
{
    const drn *files = of;
    bool any = is_own(label) || names_find(&f->labels, label) >= 0;
    for (int k = 0; k < f->K && !any; k++) any = label_exists(&files[k], label);
    for (int k = 0; k < f->K && any; k++)
        for (size_t i = 0; i < files[k].state_count; i++)
            if (drn_has_label(&files[k].state[i], label)) set[(size_t)k * (size_t)f->S + (size_t)files[k].state[i].index] = true;
    if (any) family_complete_set(f, set);
    return any;
}

/* Labels that a file names, or says to hold in no state. */
static void find_empty_labels(mdp_family *f, const drn *files, const file_content file[])
{
    for (int k = 0; k < f->K; k++)
        for (int l = 0; l < files[k].declared.count; l++)
            if (!is_own(names_text(&files[k].declared, l)))
                must_count(f->e, names_add(&f->labels, names_text(&files[k].declared, l)));
    for (int k = 0; k < f->K; k++)
        for (const char *line = file[k].bytes; *line == '/'; line += strcspn(line, "\n"), line += *line == '\n') {
            const char *end = line + strcspn(line, "\r\n"), *name = line + strlen(DRN_EMPTY_LABELS);
            if (strncmp(line, DRN_EMPTY_LABELS, strlen(DRN_EMPTY_LABELS)) != 0) continue;
            while ((name = memchr(name, '"', (size_t)(end - name)))) {
                name++;
                const char *last = memchr(name, '"', (size_t)(end - name));
                if (!last) break;
                if (last > name) must_count(f->e, names_add_bytes(&f->labels, name, (size_t)(last - name)));
                name = last + 1;
            }
        }
}

/* All labels except beginnings and ends. If an environment cannot reach a state, the state has the labels of the first
 * environment that can. */
static void find_labels(mdp_family *f, const drn *files)
{
    int *first = ESCAPE_NEW(f->e, int, f->S);
    for (int s = 0; s < f->S; s++) first[s] = -1;
    for (int k = 0; k < f->K; k++)
        for (size_t i = 0; i < files[k].state_count; i++) {
            const drn_state *state = &files[k].state[i];
            if (first[state->index] < 0) first[state->index] = k;
            for (size_t l = 0; l < state->label_count; l++) {
                if (is_own(state->label[l])) continue;
                for (int j = 0; j < f->K; j++) {
                    bool reached = f->reached[(size_t)j * (size_t)f->S + (size_t)state->index];
                    if (j != k && (reached || first[state->index] != k)) continue;
                    family_add_label(f, state->label[l], j, state->index);
                }
            }
        }
}

/* there [K * S]: the states of --time-to; NULL: rewards are those of the file. */
static void add_rows(mdp_family *f, const drn *d, int k, const bool there[])
{
    CHECK(k >= 0 && k < f->K);
    const double late = d->source->minimise ? 1 : -1;
    for (size_t s = 0; s < d->state_count; s++) {
        size_t at = (size_t)k * (size_t)f->S + (size_t)d->state[s].index;
        f->reached[at] = true;
        f->idle_reward[at] = there ? (there[at] ? 0 : late) : d->state[s].reward;
    }
    for (size_t c = 0; c < d->choice_count; c++) {
        const drn_choice *choice = &d->choice[c];
        int from = d->state[choice->state].index, action = family_action(f, choice->name);
        double reward = f->idle_reward[(size_t)k * (size_t)f->S + (size_t)from] + (there ? 0 : choice->reward);
        for (size_t i = choice->first; i < choice->first + choice->count; i++)
            family_add_limits(f,
                              (model_row){k, from, action, d->state[d->step[i].to].index, d->step[i].probability,
                                          reward + (there ? 0 : d->step[i].reward), 0},
                              d->step[i].low);
    }
}

/* The environment in the first line, which vouch writes there; NULL: none. */
static const char *remarked_environment(const file_content *file, size_t *length)
{
    static const char mark[] = ", environment ";
    const char *name = NULL, *end = file->bytes + strcspn(file->bytes, "\r\n");
    if (strncmp(file->bytes, "// ", 3) != 0) return NULL;
    for (const char *at = file->bytes; (at = strstr(at, mark)) && at < end;) name = at += strlen(mark);
    *length = name ? (size_t)(end - name) : 0;
    return *length > 0 ? name : NULL;
}

/* The labels of all states, for messages. */
static const names *label_names(const mdp_family *f, const drn *files)
{
    names *all = ESCAPE_ZERO(f->e, names, 1);
    escape_names(f->e, all);
    for (int k = 0; k < f->K; k++)
        for (size_t s = 0; s < files[k].state_count; s++)
            for (size_t l = 0; l < files[k].state[s].label_count; l++) must_count(f->e, names_add(all, files[k].state[s].label[l]));
    return all;
}

/* In files of vouch the first line has the environment's name; otherwise the name is made from the file's. */
static void name_environments(mdp_family *f, const file_content file[])
{
    names *remarked = ESCAPE_ZERO(f->e, names, 1);
    size_t n = 0;
    bool all = true;
    escape_names(f->e, remarked);
    for (int k = 0; k < f->K && all; k++) {
        const char *name = remarked_environment(&file[k], &n);
        all = name && names_add_bytes(remarked, name, n) == k;
    }
    for (int k = 0; k < f->K; k++) {
        const char *base = disk_name(file[k].name);
        f->env_name[k] = all ? escape_string(f->e, names_text(remarked, k)) : escape_bytes(f->e, base, strcspn(base, "."));
    }
}

/* The names that an index gives. */
static void name_by_index(mdp_family *f, const file_content *index)
{
    names *env = ESCAPE_ZERO(f->e, names, 2);
    escape_names(f->e, &env[0]);
    escape_names(f->e, &env[1]);
    must(f->e, drn_index_read(&env[0], &env[1], index, f->e->error));
    if (env->count != f->K)
        escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: %d environments, but %d files", index->name, env->count, f->K);
    f->env_name = ESCAPE_ZERO(f->e, char *, f->K);
    for (int k = 0; k < f->K; k++) f->env_name[k] = escape_string(f->e, names_text(env, k));
}

typedef struct drn_reading {
    mdp_family f;
    const file_content *index, *file; /* file [K] */
} drn_reading;

static void read_files(void *object)
{
    drn_reading *r = object;
    mdp_family *f = &r->f;
    drn *files = ESCAPE_ZERO(f->e, drn, f->K);
    bool valued = true;
    if (r->index) name_by_index(f, r->index);
    if (f->source->reward && f->source->time_to) escape_fail(f->e, VOUCH_ERROR_INPUT, "--reward and --time-to exclude each other");
    for (int k = 0; k < f->K; k++) {
        files[k] = (drn){.file = &r->file[k], .e = f->e, .source = f->source};
        drn_read(&files[k]);
    }
    for (int k = 0; k < f->K; k++)
        for (size_t s = 0; s < files[k].state_count; s++) valued = valued && files[k].state[s].valuation;
    (valued ? align_by_valuation : align_by_number)(f, files);
    f->reached = ESCAPE_ZERO(f->e, bool, (size_t)f->K *(size_t)f->S);
    f->idle_reward = ESCAPE_ZERO(f->e, double, (size_t)f->K *(size_t)f->S);
    find_initial(f, files);
    if (!f->env_name) {
        f->env_name = ESCAPE_ZERO(f->e, char *, f->K);
        name_environments(f, r->file);
    }
    find_empty_labels(f, files, r->file);
    const family_words words = {files, find_label, label_names(f, files)};
    bool *there = f->source->time_to ? ESCAPE_ZERO(f->e, bool, (size_t)f->K *(size_t)f->S) : NULL;
    if (there) family_find_states(f, &words, "--time-to", f->source->time_to, there);
    for (int k = 0; k < f->K; k++) add_rows(f, &files[k], k, there);
    family_check_source(f);
    family_promises(f, &words);
    find_labels(f, files);
    family_initial(f);
    family_finish(f);
}

vouch_status drn_model_parse(vouch_model **model, const char *name, int count, const file_content file[],
                             const vouch_source *source, vouch_error *error)
{
    bool indexed = count > 0 && drn_index_is(file[0].name);
    drn_reading r = {.f = {.path = name, .source = source, .K = count - indexed}, .file = file + indexed};
    if (indexed) r.index = file;
    return family_read(&r.f, read_files, &r, model, error);
}
