/* fuzz_file.h - bytes as a file in memory, for fuzzers of readers that take a path. */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file of these bytes and its path; the caller closes the descriptor. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[32])
{
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || (size > 0 && write(fd, data, size) != (ssize_t)size)) abort();
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

#endif
