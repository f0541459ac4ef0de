/* io/unpack.h - what is inside xz and tar, as files of Storm come: for io/file.c, which has undone gzip. */
#ifndef IO_UNPACK_H
#define IO_UNPACK_H

#include <stddef.h>
#include <vouch/status.h>

/* Replaces *bytes, *length bytes with a zero byte behind and for mem_free, by what is packed there; what is neither xz nor tar
 * stays. At most cap bytes. The bytes are freed and NULL after an error. */
vouch_status unpack(const char *path, size_t cap, char **bytes, size_t *length, vouch_error *error);

#endif
