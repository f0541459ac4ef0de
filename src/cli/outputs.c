/* cli/outputs.c - see outputs.h. */
#include "cli/outputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/drn_index.h"
#include "io/formats.h"
#include "io/output.h"
#include "io/temporary.h"
#include "link/group.h"

static const char *value_of(const cli_option *o, const void *args)
{
    return *(const char *const *)(const void *)((const char *)args + o->offset);
}

/* Does it go on with the file that is given? */
static bool is_journal(const cli_option *o)
{
    return o->name && (strcmp(o->name, "journal") == 0 || strcmp(o->name, "resume") == 0);
}

static bool is_written(const cli_option *o) { return o->kind == CLI_OUTPUT || is_journal(o); }

/* Is an operand a word of the command, a kind of example say, and no file? */
static bool is_word(const char *operand, const char *words)
{
    size_t n = strlen(operand);
    for (const char *at = words; n > 0 && (at = strstr(at, operand)); at++)
        if ((at == words || strchr("|[", at[-1])) && strchr("|]", at[n])) return true;
    return false;
}

/* The files that the command reads, with those that lie beside a model. */
static vouch_status gather_inputs(const cli_command *command, const void *args, char **operand, names *list, vouch_error *error)
{
    bool added = true;
    for (int i = 0; operand[i]; i++) {
        if (is_word(operand[i], command->operands)) continue;
        added = added && names_add(list, operand[i]) >= 0;
        vouch_status status = model_files(list, operand[i], error); /* what is wrong with it, its reader says */
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

/* A regular file, a directory or a FIFO; a terminal may be read and written. */
static bool is_file(const char *path, int standard, struct stat *about)
{
    bool there = strcmp(path, "-") == 0 ? fstat(standard, about) == 0 : stat(path, about) == 0;
    return there && (S_ISREG(about->st_mode) || S_ISDIR(about->st_mode) || S_ISFIFO(about->st_mode));
}

/* Would the output replace the input? Into a directory .drn files and their index are written. */
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

/* The input that the output would replace; NULL: none. */
static const char *replaced(const names *inputs, const char *output)
{
    for (int i = 0; i < inputs->count; i++)
        if (replaces(output, names_text(inputs, i))) return names_text(inputs, i);
    return NULL;
}

/* Endings that promise another content than what the option writes: pictures are SVG, policies are JSON. */
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

/* An output against the inputs and the outputs before it. */
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

int outputs_reserve(const cli_command *command, void *args, char **operand)
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
        if (given && strcmp(given, "-") != 0 && !group_is_worker() && output_reserve(given, &error)) code = cli_failed(&error);
    }
    names_free(&inputs);
    return code;
}
