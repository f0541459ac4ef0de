/* check/proof.c - the lines of a proof: head, nodes, rules, claims. Each is checked as it is read, against what was read before. */
#include "check/proof.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int check_named_node(check_proof *x, const char *word)
{
    int n = line_int(word, 0, INT_MAX);
    if ((size_t)n >= x->named) refuted("there is no node %d", n);
    return x->node[n];
}

int check_named_action(check_proof *x, int node, const char *word)
{
    int a = check_option(&x->g, node, line_int(word, 0, x->m->A - 1));
    if (a < 0) refuted("action %s is not available there", word);
    return a;
}

static void read_set(const check_proof *x, const char *word, uint64_t *set)
{
    bool all = strcmp(word, "*") == 0;
    for (int k = 0; all && k < x->m->K; k++) set[k / 64] |= UINT64_C(1) << (k % 64);
    for (const char *at = word; !all && *at;) {
        char *end;
        long k = strtol(at, &end, 10);
        if (end == at || k < 0 || k >= x->m->K || (*end && *end != ',')) refuted("environments \"%.40s\"", word);
        set[k / 64] |= UINT64_C(1) << (k % 64);
        at = *end ? end + 1 : end;
    }
}

/* node NUMBER t state - k,k,..   or   node NUMBER t state BOUNDARY */
static void read_node(check_proof *x)
{
    check_lines *l = &x->lines;
    int number = line_next_int(l, 0, INT_MAX), t = line_next_int(l, 0, x->m->T - 1), s = line_next_int(l, 0, x->m->S - 1);
    int boundary = -1;
    const char *word = line_word(l);
    uint64_t *set = zeroed((size_t)x->g.words, sizeof *set);
    if ((size_t)number != x->named) refuted("node %d; expected %zu", number, x->named);
    if ((t <= x->g.L) != (strcmp(word, "-") == 0)) refuted("up to L nodes have environments, after it a boundary");
    if (t <= x->g.L)
        read_set(x, line_word(l), set);
    else
        boundary = check_named_node(x, word);
    int n = check_find(&x->g, t, s, boundary, set);
    free(set);
    if (n < 0) refuted("no policy comes to this node");
    line_end(l);
    x->node = grown(x->node, &x->named_room, x->named, sizeof *x->node);
    x->node[x->named++] = n;
}

/* The rest of the line as a distribution over actions of node n:  action   or   action=chance .. */
static void read_chances(check_proof *x, int n, check_rule *rule)
{
    mpq_t sum;
    mpq_init(sum);
    rule->action = zeroed((size_t)x->m->A, sizeof *rule->action);
    rule->chance = zeroed((size_t)x->m->A, sizeof *rule->chance);
    for (char *word = line_word(&x->lines); word; word = line_more(&x->lines)) {
        char *chance = strchr(word, '=');
        if (rule->count == x->m->A) refuted("too many actions");
        int i = rule->count++;
        mpq_init(rule->chance[i]);
        if (chance) *chance++ = '\0';
        (void)check_named_action(x, n, word);
        rule->action[i] = line_int(word, 0, x->m->A - 1);
        line_number(chance ? chance : "1", rule->chance[i]);
        if (mpq_sgn(rule->chance[i]) < 0) refuted("a negative probability");
        mpq_add(sum, sum, rule->chance[i]);
    }
    if (mpq_sgn(sum) <= 0) refuted("a rule that does nothing");
    for (int i = 0; i < rule->count; i++) mpq_div(rule->chance[i], rule->chance[i], sum);
    mpq_clear(sum);
    if (x->deterministic && rule->count > 1) refuted("a deterministic policy does one thing at a node");
    x->ruled = true;
}

/* do NODE .. */
static void read_rule(check_proof *x)
{
    int n = check_named_node(x, line_word(&x->lines));
    if (x->rule[n]) refuted("this node has a rule already");
    x->rule[n] = zeroed(1, sizeof *x->rule[n]);
    read_chances(x, n, x->rule[n]);
}

/* like t state w .. ; .. */
static void read_like(check_proof *x)
{
    check_lines *l = &x->lines;
    x->like = grown(x->like, &x->like_room, x->likes, sizeof *x->like);
    check_like_rule *rule = &x->like[x->likes++];
    *rule = (check_like_rule){.t = line_next_int(l, 0, x->m->T - 1), .s = line_next_int(l, 0, x->m->S - 1)};
    rule->weight = zeroed((size_t)x->m->K, sizeof *rule->weight);
    line_numbers(l, x->m->K, x->lambda);
    for (int k = 0; k < x->m->K; k++) rule->weight[k] = mpq_get_d(x->lambda[k]);
    int n = x->g.layer[rule->t];
    while (n < x->g.layer[rule->t + 1] && x->g.node[n].s != rule->s) n++;
    if (n == x->g.layer[rule->t + 1] || x->deterministic) refuted("no policy of this class decides there");
    read_chances(x, n, &rule->rule);
}

/* The probability of the line must be the model's, which it may hold as a double. */
static void read_probability(check_proof *x)
{
    mpq_t theirs, rounding;
    mpq_inits(theirs, rounding, NULL);
    line_number(line_word(&x->lines), theirs);
    mpq_sub(theirs, theirs, x->m->p);
    mpq_abs(theirs, theirs);
    mpq_set_d(rounding, 0x1p-52);
    if (mpq_cmp(theirs, rounding) > 0) refuted("the proof is about another probability");
    mpq_clears(theirs, rounding, NULL);
}

/* plan METHOD L T p keep */
static void read_plan(check_proof *x, const check_asked *asked)
{
    static const char *const methods[] = {"milp-ccl", "history", "exact-ccl", "greedy", "mdps-best"};
    const char *word = line_word(&x->lines);
    size_t i = 0;
    while (i < sizeof methods / sizeof *methods && strcmp(methods[i], word) != 0) i++;
    if (i == sizeof methods / sizeof *methods) refuted("there is no method %.40s", word);
    x->deterministic = i == 0;
    int L = line_next_int(&x->lines, 0, x->m->T);
    if (asked->L >= 0 && L != asked->L) refuted("the proof is about another L");
    if (i == 1 && L != x->m->T) refuted("of history policies L is the horizon");
    if (line_next_int(&x->lines, 1, INT_MAX) != x->m->T) refuted("the proof is about another horizon");
    read_probability(x);
    line_number(line_word(&x->lines), x->keep);
    if (mpq_sgn(x->keep) < 0) refuted("a negative tolerance");
    mpq_sub(x->enough, x->m->p, x->keep);
    line_end(&x->lines);
    check_graph_make(&x->g, x->m, L);
    x->rule = zeroed(x->g.nodes, sizeof(check_rule *));
    check_span most;
    check_span_init(&most);
    for (int k = 0; k < x->m->K; k++) (void)check_optimum(x->m, k, x->keep, &x->optimum[k], &most);
    check_span_clear(&most);
}

/* model HASH BYTES */
static void read_model(check_proof *x, const check_asked *asked)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)asked->hash);
    bool same = strcmp(line_word(&x->lines), hash) == 0;
    if (!same || (size_t)line_next_int(&x->lines, 0, INT_MAX) != asked->length)
        refuted("the proof is about another model, or the model has changed since");
    line_end(&x->lines);
}

/* ---- the end ---- */

/* x in 12 digits, not less (up) or not more than it is. */
static void print_rounded(const mpq_t x, bool up)
{
    char word[64];
    mpq_t shown;
    double d = mpq_get_d(x);
    mpq_init(shown);
    for (double step = 0;; step = step > 0 ? 2 * step : (d < 0 ? -d : d) * 1e-12 + 1e-300) {
        snprintf(word, sizeof word, "%.12g", up ? d + step : d - step);
        if (!read_number(word, shown)) break; /* too large for digits: as it is */
        if (up ? mpq_cmp(shown, x) >= 0 : mpq_cmp(shown, x) <= 0) break;
    }
    fputs(word, stdout);
    mpq_clear(shown);
}

/* What the policy of the `like` lines is worth: each class follows the rule of the nearest likelihoods. Whatever the distance, that is a policy. -1: fine. */
static int weigh_history(const check_proof *x, check_span U[], check_span Pr[])
{
    static check_rung rung; /* kept to the end of the program */
    check_rung_make(&rung, &x->g, x->m->T + 1);
    const check_rule **rule = zeroed(rung.classes, sizeof *rule);
    double *weight = zeroed((size_t)x->m->K, sizeof *weight);
    for (size_t c = 0; c < (size_t)rung.layer[x->m->T]; c++) {
        const check_node *n = &x->g.node[rung.node[c]];
        double nearest = 2;
        memset(weight, 0, (size_t)x->m->K * sizeof *weight);
        for (size_t w = rung.weight_start[c]; w < rung.weight_start[c + 1]; w++) weight[rung.env[w]] = rung.weight_above[w];
        for (size_t i = 0; i < x->likes; i++) {
            const check_like_rule *r = &x->like[i];
            double apart = 0;
            if (r->t != n->t || r->s != n->s) continue;
            for (int k = 0; k < x->m->K; k++) apart = fmax(apart, fabs(weight[k] - r->weight[k]));
            if (!(apart < nearest)) continue;
            nearest = apart;
            rule[c] = &r->rule;
        }
    }
    int bare = check_class_value(&rung, rule, U, Pr);
    free(rule);
    free(weight);
    return bare;
}

/* U and Pr of the policy: its maximum and its total regret, from above. Returns whether every promise is kept exactly. */
static bool weigh_policy(const check_proof *x, mpq_t maximum, mpq_t total)
{
    int K = x->m->K;
    bool exactly = true;
    check_span *U = zeroed((size_t)K, sizeof *U), *Pr = zeroed((size_t)K, sizeof *Pr);
    mpq_t regret;
    mpq_init(regret);
    for (int k = 0; k < K; k++) {
        check_span_init(&U[k]);
        check_span_init(&Pr[k]);
    }
    int bare = x->likes ? weigh_history(x, U, Pr) : check_value(&x->g, (const check_rule *const *)x->rule, U, Pr);
    if (bare >= 0) refuted("the policy comes to a node without a rule");
    for (int k = 0; k < K; k++) {
        mpq_sub(regret, x->optimum[k].high, U[k].low);
        mpq_add(total, total, regret);
        if (k == 0 || mpq_cmp(regret, maximum) > 0) mpq_set(maximum, regret);
        if (mpq_cmp(Pr[k].low, x->enough) < 0) refuted("the policy does not keep the promise in environment %d", k);
        exactly &= mpq_cmp(Pr[k].low, x->m->p) >= 0;
        check_span_clear(&U[k]);
        check_span_clear(&Pr[k]);
    }
    mpq_clear(regret);
    free(U);
    free(Pr);
    return exactly;
}

/* claim regret V B | claim total V B | claim infeasible */
typedef struct check_claim {
    bool infeasible, made[2];
    mpq_t value[2], bound[2];
} check_claim;

static void read_claim(check_proof *x, check_claim *claim)
{
    const char *word = line_word(&x->lines);
    int which = strcmp(word, "total") == 0;
    if (strcmp(word, "infeasible") == 0) {
        claim->infeasible = true;
        line_end(&x->lines);
        return;
    }
    if (!which && strcmp(word, "regret") != 0) refuted("a claim of %.40s", word);
    if (claim->made[which]) refuted("a second claim of %s", word);
    claim->made[which] = true;
    line_number(line_word(&x->lines), claim->value[which]);
    line_number(line_word(&x->lines), claim->bound[which]);
    line_end(&x->lines);
}

/* Nothing less than the bound claimed is possible: by the tree or, of a bound of 0, since no policy that keeps the promise earns more than U*. */
static void check_lower(const check_proof *x, const check_claim *claim, int which)
{
    const check_tree *tree = &x->tree[which];
    if (mpq_sgn(claim->bound[which]) <= 0) return;
    if (!x->grown[which]) refuted("there is no tree for the bound");
    if (x->grown[which] && tree->finite && mpq_cmp(tree->least, claim->bound[which]) < 0)
        refuted("the tree proves less than the bound claimed");
}

static void conclude(const check_proof *x, const check_claim *claim)
{
    mpq_t value[2];
    if (x->at >= 0) check_tree_end(&x->tree[x->at]);
    if (claim->infeasible) {
        if (claim->made[0] || claim->made[1]) refuted("two claims that exclude each other");
        if (!x->grown[0] || x->tree[0].finite) refuted("some case may keep the promise");
        printf("verified: no policy of the class keeps the promise in every environment\n");
        return;
    }
    if (!claim->made[0]) refuted("nothing is claimed");
    if (!x->ruled) refuted("there is no policy");
    mpq_inits(value[0], value[1], NULL);
    bool exactly = weigh_policy(x, value[0], value[1]);
    for (int i = 0; i < 2; i++) {
        if (!claim->made[i]) continue;
        if (mpq_cmp(value[i], claim->value[i]) > 0) refuted("the policy regrets more than is claimed");
        check_lower(x, claim, i);
    }
    if (claim->made[1] && x->grown[1] && mpq_cmp(x->tree[1].cap, value[0]) < 0)
        refuted("the cap is below the policy's maximum regret");
    if (claim->made[1]) {
        printf("verified: total regret <= ");
        print_rounded(value[1], true);
        printf(", >= ");
        print_rounded(claim->bound[1], false);
        printf(" among policies of that maximum regret\n");
    }
    bool shown = mpq_sgn(claim->bound[0]) > 0; /* else nothing but that no regret is negative where the promise is kept exactly */
    printf("verified: maximum regret <= ");
    print_rounded(value[0], true);
    printf(", >= ");
    print_rounded(shown || mpq_cmp(value[0], claim->bound[0]) > 0 ? claim->bound[0] : value[0], false);
    printf("; every promise kept %s\n", exactly ? "exactly" : "within 1e-9");
    mpq_clears(value[0], value[1], NULL);
}

static void read_body(check_proof *x, check_claim *claim)
{
    for (;;) {
        if (!lines_next(&x->lines)) refuted("the proof is not complete");
        const char *word = line_word(&x->lines);
        if (strcmp(word, "complete") == 0) break;
        if (strcmp(word, "node") == 0)
            read_node(x);
        else if (strcmp(word, "do") == 0)
            read_rule(x);
        else if (strcmp(word, "like") == 0)
            read_like(x);
        else if (strcmp(word, "tree") == 0)
            check_tree_start(x);
        else if (strcmp(word, "claim") == 0)
            read_claim(x, claim);
        else if (!check_tree_line(x, word))
            refuted("a line that begins with \"%.40s\"", word);
    }
    if (line_next_int(&x->lines, 1, INT_MAX) != x->lines.number) refuted("lines are missing");
    line_end(&x->lines);
}

/* The next line begins with this word. */
static void expect(check_lines *l, const char *word)
{
    if (!lines_next(l)) refuted("the proof is not complete");
    const char *found = line_more(l);
    if (!found || strcmp(found, word) != 0) refuted("expected \"%s\"", word);
}

void check_proof_read(const check_model *m, const check_asked *asked, const char *path)
{
    static check_proof all; /* kept to the end of the program */
    check_proof *x = &all;
    check_claim claim = {.infeasible = false};
    *x = (check_proof){.m = m, .at = -1};
    mpq_inits(x->keep, x->enough, claim.value[0], claim.value[1], claim.bound[0], claim.bound[1], NULL);
    x->optimum = zeroed((size_t)m->K, sizeof *x->optimum);
    x->lambda = zeroed((size_t)m->K, sizeof *x->lambda);
    x->mu = zeroed((size_t)m->K, sizeof *x->mu);
    x->weight = zeroed((size_t)m->K, sizeof *x->weight);
    x->price = zeroed((size_t)m->K, sizeof *x->price);
    for (int k = 0; k < m->K; k++) {
        check_span_init(&x->optimum[k]);
        mpq_inits(x->lambda[k], x->mu[k], NULL);
    }
    lines_open(&x->lines, path);
    expect(&x->lines, "vouch-proof");
    if (line_next_int(&x->lines, 1, INT_MAX) != 1) unreadable("a proof of a later version");
    expect(&x->lines, "model");
    read_model(x, asked);
    expect(&x->lines, "plan");
    read_plan(x, asked);
    read_body(x, &claim);
    if (lines_next(&x->lines)) refuted("a line after the last");
    x->lines.number--;
    conclude(x, &claim);
    mpq_clears(claim.value[0], claim.value[1], claim.bound[0], claim.bound[1], NULL);
    lines_close(&x->lines);
}
