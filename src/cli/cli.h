/* cli/cli.h - the private header of the command line: the frame of a command, and the services that commands share.
 *
 * Each command has one table of options. Parsing, defaults, range checks, `--help`, manual pages and shell completion are derived
 * from it (option.c, help.c, completion.c), so that they agree.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <vouch/vouch.h>

#include "base/clock.h"
#include "draw/draw.h"
#include "io/formats.h"
#include "io/json.h"
#include "link/group.h"

/* Exit statuses: fixed, because users' scripts rely on them. */
enum cli_exit {
    CLI_SOLVED = 0,       /* solved and proved, or the requested output was written */
    CLI_WRONG = 1,        /* the input or the command line is wrong; nothing was written */
    CLI_INFEASIBLE = 2,   /* proved infeasible (or unbounded, for lp) */
    CLI_LIMIT = 3,        /* a limit was reached; the best solution found is written */
    CLI_NUMERICAL = 4,    /* numerical trouble; nothing certified */
    CLI_INTERRUPTED = 130 /* SIGINT; the best solution found is written */
};

struct text;

typedef enum cli_kind {
    CLI_END = 0, /* ends a table */
    CLI_FLAG,    /* int, incremented each time it is given */
    CLI_INT,     /* int in [least, most] */
    CLI_LONG,    /* long long in [least, most] */
    CLI_REAL,    /* double in [least, most]; never NaN */
    CLI_SEED,    /* uint64_t */
    CLI_TEXT,    /* const char *, any text */
    CLI_PAIR,    /* const char *, two names "x,y", optional: else the fallback; NULL: option not given */
    CLI_MAYBE,   /* const char *, as CLI_TEXT, or "" without a value; NULL: not given; most > 0: a count may stand apart */
    CLI_FILE,    /* const char *, a file to read */
    CLI_OUTPUT,  /* const char *, a file to write, checked before the command runs */
    CLI_WORD,    /* int, the position of the word in `words` */
    CLI_LIST     /* cli_list: one more text each time it is given */
} cli_kind;

typedef struct cli_list {
    const char **item; /* [count]; owned by cli_run */
    size_t count, capacity;
} cli_list;

typedef struct cli_option {
    cli_kind kind;
    char letter;                  /* 0: long name only */
    const char *name;             /* NULL: letter only */
    const char *argument;         /* word for the value in the help: "N"; NULL for flags */
    size_t offset;                /* of the field in the command's arguments */
    const char *fallback;         /* the default as typed; NULL: 0, NULL, or NAN for CLI_REAL */
    double least, most;           /* CLI_INT, CLI_LONG, CLI_REAL; both 0: any value */
    const char *words;            /* CLI_WORD: "policy|lp" */
    const char *help;             /* NULL: not in the help, whose text covers all such options */
    const char *(*list)(void);    /* instead of words: the words of a table of the library */
    const char *begins;           /* possible first words of a value, separated by blanks, for shells; NULL: none */
    const char *(*details)(void); /* their meaning, for the help; NULL: none */
} cli_option;

/* An entry of a table made by a macro. */
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

/* Parses argv[1..] (argv[0] is the command's name) and runs the command or prints its help. A wrong command line: a message and
 * CLI_WRONG. */
int cli_run(const cli_command *command, int argc, char **argv);

bool cli_given(const char *name); /* was the option of this long name, or letter, on the command line? */
uint64_t cli_seed(void);
/* Options that have an effect only under a condition. */
typedef struct cli_need {
    const char *names; /* "points|plot" */
    bool used;         /* are these the circumstances? */
    const char *needs; /* "--frontier", for "--plot has no effect without --frontier"; or "beside .." */
} cli_need;
/* Dies if an option without effect was given. */
void cli_refuse_idle(const cli_need need[], size_t count);

/* Is this a name of glpsol, and `glpsol ..` as `vouch lp ..`; argv[0] is the name of the link. (lp.c) */
bool lp_glpsol_is_name(const char *program);
int lp_glpsol_main(int argc, char **argv);
/* Has the program integer columns or SOS1 sets? (lp.c) */
bool cli_has_integers(const vouch_lp *lp);

/* The text of --help; the manual page of a command and of the program (troff). commands: NULL-ended. */
void cli_help(const cli_command *command);
void cli_manual(const cli_command *command);
void cli_manual_overview(const cli_command *const commands[]);
/* The completion for "bash" (NULL), "zsh" or "fish"; the exit status. */
int cli_completion(const cli_command *const commands[], const char *shell);

/* "vouch: text" on standard error, formatted; returns CLI_WRONG. The prefix is "vouch plan" while that command runs. */
int cli_wrong(const char *format, ...) VOUCH_PRINTF(1, 2);
/* A printable form of a name (base/text.h), cut if very long. Valid for the next few calls. */
const char *cli_shown(const char *name);
/* The words for standard output: on a terminal in green (sign 1: kept, proved), yellow (0: not proved) or red (-1: broken), unless
 * NO_COLOR is set. Valid for the next few calls. */
const char *cli_verdict(int sign, const char *words);
/* Prints a library error unchanged (it starts with FILE:LINE or names its item). Returns CLI_WRONG, or CLI_LIMIT if memory or size
 * ran out. */
int cli_failed(const vouch_error *error);

/* Ways out of a command, to cli_run, which frees everything the command owns: with an exit status; after a message, as cli_wrong;
 * after an error of the library, as cli_failed; cli_try: only if there is one, with the text in cli_error. No jump crosses a public
 * call: callbacks of the library must not use them. */
_Noreturn void cli_exit(int code);
_Noreturn void cli_die(const char *format, ...) VOUCH_PRINTF(1, 2);
_Noreturn void cli_fail(const vouch_error *error);
void cli_try(vouch_status status);
extern vouch_error cli_error; /* of the call at hand */
void cli_check(int code);     /* cli_exit unless it is 0 */
/* The command owns the object, which release frees when the command ends. */
void cli_own(void (*release)(void *object), void *object);
void cli_own_model(vouch_model *model);
void cli_own_policy(vouch_policy *policy);
void cli_own_block(void *block);          /* of base/memory */
struct text *cli_text(void);              /* an empty text of the command */
char *cli_string(struct text *t);         /* its characters in memory of the command; t is freed */
void *cli_new(size_t count, size_t size); /* zeroed memory of the command, aligned for any type */
#define CLI_NEW(type, n) ((type *)cli_new((size_t)(n), sizeof(type)))

/* Runs a program with these arguments, up to a NULL, and if not NULL this environment variable set to 1; its output goes to *said.
 * Returns its exit status, 127 if it could not be started, -1 if it was killed. */
int cli_spawn(const char *program, const char *const argument[], const char *variable, struct text *said);

void cli_print(struct text *t); /* prints the text and frees it; a message if memory ran out */
/* The exit status of the program: code, unless an error was reported or standard output could not be written. */
int cli_finish(int code);

/* Limits of a call: it ends when SIGINT comes, or --time-limit has passed since the program started (each: since the plan was). */
vouch_limits cli_limits(const cli_common *common);
vouch_limits cli_limits_each(const cli_common *common);

/* ---- The commands, in the order of the overview: src/cli/NAME.c defines `const cli_command cli_NAME`. ---- */

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

/* Describes a file and the commands that accept it. Returns the exit status. */
int about_file(const char *path);
/* The number of reward structures of a PRISM or JANI file, and their names joined by "or"; 0 for other files. */
int about_rewards(const char *path, text *list);

#define CLI_DECLARE(name) extern const cli_command cli_##name;
CLI_COMMANDS(CLI_DECLARE)
#undef CLI_DECLARE

/* ---- report.c: standard error of a running command, and SIGINT ---- */

/* Stores -q and -v, tests whether standard error is a terminal, and handles SIGINT: the first one sets the flag of cli_limits,
 * which ends the search with its best solution; the second one kills. Signals that kill remove temporary files first. */
void report_start(const cli_common *common);

/* Begins to read a file: until the call with NULL, SIGINT and the time limit (.1 s and 5 % after it) end the program at once with
 * a message and CLI_INTERRUPTED or CLI_LIMIT. Temporary files are removed. */
void report_reading(const char *path);

/* Shows the state of a search: on a terminal one line, rewritten at most ten times a second; else a plain line now and then, the
 * first after some seconds, so that short runs stay silent (news: at once). Nothing with -q, as notes. */
void report_progress(const char *format, ...) VOUCH_PRINTF(1, 2);
void report_news(const char *format, ...) VOUCH_PRINTF(1, 2);
void report_live(const char *format, ...) VOUCH_PRINTF(1, 2); /* on a terminal only */
void report_note(const char *format, ...) VOUCH_PRINTF(1, 2);
void report_clear(void);    /* erases the live line before other output */
vouch_log report_log(void); /* errors always; INFO with -v, DETAIL with -v -v */
bool report_interrupted(void);

/* Copies later notes, logs and messages to this file, closed at the end of the program; nonzero: it cannot be opened.
 * report_copied: the file, NULL: none. */
int report_copy(const char *path);
FILE *report_copied(void);

/* ---- the MODEL operand and its options ---- */

typedef struct model_args {
    int horizon;               /* 0: as in the model */
    cli_list probabilities;    /* "P" or "NAME=P" */
    const double *probability; /* of a sweep, overrides P; NULL: none */
    double reward_tolerance;
    const char *observe, *prior; /* NULL: as in the model */
    const char *reward, *time_to, *properties;
    cli_list constants, commits, initial;
    int fix_deadlocks, merge_actions, sample, minimise;
    bool unrewarded; /* the command needs no rewards */
    long long state_limit;
    double within; /* of commands that have the option */
} model_args;

#define KIND_BEGINS(name, word, window) word ": "
/* Entries for the option table of a struct `type` with a field `model`. */
#define MODEL_OPTIONS(type)                                                                                                        \
    CLI_OPTION(CLI_INT, 'T', "horizon", "N", offsetof(type, model.horizon), NULL, 1, 2147483647,                                   \
               .help =                                                                                                             \
                   "override the horizon; default for models without one: the latest time of the promises, if each has a time"),   \
        CLI_OPTION(CLI_LIST, 'p', "probability", "[NAME=]P", offsetof(type, model.probabilities),                                  \
                   .help = "override the commitment probability (of promise NAME)"),                                               \
        CLI_OPTION(CLI_REAL, 0, "reward-tolerance", "R", offsetof(type, model.reward_tolerance), "1e-9", 0, 0.5,                   \
                   .help = "relative tolerance within which rewards are the same observation (chained over neighbours)"),          \
        CLI_OPTION(CLI_TEXT, 0, "observe", "WHAT", offsetof(type, model.observe),                                                  \
                   .help = "override the observations of the agent: rewards (and states), or states alone"),                       \
        CLI_OPTION(CLI_TEXT, 0, "prior", "P1,P2,..", offsetof(type, model.prior),                                                  \
                   .help = "override the prior of the environments (up to a common factor), for promises on average and "          \
                           "--objective weighted"),                                                                                \
        CLI_OPTION(CLI_LIST, 0, "commit", "PROMISE", offsetof(type, model.commits), .begins = VOUCH_PROMISE_LIST(KIND_BEGINS),     \
                   .help =                                                                                                         \
                       "PRISM, DRN, CSV, POMDP: the states to be in at the horizon with the probability of -p (a label, an "       \
                       "expression, names of states); or a complete promise (repeatable): [NAME:]KIND:STATES[@TIME]>=P[~prior], "  \
                       "KIND " VOUCH_PROMISE_WORDS ", TIME 8 or 2..8, ~prior: on average over the prior: "                         \
                       "--commit 'by:port@8>=0.9' --commit 'avoid:storm>=0.95~prior'"),                                            \
        CLI_OPTION(CLI_FILE, 0, "prop", "FILE", offsetof(type, model.properties),                                                  \
                   .help = "PRISM, DRN: promise the properties in FILE, in PRISM's syntax: P>=0.9 [ F<=8 \"goal\" ]; the horizon " \
                           "is the default time bound"),                                                                           \
        CLI_OPTION(CLI_LIST, 0, "initial", "STATE[=P]", offsetof(type, model.initial),                                             \
                   .help = "PRISM, DRN, CSV: initial state, repeatable. The agent observes which one it starts in; without =P "    \
                           "they are equally likely"),                                                                             \
        CLI_OPTION(CLI_TEXT, 0, "reward", "NAME", offsetof(type, model.reward), .help = "PRISM, DRN: the reward structure"),       \
        CLI_OPTION(CLI_TEXT, 0, "time-to", "LABEL", offsetof(type, model.time_to),                                                 \
                   .help = "PRISM, DRN: instead of a reward, -1 for each step begun outside LABEL; 1 with --minimise"),            \
        CLI_OPTION(CLI_FLAG, 0, "minimise", NULL, offsetof(type, model.minimise),                                                  \
                   .help = "rewards are costs: minimise them; values are costs, regret = U - U*"),                                 \
        CLI_OPTION(CLI_LIST, 0, "const", "NAME=VALUES", offsetof(type, model.constants),                                           \
                   .help = "PRISM: values of an open constant, lo:hi, lo:hi:step or v1,v2; one environment per combination"),      \
        CLI_OPTION(CLI_INT, 0, "sample", "N", offsetof(type, model.sample), NULL, 1, 1000000,                                      \
                   .help = "PRISM: plan for a random sample of N environments (--seed); without it a family of more than a "       \
                           "million is refused"),                                                                                  \
        CLI_OPTION(CLI_FLAG, 0, "fix-deadlocks", NULL, offsetof(type, model.fix_deadlocks),                                        \
                   .help = "PRISM, DRN, CSV: add a self-loop to deadlock states"),                                                 \
        CLI_OPTION(CLI_FLAG, 0, "merge-actions", NULL, offsetof(type, model.merge_actions),                                        \
                   .help = "PRISM, DRN, CSV: where only some environments have an action in a state, add it as a self-loop in "    \
                           "the others"),                                                                                          \
        CLI_OPTION(CLI_LONG, 0, "state-limit", "N", offsetof(type, model.state_limit), NULL, 1, 2147483647,                        \
                   .help = "PRISM, DRN, CSV, POMDP: maximum number of states (PRISM: reachable in T steps); default 10000000")

/* The operand with its reading options, quoted for a shell: " ferry.prism --commit port -T 8". */
void model_words(const model_args *args, const char *path, text *t);
/* Dies if one of these options is given although no model is read; needs: the condition in words. */
void model_refuse(const char *needs);
/* The last P given without a name; NAN: none. Returns NULL, or the invalid value. */
const char *model_probability(const model_args *args, double *p);
/* The number of the promise named by an option; without a name -1, which dies if there are several and `needed`. */
int model_promise(const vouch_model *model, const char *option, const char *name, bool needed);
/* Apply --observe and --prior, if given. */
vouch_status model_observe(const char *observe, vouch_model *model, vouch_error *error);
vouch_status model_set_prior(const char *prior, vouch_model *model, vouch_error *error);
/* Reads the model and applies the options. */
vouch_status import_model(const model_args *args, const char *path, vouch_model **model, vouch_error *error);
/* The same; the model is owned by the command. */
vouch_model *load_model(const model_args *args, const char *path);

/* ---- --objective and --weights ---- */

typedef struct objective_args {
    int objective;
    const char *weights; /* NULL: not given */
} objective_args;

/* Entries for the option table of a struct `type` with a field `objective`. */
#define OBJECTIVE_OPTIONS(type)                                                                                                    \
    CLI_OPTION(CLI_WORD, 0, "objective", "O", offsetof(type, objective.objective), "regret", .words = "regret|weighted|max-min",   \
               .help = "objective: the least maximum regret, the largest weighted sum of expected rewards (--weights), or the "    \
                       "largest least expected reward"),                                                                           \
        CLI_OPTION(                                                                                                                \
            CLI_TEXT, 0, "weights", "W1,W2,..", offsetof(type, objective.weights), NULL,                                           \
            .help = "--objective weighted: a weight for each environment, in order; default: the prior of the model, or 1 each")

/* Appends " --objective weighted --weights 3,1", or nothing for the regret. */
void objective_words(const objective_args *args, struct text *t);
/* Sets objective and weights of options for K environments; *weights is owned by the caller, also after an error. */
vouch_status objective_take(const objective_args *args, int K, vouch_plan_options *options, double **weights, vouch_error *error);
/* The same for the plans of a command, which owns the weights. */
void objective_set(const objective_args *args, const vouch_model *m, vouch_plan_options *options);
/* Name of the value of an objective other than the regret: "weighted value", "least value"; "weighted cost", "largest cost". */
const char *objective_noun(vouch_objective objective, vouch_sense sense);

/* Progress of a plan, as that of the command (NULL) or after these words on a terminal. */
void plan_report(void *words, const vouch_plan_progress *p);
/* The same of a search for the largest probability (vouch/explain.h), after these words. */
void explain_report(void *words, const vouch_plan_progress *p);

/* ---- methods as words and help of options ---- */

/* "milp-ccl|exact-ccl|..", in the order of the table. */
const char *method_words(void);
/* The methods that CCIL plans with: the one at a position. */
vouch_method method_replanned(int position);
/* "milp-ccl: POLICIES, gap G; ..". */
const char *method_details(void);

enum { METHOD_ANY_LOOKAHEAD = -1 }; /* "milp-ccl: .. deterministic policies that use the first L observations" */

/* Appends objective and policy class: "milp-ccl, L = 3: least maximum regret of deterministic policies that use 3 observations;
 * maximises rewards". Baselines have no objective, unknown methods no class. */
void method_add_class(text *t, const char *word, int lookahead, vouch_objective objective, vouch_sense sense);
/* The same for replanning every `steps` steps. */
void method_add_replanned(text *t, vouch_method inner, bool guarded, int steps, vouch_objective objective, vouch_sense sense);
/* Notes on standard error that -L has no effect with this method. */
void method_note_lookahead(const char *word);

/* ---- figures of a policy by environment ---- */

const char *promise_name(const vouch_model *m, int j);
/* Print a line with objective and policy class, of a policy or of plans yet to be made; with the name and sizes of the model. */
void figures_print_class(const vouch_policy *policy);
void figures_print_plan_class(const vouch_model *m, const vouch_plan_options *options);
void figures_print_model(const vouch_model *model);
/* Prints the sizes of a written model with the horizon in the file, as a line or an object, and remarks of its format
 * (io/reading.h). Nothing if the file is standard output. */
void figures_print_written(const vouch_model *model, const char *path, int horizon, bool json);
/* Prints the table of environments: U*, U, regret, commitment probability, with broken promises marked. */
void figures_print_environments(const vouch_model *model, const vouch_policy *policy);
/* The mean over the prior of the probabilities of promise j; commitments NULL: the figures' own. */
double figures_mean(const vouch_model *m, int j, const vouch_environment_figures figures[], const double commitments[]);
/* Adds the field, preceded by a comma, if there are promises on average. */
void figures_add_averages(text *t, const char *field, const vouch_model *model, const vouch_environment_figures figures[],
                          const double commitments[]);
/* worst [K * promises]: under the error of the model; NULL: no columns of it. */
void figures_print_list(const vouch_model *model, const vouch_environment_figures figures[], const double commitments[],
                        const double worst[]);
/* Adds the array of "environments", as policy files have it. */
void figures_add_json(text *t, const vouch_model *model, const vouch_environment_figures figures[], const double commitments[]);
/* Evaluates the policy and stores its figures in it. */
vouch_status figures_again(vouch_policy *policy, const vouch_model *model, int *kept, vouch_error *error);
/* Prints {"status", "max_regret", "bound", "total_regret", "nodes", "iterations", "seconds", "environments"}; `kept`: 1, 0, or
 * -1 to leave the field out. more: fields, each after a comma; NULL: none. */
void figures_print_json(const vouch_model *m, const vouch_policy *policy, int kept, bool timeless, const text *more);

/* Reports the first broken promise of a policy with figures. Returns the exit status. */
int figures_not_kept(const vouch_model *m, const vouch_policy *policy, const char *path);

/* ---- aligned tables for people. ---- */

typedef struct table table;

/* A table that is freed at the end of the command. headers: NULL-terminated; a leading '<' aligns the column to the left. */
table *table_new(const char *const headers[]);
/* The headers of these columns are names of the user: no '<' is special. Aligned to the right. */
void table_names(table *t, size_t first, size_t count);
void table_cell(table *t, const char *format, ...) VOUCH_PRINTF(2, 3);
void table_number(table *t, double value); /* %.7g; values below 1e-12 as 0, NaN as "-" */
/* A probability p with promised probability owed. If the promise is broken, as many digits as show the difference. */
void table_probability(table *t, double p, double owed, bool kept);
/* The same outside tables: p with this number of digits, or more if needed to show that it is below owed. Returns out. */
const char *table_below(double p, double owed, int digits, char out[32]);
double table_shown(double value); /* 0 for values below 1e-12, for use outside tables */
void table_print(const table *t, FILE *out);

/* ---- fingerprint of the inputs of a result: 16 hexadecimal digits ---- */

enum { FINGERPRINT = 17 };

typedef struct fingerprint {
    uint64_t hash;
} fingerprint;

fingerprint fingerprint_start(void);
/* add: distinguishes NULL from "", and "ab", "c" from "a", "bc"; bytes: FNV-1a, 64 bits. */
void fingerprint_add(fingerprint *f, const char *word);
void fingerprint_add_bytes(fingerprint *f, const void *bytes, size_t count);
void fingerprint_add_number(fingerprint *f, double x);
/* Hashes the decompressed bytes of the model's files and the reading options, except horizon and probability. */
vouch_status fingerprint_add_model(fingerprint *f, const model_args *args, const char *path, vouch_error *error);
void fingerprint_text(const fingerprint *f, char out[FINGERPRINT]);

/* ---- options of commands that share work among processes or continue from a journal ---- */

typedef struct spread_args {
    int workers;
    const char *journal, *resume;
} spread_args;

/* Entries for the option table of a struct `type` with a field `spread`. */
#define SPREAD_OPTIONS(type)                                                                                                       \
    CLI_OPTION(CLI_INT, 0, "workers", "N", offsetof(type, spread.workers), "0", 0, 1024,                                           \
               .help = "processes that share the work; output is identical for every N and omits running times"),                  \
        CLI_OPTION(CLI_TEXT, 0, "journal", "F", offsetof(type, spread.journal), NULL,                                              \
                   .help = "record finished work in F, a new file; --resume F continues from it")
#define RESUME_OPTION(type)                                                                                                        \
    CLI_OPTION(CLI_TEXT, 0, "resume", "F", offsetof(type, spread.resume), NULL,                                                    \
               .help = "continue from the journal F of a stopped run; without F begin one")

/* Must output be byte-identical to that of other runs? Then running times are omitted. */
bool spread_asked(const spread_args *args);
/* The number of workers for the library; in a group it only means that work is shared. */
int spread_workers(const spread_args *args);
/* In a group the first process reads files and sends them to the others. To be called before anything is read. */
void spread_files(void);
/* Adds version, seed, and the model with its reading options. */
void spread_mark(fingerprint *f, const cli_common *common, const model_args *args, const char *path);
/* The journal of --journal or --resume, owned by the command; NULL: none. mark: fingerprint of the run. */
vouch_journal *spread_open(const spread_args *args, const char *mark);

/* ---- options of commands that replan ---- */

/* The words of the methods that CCIL plans with, as of method_words. */
const char *method_words_replanned(void);

typedef struct replan_args {
    objective_args objective;
    int lookahead, inner, tie_break, guarded, restarts;
    double gap;
    long long tie_break_work;
} replan_args;

/* Entries for the option table of a struct `type` with a field `replan`. */
#define REPLAN_OPTIONS(type)                                                                                                       \
    CLI_OPTION(CLI_INT, 'L', "lookahead", "N", offsetof(type, replan.lookahead), "1", 1, 2147483647,                               \
               .help = "replan every N steps, 1 to T"),                                                                            \
        CLI_OPTION(CLI_WORD, 0, "inner", "M", offsetof(type, replan.inner), "milp-ccl", .list = method_words_replanned,            \
                   .help = "method of each plan: deterministic or stochastic policies"),                                           \
        CLI_OPTION(CLI_FLAG, 0, "guarded", NULL, offsetof(type, replan.guarded),                                                   \
                   .help = "require a new plan to earn at least U(k) of the policy in force in every environment still possible"), \
        CLI_OPTION(CLI_WORD, 0, "tie-break", "W", offsetof(type, replan.tie_break), "total", .words = "total|none",                \
                   .help = "prefer the least total regret among policies of least maximum regret"),                                \
        CLI_OPTION(CLI_LONG, 0, "tie-break-work", "N", offsetof(type, replan.tie_break_work), "20000", 0, 9e18,                    \
                   .help = "work limit, in backward inductions, of the proof of least total regret in each plan; 0: no limit"),    \
        CLI_OPTION(CLI_WORD, 0, "objective", "O", offsetof(type, replan.objective.objective), "regret",                            \
                   .words = "regret|weighted|max-min",                                                                             \
                   .help = "objective of each plan, as in vouch plan; weighted: weights are updated by Bayes' rule"),              \
        CLI_OPTION(                                                                                                                \
            CLI_TEXT, 0, "weights", "W1,W2,..", offsetof(type, replan.objective.weights), NULL,                                    \
            .help = "--objective weighted: a weight for each environment, in order; default: the prior of the model, or 1 each"),  \
        CLI_OPTION(CLI_REAL, 0, "gap", "G", offsetof(type, replan.gap), NULL, 0, 1e300,                                            \
                   .help = "accept a plan whose maximum regret and bound differ by at most G; default: the gap of the method"),    \
        CLI_OPTION(CLI_INT, 0, "restarts", "N", offsetof(type, replan.restarts), "0", 0, 2147483647,                               \
                   .help = "exact-ccl: random starts of local search in each plan; 0: the default, 48")

/* Dies if an option has no effect. */
void replan_refuse_idle(const replan_args *args);
void replan_options(const replan_args *args, const cli_common *common, const vouch_model *m, vouch_ccil_options *options);

/* ---- results of simulations ---- */

/* Options of a simulation of `episodes`, with a progress bar. */
vouch_simulation_options sampling_options(const cli_common *common, long long episodes);
/* Prints the table of environments. optimal [K]: U*(k), or NULL. */
void sampling_print(const vouch_model *model, const double optimal[], const vouch_sample sample[]);
/* Adds an array with an object per environment. */
void sampling_add_json(text *t, const vouch_model *model, const vouch_sample sample[]);
/* Adds the field "averages", preceded by a comma, if there are promises on average. */
void sampling_add_averages(text *t, const vouch_model *model, const vouch_sample sample[]);

/* ---- parts of the search (vouch/search.h) ---- */

const char *parts_words(void); /* "pareto-vectors, scenarios, ..", in the order of the list */
/* Dies unless every word of a list "word,word" is a part (NULL: no list); notes renamed and removed parts on standard error. */
void parts_check(const char *list);
int parts_print(int json); /* vouch plan --parts */

/* ---- vouch plan --proof and --prove ---- */

/* What became of a proof. */
typedef enum prove_outcome {
    PROVE_OPEN,     /* it is not written yet */
    PROVE_NONE,     /* nothing is proved; there is no file */
    PROVE_VERIFIED, /* vouch-check accepts it */
    PROVE_SKIPPED,  /* written, without a verdict of vouch-check */
    PROVE_REFUTED   /* refuted by vouch-check; the file has been renamed */
} prove_outcome;

typedef struct prove {
    const char *model; /* path, for vouch-check */
    lent given;        /* owned */
    const char *path;  /* of the proof; NULL: no file */
    FILE *store;       /* the proof while it is written: an unnamed file; NULL: none */
    size_t lines, claims;
    double p;      /* passed to vouch-check; NAN: as in args */
    double within; /* likewise; NAN: as in the model */
    bool failed;   /* something could not be written */
    prove_outcome outcome;
    bool removed, needless; /* PROVE_NONE: an older file was removed; no proof is needed */
    long long work;         /* work limit of vouch-check: far more than ten times the work of the plan, and some seconds at least */
    text said;              /* by vouch-check; owned */
    char reason[256];
} prove;

/* Writes the head, which identifies the model's bytes, and sets the callback for the other lines. args NULL: none. 0, or the exit
 * status after a message. */
int prove_start(prove *p, const model_args *args, const char *model, const char *path, vouch_plan_options *options);
/* Writes the last line and the file for this result. If nothing is claimed, there is no file, an older one is removed, and the
 * outcome is PROVE_NONE with the reason. */
vouch_status prove_end(prove *p, const vouch_model *m, const vouch_plan_result *result, const char *reason, vouch_error *error);
void prove_none(prove *p, const char *reason); /* sets PROVE_NONE and removes an older file */
/* Runs vouch-check (beside this program or on the PATH) on the proof, if there is one, with a work limit (0: p->work). A refuted
 * proof is moved to PATH.refuted, with the model as PATH.refuted.json. */
void prove_check(prove *p, const model_args *args, long long most_work);
/* Reports the outcome of the proof on standard error, and with --prove the verdict of vouch-check on standard output, unless
 * quiet. Returns the exit status, given the status of the plan. */
int prove_tell(const prove *p, bool prove_asked, bool quiet, int code);
void prove_json(const prove *p, text *t); /* adds , "proof": {..} */
/* If a plan is not proved optimal or infeasible: prints the bounds claimed by the proof on standard error. search: the method
 * proves bounds. */
void prove_tell_less(const prove *p, const vouch_plan_result *result, bool search);
/* --max-commitment with a proof: 0, or the exit status after a message if the model does not allow it. */
int prove_refuse_largest(const vouch_model *m);
/* Proves that no policy of the class keeps slightly more than `bound`, by a plan for that. 0, or the exit status after a message.
 */
int prove_largest(prove *p, vouch_model *m, const vouch_plan_options *o, double bound);
void prove_free(prove *p);

/* ---- line plots as SVG, alone or inside a page ---- */

/* Bounds on a curve between a point and its predecessor. */
typedef struct plot_gap {
    bool joined;         /* a line joins the two points */
    int corners;         /* corners of the band around the line; 0: none */
    const double *x, *y; /* [corners] */
} plot_gap;

typedef struct plot_line {
    const char *name;
    int count;
    const double *x, *y; /* [count], x finite and ascending; y NAN: no point */
    const double *bound; /* [count] lower bounds of y, or NULL: all points are proved. A lower bound makes the mark hollow and draws
                            a band down to the bound */
    const plot_gap *gap; /* [count], the first is ignored; NULL: all points are joined */
    const double *error; /* [count] half lengths of intervals, or NULL */
} plot_line;

typedef struct plot {
    const char *x_label, *y_label;
    const plot_line *line;
    int lines;
} plot;

/* Appends a whole SVG document: panels below each other, with round ticks (integers if all abscissas are), and a legend if there
 * are several lines or a hollow mark. */
void plot_svg(text *t, const char *title, const plot panel[], int panels);
/* The same for one plot inside a page, at full width, without title and legend; colours by the classes s0, s1, .. of the page. */
void plot_inline(text *t, const char *title, const plot *p);
void plot_sample(text *t, int i); /* a sample of line i for a legend */

/* ---- models of `vouch generate` ---- */

#define EXAMPLE_KINDS "twin-states|t-maze|lookahead|random|random-dense|machine-repair|adaptive|corridor"

typedef enum example_kind {
    EXAMPLE_NONE,
    EXAMPLE_TWIN_STATES,
    EXAMPLE_T_MAZE,
    EXAMPLE_LOOKAHEAD,
    EXAMPLE_RANDOM,
    EXAMPLE_RANDOM_DENSE,
    EXAMPLE_MACHINE_REPAIR,
    EXAMPLE_ADAPTIVE,
    EXAMPLE_CORRIDOR,
    EXAMPLE_KIND_COUNT
} example_kind;

typedef struct example {
    example_kind kind;
    int horizon;        /* T */
    double probability; /* p */
    vouch_maze_shape maze;
    vouch_random_shape random;
    vouch_family_shape family; /* of random-dense, machine-repair, adaptive */
} example;

example_kind example_find(const char *word); /* EXAMPLE_NONE for an unknown word */
example example_start(example_kind kind);    /* the defaults of `vouch generate` */

/* Sets a parameter besides T and p: h, u, d, K, slip of t-maze; S, A, K, B, shared (0 or 1), seed of random; S, A, K, seed of
 * random-dense; K, C, seed of machine-repair; A, K, seed of adaptive. ERROR_ARGUMENT: unknown parameter, or value out of range. */
vouch_status example_set(example *e, const char *name, double value, vouch_error *error);
vouch_status example_make(const example *e, vouch_model **model, vouch_error *error);

/* ---- summary after a solve (-v): shares of time, nodes, a hint; and the counters of --stats ---- */

/* A trace of counters and timers for --stats, or for -v on one thread; else, and if memory ran out, NULL. */
enum { HAPPENED_SHARED = 2 }; /* stands for several threads */
vouch_trace *summary_trace(int stats, int threads);

/* Prints on standard error: with --stats the counters as a line of JSON; with -v the summary. Frees the trace. */
void summary_plan(vouch_trace *trace, int stats, vouch_method method, const vouch_plan_result *result);

/* The same for CCIL; result NULL: none. */
void summary_ccil(vouch_trace *trace, int stats, vouch_method method, const vouch_ccil_result *result);

typedef struct solved_program {
    bool mip, limited; /* limited: it ended at a limit */
    double seconds;
} solved_program;

void summary_program(vouch_trace *trace, int stats, const solved_program *end);

/* ---- plan --max-commitment ---- */

/* Prints the largest probability for each environment alone, and for all at once with any policy and with this policy class; if p
 * is possible for each alone but not for all, a conflicting set; and the largest p in a form to paste. as_json: one object.
 * Returns CLI_SOLVED, or CLI_LIMIT if something is not proved. *bound (or NULL): upper bound for this policy class, NAN if
 * unknown. promise: as in explain_promises. */
int explain_print(const vouch_model *m, int promise, const vouch_plan_options *o, const deadline *limit, bool as_json,
                  double *bound);

/* ---- plan --frontier: the least maximum regret by the probability of a promise ---- */

typedef struct frontier_range {
    int promise; /* -1: the only one */
    int points;
} frontier_range;
/* Computes the least maximum regret for this number of probabilities from 0 to the largest possible one, adds points where the
 * bounds between points are widest, and prints a table or JSON, and a plot (NULL: none). */
int frontier_print(const vouch_model *m, const vouch_plan_options *o, const deadline *limit, const frontier_range *range,
                   bool as_json, const char *picture);

/* ---- vouch plan --policies ---- */

#define GROUP_PROMISE_WORDS "own|all" /* in the order of vouch_group_promises */

/* The least probability of a promise over the group's environments. */
double group_least_kept(const vouch_group *group);

#endif
