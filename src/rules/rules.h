/* rules/rules.h - the private header of decision trees of policies (vouch/decision_tree.h).
 *
 * A *place* is a policy node before the horizon. A *feature* maps places to numbers or categories. A *test* of an inner node
 * compares a feature with a threshold or with a set of values; a leaf has a decision: a distribution of actions. */
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include <vouch/decision_tree.h>

#include "io/file.h"
#include "policy/space.h"

typedef struct tree_place {
    int time, state;          /* time from 0 */
    int behind;               /* state at step L, -1: none */
    int set;                  /* number of the set of environments still possible (features_set) */
    int plan;                 /* plan that is followed, -1: none */
    const double *likelihood; /* [K] or NULL */
} tree_place;

typedef enum feature_kind {
    FEATURE_TIME,
    FEATURE_VARIABLE, /* of the state */
    FEATURE_MEMORY,   /* of promises, with the state */
    FEATURE_POSSIBLE, /* 1: environment `at` is possible, 0: it is not */
    FEATURE_LEAST,    /* least and largest value of a variable in the names of possible environments */
    FEATURE_LARGEST,
    FEATURE_LIKELIHOOD,      /* of environment `at` */
    FEATURE_BEHIND_VARIABLE, /* of the state at step L */
    FEATURE_SET,
    FEATURE_PLAN,
    FEATURE_STATE, /* of the user */
    FEATURE_BEHIND_STATE,
    FEATURE_SUM /* of a feature and `sign` times another */
} feature_kind;

typedef struct feature {
    feature_kind kind;
    char *name;
    int at;              /* variable or environment; of sums a feature */
    int other, sign;     /* of sums */
    bool number;         /* false: its values are numbers of categories */
    bool last_resort;    /* used only if no other feature separates two places */
    bool whole;          /* a number: all values are whole */
    double low, high;    /* a number: its range in the model */
    const names *values; /* a category: its values; NULL: states */
} feature;

/* Variables "x=1,y=up" in names of states or environments. */
typedef struct variables {
    names name;
    int count;
    double *value; /* [items * count]: numbers, or for others their number in text */
    names *text;   /* [count] values of variables that are not numbers */
    bool *number;  /* [count] */
} variables;

typedef struct features {
    escape *e; /* owns everything */
    const vouch_model *m;
    int K, L, first;
    variables of_state, of_environment;
    names memory;
    int *memory_of; /* [states] */
    int *base;      /* [states] first state that is the same state of the user, without memory */
    names sets;
    bool *possible; /* [sets * K] */
    size_t possible_capacity;
    feature *list;
    size_t count, capacity, plain; /* plain: without sums, which come last */
} features;

/* The features of a policy of lookahead L; history, planned: its rules have likelihoods, plans. */
void features_make(features *f, const vouch_model *m, int L, bool history, bool planned, escape *e);
/* The number of a set of environments, [count] ascending. */
int features_set(features *f, const int environment[], int count);
/* The set of environments of positive likelihood. */
int features_likely_set(features *f, const double likelihood[]);
double feature_value(const features *f, int feature, const tree_place *p);

typedef struct leaf_decision {
    int actions;
    int *action, *follow; /* [actions]; follow NULL: no plans */
    double *probability;
} leaf_decision;

typedef enum test_kind { TEST_AT_MOST, TEST_EQUALS, TEST_AMONG } test_kind;

enum { MEMBERS = 8 }; /* of a test */

typedef struct rule_node {
    int feature; /* -1: a leaf */
    test_kind test;
    double threshold;
    int members, member[MEMBERS]; /* TEST_AMONG: categories or whole numbers, ascending */
    int yes, no;                  /* nodes, later than this one */
    int places;
    double steps;         /* expected number of steps here, in the environment where it is largest */
    int *choice, choices; /* decisions by decreasing weight; at a place the first available one holds */
} rule_node;

typedef struct rule_tree {
    rule_node *node; /* 0: root */
    size_t nodes, capacity;
    int leaves, depth;
} rule_tree;

/* Places with their decisions. */
typedef struct sample {
    int count;
    tree_place *place; /* [count] */
    int *decision;     /* [count] */
    double *reach;     /* [count * K] */
    double *weight;    /* [count] largest reach over environments */
} sample;

/* The environment (-1: all, on average) where the probability of a promise is least, compared with what is promised. */
typedef struct least_kept {
    int environment;
    double probability, promised;
} least_kept;

struct vouch_decision_tree {
    escape memory; /* owns everything but the policies */
    const vouch_model *model;
    const vouch_policy *policy; /* given */
    vouch_policy *smaller;      /* owned, or NULL */
    features f;
    leaf_decision *decision;
    size_t decisions, decision_capacity;
    rule_tree t;
    vouch_decision_tree_size size;
    least_kept *least; /* [promises] of a smaller policy */
};

/* Tests that the sample suggests, owned by f->e, as nodes without branches; few thresholds of a number with many values. Returns
 * their number. */
int tree_tests(features *f, const sample *s, rule_node **list);

/* The place of a rule; everything: the number of the set of all environments, for rules of plans. */
tree_place place_of_rule(features *f, const vouch_rule *r, int everything);

/* Is the test of the node true at the place? */
bool tree_test(const features *f, const rule_node *n, const tree_place *p);
/* The leaf of a place. */
int tree_leaf(const features *f, const rule_tree *t, const tree_place *p);
/* The number of a decision, added if new. */
int tree_decision(vouch_decision_tree *t, const leaf_decision *d);
/* The first decision of a leaf that is available in the state, added to the leaf if it has none. */
int tree_choose(vouch_decision_tree *t, rule_tree *of, int leaf, int state);

/* A tree without errors on the sample of the fewest leaves that a search finds. */
void tree_grow_exact(features *f, const sample *s, rule_tree *out);
/* A tree with at most this many leaves, grown where the weighted entropy decreases most. */
void tree_grow_weighted(features *f, const sample *s, int leaves, rule_tree *out);

/* The places of a policy. */
void sample_make(vouch_decision_tree *t, const vouch_policy *policy, sample *out);
/* Counts places, steps and decisions of the sample at each node. */
void tree_count(const vouch_decision_tree *t, const sample *s, rule_tree *of);
/* Replaces t->t by the tree of a policy with at most `leaves` leaves, t->smaller. s: the sample of t->policy. */
void rules_make_smaller(vouch_decision_tree *t, const sample *s, int leaves);

/* Appends the condition of a branch: "x <= 3", "k1 ruled out"; the decision of a leaf: "east, else wait". */
void rules_add_condition(const vouch_decision_tree *t, const rule_node *n, bool yes, text *out);
/* The condition without the name of its feature: " <= 3", " ruled out". */
void rules_add_relation(const vouch_decision_tree *t, const rule_node *n, bool yes, text *out);
void rules_add_decision(const vouch_decision_tree *t, const rule_node *leaf, text *out);
/* The title, and a line with regret and promises of a smaller policy, or nothing. */
void rules_add_title(const vouch_decision_tree *t, text *out);
void rules_add_cost(const vouch_decision_tree *t, text *out);
/* Appends explanation 0, 1, .. of the page; false: there are no more. */
bool rules_add_note(const vouch_decision_tree *t, int number, text *out);
void rules_draw(const vouch_decision_tree *t, int width, int height, escape *e, text *out);

#endif
