/* vouch/search.h - the list of the parts of the search for policies.
 *
 * A row defines VOUCH_PART_<name>: the word that switches it off (--without, vouch_plan_options.without), its description, when it
 * applies, whether proof files have lines for its results, and its source. Help, `vouch plan --parts`, statistics, campaigns and
 * bench/parts.py read it (vouch_part_describe). No part changes an answer, only the time to find or prove it. Parts without lines
 * are off when a proof is written.
 */
#ifndef VOUCH_SEARCH_H
#define VOUCH_SEARCH_H

#include <vouch/status.h>

VOUCH_C_BEGIN

typedef enum vouch_part_kind {
    VOUCH_PART_STAGE = 0, /* a search of its own, with bound and policies */
    VOUCH_PART_BOUND,     /* a source of bounds of a node */
    VOUCH_PART_REDUCTION, /* removes options that no better policy uses */
    VOUCH_PART_HEURISTIC, /* finds policies */
    VOUCH_PART_TREE,      /* node selection, branching, restarts */
    VOUCH_PART_SPATIAL    /* of the search over stochastic policies (exact-ccl) */
} vouch_part_kind;

/* was: the word of version 0.1, or NULL. proved: 1: a proof carries it, since it has lines or claims nothing. */
typedef struct vouch_part_description {
    const char *word, *was;
    vouch_part_kind kind;
    int proved;
    const char *what;    /* one sentence */
    const char *applies; /* when it is used, one sentence */
    const char *source;
} vouch_part_description;

/* Rows are in the order in which a search uses them. */
#define VOUCH_PARTS(PART)                                                                                                          \
    PART(PARETO_VECTORS, .word = "pareto-vectors", .was = "frontiers", .kind = VOUCH_PART_BOUND, .proved = 1,                      \
         .what = "replaces whole continuations by the nondominated vectors that they attain in all environments",                  \
         .applies = "where transitions are deterministic and the vectors are few", .source = "THEORY 5, vectors")                  \
    PART(KNOWLEDGE, .word = "knowledge", .kind = VOUCH_PART_HEURISTIC, .proved = 1,                                                \
         .what = "finds a policy of few actions a knowledge state: sure ones by look-ahead, else those that split or earn most",   \
         .applies = "where knowledge states are too many, or no first policy keeps the promises",                                  \
         .source = "van der Vegt, Jansen, Junges 2023 (almost-sure promises)")                                                     \
    PART(SCENARIOS, .word = "scenarios", .was = "few", .kind = VOUCH_PART_STAGE, .proved = 1,                                      \
         .what = "searches a few environments and adds those that their best policy is worst for",                                 \
         .applies = "L = 0 and at least 8 environments, for the regret and the least value",                                       \
         .source = "Blankenship, Falk 1976 (constraint generation)")                                                               \
    PART(REACH, .word = "reach", .kind = VOUCH_PART_STAGE, .proved = 1,                                                            \
         .what = "bounds by potentials over the least and largest probabilities of reaching policy nodes",                         \
         .applies = "where transitions rather than actions decide which states are reached", .source = "THEORY 5, (5.6)")          \
    PART(STAGEWISE, .word = "stagewise", .was = "forward", .kind = VOUCH_PART_STAGE,                                               \
         .what = "decides policy nodes in the order of time, depth first", .applies = "where no promise binds",                    \
         .source = "THEORY 5, (5.4)")                                                                                              \
    PART(LEVELS, .word = "levels", .was = "rungs", .kind = VOUCH_PART_STAGE, .proved = 1,                                          \
         .what = "lets relaxations of different size race, by successive halving; coarse ones reveal the environment early",       \
         .applies = "where likelihood classes are many", .source = "Brown, Smith, Sun 2010 (information relaxations)")             \
    PART(BELIEF_EXPANSION, .word = "belief-expansion", .kind = VOUCH_PART_STAGE,                                                   \
         .what = "expands likelihood classes one by one, where the bound depends on them most",                                    \
         .applies = "where likelihood classes are too many for memory", .source = "Smith, Simmons 2004 (HSVI)")                    \
    PART(OUTCOMES, .word = "outcomes", .kind = VOUCH_PART_STAGE,                                                                   \
         .what = "searches the values that each environment can still have at the horizon",                                        \
         .applies = "in long searches where promises may bind", .source = "THEORY 5, outcomes")                                    \
    PART(PARETO, .word = "pareto", .was = "pairs", .kind = VOUCH_PART_BOUND, .proved = 1,                                          \
         .what = "bounds a node by the nondominated pairs (value, promise) of deterministic policies in each environment alone",   \
         .applies = "where promises may bind", .source = "THEORY 5, (5.3)")                                                        \
    PART(SINGLE_LAGRANGIAN, .word = "single-lagrangian", .kind = VOUCH_PART_BOUND,                                                 \
         .what = "bounds a node by the Lagrangian of each environment alone, before its Pareto sets are made",                     \
         .applies = "below the root, once a policy is known", .source = "THEORY 5, (5.3)")                                         \
    PART(DETERMINISTIC_MIXTURES, .word = "deterministic-mixtures", .kind = VOUCH_PART_BOUND,                                       \
         .what = "bounds a node by mixtures of policies each of which keeps one promise without randomisation",                    \
         .applies = "in long searches led by Pareto sets, while it gains", .source = "THEORY 5, (5.3)")                            \
    PART(SMOOTHING, .word = "smoothing", .kind = VOUCH_PART_BOUND, .proved = 1,                                                    \
         .what = "prices multipliers a step away from those of the best bound",                                                    \
         .applies = "three environments or more, where no promise binds", .source = "Wentges 1997")                                \
    PART(INHERITANCE, .word = "inheritance", .kind = VOUCH_PART_BOUND, .proved = 1,                                                \
         .what = "starts a node from the policies and multipliers of the mixture above it", .applies = "always",                   \
         .source = "THEORY 5, (5.1)")                                                                                              \
    PART(FIXING, .word = "fixing", .kind = VOUCH_PART_REDUCTION, .proved = 1,                                                      \
         .what = "fixes options that no policy below the cutoff uses, by reduced costs", .applies = "at each node with a mixture", \
         .source = "Dantzig, Fulkerson, Johnson 1954 (reduced costs)")                                                             \
    PART(OPTION_PROBING, .word = "option-probing", .kind = VOUCH_PART_REDUCTION,                                                   \
         .what = "tries an option alone and fixes it where one environment cannot afford it",                                      \
         .applies = "where promises may bind, once a policy is known", .source = "Savelsbergh 1994 (probing)")                     \
    PART(DOMINANCE, .word = "dominance", .kind = VOUCH_PART_REDUCTION, .proved = 1,                                                \
         .what = "leaves out options that another one is never worse than", .applies = "always; in proofs not of total regrets",   \
         .source = "THEORY 5")                                                                                                     \
    PART(LOCAL_SEARCH, .word = "local-search", .was = "slices", .kind = VOUCH_PART_HEURISTIC, .proved = 1,                         \
         .what = "improves a policy one time step after another", .applies = "always", .source = "THEORY 5")                       \
    PART(THRESHOLD_ACCEPTING, .word = "threshold-accepting", .kind = VOUCH_PART_HEURISTIC, .proved = 1,                            \
         .what = "walks from the best policy and accepts what is little worse", .applies = "in long races of levels",              \
         .source = "Dueck, Scheuer 1990")                                                                                          \
    PART(CHILD_BOUNDS, .word = "child-bounds", .was = "probing", .kind = VOUCH_PART_TREE, .proved = 1,                             \
         .what = "bounds each child by one backward induction before it is made", .applies = "where a mixture was made",           \
         .source = "THEORY 5")                                                                                                     \
    PART(STRONG_BRANCHING, .word = "strong-branching", .kind = VOUCH_PART_TREE, .proved = 1,                                       \
         .what = "tries candidates before it branches, and remembers what each choice gained",                                     \
         .applies = "in long searches, where mixtures lead", .source = "Achterberg, Koch, Martin 2005 (reliability branching)")    \
    PART(PLUNGING, .word = "plunging", .kind = VOUCH_PART_TREE, .proved = 1,                                                       \
         .what = "takes the promising child before open nodes of better bound", .applies = "always",                               \
         .source = "Linderoth, Savelsbergh 1999")                                                                                  \
    PART(AGREEMENT, .word = "agreement", .kind = VOUCH_PART_SPATIAL, .proved = 1,                                                  \
         .what = "bounds a box by mixtures of its policies, whose likelihood classes agree", .applies = "exact-ccl",               \
         .source = "THEORY 6")

#define VOUCH_PART_NUMBER(name, ...) VOUCH_PART_##name,
typedef enum vouch_part { VOUCH_PARTS(VOUCH_PART_NUMBER) VOUCH_PART_COUNT } vouch_part;
#undef VOUCH_PART_NUMBER

/* NULL: no such part. */
VOUCH_API const vouch_part_description *vouch_part_describe(vouch_part part);
/* By its word or, if `old` is not NULL, a word of version 0.1 (*old = 1). -1: no such part or, with *old = 1, one of earlier
 * versions, which has no effect. */
VOUCH_API int vouch_part_find(const char *word, int *old);
/* "stage", "bound", "reduction", "heuristic", "tree", "spatial"; "unknown": no such kind. */
VOUCH_API const char *vouch_part_kind_text(vouch_part_kind kind);

VOUCH_C_END
#endif
