/* cli/act.c - vouch act: CCIL online, one JSON object a line on standard input and output.
 *
 *     written: {"time":0,"state":"A","environments":[0,1],"do":{"a2":1},"action":"a2"}
 *     read:    {"reward":1,"state":"A"}, with "action" if the agent drew another action of the decision's support itself
 *
 * A malformed line, or an observation that is impossible in every remaining environment, is answered with {"error":".."} and may
 * be repeated; the state does not change. At the horizon: {"time":T,"done":true,"kept":true}, where kept is true in the promised
 * states.
 */
#include <errno.h>

#include "cli/cli.h"

typedef struct act_args {
    cli_common common;
    model_args model;
    replan_args replan;
} act_args;

static const cli_option options[] = {
    REPLAN_OPTIONS(act_args),
    MODEL_OPTIONS(act_args),
    {0},
};

/* Longer lines are refused and skipped. */
enum { LINE_CAP = 65536 };

typedef enum line_end { LINE_READ, LINE_TOO_LONG, LINE_PARTIAL, LINE_NONE } line_end;

/* The next line without its newline, of *length bytes. LINE_PARTIAL: the input ended within it. */
static line_end read_line(char line[LINE_CAP + 1], size_t *length)
{
    int c;
    *length = 0;
    while ((c = getchar()) != EOF && c != '\n')
        if ((*length)++ < LINE_CAP) line[*length - 1] = (char)c;
    if (c == EOF && *length == 0) return LINE_NONE;
    if (*length > LINE_CAP) return LINE_TOO_LONG;
    line[*length] = '\0';
    return c == EOF ? LINE_PARTIAL : LINE_READ;
}

/* A line and the executor that observes it. */
typedef struct observation {
    js_doc doc;
    vouch_executor *executor;
    const vouch_model *m;
    const char *line;
    size_t length;
    int number;
} observation;

static void read_observation(void *object)
{
    observation *o = object;
    js_doc *doc = &o->doc;
    vouch_decision last;
    vouch_executor_decision(o->executor, &last);
    const bool paid = last.time + vouch_model_first_time(o->m) >= 0, seen = vouch_model_observed(o->m) != VOUCH_OBSERVE_STATES;
    const js_field fields[] = {/* the reward may be omitted if none is paid, as by the draw of the first state, or observed */
                               {"reward", 1 << JS_NUMBER, paid && seen},
                               {"state", 1 << JS_STRING, true},
                               {"action", 1 << JS_STRING, false}};
    enum { REWARD, STATE, ACTION, FIELDS };
    uint32_t field[FIELDS];
    char name[64];
    snprintf(name, sizeof name, "observation %d", o->number);
    char *own = mem_alloc(o->length + 1, 1);
    if (!own) escape_memory(doc->e);
    memcpy(own, o->line, o->length + 1);
    js_parse(doc, name, own, o->length);
    js_fields(doc, 0, fields, FIELDS, field);
    int action = -1, state = vouch_model_find_state(o->m, js_string(doc, field[STATE]));
    if (state < 0) js_fail(doc, field[STATE], "there is no state \"%.100s\"", js_string(doc, field[STATE]));
    if (field[ACTION]) {
        action = vouch_model_find_action(o->m, js_string(doc, field[ACTION]));
        if (action < 0) js_fail(doc, field[ACTION], "there is no action \"%.100s\"", js_string(doc, field[ACTION]));
    }
    double reward = field[REWARD] ? js_number(doc, field[REWARD]) : 0;
    must(doc->e, vouch_executor_observe(o->executor, action, reward, state, doc->e->error));
}

/* Reads an observation and hands it to the executor. */
static vouch_status observe(vouch_executor *executor, const vouch_model *m, const char *line, size_t length, int number,
                            vouch_error *error)
{
    escape e = {.error = error};
    observation o = {{.e = &e}, executor, m, line, length, number};
    return escape_run(&e, read_observation, &o);
}

/* Writes one line; -1 if the reader is gone or memory ran out. */
static int say(text *t)
{
    bool bad = t->failed || fputs(t->data, stdout) == EOF || fflush(stdout) == EOF;
    text_free(t);
    return bad ? -1 : 0;
}

static int say_error(const char *what)
{
    text t = {0};
    js_add(&t, "{\"error\":\"%s\"}\n", what);
    return say(&t);
}

static int say_decision(const vouch_executor *e, const vouch_model *m)
{
    vouch_decision d;
    text t = {0};
    vouch_executor_decision(e, &d);
    text_add(&t, "{\"time\":%d,", d.time + vouch_model_first_time(m));
    if (vouch_executor_done(e)) {
        text_add(&t, "\"done\":true,\"kept\":%s}\n", vouch_executor_kept(e) ? "true" : "false");
        return say(&t);
    }
    const char *name, *memory;
    vouch_model_look(m, d.state, &name, &memory);
    js_add(&t, "\"state\":\"%s\"", name);
    if (*memory) js_add(&t, ",\"promises\":\"%s\"", memory);
    text_add(&t, ",\"environments\":[");
    for (int i = 0; i < d.environments; i++) text_add(&t, i ? ",%d" : "%d", d.environment[i]);
    text_add(&t, "],\"do\":{");
    for (int i = 0; i < d.actions; i++)
        js_add(&t, "%s\"%s\":%g", i ? "," : "", vouch_model_action_name(m, d.action[i]), d.probability[i]);
    js_add(&t, "},\"action\":\"%s\"}\n", vouch_model_action_name(m, d.sampled));
    return say(&t);
}

static int reader_gone(void) { return cli_wrong("standard output cannot be written; the next decision is lost"); }

static int converse(vouch_executor *e, const vouch_model *m)
{
    static char line[LINE_CAP + 1];
    vouch_error error = {0};
    int number = 0;
    if (say_decision(e, m)) return reader_gone();
    while (!vouch_executor_done(e)) {
        size_t length;
        line_end end = read_line(line, &length);
        if (report_interrupted()) return CLI_INTERRUPTED;
        if (end == LINE_NONE || end == LINE_PARTIAL) {
            vouch_decision d;
            vouch_executor_decision(e, &d);
            return cli_wrong("the input ended %s at time %d, before the horizon %d",
                             end == LINE_PARTIAL ? "within a line" : "with no observation", d.time + vouch_model_first_time(m),
                             vouch_model_horizon(m) + vouch_model_first_time(m));
        }
        vouch_status status = VOUCH_OK;
        number++;
        if (end == LINE_READ) status = observe(e, m, line, length, number, &error);
        int bad = end == LINE_TOO_LONG ? say_error("the line is longer than an observation can be")
                  : status             ? say_error(error.text)
                                       : say_decision(e, m);
        if (bad) return reader_gone();
    }
    return CLI_SOLVED;
}

static void free_executor(void *executor) { vouch_executor_free(executor); }

static int run(void *arguments, char **operand)
{
    const act_args *args = arguments;
    replan_refuse_idle(&args->replan);
    vouch_model *model = load_model(&args->model, operand[0]);
    vouch_executor *executor;
    vouch_ccil_options o;
    replan_options(&args->replan, &args->common, model, &o);
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away is reported */
    if (vouch_executor_new(&executor, model, &o, &cli_error)) {
        int code = cli_failed(&cli_error);
        return cli_error.status == VOUCH_ERROR_INPUT ? CLI_INFEASIBLE : code;
    }
    cli_own(free_executor, executor);
    return converse(executor, model);
}

const cli_command cli_act = {
    .name = "act",
    .operands = "MODEL",
    .least_operands = 1,
    .summary = "drive a live agent by CCIL over JSON lines",
    .text = "Writes the decision of each step as one line of JSON and reads the observation, {\"reward\":1,\"state\":\"A\"}, until "
            "the horizon. Replans every L steps. --time-limit bounds each plan; if it ends one early, the better of that plan and "
            "the policy in force is followed, and the promise is kept. The action is drawn with --seed. bench/examples has agents "
            "that play against it.",
    .examples = "vouch act maze.json -L 1 -T 1 -p 0 < answers.jsonl > decisions.jsonl\n",
    .options = options,
    .size = sizeof(act_args),
    .run = run,
};
