/* vouch/program.h - the mathematical programs of commitment-constrained planning, written down for other solvers
 *
 * vouch itself plans without them, or with its own solvers. The optimum of each is the least maximum regret of a class of policies,
 * or minus the largest value of another objective.
 */
#ifndef VOUCH_PROGRAM_H
#define VOUCH_PROGRAM_H

#include <vouch/lp.h>
#include <vouch/model.h>
#include <vouch/plan.h>

VOUCH_C_BEGIN

typedef enum vouch_program_form {
    VOUCH_PROGRAM_PAPER =
        0,                 /* deterministic L-updates policies, MILP-CCL as printed: occupancies of each environment, indicators */
    VOUCH_PROGRAM_COMPACT, /* the same over likelihood classes: one occupancy for all environments */
    VOUCH_PROGRAM_HISTORY, /* all policies: a linear program over the likelihood classes of whole histories */
    VOUCH_PROGRAM_BILINEAR /* stochastic L-updates policies: exact CCL, with products of two columns */
} vouch_program_form;

typedef struct vouch_program vouch_program;

/* lookahead: L, 0 .. horizon; of no meaning for HISTORY. ERROR_INPUT names an environment that alone cannot keep the commitment:
 * its optimal value, which the program needs, does not exist. ERROR_SIZE: too many nodes. *program is NULL after an error. */
VOUCH_API vouch_status vouch_program_new(vouch_program **program, const vouch_model *model, vouch_program_form form, int lookahead,
                                         vouch_error *error);
/* The same for another objective; weights only if it is WEIGHTED: [K], NULL: the model's prior, or 1 each. All objectives are
 * minimised: the optimum is minus the value. */
typedef struct vouch_program_aim {
    vouch_objective objective;
    const double *weights;
} vouch_program_aim;
VOUCH_API vouch_status vouch_program_new_for(vouch_program **program, const vouch_model *model, vouch_program_form form,
                                             int lookahead, const vouch_program_aim *aim, vouch_error *error);
VOUCH_API void vouch_program_free(vouch_program *program); /* NULL is fine */

/* The linear part, with integer columns and named rows and columns: z is the maximum regret or the least value, y and x are
 * occupancies of one environment before and after step L, sigma occupancies of a likelihood class (as shares of the largest
 * possible), D indicators, pi action probabilities. Owned by the program. */
VOUCH_API const vouch_lp *vouch_program_lp(const vouch_program *program);
/* BILINEAR: the products of its rows, *product [number] ascending by row, owned by the program; else 0. */
VOUCH_API int vouch_program_products(const vouch_program *program, const vouch_lp_product **product);

VOUCH_C_END
#endif
