/* cli/paper.c - the data of paper.h.
 *
 * Numbers of the paper: Zhang, Singh, Durfee, ICAPS 2017 (Twin-States table, proof of Theorem Lgeneral). The paper's T-Maze
 * drawing is not available; its references are values found for the default maze of `vouch generate t-maze` by independent
 * solvers. The history-optimal values are not in the paper; independent LP solvers found them.
 */
#include "cli/paper.h"

#include <math.h>

const paper_method PAPER_GREEDY = {VOUCH_METHOD_GREEDY, COURSE_ONE_PLAN};
const paper_method PAPER_MDPS_BEST = {VOUCH_METHOD_MDPS_BEST, COURSE_ONE_PLAN};
const paper_method PAPER_MILP_CCL = {VOUCH_METHOD_MILP_CCL, COURSE_ONE_PLAN};
const paper_method PAPER_EXACT_CCL = {VOUCH_METHOD_EXACT_CCL, COURSE_ONE_PLAN};
const paper_method PAPER_HISTORY = {VOUCH_METHOD_HISTORY, COURSE_ONE_PLAN};
const paper_method PAPER_MILP_CCIL = {VOUCH_METHOD_MILP_CCL, COURSE_REPLANNED};
const paper_method PAPER_GUARDED = {VOUCH_METHOD_MILP_CCL, COURSE_GUARDED};
const paper_method PAPER_UNTIED = {VOUCH_METHOD_MILP_CCL, COURSE_UNTIED};
static const paper_method SIMULATED = {VOUCH_METHOD_MILP_CCL, COURSE_SIMULATED};
static const paper_method PRINTED = {VOUCH_METHOD_GREEDY, COURSE_PRINTED};

const char *paper_method_name(const paper_method *r)
{
    const vouch_method_description *about = vouch_method_describe(r->method);
    bool once = r->course == COURSE_ONE_PLAN || r->course == COURSE_PRINTED;
    return once ? about->word : r->course == COURSE_GUARDED ? about->guarded : about->replanned;
}

bool paper_method_proves(const paper_method *r) { return r->course != COURSE_UNTIED && vouch_method_describe(r->method)->proves; }

#define VALUES(...) ((const double[]){__VA_ARGS__})
#define LINES(list) (int)(sizeof(list) / sizeof *(list))

static vouch_status make_lookahead(vouch_model **model, int T, vouch_error *error)
{
    (void)T;
    return vouch_generate_lookahead(model, error);
}

vouch_status paper_maze(vouch_model **model, int T, vouch_error *error)
{
    return vouch_generate_t_maze(model, &(vouch_maze_shape){3, 2, 2, 2, T, 0.6, 0.8}, error);
}

static const paper_line short_horizon[] = {
    {"exact CCL", &PAPER_EXACT_CCL, 0, VALUES(1.5, 6.0 / 7, 6.0 / 7), .drawn = true},
    {"MILP-CCL", &PAPER_MILP_CCL, 0, VALUES(2, 1, 1), .drawn = true},
    {"MILP-CCIL", &PAPER_MILP_CCIL, 0, NULL, .drawn = true},
};

static const paper_line twin_states[] = {
    {"Greedy", &PAPER_GREEDY, PAPER_WHOLE, NULL, .drawn = true},
    {"Greedy, as printed *", &PRINTED, PAPER_WHOLE, VALUES(NAN, 5, 5, 9, 13, 17, 21), .drawn = false},
    {"MDPs-Best", &PAPER_MDPS_BEST, 0, VALUES(NAN, 3, 7, 13, 19, 25, 31), .drawn = true},
    {"MILP-CCL, L = 0", &PAPER_MILP_CCL, 0, VALUES(2, 3, 6, 10, 15, 19, 22), .drawn = true},
    {"MILP-CCL, L = 1", &PAPER_MILP_CCL, 1, VALUES(1, 1, 3, 6, 8, 9, 11), .drawn = true},
    {"MILP-CCL, L = 2", &PAPER_MILP_CCL, 2, VALUES(1, 1, 3, 6, 8, 9, 11), .drawn = false},
    {"MILP-CCL, L = 3", &PAPER_MILP_CCL, 3, VALUES(NAN, 1, 3, 5, 5, 5, 5), .drawn = true},
    {"MILP-CCL, L = T", &PAPER_MILP_CCL, PAPER_WHOLE, VALUES(1, 1, 3, 5, 5, 5, 5), .drawn = false},
    {"MILP-CCIL, L = 1", &PAPER_MILP_CCIL, 1, VALUES(NAN, 1, 3, 5, 5, 5, 5), .drawn = true},
    {"guarded CCIL, L = 1", &PAPER_GUARDED, 1, NULL, .drawn = false},
    {"history-optimal", &PAPER_HISTORY, PAPER_WHOLE, VALUES(6.0 / 7, 0.9, 2.5, 3.747191011, 3.988636364, 4.150273224, 4.266528926),
     .drawn = true},
};

static const paper_line t_maze[] = {
    {"MILP-CCL", &PAPER_MILP_CCL, 0,
     VALUES(0.776128, 0.776128, 0.776128, 0.609728, 0.609728, 0.609728, 0.769728, NAN, NAN, NAN, NAN), .drawn = true},
    {"MILP-CCIL", &PAPER_MILP_CCIL, 0, VALUES(NAN, 0.609728, 0.609728, 0.609728, NAN, NAN, 0.769728, NAN, NAN, NAN, NAN),
     .drawn = true},
    {"guarded CCIL", &PAPER_GUARDED, 0, NULL, .drawn = true},
    {"exact CCL", &PAPER_EXACT_CCL, 0, VALUES(0, NAN, NAN, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN), .drawn = true},
    {"MILP-CCIL, simulated", &SIMULATED, 0, NULL, .drawn = true},
    {"history-optimal", &PAPER_HISTORY, 0, VALUES(0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN), .drawn = true,
     .single = true},
};

static const paper_line lookahead[] = {
    {"MILP-CCL", &PAPER_MILP_CCL, 0, VALUES(1, 0.1, 1, 1), .drawn = false},
    {"exact CCL", &PAPER_EXACT_CCL, 0, VALUES(NAN, 0.1, 0.5, NAN), .drawn = false},
    {"history-optimal", &PAPER_HISTORY, 0, VALUES(0.1, NAN, NAN, NAN), .drawn = false, .single = true},
};

const paper_figure paper_figures[] = {
    {.name = "short-horizon",
     .title = "Short horizon: Twin-States, T = 2",
     .make = vouch_generate_twin_states,
     .axis = 'L',
     .T = 2,
     .columns = 3,
     .column = {0, 1, 2},
     .line = short_horizon,
     .lines = LINES(short_horizon),
     .caption = "Maximum regret on Twin-States with T = 2: stochastic policies have less regret, and one observation suffices."},
    {.name = "twin-states",
     .title = "Twin-States: in A at time T with probability 1, K = 9",
     .make = vouch_generate_twin_states,
     .axis = 'T',
     .columns = 7,
     .column = {2, 3, 5, 7, 9, 11, 13},
     .line = twin_states,
     .lines = LINES(twin_states),
     .note = "* Greedy as the paper defines it gives our row; the paper's printed row results if the reward of the last action is "
             "left out for Greedy alone. A value in parentheses is the paper's where ours differs.",
     .caption = "Maximum regret on Twin-States. Replanning after every step (MILP-CCIL, L = 1) does as well as planning with three "
                "observations."},
    {.name = "t-maze",
     .title = "Slippery T-Maze 3,2,2,2: in c at time 10 with probability 0.6, K = 2",
     .make = paper_maze,
     .axis = 'L',
     .T = 10,
     .columns = 11,
     .column = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
     .line = t_maze,
     .lines = LINES(t_maze),
     .caption = "Maximum regret on the Slippery T-Maze. A larger L is not always better for deterministic policies; replanning "
                "after a few steps compensates."},
    {.name = "lookahead",
     .title = "Lookahead can hurt: the example in the proof of Theorem Lgeneral, T = 3",
     .make = make_lookahead,
     .axis = 'L',
     .T = 3,
     .columns = 4,
     .column = {0, 1, 2, 3},
     .line = lookahead,
     .lines = LINES(lookahead)},
};
const int paper_figure_count = LINES(paper_figures);
