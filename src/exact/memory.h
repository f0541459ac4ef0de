/* exact/memory.h - memory of the numbers of one exact solve, and the jump when it is exhausted.
 *
 * GMP aborts the process when an allocation fails, and its functions return no errors. Between enter and leave the blocks allocated
 * by this thread's GMP calls form a list; a failure jumps to *escape. leave frees every block of the list, with GMP's temporaries,
 * so numbers need no clear. Other threads and other users of GMP in the process are not affected: outside of enter and leave the
 * original functions are called. */
#ifndef EXACT_MEMORY_H
#define EXACT_MEMORY_H

#include <setjmp.h>
#include <stddef.h>

enum { ESCAPE_MEMORY = 1, ESCAPE_LIMIT = 2 }; /* values of the jump */

typedef struct exact_memory {
    struct exact_block *first;
    jmp_buf escape; /* set by the caller after enter, in a function that outlives every GMP call */
} exact_memory;

void exact_memory_enter(exact_memory *memory);
void exact_memory_leave(exact_memory *memory);
/* A zeroed array, also freed by leave; a failure jumps. */
void *exact_memory_new(size_t count, size_t size);
#define EXACT_NEW(type, count) ((type *)exact_memory_new((size_t)(count), sizeof(type)))
/* For numbers that outlive a call: between pause and resume the thread is outside and may enter another memory. */
void exact_memory_pause(exact_memory *memory);
void exact_memory_resume(exact_memory *memory);

#endif
