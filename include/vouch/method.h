/* vouch/method.h - the planning methods, one an entry.
 *
 * An entry makes the value VOUCH_METHOD_<name> and says all that the rest has to know to offer the method: command lines, files,
 * sweeps, help and planning again read it (vouch_method_describe). A new method is an entry here, at the end, and a file
 * src/plan/<function>.c that holds vouch_status plan_<function>(plan_call *) (src/plan/methods.h).
 */
#ifndef VOUCH_METHOD_H
#define VOUCH_METHOD_H

#include <vouch/status.h>

VOUCH_C_BEGIN

/* The L of a method's policies. */
typedef enum vouch_lookahead {
    VOUCH_LOOKAHEAD_ASKED = 0, /* L of the options: the time until which knowledge is updated */
    VOUCH_LOOKAHEAD_NONE,      /* 0: Markov policies */
    VOUCH_LOOKAHEAD_HORIZON    /* T */
} vouch_lookahead;

/* NULL or 0 where nothing is said. */
typedef struct vouch_method_description {
    const char *word;     /* on the command line and in policy files */
    const char *policies; /* which it plans, in a few words */
    vouch_lookahead lookahead;
    double gap;            /* the default */
    int proves;            /* 1: looks for an optimum, and bounds it; 0: a baseline, found without any claim */
    int starts;            /* 1: takes a policy to begin with */
    const char *replanned; /* sweeps: CCIL with its plans, .. */
    const char *guarded;   /* .. and guarded; NULL: CCIL does not plan with it */
} vouch_method_description;

#define VOUCH_METHODS(METHOD)                                                                                                      \
    METHOD(MILP_CCL, ccl, .word = "milp-ccl", .policies = "deterministic policies that use the first L observations", .gap = 1e-6, \
           .proves = 1, .starts = 1, .replanned = "milp-ccil", .guarded = "guarded-ccil")                                          \
    METHOD(EXACT_CCL, exact, .word = "exact-ccl", .policies = "stochastic policies that use the first L observations",             \
           .gap = 1e-4, .proves = 1, .starts = 1, .replanned = "exact-ccil")                                                       \
    METHOD(HISTORY, history, .word = "history", .policies = "all policies, including history-dependent ones",                      \
           .lookahead = VOUCH_LOOKAHEAD_HORIZON, .gap = 1e-6, .proves = 1)                                                         \
    METHOD(GREEDY, greedy, .word = "greedy", .policies = "a baseline, least regret of the next step",                              \
           .lookahead = VOUCH_LOOKAHEAD_HORIZON, .gap = 1e-6)                                                                      \
    METHOD(MDPS_BEST, mdps_best, .word = "mdps-best", .policies = "a baseline, the best of single environments",                   \
           .lookahead = VOUCH_LOOKAHEAD_NONE, .gap = 1e-6)

#define VOUCH_METHOD_NUMBER(name, function, ...) VOUCH_METHOD_##name,
typedef enum vouch_method { VOUCH_METHODS(VOUCH_METHOD_NUMBER) VOUCH_METHOD_COUNT } vouch_method;
#undef VOUCH_METHOD_NUMBER

/* NULL: no such method. */
VOUCH_API const vouch_method_description *vouch_method_describe(vouch_method method);
/* "milp-ccl", .. as on the command line ("unknown": no such method); and back (-1: no such method). */
VOUCH_API const char *vouch_method_text(vouch_method method);
VOUCH_API int vouch_method_find(const char *word);

VOUCH_C_END
#endif
