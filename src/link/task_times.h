/* link/task_times.h - what tasks take, measured: a line for each in the file that the environment variable VOUCH_TASKS names, read
 * by bench/scale.py. Seconds are of the processor, which others that run on it do not change.
 */
#ifndef LINK_TASK_TIMES_H
#define LINK_TASK_TIMES_H

#include <stdio.h>

#include "link/transport.h"

typedef struct task_times {
    FILE *file;   /* NULL: nothing is measured */
    double taken; /* when the last answer was */
} task_times;

typedef struct task_line {
    long long number, knows; /* answers that had been taken when the task was given */
    size_t task_bytes, answer_bytes;
    double asked;                 /* when its answer was asked for */
    double worked;                /* seconds */
    int parts;                    /* 0: none */
    double spent[1 + MOST_PARTS]; /* seconds: of its beginning, and of its parts */
} task_line;

double task_times_now(void);
/* Nothing is there where the variable names none. */
void task_times_open(task_times *t, int window);
/* The answer of the task is there, and that of the task before it is merged. */
void task_times_add(task_times *t, const task_line *line);
void task_times_close(task_times *t);

#endif
