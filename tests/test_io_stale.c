/* Temporary files of processes that were killed are removed by the next one that writes beside them, and no other file. */
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"
#include "io/output.h"
#include "io/stale.h"
#include "io/temporary.h"

static char dir[] = "/tmp/vouch_stale_XXXXXX";

static char *in_dir(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void make_file(const char *name)
{
    int fd = open(in_dir(name), O_WRONLY | O_CREAT, 0666);
    assert_true(fd >= 0);
    close(fd);
}

static bool there(const char *name) { return access(in_dir(name), F_OK) == 0; }

static int temporaries(void)
{
    int count = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e; (e = readdir(d));) count += strncmp(e->d_name, "vouch.tmp.", 10) == 0;
    closedir(d);
    return count;
}

/* A process that has made a file and a directory with two files to come, and waits until it is killed. */
static pid_t writer(void)
{
    int ends[2], slot;
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        bool made = output_reserve(in_dir("wanted"), NULL) == VOUCH_OK && temporary_make(in_dir("folder"), true, &slot) == 0;
        for (int i = 0; i < 2 && made; i++) {
            char name[512];
            snprintf(name, sizeof name, "%s/%d", temporary_name(slot), i);
            int fd = open(name, O_WRONLY | O_CREAT, 0666);
            made = fd >= 0 && close(fd) == 0;
        }
        if (!made || write(ends[1], &byte, 1) != 1) _exit(1);
        for (;;) pause();
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return child;
}

static void what_a_killed_process_left_is_removed_by_the_next(void **state)
{
    (void)state;
    char own[STALE_NAME], other[STALE_NAME + 8], live[STALE_NAME];
    pid_t killed = writer();
    assert_int_equal(temporaries(), 2);
    stale_pattern(live);
    make_file(live); /* of this process, which lives */
    stale_pattern(own);
    char *rest = strchr(own + strlen("vouch.tmp."), '.');
    snprintf(other, sizeof other, "vouch.tmp.0badcafe%s", rest); /* of another machine */
    make_file(other);
    make_file("vouch.tmp.AbCdEf"); /* nobody knows whose */
    make_file("vouch.tmp.zz.1.2.XXXXXX");
    pid_t child = fork(); /* which has swept nothing yet */
    if (child == 0) _exit(file_write(in_dir("a"), "a", 1, NULL) != VOUCH_OK || temporaries() != 6);
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0); /* the owner lives */
    kill(killed, SIGKILL);
    assert_int_equal(waitpid(killed, &code, 0), killed);
    child = fork();
    if (child == 0) _exit(file_write(in_dir("b"), "b", 1, NULL) != VOUCH_OK || temporaries() != 4);
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    const char *left[] = {live, other, "vouch.tmp.AbCdEf", "vouch.tmp.zz.1.2.XXXXXX", "a", "b"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        assert_true(there(left[i]));
        unlink(in_dir(left[i]));
    }
    assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_killed_process_left_is_removed_by_the_next)};
    if (!mkdtemp(dir)) return 1;
    return run_tests(tests);
}
