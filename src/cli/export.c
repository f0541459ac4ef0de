/* cli/export.c - vouch export: the programs of the theory as files, for other solvers. */

#include "cli/cli.h"

typedef struct export_args {
    cli_common common;
    model_args model;
    objective_args objective;
    int lookahead, form, format;
    const char *output;
} export_args;

enum { FORM_POMDP = VOUCH_PROGRAM_BILINEAR + 1 };

#define AT(field) offsetof(export_args, field)
static const cli_option options[] = {
    {CLI_INT, 'L', "lookahead", "N", AT(lookahead), "0", 0, INT_MAX,
     .help = "lookahead: steps after which the policy learns nothing more about the environment, 0 to T"},
    {CLI_WORD, 0, "form", "F", AT(form), "paper", .words = "paper|compact|history|bilinear|pomdp",
     .help =
         "MILP-CCL as the paper prints it, over likelihood classes, the history-optimal linear program, or exact CCL with "
         "products (--format lp only), or the model itself as a POMDP whose hidden part is the environment, in Cassandra's format"},
    OBJECTIVE_OPTIONS(export_args),
    {CLI_WORD, 0, "format", "X", AT(format), "mps", .words = "mps|lp", .help = "free MPS or CPLEX LP"},
    {CLI_OUTPUT, 'o', "output", "FILE", AT(output), "-", .help = "output file; - for standard output; .gz compresses"},
    MODEL_OPTIONS(export_args),
    {0},
};
#undef AT

static vouch_status write(const vouch_program *p, const export_args *args, vouch_error *error)
{
    const vouch_lp_product *product;
    int products = vouch_program_products(p, &product);
    if (args->form == VOUCH_PROGRAM_BILINEAR)
        return vouch_lp_write_products(vouch_program_lp(p), product, products, args->output, error);
    return vouch_lp_write(vouch_program_lp(p), args->output, args->format ? VOUCH_FORMAT_LP : VOUCH_FORMAT_MPS_FREE, error);
}

static void free_program(void *program) { vouch_program_free(program); }

static int run(void *arguments, char **operand)
{
    const export_args *args = arguments;
    bool is_pomdp = args->form == FORM_POMDP;
    cli_refuse_idle(&(cli_need){"format|lookahead|objective|weights", !is_pomdp, "a form that is a program"}, 1);
    vouch_model *model = load_model(&args->model, operand[0]);
    if (vouch_model_has_error(model)) report_note("note: the program does not know the error of the model's probabilities");
    vouch_program *program;
    vouch_plan_options objective = {0};
    objective_set(&args->objective, model, &objective);
    vouch_program_aim aim = {objective.objective, objective.weights};
    if (is_pomdp) {
        cli_try(pomdp_write(model, args->output, &cli_error));
        return CLI_SOLVED;
    }
    if (args->form == VOUCH_PROGRAM_BILINEAR && !args->format)
        cli_die("--form bilinear: products of variables can be written with --format lp only");
    if (vouch_program_new_for(&program, model, (vouch_program_form)args->form, args->lookahead, &aim, &cli_error)) {
        int code = cli_failed(&cli_error);
        return cli_error.status == VOUCH_ERROR_INPUT ? CLI_INFEASIBLE : code;
    }
    cli_own(free_program, program);
    cli_try(write(program, args, &cli_error));
    const vouch_lp *lp = vouch_program_lp(program);
    if (args->common.json) printf("{ \"rows\": %d, \"columns\": %d }\n", vouch_lp_rows(lp), vouch_lp_cols(lp));
    return CLI_SOLVED;
}

const cli_command cli_export = {
    .name = "export",
    .operands = "MODEL",
    .least_operands = 1,
    .summary = "write a program for other solvers",
    .text = "Writes the mixed-integer program of MILP-CCL, whose optimum is the least maximum regret of deterministic policies "
            "that use the first L observations, the linear program of the history-optimal regret, or the bilinear program of exact "
            "CCL. With another --objective the same for values; all are minimised, so that the optimum is minus the value. "
            "Columns: z is the maximum regret (with --objective max-min the least value); y are occupancies of one environment, "
            "with --form paper only those before step L, and x those from step L on; sigma are occupancies of a likelihood class "
            "(with --form compact as shares of the largest possible); D is 1 where an action is chosen; pi are probabilities of "
            "actions. Of several promises k counts environments and, in each, promises.",
    .examples = "vouch export maze.json -L 1 --form compact -o maze.mps\n"
                "vouch export maze.json --form pomdp -o maze.pomdp\n",
    .options = options,
    .size = sizeof(export_args),
    .run = run,
};
