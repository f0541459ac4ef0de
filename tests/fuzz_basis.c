/* Fuzzing the reader of bases (MPS, HiGHS, glpsol's solutions), with a program of every kind of bounds: any bytes give a basis,
 * which is written and read as the same, or a message. */
#include "fuzz_file.h"

#include <string.h>
#include <vouch/lp_io.h>

#include "base/memory.h"

static const char PROGRAM[] =
    "Minimize\n obj: x + 2 y + 3 z + u + v\nSubject To\n r1: x + y + z >= 1\n r2: x - y + u <= 2\n"
    " r3: -1 <= z + v <= 4\n r4: x + u + v = 3\nBounds\n -3 <= x <= 5\n y free\n -inf <= u <= 2\n v = 1\nEnd\n";
enum { MOST = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vouch_lp *lp;
    vouch_error error = {0};
    char path[32];
    unsigned char before[2][MOST] = {{0}}, after[2][MOST] = {{0}};
    if (vouch_lp_read_text(&lp, PROGRAM, sizeof PROGRAM - 1, "p.lp", VOUCH_FORMAT_LP, NULL, &error)) abort();
    int fd = fuzz_file(data, size, path);
    vouch_status status = vouch_lp_read_basis(lp, path, &error);
    close(fd);
    if (status && !error.text[0]) abort();
    if (!status && vouch_lp_has_basis(lp)) {
        vouch_lp_get_basis(lp, before[0], before[1]);
        fd = fuzz_file(NULL, 0, path);
        status = vouch_lp_write_basis(lp, path, &error);
        if (status || vouch_lp_read_basis(lp, path, &error)) abort();
        close(fd);
        vouch_lp_get_basis(lp, after[0], after[1]);
        int basic = 0;
        for (int i = 0; i < vouch_lp_rows(lp); i++) basic += before[0][i] == VOUCH_BASIC;
        for (int j = 0; j < vouch_lp_cols(lp); j++) basic += before[1][j] == VOUCH_BASIC;
        if (basic == vouch_lp_rows(lp) && memcmp(before[1], after[1], MOST) != 0) abort();
    }
    vouch_lp_free(lp);
    if (mem_live() != 0) abort();
    return 0;
}
