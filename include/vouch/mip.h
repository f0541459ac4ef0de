/* vouch/mip.h - mixed-integer linear programs by LP-based branch and bound
 *
 * The problem is a vouch_lp whose integer columns and SOS1 sets are honoured. The search keeps an incumbent (a point checked on
 * the caller's data) and a proved bound at all times, so that any limit leaves both.
 */
#ifndef VOUCH_MIP_H
#define VOUCH_MIP_H

#include <stddef.h>
#include <vouch/lp.h>

VOUCH_C_BEGIN

typedef enum vouch_mip_outcome {
    VOUCH_MIP_UNSOLVED = 0,
    VOUCH_MIP_OPTIMAL,    /* incumbent and bound within the gap */
    VOUCH_MIP_INFEASIBLE, /* proved: no integer point */
    VOUCH_MIP_UNBOUNDED,  /* the relaxation is unbounded along a ray that keeps the sets, and an integer point is on it */
    VOUCH_MIP_LIMIT,      /* incumbent (if any) and bound are valid */
    VOUCH_MIP_INTERRUPTED,
    VOUCH_MIP_NUMERICAL
} vouch_mip_outcome;

/* The families of cutting planes in the order in which they are separated, by the words for them. */
#define VOUCH_MIP_CUTS(X)  X(implied) X(clique) X(cover) X(path) X(mir) X(gomory)
#define VOUCH_MIP_FAMILIES 6

/* One node of the search tree, reported when it ends. */
typedef enum vouch_node_end {
    VOUCH_NODE_BRANCHED = 0,
    VOUCH_NODE_BOUND,      /* its bound is no better than the incumbent */
    VOUCH_NODE_INFEASIBLE, /* no point; or each is the image of one elsewhere (symmetry) */
    VOUCH_NODE_INTEGER,    /* its relaxation is an integer point */
    VOUCH_NODE_LIMIT
} vouch_node_end;

typedef struct vouch_mip_node {
    long long id, parent; /* the root is 1, its parent 0 */
    int depth;
    int column;          /* branching that made it, -1 at the root */
    double lower, upper; /* the new bounds of that column */
    double bound;        /* of its relaxation, in the problem's sense */
    vouch_node_end end;
} vouch_mip_node;

typedef struct vouch_mip_options {
    double gap_absolute;    /* 1e-9 */
    double gap_relative;    /* 1e-6: |incumbent - bound| / max(1, |incumbent|), without the constant and what fixed columns cost */
    double integrality_tol; /* 1e-6 */
    int presolve, cuts, heuristics; /* 1 on, 0 off */
    int symmetry;          /* 1: of points that permutations of the columns turn into each other one is looked for, 0: all */
    unsigned cut_families; /* bit k: the k-th of VOUCH_MIP_CUTS is separated; 0: all of them, where cuts is 1 */
    int threads;           /* for large trees; the answer does not depend on them. on_node is called from one at a time */
    vouch_limits limits;
    vouch_log log;
    vouch_lp_options lp; /* for the relaxations: factor, tolerances */
    uint64_t seed;
    /* A known point, [n]; used as the first incumbent if it checks. NULL: none. */
    const double *start;
    /* Given the relaxation's point x [n] of a node, may write a candidate point into out [n] and return 1.
     * The candidate is checked before it becomes the incumbent. NULL: none. */
    int (*heuristic)(void *context, const double *x, double *out);
    void *heuristic_context;
    /* Called at each ended node. NULL: none. */
    void (*on_node)(void *context, const vouch_mip_node *node);
    void *on_node_context;
    /* A feasible point, [n]: asserted never to lie in a node pruned by its bound while the incumbent is worse. NULL: none. */
    const double *debug_solution;
    vouch_trace *trace; /* NULL: none */
} vouch_mip_options;

VOUCH_API void vouch_mip_options_init(vouch_mip_options *options);

typedef struct vouch_mip_result {
    vouch_mip_outcome outcome;
    int has_incumbent;
    double objective; /* of x; NAN without incumbent */
    double bound;     /* proved, in the problem's sense */
    const double *x;  /* [n] or NULL */
    long long nodes;
    long long iterations; /* simplex iterations in all */
    double seconds;
    long long cut_rows[VOUCH_MIP_FAMILIES]; /* cuts of each family that became rows of the relaxation */
    const char *reason;                     /* NUMERICAL: the missing certificate, in a line. Else NULL */
} vouch_mip_result;

typedef struct vouch_mip vouch_mip;

/* Copies the problem. options NULL: defaults. */
VOUCH_API vouch_status vouch_mip_new(vouch_mip **mip, const vouch_lp *problem);
VOUCH_API void vouch_mip_free(vouch_mip *mip);
VOUCH_API vouch_status vouch_mip_solve(vouch_mip *mip, const vouch_mip_options *options);
VOUCH_API void vouch_mip_get_result(const vouch_mip *mip, vouch_mip_result *result); /* arrays owned by mip */
VOUCH_API const char *vouch_mip_outcome_text(vouch_mip_outcome outcome);

/* A proof that anyone can check, in the format VIPR 1.0. */
typedef struct vouch_proof {
    int proved;
    int feasible;      /* proved: 1: there is an optimal solution; 0: there is none */
    double objective;  /* proved and feasible: the optimum, rounded; where x was not optimal, better than its own */
    const char *why;   /* not proved: why not; else NULL */
    char *text;        /* proved: the file, zero-terminated; else NULL */
    size_t length;     /* of text */
    long long nodes;   /* of the search tree */
    long long derived; /* constraints */
} vouch_proof;

/* Proves in rational arithmetic, each number read as the shortest decimal of its double, that no point is better than the best one
 * with the integer columns of x [n] (or than better ones found); x NULL: that there is no point. The root derives bounds implied by
 * rows and cuts by rounding; nodes are closed by bounds. Unbounded programs and SOS1 sets are not supported. Free *out with
 * vouch_proof_free. */
VOUCH_API vouch_status vouch_lp_prove(const vouch_lp *problem, const double *x, const vouch_limits *limits, vouch_proof *out);
VOUCH_API void vouch_proof_free(vouch_proof *proof);

VOUCH_C_END
#endif
