/* cli/main.c - `vouch COMMAND ..`: picks the command. */
#include <fcntl.h>
#include <locale.h>
#include <unistd.h>

#include "cli/cli.h"

#define ADDRESS(name) &cli_##name,
static const cli_command *const commands[] = {CLI_COMMANDS(ADDRESS) NULL};
#undef ADDRESS
#define WORD(name) #name "|"
#ifdef VOUCH_DEBUG
#define CONTRACTS ", contracts checked"
#else
#define CONTRACTS ""
#endif

static void print_overview(void)
{
    printf("vouch %s - plans policies whose commitments hold in several possible environments\n\n", vouch_version());
    printf("Usage: vouch COMMAND [arguments] [options]\n\nCommands:\n");
    for (int i = 0; commands[i]; i++) printf("  %-12s  %s\n", commands[i]->name, commands[i]->summary);
    printf("\nvouch help COMMAND describes a command, vouch FILE recognises a file, vouch --version prints version and "
           "build,\nvouch --manual [COMMAND] prints a manual page, vouch --completion [bash|zsh|fish] a completion.\n\nExit "
           "status: 0 solved; 1 wrong input or command line; 2 proved infeasible or unbounded;\n3 a limit was reached; 4 numerical "
           "trouble; 130 interrupted.\n\nOn terminals verdicts (kept, proved) are coloured unless NO_COLOR is set.\n");
}

/* The manual page of a command; NULL: the overview; "list": the names of all commands, for make install. */
static int print_manual(const char *name)
{
    if (!name) {
        cli_manual_overview(commands);
        return CLI_SOLVED;
    }
    for (int i = 0; commands[i]; i++) {
        if (strcmp(name, "list") == 0)
            printf("%s\n", commands[i]->name);
        else if (strcmp(name, commands[i]->name) == 0)
            cli_manual(commands[i]);
    }
    return CLI_SOLVED;
}

static int no_command(const char *word)
{
    const char *near = nearest_word(word, CLI_COMMANDS(WORD) "help|--help|--version|--manual|--completion");
    if (!near && strchr(word, '.'))
        return cli_wrong("%s: there is neither a file nor a command of this name; vouch --help lists commands", word);
    static const char *const others[][2] = {{"check", "vouch-check MODEL PROOF checks a proof"},
                                            {"solve", "vouch plan MODEL plans"},
                                            {"run", "vouch plan MODEL plans"},
                                            {"train", "vouch plan MODEL plans"},
                                            {"optimize", "vouch plan MODEL plans"},
                                            {"learn", "vouch plan MODEL plans"},
                                            {"play", "vouch simulate MODEL POLICY plays"},
                                            {"render", "vouch show MODEL POLICY --svg draws"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(word, others[i][0]) == 0) return cli_wrong("there is no command \"%s\"; %s", word, others[i][1]);
    if (near) return cli_wrong("there is no command \"%s\"; did you mean \"%s\"? vouch --help lists them", word, near);
    return cli_wrong("there is no command \"%s\", and no file of this name; vouch --help lists commands", word);
}

static int print_help(const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (strcmp(name, commands[i]->name) == 0) {
            cli_help(commands[i]);
            return CLI_SOLVED;
        }
    return no_command(name);
}

/* A closed standard stream would lend its number to the next opened file, which would then receive the output. Opened in the wrong
 * mode, writing fails as on a closed one. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Version and build, for bug reports. */
static void print_version(void)
{
    printf("vouch %s (%s)\n", vouch_version(), vouch_blas());
#if defined __clang__
    printf("compiled by clang %s", __clang_version__);
#elif defined __GNUC__
    printf("compiled by gcc %s", __VERSION__);
#else
    printf("compiled by another compiler than gcc and clang");
#endif
    printf(" for %d-bit pointers%s; proofs of version 2; MIT licence\n", (int)(8 * sizeof(void *)), CONTRACTS);
}

static int run(int argc, char **argv)
{
    if (argc > 0 && lp_glpsol_is_name(argv[0])) return lp_glpsol_main(argc, argv);
    if (argc < 2) {
        print_overview();
        return CLI_WRONG;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        if (argc > 2) return print_help(argv[2]);
        print_overview();
        return CLI_SOLVED;
    }
    const char *last = argv[argc - 1];
    if (strcmp(argv[1], "-V") == 0 || (argc <= 3 && strcmp(last, "--version") == 0)) {
        print_version();
        return CLI_SOLVED;
    }
    if (strcmp(argv[1], "--manual") == 0) return print_manual(argv[2]);
    if (strcmp(argv[1], "--completion") == 0) return cli_completion(commands, argv[2]);
    for (int i = 0; commands[i]; i++)
        if (strcmp(argv[1], commands[i]->name) == 0) return cli_run(commands[i], argc - 1, argv + 1);
    if (strcmp(argv[1], "-") == 0 || access(argv[1], R_OK) == 0) {
        if (argc > 2) return cli_wrong("%s is a file; a command comes first, as in: vouch plan %s", argv[1], argv[1]);
        return about_file(argv[1]);
    }
    return no_command(argv[1]);
}

/* Does a group share the work of this command? */
static bool is_shared(int argc, char **argv)
{
    static const char *const shared[] = {"plan", "sweep", "ccil"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared && argc > 1; i++)
        if (strcmp(argv[1], shared[i]) == 0) return true;
    return false;
}

/* A worker of a group prints nothing and only runs shared commands. */
static void work(int argc, char **argv)
{
    int nowhere = open("/dev/null", O_RDWR);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && nowhere >= 0; fd++) (void)dup2(nowhere, fd);
    if (is_shared(argc, argv)) (void)run(argc, argv);
}

int main(int argc, char **argv)
{
    int code = CLI_SOLVED;
    hold_standard_streams();
    group_start(&argc, &argv);
    (void)setlocale(LC_ALL, "C"); /* unchanged, unless a loaded library has set the user's locale */
    if (is_shared(argc, argv)) spread_files();
    disk_keep();
    if (group_is_worker())
        work(argc, argv);
    else
        code = run(argc, argv);
    code = cli_finish(code);
    group_end();
    disk_forget();
    CHECK_COMPARE(mem_live(), ==, 0); /* no block of memory is left */
    return group_is_worker() ? CLI_SOLVED : code;
}
