/* io/output_file.h - one file that is being written, for the files of io that write them (output.h is for all others). */
#ifndef IO_OUTPUT_FILE_H
#define IO_OUTPUT_FILE_H

#include "io/file.h"

typedef struct output {
    char *target;   /* owned: the path once links have been followed */
    int slot;       /* of its temporary file; -1: written in place */
    int descriptor; /* of this process that the path stands for; -1: none */
} output;

/* Takes what was reserved for the path (output_reserve), if anything was. */
bool output_take(const char *path, output *o);
/* Finds out where the bytes of path will go, and makes the temporary file. */
vouch_status output_open(output *o, const char *path, vouch_error *error);
/* A descriptor for its bytes, and its end; bad: something could not be written, as errno says. -1 with errno set. */
int output_begin(output *o);
int output_end(const output *o, int fd, bool bad);
/* 0, or -1 with errno set. packed: as one gzip stream. */
int output_bytes(int fd, bool packed, const char *bytes, size_t count);
bool output_packed(const char *path); /* by its ending */
/* All bytes at once. */
vouch_status output_fill(output *o, const char *path, const char *bytes, size_t length, vouch_error *error);
/* It takes the place of the file. */
vouch_status output_commit(output *o, const char *path, vouch_error *error);
void output_free(output *o);

#endif
