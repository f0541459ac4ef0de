/* Fuzzing vouch-check: a model, a line of three dashes, and a proof without its line "model", which is put in so that it fits. Any
 * bytes are verified, refuted, unreadable or too much work; nothing crashes.
 *
 * The checker keeps its state in globals and gives memory back by ending, so each input is read by a child, which hands its
 * counters of coverage over. tests/fuzz.sh compiles src/check with main and _exit under the names used here.
 */
#include "fuzz_file.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

int check_main(int argc, char **argv);
_Noreturn void fuzz_exit(int status);

/* Where the section of counters begins and ends, by way of the assembler: C may not speak of names the compiler uses itself. */
__asm__(
    ".pushsection .data\n.balign 8\nfuzz_first: .quad __start___sancov_cntrs\nfuzz_last: .quad __stop___sancov_cntrs\n.popsection");
extern uint8_t *const fuzz_first, *const fuzz_last;
enum { LAST_STATUS = 3, MOST_KB = 1 << 20 };
static uint8_t *shared;

_Noreturn void fuzz_exit(int status)
{
    memcpy(shared, fuzz_first, (size_t)(fuzz_last - fuzz_first));
    _exit(status);
}

static _Noreturn void judge(char *model, char *proof, const char *way)
{
    char *word[] = {"vouch-check", "--work-limit", "1500000", (char *)way, model, proof, NULL};
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere) stdout = stderr = nowhere;
    fuzz_exit(check_main(6, word));
}

static void wait_for(pid_t child)
{
    int status;
    struct rusage used;
    while (wait4(child, &status, 0, &used) < 0) /* the fuzzer's clock interrupts it */
        if (errno != EINTR) abort();
    if (!WIFEXITED(status) || WEXITSTATUS(status) > LAST_STATUS) abort();
    if (used.ru_maxrss > MOST_KB) abort();
    for (uint8_t *at = fuzz_first; at < fuzz_last; at++) {
        uint8_t count = shared[at - fuzz_first];
        if (count > *at) *at = count;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char split[] = "\n---\n";
    char model[32], proof[32], line[64];
    size_t counters = (size_t)(fuzz_last - fuzz_first);
    if (!shared) shared = mmap(NULL, counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const uint8_t *at = memmem(data, size, split, sizeof split - 1);
    size_t length = at ? (size_t)(at - data) : size;
    const uint8_t *body = at ? at + sizeof split - 1 : data + size, *end = memchr(body, '\n', (size_t)(data + size - body));
    size_t first = end ? (size_t)(end + 1 - body) : 0;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) hash = (hash ^ data[i]) * UINT64_C(1099511628211);
    int n = snprintf(line, sizeof line, "model %016llx %zu\n", (unsigned long long)hash, length);
    int of_model = fuzz_file(data, length, model), of_proof = fuzz_file(body, first, proof);
    size_t rest = (size_t)(data + size - body) - first;
    if (write(of_proof, line, (size_t)n) != n || write(of_proof, body + first, rest) != (ssize_t)rest) abort();
    memset(shared, 0, counters);
    pid_t child = fork();
    if (child == 0) judge(model, proof, hash % 2 ? "--exact" : "--interval");
    if (child < 0) abort();
    wait_for(child);
    close(of_model);
    close(of_proof);
    return 0;
}
