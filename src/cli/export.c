/* cli/export.c - vouch export: the programs of the theory as files, for other solvers. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <vouch/vouch.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "io/lpformat.h"
#include "mdp/model.h"
#include "policy/space.h"
#include "program/program.h"

enum { FORM_PAPER, FORM_COMPACT, FORM_HISTORY, FORM_BILINEAR };

typedef struct export_args {
    cli_common common;
    model_args model;
    int lookahead, form, format;
    const char *output;
} export_args;

#define AT(field) offsetof(export_args, field)
static const cli_option options[] = {
    {CLI_INT, 'L', NULL, "N", AT(lookahead), "0", 0, INT_MAX, .help = "steps for which knowledge is updated, 0 to T"},
    {CLI_WORD, 0, "form", "F", AT(form), "paper", .words = "paper|compact|history|bilinear",
     .help = "MILP-CCL as the paper prints it, over likelihood classes, the history-optimal linear program, or exact CCL with "
             "products (--format lp only)"},
    {CLI_WORD, 0, "format", "X", AT(format), "mps", .words = "mps|lp", .help = "free MPS or CPLEX LP"},
    {CLI_OUTPUT, 'o', "output", "FILE", AT(output), "-", .help = "where the program goes; - is standard output; .gz compresses"},
    MODEL_OPTIONS(export_args),
    {0},
};
#undef AT

static vouch_status build(const policy_space *space, int form, program **p)
{
    if (form == FORM_PAPER) return program_paper(space->g, space->optimal, space->m->p, p);
    if (form == FORM_BILINEAR) return program_bilinear(space->g, space->optimal, space->p, p);
    return program_compact(space->c, space->optimal, space->p, PROGRAM_MAX_REGRET, 0, form == FORM_COMPACT, p);
}

static vouch_status write_bilinear(const program *p, const char *path, vouch_error *error)
{
    text t = {0};
    lp_product *product = MEM_NEW(lp_product, p->products);
    vouch_status status = product ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int i = 0; i < p->products && !status; i++)
        product[i] = (lp_product){p->product[i].row, p->product[i].first, p->product[i].second, p->product[i].value};
    if (!status) status = lpformat_write_products(p->lp, product, p->products, &t, error);
    if (!status) status = text_write(&t, path, error);
    text_free(&t);
    mem_free(product);
    return status;
}

static int run(void *arguments, char **operand, int operands)
{
    const export_args *args = arguments;
    (void)operands;
    vouch_model *model = NULL;
    vouch_error error = {0};
    policy_space space = {0};
    program *p = NULL;
    int code = load_model(&args->model, operand[0], &model);
    if (code) return code;
    space_options so;
    space_options_init(&so);
    so.L = args->form == FORM_HISTORY ? vouch_model_horizon(model) : args->lookahead;
    so.frontier_cap = 0;
    so.classes = args->form == FORM_COMPACT || args->form == FORM_HISTORY;
    if (args->lookahead > vouch_model_horizon(model)) {
        code = cli_wrong("-L: %d is outside 0 .. %d, the horizon", args->lookahead, vouch_model_horizon(model));
        goto done;
    }
    if (args->form == FORM_BILINEAR && !args->format) {
        code = cli_wrong("--form bilinear: products of variables can be written with --format lp only");
        goto done;
    }
    vouch_status status = space_make(model, &so, &space, &error);
    for (int k = 0; !status && k < space.K; k++)
        if (!isfinite(space.optimal[k])) {
            cli_wrong("infeasible: environment \"%s\" alone cannot keep the commitment, so its optimal value does not exist",
                      model->env_name[k]);
            code = CLI_INFEASIBLE;
            goto done;
        }
    if (!status) status = build(&space, args->form, &p);
    if (!status) status = program_set_names(p);
    if (!status && args->form == FORM_BILINEAR)
        status = write_bilinear(p, args->output, &error);
    else if (!status)
        status = vouch_lp_write(p->lp, args->output, args->format ? VOUCH_FORMAT_LP : VOUCH_FORMAT_MPS_FREE, &error);
    if (status) {
        if (!error.text[0]) snprintf(error.text, sizeof error.text, "%s: %s", operand[0], vouch_status_text(status));
        error.status = status;
        code = cli_failed(&error);
    } else if (args->common.json) {
        printf("{ \"rows\": %d, \"columns\": %d }\n", vouch_lp_rows(p->lp), vouch_lp_cols(p->lp));
    }
done:
    program_free(p);
    space_free(&space);
    vouch_model_free(model);
    return code;
}

const cli_command cli_export = {
    .name = "export",
    .operands = "MODEL",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "write a program for other solvers",
    .text = "Writes the mixed-integer program of MILP-CCL, whose optimum is the least maximum regret of deterministic policies "
            "that use L "
            "observations, the linear program of the history-optimal regret, or the bilinear program of exact CCL. "
            "Columns: z is the maximum regret, y and x are occupancies of "
            "one environment before and after step L, sigma occupancies of a likelihood class (compact: as shares of the largest "
            "possible), D indicators, pi action probabilities.",
    .options = options,
    .size = sizeof(export_args),
    .run = run,
};
