/* draw/policy.h - policies in words and as graphs, each appended to t. */
#ifndef DRAW_POLICY_H
#define DRAW_POLICY_H

#include <vouch/policy.h>

#include "draw/draw.h"

typedef struct shown {
    const vouch_model *m;
    const vouch_policy *p;
    const vouch_policy_graph_data *f; /* NULL: there is no model */
    int L, T, K;
    int first;                   /* added to times of the policy in output: -1 if a random initial state is drawn at time -1 */
    double least_probability;    /* pictures omit decisions less likely than this in every environment */
    const char *across, *upward; /* the variables of a grid */
    int page, height;            /* maximum size of pictures in pixels, if their contents allow */
    escape *e;                   /* memory of draw_svg */
} shown;

void show_knowledge(const shown *s, int rule, text *t); /* "all", "k1,k2", "not k3", or "w=(1,0.3)" */
/* Its two parts: the possible environments, and the rest, " @x1", likelihoods, or nothing. */
void show_possible(const shown *s, int rule, text *t);
void show_behind(const shown *s, int rule, text *t);
void show_action(const shown *s, int rule, text *t); /* "a2", or "a1 0.25, a2 0.75" */

bool draw_left_out(const shown *s, int node); /* is it below least_probability in every environment? */
/* The text of a node at T, and whether all promises are kept there. */
const char *draw_end_text(const shown *s, int node);
bool draw_ends_well(const shown *s, int node);
double draw_likeliest(const shown *s, int edge); /* the largest probability over environments */
/* Does the policy depend on likelihoods? And its memory, for a title: "L = 3", or "using the whole history". */
bool draw_weighs(const shown *s);
void draw_memory(const shown *s, text *t);
/* The title of a picture, plain or for graphviz. */
void draw_name(const shown *s, void (*add)(text *, const char *), text *t);
void draw_dot(const shown *s, text *t);
/* False: it would be too high, and nothing is drawn. */
bool draw_svg(const shown *s, text *t);
/* ---- edges of a policy graph by environment: probabilities and rewards ---- */

double steps_probability(const shown *s, int edge, int k); /* Pr(the edge | its node; k) */
/* The reward of environment k on the edge, 0 if it never takes it. Environments that the policy does not distinguish share edges,
 * but may differ in rewards. */
double steps_reward(const shown *s, int edge, int k);
bool steps_taken(const shown *s, int edge, int k);             /* can environment k take the edge? */
double steps_expected_reward(const shown *s, int node, int k); /* of its step in environment k */
/* The rewards of an edge over the environments that take it, "3" or "1 .. 7", with this number of digits. */
void steps_add_rewards(const shown *s, int edge, int digits, text *t);

#endif
