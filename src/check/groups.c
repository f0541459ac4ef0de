/* check/groups.c - proofs about several policies, one of which is followed once the environment is announced (FORMAT.md, "Several
 * policies"). A part is a proof about some of the environments. A process of its own reads it, and its memory ends with it. */
#include "check/check.h"

#include <sys/wait.h>
#include <unistd.h>

/* What a part has shown of the policies for its environments. */
typedef struct group_part {
    uint64_t *set;
    bool valued, exactly, infinite; /* a policy is worth `value`, promises kept exactly; there is none at all */
    mpq_t value, bound;
} group_part;

typedef struct groups {
    proof *x;
    int policies, words;
    bool own, apart;
    group_part *part;
    int parts;
    bool claimed;
    int *used, uses; /* parts whose policies are kept ready */
    mpq_t bound;     /* claimed; of sets that are forbidden */
    bool *forbidden; /* [parts] */
    bool infinite;   /* nothing is claimed but that no policies keep the promises */
    int *colour;     /* [K] */
    uint64_t *in;    /* [policies * words] */
} groups;

/* ---- the model of a part ---- */

static void move(numbers x, size_t to, size_t from)
{
    if (x.q) mpq_set(x.q[to], x.q[from]);
    for (int i = DOWN; i <= UP; i++) x.end[i][to] = x.end[i][from];
}

/* Environment k becomes number i <= k: only what has been read is written over. *outcomes: how many are kept so far. */
static void take_environment(model *m, int i, int k, size_t *outcomes)
{
    size_t pairs = (size_t)m->S * (size_t)m->A, S = (size_t)m->S;
    for (size_t q = 0; q < pairs; q++) {
        size_t from = (size_t)k * pairs + q, to = (size_t)i * pairs + q, first = m->start[from], last = m->start[from + 1];
        m->start[to] = *outcomes;
        for (size_t o = first; o < last; o++, ++*outcomes) {
            m->next[*outcomes] = m->next[o];
            m->seen[*outcomes] = m->seen[o];
            move(m->prob, *outcomes, o);
        }
        move(m->paid, to, from);
    }
    for (int j = 0; j < m->J; j++) {
        memmove(m->phi + (size_t)(i * m->J + j) * S, m->phi + (size_t)(k * m->J + j) * S, S * sizeof *m->phi);
        mpq_set(m->p[i * m->J + j], m->p[k * m->J + j]);
    }
}

/* Only these environments are left. */
static void restrict_to(model *m, const uint64_t *set)
{
    size_t pairs = (size_t)m->S * (size_t)m->A, outcomes = 0;
    int count = 0;
    for (int k = 0; k < m->K; k++)
        if (in(set, k)) take_environment(m, count++, k, &outcomes);
    m->K = count;
    m->P = count * m->J;
    m->start[(size_t)count * pairs] = outcomes;
}

/* The others pay the same whatever is done and, if promises are the part's own, promise nothing. */
static void silence_others(model *m, const uint64_t *set, bool own)
{
    size_t pairs = (size_t)m->S * (size_t)m->A;
    mpq_t most; /* no less than a floor */
    mpq_init(most);
    mpq_sub(most, m->most, m->least);
    for (int k = 0; k < m->K; k++) {
        if (in(set, k)) continue;
        for (size_t q = 0; q < pairs; q++) put(m->paid, (size_t)k * pairs + q, most);
        for (int j = 0; j < m->J && own; j++) mpq_set_ui(m->p[k * m->J + j], 0, 1);
    }
    mpq_clear(most);
}

static void make_part_model(const groups *g, const group_part *p, model *m)
{
    if (g->apart)
        restrict_to(m, p->set);
    else
        silence_others(m, p->set, g->own);
    m->one_p = true;
    for (int r = 1; r < m->P; r++) m->one_p = m->one_p && mpq_equal(m->p[r], m->p[0]);
}

/* ---- parts ---- */

/* In the part's own process: reads the part and writes what it shows to `out`. */
static _Noreturn void read_part(groups *g, const group_part *p, FILE *out)
{
    mpq_t value, least;
    bool valued, infinite, exactly;
    make_part_model(g, p, &g->x->m);
    mpq_inits(value, least, NULL);
    proof_body(g->x, "end");
    if (g->apart && g->x->class != HISTORY && g->x->g.L > 0) refuted("with L above 0 groups know by all environments");
    infinite = !proof_shows(g->x, &valued, value, least, &exactly);
    fprintf(out, "%d %d %d %s %d %lu ", valued, infinite, exactly, g->x->method, g->x->g.L, (unsigned long)work);
    mpq_out_str(out, 16, value);
    fputc(' ', out);
    mpq_out_str(out, 16, least);
    fputc(' ', out);
    mpq_out_str(out, 16, g->x->keep);
    fputc('\n', out);
    if (fflush(out) != 0) stop(LIMIT, "no pipe");
    _exit(0);
}

/* part ENVIRONMENTS, and all lines up to end */
static void next_part(groups *g, char method[32], int *L)
{
    mpq_t keep;
    int valued, infinite, exactly, status = 0, of_L, ends[2];
    unsigned long worked;
    char name[32];
    g->part = grown(g->part, (size_t)g->parts, sizeof *g->part);
    group_part *p = &g->part[g->parts++];
    *p = (group_part){.set = environments(g->x, word())};
    mpq_inits(p->value, p->bound, keep, NULL);
    line_end();
    fflush(stdout);
    if (pipe(ends) != 0) stop(LIMIT, "no pipe");
    pid_t child = fork();
    if (child < 0) stop(LIMIT, "no process for a part");
    FILE *out = fdopen(ends[child == 0], child == 0 ? "w" : "r");
    if (!out) stop(LIMIT, "no pipe");
    if (child == 0) read_part(g, p, out);
    close(ends[1]);
    bool told = fscanf(out, "%d %d %d %31s %d %lu", &valued, &infinite, &exactly, name, &of_L, &worked) == 6 &&
                mpq_inp_str(p->value, out, 16) > 0 && mpq_inp_str(p->bound, out, 16) > 0 && mpq_inp_str(keep, out, 16) > 0;
    fclose(out);
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) stop(LIMIT, "a part has ended too soon");
    if (WEXITSTATUS(status) != 0) _exit(WEXITSTATUS(status)); /* it has said why */
    if (!told) stop(LIMIT, "a part has ended without a word");
    p->valued = valued;
    p->infinite = infinite;
    p->exactly = exactly;
    if (g->parts > 1 && (strcmp(name, method) != 0 || of_L != *L)) refuted("parts are about other policies");
    if (g->parts > 1 && !mpq_equal(keep, g->x->keep)) refuted("parts have different tolerances");
    mpq_set(g->x->keep, keep);
    mpq_clear(keep);
    memcpy(method, name, sizeof name);
    *L = of_L;
    work = worked;
    for (bool over = false; !over;) { /* the part's process has read these lines */
        if (!line_next()) refuted("the proof is not complete");
        char *first = word_or_none();
        over = first && strcmp(first, "end") == 0;
    }
}

/* ---- the end ---- */

/* Are all environments in just one of the groups whose policies are kept ready, which are few enough? */
static void check_groups(const groups *g)
{
    if (g->uses < 1 || g->uses > g->policies) refuted("%d groups; expected 1 to %d", g->uses, g->policies);
    for (int k = 0; k < g->x->m.K; k++) {
        int of = 0;
        for (int i = 0; i < g->uses; i++) of += in(g->part[g->used[i]].set, k);
        if (of != 1) refuted("environment %d is in %d groups", k, of);
    }
}

/* Would environment k complete a forbidden set in group c? */
static bool completes(const groups *g, int k, int c)
{
    const uint64_t *with = g->in + (size_t)c * (size_t)g->words;
    spend((size_t)g->parts * (size_t)g->words);
    for (int i = 0; i < g->parts; i++) {
        if (!g->forbidden[i] || !in(g->part[i].set, k)) continue;
        bool all = true;
        for (int w = 0; w < g->words && all; w++) {
            uint64_t rest = g->part[i].set[w] & ~with[w];
            if (w == k / 64) rest &= ~(UINT64_C(1) << (k % 64));
            all = rest == 0;
        }
        if (all) return true;
    }
    return false;
}

/* Can every environment that has no group yet join one so that no group holds a forbidden set? The first `begun` groups have
 * members; empty groups are alike, so that only one of them is tried. The next environment is the one with fewest groups open to
 * it. */
static bool can_be_grouped(groups *g, int begun)
{
    int open = begun < g->policies ? begun + 1 : begun, least = INT_MAX, next = -1;
    for (int k = 0; k < g->x->m.K && least > 0; k++) {
        int n = 0;
        for (int c = 0; c < open && g->colour[k] < 0; c++) n += !completes(g, k, c);
        if (g->colour[k] < 0 && n < least) {
            least = n;
            next = k;
        }
    }
    if (next < 0) return true;
    for (int c = 0; c < open; c++) {
        if (completes(g, next, c)) continue;
        g->colour[next] = c;
        include(g->in + (size_t)c * (size_t)g->words, next);
        if (can_be_grouped(g, begun + (c == begun))) return true;
        g->colour[next] = -1;
        g->in[(size_t)c * (size_t)g->words + (size_t)next / 64] &= ~(UINT64_C(1) << (next % 64));
    }
    return false;
}

static void check_bound(groups *g)
{
    int K = g->x->m.K;
    if (!g->infinite && mpq_sgn(g->bound) <= 0) { /* no regret is less */
        mpq_set_ui(g->bound, 0, 1);
        return;
    }
    if (g->policies > K) g->policies = K;
    g->forbidden = zeroed((size_t)g->parts + 1, sizeof *g->forbidden);
    g->colour = zeroed((size_t)K, sizeof *g->colour);
    g->in = zeroed((size_t)g->policies * (size_t)g->words, sizeof *g->in);
    for (int k = 0; k < K; k++) g->colour[k] = -1;
    for (int i = 0; i < g->parts; i++)
        g->forbidden[i] = g->part[i].infinite || (!g->infinite && mpq_cmp(g->part[i].bound, g->bound) >= 0);
    if (can_be_grouped(g, 0)) refuted("some groups may be better than the bound claimed");
}

/* use PART ..   then   claim groups V B | claim infeasible. first: the first word. */
static void read_end(groups *g, const char *first)
{
    mpq_t value;
    mpq_inits(value, g->bound, NULL);
    for (;; first = word()) {
        if (strcmp(first, "complete") == 0) break;
        if (strcmp(first, "use") == 0) {
            g->used = grown(g->used, (size_t)g->uses, sizeof *g->used);
            g->used[g->uses++] = integer(word(), 0, g->parts - 1);
        } else if (strcmp(first, "claim") == 0) {
            const char *of = word();
            if (g->claimed) refuted("a second claim");
            g->claimed = true;
            g->infinite = strcmp(of, "infeasible") == 0;
            if (!g->infinite && strcmp(of, "groups") != 0) refuted("\"%.40s\" is not what groups are about", of);
            if (!g->infinite) rational(word(), value);
            if (!g->infinite) rational(word(), g->bound);
        } else {
            refuted("a line that begins with \"%.40s\"", first);
        }
        line_end();
        if (!line_next()) refuted("the proof is not complete");
    }
    if (integer(word(), 1, INT_MAX) != at_line) refuted("lines are missing");
    line_end();
    if (line_next()) refuted("a line after the last");
    if (!g->claimed) refuted("nothing is claimed");
    if (!g->infinite) {
        check_groups(g);
        for (int i = 0; i < g->uses; i++) {
            const group_part *p = &g->part[g->used[i]];
            if (!p->valued || mpq_cmp(p->value, value) > 0)
                refuted("the policy of part %d regrets more than is claimed", g->used[i]);
        }
        if (mpq_cmp(value, g->bound) < 0) refuted("the policies are better than the bound claimed allows");
    }
    check_bound(g);
    mpq_clear(value);
}

static void tell(const groups *g, const char *method, int L)
{
    mpq_t most;
    bool exactly = true;
    printf("%d policies, %s, L = %d, T = %d, promises of %s, %d sets of environments\n", g->policies, method, L, g->x->m.T,
           g->own ? "each group's own environments" : "all environments", g->parts);
    if (g->infinite) {
        printf("verified: so many policies of the class do not keep the promises\n");
        return;
    }
    mpq_init(most);
    for (int i = 0; i < g->uses; i++) {
        const group_part *p = &g->part[g->used[i]];
        if (mpq_cmp(p->value, most) > 0) mpq_set(most, p->value);
        exactly = exactly && p->exactly;
    }
    print_rounded("verified: maximum regret of each environment's own policy <= ", most, true);
    print_rounded(", >= ", g->bound, false);
    printf(exactly ? "; every promise kept exactly\n" : "; every promise kept within the tolerance of its part\n");
    mpq_clear(most);
}

static void groups_free(groups *g)
{
    for (group_part *p = g->part; p < g->part + g->parts; p++) {
        free(p->set);
        mpq_clears(p->value, p->bound, NULL);
    }
    mpq_clear(g->bound);
    free(g->part);
    free(g->used);
    free(g->forbidden);
    free(g->colour);
    free(g->in);
}

void groups_read(proof *x)
{
    groups g = {.x = x, .words = (x->m.K + 63) / 64};
    for (int j = 0; j < x->m.J; j++)
        if (x->m.average[j]) refuted("a promise on average is one of a policy for all environments, not of several policies");
    char method[32] = "";
    int L = 0;
    const char *of;
    g.policies = integer(word(), 1, INT_MAX);
    of = word();
    g.own = strcmp(of, "own") == 0;
    if (!g.own && strcmp(of, "all") != 0) refuted("\"%.40s\"; expected own or all", of);
    of = word();
    g.apart = strcmp(of, "apart") == 0;
    if (!g.apart && strcmp(of, "whole") != 0) refuted("\"%.40s\"; expected apart or whole", of);
    if (g.apart && !g.own) refuted("promises of all environments need all of them");
    line_end();
    x->g.words = (size_t)g.words; /* of the sets of parts */
    for (;;) {
        if (!line_next()) refuted("the proof is not complete");
        of = word();
        if (strcmp(of, "part") != 0) break;
        next_part(&g, method, &L);
    }
    read_end(&g, of);
    tell(&g, method, L);
    groups_free(&g);
}
