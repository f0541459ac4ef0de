/* cli/reproduce.c - vouch reproduce: the paper's tables and figures beside our values. */
#include <errno.h>
#include <sys/stat.h>

#include "base/nearest.h"
#include "cli/reproduce.h"

typedef struct reproduce_args {
    cli_common common;
    int engine;
    long long episodes;
    const char *output, *proofs;
} reproduce_args;

static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "REPORT.html", offsetof(reproduce_args, output), NULL,
     .help = "write tables, figures and checks as an HTML page"},
    {CLI_TEXT, 0, "proofs", "DIR", offsetof(reproduce_args, proofs), NULL,
     .help = "write a model and a proof of each plan into a directory, and have vouch-check verify them"},
    {CLI_WORD, 0, "engine", "E", offsetof(reproduce_args, engine), "auto", .words = "auto|policy|lp",
     .help = "branch and bound on policies, or on the linear program"},
    {CLI_LONG, 0, "episodes", "N", offsetof(reproduce_args, episodes), "10000", 1, 1e9,
     .help = "of simulations, in each environment"},
    {0},
};

#define PREFACE                                                                                                                    \
    "Zhang, Singh, Durfee, Minimizing Maximum Regret in Commitment Constrained Sequential Decision Making, ICAPS 2017, "           \
    "recomputed by vouch %s. All regrets are computed from finished policies, propagated through every environment; for CCIL "     \
    "they are exact, without sampling, unless noted. A tick: the value agrees with its reference. Where marks of several lines "   \
    "coincide, the earlier line has the larger one."

/* The last line, and the end of the page. */
static void finish(session *s, const reproduce_args *args)
{
    double seconds = clock_seconds() - s->limit.start;
    char values[96], checks[64] = "", proofs[128] = "", summary[384];
    if (s->checks) snprintf(checks, sizeof checks, "; %d of %d checks hold", s->holding, s->checks);
    if (s->folder)
        snprintf(proofs, sizeof proofs, "; %d of %d proofs verified, %d show less than is said here", s->verified, s->proofs,
                 s->less);
    if (s->cells)
        snprintf(values, sizeof values, "%d of %d values agree with the reference to 1e-6", s->agreeing, s->cells);
    else
        snprintf(values, sizeof values, "no value has a reference");
    snprintf(summary, sizeof summary, "%s%s%s%s; %.2f s", values, s->proved ? ", all proved optimal" : "", checks, proofs, seconds);
    if (!args->common.json)
        printf("%s\n", summary);
    else
        printf(" ],\n  \"compared\": %d, \"agreeing\": %d, \"checks\": %d, \"holding\": %d, \"seconds\": %.3f }\n", s->cells,
               s->agreeing, s->checks, s->holding, seconds);
    if (!s->page || s->wrong || report_interrupted()) return;
    vouch_error error = {0};
    page_paragraph(s->page, "%s.", summary);
    page_guide(s->page, (const char *const[]){"sweeps", "planning-again", "promises", NULL});
    if (page_write(s->page, "Commitments kept with least regret", args->output, &error)) s->wrong = cli_failed(&error);
}

static int run(void *arguments, char **operand)
{
    const reproduce_args *args = arguments;
    const char *which = operand[0] ? operand[0] : "all";
    vouch_limits limits = cli_limits(&args->common);
    page report = {0};
    session s = {.common = &args->common,
                 .engine = (vouch_engine)args->engine,
                 .episodes = args->episodes,
                 .limit = deadline_start(&limits),
                 .page = args->output ? &report : NULL,
                 .proved = 1,
                 .first = true,
                 .folder = args->proofs,
                 .least_spare = INFINITY};
    bool all = strcmp(which, "all") == 0, checks_too = all || strcmp(which, "checks") == 0;
    bool guarantees = all || strcmp(which, "guarantees") == 0, found = checks_too || guarantees;
    for (int i = 0; i < paper_figure_count; i++) found |= strcmp(which, paper_figures[i].name) == 0;
    if (!found) {
        const char *near = nearest_word(which, PAPER_NAMES);
        return cli_wrong("there is no experiment \"%s\"; expected one of " PAPER_NAMES "%s%s%s", which,
                         near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    }
    if (args->proofs && mkdir(args->proofs, 0777) != 0 && errno != EEXIST)
        return cli_wrong("%s: %s", args->proofs, system_text(errno));
    if (args->common.json) printf("{ \"cells\": [");
    if (s.page) page_paragraph(s.page, PREFACE, vouch_version());
    for (int i = 0; i < paper_figure_count && !s.wrong && !report_interrupted(); i++)
        if (all || strcmp(which, paper_figures[i].name) == 0) experiment_run(&s, &paper_figures[i]);
    if (guarantees && !s.wrong && !report_interrupted()) experiment_guarantees(&s);
    if (checks_too && !s.wrong && !report_interrupted()) experiment_checks(&s);
    finish(&s, args);
    page_free(&report);
    if (s.wrong) return s.wrong;
    if (report_interrupted()) return CLI_INTERRUPTED;
    return s.agreeing == s.cells && s.holding == s.checks && s.verified == s.proofs ? CLI_SOLVED
           : s.proved                                                               ? CLI_NUMERICAL
                                                                                    : CLI_LIMIT;
}

const cli_command cli_reproduce = {
    .name = "reproduce",
    .operands = "[" PAPER_NAMES "]",
    .more_operands = 1,
    .summary = "compute the paper's tables and figures, ours beside the paper's",
    .text = "Computes the short-horizon figure, the Twin-States table, the Slippery T-Maze figure and the example in which a "
            "larger lookahead hurts (Zhang, Singh, Durfee, ICAPS 2017), compares each number with its reference, and checks the "
            "paper's observations and theorems. guarantees: the price of a promise in every environment, compared to a promise on "
            "average over a prior and to none.",
    .examples = "vouch reproduce twin-states\n",
    .options = options,
    .size = sizeof(reproduce_args),
    .run = run,
};
