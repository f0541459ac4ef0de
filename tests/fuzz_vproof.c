/* Fuzzing vouch-check: a model, a line of three dashes, and a proof without its line "model", which is put in so that it fits. Any
 * bytes are verified, refuted, unreadable or too much work; nothing crashes. tests/fuzz.sh compiles src/check with main under the
 * name used here.
 */
#include "fuzz_file.h"

#include <string.h>

int check_main(int argc, char **argv);

enum { LAST_STATUS = 3 };

static void judge(char *model, char *proof, const char *way)
{
    static FILE *nowhere;
    char *word[] = {"vouch-check", "--work-limit", "1500000", (char *)way, model, proof, NULL};
    FILE *out = stdout, *err = stderr;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w"))) abort();
    stdout = stderr = nowhere;
    int status = check_main(6, word);
    stdout = out;
    stderr = err;
    if (status < 0 || status > LAST_STATUS) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char split[] = "\n---\n";
    char model[32], proof[32], line[64];
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
    judge(model, proof, hash % 2 ? "--exact" : "--interval");
    close(of_model);
    close(of_proof);
    return 0;
}
