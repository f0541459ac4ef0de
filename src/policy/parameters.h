/* policy/parameters.h - the tuned parameters of the search, a table for each of its kinds: name, default, range, meaning and what
 * was measured (more in bench/NOTES.md). Tolerances, which proofs rest on, are elsewhere. The code reads TABLE.name; a test checks
 * that each default is in its range. */
#ifndef POLICY_PARAMETERS_H
#define POLICY_PARAMETERS_H

#include <stddef.h>

#define SEARCH_PARAMETERS(PARAMETER)                                                                                               \
    /* costs, in arcs of an induction */                                                                                           \
    PARAMETER(double, sum_cost, 10, 1, 100, "a sum of two pairs, with its merging")                                                \
    PARAMETER(double, master_cost, 5000, 100, 1e6, "a master program")                                                             \
    PARAMETER(double, trial_cost, 8, 1, 64, "a node led by mixtures, with strong branching, in units of its bound")                \
    PARAMETER(double, root_sums, 2e5, 0, 1e9, "sums of pairs at the root, beyond which sets are coarser: some milliseconds")       \
    PARAMETER(double, sums_per_arc, 10, 0, 1e4, "the same, per arc of an induction")                                               \
    PARAMETER(double, remade, 0.25, 0, 1, "usual share of the sets recomputed at a node")                                          \
    /* when a source of bounds is used (plan/search/node_bound.c) */                                                               \
    PARAMETER(double, worth, 0.5, 0, 10,                                                                                           \
              "a source behind the leader is used if distance * price, doubled after each failure, is at most this share of the "  \
              "gap to the cutoff")                                                                                                 \
    PARAMETER(int, most_idle, 20, 0, 60, "doublings of that price; none for the total regret, most of which only mixtures bound")  \
    PARAMETER(double, much, 0.1, 0, 1,                                                                                             \
              "also used once the leader has spent its price since the bound last rose by this share of the gap")                  \
    PARAMETER(int, price_rounds, 6, 1, 100, "probing rounds by prices at a node, while options are fixed")                         \
    PARAMETER(int, most_rest, 7, 0, 100, "consecutive nodes without probing by pairs after it failed above")                       \
    /* mixtures of deterministic policies */                                                                                       \
    PARAMETER(double, begin_work, 6e8, 0, 1e15, "work of a tree, in arcs and masters, before these and outcomes begin: about 3 s") \
    PARAMETER(int, pure_rounds, 3, 1, 100, "masters at a node")                                                                    \
    PARAMETER(int, pure_pairs, 32, 8, 1024, "pairs of a set")                                                                      \
    PARAMETER(int, pure_least_pairs, 8, 1, 32, "pairs of the coarsest useful set")                                                 \
    PARAMETER(int, pure_period, 16, 1, 1000, "used at one node in this number, and at every node after a gain of `much`")          \
    PARAMETER(int, pure_environments, 16, 1, 1000, "with more environments only the promise of the hardest one is used")           \
    PARAMETER(double, pure_patience, 0.2, 0, 1, "distance of bound and mixture, as a share of the gap, that ends the loop")        \
    PARAMETER(size_t, pure_bytes, (size_t)64 << 20, 1 << 20, 1e12, "memory of the sets of one solver")                             \
    PARAMETER(double, pure_expected, 0.5, 0, 1, "initial estimate of the gain")                                                    \
    PARAMETER(double, pure_weight, 0.125, 0, 1, "weight of each new gain in the estimate")                                         \
    /* the loop (plan/search/search.c) */                                                                                          \
    PARAMETER(long long, reported, 16, 1, 1e6, "nodes between two reports")                                                        \
    PARAMETER(int, window, 8, 1, 1000, "nodes in progress, unless set by the options")                                             \
    /* a node (plan/search/node.c) */                                                                                              \
    PARAMETER(int, inherited, 3, 0, 100,                                                                                           \
              "newest columns inherited by children, besides the mixture, in multiples of the master's rows")                      \
    PARAMETER(int, root_passes, 20, 0, 100, "slice passes after rounding a mixture at the root")                                   \
    PARAMETER(int, passes, 2, 0, 100, "the same elsewhere")                                                                        \
    PARAMETER(int, perturbed_passes, 10, 0, 100, "the same for a perturbed incumbent")                                             \
    PARAMETER(int, perturbed_nodes, 3, 0, 1000, "nodes perturbed")                                                                 \
    /* branching (plan/branch/branching.c) */                                                                                      \
    PARAMETER(double, unpriced, 1e-6, 0, 1,                                                                                        \
              "weight of the mass of a decision that affects no environment with a multiplier: it cannot move the bound")          \
    PARAMETER(double, hardest, 6, 0, 1000,                                                                                         \
              "weight of the hardest environment's policy against the mean: a branching must move its loss first")                 \
    PARAMETER(int, foreseen_environments, 4, 1, 1000,                                                                              \
              "no trials up to this number if promises may bind: t-maze 8,4,4,6, T = 24, L = 0: 9 s; with trials open after 60 s") \
    PARAMETER(double, nearly, 0.01, 0, 1, "below this share of the cutoff as gap, pairs branch hardly by mass")                    \
    PARAMETER(double, far, 0.3, 0, 1,                                                                                              \
              "above it by mass alone; with pseudo-costs at any gap t-maze 6,3,1,3, T = 15 takes 12 257 nodes, not 5 365")         \
    PARAMETER(double, blunt, 3, 0, 8,                                                                                              \
              "exponent of gains in between, where mass counts since small late gains would win over early decisions")             \
    PARAMETER(double, clearly, 0.98, 0, 1, "a score must be below this share of the best to displace a heavier node")              \
    PARAMETER(double, trial_patience, 0.1, 0, 1, "of column generation in a trial, where bounds need not be exact")                \
    PARAMETER(double, expected, 0.2, 0, 1, "mean gain before any trial")                                                           \
    PARAMETER(int, reliable, 4, 1, 100, "trials that make a mean reliable; with 8, searches take 1.15 times the inductions")       \
    /* Pareto sets of one environment (plan/bound/pareto_bound.c) */                                                               \
    PARAMETER(int, most_pairs, 64, 8, 1024,                                                                                        \
              "pairs of a set, except the hardest environment's; t-maze 3,2,2,3, T = 13: 75 052 nodes with 32, 10 611 with 64, 9 " \
              "248 with 128")                                                                                                      \
    PARAMETER(int, least_pairs, 8, 1, 32, "pairs of the coarsest useful set")                                                      \
    PARAMETER(int, enough_pairs, 32, 8, 1024, "with fewer pairs bounds stagnate in long searches,")                                \
    PARAMETER(int, long_work, 4, 1, 100, "in which sets of that size may take this multiple of the work")                          \
    PARAMETER(long long, finest_work, 20000, 0, 1e9, "sums of pairs for the finest sets of the hardest environment")               \
    /* prices and probing (plan/bound/single_lagrangian.c, plan/reduce/probing.c) */                                               \
    PARAMETER(int, prices, 40, 2, 1000, "prices evaluated to maximise over one promise's multiplier")                              \
    PARAMETER(double, largest_price, 1000, 1, 1e9, "in spreads of the reward of all times")                                        \
    PARAMETER(int, tried, 4, 1, 1000, "environments probed by pairs, by descending loss, until an option is excluded")             \
    PARAMETER(double, sweeps, 64, 0, 1e6, "work of a probing call, in sweeps over all environments")                               \
    PARAMETER(double, sets_remade, 8, 0, 1e6, "plus this multiple of all sets with every option allowed")

/* The two searches stage by stage. */
#define STAGEWISE_PARAMETERS(PARAMETER)                                                                                            \
    /* both (plan/stage/stagewise_frame.c) */                                                                                      \
    PARAMETER(double, frame_check, 1 << 14, 1, 1e9, "visits between two reads of the clock")                                       \
    PARAMETER(double, master_visits, 5, 0, 1e6, "a master program, in visits per environment")                                     \
    PARAMETER(int, rounds, 6, 1, 100, "multipliers priced in one frame")                                                           \
    PARAMETER(double, patience, 0.2, 0, 1,                                                                                         \
              "multipliers are final if the gap to the mixture is below this share of the gap to the cutoff")                      \
    PARAMETER(double, much, 0.4, 0, 1,                                                                                             \
              "new multipliers that close less than this share of the gap are not tried for some decisions, doubled each time")    \
    PARAMETER(int, most_idle, 7, 0, 60, "doublings of that number")                                                                \
    /* for the total regret and values (plan/stage/stagewise.c) */                                                                 \
    PARAMETER(double, value_visits, 2e5, 1, 1e9, "visits of one V")                                                                \
    PARAMETER(double, value_work, 2e9, 1, 1e15, "visits of the search if V looks to the horizon everywhere")                       \
    PARAMETER(double, value_revealed_work, 1e8, 1, 1e15, "the same if it does not")                                                \
    PARAMETER(int, value_nodes, 20000, 1, 1e6, "decided nodes, the depth of the recursion")                                        \
    PARAMETER(double, value_check, 1 << 16, 1, 1e9, "visits between two reads of the clock")                                       \
    /* for the maximum regret; work counts a visit as visit_work and one for each environment (plan/stage/stagewise_regret.c) */   \
    PARAMETER(double, most_visits, 1e5, 1, 1e9, "visits of one V")                                                                 \
    PARAMETER(double, visit_work, 4, 0, 1000, "work of a visit, besides its environments")                                         \
    PARAMETER(double, first_work, 1.6e7, 1, 1e15, "work of the first search")                                                      \
    PARAMETER(double, most_work, 4e10, 1, 1e15, "work of all searches")                                                            \
    PARAMETER(double, revealed_work, 1e7, 1, 1e15, "the same if V does not look to the horizon everywhere")                        \
    PARAMETER(double, more_work, 2, 1, 100,                                                                                        \
              "after an unfinished search the distance of the cutoff halves and the work grows by this; after a finished one it "  \
              "doubles")                                                                                                           \
    PARAMETER(double, least_share, 0.125, 0, 1, "least distance of a cutoff, as a share of the gap of the best policy")            \
    PARAMETER(double, memory, 0.5, 0, 1, "weight of the statistics of earlier searches")                                           \
    PARAMETER(double, walk_share, 0.25, 0, 10,                                                                                     \
              "work of threshold accepting from the best policy, as a share of an unfinished search")                              \
    PARAMETER(double, loss, 0.25, 0, 1,                                                                                            \
              "accepted loss of a bound at time 1, as a share of the gap; beyond it multipliers move towards the root's")          \
    PARAMETER(int, most_nearer, 4, 0, 100, "maximum number of such moves")                                                         \
    PARAMETER(double, check_share, 0.125, 1e-06, 1, "largest share of the limit between two reads of it")                          \
    PARAMETER(int, most_nodes, 2000, 1, 1e6, "decided nodes, the depth of the recursion")                                          \
    PARAMETER(int, passes, 2, 0, 1000, "slice passes of a policy found during the search")

/* Shares of a time limit, counted from its start: what runs ends there, or stays coarse. */
#define TIME_PARAMETERS(PARAMETER)                                                                                                 \
    /* before the search (plan/plan.c, plan/call/call.c, plan/ccl.c) */                                                            \
    PARAMETER(double, first, 0.6, 0, 1, "a first policy where the optima take long; to improve or write it takes the rest")        \
    PARAMETER(double, first_ahead, 0.2, 0, 1, "the same where look-ahead may find one (plan/heuristic/knowledge.h)")               \
    PARAMETER(double, optima, 0.4, 0, 1, "every U*_c; as much is reserved for the final figures,")                                 \
    PARAMETER(double, searched, 0.5, 0, 1, "but at least this share is left for the search")                                       \
    PARAMETER(double, graph, 0.3, 0, 1, "the graph of L > 0")                                                                      \
    PARAMETER(double, markov_graph, 0.8, 0, 1, "the graph of L = 0")                                                               \
    PARAMETER(double, detail, 0.4, 0, 1, "Pareto sets and classes; later ones are coarse")                                         \
    PARAMETER(double, late_detail, 0.7, 0, 1, "the same, made after the stagewise search")                                         \
    PARAMETER(double, classes, 0.8, 0, 1, "classes fail: an induction takes a third of the time to make them")                     \
    PARAMETER(double, markov, 0.5, 0, 1, "initial Markov policies")                                                                \
    PARAMETER(double, markov_search, 0.3, 0, 1, "the search of Markov policies before one of L > 0")                               \
    PARAMETER(double, initial, 0.6, 0, 1, "all initial policies")                                                                  \
    PARAMETER(double, sets, 0.9, 0, 1, "no further sets of pairs are made; with a million choices one takes half a second")        \
    /* stages */                                                                                                                   \
    PARAMETER(double, scenarios, 0.5, 0, 1, "searches over few environments (plan/relax/scenarios.c)")                             \
    PARAMETER(double, intervals, 0.7, 0, 1, "the search by intervals of reach (plan/reach/reach_search.h)")                        \
    PARAMETER(double, stagewise, 0.5, 0, 1, "the stagewise searches, since trees have better bounds (plan/schedule.c)")            \
    PARAMETER(double, race_growth, 0.5, 0, 1, "belief expansion after the race (plan/relax/levels.c)")                             \
    PARAMETER(double, growth, 0.7, 0, 1, "belief expansion of a history plan: its growth (plan/relax/belief_expansion.c)")         \
    PARAMETER(double, mixtures, 0.8, 0, 1, "the same with its mixtures")                                                           \
    /* other methods */                                                                                                            \
    PARAMETER(double, history_bound, 0.5, 0, 1, "a bound only, if the environment is revealed (plan/history.c)")                   \
    PARAMETER(double, guided, 0.9, 0, 1, "guided policies (plan/relax/guided.c)")                                                  \
    PARAMETER(double, exact_bound, 0.6, 0, 1, "the bound by history policies (plan/exact.c)")                                      \
    PARAMETER(double, ccil, 0.25, 0, 1, "a segment of CCIL, of the remaining time: hard ones do not starve the others")            \
    PARAMETER(double, ccil_root, 0.4, 0, 1, "and the first segment (plan/ccil/ccil_evaluate.c)")

/* The search by outcomes. */
#define OUTCOMES_PARAMETERS(PARAMETER)                                                                                             \
    /* search over outcomes (plan/outcomes/outcomes_search.c) */                                                                   \
    PARAMETER(int, fine_pairs, 32, 2, 1024, "pairs of a set of the hardest environment")                                           \
    PARAMETER(int, coarse_pairs, 16, 2, 1024, "pairs of a set while the hardest environment is determined")                        \
    PARAMETER(size_t, store_bytes, (size_t)256 << 20, 1 << 20, 1e12, "memory of all sets")                                         \
    PARAMETER(double, hardest, 1000, 1, 1e9,                                                                                       \
              "weight of the probability mass of the hardest environment, whose nodes are decided first")                          \
    PARAMETER(int, deepest, 400, 1, 10000, "decisions on the path to a case")                                                      \
    PARAMETER(long long, apart, 2000000, 1, 1e9,                                                                                   \
              "work between two exchanges of policies and open cases by two explorers: ten milliseconds")                          \
    PARAMETER(int, share, 1, 1, 100, "work of an answer, in multiples of the search's")                                            \
    PARAMETER(int, in_vain, 16, 1, 1000,                                                                                           \
              "growth of the work before it is used again after a failure: 83 slow mazes, 13 open in 294 s with (share, in_vain) " \
              "= (4, 32), 12 in 256 s with (1, 32), 11 in 272 s with (1, 8)")                                                      \
    PARAMETER(int, most_doublings, 10, 0, 60, "doublings of that")                                                                 \
    PARAMETER(int, few_environments, 4, 1, 1000,                                                                                   \
              "with more, sets of pairs and probing, which inductions do not count, take most of the time,")                       \
    PARAMETER(int, uncounted, 4, 1, 100,                                                                                           \
              "so its work is multiplied by this: t-maze 8,4,4,6, T = 24, L = 0: 28 s without, 8 s with")                          \
    PARAMETER(double, few_edges, 1.25, 1, 1000, "mean number of edges of a choice; with more, less is uncounted")                  \
    PARAMETER(double, most_edges, 2, 1, 1000,                                                                                      \
              "with more it is not used: machine-repair K = 16, T = 11: 19.4 s with it, 6.4 s without")                            \
    PARAMETER(double, most_share, 0.75, 0, 1,                                                                                      \
              "above this share of the work the target moves towards the known bound, since a better bound is better than none,")  \
    PARAMETER(double, nearer, 0.25, 0, 1, "to this share of the distance to the best policy")                                      \
    PARAMETER(double, two_share, 0.5, 0, 1, "work of two environments, as a share of the work, in addition to it")                 \
    /* repeated probing (plan/outcomes/outcomes_search.c) */                                                                       \
    PARAMETER(double, hoped, 2, 1, 100,                                                                                            \
              "an option is tried again if this multiple of its last raise reaches the cutoff: of 108 slow mazes one more "        \
              "proved, in 376 s, not 406")                                                                                         \
    PARAMETER(double, ages, 2, 1, 100,                                                                                             \
              "growth of that raise each time the option is skipped; with 1.1 options are skipped too long")                       \
    PARAMETER(double, least_raise, 0.02, 0, 1, "least raise, as a share of the gap; with 1e-4 two more mazes are open")            \
    /* offered policies (plan/outcomes/outcomes_search.c) */                                                                       \
    PARAMETER(int, offered_passes, 20, 0, 1000, "slice passes after rounding")                                                     \
    PARAMETER(int, exchanged_passes, 3, 0, 1000, "slice passes after an exchange")                                                 \
    PARAMETER(int, drawn, 4000, 0, 1e9, "policies drawn on a walk")                                                                \
    PARAMETER(double, worse, 0.002, 0, 1,                                                                                          \
              "first threshold of a walk, as a share of the regret: t-maze 8,4,4,6, T = 24 from 2.209 to the optimum 2.15789 for " \
              "three seeds; 2.1579007 with 0")                                                                                     \
    PARAMETER(double, exchanging, 0.3, 0, 1, "share of the remaining work for exchanges")

/* Local search and walks. */
#define HEURISTIC_PARAMETERS(PARAMETER)                                                                                            \
    /* local search (plan/heuristic/local_search.c) */                                                                             \
    PARAMETER(double, more_weight, 1, 0, 100, "weight added in the next round to the environment with the largest shortfall")      \
    PARAMETER(double, little_work, 5e7, 0, 1e12,                                                                                   \
              "edges times environments of a first policy computed without a limit: at most a quarter of a second")                \
    PARAMETER(int, nodes_per_check, 64, 1, 1e6, "nodes of a slice pass between two reads of the clock")                            \
    /* walks; thresholds are in the file (plan/heuristic/threshold_accepting.c) */                                                 \
    PARAMETER(double, longer, 1.5, 1, 10, "growth of the passes of a walk after each turn")                                        \
    PARAMETER(int, first_passes, 250, 1, 1e6, "passes of the first walk")                                                          \
    PARAMETER(int, most_turns, 12, 1, 100, "turns")                                                                                \
    PARAMETER(                                                                                                                     \
        int, squares, 4, 0, 10,                                                                                                    \
        "squarings of losses (power 16); powers 8 and 32 find less on machine-repair K = 10, T = 20, L = 0 (bench/NOTES.md)")      \
    PARAMETER(int, walk_passes, 20, 0, 1000, "passes of local search at the end")                                                  \
    PARAMETER(double, pass_work, 2, 1, 100,                                                                                        \
              "a pass, in edges times environments: evaluation, values of the policy, and one drawn choice per node")

/* Relaxations. */
#define RELAX_PARAMETERS(PARAMETER)                                                                                                \
    /* belief expansion (plan/relax/belief_expansion.c) */                                                                         \
    PARAMETER(int, least_plans, 2, 1, 1000, "first number of plans of a class")                                                    \
    PARAMETER(int, most_plans, 24, 1, 1000, "largest number of plans of a class")                                                  \
    PARAMETER(int, least_growth, 16, 1, 1e6, "least number of classes grown in a round")                                           \
    PARAMETER(int, settle_rounds, 60, 1, 10000, "rounds of mixtures after the last growth")                                        \
    PARAMETER(int, feasible_rounds, 60, 1, 10000, "rounds for a mixture that keeps the promises")                                  \
    PARAMETER(double, most_numbers, 5e7, 1, 1e12, "values by environment: choices, and nodes times plans")                         \
    PARAMETER(double, most_likelihoods, 1e7, 1, 1e12, "likelihoods of classes used for a bound only")                              \
    PARAMETER(double, growth_share, 0.9, 0, 1, "share of the gap of the bounds grown in a round,")                                 \
    PARAMETER(double, growth_part, 0.25, 0, 1, "at most this part of the classes")                                                 \
    PARAMETER(double, met, 0.05, 0, 1, "remaining share of the bound's gap at which mixture and multipliers have converged")       \
    PARAMETER(double, near_mixture, 1e-3, 0, 1,                                                                                    \
              "least gap to the mixture of a bound computed for other searches, whose policies regret more than mixtures")         \
    /* policies guided by weights (plan/relax/guided.c) */                                                                         \
    PARAMETER(int, guided_rounds, 40, 1, 10000, "rounds")                                                                          \
    PARAMETER(int, guided_patience, 10, 1, 10000, "rounds without a change of the policy")                                         \
    PARAMETER(int, guided_idle, 6, 1, 10000, "rounds of weights without a better policy")                                          \
    PARAMETER(double, guided_step, 2, 0, 100, "first step of the weights")                                                         \
    PARAMETER(double, guided_most_step, 3, 0, 100, "largest step")                                                                 \
    PARAMETER(double, guided_values, 5e7, 1, 1e12, "choices times environments")                                                   \
    PARAMETER(double, guided_enough, 1e-3, 0, 1, "a round this close to the best mixture of the policies tried ends the search")   \
    /* relaxation levels that race (plan/relax/levels.c) */                                                                        \
    PARAMETER(long long, trial_nodes, 512, 1, 1e9, "nodes after which a search with value vectors tries without them")             \
    PARAMETER(double, much_work, 1e5, 0, 1e12, "least work of an induction on the finest level for which coarser ones are tried")  \
    PARAMETER(double, race_work, 4e6, 1, 1e12, "work of a level in the first round")                                               \
    PARAMETER(double, more_work, 3, 1, 100, "growth of that work per round")                                                       \
    PARAMETER(double, telling_work, 3e7, 1, 1e12,                                                                                  \
              "least work of a round that eliminates the worse half, since bounds of small trees are not significant")             \
    PARAMETER(double, master_work, 5000, 0, 1e9, "a master program")                                                               \
    PARAMETER(double, shallow_first, 1e8, 1, 1e12, "work of a search before the first turn of Markov policies")                    \
    PARAMETER(double, shallow_share, 0.5, 0, 100, "work of their search, as a share of the concurrent one")                        \
    PARAMETER(double, shallow_unit, 0.5, 0, 1, "least work of their induction, as a share of one of the concurrent search")        \
    PARAMETER(double, shallow_growth, 1.25, 1, 100, "growth of that search's work between turns")                                  \
    PARAMETER(double, pairs_lead, 0.9, 0, 1, "share of the nodes led by pairs in a search that counts as led by them")             \
    PARAMETER(long long, few_inductions, 200, 1, 1e9,                                                                              \
              "a level joins if it can do this number of inductions: the root takes some dozens, and says little about a tree")    \
    PARAMETER(double, grown_telling, 9e8, 1, 1e15,                                                                                 \
              "work up to which expanded classes grow unconditionally; beyond it while they lead")                                 \
    PARAMETER(double, walk_work, 3e9, 0, 1e15, "work of threshold accepting after the race")                                       \
    PARAMETER(double, growth_work, 1e10, 1, 1e15, "work of growth after the race")                                                 \
    PARAMETER(double, vain, 0.25, 0, 1, "factor on a walk's work each time that walks from the same policy find none better")      \
    PARAMETER(int, grown_classes, 3000, 1, 1e7, "classes of the level of expanded classes")                                        \
    PARAMETER(double, grown_units, 1e6, 1, 1e12, "and its arcs to single environments")                                            \
    PARAMETER(long long, many_inductions, 1000, 1, 1e9,                                                                            \
              "a finer level is built if the finest one could do this number: building takes some dozen inductions on it")         \
    /* a small tree before the stagewise search (plan/schedule.c) */                                                               \
    PARAMETER(int, small_classes, 1000, 1, 1e6, "largest number of likelihood classes")                                            \
    PARAMETER(double, small_work, 1.5e7, 0, 1e12, "its work: some hundredths of a second")                                         \
    /* scenarios (plan/relax/scenarios.c) */                                                                                       \
    PARAMETER(long long, scenario_inductions, 20000, 1, 1e12,                                                                      \
              "inductions of searches over few environments before these are doubled, or all are used")                            \
    PARAMETER(double, scenario_small, 1. / 16, 0, 1,                                                                               \
              "share of the environments below which few may repeat that and double: machine repair K = 2000, seed 8: 10 s, 873 "  \
              "MB before, 1.8 s, 41 MB with it")                                                                                   \
    PARAMETER(double, scenario_share, 0.5, 0, 1, "largest share of the environments")                                              \
    PARAMETER(int, scenario_passes, 20, 0, 1000, "slice passes of an offered policy")

#define PARAMETER_FIELD(type, name, ...)             type name;
#define PARAMETER_DEFAULT(type, name, standard, ...) .name = (standard),
#define PARAMETER_TABLE(table)                                                                                                     \
    static const struct {                                                                                                          \
        table##_PARAMETERS(PARAMETER_FIELD)                                                                                        \
    } table = {table##_PARAMETERS(PARAMETER_DEFAULT)}
PARAMETER_TABLE(SEARCH);
PARAMETER_TABLE(STAGEWISE);
PARAMETER_TABLE(TIME);
PARAMETER_TABLE(OUTCOMES);
PARAMETER_TABLE(HEURISTIC);
PARAMETER_TABLE(RELAX);
#undef PARAMETER_TABLE
#undef PARAMETER_FIELD
#undef PARAMETER_DEFAULT

#endif
