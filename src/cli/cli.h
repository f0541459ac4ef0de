/* cli/cli.h - what a command of the program is: a table of options, and a function to run.
 *
 * One table per command is the only place where an option is described. Parsing, defaults, range checks, `--help`, the
 * manual pages and the shell completion are all read off it (option.c, help.c), so that they cannot disagree.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vouch/status.h>

/* Exit statuses: fixed, because users' scripts rely on them. */
enum cli_exit {
    CLI_SOLVED = 0,       /* proved, or the answer asked for */
    CLI_WRONG = 1,        /* the input or the command line is wrong; nothing was written */
    CLI_INFEASIBLE = 2,   /* proved infeasible (or unbounded, for lp) */
    CLI_LIMIT = 3,        /* a limit was reached; the best found so far is written */
    CLI_NUMERICAL = 4,    /* numerical trouble; nothing certified */
    CLI_INTERRUPTED = 130 /* SIGINT; the best found so far is written */
};

struct text;

typedef enum cli_kind {
    CLI_END = 0, /* ends a table */
    CLI_FLAG,    /* int, one more each time it is given */
    CLI_INT,     /* int in [least, most] */
    CLI_LONG,    /* long long in [least, most] */
    CLI_REAL,    /* double in [least, most]; never NaN */
    CLI_SEED,    /* uint64_t */
    CLI_TEXT,    /* const char *, any text */
    CLI_PAIR,    /* const char *, two names "x,y", which may be left out: the fallback then; NULL: the option is not given */
    CLI_MAYBE,   /* const char *, as CLI_TEXT, or "" where the option stands alone; NULL: it was not given */
    CLI_FILE,    /* const char *, the name of a file that is read */
    CLI_OUTPUT,  /* const char *, the name of a file that is written: it must be possible before the command runs */
    CLI_WORD,    /* int, the position of the word in `words` */
    CLI_LIST     /* cli_list: each time it is given, one text more */
} cli_kind;

typedef struct cli_list {
    const char **item; /* [count]; owned by the frame, which frees it after the command */
    size_t count, capacity;
} cli_list;

typedef struct cli_option {
    cli_kind kind;
    char letter;                  /* 0: long name only */
    const char *name;             /* NULL: letter only */
    const char *argument;         /* what stands for the value in the help: "N"; NULL for flags */
    size_t offset;                /* of the field in the command's arguments */
    const char *fallback;         /* the default, written as on the command line; NULL: 0, NULL, or NAN for CLI_REAL */
    double least, most;           /* CLI_INT, CLI_LONG, CLI_REAL; both 0: any value */
    const char *words;            /* CLI_WORD: "policy|lp" */
    const char *help;             /* NULL: not in the help, whose text speaks of all such options */
    const char *(*list)(void);    /* instead of words: those of a table of the library .. */
    const char *begins;           /* words that a value may begin with, blanks between, for the shell; NULL: none */
    const char *(*details)(void); /* .. and what each means, for the help; NULL: nothing more */
} cli_option;

/* One line of a table that a macro makes. */
#define CLI_OPTION(...)                                                                                                            \
    {                                                                                                                              \
        __VA_ARGS__                                                                                                                \
    }

/* The words of an option; NULL: none. */
const char *cli_words(const cli_option *option);

/* Every command's arguments begin with these; cli_common_options describes them. */
typedef struct cli_common {
    int help, json, quiet, verbose;
    uint64_t seed;
    int threads;
    double time_limit;        /* seconds; 0: none */
    const char *memory_limit; /* as cli_limit_memory reads it; NULL: not given */
} cli_common;

extern const cli_option cli_common_options[];

typedef struct cli_command {
    const char *name;
    const char *operands;              /* for the synopsis: "MODEL POLICY.json" */
    int least_operands, more_operands; /* more: that may be left out */
    const char *summary;               /* a few words for the list of commands */
    const char *text;                  /* paragraphs for --help and the manual page; NULL: none */
    const char *examples;              /* command lines, each with its newline */
    const cli_option *options;         /* ended by {0}; without the common ones */
    size_t size;                       /* of the arguments, a struct that begins with cli_common */
    /* args: filled from the command line; operand: ended by NULL. Returns the exit status. */
    int (*run)(void *args, char **operand);
} cli_command;

/* Parses argv[1..] (argv[0] is the command's name) and runs the command, or prints its help, or says on standard error
 * what is wrong and returns CLI_WRONG. */
int cli_run(const cli_command *command, int argc, char **argv);

/* As it was typed, or by its long name. */
const char *cli_option_name(const cli_option *o, char out[64]);
/* Was the option of this long name, or letter, on the command line? */
bool cli_given(const char *name);
/* That of --seed. */
uint64_t cli_seed(void);
/* An option that does something only in some circumstances. */
typedef struct cli_need {
    const char *name;
    bool used;         /* are these the circumstances? */
    const char *needs; /* "--frontier": "--plot does nothing without --frontier"; or "beside .." */
} cli_need;
/* 0, or CLI_WRONG after a message when an option was given that does nothing. */
int cli_refuse_idle(const cli_need need[], size_t count);

/* The text of --help. */
void cli_help(const cli_command *command);

/* The manual page of a command and of the program (troff). commands: NULL-ended. */
void cli_manual(const cli_command *command);
void cli_manual_overview(const cli_command *const commands[]);
/* The completion for "bash" (NULL), "zsh" or "fish"; the exit status. */
int cli_completion(const cli_command *const commands[], const char *shell);

/* "vouch: text" on standard error, formatted; returns CLI_WRONG. The prefix is "vouch plan" while that command runs. */
int cli_wrong(const char *format, ...) VOUCH_PRINTF(1, 2);
/* A name as people are shown it (base/plain.h), cut where it is very long. Valid for the next few calls: for one printf. */
const char *cli_shown(const char *name);
/* Prints a library error as it is (it starts with FILE:LINE or names its item) and returns the exit status for it:
 * CLI_WRONG, or CLI_LIMIT where memory or size ran out. */
int cli_failed(const vouch_error *error);

/* Prints what has been put together, and frees it; after a message when memory was out. */
void cli_print(struct text *t);
/* The exit status of the program: code, unless a message said that something went wrong, or standard output took not everything. */
int cli_finish(int code);

/* Limits of a call: it ends when SIGINT comes, or --time-limit has passed since the program started. */
vouch_limits cli_limits(const cli_common *common);
/* The same for one of several plans: --time-limit counts from the start of the plan. */
vouch_limits cli_limits_each(const cli_common *common);
/* Limits the memory of the process. size: a number of bytes, or a number with K, M, G or T (powers of 1024); "0": no limit; NULL:
 * 3/4 of what the machine allows. Not 0 after a message about a wrong size. */
int cli_limit_memory(const char *size);
/* If that limit was reached, tells the user how large it is. */
void cli_tell_memory_limit(void);

#endif
