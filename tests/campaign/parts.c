/* tests/campaign/parts.c - see parts.h. */
#include "campaign/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const parts_forgery_names[PARTS_FORGERIES] = {"groups",        "groups, bound", "groups, part",  "groups, set",
                                                          "groups, count", "groups, use",   "groups, whose", "groups, class"};

enum { SETS = 1 << WORLD_K };

/* The least maximum regret of policies of one kind over each set of environments. */
typedef struct kind {
    const truth *x;
    bool own, apart;    /* promises of the set alone; models of parts have the set alone */
    truth part[SETS];   /* made on demand: tree.item != NULL */
    int item[SETS];     /* a best policy; -1: there is none */
    double least[SETS]; /* INFINITY likewise */
} kind;

/* ---- models of parts ---- */

/* The environments of the set alone, numbered anew. */
static void restrict_to(const truth *x, unsigned set, truth *y)
{
    world *w = &y->w;
    *y = *x;
    w->K = 0;
    for (int k = 0; k < x->w.K; k++) {
        if (!(set >> k & 1)) continue;
        memcpy(w->prob[w->K], x->w.prob[k], sizeof *w->prob);
        memcpy(w->pay[w->K], x->w.pay[k], sizeof *w->pay);
        for (int j = 0; j < w->J; j++) {
            memcpy(w->kept[j][w->K], x->w.kept[j][k], sizeof **w->kept);
            w->p[j][w->K] = x->w.p[j][k];
        }
        y->low[w->K] = x->low[k];
        y->high[w->K++] = x->high[k];
    }
    y->p = w->p[0][0];
    if (!world_tree_make(w, y->L, (1u << w->K) - 1, x->tree.cases, &y->tree)) abort();
}

/* All environments, but those outside the set have no regret and (own) no promise. Observations stay. */
static void silence_others(const truth *x, unsigned set, bool own, truth *y)
{
    *y = *x;
    y->tree.place = malloc((size_t)x->tree.places * sizeof *y->tree.place);
    y->tree.item = malloc((size_t)x->tree.cases * sizeof *y->tree.item);
    if (!y->tree.place || !y->tree.item) abort();
    memcpy(y->tree.place, x->tree.place, (size_t)x->tree.places * sizeof *y->tree.place);
    memcpy(y->tree.item, x->tree.item, (size_t)x->tree.cases * sizeof *y->tree.item);
    for (int k = 0; k < x->w.K; k++) {
        if (set >> k & 1) continue;
        for (int c = 0; c < y->tree.cases; c++) y->tree.item[c].gain.u[k] = 0;
        for (int j = 0; j < x->w.J && own; j++) y->w.p[j][k] = 0;
        y->low[k] = y->high[k] = 0;
    }
    y->p = y->w.p[0][0];
}

static void kind_open(kind *d, const truth *x, bool own, bool apart)
{
    *d = (kind){.x = x, .own = own, .apart = apart};
    for (unsigned set = 1; set < 1u << x->w.K; set++) {
        if (apart)
            restrict_to(x, set, &d->part[set]);
        else
            silence_others(x, set, own, &d->part[set]);
        d->item[set] = forge_best(&d->part[set], SUBJECT_REGRET, &d->least[set]);
    }
}

static void kind_close(kind *d)
{
    for (unsigned set = 1; set < 1u << d->x->w.K; set++) world_tree_free(&d->part[set].tree);
}

/* The least maximum regret over partitions into `count` groups, and an optimal one: sets, 0: none. */
static double best_groups(const kind *d, int policies, unsigned groups[WORLD_K])
{
    int K = d->x->w.K, ways = 1;
    double best = INFINITY;
    memset(groups, 0, WORLD_K * sizeof *groups);
    for (int k = 0; k < K; k++) ways *= policies;
    for (int way = 0; way < ways; way++) {
        unsigned set[WORLD_K] = {0};
        double most = 0;
        for (int k = 0, rest = way; k < K; k++, rest /= policies) set[rest % policies] |= 1u << k;
        for (int g = 0; g < policies; g++)
            if (set[g]) most = fmax(most, d->least[set[g]]);
        if (most < best || way == 0) memcpy(groups, set, sizeof set);
        best = fmin(best, most);
    }
    return best;
}

/* ---- lines ---- */

typedef struct proof_draft {
    rng *r;
    FILE *out;
    int parts, used[2 * WORLD_K], uses;
} proof_draft;

/* The part of a set, said to be about `told`, with a policy that is as good as can be or (forged) does not refute the bound. */
static void write_part(proof_draft *p, const kind *d, unsigned set, unsigned told, forgery how, double bound)
{
    const truth *x = &d->part[set];
    int item = d->item[set];
    fputs("part ", p->out);
    forge_environments(told, p->out);
    fputc('\n', p->out);
    if (how == FORGE_NOTHING) bound = d->least[set] - FORGE_CLEAR;
    if (how != FORGE_NOTHING) item = forge_above(x, SUBJECT_REGRET, bound, item, p->r);
    if (isinf(bound)) item = -1;
    forge_write(x, how, SUBJECT_REGRET, item < 0 ? INFINITY : bound, item, p->r, p->out);
    fputs("end\n", p->out);
    p->parts++;
}

/* The honest parts of all sets that are as bad as the bound; not (0: none is left out) of one set. */
static void write_bad_parts(proof_draft *p, const kind *d, double bound, unsigned except)
{
    for (unsigned set = 1; set < 1u << d->x->w.K; set++)
        if (set != except && d->least[set] - FORGE_CLEAR >= bound) write_part(p, d, set, set, FORGE_NOTHING, 0);
}

static void write_used_parts(proof_draft *p, const kind *d, const unsigned groups[WORLD_K], const unsigned told[WORLD_K])
{
    for (int g = 0; g < WORLD_K; g++) {
        if (!groups[g]) continue;
        p->used[p->uses++] = p->parts;
        write_part(p, d, groups[g], told[g], FORGE_NOTHING, 0);
    }
}

static void write_head(const proof_draft *p, int policies, bool own, bool apart)
{
    fprintf(p->out, "groups %d %s %s\n", policies, own ? "own" : "all", apart ? "apart" : "whole");
}

/* bound: INFINITY: that no groups keep the promises. */
static void write_claim(const proof_draft *p, double value, double bound)
{
    for (int i = 0; i < p->uses; i++) fprintf(p->out, "use %d\n", p->used[i]);
    if (isinf(bound))
        fputs("claim infeasible\n", p->out);
    else
        fprintf(p->out, "claim groups %.17g %.17g\n", fmax(value, bound) + FORGE_ROUNDING, bound);
}

/* ---- forged ---- */

/* The largest group that would have to be shown to be bad; of several one of them. */
static unsigned group_to_forge(const kind *d, const unsigned groups[WORLD_K], rng *r)
{
    unsigned found = 0;
    for (int g = 0; g < WORLD_K; g++)
        if (groups[g] && (!found || d->least[groups[g]] > d->least[found] || chance(r, 0.3))) found = groups[g];
    return found;
}

/* A bound above the optimum over partitions, with its part missing, honest, forged, or of another set. */
static bool write_bound(proof_draft *p, const kind *d, parts_forgery how, int policies)
{
    unsigned groups[WORLD_K];
    double best = best_groups(d, policies, groups), bound = best + ldexp(1, -draw(p->r, 8));
    if (isinf(best)) return false;
    unsigned group = group_to_forge(d, groups, p->r), other = group;
    for (unsigned set = 1; set < 1u << d->x->w.K; set++) /* worse, and so more: of all its environments and one more */
        if (d->least[set] > d->least[group] + 2 * FORGE_CLEAR && (set & group) == group && (other == group || chance(p->r, 0.5)))
            other = set;
    if (how == PARTS_SET && other == group) return false;
    if (how == PARTS_SET) bound = fmin(bound, fmax(best + FORGE_CLEAR, d->least[other] - 2 * FORGE_CLEAR));
    if (how != PARTS_SET && chance(p->r, 0.2)) bound = INFINITY;
    write_head(p, policies, d->own, d->apart);
    write_bad_parts(p, d, bound, 0);
    if (how == PARTS_BOUND) write_part(p, d, group, group, FORGE_NOTHING, 0);
    if (how == PARTS_SET) write_part(p, d, other, group, FORGE_NOTHING, 0);
    if (how == PARTS_FORGED)
        write_part(p, d, group, group, (forgery)(FORGE_LEAF + draw(p->r, FORGE_MOVED - FORGE_LEAF + 1)), bound);
    if (!isinf(bound)) write_used_parts(p, d, groups, groups);
    write_claim(p, best, bound);
    return true;
}

/* Claims a bound for more policies than it holds for. */
static bool write_count(proof_draft *p, const kind *d, int policies)
{
    unsigned groups[WORLD_K];
    double best = best_groups(d, policies, groups), fewer = policies > 1 ? best_groups(d, policies - 1, groups) : best;
    if (!(fewer > best + 3 * FORGE_CLEAR)) return false;
    double bound = fewer - 2 * FORGE_CLEAR;
    bool more = isinf(fewer) || chance(p->r, 0.5);
    write_head(p, more ? policies : policies - 1, d->own, d->apart);
    if (more) write_bad_parts(p, d, bound, 0);
    if (!more) (void)best_groups(d, policies, groups); /* that value is had by more policies alone */
    if (!isinf(bound)) write_used_parts(p, d, groups, groups);
    write_claim(p, more ? fewer : best, more ? bound : 0);
    return true;
}

/* The policies are said to be better than they are: that which regrets most is not used, or only for fewer environments, which may
 * be told as if it were for all of its group, or the value is none of theirs; and one of them may be used twice. */
static bool write_use(proof_draft *p, const kind *d, int policies)
{
    unsigned groups[WORLD_K], told[WORLD_K];
    double best = best_groups(d, policies, groups), others = 0;
    bool value = chance(p->r, 0.3);
    int worst = 0;
    if (isinf(best)) return false;
    for (int g = 0; g < WORLD_K; g++)
        if (groups[g] && d->least[groups[g]] >= (groups[worst] ? d->least[groups[worst]] : 0)) worst = g;
    unsigned less = groups[worst] & (groups[worst] - 1); /* without its first environment */
    memcpy(told, groups, sizeof told);
    if (!value) groups[worst] = less && chance(p->r, 0.7) ? less : 0;
    if (chance(p->r, 0.5)) told[worst] = groups[worst];
    for (int g = 0; g < WORLD_K; g++)
        if (groups[g]) others = fmax(others, value ? 0 : d->least[groups[g]]);
    if (!(others < best - 2 * FORGE_CLEAR)) return false;
    write_head(p, policies, d->own, d->apart);
    write_used_parts(p, d, groups, told);
    if (!value && p->uses > 0 && p->uses < policies && chance(p->r, 0.5)) p->used[p->uses++] = p->used[0];
    write_claim(p, others, 0);
    return true;
}

/* Claims a bound for own promises that holds for promises of all, or the reverse. */
static bool write_whose(proof_draft *p, const kind *d, int policies)
{
    kind other;
    unsigned groups[WORLD_K], others[WORLD_K];
    kind_open(&other, d->x, !d->own, false);
    double best = best_groups(d, policies, groups), said = best_groups(&other, policies, others);
    for (unsigned set = 1; set < 1u << d->x->w.K; set++) other.part[set].p = d->part[set].p;
    bool differ = d->own ? said > best + 4 * FORGE_CLEAR : said < best - 4 * FORGE_CLEAR;
    if (differ) {
        double bound = d->own ? said - 2 * FORGE_CLEAR : 0; /* of own promises better groups are allowed; of all only worse ones */
        write_head(p, policies, d->own, false);
        if (d->own) write_bad_parts(p, &other, bound, 0);
        if (!isinf(bound)) write_used_parts(p, &other, others, others);
        write_claim(p, said, bound);
    }
    kind_close(&other);
    return differ;
}

/* Claims a bound for policies with knowledge that holds without; the last parts name these. */
static bool write_class(proof_draft *p, const kind *d, int policies)
{
    truth blind = *d->x;
    kind other;
    unsigned groups[WORLD_K], others[WORLD_K];
    blind.L = 0;
    if (d->x->L == 0 || !world_tree_make(&blind.w, 0, (1u << blind.w.K) - 1, d->x->tree.cases, &blind.tree)) return false;
    kind_open(&other, &blind, d->own, false);
    double best = best_groups(d, policies, groups), said = best_groups(&other, policies, others), bound = said - 2 * FORGE_CLEAR;
    bool differ = said > best + 4 * FORGE_CLEAR;
    if (differ) {
        write_head(p, policies, d->own, false);
        write_bad_parts(p, &other, bound, 0);
        write_used_parts(p, d, groups, groups);
        if (isinf(bound)) p->uses = 0;
        write_claim(p, said, bound);
    }
    kind_close(&other);
    world_tree_free(&blind.tree);
    return differ;
}

static bool write_honest(proof_draft *p, const kind *d, int policies)
{
    unsigned groups[WORLD_K];
    double best = best_groups(d, policies, groups), bound = best - 2 * FORGE_CLEAR;
    write_head(p, policies, d->own, d->apart);
    if (isinf(best) || chance(p->r, 0.5)) {
        write_bad_parts(p, d, bound, 0);
        if (!isinf(best)) write_used_parts(p, d, groups, groups);
    } else {
        write_used_parts(p, d, groups, groups);
        write_bad_parts(p, d, bound, 0);
    }
    write_claim(p, best, bound);
    return true;
}

char *parts_write(const truth *x, parts_forgery how, rng *r)
{
    char *lines;
    size_t length;
    kind d;
    bool own = chance(r, 0.6), apart = own && x->L == 0 && how != PARTS_WHOSE && chance(r, 0.5), any = false;
    int policies = 1 + draw(r, x->w.K);
    proof_draft p = {.r = r, .out = open_memstream(&lines, &length)};
    if (!p.out) abort();
    kind_open(&d, x, own, apart);
    switch (how) {
    case PARTS_HONEST:
        any = write_honest(&p, &d, policies);
        break;
    case PARTS_COUNT:
        any = write_count(&p, &d, policies);
        break;
    case PARTS_USE:
        any = write_use(&p, &d, policies);
        break;
    case PARTS_WHOSE:
        any = write_whose(&p, &d, policies);
        break;
    case PARTS_CLASS:
        any = write_class(&p, &d, policies);
        break;
    default:
        any = write_bound(&p, &d, how, policies);
        break;
    }
    kind_close(&d);
    fclose(p.out);
    if (!any) free(lines);
    return any ? lines : NULL;
}
