/* vouch/decision_tree.h - a policy as a decision tree over time, variables of the state, what is known, and likelihoods
 *
 * The tree is exact: at each policy node that the policy reaches it has the policy's decision, which is checked after it was built.
 * With a limit on its leaves it may be the tree of another policy, with fewer rules and more regret. After dtControl (P. Ashok, M.
 * Jackermeier, P. Jagtap, J. Kretinsky, M. Weininger, M. Zamani, HSCC 2020). */
#ifndef VOUCH_DECISION_TREE_H
#define VOUCH_DECISION_TREE_H

#include <vouch/policy.h>

VOUCH_C_BEGIN

typedef struct vouch_decision_tree vouch_decision_tree;

/* The smallest exact tree found. leaves > 0: if it has more leaves, the tree of the best policy found that needs at most so many: a
 * kept promise first, then the least maximum regret, then the least total regret. Model and policy must outlive the tree.
 * ERROR_INPUT: the policy does not fit the model; with a limit on the leaves also, if it follows plans. ERROR_SIZE: too many nodes.
 */
VOUCH_API vouch_status vouch_decision_tree_new(vouch_decision_tree **tree, const vouch_policy *policy, const vouch_model *model,
                                               int leaves, vouch_error *error);
VOUCH_API void vouch_decision_tree_free(vouch_decision_tree *tree); /* NULL is fine */

typedef struct vouch_decision_tree_size {
    int leaves, depth;
    int places;                          /* policy nodes before the horizon that the described policy reaches */
    int smaller;                         /* 1: of a policy with fewer rules (vouch_decision_tree_policy), 0: of the policy given */
    int kept;                            /* smaller: are all promises kept? */
    double max_regret, given_max_regret; /* smaller: of the policy described and of the one given */
} vouch_decision_tree_size;

VOUCH_API void vouch_decision_tree_get_size(const vouch_decision_tree *tree, vouch_decision_tree_size *size);
/* The policy that the tree describes, with its figures: owned by the tree, or the policy given. */
VOUCH_API const vouch_policy *vouch_decision_tree_policy(const vouch_decision_tree *tree);

typedef enum vouch_tree_form {
    VOUCH_TREE_TEXT,
    VOUCH_TREE_MARKDOWN,
    VOUCH_TREE_DOT,
    VOUCH_TREE_JSON,
    VOUCH_TREE_SVG
} vouch_tree_form;

/* *text: owned by the caller, for vouch_text_free. width, height: of an SVG picture in pixels, at most; if its rules do not fit,
 * rare ones are folded into lines that count them. */
VOUCH_API vouch_status vouch_decision_tree_write(const vouch_decision_tree *tree, vouch_tree_form form, int width, int height,
                                                 char **text, vouch_error *error);
typedef struct vouch_picture {
    int width, height;        /* pixels: at most so wide, if the contents allow, and high; each at least 320 */
    double least_probability; /* places less likely in every environment are one box for each time */
    int as_rules;             /* filled: 1: the graph would be higher, and its exact rules were drawn */
} vouch_picture;

/* The graph of a policy as SVG, or its rules. *text: as above. */
VOUCH_API vouch_status vouch_policy_draw(const vouch_policy *policy, const vouch_model *model, vouch_picture *picture, char **text,
                                         vouch_error *error);
VOUCH_API void vouch_text_free(char *text); /* NULL is fine */

VOUCH_C_END
#endif
