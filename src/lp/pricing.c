/* lp/pricing.c - the table of pricing rules; see pricing.h. */
#include "lp/pricing.h"

#include "base/check.h"

#define RULE(word) &dual_pricing_##word,
static const dual_pricing *const DUAL[] = {VOUCH_LP_DUAL_PRICING(RULE)};
#undef RULE
#define RULE(word) &primal_pricing_##word,
static const primal_pricing *const PRIMAL[] = {VOUCH_LP_PRIMAL_PRICING(RULE)};
#undef RULE
enum { DUAL_RULES = sizeof DUAL / sizeof *DUAL, PRIMAL_RULES = sizeof PRIMAL / sizeof *PRIMAL };

const dual_pricing *pricing_dual(const simplex *s)
{
    CHECK(s->dual_rule >= 0 && s->dual_rule < DUAL_RULES);
    return DUAL[s->dual_rule];
}

const primal_pricing *pricing_primal(const simplex *s)
{
    CHECK(s->primal_rule >= 0 && s->primal_rule < PRIMAL_RULES);
    return PRIMAL[s->primal_rule];
}

bool pricing_known(const vouch_lp_options *options)
{
    return options->dual_pricing >= 0 && options->dual_pricing < DUAL_RULES && options->primal_pricing >= 0 &&
           options->primal_pricing < PRIMAL_RULES;
}
