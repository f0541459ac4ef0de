/* tests/campaign/models.h - random models of every awkward kind, small enough to try all policies. */
#ifndef CAMPAIGN_MODELS_H
#define CAMPAIGN_MODELS_H

#include "campaign/campaign.h"
#include "mdp/model.h"

typedef enum probability_class {
    P_ZERO,
    P_TINY,
    P_TYPICAL,
    P_EDGE,      /* the largest that a deterministic policy keeps in all environments at once */
    P_NEAR_EDGE, /* that, give or take around the tolerance of the commitment */
    P_ONE,
    P_CLASSES
} probability_class;

typedef enum reward_change { REWARDS_PLAIN, REWARDS_SCALED, REWARDS_SHIFTED } reward_change;

typedef struct model_kind {
    probability_class p;
    reward_change change;
    double scale, shift; /* of the rewards */
    double size, spread; /* largest |reward|, largest difference of two */
} model_kind;

extern const char *const probability_names[P_CLASSES], *const change_names[3];

/* A finished model with p = 0 still; NULL: the numbers drawn make none (two rewards in doubt). */
vouch_model *models_make(rng *r, model_kind *kind);
/* p of the kind's class, given the largest that is kept jointly by a deterministic policy. */
double models_probability(rng *r, const model_kind *kind, double edge);

#endif
