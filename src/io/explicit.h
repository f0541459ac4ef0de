/* io/explicit.h - explicit models of PRISM: what `prism -exportmodel M.all` and the older switches write, one environment.
 *
 *   M.tra          "STATES CHOICES TRANSITIONS", then "STATE CHOICE SUCCESSOR PROBABILITY [ACTION]" (mdp); without choices: dtmc
 *   M.lab          0="init" 1="deadlock" 2="goal", then "STATE: LABEL LABEL .."; without this file state 0 begins
 *   M.sta          (x,y), then "STATE:(VALUE,VALUE)": the names of the states
 *   M.srew, M.rews rewards of states: "STATES REWARDS", then "STATE REWARD"
 *   M.trew, M.rewt rewards of transitions, in lines as those of M.tra
 *   M.rew          one of the two, as its lines say
 *
 * Of several reward structures each has a file: M1.srew, M2.srew. A comment names it, or its number does. Any file may be packed.
 */
#ifndef IO_EXPLICIT_H
#define IO_EXPLICIT_H

#include "io/drn_read.h"

/* Reads file, M.tra, and what lies beside it, into d; drn_free whatever the outcome. */
vouch_status explicit_read(drn *d, const file_content *file, const vouch_source *source, vouch_error *error);
/* The files beside path that explicit_read reads too. */
vouch_status explicit_companions(names *list, const char *path, vouch_error *error);

#endif
