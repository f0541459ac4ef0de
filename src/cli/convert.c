/* cli/convert.c - vouch convert: a model of any format as JSON, CSV or DRN files. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/load.h"
#include "io/formats.h"
#include "io/json.h"

typedef struct convert_args {
    cli_common common;
    model_args model;
    const char *output;
} convert_args;

#define WRITTEN(endings, constants, read, files, write, help) help
static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "OUT", offsetof(convert_args, output), "-",
     .help = MODEL_FORMATS(WRITTEN) "; - is JSON on standard output"},
    MODEL_OPTIONS(convert_args),
    {0},
};
#undef WRITTEN

static int run(void *arguments, char **operand, int operands)
{
    const convert_args *args = arguments;
    (void)operands;
    vouch_model *m = NULL;
    vouch_error error = {0};
    int code = load_model(&args->model, operand[0], &m);
    if (code) return code;
    if (model_export(m, args->output, &error)) {
        code = cli_failed(&error);
    } else if (strcmp(args->output, "-") != 0) {
        int S = vouch_model_states(m), A = vouch_model_actions(m), K = vouch_model_environments(m), T = vouch_model_horizon(m);
        if (args->common.json) {
            text t = {0};
            text_add(&t, "{ \"file\": ");
            js_add_string(&t, args->output);
            text_add(&t, ", \"states\": %d, \"actions\": %d, \"environments\": %d, \"horizon\": %d }\n", S, A, K, T);
            cli_print(&t);
            text_free(&t);
        } else {
            printf("%s: %d states, %d actions, %d environments, horizon %d\n", args->output, S, A, K, T);
        }
    }
    vouch_model_free(m);
    return code;
}

const cli_command cli_convert = {
    .name = "convert",
    .operands = "MODEL",
    .least_operands = 1,
    .summary = "write a model in another format",
    .text = "Reads a model in any of the formats and writes it in the one that the name of OUT asks for. A directory gets one of "
            "Storm's .drn files per environment.",
    .examples = "vouch convert ferry.prism --const current=0:2 --commit port -T 8 -p 0.9 -o ferry.json\n"
                "vouch convert maze.json -o maze.csv\n",
    .options = options,
    .size = sizeof(convert_args),
    .run = run,
};
