/* policy/parameters.h - the parameters of the tree search: name, default, least and most that make sense, what it is and what was
 * measured (more in bench/NOTES.md).
 *
 * They are what was tuned. Tolerances, which proofs rest on, stand beside what they are for. The code reads SEARCH.name; a test
 * holds each default to its range.
 */
#ifndef POLICY_PARAMETERS_H
#define POLICY_PARAMETERS_H

#include <stddef.h>

#define SEARCH_PARAMETERS(PARAMETER)                                                                                               \
    /* what a bound costs, in arcs of an induction */                                                                              \
    PARAMETER(double, sum_cost, 10, 1, 100, "a sum of two pairs, with what merging them takes")                                    \
    PARAMETER(double, master_cost, 5000, 100, 1e6, "a master program")                                                             \
    PARAMETER(double, trial_cost, 8, 1, 64, "a node that mixtures lead, with strong branching, in times of its bound")             \
    PARAMETER(double, root_sums, 2e5, 0, 1e9,                                                                                      \
              "sums of pairs at the root beyond which the sets are made coarser: some milliseconds")                               \
    PARAMETER(double, sums_per_arc, 10, 0, 1e4, "likewise, for each arc of an induction")                                          \
    PARAMETER(double, remade, 0.25, 0, 1, "share of the sets that a node makes anew, as a rule")                                   \
    /* when a source of bounds is asked (plan/search/node_bound.c) */                                                              \
    PARAMETER(double, worth, 0.5, 0, 10,                                                                                           \
              "a source behind the leader is asked when distance * price, doubled after each time in vain, is at most this "       \
              "share of what is missing to the cutoff")                                                                            \
    PARAMETER(                                                                                                                     \
        int, most_idle, 20, 0, 60,                                                                                                 \
        "doublings of that price; none for the total regret, of which losses in sum are a large part, while the rest is for "      \
        "mixtures to find")                                                                                                        \
    PARAMETER(double, much, 0.1, 0, 1,                                                                                             \
              "it is asked too once the leader has spent its price since the bound last rose by this share of what was missing")   \
    PARAMETER(int, price_rounds, 6, 1, 100, "times that options are tried by prices at a node, while some are fixed")              \
    PARAMETER(int, most_rest, 7, 0, 100, "nodes in a row at which options are not tried by pairs, where that was in vain above")   \
    /* mixtures of deterministic policies */                                                                                       \
    PARAMETER(int, pure_rounds, 3, 1, 100, "masters at a node")                                                                    \
    PARAMETER(int, pure_pairs, 32, 8, 1024, "pairs of a set")                                                                      \
    PARAMETER(int, pure_least_pairs, 8, 1, 32, "pairs of the coarsest set worth having")                                           \
    PARAMETER(int, pure_period, 16, 1, 1000, "one in so many nodes asks for them, and every one where they gained `much` of late") \
    PARAMETER(int, pure_environments, 16, 1, 1000, "beyond so many the promise of the hardest alone is asked for")                 \
    PARAMETER(double, pure_patience, 0.2, 0, 1, "how close bound and mixture need be, as a share of what is missing")              \
    PARAMETER(size_t, pure_bytes, (size_t)64 << 20, 1 << 20, 1e12, "memory of the sets of one solver")                             \
    PARAMETER(double, pure_expected, 0.5, 0, 1, "what they are expected to gain before they are asked")                            \
    PARAMETER(double, pure_weight, 0.125, 0, 1, "what each time counts afterwards")                                                \
    /* the loop (plan/search/search.c) */                                                                                          \
    PARAMETER(long long, reported, 16, 1, 1e6, "nodes between two reports")                                                        \
    PARAMETER(int, window, 8, 1, 1000, "nodes under way, unless the options say otherwise")                                        \
    /* a node (plan/search/node.c) */                                                                                              \
    PARAMETER(int, inherited, 3, 0, 100,                                                                                           \
              "the newest columns that children get beside the mixture, in multiples of the rows of the master")                   \
    PARAMETER(int, root_passes, 20, 0, 100, "slice passes after a mixture is rounded, at the root")                                \
    PARAMETER(int, passes, 2, 0, 100, "the same elsewhere")                                                                        \
    PARAMETER(int, perturbed_passes, 10, 0, 100, "the same of an incumbent that was perturbed")                                    \
    PARAMETER(int, perturbed_nodes, 3, 0, 1000, "nodes that perturb it")                                                           \
    /* branching (plan/branch/branching.c) */                                                                                      \
    PARAMETER(double, unpriced, 1e-6, 0, 1,                                                                                        \
              "what a decision counts, by its mass, where no environment that may get there bears a multiplier: it cannot move "   \
              "the bound")                                                                                                         \
    PARAMETER(double, hardest, 6, 0, 1000,                                                                                         \
              "the policy of the hardest environment counts so much more than the mean: what is branched on must move its loss "   \
              "first")                                                                                                             \
    PARAMETER(int, foreseen_environments, 4, 1, 1000,                                                                              \
              "trials are dropped with so many at most, where promises may bind: t-maze 8,4,4,6, T = 24, L = 0 takes 9 s, and "    \
              "is open after 60 s where they are")                                                                                 \
    PARAMETER(double, nearly, 0.01, 0, 1, "with less than this share of the cutoff missing pairs branch by mass hardly any more")  \
    PARAMETER(double, far, 0.3, 0, 1,                                                                                              \
              "with more missing they branch by mass alone; with pseudo-costs at any distance t-maze 6,3,1,3, T = 15 takes 12 "    \
              "257 nodes, not 5 365")                                                                                              \
    PARAMETER(double, blunt, 3, 0, 8,                                                                                              \
              "exponent of gains in between; mass must count there, too, since small gains late would win over what matters "      \
              "early")                                                                                                             \
    PARAMETER(double, clearly, 0.98, 0, 1, "a score must be below this share of the best to displace a heavier node")              \
    PARAMETER(double, trial_patience, 0.1, 0, 1, "of column generation in a trial: bounds need not be exact")                      \
    PARAMETER(double, expected, 0.2, 0, 1, "the mean of gains while there are none")                                               \
    PARAMETER(int, reliable, 4, 1, 100,                                                                                            \
              "trials of a choice whose mean is relied on; with 8, searches take 1.15 times the inductions")                       \
    /* Pareto sets of one environment (plan/bound/pareto_bound.c) */                                                               \
    PARAMETER(int, most_pairs, 64, 8, 1024,                                                                                        \
              "pairs of a set but for the hardest environment; t-maze 3,2,2,3, T = 13 takes 75 052 nodes with 32, 10 611 with "    \
              "64, 9 248 with 128")                                                                                                \
    PARAMETER(int, least_pairs, 8, 1, 32, "pairs of the coarsest set worth having")                                                \
    PARAMETER(int, enough_pairs, 32, 8, 1024, "with fewer pairs bounds stand still in long searches")                              \
    PARAMETER(int, long_work, 4, 1, 100, "so that for so many these may take so many times the work")                              \
    PARAMETER(long long, finest_work, 20000, 0, 1e9, "sums of pairs that the finest sets of the hardest environment may take")     \
    /* prices and probing (plan/bound/single_lagrangian.c, plan/reduce/probing.c) */                                               \
    PARAMETER(int, prices, 40, 2, 1000, "prices asked for at most to find the best one of a promise")                              \
    PARAMETER(double, largest_price, 1000, 1, 1e9, "the largest, in spreads of the reward of all times")                           \
    PARAMETER(int, tried, 4, 1, 1000,                                                                                              \
              "environments whose pairs are tried, from the one that loses most on, until one cannot afford something")            \
    PARAMETER(double, sweeps, 64, 0, 1e6, "what trying may take in a call: sweeps over all environments")                          \
    PARAMETER(double, sets_remade, 8, 0, 1e6, "and times what all sets take where every option is allowed")

#define PARAMETER_FIELD(type, name, ...)             type name;
#define PARAMETER_DEFAULT(type, name, standard, ...) .name = (standard),
static const struct {
    SEARCH_PARAMETERS(PARAMETER_FIELD)
} SEARCH = {SEARCH_PARAMETERS(PARAMETER_DEFAULT)};
#undef PARAMETER_FIELD
#undef PARAMETER_DEFAULT

#endif
