/* vouch/status.h - common to all public calls: status, error text, limits, log
 *
 * A *status* means that a call worked or why not; a proved result is an *outcome* (lp.h, mip.h, plan.h). The two never mix.
 */
#ifndef VOUCH_STATUS_H
#define VOUCH_STATUS_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define VOUCH_C_BEGIN extern "C" {
#define VOUCH_C_END   }
#else
#define VOUCH_C_BEGIN
#define VOUCH_C_END
#endif

#if defined(__GNUC__)
#define VOUCH_API          __attribute__((visibility("default")))
#define VOUCH_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define VOUCH_API
#define VOUCH_PRINTF(f, a)
#endif

VOUCH_C_BEGIN

#define VOUCH_VERSION "0.3.0"

typedef enum vouch_status {
    VOUCH_OK = 0,
    VOUCH_ERROR_INPUT,    /* the caller's file or data is wrong; the message names the item */
    VOUCH_ERROR_ARGUMENT, /* a call with arguments outside its contract */
    VOUCH_ERROR_MEMORY,   /* an allocation failed */
    VOUCH_ERROR_IO,       /* a file could not be read or written */
    VOUCH_ERROR_SIZE      /* the problem is too large for the limits set */
} vouch_status;

/* Why a call failed. Written only on failure; text is one line without a final newline, "" when unset. */
typedef struct vouch_error {
    vouch_status status;
    char text[1024];
} vouch_error;

/* Limits. Work counts are deterministic; seconds and the interrupt only abort, with the best result found. 0 means no limit.
 * interrupt: NULL, or a flag that a signal handler may set. */
typedef struct vouch_limits {
    double seconds;
    long long iterations;
    long long nodes;
    const volatile sig_atomic_t *interrupt;
} vouch_limits;

typedef enum vouch_log_level { VOUCH_LOG_ERROR, VOUCH_LOG_INFO, VOUCH_LOG_DETAIL } vouch_log_level;

/* Where reports go: write is called with one complete line, no newline; write NULL: silence. Lines above
 * `level` are not produced. */
typedef struct vouch_log {
    void (*write)(void *context, vouch_log_level level, const char *line);
    void *context;
    vouch_log_level level;
} vouch_log;

/* "0.3.0" */
VOUCH_API const char *vouch_version(void);
/* The linear algebra library in use and how it was built, as it describes itself. */
VOUCH_API const char *vouch_blas(void);
/* A word for the status, never NULL. */
VOUCH_API const char *vouch_status_text(vouch_status status);
/* The memory limit of the library in this process, in bytes; 0: no limit; VOUCH_MEMORY_SHARE, the default: 3/4 of the memory of
 * the machine or control group. A plan that reaches it ends as at any other limit, with the best policy found; other calls fail by
 * ERROR_MEMORY. Between calls only. */
#define VOUCH_MEMORY_SHARE SIZE_MAX
VOUCH_API void vouch_set_memory_limit(size_t bytes);

VOUCH_C_END
#endif
