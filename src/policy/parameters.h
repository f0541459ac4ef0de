/* policy/parameters.h - the parameters of the search, a table for each of its kinds: name, default, least and most that make sense,
 * what it is and what was measured (more in bench/NOTES.md).
 *
 * They are what was tuned. Tolerances, which proofs rest on, stand beside what they are for. The code reads TABLE.name; a test
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
    PARAMETER(double, begin_work, 6e8, 0, 1e15,                                                                                    \
              "work of a tree, in arcs and masters, after which it asks these and outcomes: about 3 s")                            \
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

/* The two searches stage by stage. */
#define STAGEWISE_PARAMETERS(PARAMETER)                                                                                            \
    /* what the two share (plan/stage/stagewise_frame.c) */                                                                        \
    PARAMETER(double, frame_check, 1 << 14, 1, 1000000000.0, "visits between two looks at the clock")                              \
    PARAMETER(double, master_visits, 5, 0, 1000000.0, "what a master program takes, in visits for each environment")               \
    PARAMETER(int, rounds, 6, 1, 100, "multipliers priced in one frame, at most")                                                  \
    PARAMETER(double, patience, 0.2, 0, 1,                                                                                         \
              "multipliers stay where what is missing to the mixture is less than this share of what is missing to the cutoff")    \
    PARAMETER(double, much, 0.4, 0, 1,                                                                                             \
              "where other multipliers have raised the bound by less than this share of what was missing they are not tried for "  \
              "some decisions, twice as many each time")                                                                           \
    PARAMETER(int, most_idle, 7, 0, 60, "doublings of that number")                                                                \
    /* for the total regret and values (plan/stage/stagewise.c) */                                                                 \
    PARAMETER(double, value_visits, 2e5, 1, 1000000000.0, "visits that one V may take")                                            \
    PARAMETER(double, value_work, 2e9, 1, 1000000000000000.0,                                                                      \
              "visits of the whole search where V looks to the horizon everywhere")                                                \
    PARAMETER(double, value_revealed_work, 1e8, 1, 1000000000000000.0, "the same where it does not")                               \
    PARAMETER(int, value_nodes, 20000, 1, 1000000.0, "decided nodes, each a call deeper")                                          \
    PARAMETER(double, value_check, 1 << 16, 1, 1000000000.0, "visits between two looks at the clock")                              \
    /* for the maximum regret; work counts a visit as visit_work and one for each environment (plan/stage/stagewise_regret.c) */   \
    PARAMETER(double, most_visits, 1e5, 1, 1000000000.0, "visits that one V may take")                                             \
    PARAMETER(double, visit_work, 4, 0, 1000.0, "what a visit counts, beside its environments")                                    \
    PARAMETER(double, first_work, 1.6e7, 1, 1000000000000000.0, "work of the first search")                                        \
    PARAMETER(double, most_work, 4e10, 1, 1000000000000000.0, "work of all")                                                       \
    PARAMETER(double, revealed_work, 1e7, 1, 1000000000000000.0, "work of all where V does not look to the horizon everywhere")    \
    PARAMETER(double, more_work, 2, 1, 100,                                                                                        \
              "a search that is not finished is followed by one for policies below a cutoff half as far from what is shown, with " \
              "so many times the work; one that is, by one twice as far")                                                          \
    PARAMETER(double, least_share, 0.125, 0, 1, "of what is missing to the best policy: the least that is worth a search")         \
    PARAMETER(double, memory, 0.5, 0, 1, "what the lessons of earlier searches count in the next")                                 \
    PARAMETER(double, walk_share, 0.25, 0, 10,                                                                                     \
              "work of walks from the best policy (plan/heuristic/threshold_accepting.h), as a share of that of a search that is " \
              "not finished")                                                                                                      \
    PARAMETER(double, loss, 0.25, 0, 1,                                                                                            \
              "a bound at time 1 may be less by this share of what is missing to the best policy, else multipliers are taken "     \
              "nearer to the root's")                                                                                              \
    PARAMETER(int, most_nearer, 4, 0, 100, "times that they are, at most")                                                         \
    PARAMETER(double, check_share, 0.125, 1e-06, 1, "looks at the limit come after this share of it, or sooner")                   \
    PARAMETER(int, most_nodes, 2000, 1, 1000000.0, "decided nodes, each a call deeper")                                            \
    PARAMETER(int, passes, 2, 0, 1000, "slice passes of a policy that is offered on the way")

/* The search by outcomes. */
#define OUTCOMES_PARAMETERS(PARAMETER)                                                                                             \
    /* search over what each environment can still have at the horizon (plan/outcomes/outcomes_search.c) */                        \
    PARAMETER(int, fine_pairs, 32, 2, 1024, "pairs of a set of the hardest environment")                                           \
    PARAMETER(int, coarse_pairs, 16, 2, 1024, "pairs of a set while the hardest is sought")                                        \
    PARAMETER(size_t, store_bytes, (size_t)256 << 20, 1 << 20, 1000000000000.0, "memory of all sets")                              \
    PARAMETER(double, hardest, 1000, 1, 1000000000.0,                                                                              \
              "weight of the probability mass of the hardest environment: the nodes that it reaches are decided first")            \
    PARAMETER(int, deepest, 400, 1, 10000, "decisions on the way to a case")                                                       \
    PARAMETER(long long, apart, 2000000, 1, 1000000000.0,                                                                          \
              "work after which two explorers tell each other of better policies, and share open cases: ten milliseconds")         \
    PARAMETER(int, share, 1, 1, 100, "an answer may take so many times the work of the search")                                    \
    PARAMETER(int, in_vain, 16, 1, 1000,                                                                                           \
              "so many times what was allowed in vain must be allowed before it is asked again: of 83 slow mazes 13 are open "     \
              "after 10 s, in 294 s, with 4 and 32 of these two, 12 in 256 s with 1 and 32, 11 in 272 s with 1 and 8")             \
    PARAMETER(int, most_doublings, 10, 0, 60, "doublings of that")                                                                 \
    PARAMETER(int, few_environments, 4, 1, 1000,                                                                                   \
              "with more, sets of pairs and what is tried of them, which inductions do not count, take most of a search's time")   \
    PARAMETER(int, uncounted, 4, 1, 100,                                                                                           \
              "so that its work is so many times as much: t-maze 8,4,4,6, T = 24, L = 0 takes 28 s without, and 8 s with")         \
    PARAMETER(double, few_edges, 1.25, 1, 1000, "edges of a choice, in the mean; with more, less is uncounted")                    \
    PARAMETER(double, most_share, 0.75, 0, 1,                                                                                      \
              "where that takes more than this share of the work what is sought below lies nearer to the bound known: a better "   \
              "bound is better than none")                                                                                         \
    PARAMETER(double, nearer, 0.25, 0, 1, "namely at this share of the way to the best policy")                                    \
    PARAMETER(double, two_share, 0.5, 0, 1, "what two environments may take, as a share of the work and on top of it")             \
    /* which options are tried again (plan/outcomes/outcomes_bound.c) */                                                           \
    PARAMETER(double, hoped, 2, 1, 100,                                                                                            \
              "an option is tried again where so many times what trying it last raised the bound by comes to the cutoff: of 108 "  \
              "slow mazes of 10 s each one more is proved, in 376 s in the place of 406")                                          \
    PARAMETER(double, ages, 2, 1, 100,                                                                                             \
              "what it raised counts as so much more each time it is passed over; with 1.1 they are passed over for too long")     \
    PARAMETER(double, least_raise, 0.02, 0, 1,                                                                                     \
              "and as this share of what was missing at least; with 1e-4 two mazes more are open")                                 \
    /* policies that are offered (plan/outcomes/outcomes_offer.c) */                                                               \
    PARAMETER(int, offered_passes, 20, 0, 1000, "slice passes after rounding")                                                     \
    PARAMETER(int, exchanged_passes, 3, 0, 1000, "slice passes after an exchange")                                                 \
    PARAMETER(int, drawn, 4000, 0, 1000000000.0, "policies drawn on a walk")                                                       \
    PARAMETER(                                                                                                                     \
        double, worse, 0.002, 0, 1,                                                                                                \
        "from the best one known a walk first takes what is worse by this share of its regret: t-maze 8,4,4,6, T = 24 goes from "  \
        "2.209 to 2.15789, which is optimal, with each of three seeds; to 2.1579007 where only what is better is taken")           \
    PARAMETER(double, exchanging, 0.3, 0, 1, "share of the work left that exchanges may take")

/* Local search and walks. */
#define HEURISTIC_PARAMETERS(PARAMETER)                                                                                            \
    /* local search (plan/heuristic/local_search.c) */                                                                             \
    PARAMETER(double, more_weight, 1, 0, 100,                                                                                      \
              "by how much the environment that is furthest from its promise counts more in the next round")                       \
    PARAMETER(double, little_work, 5e7, 0, 1000000000000.0,                                                                        \
              "edges times environments of a first guess that is made whatever the limit: a quarter of a second at most")          \
    PARAMETER(int, nodes_per_check, 64, 1, 1000000.0, "nodes of a slice pass between two looks at the clock")                      \
    /* walks; thresholds are in the file (plan/heuristic/threshold_accepting.c) */                                                 \
    PARAMETER(double, longer, 1.5, 1, 10, "how many times more passes walks are after each turn")                                  \
    PARAMETER(int, first_passes, 250, 1, 1000000.0, "passes of the first")                                                         \
    PARAMETER(int, most_turns, 12, 1, 100, "turns")                                                                                \
    PARAMETER(int, squares, 4, 0, 10,                                                                                              \
              "losses are squared so often, to the power 16; of machine-repair K = 10, T = 20, L = 0, 8 and 32 find less "         \
              "(bench/NOTES.md)")                                                                                                  \
    PARAMETER(int, walk_passes, 20, 0, 1000, "passes of local search at the end")                                                  \
    PARAMETER(double, pass_work, 2, 1, 100,                                                                                        \
              "work of a pass, in edges times environments: those of the evaluation, of the values of what is picked, and of one " \
              "choice drawn at each node")

/* Relaxations. */
#define RELAX_PARAMETERS(PARAMETER)                                                                                                \
    /* belief expansion (plan/relax/belief_expansion.c) */                                                                         \
    PARAMETER(int, least_plans, 2, 1, 1000, "plans of a class, at first")                                                          \
    PARAMETER(int, most_plans, 24, 1, 1000, "plans of a class, at most")                                                           \
    PARAMETER(int, least_growth, 16, 1, 1000000.0, "classes grown in a round, at least")                                           \
    PARAMETER(int, settle_rounds, 60, 1, 10000, "rounds of mixtures once classes stay as they are")                                \
    PARAMETER(int, feasible_rounds, 60, 1, 10000, "rounds for a mixture that keeps the promises")                                  \
    PARAMETER(double, most_numbers, 5e7, 1, 1000000000000.0, "values by environment: choices, and nodes times plans")              \
    PARAMETER(double, most_likelihoods, 1e7, 1, 1000000000000.0, "likelihoods of classes, where they give a bound alone")          \
    PARAMETER(double, growth_share, 0.9, 0, 1, "of what bounds are apart, what is grown in a round")                               \
    PARAMETER(double, growth_part, 0.25, 0, 1, "and at most this part of the classes")                                             \
    PARAMETER(double, grow_time, 0.7, 0, 1, "share of the time after which classes stay as they are")                              \
    PARAMETER(double, settle_time, 0.8, 0, 1, "and after which mixtures of them do")                                               \
    PARAMETER(double, met, 0.05, 0, 1,                                                                                             \
              "mixture and multipliers have met when this part of what the bound is short of them is left between")                \
    PARAMETER(double, near_mixture, 1e-3, 0, 1,                                                                                    \
              "a bound alone, for other searches, whose policies regret more than mixtures do, comes so near to the mixture "      \
              "however wide the gap asked for is")                                                                                 \
    /* policies guided by weights (plan/relax/guided.c) */                                                                         \
    PARAMETER(int, guided_rounds, 40, 1, 10000, "rounds")                                                                          \
    PARAMETER(int, guided_patience, 10, 1, 10000, "rounds in which the policy does not change")                                    \
    PARAMETER(int, guided_idle, 6, 1, 10000, "rounds by weights without a better policy")                                          \
    PARAMETER(double, guided_step, 2, 0, 100, "the first step of the weights")                                                     \
    PARAMETER(double, guided_most_step, 3, 0, 100, "the largest")                                                                  \
    PARAMETER(double, guided_values, 5e7, 1, 1000000000000.0, "choices times environments, at most")                               \
    PARAMETER(double, guided_enough, 1e-3, 0, 1,                                                                                   \
              "a round that is as near to what mixtures of the policies tried could do ends the search")                           \
    /* relaxation levels that race (plan/relax/levels.c) */                                                                        \
    PARAMETER(long long, trial_nodes, 512, 1, 1000000000.0, "nodes after which a search with value vectors tries without them")    \
    PARAMETER(double, much_work, 1e5, 0, 1000000000000.0,                                                                          \
              "work of an induction on the finest level from which on coarser ones are worth trying")                              \
    PARAMETER(double, race_work, 4e6, 1, 1000000000000.0, "work of a level in the first round")                                    \
    PARAMETER(double, more_work, 3, 1, 100, "how many times more it is in the next")                                               \
    PARAMETER(double, telling_work, 3e7, 1, 1000000000000.0,                                                                       \
              "that in a round after which the worse half is left out: bounds say little while trees are small")                   \
    PARAMETER(double, master_work, 5000, 0, 1000000000.0, "what a master program counts")                                          \
    PARAMETER(double, shallow_first, 1e8, 1, 1000000000000.0, "work of a search before Markov policies have their first turn")     \
    PARAMETER(double, shallow_share, 0.5, 0, 100, "work of their search, as a part of that of the search beside it")               \
    PARAMETER(double, shallow_unit, 0.5, 0, 1, "an induction of theirs counts at least this part of one of that search")           \
    PARAMETER(double, shallow_growth, 1.25, 1, 100, "how much more that has done at each turn than at the last")                   \
    PARAMETER(double, pairs_lead, 0.9, 0, 1, "share of the nodes where pairs lead, of a search that they are said to lead")        \
    PARAMETER(long long, few_inductions, 200, 1, 1000000000.0,                                                                     \
              "a level joins the race when it can do with so many inductions: the root takes a few dozen, and what it shows "      \
              "alone is not what a tree shows")                                                                                    \
    PARAMETER(double, grown_telling, 9e8, 1, 1000000000000000.0,                                                                   \
              "work up to which expanded classes grow whatever they have shown; beyond it, while they have shown most")            \
    PARAMETER(double, walk_work, 3e9, 0, 1000000000000000.0, "work of walks once the race has ended")                              \
    PARAMETER(double, growth_work, 1e10, 1, 1000000000000000.0, "work of what classes grow then")                                  \
    PARAMETER(double, race_growth_share, 0.5, 0, 1, "and the share of the time that is left that they have for it")                \
    PARAMETER(double, vain, 0.25, 0, 1,                                                                                            \
              "what is left of a walk's work each time that walks from the same policy find none better")                          \
    PARAMETER(int, grown_classes, 3000, 1, 10000000.0, "classes of the level that is made of expanded classes")                    \
    PARAMETER(double, grown_units, 1e6, 1, 1000000000000.0, "the arcs of environments that it may have")                           \
    PARAMETER(long long, many_inductions, 1000, 1, 1000000000.0,                                                                   \
              "a level finer than those planned with is made when the finest of them could do with so many: to make it takes as "  \
              "much as some dozen inductions on it")                                                                               \
    /* a small tree before the stagewise search (plan/schedule.c) */                                                               \
    PARAMETER(int, small_classes, 1000, 1, 1e6, "likelihood classes at most")                                                      \
    PARAMETER(double, small_work, 1.5e7, 0, 1e12, "its work: some hundredths of a second")                                         \
    /* scenarios (plan/relax/scenarios.c) */                                                                                       \
    PARAMETER(long long, scenario_inductions, 20000, 1, 1000000000000.0,                                                           \
              "inductions of the searches over few environments, after which they are doubled, or all are searched")               \
    PARAMETER(double, scenario_small, 1. / 16, 0, 1,                                                                               \
              "share of the environments below which few may take as many more, and are doubled: machine repair K = 2000, seed 8 " \
              "took 10 s and 873 MB, now 1.8 s and 41 MB")                                                                         \
    PARAMETER(double, scenario_time, 0.5, 0, 1, "share of a time limit")                                                           \
    PARAMETER(double, scenario_share, 0.5, 0, 1, "largest share of the environments that are few")                                 \
    PARAMETER(int, scenario_passes, 20, 0, 1000, "slice passes of a policy that is offered")

#define PARAMETER_FIELD(type, name, ...)             type name;
#define PARAMETER_DEFAULT(type, name, standard, ...) .name = (standard),
#define PARAMETER_TABLE(table)                                                                                                     \
    static const struct {                                                                                                          \
        table##_PARAMETERS(PARAMETER_FIELD)                                                                                        \
    } table = {table##_PARAMETERS(PARAMETER_DEFAULT)}
PARAMETER_TABLE(SEARCH);
PARAMETER_TABLE(STAGEWISE);
PARAMETER_TABLE(OUTCOMES);
PARAMETER_TABLE(HEURISTIC);
PARAMETER_TABLE(RELAX);
#undef PARAMETER_TABLE
#undef PARAMETER_FIELD
#undef PARAMETER_DEFAULT

#endif
