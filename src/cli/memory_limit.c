/* cli/memory_limit.c - --memory-limit: see cli.h. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/memory.h"
#include "cli/cli.h"

static const double LEAST_BYTES = 1 << 20;

void cli_tell_memory_limit(void)
{
    if (mem_limit_met() > 0)
        fprintf(stderr, "the limit is %.0f MB; --memory-limit SIZE sets another\n", 0x1p-20 * (double)mem_limited());
}

int cli_limit_memory(const char *size)
{
    if (!size) return CLI_SOLVED;
    static const char units[] = "KMGT";
    char *end;
    double bytes = number_read(size, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (unit) bytes = ldexp(bytes, 10 * (int)(unit - units + 1));
    if (end == size || end[unit ? 1 : 0] != '\0' || !(bytes == 0 || (bytes >= LEAST_BYTES && bytes < 0x1p62)))
        return cli_wrong("--memory-limit: \"%s\" is not a size; expected 0 or at least 1M: bytes, or a number with K, M, G or T",
                         size);
    mem_limit((size_t)bytes);
    return CLI_SOLVED;
}
