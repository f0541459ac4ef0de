/* cli/show.h - the private header of vouch show: the forms of a policy, each appended to t. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "cli/cli.h"

typedef struct shown {
    const vouch_model *m;
    const vouch_policy *p;
    const vouch_policy_graph_data *f; /* NULL: there is no model */
    int L, T, K;
    int first;                   /* added to times of the policy in output: -1 if a random initial state is drawn at time -1 */
    double least_probability;    /* pictures omit decisions less likely than this in every environment */
    const char *across, *upward; /* the variables of a grid */
    int page;                    /* maximum width of pictures in pixels, if their contents allow */
} shown;

void show_knowledge(const shown *s, int rule, text *t); /* "all", "k1,k2", "not k3", or "w=(1,0.3)" */
/* Its two parts: the possible environments, and the rest, " @x1", likelihoods, or nothing. */
void show_possible(const shown *s, int rule, text *t);
void show_behind(const shown *s, int rule, text *t);
void show_action(const shown *s, int rule, text *t); /* "a2", or "a1 0.25, a2 0.75" */

void show_table(const shown *s); /* on standard output */
void show_tree(const shown *s, text *t);
void show_csv(const shown *s, text *t);
void show_json(const shown *s, text *t);
/* Storm's scheduler format; a memory id encodes time, knowledge, memory of promises and possible plans. ERROR_SIZE: too many ids.
 */
vouch_status show_storm(const shown *s, text *t, vouch_error *error);

void show_words(const shown *s, text *t); /* in sentences */
/* The Markov chain of each environment: DRN files with an index in a directory, or one PRISM file. */
vouch_status induce_drn_write(const shown *s, const char *path, vouch_error *error);
void induce_prism(const shown *s, text *t);

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
/* False: it would be higher than this many pixels, and nothing is drawn. */
bool draw_svg(const shown *s, int height, text *t);
/* Moves on a grid, a board per time step. -1: the states have no two integer variables x and y. */
int draw_grid(const shown *s, text *t);

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
