/* cli/completion.c - shell completion for bash, zsh and fish from the option tables.
 *
 * zsh uses the function of bash through bashcompinit; fish has a line for each option.
 */
#include "cli/cli.h"

static void print_names(const cli_option *o)
{
    for (; o->kind != CLI_END; o++) {
        if (o->letter) printf(" -%c", o->letter);
        if (o->name) printf(" --%s", o->name);
    }
}

/* case .. in) for options with a fixed set of values; options with files complete file names. In a list with commas the last word
 * is completed. */
static void print_values(const cli_option *o)
{
    for (; o->kind != CLI_END; o++) {
        if (o->kind == CLI_FLAG || o->kind == CLI_FILE || o->kind == CLI_OUTPUT) continue;
        printf("            ");
        if (o->letter) printf("-%c", o->letter);
        if (o->letter && o->name) putchar('|');
        if (o->name) printf("--%s", o->name);
        bool list = o->kind == CLI_TEXT && cli_words(o);
        printf(") COMPREPLY=($(compgen %s-W '", list ? "-P \"$head\" " : "");
        for (const char *w = cli_words(o) ? cli_words(o) : ""; *w; w++) putchar(*w == '|' ? ' ' : *w);
        printf("%s' -- \"%s\"));%s return ;;\n", o->begins ? o->begins : "", list ? "${word##*,}" : "$word",
               o->begins ? " compopt -o nospace 2> /dev/null;" : "");
    }
}

/* The fixed words among the operands: lower case, separated by bars. */
static void print_kinds(const char *operands)
{
    static const char small[] = "abcdefghijklmnopqrstuvwxyz-0123456789";
    for (size_t n; *operands; operands += n + (operands[n] != '\0')) {
        n = strcspn(operands, "|[] ");
        if (n > 0 && strspn(operands, small) == n) printf("%.*s ", (int)n, operands);
    }
}

static void print_bash(const cli_command *const commands[])
{
    printf("# bash completion for vouch; made by vouch --completion bash\n_vouch() {\n    local word=${COMP_WORDS[COMP_CWORD]} "
           "before=${COMP_WORDS[COMP_CWORD-1]} options= kinds= head= commands='");
    for (int i = 0; commands[i]; i++) printf("%s ", commands[i]->name);
    printf(
        "'\n    case $word in *,*) head=${word%%,*}, ;; esac\n"
        "    if [ \"$COMP_CWORD\" = 1 ]; then\n        mapfile -t COMPREPLY < <(compgen -W \"$commands help --help --version\" -f "
        "-- \"$word\")\n"
        "        return\n    fi\n    case ${COMP_WORDS[1]} in\n"
        "    help) COMPREPLY=($(compgen -W \"$commands\" -- \"$word\")); return ;;\n");
    for (int i = 0; commands[i]; i++) {
        printf("    %s)\n        options='", commands[i]->name);
        print_names(commands[i]->options);
        print_names(cli_common_options);
        printf("'\n        kinds='");
        print_kinds(commands[i]->operands);
        printf("'\n        case $before in\n");
        print_values(commands[i]->options);
        print_values(cli_common_options);
        printf("        esac ;;\n");
    }
    printf("    esac\n    case $word in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n    *) "
           "mapfile -t COMPREPLY < <(compgen -f -W \"$kinds\" -- \"$word\") ;;\n    esac\n}\n"
           "complete -o filenames -F _vouch vouch\n");
}

static void print_zsh(const cli_command *const commands[])
{
    printf("#compdef vouch\n# made by vouch --completion zsh\nautoload -U +X bashcompinit && bashcompinit\n");
    print_bash(commands);
}

/* In single quotes; first: only up to the first sentence or semicolon. */
static void print_quoted(const char *s, bool first)
{
    for (; *s && !(first && (*s == ';' || (*s == '.' && s[1] == ' '))); s++) {
        if (*s == '\'' || *s == '\\') putchar('\\');
        putchar(*s == '\n' ? ' ' : *s);
    }
}

static void print_fish_options(const char *command, const cli_option *o)
{
    for (; o->kind != CLI_END; o++) {
        bool takes = o->kind != CLI_FLAG && o->kind != CLI_MAYBE && o->kind != CLI_PAIR;
        printf("complete -c vouch -n '__fish_seen_subcommand_from %s'", command);
        if (o->letter) printf(" -s %c", o->letter);
        if (o->name) printf(" -l %s", o->name);
        if (takes) printf(o->kind == CLI_FILE || o->kind == CLI_OUTPUT ? " -r" : " -x");
        if (cli_words(o)) {
            printf(" -a '");
            for (const char *w = cli_words(o); *w; w++) putchar(*w == '|' ? ' ' : *w);
            printf("'");
        }
        if (o->help) {
            printf(" -d '");
            print_quoted(o->help, true);
            printf("'");
        }
        putchar('\n');
    }
}

static void print_fish(const cli_command *const commands[])
{
    printf("# fish completion for vouch; made by vouch --completion fish\n");
    for (int i = 0; commands[i]; i++) {
        printf("complete -c vouch -n __fish_use_subcommand -a %s -d '", commands[i]->name);
        print_quoted(commands[i]->summary, false);
        printf("'\n");
    }
    for (int i = 0; commands[i]; i++) {
        print_fish_options(commands[i]->name, commands[i]->options);
        print_fish_options(commands[i]->name, cli_common_options);
        const char *kinds = commands[i]->operands;
        if (!strpbrk(kinds, "abcdefghijklmnopqrstuvwxyz")) continue;
        printf("complete -c vouch -n '__fish_seen_subcommand_from %s' -a '", commands[i]->name);
        print_kinds(kinds);
        printf("'\n");
    }
}

int cli_completion(const cli_command *const commands[], const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(const cli_command *const commands[]);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shell ? shell : "bash", shells[i].name) == 0) {
            shells[i].print(commands);
            return CLI_SOLVED;
        }
    return cli_wrong("--completion: \"%s\" is not one of bash|zsh|fish", shell);
}
