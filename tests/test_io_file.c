/* Whole files: round trips plain and gzip, the size cap, what a failed write leaves behind. */
#include "test.h"

#include <errno.h>
#include <float.h>
#include <math.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vouch/vouch.h>

#include "base/rng.h"
#include "base/text.h"
#include "io/file.h"

static char dir[] = "/tmp/vouch_file_XXXXXX";
static char path[256];

static const char *in_dir(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static int files_in_dir(void)
{
    int count = 0;
    DIR *d = opendir(dir);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

/* A text that is written while it grows: all of it, or nothing of it. */
static void long_texts_are_written_piece_by_piece(void **state)
{
    (void)state;
    const char *files[] = {"long", "long.gz"};
    for (int i = 0; i < 4; i++) { /* the second two are given up */
        text t = {0};
        size_t length = 0, most = 0;
        assert_int_equal(text_stream(&t, in_dir(files[i % 2]), NULL), VOUCH_OK);
        for (int line = 0; line < 1500000; line++) {
            text_add(&t, "%d\n", line);
            length += line < 10        ? 2
                      : line < 100     ? 3
                      : line < 1000    ? 4
                      : line < 10000   ? 5
                      : line < 100000  ? 6
                      : line < 1000000 ? 7
                                       : 8;
            most = t.length > most ? t.length : most;
        }
        assert_true(most < length / 2);
        if (i >= 2) {
            text_free(&t);
            assert_int_equal(files_in_dir(), 0);
            continue;
        }
        assert_int_equal(text_write(&t, path, NULL), VOUCH_OK);
        char *back, *at;
        size_t n;
        assert_int_equal(file_read(path, FILE_CAP, &back, &n, NULL), VOUCH_OK);
        assert_int_equal(n, length);
        at = back;
        for (int line = 0; line < 1500000; line++) assert_int_equal(strtol(at, &at, 10), line);
        mem_free(back);
        unlink(path);
    }
    text t = {0};
    vouch_error error = {0};
    assert_int_equal(text_stream(&t, "/dev/full", &error), VOUCH_OK);
    for (int line = 0; line < 1500000; line++) text_add(&t, "%d\n", line);
    assert_int_equal(text_write(&t, "/dev/full", &error), VOUCH_ERROR_IO);
    assert_non_null(strstr(error.text, "No space left"));
    assert_int_equal(text_stream(&t, "/no/such/place", &error), VOUCH_ERROR_IO);
    assert_null(t.data);
}

static void files_come_back_as_they_were_written(void **state)
{
    (void)state;
    const char *files[] = {"plain", "packed.gz"};
    for (int i = 0; i < 2; i++) {
        text t = {0};
        for (int line = 0; line < 20000; line++) text_add(&t, "line %d\n", line);
        assert_int_equal(file_write(in_dir(files[i]), t.data, t.length, NULL), VOUCH_OK);
        struct stat about;
        assert_int_equal(stat(path, &about), 0);
        assert_true(i == 0 ? (size_t)about.st_size == t.length : (size_t)about.st_size < t.length / 2);
        char *back;
        size_t n;
        assert_int_equal(file_read(path, FILE_CAP, &back, &n, NULL), VOUCH_OK);
        assert_int_equal(n, t.length);
        assert_memory_equal(back, t.data, n + 1);
        mem_free(back);
        vouch_error error = {0};
        assert_int_equal(file_read(path, 1000, &back, &n, &error), VOUCH_ERROR_SIZE);
        assert_null(back);
        assert_non_null(strstr(error.text, "more than 1000 bytes"));
        unlink(path);
        text_free(&t);
    }
}

/* A short file does not fill the memory, whatever it claims; a plain one of that length is read. */
static void packed_files_may_hold_only_so_many_times_their_length(void **state)
{
    (void)state;
    enum { LONG = 96 << 20 };
    char *blanks = mem_alloc(LONG, 1), *back;
    size_t n;
    vouch_error error = {0};
    assert_non_null(blanks);
    memset(blanks, ' ', LONG);
    for (int packed = 0; packed < 2; packed++) {
        assert_int_equal(file_write(in_dir(packed ? "long.gz" : "long"), blanks, LONG, NULL), VOUCH_OK);
        vouch_status status = file_read(path, FILE_CAP, &back, &n, &error);
        assert_int_equal(status, packed ? VOUCH_ERROR_SIZE : VOUCH_OK);
        if (packed)
            assert_non_null(strstr(error.text, "of a packed file of its length"));
        else
            assert_int_equal(n, LONG);
        mem_free(back);
        unlink(path);
    }
    mem_free(blanks);
}

static void damaged_gzip_is_refused(void **state)
{
    (void)state;
    text t = {0};
    for (int line = 0; line < 5000; line++) text_add(&t, "%d ", line * line);
    assert_int_equal(text_write(&t, in_dir("cut.gz"), NULL), VOUCH_OK);
    text_free(&t);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size / 2), 0);
    char *back;
    size_t n;
    vouch_error error = {0};
    assert_int_equal(file_read(path, FILE_CAP, &back, &n, &error), VOUCH_ERROR_IO);
    assert_null(back);
    assert_non_null(strstr(error.text, "cut.gz: "));
    unlink(path);
}

static void a_failed_write_leaves_nothing_behind(void **state)
{
    (void)state;
    vouch_error error = {0};
    assert_int_equal(file_write(in_dir("no/such/place"), "x", 1, &error), VOUCH_ERROR_IO);
    assert_non_null(strstr(error.text, "cannot create"));
    assert_int_equal(file_read(in_dir("absent"), FILE_CAP, &(char *){NULL}, &(size_t){0}, &error), VOUCH_ERROR_IO);
    assert_int_equal(file_read(dir, FILE_CAP, &(char *){NULL}, &(size_t){0}, &error), VOUCH_ERROR_IO);
    assert_int_equal(file_write(in_dir("kept"), "old", 3, NULL), VOUCH_OK);
    for (long k = 0; k < 4; k++) {
        mem_fail_after(k);
        text t = {0};
        text_add(&t, "new");
        (void)text_write(&t, path, NULL);
        text_free(&t);
        mem_fail_after(-1);
        assert_int_equal(files_in_dir(), 1);
    }
    unlink(path);
    assert_int_equal(files_in_dir(), 0);
}

/* Where a link leads to could not be remembered: the message says so, whatever errno was. */
static void a_link_without_memory_is_said_to_be_that(void **state)
{
    (void)state;
    vouch_error error = {0};
    char link[300];
    snprintf(link, sizeof link, "%s", in_dir("link"));
    assert_int_equal(symlink("target", link), 0);
    int failed = 0;
    for (long k = 0; k < 8; k++) {
        mem_fail_once(k);
        errno = EEXIST;
        vouch_status status = file_write(link, "x", 1, &error);
        mem_fail_after(-1);
        if (!status) continue;
        failed++;
        assert_true(status == VOUCH_ERROR_MEMORY || strstr(error.text, strerror(ENOMEM)));
    }
    assert_true(failed >= 2);
    unlink(in_dir("target"));
    unlink(link);
    assert_int_equal(files_in_dir(), 0);
}

static void assert_holds(const char *file, const char *expected)
{
    char *back;
    size_t n;
    assert_int_equal(file_read(file, FILE_CAP, &back, &n, NULL), VOUCH_OK);
    assert_string_equal(back, expected);
    mem_free(back);
}

/* A check leaves nothing; the temporary file of a text being written is removed by what signal handlers call. */
static void a_checked_file_is_written_or_leaves_nothing(void **state)
{
    (void)state;
    vouch_error error = {0};
    assert_int_equal(output_check(in_dir("no/such/place"), &error), VOUCH_ERROR_IO);
    assert_int_equal(output_check(dir, &error), VOUCH_ERROR_IO);
    assert_int_equal(output_check(in_dir("later"), &error), VOUCH_OK);
    assert_int_equal(files_in_dir(), 0);
    pid_t child = fork(); /* a handler runs in the process that is about to die */
    if (child == 0) {
        text t = {0};
        bool made = !text_stream(&t, path, &error) && files_in_dir() == 1;
        output_discard();
        _exit(made ? 0 : 1);
    }
    int code = -1;
    assert_true(child > 0 && waitpid(child, &code, 0) == child && code == 0);
    assert_int_equal(files_in_dir(), 0);
    assert_int_equal(file_write(path, "one", 3, &error), VOUCH_OK);
    assert_int_equal(files_in_dir(), 1);
    assert_int_equal(output_check(path, &error), VOUCH_OK);
    assert_holds(path, "one");
    assert_int_equal(file_write(path, "two", 3, &error), VOUCH_OK);
    assert_int_equal(files_in_dir(), 1);
    assert_holds(path, "two");
    unlink(path);
}

static vouch_status make_file(const void *context, int i, char name[OUTPUT_NAME], text *content, vouch_error *error)
{
    const int *bad = context;
    snprintf(name, OUTPUT_NAME, "f%d", i);
    text_add(content, "content %d", i);
    if (i == *bad) snprintf(error->text, sizeof error->text, "bad");
    return i == *bad ? VOUCH_ERROR_INPUT : VOUCH_OK;
}

static void a_directory_appears_whole_or_not_at_all(void **state)
{
    (void)state;
    vouch_error error = {0};
    char inside[300];
    int bad = 2;
    struct stat about;
    assert_int_equal(output_directory(in_dir("new/"), 3, make_file, &bad, &error), VOUCH_ERROR_INPUT);
    assert_int_equal(files_in_dir(), 0);
    bad = -1;
    for (long k = 0; k < 12; k++) { /* with memory running out at every place: nothing, or all */
        mem_fail_after(k);
        vouch_status status = output_directory(path, 3, make_file, &bad, &error);
        mem_fail_after(-1);
        assert_int_equal(files_in_dir(), status ? 0 : 1);
        if (!status) break;
    }
    assert_int_equal(output_directory(path, 3, make_file, &bad, &error), VOUCH_OK);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0700, 0700);
    bad = 1;
    snprintf(inside, sizeof inside, "%sf0", path);
    assert_int_equal(file_write(inside, "old", 3, &error), VOUCH_OK);
    assert_int_equal(output_directory(path, 3, make_file, &bad, &error), VOUCH_ERROR_INPUT);
    assert_holds(inside, "old");
    for (int i = 0; i < 3; i++) {
        snprintf(inside, sizeof inside, "%sf%d", path, i);
        assert_int_equal(unlink(inside), 0);
    }
    assert_int_equal(rmdir(path), 0); /* which says that nothing else is in it */
}

static void numbers_are_written_as_short_as_they_read_back(void **state)
{
    (void)state;
    char out[32];
    assert_string_equal(text_number(3, out), "3");
    assert_string_equal(text_number(0.1, out), "0.1");
    assert_string_equal(text_number(-1e30, out), "-1e+30");
    assert_true(number_read(text_number(1.0 / 3, out), NULL) == 1.0 / 3);
    assert_string_equal(text_number(INFINITY, out), "inf");
    rng r = rng_seed(3);
    for (int i = 0; i < 20000; i++) {
        double value = (rng_unit(&r) - .5) * pow(10, (double)rng_below(&r, 40) - 20);
        if (i % 3 == 0) value = number_read(text_number(rint(value * 1e6) / 1e6, out), NULL); /* of few digits */
        if (i % 7 == 0) value *= DBL_MIN;
        char shortest[32];
        int digits = 1;
        do format_text(shortest, sizeof shortest, "%.*g", digits, value);
        while (number_read(shortest, NULL) != value && digits++ < 17);
        if (value == rint(value) && fabs(value) < 1e15) format_text(shortest, sizeof shortest, "%.0f", value);
        assert_string_equal(text_number(value, out), shortest);
    }
}

static int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
    (void)state;
    rmdir(dir);
    return 0;
}

/* One fact at a time, told by a process and heard by another, which here are the same. */
static struct {
    char question[512];
    char answer[4096];
    size_t length;
} fact;

static void tell_fact(const char *question, const char *answer, size_t length)
{
    assert_true(length < sizeof fact.answer);
    snprintf(fact.question, sizeof fact.question, "%s", question);
    memcpy(fact.answer, answer, length);
    fact.length = length;
}

static const char *told_fact(const char *question, size_t *length)
{
    *length = fact.length;
    return strcmp(question, fact.question) == 0 ? fact.answer : NULL;
}

static vouch_status read_told(const char *at, text *t, vouch_error *error)
{
    *t = (text){0};
    return file_read(at, FILE_CAP, &t->data, &t->length, error);
}

static void what_one_process_has_read_others_are_told(void **state)
{
    (void)state;
    const disk_sharing first = {.told = told_fact, .tell = tell_fact}, other = {.told = told_fact}, alone = {.told = NULL};
    static const char content[] = "one\0two\nthree";
    text t;
    vouch_error wrong = {0}, told = {0};
    assert_int_equal(file_write(in_dir("shared"), content, sizeof content, NULL), VOUCH_OK);
    disk_share(&first);
    assert_int_equal(read_told(path, &t, NULL), VOUCH_OK);
    text_free(&t);
    disk_share(&other);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(read_told(path, &t, NULL), VOUCH_OK);
    assert_int_equal(t.length, sizeof content);
    assert_memory_equal(t.data, content, sizeof content);
    text_free(&t);
    disk_share(&first);
    assert_int_equal(read_told(in_dir("absent"), &t, &wrong), VOUCH_ERROR_IO);
    disk_share(&other);
    assert_int_equal(read_told(path, &t, &told), VOUCH_ERROR_IO);
    assert_string_equal(wrong.text, told.text);
    assert_int_equal(read_told(in_dir("never asked"), &t, &told), VOUCH_ERROR_IO);
    assert_non_null(strstr(told.text, "has not read it"));
    disk_share(&first);
    assert_int_equal(disk_kind_of(dir), DISK_DIRECTORY);
    disk_share(&other);
    assert_int_equal(disk_kind_of(dir), DISK_DIRECTORY);
    disk_share(&alone);
    assert_int_equal(disk_kind_of(in_dir("absent")), DISK_NOTHING);
}

static char fifo[300];

static void *feed(void *model)
{
    int fd = open(fifo, O_WRONLY);
    (void)!write(fd, model, strlen(model));
    close(fd);
    return NULL;
}

/* A reading of a FIFO sees all of it once, and the next one what comes next; a command sees what it has read again. */
static void a_fifo_is_read_once(void **state)
{
    static char *const given[] = {"mdp\nmodule m\n x : [0..1] init 0;\n [] true -> (x'=1);\nendmodule\n",
                                  "mdp\nmodule m\n x : [0..2] init 0;\n [] true -> (x'=min(2,x+1));\nendmodule\n"};
    vouch_source source;
    vouch_model *m;
    vouch_error error = {0};
    pthread_t writer;
    (void)state;
    vouch_source_init(&source);
    source.commit = "x=1";
    source.horizon = 3;
    source.probability = 0;
    strcpy(fifo, in_dir("fifo"));
    assert_int_equal(mkfifo(fifo, 0600), 0);
    for (int i = 0; i < 4; i++) {
        if (i == 2) disk_keep();
        if (i < 3) assert_int_equal(pthread_create(&writer, NULL, feed, given[i % 2]), 0);
        if (vouch_model_import(&m, fifo, &source, &error)) fail_msg("%s", error.text);
        if (i < 3) pthread_join(writer, NULL);
        assert_int_equal(vouch_model_states(m), i == 1 ? 3 : 2);
        vouch_model_free(m);
    }
    disk_forget();
    assert_int_equal(unlink(fifo), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_back_as_they_were_written),
        cmocka_unit_test(long_texts_are_written_piece_by_piece),
        cmocka_unit_test(packed_files_may_hold_only_so_many_times_their_length),
        cmocka_unit_test(damaged_gzip_is_refused),
        cmocka_unit_test(a_link_without_memory_is_said_to_be_that),
        cmocka_unit_test(a_failed_write_leaves_nothing_behind),
        cmocka_unit_test(a_checked_file_is_written_or_leaves_nothing),
        cmocka_unit_test(a_directory_appears_whole_or_not_at_all),
        cmocka_unit_test(numbers_are_written_as_short_as_they_read_back),
        cmocka_unit_test(what_one_process_has_read_others_are_told),
        cmocka_unit_test(a_fifo_is_read_once),
    };
    return no_block_left(cmocka_run_group_tests(tests, make_dir, remove_dir));
}
