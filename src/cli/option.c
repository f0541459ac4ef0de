/* cli/option.c - from a table of options and argv to a filled struct; see cli.h.
 *
 * getopt_long splits the words (abbreviated long names, options after operands, "--"). Messages and values are our own, since each
 * message names the option, the value and the expected values.
 */
#include <errno.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static const double LEAST_BYTES = 1 << 20;

/* If the memory limit was reached, prints its size. */
static void cli_tell_memory_limit(void)
{
    if (mem_limit_met() > 0)
        fprintf(stderr, "the limit is %.0f MB; --memory-limit SIZE sets another\n", 0x1p-20 * (double)mem_limited());
}

/* Limits the memory of the process. size: bytes, or a number with K, M, G or T (powers of 1024); "0": no limit; NULL: 3/4 of the
 * memory of the machine. Not 0 after a message. */
static int cli_limit_memory(const char *size)
{
    if (!size) return CLI_SOLVED;
    static const char units[] = "KMGT";
    char *end;
    double bytes = number_read(size, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (unit) bytes = ldexp(bytes, 10 * (int)(unit - units + 1));
    if (end == size || end[unit ? 1 : 0] != '\0' || !(bytes == 0 || (bytes >= LEAST_BYTES && bytes < 0x1p62)))
        return cli_wrong("--memory-limit: \"%s\" is not a size; expected 0 or at least 1M: bytes, or a number with K, M, G or T",
                         size);
    mem_limit((size_t)bytes);
    return CLI_SOLVED;
}

enum { SHOWN_MOST = 1024 };

const char *cli_shown(const char *name)
{
    enum { AT_ONCE = 8 };
    static char shown[AT_ONCE][SHOWN_MOST];
    static int next;
    char *out = shown[next++ % AT_ONCE];
    snprintf(out, SHOWN_MOST, "%s", name);
    plain_clean(out);
    return out;
}

const char *cli_verdict(int sign, const char *words)
{
    enum { AT_ONCE = 4, MOST = 128 };
    static const char *const colour[] = {"31", "33", "32"}; /* red, yellow, green */
    static char shown[AT_ONCE][MOST];
    static int next;
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if ((none && *none) || (terminal && strcmp(terminal, "dumb") == 0) || !isatty(STDOUT_FILENO)) return words;
    char *out = shown[next++ % AT_ONCE];
    snprintf(out, MOST, "\033[%sm%s\033[0m", colour[sign + 1], words);
    return out;
}

/* ---- option ---- */

enum { MOST_OPTIONS = 160, LONG_ONLY = 1000, MESSAGE_MOST = 4096 };
static const double LARGEST_WHOLE = 9.2e18; /* of CLI_LONG, a little less than 2^63 */

#define AT(field) offsetof(cli_common, field)
const cli_option cli_common_options[] = {
    {CLI_FLAG, 'h', "help", NULL, AT(help), .help = "print this help"},
    {CLI_FLAG, 0, "json", NULL, AT(json), .help = "print one JSON object, and nothing else, on standard output"},
    {CLI_SEED, 0, "seed", "N", AT(seed), "1", .help = "seed of the random numbers"},
    {CLI_INT, 0, "threads", "N", AT(threads), "1", 1, 1024, .help = "threads; answers do not depend on their number"},
    {CLI_REAL, 0, "time-limit", "SECONDS", AT(time_limit), "0", 0, 1e9,
     .help = "stop after SECONDS with the best solution found and a bound on the optimum; 0: no limit"},
    {CLI_TEXT, 0, "memory-limit", "SIZE", AT(memory_limit),
     .help = "stop likewise before using more memory than SIZE: bytes, or 500M, 2G; 0: no limit [3/4 of the memory of the machine "
             "or control group]"},
    {CLI_FLAG, 'q', "quiet", NULL, AT(quiet), .help = "no progress on standard error"},
    {CLI_FLAG, 'v', "verbose", NULL, AT(verbose), .help = "log on standard error; twice: in detail"},
    {0},
};
#undef AT

static uint64_t seed;       /* of the command line */
static const char *running; /* name of the command, for messages */
static bool complained;     /* an error was reported: the exit status is not 0 */
static bool told_memory;    /* that it is out */
static const char OUT_OF_MEMORY[] = "out of memory";

static void print_wrong(const char *format, va_list args)
{
    complained = true;
    report_clear();
    char line[MESSAGE_MOST];
    vsnprintf(line, sizeof line, format, args);
    plain_clean(line);
    if (strncmp(line, OUT_OF_MEMORY, sizeof OUT_OF_MEMORY - 1) == 0) told_memory = true;
    fprintf(stderr, running ? "vouch %s: " : "vouch: ", running);
    fprintf(stderr, "%s\n", line);
}

int cli_wrong(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_wrong(format, args);
    va_end(args);
    return CLI_WRONG;
}

int cli_failed(const vouch_error *error)
{
    complained = true;
    if (error->status == VOUCH_ERROR_MEMORY) told_memory = true;
    report_clear();
    const char *what = error->text[0] ? error->text : vouch_status_text(error->status);
    fprintf(stderr, "%s\n", what);
    if (report_copied()) fprintf(report_copied(), "%s\n", what);
    return error->status == VOUCH_ERROR_MEMORY || error->status == VOUCH_ERROR_SIZE ? CLI_LIMIT : CLI_WRONG;
}

void cli_print(text *t)
{
    if (t->failed)
        cli_wrong("out of memory");
    else if (t->data)
        fputs(t->data, stdout);
    text_free(t);
}

int cli_finish(int code)
{
    bool bad = fflush(stdout) != 0;
    int why = errno;
    bad = ferror(stdout) || bad;
    if (!bad && fclose(stdout) != 0) {
        bad = true;
        why = errno;
    }
    if (bad) cli_wrong("standard output: cannot write: %s", why ? system_text(why) : "an earlier write failed");
    if (!bad && code != CLI_INTERRUPTED && (told_memory || mem_failures() > 0)) {
        if (!told_memory) cli_wrong("%s: the output may be incomplete", OUT_OF_MEMORY);
        cli_tell_memory_limit();
        return CLI_LIMIT;
    }
    return bad || (code == CLI_SOLVED && complained) ? CLI_WRONG : code;
}

static const cli_option *on_line[MOST_OPTIONS]; /* on the command line, at least once */
static bool by_letter[MOST_OPTIONS];            /* was it last typed as its letter? */
static int on_line_count;

/* The place of the option in on_line; -1: not typed. */
static int find_on_line(const cli_option *o)
{
    for (int i = 0; i < on_line_count; i++)
        if (on_line[i] == o) return i;
    return -1;
}

static void note_typed(const cli_option *o, bool letter)
{
    int at = find_on_line(o);
    if (at < 0) on_line[at = on_line_count++] = o;
    by_letter[at] = letter;
}

/* The place of a word in "one|another"; -1: it is none of them. */
static int position(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (int i = 0;; i++) {
        size_t here = strcspn(words, "|");
        if (here == n && strncmp(words, word, n) == 0) return i;
        if (!words[here]) return -1;
        words += here + 1;
    }
}

static bool is_one_of(const cli_option *o, const char *list)
{
    return o->name ? position(list, o->name) >= 0 : o->letter == list[0] && !list[1];
}

bool cli_given(const char *name)
{
    for (int i = 0; i < on_line_count; i++)
        if (is_one_of(on_line[i], name)) return true;
    return false;
}

uint64_t cli_seed(void) { return seed; }

/* As it was typed, or by its long name. */
static const char *cli_option_name(const cli_option *o, char out[64])
{
    int at = find_on_line(o);
    if (o->name && (at < 0 || !by_letter[at]))
        snprintf(out, 64, "--%s", o->name);
    else
        snprintf(out, 64, "-%c", o->letter);
    return out;
}

void cli_refuse_idle(const cli_need need[], size_t count)
{
    char name[64];
    for (size_t i = 0; i < count; i++)
        for (int o = 0; !need[i].used && o < on_line_count; o++)
            if (is_one_of(on_line[o], need[i].names))
                cli_die("%s has no effect %s%s", cli_option_name(on_line[o], name),
                        strncmp(need[i].needs, "beside ", 7) == 0 ? "" : "without ", need[i].needs);
}

static bool in_range(const cli_option *o, double x) { return (o->least == 0 && o->most == 0) || (x >= o->least && x <= o->most); }

/* "between 0 and 1", "at least 1", or "" */
static const char *range_text(const cli_option *o, char out[96])
{
    bool any = o->least == 0 && o->most == 0;
    out[0] = '\0';
    if (!any && o->most >= INT_MAX)
        snprintf(out, 96, " of at least %.10g", o->least);
    else if (!any)
        snprintf(out, 96, " between %.10g and %.10g", o->least, o->most);
    return out;
}

const char *cli_words(const cli_option *o) { return o->list ? o->list() : o->words; }

enum { LONGEST_OPTION = 64 };

static const cli_option *named(const char *name, size_t length, const cli_option *const all[], int count)
{
    for (int i = 0; i < count; i++)
        if (all[i]->name && strlen(all[i]->name) == length && strncmp(all[i]->name, name, length) == 0) return all[i];
    return NULL;
}

/* The likely meaning of --L, -l or --lokahead; "": none. */
static void find_meant(const char *name, const cli_option *const all[], int count, char meant[LONGEST_OPTION])
{
    const char *word = name + strspn(name, "-");
    text words = {0};
    meant[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (!all[i]->help) continue;
        if (all[i]->name) text_add(&words, "--%s|", all[i]->name);
        bool same = all[i]->letter == word[0];
        if (word[0] && !word[1] && (same || (!meant[0] && ascii_lower(all[i]->letter) == ascii_lower(word[0]))))
            snprintf(meant, LONGEST_OPTION, "-%c", all[i]->letter);
    }
    const char *near = name[1] == '-' && !meant[0] && words.data && !words.failed ? nearest_word(name, words.data) : NULL;
    if (near) snprintf(meant, LONGEST_OPTION, "%s", near);
    text_free(&words);
}

#define WRITES       "-o POLICY.json writes the policy"
#define NAMELESS     "the model is given without an option: vouch plan MODEL"
#define UNDISCOUNTED "without a discount factor, plans are for the horizon -T"

/* What stands here for an option of PRISM, Storm or Gymnasium, after two dashes; NULL: it is none of them. */
static const char *elsewhere(const char *name)
{
    static const char *const is[][2] = {{"--maximise", "rewards are maximised unless --minimise is given"},
                                        {"--maximize", "rewards are maximised unless --minimise is given"},
                                        {"--exportstrat", WRITES},
                                        {"--exportadv", WRITES},
                                        {"--exportadvmdp", WRITES},
                                        {"--exportscheduler", WRITES},
                                        {"--timeout", "--time-limit SECONDS stops a search"},
                                        {"--maxiters", "--time-limit SECONDS and --node-limit N stop a search"},
                                        {"--sparse", "there is one engine for models; no option is needed"},
                                        {"--hybrid", "there is one engine for models; no option is needed"},
                                        {"--mtbdd", "there is one engine for models; no option is needed"},
                                        {"--explicit", "FILE.tra is recognised by its ending: vouch plan FILE.tra"},
                                        {"--prism", NAMELESS},
                                        {"--jani", NAMELESS},
                                        {"--env", NAMELESS},
                                        {"--properties", "--prop FILE reads properties"},
                                        {"--property", "--prop FILE reads properties"},
                                        {"--pf", "--prop FILE reads properties"},
                                        {"--prop", "--prop FILE reads properties"},
                                        {"--pctl", "--prop FILE reads properties"},
                                        {"--epsilon", "--gap G sets the accuracy"},
                                        {"--precision", "--gap G sets the accuracy"},
                                        {"--render", "vouch show MODEL POLICY --svg draws a policy"},
                                        {"--episodes", "vouch simulate MODEL POLICY --episodes N plays a policy"},
                                        {"--model", NAMELESS},
                                        {"--policy", "vouch evaluate, simulate and show read one: MODEL POLICY"},
                                        {"--gamma", UNDISCOUNTED},
                                        {"--discount", UNDISCOUNTED}};
    for (size_t i = 0; i < sizeof is / sizeof *is; i++)
        if (strcmp(is[i][0], name) == 0) return is[i][1];
    return NULL;
}

/* Appends the fault of the option before argv[optind] that getopt_long refused: a missing value, or an unknown option with the
 * nearest one. all: [count] options. */
static void mistyped_option(bool valueless, char **argv, const cli_option *const all[], int count, text *said)
{
    const char *given = argv[optind > 1 ? optind - 1 : 1];
    bool is_long = given[0] == '-' && given[1] == '-';
    char letter[3] = {'-', (char)optopt, '\0'}, name[LONGEST_OPTION], meant[LONGEST_OPTION], dashed[LONGEST_OPTION];
    const char *what = !is_long && optopt > 0 && optopt <= CHAR_MAX ? letter : given;
    if (valueless) {
        text_add(said, "%s: a value is missing", what);
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(what, "="), what);
    if (is_long && named(name + 2, strlen(name + 2), all, count)) {
        text_add(said, "%s takes no value", name);
        return;
    }
    const char *cluster = is_long || !argv[optind] || argv[optind][0] != '-' ? "-" : argv[optind]; /* that contains this letter */
    const cli_option *spelled = cluster[1] ? named(cluster + 1, strcspn(cluster + 1, "="), all, count) : NULL;
    if (spelled)
        snprintf(meant, sizeof meant, "--%s", spelled->name);
    else
        find_meant(name, all, count, meant);
    snprintf(dashed, sizeof dashed, "-%.*s", (int)strcspn(cluster, "="), cluster);
    const char *instead = spelled ? NULL : elsewhere(is_long ? name : dashed);
    text_add(said, "unknown option %.80s", spelled || (instead && !is_long) ? cluster : name);
    if (instead) text_add(said, "; %s", instead);
    if (meant[0] && !instead) text_add(said, "; did you mean %s?", meant);
}

/* Is a word like -L2 a misspelt -name or -L=2 instead of an option with its value? Appends the likely meaning. */
static bool mistyped_letter(const char *word, const cli_option *o, const cli_option *const all[], int count, text *said)
{
    if (word[0] != '-' || word[1] == '-' || word[1] != o->letter) return false;
    size_t length = strcspn(word + 1, "=");
    const cli_option *meant = length > 2 ? named(word + 1, length, all, count) : NULL;
    char dashed[LONGEST_OPTION];
    snprintf(dashed, sizeof dashed, "-%.*s", (int)length + 1, word);
    const char *instead = elsewhere(dashed);
    if (length == 1 && word[2] == '=')
        text_add(said, "%s: the value of a short option follows without =, as in -%c %s", word, o->letter, word + 3);
    else if (meant)
        text_add(said, "unknown option -%s; did you mean --%s?", meant->name, meant->name);
    else if (instead)
        text_add(said, "unknown option %.80s; %s", word, instead);
    return said->data != NULL;
}

/* ---- outputs against inputs ---- */

static const char *value_of(const cli_option *o, const void *args)
{
    return *(const char *const *)(const void *)((const char *)args + o->offset);
}

/* Does the option resume a given file? */
static bool is_journal(const cli_option *o)
{
    return o->name && (strcmp(o->name, "journal") == 0 || strcmp(o->name, "resume") == 0);
}

static bool is_written(const cli_option *o) { return o->kind == CLI_OUTPUT || is_journal(o); }

/* Is an operand a word of the command, such as a kind of example, instead of a file? */
static bool is_word(const char *operand, const char *words)
{
    size_t n = strlen(operand);
    for (const char *at = words; n > 0 && (at = strstr(at, operand)); at++)
        if ((at == words || strchr("|[", at[-1])) && strchr("|]", at[n])) return true;
    return false;
}

/* The input files of the command, with the files beside a model. */
static vouch_status gather_inputs(const cli_command *command, const void *args, char **operand, names *list, vouch_error *error)
{
    bool added = true;
    for (int i = 0; operand[i]; i++) {
        if (is_word(operand[i], command->operands)) continue;
        added = added && names_add(list, operand[i]) >= 0;
        vouch_status status = model_files(list, operand[i], error); /* other errors are reported by its reader */
        added = added && status != VOUCH_ERROR_MEMORY;
    }
    for (const cli_option *o = command->options; o->kind != CLI_END; o++) {
        if (o->kind == CLI_FILE && value_of(o, args)) added = added && names_add(list, value_of(o, args)) >= 0;
        if (o->kind != CLI_LIST || !o->argument || strcmp(o->argument, "FILE") != 0) continue;
        const cli_list *given = (const void *)((const char *)args + o->offset);
        for (size_t k = 0; k < given->count; k++) added = added && names_add(list, given->item[k]) >= 0;
    }
    return added ? VOUCH_OK : error_memory(error);
}

/* A regular file, a directory or a FIFO; a terminal may be both input and output. */
static bool is_file(const char *path, int standard, struct stat *about)
{
    bool there = strcmp(path, "-") == 0 ? fstat(standard, about) == 0 : stat(path, about) == 0;
    return there && (S_ISREG(about->st_mode) || S_ISDIR(about->st_mode) || S_ISFIFO(about->st_mode));
}

/* Would the output replace the input? A directory receives .drn files and their index. */
static bool replaces(const char *output, const char *input)
{
    struct stat to, from;
    if (!is_file(output, STDOUT_FILENO, &to) || !is_file(input, STDIN_FILENO, &from)) return false;
    if (S_ISDIR(to.st_mode) && !S_ISDIR(from.st_mode) && (path_ends_in(input, ".drn") || drn_index_is(input))) {
        char *folder = temporary_beside(input, ".");
        bool known = folder && stat(folder, &from) == 0;
        mem_free(folder);
        if (!known) return false;
    }
    return to.st_dev == from.st_dev && to.st_ino == from.st_ino;
}

/* The input that this output would replace; NULL: none. */
static const char *replaced(const names *inputs, const char *output)
{
    for (int i = 0; i < inputs->count; i++)
        if (replaces(output, names_text(inputs, i))) return names_text(inputs, i);
    return NULL;
}

/* Refuses suffixes of other formats: pictures are SVG, policies are JSON. */
static int refuse_ending(const cli_option *o, const char *given)
{
    static const char strange[] = "|png|jpg|jpeg|gif|pdf|eps|xlsx|tex|svg|html|csv|prism|nm|pm|jani|drn|mps|lp|tra|";
    const char *own = o->argument ? strrchr(o->argument, '.') : NULL, *is = strrchr(given, '.');
    char name[64], bars[16];
    if (!own || !is || strchr(is, '/') || strlen(is) + 2 > sizeof bars || strcmp(own, is) == 0) return 0;
    snprintf(bars, sizeof bars, "|%s|", is + 1);
    if (!strstr(strange, bars)) return 0;
    return cli_wrong("%s: %s: the output is not %s; give a name that ends in %s", cli_option_name(o, name), given, is, own);
}

/* Compares an output with the inputs and the earlier outputs. */
static int check(const cli_command *command, const void *args, const cli_option *o, const names *inputs)
{
    char name[64];
    const char *given = value_of(o, args), *input = replaced(inputs, given);
    if (input && strcmp(input, given) == 0)
        return cli_wrong("%s: output %s is an input of this command", cli_option_name(o, name), cli_shown(given));
    if (input)
        return cli_wrong("%s: output %s is an input of this command (%s)", cli_option_name(o, name), cli_shown(given),
                         cli_shown(input));
    for (const cli_option *other = command->options; other < o; other++)
        if (is_written(other) && value_of(other, args) && !(is_journal(o) && is_journal(other)) && strcmp(given, "-") != 0 &&
            output_same(given, value_of(other, args)))
            return cli_wrong("%s: %s is already another output; give each file its own name", cli_option_name(o, name), given);
    return o->kind == CLI_OUTPUT ? refuse_ending(o, given) : 0;
}

/* Checks the outputs of the command (io/output.h) before the work begins. An output must not be an input or another output (same
 * device and inode), except a resumed journal or table. 0, or the exit status after a message; then no file has been opened for
 * writing. */
static int outputs_check(const cli_command *command, void *args, char **operand)
{
    names inputs = {0};
    vouch_error error = {0};
    int code = gather_inputs(command, args, operand, &inputs, &error) == VOUCH_ERROR_MEMORY ? cli_failed(&error) : 0;
    const char *own = code || group_is_worker() ? NULL : replaced(&inputs, "-");
    if (own) code = cli_wrong("standard output is an input of this command (%s)", cli_shown(own));
    for (const cli_option *o = command->options; o->kind != CLI_END && !code; o++) {
        const char **field = (const char **)(void *)((char *)args + o->offset);
        if (!is_written(o) || !*field) continue;
        if (group_is_worker()) /* the first process writes */
            *field = o->kind == CLI_OUTPUT ? "/dev/null" : *field;
        else
            code = check(command, args, o, &inputs);
    }
    for (const cli_option *o = command->options; o->kind != CLI_END && !code; o++) {
        const char *given = o->kind == CLI_OUTPUT ? value_of(o, args) : NULL;
        if (given && strcmp(given, "-") != 0 && !group_is_worker() && output_check(given, &error)) code = cli_failed(&error);
    }
    names_free(&inputs);
    return code;
}

static int store_number(const cli_option *o, void *field, const char *value)
{
    char name[64], range[96], *end = NULL;
    errno = 0;
    switch (o->kind) {
    case CLI_REAL: {
        double x = number_read(value, &end);
        if (end == value || *end || isnan(x) || !in_range(o, x))
            return cli_wrong("%s: \"%s\" is not a number%s", cli_option_name(o, name), value, range_text(o, range));
        *(double *)field = x;
        return 0;
    }
    case CLI_SEED: {
        unsigned long long x = strtoull(value, &end, 10);
        if (end == value || *end || errno || strchr(value, '-'))
            return cli_wrong("%s: \"%s\" is not a whole number from 0 to 2^64 - 1", cli_option_name(o, name), value);
        *(uint64_t *)field = x;
        return 0;
    }
    default: {
        long long x = strtoll(value, &end, 10);
        bool fits = o->kind == CLI_LONG || (x >= INT_MIN && x <= INT_MAX), whole = end != value && !*end;
        if (whole && (errno || !fits || (!in_range(o, (double)x) && (double)x > o->least)))
            return cli_wrong("%s: %s is too %s; expected a whole number between %.0f and %.0f", cli_option_name(o, name), value,
                             value[0] == '-' ? "small" : "large", o->least,
                             fmin(o->most, o->kind == CLI_LONG ? LARGEST_WHOLE : INT_MAX));
        if (!whole || !in_range(o, (double)x))
            return cli_wrong("%s: \"%s\" is not a whole number%s", cli_option_name(o, name), value, range_text(o, range));
        if (o->kind == CLI_INT)
            *(int *)field = (int)x;
        else
            *(long long *)field = x;
        return 0;
    }
    }
}

/* Stores one value, or reports the expected ones. */
static int store(const cli_option *o, void *args, const char *value)
{
    char name[64];
    void *field = (char *)args + o->offset;
    switch (o->kind) {
    case CLI_END:
        break;
    case CLI_FLAG:
        ++*(int *)field;
        break;
    case CLI_INT:
    case CLI_LONG:
    case CLI_REAL:
    case CLI_SEED:
        return store_number(o, field, value);
    case CLI_PAIR:
        *(const char **)field = value ? value : o->fallback;
        break;
    case CLI_TEXT:
    case CLI_MAYBE:
    case CLI_FILE:
    case CLI_OUTPUT:
        *(const char **)field = value;
        break;
    case CLI_WORD: {
        int at = position(cli_words(o), value);
        const char *near = at < 0 ? nearest_word(value, cli_words(o)) : NULL;
        if (near)
            return cli_wrong("%s: \"%s\" is not one of %s; did you mean %s?", cli_option_name(o, name), value, cli_words(o), near);
        if (at < 0) return cli_wrong("%s: \"%s\" is not one of %s", cli_option_name(o, name), value, cli_words(o));
        *(int *)field = at;
        break;
    }
    case CLI_LIST: {
        cli_list *list = field;
        if (mem_reserve((void **)&list->item, &list->capacity, list->count, sizeof *list->item)) {
            cli_wrong("out of memory");
            return CLI_LIMIT;
        }
        list->item[list->count++] = value;
        break;
    }
    }
    return 0;
}

static void set_default(const cli_option *o, void *args)
{
    void *field = (char *)args + o->offset;
    if (o->fallback && o->kind != CLI_PAIR)
        (void)store(o, args, o->fallback);
    else if (o->kind == CLI_REAL)
        *(double *)field = NAN;
}

/* Both tables behind each other. */
static int gather(const cli_command *command, const cli_option *all[MOST_OPTIONS])
{
    int count = 0;
    for (const cli_option *o = command->options; o->kind != CLI_END && count < MOST_OPTIONS; o++) all[count++] = o;
    for (const cli_option *o = cli_common_options; o->kind != CLI_END && count < MOST_OPTIONS; o++) all[count++] = o;
    return count;
}

static int refuse(text *said)
{
    cli_wrong("%s%svouch %s --help lists the options", said->data ? said->data : OUT_OF_MEMORY,
              said->length && said->data[said->length - 1] == '?' ? " " : "; ", running);
    text_free(said);
    return CLI_WRONG;
}

/* Is this a pair of names "x,y" and not a file? */
static bool is_pair(const char *word)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    size_t n = strspn(word, letters), m = word[n] == ',' ? strspn(word + n + 1, letters) : 0;
    if (n == 0 || m == 0 || word[n + 1 + m]) return false;
    return disk_kind_of(word) == DISK_NOTHING;
}

/* The word after an option with an optional value. */
typedef struct loose_value {
    const cli_option *option;
    const char *word;
} loose_value;

/* The word is the option's value if there is one operand too many. */
static int take_loose(const cli_command *command, void *args, const loose_value *loose, int argc, char **argv)
{
    if (!loose->option || argc - optind <= command->least_operands + command->more_operands) return 0;
    for (int i = optind; i < argc; i++) {
        if (argv[i] != loose->word) continue;
        for (; i > optind; i--) argv[i] = argv[i - 1];
        optind++;
        return store(loose->option, args, loose->word);
    }
    return 0;
}

/* Nothing but digits? */
static bool is_count(const char *s) { return *s && s[strspn(s, "0123456789")] == '\0'; }

static int parse(const cli_command *command, void *args, int argc, char **argv)
{
    const cli_option *all[MOST_OPTIONS];
    struct option longs[MOST_OPTIONS + 1] = {{0}};
    char shorts[2 * MOST_OPTIONS + 2] = ":";
    int count = gather(command, all), named = 0;
    size_t s = 1;
    for (int i = 0; i < count; i++) {
        set_default(all[i], args);
        bool maybe = all[i]->kind == CLI_PAIR || all[i]->kind == CLI_MAYBE,
             takes = all[i]->kind != CLI_FLAG && all[i]->kind != CLI_MAYBE;
        int argument = maybe ? optional_argument : takes ? required_argument : no_argument;
        if (all[i]->name) longs[named++] = (struct option){all[i]->name, argument, NULL, LONG_ONLY + i};
        if (all[i]->letter) {
            shorts[s++] = all[i]->letter;
            if (takes) shorts[s++] = ':';
        }
    }
    shorts[s] = '\0';
    opterr = 0;
    loose_value loose = {0};
    text said = {0};
    for (;;) {
        int code = getopt_long(argc, argv, shorts, longs, NULL);
        if (code == -1) return take_loose(command, args, &loose, argc, argv);
        if (code == '?' || code == ':') mistyped_option(code == ':', argv, all, count, &said);
        if (code == '?' || code == ':') return refuse(&said);
        int i = code >= LONG_ONLY ? code - LONG_ONLY : 0;
        if (code < LONG_ONLY)
            while (all[i]->letter != code) i++;
        note_typed(all[i], code < LONG_ONLY);
        bool alone = all[i]->kind == CLI_MAYBE && !optarg;
        if (alone && optind < argc && argv[optind][0] != '-') loose = (loose_value){all[i], argv[optind]};
        bool next = !optarg && optind < argc;
        bool apart =
            next && (all[i]->kind == CLI_PAIR ? is_pair(argv[optind]) : alone && all[i]->most > 0 && is_count(argv[optind]));
        if (apart) loose = (loose_value){0};
        if (code < LONG_ONLY && optarg && mistyped_letter(argv[optind - 1], all[i], all, count, &said)) return refuse(&said);
        int bad = store(all[i], args, apart ? argv[optind++] : alone ? "" : optarg);
        if (bad) return bad;
    }
}

/* ---- the way out ---- */

static vouch_error lost; /* out of memory in an escape */
static escape command_memory = {.error = &lost};
static int exit_code;

void cli_exit(int code)
{
    exit_code = code;
    escape_by(&command_memory, VOUCH_ERROR_ARGUMENT);
}

void cli_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_wrong(format, args);
    va_end(args);
    cli_exit(CLI_WRONG);
}

void cli_fail(const vouch_error *error) { cli_exit(cli_failed(error)); }

vouch_error cli_error;

void cli_try(vouch_status status)
{
    if (status && !cli_error.text[0]) cli_error.status = status;
    if (status) cli_fail(&cli_error);
    cli_error.text[0] = '\0';
}

void cli_check(int code)
{
    if (code) cli_exit(code);
}

static void free_model(void *model) { vouch_model_free(model); }
static void free_policy(void *policy) { vouch_policy_free(policy); }
void cli_own(void (*release)(void *object), void *object) { escape_keep(&command_memory, release, object); }
void cli_own_model(vouch_model *model) { cli_own(free_model, model); }
void cli_own_policy(vouch_policy *policy) { cli_own(free_policy, policy); }
void cli_own_block(void *block) { escape_own(&command_memory, block); }
void *cli_new(size_t count, size_t size) { return escape_zero(&command_memory, count, size); }
text *cli_text(void) { return escape_text(&command_memory); }
char *cli_string(text *t) { return escape_take(&command_memory, t); }

typedef struct command_call {
    const cli_command *command;
    void *args;
    char **operand;
    int code;
} command_call;

static void call(void *object)
{
    enum { OBJECTS = 8 }; /* that a command holds at once */
    command_call *c = object;
    escape_reserve(&command_memory, OBJECTS);
    c->code = c->command->run(c->args, c->operand);
}

static int run_command(const cli_command *command, void *args, char **operand)
{
    command_call c = {command, args, operand, CLI_SOLVED};
    vouch_status status = escape_try(&command_memory, call, &c);
    int code = !status ? c.code : status == VOUCH_ERROR_MEMORY ? cli_failed(&lost) : exit_code;
    escape_end(&command_memory);
    return code;
}

static void free_lists(const cli_command *command, void *args)
{
    for (const cli_option *o = command->options; o->kind != CLI_END; o++)
        if (o->kind == CLI_LIST) mem_free(((cli_list *)(void *)((char *)args + o->offset))->item);
}

int cli_run(const cli_command *command, int argc, char **argv)
{
    running = command->name;
    void *args = mem_zero(1, command->size);
    if (!args) {
        cli_wrong("out of memory");
        return CLI_LIMIT;
    }
    const cli_common *common = args;
    int code = parse(command, args, argc, argv);
    seed = common->seed;
    int operands = argc - optind;
    if (code == 0 && common->help) {
        cli_help(command);
    } else if (code == 0 && (operands < command->least_operands || operands > command->least_operands + command->more_operands)) {
        code = cli_wrong("%s: expected %s; see vouch %s --help",
                         operands < command->least_operands ? "something is missing" : "too many arguments",
                         command->operands[0] ? command->operands : "no argument", command->name);
    } else if (code == 0) {
        report_start(common);
        code = outputs_check(command, args, argv + optind);
        if (!code) code = cli_limit_memory(common->memory_limit);
        if (!code) code = run_command(command, args, argv + optind);
        report_clear();
        if (code == CLI_WRONG && report_interrupted()) code = CLI_INTERRUPTED; /* a file could not be read completely */
    }
    free_lists(command, args);
    mem_free(args);
    return code;
}
