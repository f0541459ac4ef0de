/* cli/help.c - the text of --help, read off the option tables. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum { LINE_WIDTH = 80, HELP_COLUMN = 30 };

/* Prints text wrapped to LINE_WIDTH; `at` characters of the first line are used, later lines are indented. A
 * newline in the text is kept. */
static void print_wrapped(const char *text, int at, int indent)
{
    while (*text) {
        if (*text == '\n') {
            printf("\n%*s", text[1] == '\n' ? 0 : indent, "");
            at = indent;
            text++;
            continue;
        }
        int n = (int)strcspn(text, " \n");
        if (at > indent && at + 1 + n > LINE_WIDTH) {
            printf("\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            putchar(' ');
            at++;
        }
        printf("%.*s", n, text);
        at += n;
        text += n;
        while (*text == ' ') text++;
    }
    putchar('\n');
}

static void print_option(const cli_option *o)
{
    char left[96], letter[4] = "  ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c", o->letter);
    snprintf(left, sizeof left, "  %s%s%s%s%s%s", letter, o->letter && o->name ? ", " : o->name ? "  " : "", o->name ? "--" : "",
             o->name ? o->name : "", o->argument ? " " : "", o->argument ? o->argument : "");
    int at = printf("%s", left);
    if (at > HELP_COLUMN - 2) {
        putchar('\n');
        at = 0;
    }
    at += printf("%*s", HELP_COLUMN - at, "");
    char text[1024];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", o->help);
    if (o->words && used < sizeof text) used += (size_t)snprintf(text + used, sizeof text - used, " (%s)", o->words);
    if (o->fallback && strcmp(o->fallback, "0") != 0 && used < sizeof text)
        snprintf(text + used, sizeof text - used, " [%s]", o->fallback);
    print_wrapped(text, HELP_COLUMN, HELP_COLUMN);
}

void cli_help(const cli_command *command)
{
    printf("vouch %s - %s\n\n", command->name, command->summary);
    printf("Usage: vouch %s%s%s [options]\n", command->name, command->operands[0] ? " " : "", command->operands);
    if (command->text) {
        putchar('\n');
        print_wrapped(command->text, 0, 0);
    }
    if (command->options->kind != CLI_END) printf("\nOptions:\n");
    for (const cli_option *o = command->options; o->kind != CLI_END; o++) print_option(o);
    printf("\nCommon options:\n");
    for (const cli_option *o = cli_common_options; o->kind != CLI_END; o++) print_option(o);
}
