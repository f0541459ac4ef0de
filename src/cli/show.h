/* cli/show.h - the ways of showing a policy. Each appends to t. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <vouch/vouch.h>

#include "io/file.h"
#include "io/output.h"

typedef struct shown {
    const vouch_model *m;
    const vouch_policy *p;
    const vouch_policy_graph_data *f; /* NULL: only the policy is known, not the model */
    int L, T, K;
    int first;                   /* what is added to times of the policy to tell them: -1 where a first state is drawn at time -1 */
    double least_probability;    /* pictures leave out what is less likely in every environment */
    const char *across, *upward; /* the variables of a grid */
    int page;                    /* pixels that pictures may be wide, as far as what stands in them allows */
} shown;

/* "all", "k1,k2", "not k3", or "w=(1,0.3)". */
void show_knowledge(const shown *s, int rule, text *t);
/* Its parts: the environments that are still possible; and what else is known, " @x1" or the likelihoods, maybe nothing. */
void show_possible(const shown *s, int rule, text *t);
void show_behind(const shown *s, int rule, text *t);
/* "a2", or "a1 0.25, a2 0.75". */
void show_action(const shown *s, int rule, text *t);

int show_table(const shown *s); /* on standard output; -1 when memory is out */
void show_tree(const shown *s, text *t);
void show_csv(const shown *s, text *t);
void show_json(const shown *s, text *t);
/* Storm's scheduler format; memory ids stand for time, knowledge, what promises remember, and the plans that may be followed.
 * ERROR_SIZE: those are too many. */
vouch_status show_storm(const shown *s, text *t, vouch_error *error);

/* In sentences. */
void show_words(const shown *s, text *t);
/* The Markov chain of each environment: a DRN file each in the directory path, and an index of them, or one PRISM file. */
vouch_status induce_drn_write(const shown *s, const char *path, vouch_error *error);
void induce_prism(const shown *s, text *t);

/* Is the node less likely than asked for in every environment? */
bool draw_left_out(const shown *s, int node);
/* What is to be said of a node at T, and whether all promises are kept there. */
const char *draw_end_text(const shown *s, int node);
bool draw_ends_well(const shown *s, int node);
/* Probability of coming along an edge, where it is largest. */
double draw_likeliest(const shown *s, int edge);
/* Does the policy go by likelihoods? And what it remembers, for a title: "L = 3", or "that uses the whole history". */
bool draw_weighs(const shown *s);
void draw_memory(const shown *s, text *t);
#define DRAW_WEIGHS "w: likelihood of the observations in each environment, scaled to a largest value of 1"
/* The title of a picture: as it stands, or as a graphviz string. */
void draw_name(const shown *s, void (*add)(text *, const char *), text *t);
void draw_dot(const shown *s, text *t);
void draw_svg(const shown *s, text *t);
/* Moves on a grid, a panel per time step. -1: the states have no two whole-number variables x and y. */
int draw_grid(const shown *s, text *t);

#endif
