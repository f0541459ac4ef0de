/* tests/campaign/models.c - see models.h. */
#include "campaign/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/policies.h"

enum { S_MOST = 5, A_MOST = 3, K_MOST = 4, BRANCHES = 3 };

const char *const probability_names[P_CLASSES] = {"p zero", "p tiny", "p typical", "p edge", "p near edge", "p one"};
const char *const change_names[3] = {"rewards plain", "rewards scaled", "rewards shifted"};

/* Probabilities of slipping: around the 2^-40 within which a commitment counts as kept, and far from it. */
static const double slips[] = {1e-15, 1e-14, 1e-13, 3e-13, 5e-13, 9e-13, 1e-12, 2e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-5};

typedef struct pair {
    int count, next[BRANCHES];
    bool listed; /* with rows of probability 0 */
    double prob[BRANCHES], reward[BRANCHES];
} pair;

typedef enum reward_style {
    REWARD_INTEGER,
    REWARD_DECIMAL,
    REWARD_EQUAL,
    REWARD_NEAR,
    REWARD_CHAIN,
    REWARD_MIXED,
    REWARD_CONTINUOUS,
    REWARD_STYLES
} reward_style;

typedef struct sketch {
    int S, A, K, T, s0, targets; /* targets: states that are ever reached */
    bool has[S_MOST][A_MOST], phi[S_MOST];
    pair pair[K_MOST][S_MOST][A_MOST];
    reward_style style;
    bool slippery, deterministic, shared, goal; /* goal: what keeps the commitment is never left */
} sketch;

static double reward(rng *r, const sketch *z)
{
    switch (z->style) {
    case REWARD_INTEGER:
        return draw(r, 5) - 1;
    case REWARD_DECIMAL:
        return 0.1 * (draw(r, 9) - 2);
    case REWARD_EQUAL:
        return 1;
    case REWARD_NEAR:
        return (1 + draw(r, 3)) * (1 + 1e-12 * draw(r, 3));
    case REWARD_CHAIN: /* neighbours are one observation, and so is the whole chain where nobody is missing */
        return 1 + 0.6e-9 * draw(r, 5);
    case REWARD_MIXED: /* neither lost beside the other */
        return (draw(r, 5) - 1) * (chance(r, 0.5) ? 1e-6 : 1e6);
    default:
        return 4 * rng_unit(r) - 1;
    }
}

static void spread_probability(rng *r, pair *p)
{
    int left = 8;
    bool eighths = chance(r, 0.7);
    double sum = 0;
    for (int i = 0; i < p->count; i++) {
        int part = i + 1 < p->count ? 1 + draw(r, left - (p->count - i - 1)) : left;
        left -= part;
        p->prob[i] = eighths ? part / 8.0 : 0.05 + rng_unit(r);
        sum += p->prob[i];
    }
    for (int i = 0; i < p->count; i++) p->prob[i] /= sum;
}

static pair draw_pair(rng *r, const sketch *z)
{
    pair p = {.count = 1};
    bool slip = z->slippery && chance(r, 0.4);
    if (!z->deterministic && z->targets > 1) p.count = 1 + draw(r, z->targets < BRANCHES ? z->targets : BRANCHES);
    if (slip && z->targets > 1) p.count = 2;
    p.next[0] = draw(r, z->targets);
    for (int i = 1; i < p.count; i++) p.next[i] = (p.next[i - 1] + 1) % z->targets;
    spread_probability(r, &p);
    if (slip && p.count == 2) {
        p.prob[1] = slips[draw(r, (int)(sizeof slips / sizeof *slips))];
        p.prob[0] = 1 - p.prob[1];
    }
    p.listed = chance(r, 0.05);
    bool observed = chance(r, 0.2);
    p.reward[0] = reward(r, z);
    for (int i = 1; i < p.count; i++) p.reward[i] = observed ? reward(r, z) : p.reward[0];
    return p;
}

static void other_rewards(rng *r, const sketch *z, pair *p)
{
    double one = reward(r, z);
    for (int i = 0; i < p->count; i++) p->reward[i] = one;
}

static void draw_state(rng *r, sketch *z, int s)
{
    int sure = draw(r, z->A);
    bool absorbing = chance(r, 0.1) || (z->goal && z->phi[s]);
    for (int a = 0; a < z->A; a++) {
        z->has[s][a] = a == sure || !chance(r, 0.2);
        int how = z->shared ? draw(r, 2) : draw(r, 4); /* alike; other rewards; other transitions twice */
        for (int k = 0; k < z->K; k++) {
            pair *p = &z->pair[k][s][a];
            *p = k == 0 || how >= 2 ? draw_pair(r, z) : z->pair[0][s][a];
            if (absorbing) p->count = 1, p->next[0] = s, p->prob[0] = 1;
            if (k > 0 && how == 1) other_rewards(r, z, p);
        }
    }
}

static void duplicate(rng *r, sketch *z)
{
    int what = draw(r, 6);
    if (what == 0 && z->K > 1) memcpy(z->pair[z->K - 1], z->pair[0], sizeof z->pair[0]);
    if (what == 1 && z->A > 1)
        for (int s = 0; s < z->S; s++) {
            z->has[s][1] = z->has[s][0] = true;
            for (int k = 0; k < z->K; k++) z->pair[k][s][1] = z->pair[k][s][0];
        }
    if (what == 2) {
        memcpy(z->has[1], z->has[0], sizeof z->has[0]);
        z->phi[1] = z->phi[0];
        for (int k = 0; k < z->K; k++) memcpy(z->pair[k][1], z->pair[k][0], sizeof z->pair[k][0]);
    }
}

static sketch draw_sketch(rng *r, const model_kind *kind)
{
    sketch z = {.S = 2 + draw(r, S_MOST - 1), .A = 1 + draw(r, A_MOST), .K = 1 + draw(r, K_MOST), .T = 1 + draw(r, 4)};
    if (z.A == 1 && chance(r, 0.8)) z.A = 2;
    if (z.K == 1 && chance(r, 0.7)) z.K = 2;
    if (chance(r, 0.02)) z.S = 1;
    if (z.S * z.A <= 4 && chance(r, 0.5)) z.T += draw(r, 3);
    z.s0 = draw(r, z.S);
    z.targets = z.S > 2 && chance(r, 0.15) ? z.S - 1 : z.S;
    z.style = (reward_style)draw(r, REWARD_STYLES);
    if (kind->change == REWARDS_SHIFTED && z.style == REWARD_CONTINUOUS)
        z.style = REWARD_INTEGER; /* the shift would round them together */
    if (kind->change == REWARDS_SHIFTED && z.style == REWARD_MIXED) z.style = REWARD_DECIMAL;
    z.deterministic = chance(r, 0.35);
    z.shared = chance(r, 0.3);
    z.slippery = chance(r, kind->p >= P_EDGE ? 0.7 : 0.4);
    double often = kind->p == P_ONE ? 0.6 : 0.35;
    for (int s = 0; s < z.S; s++) z.phi[s] = chance(r, often);
    if (z.targets < z.S && chance(r, 0.1)) /* nothing that is ever reached */
        for (int s = 0; s < z.S; s++) z.phi[s] = s == z.S - 1;
    else
        z.phi[draw(r, z.targets)] = true;
    z.goal = chance(r, 0.1);
    for (int s = 0; s < z.S; s++) draw_state(r, &z, s);
    duplicate(r, &z);
    return z;
}

static void must(vouch_status status)
{
    if (status) abort();
}

static vouch_model *build(const sketch *z, model_kind *kind)
{
    vouch_model *m;
    double least = INFINITY, most = -INFINITY;
    must(vouch_model_new(&m, z->S, z->A, z->K, z->T));
    must(vouch_model_set_initial(m, z->s0));
    for (int s = 0; s < z->S; s++) must(vouch_model_set_commitment(m, s, z->phi[s]));
    for (int k = 0; k < z->K; k++)
        for (int s = 0; s < z->S; s++)
            for (int a = 0; a < z->A; a++) {
                const pair *p = &z->pair[k][s][a];
                for (int i = 0; z->has[s][a] && i < p->count; i++) {
                    if (p->listed) must(vouch_model_add(m, k, s, a, (p->next[i] + 1) % z->S, 0, kind->shift));
                    double paid = kind->scale * p->reward[i] + kind->shift;
                    least = fmin(least, paid);
                    most = fmax(most, paid);
                    must(vouch_model_add(m, k, s, a, p->next[i], p->prob[i], paid));
                }
            }
    must(vouch_model_finish(m, NULL, NULL));
    kind->size = fmax(fabs(least), fabs(most));
    kind->spread = most - least;
    return m;
}

vouch_model *models_make(rng *r, model_kind *kind)
{
    static const double scales[] = {1e-8, 1e-4, 1e3, 1e8};
    *kind = (model_kind){.scale = 1};
    kind->p = (probability_class)draw(r, P_CLASSES);
    if (chance(r, 0.25))
        kind->change = REWARDS_SCALED, kind->scale = scales[draw(r, 4)];
    else if (chance(r, 0.3))
        kind->change = REWARDS_SHIFTED, kind->shift = (chance(r, 0.5) ? 1 : -1) * (chance(r, 0.5) ? 1e8 : 1e4);
    sketch z = draw_sketch(r, kind);
    vouch_model *m = build(&z, kind);
    if (policies_doubtful(m)) {
        vouch_model_free(m);
        return NULL;
    }
    return m;
}

double models_probability(rng *r, const model_kind *kind, double edge)
{
    static const double near[] = {-2e-12, -0.6e-12, -0.3e-12, 0.3e-12, 0.6e-12, 2e-12, -1e-10};
    double off = near[draw(r, 7)], part = rng_unit(r);
    switch (kind->p) {
    case P_ZERO:
        return 0;
    case P_TINY:
        return pow(10, -3 - 9 * part);
    case P_TYPICAL:
        return fmin(1, edge * (chance(r, 0.8) ? part : 1.1));
    case P_EDGE:
        return fmin(1, edge);
    case P_NEAR_EDGE:
        return fmax(0, fmin(1, edge + off));
    default:
        return 1;
    }
}
