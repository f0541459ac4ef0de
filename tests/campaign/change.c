/* tests/campaign/change.c - see change.h. */
#include "campaign/change.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <vouch/model_io.h>
#include <vouch/vouch.h>

enum { LINES = 4000, WORD = 64 };
static const double UNPRICED = 0.03;

static const char *const words_of[CHANGES] = {"leaf",  "leaf",  "empty",  "pairs", "vectors", "give",    "branch",
                                              "child", "reach", "remove", "part",  "weigh",   "corners", "tree",
                                              "node",  "plan",  "do",     "like",  "claim"};
const char *const change_kind_names[CHANGES] = {
    "leaf changed",   "prices changed", "empty changed",  "pairs changed", "vectors changed", "give changed",    "branch changed",
    "child left out", "reach changed",  "remove changed", "part changed",  "weigh changed",   "corners changed", "tree changed",
    "node changed",   "plan changed",   "do changed",     "like changed",  "claim raised"};

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0 && line[strlen(word)] == ' ';
}

/* Is this a line to be changed so? */
static bool meant(const char *line, change how)
{
    size_t length = strcspn(line, "\n");
    const char *first = memchr(line, ';', length),
               *second = first ? memchr(first + 1, ';', length - (size_t)(first + 1 - line)) : NULL;
    return begins(line, words_of[how]) && (how != CHANGE_LEAF_PRICES || second);
}

static bool holds(const char *lines, change how)
{
    for (const char *at = lines; at && *at; at = strchr(at, '\n'), at += at != NULL)
        if (meant(at, how)) return true;
    return false;
}

/* ---- the planner's ---- */

static void keep(void *context, const char *text) { fputs(text, context); }

/* The lines of a plan; NULL: there is none to speak of. */
static char *plan(const vouch_model *m, vouch_plan_options *o)
{
    vouch_policy *policy = NULL;
    vouch_plan_result a;
    vouch_error error;
    char *lines = NULL;
    size_t length;
    FILE *out = open_memstream(&lines, &length);
    if (!out) abort();
    o->restarts = 2;
    o->limits = (vouch_limits){.nodes = 300, .iterations = 20000};
    o->proof = keep;
    o->proof_context = out;
    bool made = vouch_plan(&policy, m, o, &error) == VOUCH_OK;
    if (made) vouch_policy_get_result(policy, &a);
    made = made && (a.outcome == VOUCH_PLAN_OPTIMAL || a.outcome == VOUCH_PLAN_INFEASIBLE ||
                    (a.outcome == VOUCH_PLAN_LIMIT && a.has_policy));
    fclose(out);
    vouch_policy_free(policy);
    if (made && strstr(lines, "claim ")) return lines;
    free(lines);
    return NULL;
}

static vouch_method method_for(change how, rng *r)
{
    if (how == CHANGE_LEAF_PRICES || (how >= CHANGE_PART && how <= CHANGE_CORNERS)) return VOUCH_METHOD_EXACT_CCL;
    if (how == CHANGE_LIKE) return VOUCH_METHOD_HISTORY;
    if (how >= CHANGE_EMPTY && how <= CHANGE_REMOVE) return VOUCH_METHOD_MILP_CCL;
    int one = draw(r, 6);
    return one == 0 ? VOUCH_METHOD_HISTORY : one < 3 ? VOUCH_METHOD_EXACT_CCL : VOUCH_METHOD_MILP_CCL;
}

/* A policy of the class, planned for something else. */
static char *plan_worse(const vouch_model *m, const truth *x, vouch_method method, rng *r)
{
    vouch_plan_options o;
    double weight[WORLD_K] = {0};
    vouch_plan_options_init(&o);
    o.method = VOUCH_METHOD_MILP_CCL; /* all others mean its policies, too */
    o.lookahead = method == VOUCH_METHOD_HISTORY ? x->w.T : x->L;
    o.objective = VOUCH_OBJECTIVE_WEIGHTED;
    for (int k = 0; k < x->w.K; k++) weight[k] = chance(r, 0.5) ? 0.001 : 1 + draw(r, 8);
    o.weights = weight;
    return plan(m, &o);
}

bool change_planned(const char *path, const truth *x, change how, rng *r, planned *p)
{
    static const char *const without[] = {"pareto", "pareto-vectors", "pareto,pareto-vectors"};
    vouch_model *m;
    vouch_plan_options o;
    vouch_error error;
    vouch_plan_options_init(&o);
    *p = (planned){.method = method_for(how, r)};
    o.method = p->method;
    o.lookahead = x->L;
    o.certify = 1;
    o.least_total_regret = p->method == VOUCH_METHOD_MILP_CCL && chance(r, 0.3);
    if (!o.least_total_regret && chance(r, 0.4)) o.objective = chance(r, 0.5) ? VOUCH_OBJECTIVE_MAX_MIN : VOUCH_OBJECTIVE_WEIGHTED;
    double sum = 0;
    for (int k = 0; k < x->w.K; k++) sum += x->weight[k];
    if (o.objective == VOUCH_OBJECTIVE_WEIGHTED && sum > 0) o.weights = x->weight;
    if (p->method == VOUCH_METHOD_MILP_CCL && chance(r, 0.5)) o.without = without[draw(r, how == CHANGE_PAIRS ? 1 : 3)];
    if (how == CHANGE_PAIRS && o.without) o.without = without[1];
    if (how == CHANGE_VECTORS) o.without = NULL;
    if (how == CHANGE_EMPTY) o.without = without[draw(r, 2) * 2]; /* else pairs show that nothing is left */
    if (how >= CHANGE_REACH && how <= CHANGE_REMOVE) o.without = "levels,pareto,pareto-vectors,knowledge";
    if (vouch_model_read(&m, path, &error)) abort();
    p->lines = plan(m, &o);
    bool priced = how == CHANGE_LEAF_PRICES && !chance(r, UNPRICED); /* few lines have prices, and all may be given some */
    bool good = p->lines && holds(p->lines, priced || how != CHANGE_LEAF_PRICES ? how : CHANGE_LEAF) &&
                !strstr(p->lines, "claim infeasible"); /* true in any case */
    if (good) p->worse = plan_worse(m, x, p->method, r);
    if (!good) change_free(p);
    vouch_model_free(m);
    return good;
}

void change_free(planned *p)
{
    free(p->lines);
    free(p->worse);
    *p = (planned){0};
}

/* ---- changed ---- */

typedef struct text {
    int count;
    char *line[LINES]; /* owned */
} lines_of;

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

/* Replaces the w-th word of a line; if `value`, the part behind its "=". */
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

static void add_line(lines_of *t, int i, const char *line)
{
    memmove(t->line + i + 1, t->line + i, (size_t)(t->count++ - i) * sizeof *t->line);
    t->line[i] = strdup(line);
}

static int first_claim(const lines_of *t)
{
    int i = 0;
    while (i < t->count && !begins(t->line[i], "claim")) i++;
    return i;
}

static int nodes_of(const lines_of *t)
{
    int count = 0;
    for (int i = 0; i < t->count; i++) count += begins(t->line[i], "node");
    return count;
}

/* Takes the policy of another proof, whose nodes are numbered behind these. */
static void put_policy(lines_of *t, const char *other)
{
    int first = nodes_of(t);
    for (int i = t->count - 1; i >= 0; i--)
        if (begins(t->line[i], "do") || begins(t->line[i], "like")) put_out(t, i);
    for (const char *line = other; *line; line = strchr(line, '\n') + 1) {
        char made[4 * WORD], environments[WORD];
        int n, time, s, boundary, a;
        made[0] = '\0';
        if (sscanf(line, "node %d %d %d - %63s", &n, &time, &s, environments) == 4)
            snprintf(made, sizeof made, "node %d %d %d - %s", first + n, time, s, environments);
        else if (sscanf(line, "node %d %d %d %d", &n, &time, &s, &boundary) == 4)
            snprintf(made, sizeof made, "node %d %d %d %d", first + n, time, s, first + boundary);
        else if (sscanf(line, "do %d %d", &n, &a) == 2)
            snprintf(made, sizeof made, "do %d %d", first + n, a);
        if (made[0] && t->count + 2 < LINES) add_line(t, first_claim(t), made);
    }
}

/* Makes the claim false: no policy, or none as good as the proof's; or (better) a policy better than its bound. */
static bool claim_more(lines_of *t, bool better, rng *r)
{
    static const double ENOUGH = 1e3; /* any policy is worth that */
    double much = pow(10, -1 - draw(r, 4)) * (1 + draw(r, 5));
    bool none = !better && chance(r, 0.4), any = false;
    for (int i = t->count - 1; i >= 0; i--) {
        char subject[WORD];
        double value, bound;
        int count = sscanf(t->line[i], "claim %63s %lf %lf", subject, &value, &bound);
        double sign = count >= 2 && strcmp(subject, "value") == 0 ? -1 : 1;
        if (count < 2 || (better && count < 3)) continue;
        any = true;
        if (none)
            put_out(t, i);
        else if (better)
            set(t, i, "claim %s %.17g %.17g", subject, bound - sign * much, bound - sign * (much + ENOUGH));
        else
            set(t, i, "claim %s %.17g %.17g", subject, value + sign * ENOUGH, value + sign * much);
    }
    if (none && any) add_line(t, t->count, "claim infeasible");
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
        static const char *const kinds[] = {"leaf",   "empty", "pairs", "vectors", "give",
                                            "branch", "child", "reach", "remove",  "unkept"};
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
        set(t, i, "%s %d=%d", t->line[i], draw(r, nodes_of(t)), draw(r, x->w.A));
}

/* One of its numbers, or (remove) the bound, or an option more. */
static void change_reach(lines_of *t, int i, const truth *x, rng *r)
{
    char other[WORD];
    int count = words(t->line[i]);
    bool removes = begins(t->line[i], "remove");
    const char *first = strchr(t->line[i], ';');
    snprintf(other, sizeof other, "%g", chance(r, 0.5) ? 0.25 * (draw(r, 33) - 16) : ldexp(1, draw(r, 8) - 4));
    if (removes && first && chance(r, 0.4))
        set(t, i, "%.*s%d=%d %s", (int)(first - t->line[i]), t->line[i], draw(r, nodes_of(t)), draw(r, x->w.A), first);
    else if (removes && chance(r, 0.4))
        set_word(t, i, 2, chance(r, 0.2) ? "-" : other, false);
    else if (count > 2)
        set_word(t, i, 2 + draw(r, count - 2), other, true);
}

/* Of more policies: of a larger L or, where there is none, with coins. */
static void change_plan(lines_of *t, int i, const truth *x, rng *r)
{
    char number[32];
    if (x->L < x->w.T && !begins(t->line[i], "plan history") && chance(r, 0.7)) {
        snprintf(number, sizeof number, "%d", x->L + 1 + draw(r, x->w.T - x->L));
        set_word(t, i, 2, number, false);
    } else
        set_word(t, i, 1, x->L == x->w.T && chance(r, 0.5) ? "history" : "exact-ccl", false);
}

static void change_part(lines_of *t, int i, const truth *x, rng *r)
{
    char number[32];
    int w = 2 + draw(r, 3);
    if (w == 4)
        snprintf(number, sizeof number, "%g", chance(r, 0.3) ? -0.5 + 2 * draw(r, 2) : rng_unit(r));
    else
        snprintf(number, sizeof number, "%d", draw(r, w == 2 ? nodes_of(t) : x->w.A));
    set_word(t, i, w, number, false);
}

/* Small, or so large that the rounding of a probability times it is worth something. */
static double some_price(rng *r) { return 0.5 * (draw(r, 9) - 4) * (chance(r, 0.3) ? ldexp(1, 30 + draw(r, 40)) : 1); }

/* One of the prices, given once more or beside another one. */
static void change_prices(lines_of *t, int i, const truth *x, rng *r)
{
    char number[32];
    int first = 0, count = words(t->line[i]);
    for (int w = 0, marks = 0; marks < 2 && t->line[i][w]; w++) {
        first += t->line[i][w] == ' ';
        marks += t->line[i][w] == ';';
    }
    if (!meant(t->line[i], CHANGE_LEAF_PRICES) || chance(r, 0.3)) {
        set(t, i, "%s ; %d %d %d=%.17g", t->line[i], draw(r, nodes_of(t)), draw(r, x->w.A), draw(r, x->w.K), some_price(r));
        return;
    }
    snprintf(number, sizeof number, "%.17g", chance(r, 0.5) ? 0 : some_price(r));
    set_word(t, i, first + 1 + draw(r, count - first - 1), number, true);
}

/* Changes one of its numbers or its case, or drops it. */
static void change_weigh(lines_of *t, int i, rng *r)
{
    char number[32];
    int how = draw(r, 4), count = words(t->line[i]);
    if (how == 0)
        put_out(t, i);
    else if (how == 1)
        change_number(t, i, 1, 4, r);
    else {
        snprintf(number, sizeof number, "%g", ldexp(1 + draw(r, 7), draw(r, 8) - 5));
        if (count > 2) set_word(t, i, 2 + draw(r, count - 2), number, true);
    }
}

/* The last point is left out, one of its probabilities is another one, or they are of another node. */
static void change_corners(lines_of *t, int i, rng *r)
{
    char number[32];
    int how = draw(r, 4), count = words(t->line[i]);
    char *last = strrchr(t->line[i], ';');
    if (how < 2 && last)
        set(t, i, "%.*s", (int)(last - t->line[i] - 1), t->line[i]);
    else if (how == 2) {
        snprintf(number, sizeof number, "%d", draw(r, nodes_of(t)));
        set_word(t, i, 2, number, false);
    } else {
        snprintf(number, sizeof number, "%g", 0.125 * draw(r, 9));
        if (count > 3) set_word(t, i, 3 + draw(r, count - 3), number, true);
    }
}

static void change_line(lines_of *t, int i, const truth *x, change how, rng *r)
{
    const char *line = t->line[i];
    if (how == CHANGE_LEAF_PRICES && chance(r, 0.7))
        change_prices(t, i, x, r);
    else if (begins(line, "tree"))
        change_tree(t, i, x, r);
    else if (begins(line, "give"))
        change_given(t, i, x, r);
    else if (begins(line, "reach") || begins(line, "remove") || begins(line, "unkept"))
        change_reach(t, i, x, r);
    else if (begins(line, "child"))
        leave_out(t, i);
    else if (begins(line, "branch"))
        change_number(t, i, 2, nodes_of(t), r);
    else if (begins(line, "part"))
        change_part(t, i, x, r);
    else if (begins(line, "weigh"))
        change_weigh(t, i, r);
    else if (begins(line, "corners"))
        change_corners(t, i, r);
    else if (begins(line, "node"))
        change_number(t, i, 2, 4, r);
    else if (begins(line, "plan"))
        change_plan(t, i, x, r);
    else if (begins(line, "do"))
        change_number(t, i, 2, x->w.A, r);
    else if (begins(line, "like"))
        change_number(t, i, chance(r, 0.5) ? 1 : words(line) - 1, x->w.A, r);
    else if (!begins(line, "claim"))
        close_otherwise(t, i, x, r);
}

char *change_lines(const planned *p, const truth *x, change how, rng *r)
{
    static lines_of t;
    char *made = NULL;
    size_t length;
    change sought = how;
    bool whole = split(p->lines, &t), of_policy = how == CHANGE_DO || how == CHANGE_LIKE;
    bool any = whole && claim_more(&t, of_policy && chance(r, 0.7), r);
    int first = t.count > 0 ? draw(r, t.count) : 0, i = first;
    if (any && !of_policy && p->worse) put_policy(&t, p->worse);
    if (how == CHANGE_LEAF_PRICES && !holds(p->lines, how)) sought = CHANGE_LEAF;
    for (int tries = 0; any && tries < t.count && !meant(t.line[i], sought); tries++) i = (i + 1) % t.count;
    if (any && meant(t.line[i], sought)) change_line(&t, i, x, how, r);
    FILE *out = any ? open_memstream(&made, &length) : NULL;
    if (any && !out) abort();
    for (i = 0; i < t.count; free(t.line[i++]))
        if (any) fprintf(out, "%s\n", t.line[i]);
    if (any) fclose(out);
    return made;
}
