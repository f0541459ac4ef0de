/* check/memory.c - where memory is out this program ends with that answer, and no other.
 *
 * GMP aborts, and json-c goes on with NULL. So the three functions by which they, too, allocate memory are defined here, around
 * the functions of glibc or of a sanitizer: none of them returns NULL. Libraries find them only where they are visible outside.
 * Other systems leave them alone. */
#include "check/check.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#define BELOW(name) __interceptor_##name
#elif defined(__GLIBC__)
#define BELOW(name) __libc_##name
#endif

#ifdef BELOW
#pragma GCC visibility push(default)
void *BELOW(malloc)(size_t bytes);
void *BELOW(calloc)(size_t count, size_t size);
void *BELOW(realloc)(void *block, size_t bytes);

void *malloc(size_t bytes) { return given(BELOW(malloc)(bytes ? bytes : 1)); }
void *calloc(size_t count, size_t size) { return given(count && size ? BELOW(calloc)(count, size) : BELOW(calloc)(1, 1)); }
void *realloc(void *block, size_t bytes) { return given(BELOW(realloc)(block, bytes ? bytes : 1)); }
#pragma GCC visibility pop
#endif
