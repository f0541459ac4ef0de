/* link/alone.c - the group of a program without MPI: no workers. */
#include "link/group.h"

bool group_possible(void) { return false; }

void group_start(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

void group_end(void) {}
int group_workers(void) { return 0; }
bool group_is_worker(void) { return false; }

void group_tell(const char *question, const char *answer, size_t length)
{
    (void)question;
    (void)answer;
    (void)length;
}

const char *group_told(const char *question, size_t *length)
{
    (void)question;
    *length = 0;
    return NULL;
}

transport *group_connect(uint64_t kind)
{
    (void)kind;
    return NULL;
}

void group_finish(uint64_t kind, const message *last)
{
    (void)kind;
    (void)last;
}

vouch_status group_serve(uint64_t kind, const task_work *work, message *last)
{
    (void)kind;
    (void)work;
    (void)last;
    return VOUCH_ERROR_ARGUMENT;
}
