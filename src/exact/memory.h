/* exact/memory.h - where the numbers of one exact solve live, and what happens when memory is out.
 *
 * GMP aborts the process when an allocation fails, and its functions cannot return an error. Between enter and leave the blocks
 * that this thread's GMP calls ask for are kept in a list; a failure jumps to *escape. What GMP had in hand is not looked at
 * again: leave frees every block in the list, its temporaries among them, so no number needs a clear of its own. Other threads,
 * and GMP's other users in the process, are not touched: outside of enter and leave the functions found at first are called.
 */
#ifndef EXACT_MEMORY_H
#define EXACT_MEMORY_H

#include <setjmp.h>
#include <stddef.h>

enum { ESCAPE_MEMORY = 1, ESCAPE_LIMIT = 2 }; /* values of the jump */

typedef struct exact_memory {
    struct exact_block *first;
    jmp_buf escape; /* to be set by the caller, after enter, in a function that outlives every GMP call */
} exact_memory;

void exact_memory_enter(exact_memory *memory);
void exact_memory_leave(exact_memory *memory);
/* A zeroed array that leave frees as well, for use inside; a failure jumps. */
void *exact_memory_new(size_t count, size_t size);
#define EXACT_NEW(type, count) ((type *)exact_memory_new((size_t)(count), sizeof(type)))
/* Numbers that outlive a call: between pause and resume the thread is outside, and may enter another memory. */
void exact_memory_pause(exact_memory *memory);
void exact_memory_resume(exact_memory *memory);

#endif
