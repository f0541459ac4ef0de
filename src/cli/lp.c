/* cli/lp.c - vouch lp: the LP and MILP solver on problem files, with glpsol's options. */
#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "io/lpfile.h"

/* What came out of either solver. */
typedef struct lp_answer {
    bool mip;
    int code;
    const char *status;
    const char *reason; /* of the status; NULL: nothing to say */
    glpk_state state;
    double objective, bound; /* NAN: none */
    long long iterations, nodes;
    double seconds, primal_residual, dual_residual;
    const double *x;
    bool exact;           /* an LP in rational arithmetic */
    const char *fraction; /* the exact optimum; NULL: none */
    long long exact_pivots;
    bool cuts_asked; /* for families of cuts by name */
    long long cut_rows[VOUCH_MIP_FAMILIES];
    const char *proof, *proof_why; /* --proof: "proved" or "not proved", and the reason; NULL: not requested */
    double proof_objective;        /* the optimum that was proved; NAN: that there is none */
    long long proof_nodes, proof_derived;
} lp_answer;

typedef struct lp_args {
    cli_common common;
#define CUT_FIELD(family) int cut_##family;
    VOUCH_MIP_CUTS(CUT_FIELD)
#undef CUT_FIELD
    int all_cuts;
    int minimize, maximize, simplex, primal, dual, no_presolve, no_mip, check, no_cuts, no_heuristics, exact, xcheck;
    int fixed_mps, free_mps, lp_format, glp_format, math_format;
    int stats;
    int ignored; /* options of glpsol without effect here */
    int interior, hide;
    int factor;
    int dual_pricing, primal_pricing;
    double seconds, gap;
    long long nodes;
    const char *math, *name, *log, *refused, *proxy;
    cli_list data; /* of the MathProg model */
    int memory;    /* megabytes; 0: no limit */
    const char *read, *report, *plain, *proof, *basis_in, *basis_out, *ranges, *tree, *write_lp, *write_mps, *write_free,
        *write_glp;
} lp_args;

/* Flags of glpsol that change nothing here: its choices of presolve, pricing, ratio test, branching and backtracking. */
#define LP_GLPSOL_TAKEN(X)                                                                                                         \
    X(presol)                                                                                                                      \
    X(scale)                                                                                                                       \
    X(noscale)                                                                                                                     \
    X(adv)                                                                                                                         \
    X(bib)                                                                                                                         \
    X(std)                                                                                                                         \
    X(ft)                                                                                                                          \
    X(steep)                                                                                                                       \
    X(nosteep)                                                                                                                     \
    X(relax)                                                                                                                       \
    X(norelax)                                                                                                                     \
    X(first) X(last) X(mostf) X(drtom) X(dfs) X(bfs) X(bestp) X(bestb) X(intopt) X(nointopt) X(binarize) X(fpump) X(pcost)

/* Refused flags: their effect in glpsol, and an alternative. */
#define LP_GLPSOL_REFUSED(X)                                                                                                       \
    X(luf, "factorise bases by plain LU; leave it out or see --factor")                                                            \
    X(btf, "factorise bases by block triangular LU; leave it out or see --factor")                                                 \
    X(cbg, "update bases by Bartels and Golub; leave it out")                                                                      \
    X(cgr, "update bases by Givens rotations; leave it out")                                                                       \
    X(flip, "choose long steps in the dual ratio test; leave it out")                                                              \
    X(nord, "order nothing in the interior-point method; there is none here, leave it out")                                        \
    X(qmd, "order by quotient minimum degree in the interior-point method; there is none here, leave it out")                      \
    X(amd, "order by approximate minimum degree in the interior-point method; there is none here, leave it out")                   \
    X(symamd, "order by approximate minimum degree in the interior-point method; there is none here, leave it out")                \
    X(minisat, "solve by a SAT solver; leave it out")                                                                              \
    X(mincost, "read a minimum cost flow problem in DIMACS format; glpsol --mincost FILE --check --wglp F.glp translates it")      \
    X(maxflow, "read a maximum flow problem in DIMACS format; glpsol --maxflow FILE --check --wglp F.glp translates it")           \
    X(cnf, "read a satisfiability problem in DIMACS format; glpsol --cnf FILE --check --wglp F.glp translates it")

/* Refused options with a value: letter or 0, name, word for the value. */
#define LP_GLPSOL_REFUSED_VALUE(X)                                                                                                 \
    X('y', display, "FILE", "write the display of a MathProg model to a file; leave it out")                                       \
    X(0, objbnd, "BOUND", "bound the objective for its SAT solver; leave it out, or write the bound as a row")                     \
    X(0, wcnf, "FILE", "write a satisfiability problem; glpsol writes it")

/* A MathProg model and the files of its data. */
typedef struct lp_model {
    const char *path;
    const cli_list *data;
} lp_model;

/* 0, or CLI_WRONG after a message about a refused option. */
static int lp_glpsol_refuse(void)
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

/* A temporary file for glpsol to read or write; *slot is its place (io/output.h). */
static vouch_status lp_glpsol_temporary(int *slot, vouch_error *error)
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

/* It through the glpsol that is installed. */
static vouch_status lp_glpsol_translate(const lp_model *model, const vouch_log *log, vouch_lp **lp, vouch_error *error)
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
    if (!status && cli_spawn(program, call.arguments, translating, &said) == 0)
        status = vouch_lp_read(lp, temporary_name(slot), VOUCH_FORMAT_GLP, log, error);
    else if (!status)
        status =
            error_set(error, VOUCH_ERROR_INPUT, "%.300s: glpsol has not translated it:\n%.600s", path, said.data ? said.data : "");
    temporary_remove(&slot);
    call_free(&call);
    text_free(&said);
    return status;
}

/* Is there a word in the MathProg model, if only in a comment, that prints something? */
static bool lp_glpsol_shows(const char *path)
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

/* Runs the installed glpsol on the model again with a solution in plain layout, for the output of its display statements.
 * Statements before solve run twice, so a file that they append to gets their output twice. relaxed: of the relaxation. */
static vouch_status lp_glpsol_show(const lp_model *model, const char *solution, bool relaxed, text *out, vouch_error *error)
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
    bool ready = !status, done = ready && cli_spawn(program, call.arguments, translating, &said) == 0;
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

/* True if the program was called by a link named glpsol or vouch-glpsol: its defaults and exit statuses are glpsol's. */
static bool lp_glpsol_role(void) { return role; }

/* The exit status of glpsol: 0 for a verdict or a limit, 1 for an error. */
static int lp_glpsol_code(int code)
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

/* State in glpsol's files of an LP with presolve: undefined unless optimal. */
static glpk_state lp_glpsol_state(glpk_state state, bool mip)
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

/* ---- the answer ---- */

/* An outcome as exit status and for glpsol. */
typedef struct ending {
    int code;
    glpk_state state;
} ending;

static void lp_answer_take(const vouch_lp_result *r, lp_answer *a)
{
    static const ending of[] = {[VOUCH_LP_UNSOLVED] = {CLI_NUMERICAL, GLPK_UNDEFINED},
                                [VOUCH_LP_OPTIMAL] = {CLI_SOLVED, GLPK_OPTIMAL},
                                [VOUCH_LP_INFEASIBLE] = {CLI_INFEASIBLE, GLPK_INFEASIBLE},
                                [VOUCH_LP_UNBOUNDED] = {CLI_INFEASIBLE, GLPK_UNBOUNDED},
                                [VOUCH_LP_CUTOFF] = {CLI_LIMIT, GLPK_UNDEFINED},
                                [VOUCH_LP_LIMIT] = {CLI_LIMIT, GLPK_UNDEFINED},
                                [VOUCH_LP_INTERRUPTED] = {CLI_INTERRUPTED, GLPK_UNDEFINED},
                                [VOUCH_LP_NUMERICAL] = {CLI_NUMERICAL, GLPK_UNDEFINED}};
    *a = (lp_answer){.code = of[r->outcome].code,
                     .status = vouch_lp_outcome_text(r->outcome),
                     .reason = r->reason,
                     .state = of[r->outcome].state,
                     .objective = r->objective,
                     .bound = r->bound,
                     .iterations = r->iterations,
                     .seconds = r->seconds,
                     .primal_residual = fmax(r->certificate.primal_residual, r->certificate.primal_infeasibility),
                     .dual_residual = r->certificate.dual_infeasibility,
                     .x = r->x,
                     .fraction = r->exact_objective,
                     .exact_pivots = r->exact_pivots};
    if (a->state == GLPK_UNDEFINED && r->x && r->certificate.primal_infeasibility <= 1e-7) a->state = GLPK_FEASIBLE;
    if (a->state != GLPK_OPTIMAL && a->state != GLPK_FEASIBLE) a->objective = NAN;
}

static void lp_answer_take_mip(const vouch_mip_result *r, lp_answer *a)
{
    static const ending of[] = {[VOUCH_MIP_UNSOLVED] = {CLI_NUMERICAL, GLPK_UNDEFINED},
                                [VOUCH_MIP_OPTIMAL] = {CLI_SOLVED, GLPK_OPTIMAL},
                                [VOUCH_MIP_INFEASIBLE] = {CLI_INFEASIBLE, GLPK_INFEASIBLE},
                                [VOUCH_MIP_UNBOUNDED] = {CLI_INFEASIBLE, GLPK_UNBOUNDED},
                                [VOUCH_MIP_LIMIT] = {CLI_LIMIT, GLPK_UNDEFINED},
                                [VOUCH_MIP_INTERRUPTED] = {CLI_INTERRUPTED, GLPK_UNDEFINED},
                                [VOUCH_MIP_NUMERICAL] = {CLI_NUMERICAL, GLPK_UNDEFINED}};
    *a = (lp_answer){.mip = true,
                     .code = of[r->outcome].code,
                     .status = vouch_mip_outcome_text(r->outcome),
                     .reason = r->reason,
                     .state = of[r->outcome].state,
                     .objective = r->objective,
                     .bound = r->bound,
                     .iterations = r->iterations,
                     .nodes = r->nodes,
                     .seconds = r->seconds,
                     .x = r->x};
    for (int f = 0; f < VOUCH_MIP_FAMILIES; f++) a->cut_rows[f] = r->cut_rows[f];
    if (a->state == GLPK_UNDEFINED && r->has_incumbent) a->state = GLPK_FEASIBLE;
    if (a->state == GLPK_UNBOUNDED) a->objective = NAN;
}

static void print_number(const char *name, double value)
{
    char digits[32];
    printf(",\"%s\":%s", name, isfinite(value) ? text_number(value, digits) : "null");
}

#define FAMILY_WORD(family) #family,
static const char *const family_word[] = {VOUCH_MIP_CUTS(FAMILY_WORD)};
#undef FAMILY_WORD

static void print_cuts(const lp_answer *a, bool json, FILE *out)
{
    if (!a->cuts_asked) return;
    fprintf(out, json ? ",\"cuts\":{" : "%-11s", "cuts");
    for (int f = 0; f < VOUCH_MIP_FAMILIES; f++)
        fprintf(out, json ? "%s\"%s\":%lld" : "%s %s %lld", f ? "," : "", family_word[f], a->cut_rows[f]);
    fprintf(out, json ? "}" : "\n");
}

/* glpsol's words for the verdict of rational arithmetic. */
static const char *exact_words(const lp_answer *a)
{
    switch (a->state) {
    case GLPK_OPTIMAL:
        return "OPTIMAL SOLUTION FOUND";
    case GLPK_INFEASIBLE:
        return "PROBLEM HAS NO FEASIBLE SOLUTION";
    case GLPK_UNBOUNDED:
        return "PROBLEM HAS UNBOUNDED SOLUTION";
    default:
        return a->code == CLI_LIMIT ? "TIME LIMIT EXCEEDED; SEARCH TERMINATED" : "NOT DECIDED";
    }
}

static void print_exact(const lp_answer *a, FILE *out)
{
    enum { DIGITS_SHOWN = 200 };
    if (!a->exact) return;
    fprintf(out, "%-11s %s\n", "exact", exact_words(a));
    size_t digits = a->fraction ? strlen(a->fraction) : 0;
    if (digits > DIGITS_SHOWN)
        fprintf(out, "%-11s %.20s.. (%zu characters; --json has all)\n", "fraction", a->fraction, digits);
    else if (digits)
        fprintf(out, "%-11s %s\n", "fraction", a->fraction);
    fprintf(out, "%-11s %lld after the basis in doubles\n", "pivots", a->exact_pivots);
}

static void print_exact_json(const lp_answer *a)
{
    bool decided = a->state == GLPK_OPTIMAL || a->state == GLPK_INFEASIBLE || a->state == GLPK_UNBOUNDED;
    const char *quote = a->fraction ? "\"" : "";
    if (!a->exact) return;
    printf(",\"exact\":{\"status\":\"%s\",\"objective\":%s%s%s", decided ? a->status : "undecided", quote,
           a->fraction ? a->fraction : "null", quote);
    printf(",\"pivots\":%lld}", a->exact_pivots);
}

static void print_proof(const lp_answer *a, FILE *out)
{
    if (!a->proof) return;
    fprintf(out, "%-11s %s: ", "proof", out == stdout ? cli_verdict(strcmp(a->proof, "proved") == 0, a->proof) : a->proof);
    if (a->proof_why)
        fprintf(out, "%s\n", a->proof_why);
    else if (isnan(a->proof_objective))
        fprintf(out, "infeasible, %lld nodes, %lld lines\n", a->proof_nodes, a->proof_derived);
    else
        fprintf(out, "optimum %.12g, %lld nodes, %lld lines\n", a->proof_objective, a->proof_nodes, a->proof_derived);
}

static bool has_point(const lp_answer *a) { return a->x && !isnan(a->objective); }

static void lp_answer_print_json(const lp_answer *a)
{
    bool point = has_point(a);
    printf("{\"status\":\"%s\"", a->status);
    if (a->reason) printf(",\"reason\":\"%s\"", a->reason);
    print_number("objective", a->objective);
    print_number("bound", a->bound);
    printf(",\"iterations\":%lld,\"nodes\":%lld", a->iterations, a->nodes);
    print_number("seconds", a->seconds);
    print_number("primal_residual", point ? a->primal_residual : NAN);
    print_number("dual_residual", point && !a->mip ? a->dual_residual : NAN);
    print_cuts(a, true, stdout);
    print_exact_json(a);
    if (a->proof) {
        printf(",\"proof\":{\"status\":\"%s\",\"nodes\":%lld,\"derived\":%lld", a->proof, a->proof_nodes, a->proof_derived);
        print_number("optimum", a->proof_objective);
        printf("}");
    }
    printf("}\n");
}

static void lp_answer_print(const lp_answer *a, FILE *out)
{
    fprintf(out, "%-11s %s\n", "status", a->status);
    if (a->reason) fprintf(out, "%-11s %s\n", "reason", a->reason);
    if (!isnan(a->objective)) fprintf(out, "%-11s %.12g\n", "objective", a->objective);
    if ((a->mip || a->code == CLI_LIMIT) && !isnan(a->bound)) fprintf(out, "%-11s %.12g\n", "bound", a->bound);
    if (a->mip) fprintf(out, "%-11s %lld\n", "nodes", a->nodes);
    print_cuts(a, false, out);
    print_exact(a, out);
    fprintf(out, "%-11s %lld\n%-11s %.2f\n", "iterations", a->iterations, "seconds", a->seconds);
    print_proof(a, out);
    if (!has_point(a)) return;
    fprintf(out, "%-11s primal %.2e", "residuals", a->primal_residual);
    if (!a->mip && !isnan(a->dual_residual)) fprintf(out, ", dual %.2e", a->dual_residual);
    fprintf(out, "\n");
}

/* ---- files ---- */

static vouch_limits lp_files_limits(const lp_args *args)
{
    vouch_limits limits = cli_limits(&args->common);
    if (args->seconds > 0 && (limits.seconds <= 0 || args->seconds < limits.seconds)) limits.seconds = args->seconds;
    return limits;
}

/* Largest bound violation of a point, and its activities into activity [rows]. */
static double lp_files_violation(const vouch_lp *lp, const double *x, double *activity)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    double worst = 0;
    for (int i = 0; i < d.rows; i++) activity[i] = 0;
    for (int j = 0; j < d.cols; j++) {
        worst = fmax(worst, fmax(d.col_lower[j] - x[j], x[j] - d.col_upper[j]));
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) activity[d.index[k]] += d.value[k] * x[j];
    }
    for (int i = 0; i < d.rows; i++) worst = fmax(worst, fmax(d.row_lower[i] - activity[i], activity[i] - d.row_upper[i]));
    return worst;
}

/* Without a basis (presolve may prove infeasibility first) the slack basis is written. */
static vouch_status lp_files_basis(vouch_lp *lp, const char *path, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    if (!vouch_lp_has_basis(lp)) {
        unsigned char *row = CLI_NEW(unsigned char, vouch_lp_rows(lp)), *col = CLI_NEW(unsigned char, vouch_lp_cols(lp));
        vouch_lp_get_basis(lp, row, col);
        status = vouch_lp_set_basis(lp, row, col);
    }
    return status ? status : vouch_lp_write_basis(lp, path, error);
}

static double objective_at(const vouch_lp *lp, const double *x)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    double sum = d.offset;
    for (int j = 0; j < d.cols; j++) sum += d.cost[j] * x[j];
    return sum;
}

static vouch_status write_ranges(const glpk_solution *s, const char *path, vouch_error *error)
{
    if (s->state != GLPK_OPTIMAL) {
        report_note("--ranges: %s is not written, as there is no optimum", path);
        return VOUCH_OK;
    }
    text out = {0};
    vouch_lp_range *range = CLI_NEW(vouch_lp_range, (size_t)vouch_lp_rows(s->lp) + (size_t)vouch_lp_cols(s->lp) + 1);
    vouch_status status = vouch_lp_ranges(s->lp, range);
    if (status == VOUCH_ERROR_ARGUMENT) {
        *error = (vouch_error){status, "--ranges: the optimum found has no basis that could be factorised"};
    } else if (!status) {
        glpk_ranges(s, range, &out);
        status = text_write(&out, path, error);
    }
    return status;
}

static vouch_status write_solution(const glpk_solution *s, const lp_args *args, vouch_error *error)
{
    text out = {0};
    vouch_status status = VOUCH_OK;
    if (args->report) {
        glpk_report(s, &out);
        status = text_write(&out, args->report, error);
    }
    if (!status && args->plain) {
        glpk_plain(s, &out);
        status = text_write(&out, args->plain, error);
    }
    return status || !args->ranges ? status : write_ranges(s, args->ranges, error);
}

/* Reports and plain solution. activity: [rows] scratch, for a MIP. */
static vouch_status lp_files_solution(const vouch_lp *lp, const lp_args *args, const lp_answer *a, double *activity,
                                      vouch_error *error)
{
    glpk_state state = lp_glpsol_role() && !args->no_presolve ? lp_glpsol_state(a->state, a->mip) : a->state;
    if (!args->report && !args->plain && !args->ranges) return VOUCH_OK;
    vouch_lp_result r;
    vouch_lp_get_result(lp, &r);
    unsigned char *row = CLI_NEW(unsigned char, vouch_lp_rows(lp)), *col = CLI_NEW(unsigned char, vouch_lp_cols(lp));
    glpk_solution s = {.lp = lp,
                       .mip = a->mip,
                       .state = state,
                       .objective = !isnan(a->objective) ? a->objective
                                    : a->x               ? objective_at(lp, a->x)
                                                         : 0,
                       .x = a->x};
    if (a->mip) {
        s.row_activity = a->x ? activity : NULL;
    } else {
        s.row_activity = r.row_activity, s.row_dual = r.row_dual, s.reduced_cost = r.reduced_cost;
        s.row_status = row, s.col_status = col;
        vouch_lp_get_basis(lp, row, col);
    }
    return write_solution(&s, args, error);
}

/* Reads the solution in args->read and writes the requested files. *r owns the point of the answer, also after an error. */
static vouch_status lp_files_read(const vouch_lp *lp, const lp_args *args, bool mip, glpk_reading *r, lp_answer *a,
                                  vouch_error *error)
{
    static const char *const said[] = {[GLPK_OPTIMAL] = "the file calls it optimal; nothing was solved or proved",
                                       [GLPK_FEASIBLE] = "the file calls it feasible; nothing was solved or proved",
                                       [GLPK_UNDEFINED] = "the file has no verdict; nothing was solved or proved",
                                       [GLPK_INFEASIBLE] = "the file calls it infeasible; nothing was solved or proved",
                                       [GLPK_UNBOUNDED] = "the file calls it unbounded; nothing was solved or proved"};
    vouch_status status = glpk_read(lp, mip, args->read, r, error);
    if (status) return status;
    *a = (lp_answer){.mip = mip,
                     .code = CLI_SOLVED,
                     .status = "read",
                     .reason = said[r->solution.state],
                     .state = r->solution.state,
                     .objective = objective_at(lp, r->x),
                     .bound = NAN,
                     .dual_residual = NAN,
                     .x = r->x};
    return write_solution(&r->solution, args, error);
}

/* Prints the display statements of the MathProg model at path on standard output, with --json on standard error. */
static vouch_status lp_files_display(const vouch_lp *lp, const lp_args *args, const char *path, const lp_answer *a,
                                     double *activity, vouch_error *error)
{
    int slot = -1;
    text out = {0};
    lp_args only = *args;
    if (!lp_glpsol_shows(path)) return VOUCH_OK;
    vouch_status status = VOUCH_OK;
    if (!args->read) {
        status = lp_glpsol_temporary(&slot, error);
        if (status) return status;
        only.report = only.ranges = NULL;
        only.plain = temporary_name(slot);
        status = lp_files_solution(lp, &only, a, activity, error);
    }
    if (!status)
        status = lp_glpsol_show(&(lp_model){path, &args->data}, args->read ? args->read : only.plain, !a->mip, &out, error);
    if (!status && out.failed) status = VOUCH_ERROR_MEMORY;
    FILE *to[] = {args->common.json ? stderr : stdout, args->log ? report_copied() : NULL};
    for (int k = 0; k < 2; k++)
        if (to[k] && out.length) (void)fwrite(out.data, 1, out.length, to[k]);
    temporary_remove(&slot);
    text_free(&out);
    return status;
}

/* Writes the proof into its file and its outcome into the answer. An unproved verdict remains the answer. */
static vouch_status lp_files_proof(const vouch_lp *lp, const lp_args *args, lp_answer *a, vouch_error *error)
{
    bool claims = a->state == GLPK_OPTIMAL || a->state == GLPK_INFEASIBLE;
    vouch_limits limits = lp_files_limits(args);
    vouch_proof proof = {.why = a->state == GLPK_UNBOUNDED ? "the format VIPR cannot state unboundedness" : "there is no verdict"};
    vouch_lp *relaxed = NULL;
    vouch_status status = VOUCH_OK;
    if (claims && args->no_mip) {
        status = vouch_lp_clone(&relaxed, lp);
        for (int j = 0; !status && j < vouch_lp_cols(lp); j++) status = vouch_lp_set_integer(relaxed, j, 0);
    }
    if (claims && !status) status = vouch_lp_prove(relaxed ? relaxed : lp, a->state == GLPK_OPTIMAL ? a->x : NULL, &limits, &proof);
    bool refuted = proof.proved && proof.feasible != (a->state == GLPK_OPTIMAL);
    bool shown = !status && proof.proved && !refuted;
    if (shown) status = file_write(args->proof, proof.text, proof.length, error);
    if (!shown && file_remove(args->proof)) report_note("nothing is proved: an older file %s is removed", args->proof);
    if (!shown && (a->code == CLI_SOLVED || a->code == CLI_INFEASIBLE)) a->code = CLI_LIMIT;
    a->proof = proof.proved && !refuted ? "proved" : "not proved";
    a->proof_why = refuted ? "in rational arithmetic there is a solution" : proof.why;
    a->proof_objective = proof.proved && proof.feasible ? proof.objective : NAN;
    a->proof_nodes = proof.nodes, a->proof_derived = proof.derived;
    vouch_proof_free(&proof);
    vouch_lp_free(relaxed);
    return status;
}

/* Writes the problem in the requested formats. */
static vouch_status lp_files_problem(const vouch_lp *lp, const lp_args *args, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    if (args->write_lp) status = vouch_lp_write(lp, args->write_lp, VOUCH_FORMAT_LP, error);
    if (!status && args->write_mps) status = vouch_lp_write(lp, args->write_mps, VOUCH_FORMAT_MPS_FIXED, error);
    if (!status && args->write_free) status = vouch_lp_write(lp, args->write_free, VOUCH_FORMAT_MPS_FREE, error);
    if (!status && args->write_glp) status = vouch_lp_write(lp, args->write_glp, VOUCH_FORMAT_GLP, error);
    return status;
}

#define AT(field) offsetof(lp_args, field)
static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "FILE", AT(report), .help = "write the solution as a readable report, in glpsol's layout"},
    {CLI_OUTPUT, 'w', "write", "FILE", AT(plain), .help = "write the solution in glpsol's plain layout"},
    {CLI_FLAG, 0, "min", NULL, AT(minimize), .help = "minimise, overriding the file"},
    {CLI_FLAG, 0, "max", NULL, AT(maximize), .help = "maximise, overriding the file"},
    {CLI_FLAG, 0, "simplex", NULL, AT(simplex), .help = "use the simplex method (the only one)"},
    {CLI_FLAG, 0, "primal", NULL, AT(primal), .help = "primal simplex"},
    {CLI_FLAG, 0, "dual", NULL, AT(dual), .help = "dual simplex"},
    {CLI_FLAG, 0, "nopresol", NULL, AT(no_presolve), .help = "solve without presolve"},
    {CLI_FLAG, 0, "nomip", NULL, AT(no_mip), .help = "solve the relaxation: integer columns may take any value"},
    {CLI_FLAG, 0, "exact", NULL, AT(exact),
     .help = "solve an LP in rational arithmetic: an exact verdict and the optimum as a fraction"},
    {CLI_FLAG, 0, "xcheck", NULL, AT(xcheck),
     .help = "check the final basis of an LP in rational arithmetic, and continue from it if it is not optimal"},
    {CLI_OUTPUT, 0, "proof", "F.vipr", AT(proof),
     .help = "write a proof of the verdict in the format VIPR 1.0; exit status 3 if there is none"},
    {CLI_REAL, 0, "tmlim", "SECONDS", AT(seconds), "0", 0, 1e9, .help = "the same as --time-limit"},
    {CLI_REAL, 0, "mipgap", "G", AT(gap), "1e-6", 0, 1e300, .help = "relative gap at which an integer program counts as solved"},
    {CLI_LONG, 0, "node-limit", "N", AT(nodes), "0", 0, 9e18, .help = "node limit of the search tree; 0: no limit"},
    {CLI_FLAG, 0, "check", NULL, AT(check), .help = "read the problem and write it if requested, without solving it"},
    {CLI_FILE, 0, "basis-in", "F.bas", AT(basis_in), .help = "start from the basis in this file"},
    {CLI_FILE, 0, "ini", "FILE", AT(basis_in), .help = "glpsol's name for --basis-in; also reads a file of -w or --write"},
    {CLI_FILE, 'r', "read", "FILE", AT(read), .help = "report the solution in this file of -w or --write, without solving"},
    {CLI_OUTPUT, 0, "basis-out", "F.bas", AT(basis_out), .help = "write the final basis (LP only)"},
    {CLI_OUTPUT, 0, "ranges", "FILE", AT(ranges), .help = "write the sensitivity report of an optimal LP, in glpsol's layout"},
    {CLI_OUTPUT, 0, "log-tree", "F.jsonl", AT(tree), .help = "write the search tree, one JSON object for each node"},
    {CLI_FLAG, 0, "mps", NULL, AT(fixed_mps), .help = "the file is fixed MPS (default: detected; .lp is LP format)"},
    {CLI_FLAG, 0, "freemps", NULL, AT(free_mps), .help = "the file is free MPS"},
    {CLI_FLAG, 0, "lp", NULL, AT(lp_format), .help = "the file is in CPLEX LP format"},
    {CLI_FLAG, 0, "cpxlp", NULL, AT(lp_format), .help = "the same"},
    {CLI_FLAG, 0, "math", NULL, AT(math_format),
     .help = "the file is a MathProg model; the installed glpsol translates it and prints its display statements"},
    {CLI_FILE, 'm', "model", "FILE", AT(math), .help = "--math with FILE as the model"},
    {CLI_LIST, 'd', "data", "FILE", AT(data), .help = "data of the MathProg model; may be given several times"},
    {CLI_FLAG, 0, "glp", NULL, AT(glp_format), .help = "the file is in GLPK's format"},
    {CLI_OUTPUT, 0, "wlp", "FILE", AT(write_lp), .help = "write the problem in CPLEX LP format"},
    {CLI_OUTPUT, 0, "wmps", "FILE", AT(write_mps), .help = "write the problem as fixed MPS"},
    {CLI_OUTPUT, 0, "wfreemps", "FILE", AT(write_free), .help = "write the problem as free MPS"},
    {CLI_OUTPUT, 0, "wglp", "FILE", AT(write_glp), .help = "write the problem in GLPK's format"},
    {CLI_WORD, 0, "factor", "F", AT(factor), "auto", .words = "auto|dense|sparse", .help = "factorisation of bases"},
#define WORD(word) "|" #word
    {CLI_WORD, 0, "dual-pricing", "RULE", AT(dual_pricing), "auto", .words = "auto" VOUCH_LP_DUAL_PRICING(WORD),
     .help = "row choice of the dual simplex method"},
    {CLI_WORD, 0, "primal-pricing", "RULE", AT(primal_pricing), "auto", .words = "auto" VOUCH_LP_PRIMAL_PRICING(WORD),
     .help = "column choice of the primal simplex method"},
#undef WORD
    {CLI_FLAG, 0, "stats", NULL, AT(stats), .help = "print counters and timers on standard error, as a line of JSON"},
    {CLI_FLAG, 0, "no-cuts", NULL, AT(no_cuts), .help = "no cutting planes"},
    {CLI_FLAG, 0, "no-heuristics", NULL, AT(no_heuristics), .help = "no heuristics"},
    {CLI_FLAG, 0, "cuts", NULL, AT(all_cuts), .help = "all families of cuts (default), and their counts"},
#define CUT_SWITCH(family)                                                                                                         \
    {CLI_FLAG,         0,                                                                                                          \
     #family,          NULL,                                                                                                       \
     AT(cut_##family), .help = "only " #family " cuts (and the other families given), and their counts"},
    VOUCH_MIP_CUTS(CUT_SWITCH)
#undef CUT_SWITCH
        {CLI_FLAG, 0, "interior", NULL, AT(interior), .help = "use the simplex method (there is no interior-point method)"},
    {CLI_INT, 0, "memlim", "MEGABYTES", AT(memory), "0", 0, 1 << 30, .help = "memory limit; 0: no limit"},
    {CLI_TEXT, 0, "name", "NAME", AT(name), .help = "name of the problem"},
    {CLI_FLAG, 0, "hide", NULL, AT(hide), .help = "discard all names of the problem"},
    {CLI_OUTPUT, 0, "log", "FILE", AT(log), .help = "copy the output to FILE"},
    {CLI_MAYBE, 0, "proxy", NULL, AT(proxy), .help = NULL},
#define TAKEN(name)                              {CLI_FLAG, 0, #name, NULL, AT(ignored), .help = NULL},
#define REFUSED(name, does)                      {CLI_FLAG, 0, #name, NULL, AT(ignored), .help = NULL},
#define REFUSED_VALUE(letter, name, value, does) {CLI_TEXT, letter, #name, value, AT(refused), .help = NULL},
    LP_GLPSOL_TAKEN(TAKEN) LP_GLPSOL_REFUSED(REFUSED) LP_GLPSOL_REFUSED_VALUE(REFUSED_VALUE)
#undef TAKEN
#undef REFUSED
#undef REFUSED_VALUE
        {0},
};
#undef AT

typedef struct tree_log {
    text out;
    const vouch_lp *lp;
    long long nodes;
} tree_log;

static void log_node(void *context, const vouch_mip_node *n)
{
    tree_log *t = context;
    t->nodes++;
    report_progress("node %lld, depth %d, bound %.10g", t->nodes, n->depth, n->bound);
    if (!t->lp) return;
    char branch[512], number[32];
    const char *name = n->column >= 0 ? vouch_lp_col_name(t->lp, n->column) : "";
    snprintf(number, sizeof number, "column %d", n->column + 1);
    snprintf(branch, sizeof branch, "%.400s in [%g, %g]", *name ? name : number, n->lower, n->upper);
    tree_add_line(&t->out, &(tree_entry){.id = n->id,
                                         .parent = n->parent,
                                         .depth = n->depth,
                                         .branch = n->column >= 0 ? branch : NULL,
                                         .bound = n->bound,
                                         .incumbent = NAN,
                                         .end = n->end});
}

static vouch_lp_options lp_options_of(const lp_args *args)
{
    vouch_lp_options o;
    vouch_lp_options_init(&o);
    o.method = args->primal ? VOUCH_LP_PRIMAL : args->dual ? VOUCH_LP_DUAL : VOUCH_LP_AUTO;
    o.factor = (vouch_lp_factor)args->factor;
    o.dual_pricing = args->dual_pricing ? args->dual_pricing - 1 : 0;
    o.primal_pricing = args->primal_pricing ? args->primal_pricing - 1 : 0;
    if (args->no_presolve) o.presolve = 0;
    o.seed = args->common.seed;
    return o;
}

static vouch_status solve_lp(vouch_lp *lp, const lp_args *args, lp_answer *a)
{
    vouch_lp_options o = lp_options_of(args);
    o.limits = lp_files_limits(args);
    o.log = report_log();
    o.trace = summary_trace(args->stats, args->common.threads);
    o.exact = args->exact || args->xcheck;
    vouch_status status = vouch_lp_solve(lp, &o);
    vouch_lp_result r;
    vouch_lp_get_result(lp, &r);
    summary_program(o.trace, args->stats, &(solved_program){false, r.outcome == VOUCH_LP_LIMIT, r.seconds});
    lp_answer_take(&r, a);
    a->exact = o.exact;
    return status;
}

/* The requested families of cuts as bits; 0: default. */
static unsigned families_of(const lp_args *args)
{
    unsigned chosen = 0, bit = 1;
#define CUT_BIT(family) chosen |= args->cut_##family ? bit : 0, bit <<= 1;
    VOUCH_MIP_CUTS(CUT_BIT)
#undef CUT_BIT
    return args->all_cuts ? bit - 1 : chosen;
}

/* *mip owns the point of the answer. */
static vouch_status solve_mip(vouch_lp *lp, const lp_args *args, tree_log *tree, vouch_mip **mip, lp_answer *a)
{
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    o.lp = lp_options_of(args);
    o.presolve = !args->no_presolve;
    o.cuts = !args->no_cuts;
    o.cut_families = families_of(args);
    o.heuristics = !args->no_heuristics;
    o.gap_relative = lp_glpsol_role() && !cli_given("mipgap") ? 0 : args->gap;
    o.threads = args->common.threads;
    o.seed = args->common.seed;
    o.limits = lp_files_limits(args);
    o.limits.nodes = args->nodes;
    o.log = report_log();
    o.on_node = log_node;
    o.on_node_context = tree;
    o.trace = summary_trace(args->stats, args->common.threads);
    o.lp.trace = args->stats ? o.trace : NULL;
    vouch_status status = vouch_mip_new(mip, lp);
    if (!status) status = vouch_mip_solve(*mip, &o);
    if (status) {
        vouch_trace_free(o.trace);
        return status;
    }
    vouch_mip_result r;
    vouch_mip_get_result(*mip, &r);
    summary_program(o.trace, args->stats, &(solved_program){true, r.outcome == VOUCH_MIP_LIMIT, r.seconds});
    lp_answer_take_mip(&r, a);
    a->cuts_asked = families_of(args) != 0;
    return VOUCH_OK;
}

/* ---- answers --------------------------------------------------------------------------------------------------- */

static vouch_status read_problem(const lp_args *args, const char *path, vouch_lp **lp, vouch_error *error)
{
    vouch_lp_format format = args->fixed_mps    ? VOUCH_FORMAT_MPS_FIXED
                             : args->free_mps   ? VOUCH_FORMAT_MPS_FREE
                             : args->lp_format  ? VOUCH_FORMAT_LP
                             : args->glp_format ? VOUCH_FORMAT_GLP
                                                : VOUCH_FORMAT_AUTO;
    vouch_log log = report_log();
    bool math = args->math || args->math_format;
    report_reading(math ? NULL : path); /* the translator must not be interrupted */
    vouch_status status =
        math ? lp_glpsol_translate(&(lp_model){path, &args->data}, &log, lp, error) : vouch_lp_read(lp, path, format, &log, error);
    report_reading(NULL);
    if (!status && (args->minimize || args->maximize)) status = vouch_lp_set_maximize(*lp, args->maximize > 0);
    if (!status && args->name) status = vouch_lp_set_name(*lp, args->name);
    if (status || !args->hide) return status;
    status = vouch_lp_set_name(*lp, "");
    if (!status) status = vouch_lp_set_objective_name(*lp, "");
    for (int i = 0; !status && i < vouch_lp_rows(*lp); i++) status = vouch_lp_set_row_name(*lp, i, "");
    for (int j = 0; !status && j < vouch_lp_cols(*lp); j++) status = vouch_lp_set_col_name(*lp, j, "");
    return status;
}

/* Checks the options before the file is read. */
static void check_options(const lp_args *args, const char *path)
{
    if (args->log && report_copy(args->log)) cli_die("--log: %s cannot be written", args->log);
    cli_check(lp_glpsol_refuse());
    if (!path) cli_die("something is missing: expected FILE; see vouch lp --help");
    if (args->fixed_mps + args->free_mps + args->lp_format + args->glp_format + args->math_format + (args->math != NULL) > 1)
        cli_die("--mps, --freemps, --lp, --glp and --math exclude each other");
    if (args->interior) report_note("--interior: the simplex method is used; there is no interior-point method");
    if (args->memory > 0) {
        struct rlimit most = {(rlim_t)args->memory << 20, (rlim_t)args->memory << 20};
        if (setrlimit(RLIMIT_AS, &most) != 0) cli_die("--memlim: the limit could not be set");
    }
}

bool cli_has_integers(const vouch_lp *lp)
{
    for (int j = 0; j < vouch_lp_cols(lp); j++)
        if (vouch_lp_is_integer(lp, j)) return true;
    return vouch_lp_sos1_count(lp) > 0;
}

/* Owned by the command. */
typedef struct lp_run {
    vouch_lp *lp;
    vouch_mip *mip;
    tree_log tree;
    glpk_reading reading;
} lp_run;

static void free_run(void *object)
{
    lp_run *w = object;
    text_free(&w->tree.out);
    glpk_reading_free(&w->reading);
    vouch_mip_free(w->mip);
    vouch_lp_free(w->lp);
}

static void refuse_idle_options(const lp_args *args)
{
    static const char solved[] = "an answer: leave --check out", optimum[] = "a program that is solved: leave --read out";
    const cli_need needs[] = {{"data", args->math || args->math_format, "a MathProg model: --math or --model"},
                              {"output|write|ranges|basis-out|proof", !args->check, solved},
                              {"ranges|basis-out|proof|log-tree", !args->read, optimum},
                              {"log-tree", !args->check && !args->no_mip, "a search tree: leave --check and --nomip out"}};
    cli_refuse_idle(needs, sizeof needs / sizeof *needs);
}

static int run(void *arguments, char **operand)
{
    const lp_args *args = arguments;
    const char *path = args->math ? args->math : operand[0];
    lp_answer a = {0};
    mem_use_large_pages();
    if (args->minimize && args->maximize) cli_die("--min and --max exclude each other");
    if (args->no_cuts && families_of(args)) cli_die("--no-cuts and the families of cuts exclude each other");
    if (args->primal && args->dual) cli_die("--primal and --dual exclude each other");
    if (args->math && operand[0]) cli_die("-m and a FILE exclude each other");
    check_options(args, path);
    refuse_idle_options(args);
    lp_run *w = CLI_NEW(lp_run, 1);
    cli_own(free_run, w);
    cli_try(read_problem(args, path, &w->lp, &cli_error));
    cli_try(lp_files_problem(w->lp, args, &cli_error));
    if (args->basis_in) cli_try(vouch_lp_read_basis(w->lp, args->basis_in, &cli_error));
    if (args->check) return a.code;
    bool integer = !args->no_mip && cli_has_integers(w->lp);
    if (integer && (args->exact || args->xcheck))
        report_note("--exact and --xcheck are for linear programs; this one has integer columns and is solved in doubles. --proof "
                    "proves the optimum in rational arithmetic; --nomip --exact solves the relaxation");
    if (integer && (args->basis_out || args->ranges))
        cli_try(error_set(&cli_error, VOUCH_ERROR_ARGUMENT, "--%s: an integer program has no basis; see --nomip",
                          args->basis_out ? "basis-out" : "ranges"));
    w->tree.lp = args->tree ? w->lp : NULL;
    vouch_status status = args->read ? lp_files_read(w->lp, args, integer, &w->reading, &a, &cli_error)
                          : integer  ? solve_mip(w->lp, args, &w->tree, &w->mip, &a)
                                     : solve_lp(w->lp, args, &a);
    report_clear();
    cli_try(status);
    double *activity = CLI_NEW(double, vouch_lp_rows(w->lp));
    if ((integer || args->read) && a.x) a.primal_residual = lp_files_violation(w->lp, a.x, activity);
    if (!args->read) status = lp_files_solution(w->lp, args, &a, activity, &cli_error);
    if (!status && args->basis_out) status = lp_files_basis(w->lp, args->basis_out, &cli_error);
    if (!status && args->tree) status = text_write(&w->tree.out, args->tree, &cli_error);
    if (!status && args->proof) status = lp_files_proof(w->lp, args, &a, &cli_error);
    if (args->common.json) /* also when a file could not be written */
        lp_answer_print_json(&a);
    else
        lp_answer_print(&a, stdout);
    if (args->log) lp_answer_print(&a, report_copied());
    cli_try(status);
    if (args->math || args->math_format) cli_try(lp_files_display(w->lp, args, path, &a, activity, &cli_error));
    return lp_glpsol_role() ? lp_glpsol_code(a.code) : a.code;
}

const cli_command cli_lp = {
    .name = "lp",
    .operands = "FILE",
    .least_operands = 0,
    .more_operands = 1,
    .summary = "solve a linear or mixed-integer program from a file",
    .text = "FILE is an MPS file (fixed or free, detected), a CPLEX LP file (.lp) or a file in GLPK's format (.glp), plain or "
            "gzip. The content decides if the name has no known suffix, and on standard input (-). Exit status 2 means proved "
            "infeasible or unbounded. glpsol exits with 0 for every verdict, including a limit, and with 1 for an error; a link to "
            "this program named glpsol or vouch-glpsol does the same, and is vouch lp with glpsol's defaults. All switches of "
            "glpsol are recognised: those that choose its presolve, pricing, ratio test, branching or backtracking have no effect; "
            "unsupported ones are refused with a line that names an alternative. Two of its letters have another meaning here, "
            "except under such a link: -v is --verbose, and --seed is the seed of the search.",
    .examples = "vouch lp diet.lp -o report.txt\n",
    .options = options,
    .size = sizeof(lp_args),
    .run = run,
};
