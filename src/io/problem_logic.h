/* io/problem_logic.h - what a problem file may say beyond rows, bounds and integers, as a mixed-integer program with SOS1 sets. */
#ifndef IO_PROBLEM_LOGIC_H
#define IO_PROBLEM_LOGIC_H

#include "io/problem.h"

enum { LOGIC_TEXT = 320 };

/* Replaces semicontinuous columns, indicators and SOS2 sets by rows, columns and SOS1 sets with the same solutions; new columns and
 * rows stand behind the others. ERROR_INPUT: why says what is wrong. */
vouch_status problem_resolve_logic(problem *p, char why[LOGIC_TEXT]);

#endif
