/* check/memory.c - where memory is out this program ends with that answer, and no other.
 *
 * GMP aborts, and json-c goes on with what it has not got. So the three functions by which they, too, ask for memory are defined
 * here, around those of glibc: none of them returns NULL. Elsewhere, and under a sanitizer, which has its own, they are left alone.
 */
#include "check/check.h"

#include <unistd.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t bytes);

static void *given(void *block)
{
    static const char told[] = "vouch-check: out of memory\n";
    if (block) return block;
    if (write(STDERR_FILENO, told, sizeof told - 1) < 0) _exit(LIMIT);
    _exit(LIMIT);
}

void *malloc(size_t bytes) { return given(__libc_malloc(bytes ? bytes : 1)); }
void *calloc(size_t count, size_t size) { return given(count && size ? __libc_calloc(count, size) : __libc_calloc(1, 1)); }
void *realloc(void *block, size_t bytes) { return given(__libc_realloc(block, bytes ? bytes : 1)); }
#endif
