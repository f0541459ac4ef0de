/* base/large_pages.c - see memory.h. With glibc: allocates a block and frees it untouched; mallopt keeps the addresses in the heap,
 * and madvise makes the kernel back them by pages of 2 MB. A page fault costs a thousand multiplications; vouch lp on Netlib's
 * ship08l had 1800.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Large pages are backed whole, so only as many as small programs need. Other blocks of OWN_PAGES bytes or more are mapped on their
 * own. */
enum { LARGEST = 32 << 20, STRETCH = 16 << 20, PAGE = 2 << 20, OWN_PAGES = 1 << 20 };

void mem_use_large_pages(void)
{
    if (!mallopt(M_MMAP_THRESHOLD, LARGEST) || !mallopt(M_TRIM_THRESHOLD, INT32_MAX)) return;
    void *block = malloc(STRETCH);
    if (!block) return;
#ifdef MADV_HUGEPAGE
    uintptr_t first = ((uintptr_t)block + PAGE - 1) / PAGE * PAGE, end = ((uintptr_t)block + STRETCH) / PAGE * PAGE;
    (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#endif
    free(block);
    (void)mallopt(M_MMAP_THRESHOLD, OWN_PAGES);
}
#else
void mem_use_large_pages(void) {}
#endif
