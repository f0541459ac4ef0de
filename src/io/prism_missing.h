/* io/prism_missing.h - what the options of a PRISM or JANI file lack, all of it in one message, with values that would work. */
#ifndef IO_PRISM_MISSING_H
#define IO_PRISM_MISSING_H

#include <vouch/model_io.h>

#include "io/file.h"
#include "io/prism.h"

/* ERROR_INPUT where the horizon or the value of an open constant is not given; the message then names every option that lacks. */
vouch_status prism_check_given(const prism *p, const vouch_source *source);
/* Adds a set of states that --commit takes, quoted for the shell: the first label, or else values of the first variable. */
void prism_add_example(const prism *p, text *t);
/* ERROR_INPUT: the value given to an option is no label; with the labels that there are, and the nearest. */
vouch_status prism_no_label(const prism *p, const char *option, const char *given);
/* ERROR_INPUT: there is no reward structure of that name; with those that there are. */
vouch_status prism_no_reward(const prism *p, const char *given);

#endif
