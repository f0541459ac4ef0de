/* Any bytes as GLPK's format: refused, or read, written and read again to the same problem. */
#include "fuzz_problem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_problem((const char *)data, size, VOUCH_FORMAT_GLP);
    return 0;
}
