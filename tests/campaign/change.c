/* tests/campaign/change.c - see change.h. */
#include "campaign/change.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <vouch/model_io.h>
#include <vouch/vouch.h>

enum { LINES = 4000, WORD = 64, NUMBERS = 12 }; /* NUMBERS: of nodes that a changed line may name */

/* ---- the planner's ---- */

static void keep(void *context, const char *text) { fputs(text, context); }

char *change_planned(const char *path, const truth *x, rng *r, vouch_method *method)
{
    vouch_model *m;
    vouch_policy *policy = NULL;
    vouch_plan_options o;
    vouch_plan_result a;
    vouch_error error;
    char *lines = NULL;
    size_t length;
    int one = draw(r, 6);
    vouch_plan_options_init(&o);
    o.method = *method = one == 0 ? VOUCH_METHOD_HISTORY : one == 1 || one == 5 ? VOUCH_METHOD_EXACT_CCL : VOUCH_METHOD_MILP_CCL;
    o.lookahead = x->L;
    o.least_total_regret = one == 2;
    o.certify = 1;
    o.restarts = 2;
    o.limits = (vouch_limits){.nodes = 300, .iterations = 20000};
    if (one != 2 && chance(r, 0.4)) o.objective = chance(r, 0.5) ? VOUCH_OBJECTIVE_MAX_MIN : VOUCH_OBJECTIVE_WEIGHTED;
    double sum = 0;
    for (int k = 0; k < x->w.K; k++) sum += x->weight[k];
    if (o.objective == VOUCH_OBJECTIVE_WEIGHTED && sum > 0) o.weights = x->weight;
    if (vouch_model_read(&m, path, &error)) abort();
    FILE *out = open_memstream(&lines, &length);
    if (!out) abort();
    o.proof = keep;
    o.proof_context = out;
    bool made = vouch_plan(&policy, m, &o, &error) == VOUCH_OK;
    if (made) vouch_policy_get_result(policy, &a);
    made = made && (a.outcome == VOUCH_PLAN_OPTIMAL || a.outcome == VOUCH_PLAN_INFEASIBLE ||
                    (a.outcome == VOUCH_PLAN_LIMIT && a.has_policy));
    fclose(out);
    vouch_policy_free(policy);
    vouch_model_free(m);
    if (made && strstr(lines, "claim ")) return lines;
    free(lines);
    return NULL;
}

/* ---- changed ---- */

typedef struct text {
    int count;
    char *line[LINES]; /* owned */
} lines_of;

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0 && line[strlen(word)] == ' ';
}

static bool split(const char *text, lines_of *t)
{
    t->count = 0;
    for (const char *end; *text && t->count < LINES; text = end + 1) {
        end = strchr(text, '\n');
        t->line[t->count++] = strndup(text, (size_t)(end - text));
    }
    return *text == '\0';
}

static void set(lines_of *t, int i, const char *form, ...) __attribute__((format(printf, 3, 4)));
static void set(lines_of *t, int i, const char *form, ...)
{
    va_list list;
    char *made;
    size_t length;
    FILE *f = open_memstream(&made, &length);
    if (!f) abort();
    va_start(list, form);
    vfprintf(f, form, list);
    va_end(list);
    fclose(f);
    free(t->line[i]);
    t->line[i] = made;
}

static void put_out(lines_of *t, int i)
{
    free(t->line[i]);
    memmove(t->line + i, t->line + i + 1, (size_t)(--t->count - i) * sizeof *t->line);
}

/* The w-th word of a line is another one; what stands behind a "=" in it if `value`. */
static void set_word(lines_of *t, int i, int w, const char *other, bool value)
{
    char *from = t->line[i], *to;
    for (; w > 0 && from; w--) {
        from = strchr(from, ' ');
        from = from ? from + 1 : NULL;
    }
    if (!from || !*from) return;
    to = from + strcspn(from, " ");
    char *equals = memchr(from, '=', (size_t)(to - from));
    if (value && equals) from = equals + 1;
    char *rest = strdup(to);
    set(t, i, "%.*s%s%s", (int)(from - t->line[i]), t->line[i], other, rest);
    free(rest);
}

static int words(const char *line)
{
    int count = 1;
    for (; *line; line++) count += *line == ' ';
    return count;
}

static int case_of(const char *line)
{
    const char *at = strchr(line, ' ');
    return at ? atoi(at + 1) : 0;
}

/* What is claimed is beyond what the policy attains by a little, or that there is none. */
static bool claim_more(lines_of *t, rng *r)
{
    double much = pow(10, -1 - draw(r, 4)) * (1 + draw(r, 5));
    bool none = chance(r, 0.4), any = false, total = false;
    for (int i = 0; i < t->count; i++) total = total || begins(t->line[i], "claim total");
    for (int i = t->count - 1; i >= 0; i--) {
        char subject[WORD];
        double value;
        if (sscanf(t->line[i], "claim %63s %lf", subject, &value) != 2) continue;
        any = true;
        if (none) {
            put_out(t, i);
            continue;
        }
        if (total && strcmp(subject, "regret") == 0 && chance(r, 0.5)) continue;
        set(t, i, "claim %s %.17g %.17g", subject, value, strcmp(subject, "value") == 0 ? value - much : value + much);
    }
    if (none && any) {
        t->line[t->count] = NULL;
        set(t, t->count, "claim infeasible");
        t->count++;
    }
    return any;
}

/* A child and all cases below it are left out, and the others numbered anew. */
static void leave_out(lines_of *t, int at)
{
    static bool gone[LINES];
    static int number[LINES];
    int made = 1;
    memset(gone, 0, sizeof gone);
    number[1] = 1;
    gone[case_of(t->line[at])] = true;
    for (int i = 0; i < t->count;) {
        static const char *const kinds[] = {"leaf", "empty", "pairs", "vectors", "give", "branch", "child"};
        bool about = false;
        char other[32];
        int id = case_of(t->line[i]), parent, action;
        for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) about = about || begins(t->line[i], kinds[n]);
        if (!about || id >= LINES) {
            i++;
            continue;
        }
        bool child = sscanf(t->line[i], "child %*d %d %d", &parent, &action) == 2;
        if (child && gone[parent]) gone[id] = true;
        if (gone[id]) {
            put_out(t, i);
            continue;
        }
        if (child) number[id] = ++made;
        snprintf(other, sizeof other, "%d", number[id]);
        set_word(t, i, 1, other, false);
        if (child) set(t, i, "child %d %d %d", number[id], number[parent], action);
        i++;
    }
}

/* A line that closes a case closes it otherwise. */
static void close_otherwise(lines_of *t, int i, const truth *x, rng *r)
{
    char other[WORD];
    int id = case_of(t->line[i]), count = words(t->line[i]), rows = x->w.K * x->w.J;
    int how = draw(r, 6);
    if (how >= 4 && count > 2) { /* one of its numbers */
        int w = 2 + draw(r, count - 2);
        snprintf(other, sizeof other, "%g", chance(r, 0.5) ? ldexp(1, draw(r, 8) - 4) : draw(r, 4));
        set_word(t, i, w, other, true);
    } else if (how == 0 || how == 4)
        set(t, i, "vectors %d", id);
    else if (how == 1)
        set(t, i, "pairs %d %d %d", id, draw(r, rows), 2 << draw(r, 8));
    else if (how == 2)
        set(t, i, "empty %d %d=%g", id, draw(r, rows), ldexp(1, draw(r, 10)));
    else
        set(t, i, "leaf %d %d=1 ; %d=%g", id, draw(r, x->w.K), draw(r, rows), ldexp(1, draw(r, 8) - 4));
}

static void change_tree(lines_of *t, int i, const truth *x, rng *r)
{
    char number[32];
    int count = words(t->line[i]);
    bool total = begins(t->line[i], "tree total");
    snprintf(number, sizeof number, "%d", 1 + draw(r, x->w.T + 1));
    if (total && chance(r, 0.7)) {
        snprintf(number, sizeof number, "%g", 0.1 * draw(r, 10));
        set_word(t, i, 3, number, false);
    } else if (chance(r, 0.4))
        set_word(t, i, 2, number, false);
    else {
        char before[WORD];
        snprintf(before, sizeof before, "%.*s", (int)strcspn(t->line[i] + 5, " "), t->line[i] + 5);
        if (count < 5 && chance(r, 0.5))
            set(t, i, "tree %s %s * drop", before, number);
        else
            set(t, i, "tree %s %s %d%s", before, number, draw(r, x->w.K), chance(r, 0.5) ? " drop" : "");
    }
}

/* A whole number among the words from w on becomes another one, below `most`. */
static void change_number(lines_of *t, int i, int w, int most, rng *r)
{
    char number[32];
    snprintf(number, sizeof number, "%d", draw(r, most));
    set_word(t, i, w + draw(r, words(t->line[i]) > w ? words(t->line[i]) - w : 1), number, false);
}

static void change_given(lines_of *t, int i, const truth *x, rng *r)
{
    char number[32];
    if (chance(r, 0.5)) {
        snprintf(number, sizeof number, "%g", 1.0 + draw(r, 5));
        set_word(t, i, 2, number, false);
    } else
        set(t, i, "%s %d=%d", t->line[i], draw(r, NUMBERS), draw(r, x->w.A));
}

static void change_line(lines_of *t, int i, const truth *x, rng *r)
{
    char number[32];
    const char *line = t->line[i];
    if (begins(line, "tree"))
        change_tree(t, i, x, r);
    else if (begins(line, "give"))
        change_given(t, i, x, r);
    else if (begins(line, "child"))
        leave_out(t, i);
    else if (begins(line, "branch"))
        change_number(t, i, 2, NUMBERS, r);
    else if (begins(line, "part")) {
        snprintf(number, sizeof number, "%g", rng_unit(r));
        set_word(t, i, 4, number, false);
    } else if (begins(line, "node"))
        change_number(t, i, 2, 4, r);
    else if (begins(line, "plan")) {
        snprintf(number, sizeof number, "%d", draw(r, x->w.T + 1));
        set_word(t, i, 2, number, false);
    } else if (begins(line, "do"))
        change_number(t, i, 2, x->w.A, r);
    else if (!begins(line, "claim"))
        close_otherwise(t, i, x, r);
}

char *change_lines(const char *lines, const truth *x, rng *r, const char **kind)
{
    static const char *const kinds[] = {"leaf", "empty", "pairs", "vectors", "give", "branch", "child",
                                        "part", "tree",  "node",  "plan",    "do",   "claim"};
    static const char *const names[] = {"leaf changed",   "empty changed",  "pairs changed", "vectors changed", "give changed",
                                        "branch changed", "child left out", "part changed",  "tree changed",    "node changed",
                                        "plan changed",   "do changed",     "claim raised"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    static lines_of t;
    char *made = NULL;
    size_t length;
    bool whole = split(lines, &t);
    for (int tries = 0, found = 0; whole && !found && tries < 200; tries++) {
        int which = draw(r, KINDS), first = draw(r, t.count), i = first;
        if (strcmp(kinds[which], "do") == 0 && chance(r, 0.5)) continue;
        do i = (i + 1) % t.count;
        while (i != first && !begins(t.line[i], kinds[which]));
        if (!begins(t.line[i], kinds[which])) continue;
        found = 1;
        *kind = names[which];
        if (which == 0 && strchr(t.line[i], ';') != strrchr(t.line[i], ';')) *kind = "leaf with prices changed";
        FILE *out = open_memstream(&made, &length);
        if (!out) abort();
        bool any = claim_more(&t, r);
        for (i = any ? i : t.count; i < t.count && !begins(t.line[i], kinds[which]);) i++;
        if (i < t.count) change_line(&t, i, x, r);
        for (i = 0; any && i < t.count; i++) fprintf(out, "%s\n", t.line[i]);
        fclose(out);
        if (!any) {
            free(made);
            made = NULL;
        }
    }
    for (int i = 0; i < t.count; i++) free(t.line[i]);
    return made;
}
