/* base/large_pages.c - see memory.h. With glibc only: a block as large as will be used is taken from the heap and given back
 * untouched. mallopt keeps the heap from returning those addresses, and madvise has the kernel fill whole aligned pages of 2 MB
 * there at once. A page fault costs as much as a thousand multiplications: vouch lp on Netlib's ship08l had 1800 of
 * them.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Large pages are filled whole, used or not: no more of them than small programs need. What does not fit there has pages of its own
 * from OWN_PAGES bytes on, which cost memory only where they are touched and are given back. */
enum { LARGEST = 32 << 20, STRETCH = 16 << 20, PAGE = 2 << 20, OWN_PAGES = 1 << 20 };

void mem_use_large_pages(void)
{
    /* Beyond LARGEST glibc gives every block pages of its own. */
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
