/* mip/defaults.c - the options of vouch/mip.h as they are by default, and the words for outcomes. */
#include <vouch/mip.h>

void vouch_mip_options_init(vouch_mip_options *options)
{
    if (!options) return;
    *options = (vouch_mip_options){.gap_absolute = 1e-9,
                                   .gap_relative = 1e-6,
                                   .integrality_tol = 1e-6,
                                   .presolve = 1,
                                   .cuts = 1,
                                   .heuristics = 1,
                                   .symmetry = 1,
                                   .threads = 1};
    vouch_lp_options_init(&options->lp);
}

const char *vouch_mip_outcome_text(vouch_mip_outcome outcome)
{
    static const char *const text[] = {"unsolved", "optimal", "infeasible", "unbounded", "limit", "interrupted", "numerical"};
    return (size_t)outcome < sizeof text / sizeof *text ? text[outcome] : "unknown";
}
