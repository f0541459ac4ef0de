/* cli/commands.h - the commands, each in the file of its name.
 *
 * src/cli/NAME.c defines `const cli_command cli_NAME` and adds the line X(NAME) here; the order is that of the overview.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"
#include "io/file.h"

#define CLI_COMMANDS(X)                                                                                                            \
    X(plan)                                                                                                                        \
    X(evaluate)                                                                                                                    \
    X(show)                                                                                                                        \
    X(ccil)                                                                                                                        \
    X(simulate)                                                                                                                    \
    X(act)                                                                                                                         \
    X(sweep)                                                                                                                       \
    X(generate)                                                                                                                    \
    X(convert)                                                                                                                     \
    X(export)                                                                                                                      \
    X(reproduce)                                                                                                                   \
    X(lp)                                                                                                                          \
    X(tree)                                                                                                                        \
    X(watch)

/* Says what a file is, and what could be done with it; the exit status. */
int about_file(const char *path);
/* How many reward structures a PRISM or JANI file has, and their names with "or" between; 0 of other files. */
int about_rewards(const char *path, text *list);

#define CLI_DECLARE(name) extern const cli_command cli_##name;
CLI_COMMANDS(CLI_DECLARE)
#undef CLI_DECLARE

#endif
