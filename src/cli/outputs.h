/* cli/outputs.h - the files that a command line writes, against those that it reads. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/cli.h"

/* Reserves the outputs of the command (io/output.h). Whatever is to be written must be possible before the work begins; no output
 * is an input, or another output, whatever its name: the same file by device and inode. A journal or a table that is resumed may be
 * both. 0, or the exit status after a message; nothing has been opened for writing then. */
int outputs_reserve(const cli_command *command, void *args, char **operand);

#endif
