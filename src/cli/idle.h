/* cli/idle.h - constants, promises and rewards that change nothing. */
#ifndef CLI_IDLE_H
#define CLI_IDLE_H

#include <vouch/model.h>

/* Notes on standard error each constant whose several values (environments are named by them: a=0,b=1) give the same environments,
 * whatever the others are. Nothing where comparing takes too long, or memory is out. */
void idle_constants_tell(const vouch_model *m);
/* The same of each promise "by" that the one initial state keeps in every environment: nothing is left of it to do. */
void idle_promises_tell(const vouch_model *m);
/* Notes that nothing is promised in a file of a format that has no promises of its own. */
void idle_promise_tell(const vouch_model *m, const char *path);
/* Notes that all rewards are 0, and that there is one environment alone. path: of a file of whose rewards none were chosen, or
 * NULL. */
void idle_model_tell(const vouch_model *m, const char *path);
/* Notes that L changes little, where nothing seen within L steps rules out an environment. */
void idle_lookahead_tell(const vouch_model *m, int L);

#endif
