/* cli/lp_glpsol.c - vouch lp in the role of glpsol; see lp.h. */
#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/lp.h"
#include "io/output.h"

/* ---- switches ------------------------------------------------------------------------------------------------------ */

int lp_glpsol_refuse(void)
{
    static const struct {
        const char *name, *does;
    } refused[] = {
#define FLAG(name, does)                 {#name, does},
#define VALUE(letter, name, value, does) {#name, does},
        LP_GLPSOL_REFUSED(FLAG) LP_GLPSOL_REFUSED_VALUE(VALUE)
#undef FLAG
#undef VALUE
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (cli_given(refused[k].name)) return cli_wrong("--%s makes glpsol %s", refused[k].name, refused[k].does);
    return 0;
}

/* ---- MathProg ------------------------------------------------------------------------------------------------------ */

/* Set while a translator runs, so that a script named glpsol that calls vouch does not recurse. */
static const char translating[] = "VOUCH_TRANSLATES";

/* The first glpsol in PATH that is not this program; false: none. */
static bool find_glpsol(char out[], size_t size)
{
    struct stat own, other;
    const char *at = getenv("PATH");
    bool known = stat("/proc/self/exe", &own) == 0;
    for (; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        int n = (int)strcspn(at, ":");
        if (n == 0 || (size_t)snprintf(out, size, "%.*s/glpsol", n, at) >= size) continue;
        bool there = stat(out, &other) == 0 && S_ISREG(other.st_mode) && access(out, X_OK) == 0;
        if (there && !(known && own.st_dev == other.st_dev && own.st_ino == other.st_ino)) return true;
    }
    return false;
}

/* Runs glpsol with these arguments, up to a NULL; its output goes to *said. */
static bool run_glpsol(const char *program, const char *const arguments[], text *said)
{
    int ends[2], state = -1;
    if (pipe(ends) != 0) return false;
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)setenv(translating, "1", 1);
        (void)execv(program, (char *const *)arguments);
        _exit(127);
    }
    (void)close(ends[1]);
    char piece[4096];
    for (ssize_t n = 1; child > 0 && n > 0;) {
        n = read(ends[0], piece, sizeof piece - 1);
        if (n > 0) piece[n] = '\0', text_add(said, "%s", piece);
        if (n < 0 && errno == EINTR) n = 1;
    }
    (void)close(ends[0]);
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    return child > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

vouch_status lp_glpsol_temporary(int *slot, vouch_error *error)
{
    char beside[1024];
    const char *folder = getenv("TMPDIR");
    snprintf(beside, sizeof beside, "%.900s/program.glp", folder && *folder ? folder : "/tmp");
    if (temporary_make(beside, false, slot) < 0) return error_system(error, errno, "%.300s: no temporary file", beside);
    return VOUCH_OK;
}

enum { MORE_MOST = 6 };

/* A call of glpsol. */
typedef struct glpsol_call {
    const char **arguments; /* owned, as are the files */
    lent *file;
    size_t files;
} glpsol_call;

static void call_free(glpsol_call *c)
{
    for (size_t i = 0; i < c->files; i++) file_lend_end(&c->file[i]);
    mem_free(c->file);
    mem_free(c->arguments);
}

/* Arguments for the model and its data, then `more` up to a NULL. call_free in every case. */
static vouch_status call_new(glpsol_call *c, const lp_model *model, const char *const more[], vouch_error *error)
{
    size_t data = model->data->count, at = 1;
    *c = (glpsol_call){MEM_NEW(const char *, 3 + 2 * data + MORE_MOST), MEM_ZERO(lent, data + 1), 0};
    if (!c->arguments || !c->file) return error_memory(error);
    c->arguments[0] = "glpsol";
    for (size_t k = 0; k <= data; k++) {
        c->arguments[at++] = k ? "-d" : "-m";
        c->arguments[at] = file_lend(&c->file[k], k ? model->data->item[k - 1] : model->path, error);
        if (!c->arguments[at++]) return error->status;
        c->files++;
    }
    do {
        c->arguments[at++] = *more;
    } while (*more++);
    return VOUCH_OK;
}

vouch_status lp_glpsol_translate(const lp_model *model, const vouch_log *log, vouch_lp **lp, vouch_error *error)
{
    char program[1024];
    const char *path = model->path;
    int slot = -1;
    text said = {0};
    *lp = NULL;
    if (getenv(translating) || !find_glpsol(program, sizeof program))
        return error_set(error, VOUCH_ERROR_INPUT, "%.300s: MathProg is translated by GLPK's glpsol, which is not installed", path);
    vouch_status status = lp_glpsol_temporary(&slot, error);
    if (status) return status;
    const char *const more[] = {"--check", "--wglp", temporary_name(slot), NULL};
    glpsol_call call;
    status = call_new(&call, model, more, error);
    if (!status && run_glpsol(program, call.arguments, &said))
        status = vouch_lp_read(lp, temporary_name(slot), VOUCH_FORMAT_GLP, log, error);
    else if (!status)
        status =
            error_set(error, VOUCH_ERROR_INPUT, "%.300s: glpsol has not translated it:\n%.600s", path, said.data ? said.data : "");
    temporary_remove(&slot);
    call_free(&call);
    text_free(&said);
    return status;
}

bool lp_glpsol_shows(const char *path)
{
    static const char *const words[] = {"display", "printf", "table"};
    char *bytes = NULL;
    size_t length;
    bool has = false;
    if (file_read(path, FILE_CAP, &bytes, &length, NULL) != VOUCH_OK) return false;
    for (size_t at = 0; at < length && !has; at++)
        for (size_t k = 0; k < sizeof words / sizeof *words && !has; k++) {
            size_t n = strlen(words[k]);
            has = length - at >= n && memcmp(bytes + at, words[k], n) == 0;
        }
    mem_free(bytes);
    return has;
}

vouch_status lp_glpsol_show(const lp_model *model, const char *solution, bool relaxed, text *out, vouch_error *error)
{
    char program[1024], *bytes = NULL;
    size_t length;
    int slot = -1;
    text said = {0};
    if (!find_glpsol(program, sizeof program)) return VOUCH_OK;
    vouch_status status = lp_glpsol_temporary(&slot, error);
    if (status) return status;
    const char *const more[] = {"-r", solution, "-y", temporary_name(slot), relaxed ? "--nomip" : NULL, NULL};
    glpsol_call call;
    status = call_new(&call, model, more, error);
    bool ready = !status, done = ready && run_glpsol(program, call.arguments, &said);
    if (ready) status = file_read(temporary_name(slot), FILE_CAP, &bytes, &length, error);
    if (!status) text_add_bytes(out, bytes, length);
    if (!done && ready)
        status = error_set(error, VOUCH_ERROR_INPUT, "%.300s: glpsol has not run the statements after solve:\n%.600s", model->path,
                           said.data ? said.data : "");
    call_free(&call);
    mem_free(bytes);
    temporary_remove(&slot);
    text_free(&said);
    return status;
}

/* ---- the role ------------------------------------------------------------------------------------------------------ */

static bool role;

bool lp_glpsol_role(void) { return role; }

int lp_glpsol_code(int code)
{
    switch (code) {
    case CLI_SOLVED:
    case CLI_INFEASIBLE:
    case CLI_LIMIT:
        return CLI_SOLVED;
    case CLI_INTERRUPTED:
        return code;
    default:
        return CLI_WRONG;
    }
}

glpk_state lp_glpsol_state(glpk_state state, bool mip)
{
    bool none = state == GLPK_INFEASIBLE || state == GLPK_UNBOUNDED;
    return none && !mip ? GLPK_UNDEFINED : state;
}

bool lp_glpsol_is_name(const char *program)
{
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    return strcmp(name, "glpsol") == 0 || strcmp(name, "vouch-glpsol") == 0;
}

int lp_glpsol_main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "-v") == 0) {
            printf("GLPSOL: GLPK LP/MIP Solver, v5.0\nEmulated by vouch %s (%s).\n", vouch_version(), vouch_blas());
            return CLI_SOLVED;
        }
    role = true;
    return cli_run(&cli_lp, argc, argv);
}
