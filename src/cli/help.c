/* cli/help.c - --help and manual pages from the option tables. */
#include "cli/cli.h"

enum { LINE_WIDTH = 80, HELP_COLUMN = 30 };

/* Prints s wrapped to LINE_WIDTH; `at` characters of the first line are used, later lines are indented. A
 * newline in s is kept. */
static void print_wrapped(const char *s, int at, int indent)
{
    while (*s) {
        if (*s == '\n') {
            printf("\n%*s", s[1] == '\n' ? 0 : indent, "");
            at = indent;
            s++;
            continue;
        }
        int n = (int)strcspn(s, " \n");
        if (at > indent && at + 1 + n > LINE_WIDTH) {
            printf("\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            putchar(' ');
            at++;
        }
        printf("%.*s", n, s);
        at += n;
        s += n;
        while (*s == ' ') s++;
    }
    putchar('\n');
}

static const char *explained_words(const cli_option *o) { return o->details ? o->details() : cli_words(o); }

static void print_option(const cli_option *o)
{
    char left[96], letter[4] = "  ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c", o->letter);
    snprintf(left, sizeof left, "  %s%s%s%s%s%s", letter,
             o->letter && o->name ? ", "
             : o->name            ? "  "
                                  : "",
             o->name ? "--" : "", o->name ? o->name : "", o->argument ? " " : "", o->argument ? o->argument : "");
    int at = printf("%s", left);
    if (at > HELP_COLUMN - 2) {
        putchar('\n');
        at = 0;
    }
    at += printf("%*s", HELP_COLUMN - at, "");
    char line[1024];
    size_t used = (size_t)snprintf(line, sizeof line, "%s", o->help);
    const char *words = explained_words(o);
    if (words && used < sizeof line) used += (size_t)snprintf(line + used, sizeof line - used, " (%s)", words);
    if (o->fallback && strcmp(o->fallback, "0") != 0 && used < sizeof line)
        snprintf(line + used, sizeof line - used, " [%s]", o->fallback);
    print_wrapped(line, HELP_COLUMN, HELP_COLUMN);
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
    for (const cli_option *o = command->options; o->kind != CLI_END; o++)
        if (o->help) print_option(o);
    printf("\nCommon options:\n");
    for (const cli_option *o = cli_common_options; o->kind != CLI_END; o++) print_option(o);
    if (command->examples) printf("\nExamples:\n");
    for (const char *at = command->examples; at && *at; at += strcspn(at, "\n") + 1) printf("  %.*s\n", (int)strcspn(at, "\n"), at);
}

/* ---- manual pages -------------------------------------------------------------------------------------------- */

/* Escapes text for troff: hyphens become real ones, and no line begins with a control character. */
static void print_troff(const char *s)
{
    for (; *s; s++) {
        if (*s == '-')
            fputs("\\-", stdout);
        else if (*s == '\\')
            fputs("\\e", stdout);
        else if (*s == '\'')
            fputs("\\(aq", stdout);
        else if (*s == '.' && (s[1] == '.' || s[1] == ' '))
            fputs("\\&.", stdout);
        else
            putchar(*s);
    }
}

static void print_exit_status(void)
{
    static const char *const meaning[][2] = {{"0", "solved and proved, or the requested output"},
                                             {"1", "the input or the command line is wrong"},
                                             {"2", "proved infeasible, or unbounded"},
                                             {"3", "a limit was reached; output has the best solution found and a proved bound"},
                                             {"4", "numerical trouble; nothing is certified"},
                                             {"130", "interrupted; output has the best solution found"}};
    printf(".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof meaning / sizeof *meaning; i++) printf(".TP\n.B %s\n%s\n", meaning[i][0], meaning[i][1]);
}

/* Prints command lines as typed. */
static void print_examples(const char *lines)
{
    if (!lines) return;
    printf(".SH EXAMPLES\n.nf\n");
    print_troff(lines);
    printf(".fi\n");
}

static void print_manual_option(const cli_option *o)
{
    printf(".TP\n");
    if (o->letter) printf(".BR \\-%c", o->letter);
    if (o->letter && o->name) printf(" \", \" ");
    if (o->name) printf("%s\\-\\-", o->letter ? "" : ".BR ");
    if (o->name) print_troff(o->name);
    if (o->argument) printf(" \" \" \\fI%s\\fR", o->argument);
    putchar('\n');
    print_troff(o->help);
    if (explained_words(o)) {
        printf(" (");
        print_troff(explained_words(o));
        printf(")");
    }
    if (o->fallback && strcmp(o->fallback, "0") != 0) {
        printf(" [");
        print_troff(o->fallback);
        printf("]");
    }
    putchar('\n');
}

void cli_manual(const cli_command *command)
{
    printf(".TH VOUCH\\-");
    for (const char *s = command->name; *s; s++) putchar(*s >= 'a' && *s <= 'z' ? *s - 'a' + 'A' : *s);
    printf(" 1 \"\" \"vouch %s\" \"User Commands\"\n.SH NAME\nvouch\\-%s \\- ", vouch_version(), command->name);
    print_troff(command->summary);
    printf("\n.SH SYNOPSIS\n.B vouch %s\n", command->name);
    print_troff(command->operands);
    printf(" [options]\n");
    if (command->text) {
        printf(".SH DESCRIPTION\n");
        print_troff(command->text);
        putchar('\n');
    }
    printf(".SH OPTIONS\n");
    for (const cli_option *o = command->options; o->kind != CLI_END; o++)
        if (o->help) print_manual_option(o);
    for (const cli_option *o = cli_common_options; o->kind != CLI_END; o++) print_manual_option(o);
    print_exit_status();
    print_examples(command->examples);
    printf(".SH SEE ALSO\n.BR vouch (1)\n");
}

void cli_manual_overview(const cli_command *const commands[])
{
    printf(".TH VOUCH 1 \"\" \"vouch %s\" \"User Commands\"\n.SH NAME\nvouch \\- plans policies whose commitments hold in several "
           "possible environments\n"
           ".SH SYNOPSIS\n.B vouch\nCOMMAND [arguments] [options]\n.SH COMMANDS\n",
           vouch_version());
    for (int i = 0; commands[i]; i++) {
        printf(".TP\n.BR vouch\\-%s (1)\n", commands[i]->name);
        print_troff(commands[i]->summary);
        putchar('\n');
    }
    print_exit_status();
    printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif set and not empty, verdicts (kept, proved) are not coloured on terminals\n");
    print_examples(
        "vouch generate t-maze -o maze.json\nvouch plan maze.json -L 3 -o policy.json\nvouch show maze.json policy.json\n");
}
