/* Fuzzing the reader of solutions in glpsol's plain layout, of an LP and of an integer program: any bytes give a solution, which is
 * reported, written, and read as one that is written alike, or a message. */
#include "fuzz_file.h"

#include <string.h>
#include <vouch/lp_io.h>

#include "base/memory.h"
#include "io/lpfile.h"

static const char PROGRAM[] =
    "Minimize\n obj: x + 2 y + 3 z + u + v\nSubject To\n r1: x + y + z >= 1\n r2: x - y + u <= 2\n"
    " r3: -1 <= z + v <= 4\n r4: x + u + v = 3\nBounds\n -3 <= x <= 5\n y free\n -inf <= u <= 2\n v = 1\nGeneral\n x\nEnd\n";

static void alike_again(const vouch_lp *lp, const glpk_reading *read)
{
    text out = {0}, second = {0};
    glpk_reading again;
    vouch_error error = {0};
    char path[32];
    glpk_report(&read->solution, &out);
    text_free(&out);
    out = (text){0};
    glpk_plain(&read->solution, &out);
    int fd = fuzz_file((const uint8_t *)out.data, out.length, path);
    if (glpk_read(lp, read->solution.mip, path, &again, &error)) abort();
    glpk_plain(&again.solution, &second);
    if (second.length != out.length || memcmp(second.data, out.data, out.length) != 0) abort();
    glpk_reading_free(&again);
    close(fd);
    text_free(&out);
    text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vouch_lp *lp;
    vouch_error error = {0};
    if (vouch_lp_read_text(&lp, PROGRAM, sizeof PROGRAM - 1, "p.lp", VOUCH_FORMAT_LP, NULL, &error)) abort();
    for (int mip = 0; mip < 2; mip++) {
        glpk_reading read;
        char path[32];
        int fd = fuzz_file(data, size, path);
        vouch_status status = glpk_read(lp, mip, path, &read, &error);
        close(fd);
        if (status && !error.text[0]) abort();
        if (!status) alike_again(lp, &read);
        glpk_reading_free(&read);
    }
    vouch_lp_free(lp);
    if (mem_live() != 0) abort();
    return 0;
}
