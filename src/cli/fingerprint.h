/* cli/fingerprint.h - what a result was computed from, as 16 hexadecimal digits. */
#ifndef CLI_FINGERPRINT_H
#define CLI_FINGERPRINT_H

#include <stdint.h>
#include <vouch/model_io.h>

#include "cli/load.h"

enum { FINGERPRINT = 17 };

typedef struct fingerprint {
    uint64_t hash;
} fingerprint;

fingerprint fingerprint_start(void);
/* NULL and "" differ, and "ab", "c" from "a", "bc". */
void fingerprint_add(fingerprint *f, const char *word);
/* Bytes as they stand: FNV-1a, 64 bits. */
void fingerprint_add_bytes(fingerprint *f, const void *bytes, size_t count);
void fingerprint_add_number(fingerprint *f, double x);
/* The bytes of the model's files, decompressed, and what the options make of them; horizon and probability are left out. */
vouch_status fingerprint_add_model(fingerprint *f, const model_args *args, const char *path, vouch_error *error);
void fingerprint_text(const fingerprint *f, char out[FINGERPRINT]);

#endif
