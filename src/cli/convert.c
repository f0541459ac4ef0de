/* cli/convert.c - vouch convert: a model of any format as JSON, CSV, DRN or POMDP files. */
#include "cli/cli.h"

typedef struct convert_args {
    cli_common common;
    model_args model;
    const char *output;
    int joined;
} convert_args;

#define WRITTEN(endings, constants, read, files, write, help) help
static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "OUT", offsetof(convert_args, output), "-",
     .help = MODEL_FORMATS(WRITTEN) "; - is JSON on standard output"},
    {CLI_FLAG, 0, "joined", NULL, offsetof(convert_args, joined), NULL,
     .help = "JSON whose states include the memory of the promises, so that each promise is about the state at the horizon, as "
             "--proof requires. State \"at=2 [home kept] @3\" is at=2 at time 3 after the promise home was kept"},
    MODEL_OPTIONS(convert_args),
    {0},
};
#undef WRITTEN

static int run(void *arguments, char **operand)
{
    convert_args *args = arguments;
    args->model.unrewarded = true;
    vouch_model *m = load_model(&args->model, operand[0]);
    cli_try(model_export(m, args->output, args->joined, &cli_error));
    figures_print_written(m, args->output, vouch_model_horizon(m) + (args->joined ? 0 : vouch_model_first_time(m)),
                          args->common.json);
    return CLI_SOLVED;
}

const cli_command cli_convert = {
    .name = "convert",
    .operands = "MODEL",
    .least_operands = 1,
    .summary = "write a model in another format",
    .text = "Reads a model in any of the formats and writes it in the format given by the name of OUT. A directory gets one of "
            "Storm's .drn files per environment.",
    .examples = "vouch convert ferry.prism --const current=0:2 --commit port -T 8 -p 0.9 -o ferry.json\n"
                "vouch convert maze.json -o maze.csv\n",
    .options = options,
    .size = sizeof(convert_args),
    .run = run,
};
