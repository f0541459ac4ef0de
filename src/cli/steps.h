/* cli/steps.h - the steps of a policy's graph, in each environment: how likely they are, and what they pay. */
#ifndef CLI_STEPS_H
#define CLI_STEPS_H

#include "cli/show.h"

/* Pr(the edge | its node; k). */
double steps_probability(const shown *s, int edge, int k);
/* What environment k pays on the edge. Environments that the policy does not tell apart share edges, and may pay differently. 0
 * where the environment never takes it. */
double steps_reward(const shown *s, int edge, int k);
/* Can environment k take the edge? */
bool steps_taken(const shown *s, int edge, int k);
/* The expected reward of a node's step in environment k. */
double steps_expected_reward(const shown *s, int node, int k);
/* The rewards of an edge: "3", or "1 .. 7" over the environments that take it, with that many digits. */
void steps_add_rewards(const shown *s, int edge, int digits, text *t);
/* Is a reward other than 0 paid on it? */
bool steps_pay(const shown *s, int edge);

#endif
