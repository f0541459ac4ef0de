/* cli/guarantees.h - vouch reproduce guarantees: what a promise in every environment costs against one on average and none. */
#ifndef CLI_GUARANTEES_H
#define CLI_GUARANTEES_H

#include "cli/experiments.h"

/* Tables, pictures, and a check that each promise costs no less than the weaker one. Sets s->wrong where a call fails. */
void experiment_guarantees(session *s);

#endif
