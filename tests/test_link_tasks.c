/* Tasks: the same answers in the same order for any number of workers, workers that die, truncated, damaged and foreign journals.
 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"
#include "link/journal.h"
#include "link/tasks.h"

/* What children and parent both see. */
typedef struct seen {
    atomic_int worked, deaths; /* tasks worked out; twice the workers that are yet to die, above DEADLY each */
    atomic_int parts;          /* that were worked out */
} seen;
static seen *both;

enum { TASKS = 200, LONGEST = 30000, DEADLY = 500 };

static vouch_status open_nothing(void *shared, void **own)
{
    *own = shared;
    return VOUCH_OK;
}

static void close_nothing(void *own) { (void)own; }

typedef struct toy {
    long long number, words;
    uint64_t seed;
} toy;

/* A worker may die before, or with half an answer made. */
static vouch_status take_toy(message *task, toy *t)
{
    t->number = message_take_int(task);
    t->words = message_take_count(task, 0, LONGEST);
    t->seed = (uint64_t)message_take_int(task);
    if (task->failed) return VOUCH_ERROR_ARGUMENT;
    int deaths = t->number % 3 == 1 ? atomic_fetch_sub(&both->deaths, 1) : 0;
    if (deaths > DEADLY || (deaths > 0 && deaths % 2)) raise(SIGKILL);
    return VOUCH_OK;
}

/* Every other task has several pieces, and some of these need only two. */
static int pieces_of(const toy *t) { return t->number % 2 ? 1 : 2 + (int)(t->number % 14); }
static int pieces_needed(const toy *t) { return t->number % 4 || pieces_of(t) < 2 ? pieces_of(t) : 2; }

static void put_piece(const toy *t, int piece, message *answer)
{
    uint64_t x = t->seed + (uint64_t)piece;
    for (long long i = 0; i < t->words / pieces_of(t); i++) {
        x = x * UINT64_C(6364136223846793005) + (uint64_t)t->number;
        message_put(answer, &x, sizeof x);
    }
}

/* The answer: number and seed mixed, piece after piece, as many words as the task says. */
static void put_toy(const toy *t, message *answer)
{
    message_put_int(answer, t->number);
    for (int i = 0; i < pieces_needed(t); i++) put_piece(t, i, answer);
    atomic_fetch_add(&both->worked, 1);
}

static vouch_status mix(void *own, message *task, message *answer)
{
    toy t;
    (void)own;
    vouch_status status = take_toy(task, &t);
    if (!status) put_toy(&t, answer);
    return status;
}

static vouch_status begin_mix(void *own, message *task, message *answer, int *parts)
{
    toy t;
    (void)own;
    vouch_status status = take_toy(task, &t);
    if (status) return status;
    if (pieces_of(&t) == 1) {
        put_toy(&t, answer);
        return VOUCH_OK;
    }
    message_put_int(answer, t.number);
    *parts = pieces_of(&t);
    return VOUCH_OK;
}

static vouch_status mix_part(void *own, int part, message *task, message *answer, bool *enough)
{
    toy t;
    (void)own;
    vouch_status status = take_toy(task, &t);
    if (status || message_take_int(task) != t.number) return VOUCH_ERROR_IO; /* behind it stands what was begun */
    put_piece(&t, part, answer);
    *enough = part + 1 >= pieces_needed(&t); /* those behind say so too */
    atomic_fetch_add(&both->parts, 1);
    return VOUCH_OK;
}

static vouch_status end_mix(void *shared, message *begun, message *part[], int parts, message *answer)
{
    (void)shared;
    message_put_int(answer, message_take_int(begun));
    for (int i = 0; i < parts; i++) message_put(answer, part[i]->data, part[i]->length);
    atomic_fetch_add(&both->worked, 1);
    return VOUCH_OK;
}

static const task_parts mix_parts = {begin_mix, mix_part, end_mix};
/* In tests of journals: every n-th answer arrives after the limit; 0: none. */
static int late_of;
static bool is_late(const void *shared)
{
    (void)shared;
    return late_of > 0 && atomic_load(&both->worked) % late_of == 1;
}

static const task_work work = {NULL, open_nothing, mix, close_nothing, &mix_parts, is_late};

static int killed_at; /* answers kept; 0: never */

/* Runs the toy: each task contains the sum merged so far, so any other order would change the result. 0: the tasks failed. */
static uint64_t try_toy(const task_places *places)
{
    tasks *t;
    message *answer;
    uint64_t state = 1;
    int given = 0, taken = 0;
    vouch_status status = tasks_new(&t, &work, places, NULL);
    for (; taken < TASKS && !status; taken++) {
        for (; given < TASKS && !status && tasks_room(t); given++) {
            message *m = tasks_next_task(t);
            message_put_int(m, given);
            message_put_int(m, given % 50 == 7 ? LONGEST : (long long)(state % 40));
            message_put_int(m, (long long)(state >> 8));
            status = tasks_give(t);
        }
        if (!status) status = tasks_take(t, &answer);
        if (status) break;
        assert_non_null(answer);
        state = (state ^ message_sum(answer->data, answer->length)) * 31;
        assert_int_equal(message_take_int(answer), taken);
        tasks_keep(t);
        if (taken + 1 == killed_at) raise(SIGKILL);
    }
    tasks_free(t);
    return status ? 0 : state;
}

static uint64_t run_toy(const task_places *places)
{
    uint64_t state = try_toy(places);
    assert_true(state != 0);
    return state;
}

static void test_the_same_wherever_tasks_are_worked_out(void **state)
{
    (void)state;
    uint64_t expected = run_toy(&(task_places){.window = 8});
    for (int workers = 1; workers <= 5; workers += workers == 3 ? 2 : 1) {
        assert_true(run_toy(&(task_places){.workers = workers, .window = 8}) == expected);
        assert_true(run_toy(&(task_places){.threads = workers, .window = 8}) == expected);
    }
    assert_true(atomic_load(&both->parts) > TASKS); /* with five most tasks that have parts are worked out in parts */
    assert_true(run_toy(&(task_places){.window = 3}) != expected); /* the window affects the result */
}

static void test_lost_workers_change_nothing(void **state)
{
    (void)state;
    uint64_t expected = run_toy(&(task_places){.window = 8});
    for (int workers = 1; workers <= 5; workers++) {
        atomic_store(&both->deaths, 40);
        assert_true(run_toy(&(task_places){.workers = workers, .window = 8}) == expected);
        assert_true(atomic_load(&both->deaths) <= 0);
        atomic_store(&both->deaths, 0);
    }
}

/* A task that ends whoever has it is an error in the end. */
static void test_a_deadly_task_is_given_up(void **state)
{
    (void)state;
    tasks *t;
    message *answer;
    atomic_store(&both->deaths, 1000);
    assert_int_equal(tasks_new(&t, &work, &(task_places){.workers = 2, .window = 4}, NULL), VOUCH_OK);
    message *m = tasks_next_task(t);
    message_put_int(m, 1);
    message_put_int(m, 1);
    message_put_int(m, 1);
    assert_int_equal(tasks_give(t), VOUCH_OK);
    assert_int_equal(tasks_take(t, &answer), VOUCH_ERROR_IO);
    tasks_free(t);
    atomic_store(&both->deaths, 0);
}

/* In a process of its own, ended by an alarm if it hangs. Returns its exit status: 0: the result is `expected`; 1: the tasks
 * reported failure. */
static int end_of(const task_places *places, uint64_t expected, long failing)
{
    pid_t pid = fork();
    if (pid == 0) {
        alarm(120);
        if (failing >= 0) mem_fail_once(failing);
        uint64_t found = try_toy(places);
        _exit(found == expected ? 0 : found ? 2 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A failed allocation, here or in a worker, ends the tasks or is recovered from; no process waits for an answer that was not sent.
 */
static void test_no_failed_allocation_is_waited_for(void **state)
{
    (void)state;
    uint64_t expected = run_toy(&(task_places){.window = 8});
    int failed = 0, done = 0;
    for (int by_thread = 0; by_thread < 2; by_thread++)
        for (long n = 0; n < 400; n += n < 80 ? 1 : 16) {
            task_places places = {.workers = by_thread ? 0 : 2, .threads = by_thread ? 2 : 1, .window = 8};
            int end = end_of(&places, expected, n);
            if (end < 0 || end > 1) fail_msg("allocation %ld with %s: ended by %d", n, by_thread ? "threads" : "workers", end);
            failed += end == 1;
            done += end == 0;
        }
    assert_true(failed > 0 && done > 0);
}

/* Each byte at the gate lets one task end. */
static vouch_status wait_at_gate(void *own, message *task, message *answer)
{
    char byte;
    (void)task;
    (void)answer;
    return read(*(const int *)own, &byte, 1) == 1 ? VOUCH_OK : VOUCH_ERROR_IO;
}

/* A task that there is no memory to send, while the worker has others: none of these is lost. */
static void test_a_failed_send_is_made_up_for(void **state)
{
    (void)state;
    enum { SENT = 6, PORTION = 600000 };
    static char bytes[SENT * PORTION], many[64];
    int gate[2], sent = 0;
    assert_int_equal(pipe(gate), 0);
    const task_work gated = {&gate[0], open_nothing, wait_at_gate, close_nothing, NULL, NULL};
    for (long n = 0; n < 24; n++) {
        pid_t pid = fork();
        if (pid == 0) {
            tasks *t;
            message *answer;
            alarm(120);
            int failed = tasks_new(&t, &gated, &(task_places){.workers = 1, .window = 8}, NULL) != VOUCH_OK;
            for (int i = 0; i < SENT && !failed; i++) {
                if (i == 1) mem_fail_once(n);
                message_put(tasks_next_task(t), bytes, (size_t)PORTION * (size_t)(i + 1));
                failed = tasks_give(t) != VOUCH_OK;
            }
            mem_fail_after(-1);
            if (failed) _exit(1);
            bool open = write(gate[1], many, sizeof many) == sizeof many;
            while (open && !failed && tasks_under_way(t) > 0) failed = tasks_take(t, &answer) != VOUCH_OK || !answer;
            tasks_free(t);
            _exit(failed || !open ? 2 : 0);
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) fail_msg("allocation %ld: ended by %x", n, (unsigned)status);
        sent += status == 0;
    }
    assert_true(sent > 4);
    close(gate[0]);
    close(gate[1]);
}

/* More workers than the limit of open files: the workers that start do the work. */
static void test_some_workers_cannot_be_made(void **state)
{
    (void)state;
    struct rlimit before, few;
    uint64_t expected = run_toy(&(task_places){.window = 60});
    getrlimit(RLIMIT_NOFILE, &before);
    few = before;
    few.rlim_cur = 20;
    setrlimit(RLIMIT_NOFILE, &few);
    int end = end_of(&(task_places){.workers = 50, .window = 60}, expected, -1);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(end, 0);
}

static void test_an_interrupt_ends_the_wait(void **state)
{
    (void)state;
    static volatile sig_atomic_t interrupted = 1;
    vouch_limits limits = {.interrupt = &interrupted};
    deadline limit = deadline_start(&limits);
    tasks *t;
    message *answer;
    assert_int_equal(tasks_new(&t, &work, &(task_places){.workers = 1, .window = 4}, &limit), VOUCH_OK);
    for (int i = 0; i < 3; i++) {
        message *m = tasks_next_task(t);
        message_put_int(m, 3 * i);
        message_put_int(m, LONGEST);
        message_put_int(m, i);
        assert_int_equal(tasks_give(t), VOUCH_OK);
    }
    for (int i = 0; i < 3; i++) assert_int_equal(tasks_take(t, &answer), VOUCH_OK); /* there or not, none is waited for long */
    tasks_free(t);
}

/* ---- reports of workers ---- */

static worker_times hear(transport *t)
{
    parcel answer = {0};
    int worker;
    while (t->receive(t, 1, &worker, &answer) != TRANSPORT_ANSWER)
        ;
    assert_int_equal(answer.status, VOUCH_OK);
    message_free(&answer.content);
    return answer.spent;
}

/* A worker with a task does not wait, whatever others do; one without waits. */
static void test_workers_wait_only_without_a_task(void **state)
{
    (void)state;
    static const double PAUSE = 0.05, LAST_PAUSE = 100;
    for (int by_thread = 0; by_thread < 2; by_thread++) {
        int gate[2];
        assert_int_equal(pipe(gate), 0);
        const task_work gated = {&gate[0], open_nothing, wait_at_gate, close_nothing, NULL, NULL};
        double began = clock_seconds();
        transport *t = by_thread ? transport_threads(1, &gated) : transport_processes(1, &gated);
        assert_non_null(t);
        for (int i = 0; i < 2; i++) assert_true(t->send(t, 0, &(parcel){.number = i}));
        assert_int_equal(write(gate[1], "ab", 2), 2); /* both were there before */
        worker_times first = hear(t), second = hear(t);
        assert_true(first.worked >= 0 && second.waited == 0);
        double all = first.waited + first.worked + second.waited + second.worked, waited = 0;
        /* a worker that is kept from running may begin to wait late: then a longer pause shows it */
        for (double pause = PAUSE; waited <= 0.5 * pause && pause < LAST_PAUSE; pause *= 2) {
            usleep((useconds_t)(1e6 * pause));
            assert_true(t->send(t, 0, &(parcel){.number = 2}));
            assert_int_equal(write(gate[1], "c", 1), 1);
            worker_times third = hear(t);
            waited = third.waited;
            all += third.waited + third.worked;
        }
        assert_true(waited > 0.5 * PAUSE);
        assert_true(all <= clock_seconds() - began);
        t->close(t);
        close(gate[0]);
        close(gate[1]);
    }
}

/* Where tasks are short a worker has many at hand: it goes on while nobody hears its answers. */
static void test_short_tasks_are_in_the_post(void **state)
{
    (void)state;
    enum { WINDOW = 60, TAKEN = 10, AHEAD = 10 };
    tasks *t;
    message *answer;
    atomic_store(&both->worked, 0);
    assert_int_equal(tasks_new(&t, &work, &(task_places){.workers = 1, .window = WINDOW}, NULL), VOUCH_OK);
    for (int i = 0; i < WINDOW; i++) {
        message *m = tasks_next_task(t);
        for (int j = 0; j < 3; j++) message_put_int(m, 0);
        assert_int_equal(tasks_give(t), VOUCH_OK);
    }
    for (int i = 0; i < TAKEN; i++) assert_int_equal(tasks_take(t, &answer), VOUCH_OK);
    for (int i = 0; i < 5000 && atomic_load(&both->worked) < TAKEN + AHEAD; i++) usleep(1000);
    assert_true(atomic_load(&both->worked) >= TAKEN + AHEAD);
    tasks_free(t);
}

/* ---- journals -------------------------------------------------------------------------------------------------------- */

static char path[64];
static char told[1024];

static void tell(void *context, vouch_log_level level, const char *line)
{
    (void)context;
    (void)level;
    snprintf(told, sizeof told, "%s", line);
}

static const vouch_journal_options again = {"mark", 1, {tell, NULL, VOUCH_LOG_ERROR}},
                                   anew = {"mark", 0, {tell, NULL, VOUCH_LOG_ERROR}};

static uint64_t run_with_journal(const vouch_journal_options *o, int workers, long long *records)
{
    vouch_error error;
    task_places places = {.workers = workers, .window = 8};
    if (!o->resume) unlink(path);
    assert_int_equal(vouch_journal_open(&places.journal, path, o, &error), VOUCH_OK);
    *records = vouch_journal_records(places.journal);
    uint64_t state = run_toy(&places);
    vouch_journal_free(places.journal);
    return state;
}

static char *read_journal(size_t *length)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *length = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*length);
    assert_int_equal(fread(bytes, 1, *length, f), *length);
    fclose(f);
    return bytes;
}

static void write_journal(const char *bytes, size_t length)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    fclose(f);
}

static void test_a_journal_is_replayed(void **state)
{
    (void)state;
    long long records;
    size_t length, after;
    uint64_t expected = run_with_journal(&anew, 0, &records);
    char *whole = read_journal(&length), *other;
    rng r = rng_seed(1);
    atomic_store(&both->worked, 0);
    assert_true(run_with_journal(&again, 2, &records) == expected);
    assert_int_equal(records, TASKS);
    assert_int_equal(atomic_load(&both->worked), 0); /* all is known */
    for (int cut = 0; cut < 60; cut++) {
        size_t at = (size_t)rng_below(&r, length);
        bool flip = cut % 2;
        if (!flip && at < 16) at = 16; /* with less of its title it is no journal */
        char was = whole[at];
        if (flip) whole[at] ^= (char)(1 << rng_below(&r, 8));
        write_journal(whole, flip ? length : at);
        whole[at] = was;
        told[0] = '\0';
        atomic_store(&both->worked, 0);
        assert_true(run_with_journal(&again, cut % 3, &records) == expected);
        assert_true(flip ? records >= TASKS - 1 : records < TASKS); /* one bit costs one record, or the head, which is made again */
        assert_int_equal(atomic_load(&both->worked), TASKS - records);
        if (flip) assert_non_null(strstr(told, "damaged"));
        other = read_journal(&after); /* whole again, to the byte */
        assert_int_equal(after, length);
        assert_memory_equal(other, whole, length);
        free(other);
    }
    free(whole);
}

/* Answers that a limit may have shaped are not kept; those behind them are found all the same. */
static void test_answers_that_come_late_are_worked_out_again(void **state)
{
    (void)state;
    long long records;
    for (int workers = 0; workers < 3; workers++) {
        atomic_store(&both->worked, 0);
        late_of = 5;
        uint64_t expected = run_with_journal(&anew, workers, &records);
        late_of = 0;
        atomic_store(&both->worked, 0);
        assert_true(run_with_journal(&again, workers, &records) == expected);
        assert_true(records > TASKS / 2 && records < TASKS);
        assert_int_equal(atomic_load(&both->worked), TASKS - records);
        assert_true(run_with_journal(&again, workers, &records) == expected);
        assert_int_equal(records, TASKS); /* those made again are kept */
    }
}

/* A run killed after a number of records and resumed: only unfinished tasks run again. */
static void test_a_killed_run_loses_what_is_under_way(void **state)
{
    (void)state;
    enum { WINDOW = 8 };
    long long records;
    uint64_t expected = run_with_journal(&anew, 0, &records);
    for (int n = 1; n < TASKS; n += 13) {
        atomic_store(&both->worked, 0);
        unlink(path);
        pid_t pid = fork();
        if (pid == 0) {
            killed_at = n;
            run_with_journal(&again, n % 3, &records);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status));
        assert_true(run_with_journal(&again, 2 - n % 3, &records) == expected);
        assert_int_equal(records, n);
        assert_in_range(atomic_load(&both->worked), TASKS, TASKS + WINDOW);
    }
}

static void refused(const void *bytes, size_t length, const char *why)
{
    vouch_error error;
    vouch_journal *j;
    size_t after;
    write_journal(bytes, length);
    assert_int_equal(vouch_journal_open(&j, path, &again, &error), VOUCH_ERROR_INPUT);
    if (!strstr(error.text, why)) fail_msg("%s", error.text);
    char *now = read_journal(&after);
    assert_int_equal(after, length);
    assert_memory_equal(now, bytes, length);
    free(now);
}

/* Whatever a file begins with: without a head or a record of this run it is none of ours, and stays as it is. */
static void test_what_is_no_journal_stays_as_it_is(void **state)
{
    (void)state;
    long long records;
    size_t length;
    enum { HEAD = 88 };
    const vouch_journal_options other = {"another", 0, {tell, NULL, VOUCH_LOG_ERROR}};
    char notes[4000] = "vouch journal of my travels\n";
    memset(notes + strlen(notes), 'x', sizeof notes - strlen(notes));
    for (size_t n = 1; n <= sizeof notes; n = n * 3 / 2 + 1) refused(notes, n, "not a journal");
    run_with_journal(&other, 0, &records);
    char *whole = read_journal(&length);
    refused(whole, length, "made with another model");
    refused(whole, 40, "not a journal");
    whole[3] ^= 1;
    refused(whole, length, "made with another model"); /* its records say so */
    assert_true(vouch_journal_is(path));
    refused(whole, HEAD, "not a journal");
    assert_false(vouch_journal_is(path));
    free(whole);
    char old[HEAD] = "vouch journal 1\nmark";
    uint64_t sum = message_sum(old, HEAD - sizeof sum);
    memcpy(old + HEAD - sizeof sum, &sum, sizeof sum);
    refused(old, HEAD, "another version of vouch (vouch journal 1;");
}

static void test_other_files_are_refused(void **state)
{
    (void)state;
    long long records;
    vouch_error error;
    vouch_journal *j;
    run_with_journal(&anew, 0, &records);
    vouch_journal_options other = again;
    other.mark = "another";
    assert_int_equal(vouch_journal_open(&j, path, &other, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "made with another model"));
    assert_true(vouch_journal_is(path));
    static const char text[] =
        "{ \"vouch\": 1, \"states\": [] } and more than a head of a journal is long, so that it is read whole";
    write_journal(text, sizeof text);
    assert_false(vouch_journal_is(path));
    assert_int_equal(vouch_journal_open(&j, path, &again, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "not a journal"));
}

/* An existing journal is never overwritten, neither by a new run nor while another run holds it. */
static void test_what_is_there_is_kept(void **state)
{
    (void)state;
    long long records;
    size_t length, after;
    vouch_error error;
    vouch_journal *j;
    static const char model[] = "a model";
    write_journal(model, sizeof model);
    assert_int_equal(vouch_journal_open(&j, path, &anew, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "exists already; a journal needs a new file"));
    assert_null(strstr(error.text, "--resume"));
    run_with_journal(&anew, 0, &records);
    char *whole = read_journal(&length);
    assert_int_equal(vouch_journal_open(&j, path, &anew, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "--resume"));
    int way[2], stay[2];
    char told_by;
    assert_int_equal(pipe(way) | pipe(stay), 0);
    pid_t other = fork();
    if (other == 0) { /* holds it until it is killed, or there is nobody to do so */
        close(stay[1]);
        bool held = vouch_journal_open(&j, path, &again, &error) == VOUCH_OK && write(way[1], "x", 1) == 1;
        _exit(held && read(stay[0], &told_by, 1));
    }
    close(stay[0]);
    close(way[1]);
    assert_int_equal(read(way[0], &told_by, 1), 1);
    close(way[0]);
    assert_int_equal(vouch_journal_open(&j, path, &again, &error), VOUCH_ERROR_IO);
    assert_non_null(strstr(error.text, "another run is writing"));
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    close(stay[1]);
    char *now = read_journal(&after);
    assert_int_equal(after, length);
    assert_memory_equal(now, whole, length);
    free(now);
    free(whole);
    write_journal("abc\n", 4); /* too short to be told from a journal by what is wrong with it */
    assert_int_equal(vouch_journal_open(&j, path, &again, &error), VOUCH_ERROR_INPUT);
}

/* Numbers of items that a message cannot hold are none: nothing behind its end is read. */
static void test_lengths_end_with_the_message(void **state)
{
    (void)state;
    static const long long wrong[] = {-1, 3, 9, (long long)1 << 31, (long long)1 << 62};
    char text[8];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        message m = {0};
        message_put_int(&m, wrong[i]);
        message_put(&m, "ab", 2);
        assert_int_equal(message_take_length(&m, 1), 0);
        assert_true(m.failed);
        m.failed = false;
        m.at = 0;
        message_take_text(&m, text, sizeof text);
        assert_true(m.failed && m.at <= m.length && text[0] == '\0');
        message_free(&m);
    }
    message m = {0};
    message_put_text(&m, "ab");
    message_take_text(&m, text, 2);
    assert_string_equal(text, "a");
    assert_true(!m.failed && m.at == m.length);
    message_free(&m);
}

static void test_a_full_disk_ends_the_journal_alone(void **state)
{
    (void)state;
    long long records;
    struct rlimit before, small;
    uint64_t expected = run_toy(&(task_places){.window = 8});
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 20000;
    setrlimit(RLIMIT_FSIZE, &small);
    told[0] = '\0';
    uint64_t found = run_with_journal(&anew, 1, &records);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_true(found == expected);
    assert_non_null(strstr(told, "the journal ends after"));
    assert_true(run_with_journal(&again, 0, &records) == expected);
    assert_true(records > 0 && records < TASKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_wherever_tasks_are_worked_out),
        cmocka_unit_test(test_lost_workers_change_nothing),
        cmocka_unit_test(test_a_deadly_task_is_given_up),
        cmocka_unit_test(test_no_failed_allocation_is_waited_for),
        cmocka_unit_test(test_a_failed_send_is_made_up_for),
        cmocka_unit_test(test_some_workers_cannot_be_made),
        cmocka_unit_test(test_an_interrupt_ends_the_wait),
        cmocka_unit_test(test_workers_wait_only_without_a_task),
        cmocka_unit_test(test_short_tasks_are_in_the_post),
        cmocka_unit_test(test_a_journal_is_replayed),
        cmocka_unit_test(test_a_killed_run_loses_what_is_under_way),
        cmocka_unit_test(test_answers_that_come_late_are_worked_out_again),
        cmocka_unit_test(test_what_is_no_journal_stays_as_it_is),
        cmocka_unit_test(test_other_files_are_refused),
        cmocka_unit_test(test_what_is_there_is_kept),
        cmocka_unit_test(test_lengths_end_with_the_message),
        cmocka_unit_test(test_a_full_disk_ends_the_journal_alone),
    };
    both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    snprintf(path, sizeof path, "/tmp/vouch-tasks-%ld", (long)getpid());
    int failed = run_tests(tests);
    unlink(path);
    return failed;
}
