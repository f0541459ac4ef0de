/* cli/show.h - the private header of vouch show: the forms of a policy, each appended to t. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "cli/cli.h"
#include "draw/policy.h"

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

/* Moves on a grid, a board per time step. -1: the states have no two integer variables x and y. */
int draw_grid(const shown *s, text *t);

#endif
