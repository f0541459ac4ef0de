/* NULL for each pointer of each public call. Where the headers of include/vouch do not allow NULL, a call returns
 * VOUCH_ERROR_ARGUMENT, or does nothing and returns the empty value (vouch.h); where they do, it works. No call may crash.
 *
 * Each call runs in its own process, once unchanged and once for each pointer: NEED(x) must not be NULL, MAY(x) may be.
 */
#include "test.h"

#include <ctype.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vouch/journal.h>
#include <vouch/vouch.h>

/* How the process of one call ends. */
enum { FITS = 0, DIFFERS, NO_SUCH_PLACE, UNTOUCHED = 0x55 };
/* Most pointers of a call, and seconds that one takes. */
enum { MOST = 10, LONGEST = 60 };

static struct {
    const char *call;
    int missing, place;  /* the pointer that is NULL, -1: none; how many have been met */
    bool allowed, child; /* the missing one may be NULL */
    int wrong;
    char *called; /* the text of all calls */
    size_t length;
} t;

static bool is_missing(bool allowed)
{
    bool here = t.place++ == t.missing;
    t.allowed = t.allowed || (here && allowed);
    return here;
}

#define NEED(x) (is_missing(false) ? NULL : (x))
#define MAY(x)  (is_missing(true) ? NULL : (x))

static void begin(const char *call)
{
    t.call = call;
    t.missing = -2;
    size_t more = strlen(call) + 2;
    t.called = realloc(t.called, t.length + more);
    assert_non_null(t.called);
    t.length += (size_t)snprintf(t.called + t.length, more, "%s\n", call);
}

/* True in a new process, for each place in turn; false when all have been. */
static bool another(void)
{
    static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}; /* by cmocka, which would go on with the next test */
    for (t.missing++; t.missing < MOST; t.missing++) {
        t.place = 0;
        t.allowed = false;
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) signal(caught[i], SIG_DFL);
            alarm(LONGEST);
            return true;
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == NO_SUCH_PLACE) return false;
        if (WIFEXITED(status) && WEXITSTATUS(status) == FITS) continue;
        t.wrong++;
        fprintf(stderr, "%s, NULL in place %d: %s %d\n", t.call, t.missing + 1, WIFEXITED(status) ? "answers other than" : "signal",
                WIFEXITED(status) ? 0 : WTERMSIG(status));
        if (t.missing < 0) return false;
    }
    return false;
}

/* whole: the call worked; refused: it was refused as it must be. */
static void answered(bool whole, bool refused)
{
    if (t.missing >= t.place) _exit(NO_SUCH_PLACE);
    _exit((t.missing < 0 || t.allowed ? whole : refused) ? FITS : DIFFERS);
}

static void judge_status(vouch_status status) { answered(status == VOUCH_OK, status == VOUCH_ERROR_ARGUMENT); }

/* STATUS(call): returns a status. VALUE(none, call): returns `none` for NULL. TEXT: returns a string, never NULL. DONE: returns
 * nothing. */
#define STATUS(call)                                                                                                               \
    for (begin(#call); another();) judge_status(call)
#define VALUE(none, call)                                                                                                          \
    for (begin(#call); another();) answered(true, (call) == (none))
#define TEXT(call)                                                                                                                 \
    for (begin(#call); another();) answered(true, strlen(call) < 100)
#define DONE(call)                                                                                                                 \
    for (begin(#call); another(); answered(true, true)) call

/* A call that fills `of`, with zeros if its object is NULL. */
#define FILLS(of, call)                                                                                                            \
    for (begin(#call); another();) {                                                                                               \
        memset(&(of), UNTOUCHED, sizeof(of));                                                                                      \
        call;                                                                                                                      \
        answered(true, is_cleared(&(of), sizeof(of)));                                                                             \
    }

/* Padding, and an output that was not passed, stay untouched. */
static bool is_cleared(const void *block, size_t size)
{
    const unsigned char *byte = block;
    for (size_t i = 0; i < size; i++)
        if (byte[i] != 0 && byte[i] != UNTOUCHED) return false;
    return true;
}

static vouch_error error;

/* ---- programs ------------------------------------------------------------------------------------------------- */

static vouch_lp *small_program(void)
{
    static const int64_t start[] = {0, 2, 4};
    static const int index[] = {0, 1, 0, 1};
    static const double value[] = {1, 1, 1, 2}, cost[] = {-1, -1}, lower[] = {0, 0}, upper[] = {3, 3},
                        least[] = {-INFINITY, -INFINITY}, most[] = {4, 6};
    vouch_lp_data data = {.rows = 2,
                          .cols = 2,
                          .start = start,
                          .index = index,
                          .value = value,
                          .cost = cost,
                          .col_lower = lower,
                          .col_upper = upper,
                          .row_lower = least,
                          .row_upper = most};
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &data, &error), VOUCH_OK);
    return lp;
}

static void programs(void **state)
{
    (void)state;
    vouch_lp *lp = small_program(), *other;
    const int64_t start[] = {0, 1};
    const int index[] = {0};
    const double value[] = {1}, lower[] = {0}, upper[] = {1};
    unsigned char rows[2], cols[2];
    vouch_lp_data data;
    assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
    vouch_lp_view(lp, &data);
    vouch_lp_get_basis(lp, rows, cols);
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    vouch_lp_result result;
    vouch_lp_range range[4];

    DONE(vouch_lp_options_init(NEED(&options)));
    STATUS(vouch_lp_new(NEED(&other)));
    STATUS(vouch_lp_clone(NEED(&other), NEED(lp)));
    DONE(vouch_lp_free(MAY(lp)));
    STATUS(vouch_lp_load(NEED(lp), NEED(&data), MAY(&error)));
    STATUS(vouch_lp_add_rows(NEED(lp), 1, NEED(start), NEED(index), NEED(value), MAY(lower), MAY(upper)));
    STATUS(vouch_lp_add_cols(NEED(lp), 1, NEED(start), NEED(index), NEED(value), MAY(lower), MAY(lower), MAY(upper)));
    STATUS(vouch_lp_delete_rows(NEED(lp), 1, NEED(index)));
    STATUS(vouch_lp_delete_cols(NEED(lp), 1, NEED(index)));
    STATUS(vouch_lp_set_col_bounds(NEED(lp), 0, 0, 1));
    STATUS(vouch_lp_set_row_bounds(NEED(lp), 0, 0, 1));
    STATUS(vouch_lp_set_cost(NEED(lp), 0, 1));
    STATUS(vouch_lp_set_offset(NEED(lp), 1));
    STATUS(vouch_lp_set_maximize(NEED(lp), 1));
    STATUS(vouch_lp_set_name(NEED(lp), MAY("n")));
    STATUS(vouch_lp_set_objective_name(NEED(lp), MAY("n")));
    STATUS(vouch_lp_set_row_name(NEED(lp), 0, MAY("n")));
    STATUS(vouch_lp_set_col_name(NEED(lp), 0, MAY("n")));
    TEXT(vouch_lp_name(NEED(lp)));
    TEXT(vouch_lp_objective_name(NEED(lp)));
    TEXT(vouch_lp_row_name(NEED(lp), 0));
    TEXT(vouch_lp_col_name(NEED(lp), 0));
    STATUS(vouch_lp_set_integer(NEED(lp), 0, 1));
    VALUE(0, vouch_lp_is_integer(NEED(lp), 0));
    STATUS(vouch_lp_set_rewritten(NEED(lp), 0));
    VALUE(0, vouch_lp_is_rewritten(NEED(lp)));
    STATUS(vouch_lp_add_sos1(NEED(lp), 1, NEED(index), MAY(value)));
    VALUE(0, vouch_lp_sos1_count(NEED(lp)));
    VALUE(0, vouch_lp_rows(NEED(lp)));
    VALUE(0, vouch_lp_cols(NEED(lp)));
    FILLS(data, vouch_lp_view(NEED(lp), NEED(&data)));
    DONE(vouch_lp_get_basis(NEED(lp), NEED(rows), NEED(cols)));
    STATUS(vouch_lp_set_basis(NEED(lp), NEED(rows), NEED(cols)));
    DONE(vouch_lp_forget_basis(NEED(lp)));
    VALUE(0, vouch_lp_has_basis(NEED(lp)));
    STATUS(vouch_lp_solve(NEED(lp), MAY(&options)));
    FILLS(result, vouch_lp_get_result(NEED(lp), NEED(&result)));
    STATUS(vouch_lp_ranges(NEED(lp), NEED(range)));

    const int *member;
    const double *weight;
    int count;
    assert_int_equal(vouch_lp_add_sos1(lp, 1, index, NULL), VOUCH_OK);
    DONE(vouch_lp_sos1(NEED(lp), 0, NEED(&count), NEED(&member), NEED(&weight)));
    vouch_lp_free(lp);
}

static void program_files(void **state)
{
    (void)state;
    vouch_lp *lp = small_program(), *other;
    vouch_log log = {0};
    char path[] = "/tmp/vouch_null_XXXXXX", text[] = "Maximize\n x\nSubject To\n c: x <= 1\nEnd\n";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
    assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
    STATUS(vouch_lp_read(NEED(&other), NEED(path), VOUCH_FORMAT_LP, MAY(&log), MAY(&error)));
    STATUS(vouch_lp_read_text(NEED(&other), NEED(text), sizeof text - 1, NEED("x.lp"), VOUCH_FORMAT_LP, MAY(&log), MAY(&error)));
    STATUS(vouch_lp_write(NEED(lp), NEED(path), VOUCH_FORMAT_LP, MAY(&error)));
    vouch_lp_product product[] = {{0, 0, 1, 2}};
    STATUS(vouch_lp_write_products(NEED(lp), NEED(product), 1, NEED(path), MAY(&error)));
    STATUS(vouch_lp_write_basis(NEED(lp), NEED(path), MAY(&error)));
    STATUS(vouch_lp_read_basis(NEED(lp), NEED(path), MAY(&error)));
    remove(path);
    vouch_lp_free(lp);
}

static void integer_programs(void **state)
{
    (void)state;
    vouch_lp *lp = small_program();
    vouch_mip *mip, *other;
    vouch_mip_options options;
    vouch_mip_result result;
    vouch_limits limits = {0};
    vouch_proof proof = {0};
    vouch_mip_options_init(&options);
    assert_int_equal(vouch_lp_set_integer(lp, 0, 1), VOUCH_OK);
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    DONE(vouch_mip_options_init(NEED(&options)));
    STATUS(vouch_mip_new(NEED(&other), NEED(lp)));
    STATUS(vouch_mip_solve(NEED(mip), MAY(&options)));
    FILLS(result, vouch_mip_get_result(NEED(mip), NEED(&result)));
    STATUS(vouch_lp_prove(NEED(lp), MAY(((double[]){3, 1})), NEED(&limits), NEED(&proof)));
    DONE(vouch_proof_free(MAY(&proof)));
    DONE(vouch_mip_free(MAY(mip)));
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

/* ---- models --------------------------------------------------------------------------------------------------- */

static void models_made(void **state)
{
    (void)state;
    vouch_model *m, *other;
    vouch_row row[] = {{0, 0, 0, 1, 1, 0}};
    STATUS(vouch_model_new(NEED(&other), 2, 1, 1, 2));
    assert_int_equal(vouch_model_new(&m, 2, 1, 1, 2), VOUCH_OK);
    STATUS(vouch_model_set_name(NEED(m), NEED("n")));
    STATUS(vouch_model_set_state_name(NEED(m), 0, NEED("n")));
    STATUS(vouch_model_set_action_name(NEED(m), 0, NEED("n")));
    STATUS(vouch_model_set_environment_name(NEED(m), 0, NEED("n")));
    STATUS(vouch_model_set_initial(NEED(m), 0));
    STATUS(vouch_model_set_horizon(NEED(m), 1));
    STATUS(vouch_model_set_commitment(NEED(m), 1, 1));
    STATUS(vouch_model_set_probability(NEED(m), 0.5));
    STATUS(vouch_model_set_reward_tolerance(NEED(m), 0));
    STATUS(vouch_model_set_observed(NEED(m), VOUCH_OBSERVE_STATES));
    STATUS(vouch_model_set_initial_probability(NEED(m), 0, 0, 1));
    STATUS(vouch_model_add_label(NEED(m), NEED("l")));
    STATUS(vouch_model_add_promise(NEED(m), NEED("p"), VOUCH_PROMISE_BY, 0, 2));
    STATUS(vouch_model_add(NEED(m), 0, 0, 0, 1, 1, 0));
    STATUS(vouch_model_add_rows(NEED(m), NEED(row), 1, MAY(&error)));
    STATUS(vouch_model_add_interval(NEED(m), NEED(row), 0));
    STATUS(vouch_model_set_within(NEED(m), 0.1));
    STATUS(vouch_model_set_sense(NEED(m), VOUCH_MINIMISE));
    assert_int_equal(vouch_model_add_label(m, "l"), VOUCH_OK);
    assert_int_equal(vouch_model_add_promise(m, "p", VOUCH_PROMISE_BY, 0, 2), VOUCH_OK);
    STATUS(vouch_model_set_label_state(NEED(m), 0, 0, 0, 1));
    STATUS(vouch_model_set_promise_state(NEED(m), 0, 0, 0, 1));
    STATUS(vouch_model_set_promise_through(NEED(m), 0, 0, 0, 1));
    STATUS(vouch_model_set_promise_probability(NEED(m), 0, 0, 0.5));
    STATUS(vouch_model_set_promise_average(NEED(m), 0, 0));
    STATUS(vouch_model_set_prior(NEED(m), NEED(((double[]){1, 1}))));
    assert_int_equal(vouch_model_add(m, 0, 0, 0, 1, 1, 0), VOUCH_OK);
    assert_int_equal(vouch_model_add(m, 0, 1, 0, 1, 1, 0), VOUCH_OK);
    vouch_model_fault fault;
    STATUS(vouch_model_finish(NEED(m), MAY(&fault), MAY(&error)));
    DONE(vouch_model_free(MAY(m)));
    vouch_model_free(m);
    VALUE(-1, vouch_promise_kind_find(NEED("by")));
    VALUE(-1, vouch_observed_find(NEED("rewards")));
}

static vouch_model *twins(void)
{
    vouch_model *m;
    if (vouch_generate_twin_states(&m, 3, &error)) fail_msg("%s", error.text);
    return m;
}

static void models_read(void **state)
{
    (void)state;
    vouch_model *m = twins(), *other;
    vouch_promise promise;
    vouch_transitions transitions;
    const char *name, *memory;
    const int *action;
    VALUE(0, vouch_model_labels(NEED(m)));
    VALUE(NULL, vouch_model_label_name(NEED(m), 0));
    VALUE(0, vouch_model_has_label(NEED(m), 0, 0, 0));
    VALUE(VOUCH_OBSERVE_REWARDS, vouch_model_observed(NEED(m)));
    VALUE(VOUCH_MAXIMISE, vouch_model_sense(NEED(m)));
    VALUE(0, vouch_model_within(NEED(m)));
    VALUE(0, vouch_model_has_error(NEED(m)));
    double tolerance;
    size_t outcomes = vouch_model_observations(m, &tolerance, NULL);
    int *number = calloc(outcomes, sizeof *number);
    assert_non_null(number);
    VALUE(0, vouch_model_observations(NEED(m), MAY(&tolerance), MAY(number)));
    STATUS(vouch_model_set_observations(NEED(m), 0, NEED(number), outcomes));
    free(number);
    VALUE(0, vouch_model_states(NEED(m)));
    VALUE(0, vouch_model_actions(NEED(m)));
    VALUE(0, vouch_model_environments(NEED(m)));
    VALUE(0, vouch_model_horizon(NEED(m)));
    VALUE(-1, vouch_model_initial(NEED(m)));
    VALUE(1, isnan(vouch_model_probability(NEED(m))));
    VALUE(0, vouch_model_is_commitment(NEED(m), 0));
    VALUE(0, vouch_model_kept(NEED(m), 1));
    TEXT(vouch_model_name(NEED(m)));
    TEXT(vouch_model_state_name(NEED(m), 0));
    TEXT(vouch_model_action_name(NEED(m), 0));
    TEXT(vouch_model_environment_name(NEED(m), 0));
    VALUE(-1, vouch_model_find_state(NEED(m), NEED("s0")));
    VALUE(-1, vouch_model_find_action(NEED(m), NEED("a0")));
    VALUE(0, vouch_model_promises(NEED(m)));
    VALUE(0, vouch_model_has_list(NEED(m)));
    FILLS(promise, vouch_model_get_promise(NEED(m), 0, NEED(&promise)));
    VALUE(0, vouch_model_promise_has_end(NEED(m), 0));
    VALUE(-1, vouch_model_find_promise(NEED(m), NEED("commitment")));
    VALUE(1, isnan(vouch_model_promise_probability(NEED(m), 0, 0)));
    VALUE(0, vouch_model_promise_kept(NEED(m), 0, 0, 1));
    VALUE(0, vouch_model_has_prior(NEED(m)));
    VALUE(1, isnan(vouch_model_prior(NEED(m), 0)));
    VALUE(0, vouch_model_promise_is_average(NEED(m), 0));
    VALUE(0, vouch_model_averages(NEED(m)));
    VALUE(1, isnan(vouch_model_mean(NEED(m), NEED(((double[]){1, 1})), 0)));
    VALUE(0, vouch_model_mean_kept(NEED(m), 0, 1));
    VALUE(0, vouch_model_is_promised(NEED(m), 0, 0, 0));
    VALUE(0, vouch_model_promise_holds(NEED(m), 0, 0, 0));
    VALUE(0, vouch_model_first_time(NEED(m)));
    VALUE(-1, vouch_model_look(NEED(m), 0, NEED(&name), NEED(&memory)));
    VALUE(0, vouch_model_available(NEED(m), 0, NEED(&action)));
    VALUE(-1, vouch_model_pair(NEED(m), 0, 0));
    FILLS(transitions, vouch_model_get_transitions(NEED(m), 0, 0, 0, NEED(&transitions)));
    STATUS(vouch_model_restrict(NEED(&other), NEED(m), MAY(((int[]){0})), 1, MAY(&error)));
    vouch_model_free(m);
}

static void models_generated(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_maze_shape maze = {.corridor = 2, .up = 1, .down = 1, .environments = 2, .horizon = 5, .probability = 0.1, .grip = 0.9};
    vouch_random_shape random = {.states = 3, .actions = 2, .environments = 2, .horizon = 2, .branching = 2, .seed = 1};
    vouch_family_shape family = {.states = 3, .actions = 2, .environments = 2, .horizon = 2, .concentration = 1, .seed = 1};
    STATUS(vouch_generate_twin_states(NEED(&m), 2, MAY(&error)));
    STATUS(vouch_generate_t_maze(NEED(&m), NEED(&maze), MAY(&error)));
    STATUS(vouch_generate_lookahead(NEED(&m), MAY(&error)));
    STATUS(vouch_generate_random(NEED(&m), NEED(&random), MAY(&error)));
    STATUS(vouch_generate_random_dense(NEED(&m), NEED(&family), MAY(&error)));
    STATUS(vouch_generate_machine_repair(NEED(&m), NEED(&family), MAY(&error)));
    STATUS(vouch_generate_adaptive(NEED(&m), NEED(&family), MAY(&error)));
    STATUS(vouch_generate_corridor(NEED(&m), 6, 0.1, MAY(&error)));
}

/* ---- plans ---------------------------------------------------------------------------------------------------- */

static vouch_policy *planned(const vouch_model *m)
{
    vouch_plan_options options;
    vouch_policy *p;
    vouch_plan_options_init(&options);
    if (vouch_plan(&p, m, &options, &error)) fail_msg("%s", error.text);
    return p;
}

static void plans(void **state)
{
    (void)state;
    vouch_model *m = twins();
    vouch_policy *p = planned(m), *other;
    vouch_plan_options options;
    vouch_plan_result result;
    vouch_plan_options_init(&options);
    DONE(vouch_plan_options_init(NEED(&options)));
    STATUS(vouch_plan(NEED(&other), NEED(m), MAY(&options), MAY(&error)));
    FILLS(result, vouch_policy_get_result(NEED(p), NEED(&result)));
    VALUE(-1, vouch_objective_find(NEED("regret")));
    VALUE(-1, vouch_method_find(NEED("milp-ccl")));
    int old;
    VALUE(-1, vouch_part_find(NEED("probing"), MAY(&old)));

    vouch_groups *groups, *more;
    vouch_groups_result all;
    vouch_group group;
    options.lookahead = 0;
    if (vouch_plan_groups(&groups, m, &options, 2, VOUCH_PROMISES_ALL, &error)) fail_msg("%s", error.text);
    STATUS(vouch_plan_groups(NEED(&more), NEED(m), MAY(&options), 1, VOUCH_PROMISES_ALL, MAY(&error)));
    FILLS(all, vouch_groups_get_result(NEED(groups), NEED(&all)));
    FILLS(group, vouch_groups_get(NEED(groups), 0, NEED(&group)));
    DONE(vouch_groups_free(MAY(groups)));
    vouch_groups_free(groups);

    double probability[9];
    int environment[9];
    vouch_range range;
    vouch_conflict conflict = {.environment = environment};
    STATUS(vouch_explain_alone(NEED(m), NEED(probability), MAY(&error)));
    VALUE(1, isnan(vouch_explain_upper(NEED(m), 0, NEED(probability))));
    STATUS(vouch_explain_largest(NEED(m), NEED(&options), 1, NEED(&range), MAY(&error)));
    STATUS(vouch_explain_level(NEED(m), 0, NEED(&options), 1, NEED(&range), MAY(&error)));
    vouch_policy_free(p);
    assert_int_equal(vouch_model_set_probability(m, 1), VOUCH_OK);
    STATUS(vouch_explain_conflict(NEED(m), NEED(&options), NEED(&conflict), MAY(&error)));
    vouch_model_free(m);
}

static void policies(void **state)
{
    (void)state;
    vouch_model *m = twins();
    vouch_policy *p = planned(m), *other;
    vouch_environment_figures figures[9];
    double commitments[9];
    int kept;
    vouch_rule rule;
    assert_int_equal(vouch_policy_evaluate(p, m, figures, &kept, &error), VOUCH_OK);
    TEXT(vouch_policy_method(NEED(p)));
    VALUE(0, vouch_policy_lookahead(NEED(p)));
    VALUE(0, vouch_policy_horizon(NEED(p)));
    VALUE(0, vouch_policy_environments(NEED(p)));
    VALUE(0, vouch_policy_rules(NEED(p)));
    FILLS(rule, vouch_policy_get_rule(NEED(p), 0, NEED(&rule)));
    STATUS(vouch_policy_evaluate(NEED(p), NEED(m), NEED(figures), NEED(&kept), MAY(&error)));
    STATUS(vouch_policy_evaluate_promises(NEED(p), NEED(m), NEED(figures), MAY(commitments), NEED(&kept), MAY(&error)));
    double *lost = calloc((size_t)vouch_policy_rules(p) + 1000, sizeof *lost);
    STATUS(vouch_policy_worst(NEED(p), NEED(m), NEED(commitments), MAY(lost), NEED(&kept), MAY(&error)));
    STATUS(vouch_policy_set_worst(NEED(p), 1, NEED(commitments)));
    free(lost);
    DONE(vouch_policy_set_figures(NEED(p), NEED(figures)));
    STATUS(vouch_policy_set_commitments(NEED(p), 1, NEED(commitments)));

    vouch_policy_graph *graph, *second;
    vouch_policy_graph_data data;
    assert_int_equal(vouch_policy_graph_new(&graph, p, m, &error), VOUCH_OK);
    STATUS(vouch_policy_graph_new(NEED(&second), NEED(p), NEED(m), MAY(&error)));
    FILLS(data, vouch_policy_graph_view(NEED(graph), NEED(&data)));
    DONE(vouch_policy_graph_free(MAY(graph)));
    vouch_policy_graph_free(graph);

    vouch_decision_tree *tree, *second_tree;
    vouch_decision_tree_size size;
    vouch_picture picture = {400, 400, 0, 0};
    char *words;
    assert_int_equal(vouch_decision_tree_new(&tree, p, m, 0, &error), VOUCH_OK);
    STATUS(vouch_decision_tree_new(NEED(&second_tree), NEED(p), NEED(m), 0, MAY(&error)));
    STATUS(vouch_decision_tree_write(NEED(tree), VOUCH_TREE_TEXT, 0, 0, NEED(&words), MAY(&error)));
    FILLS(size, vouch_decision_tree_get_size(NEED(tree), NEED(&size)));
    VALUE(NULL, vouch_decision_tree_policy(NEED(tree)));
    words = NULL;
    STATUS(vouch_policy_draw(NEED(p), NEED(m), NEED(&picture), NEED(&words), MAY(&error)));
    DONE(vouch_decision_tree_free(MAY(tree)));
    DONE(vouch_text_free(MAY(words)));
    vouch_decision_tree_free(tree);

    vouch_episode *e, *new;
    vouch_decision d;
    assert_int_equal(vouch_episode_new(&e, p, m, 1, &error), VOUCH_OK);
    STATUS(vouch_episode_new(NEED(&new), NEED(p), NEED(m), 1, MAY(&error)));
    DONE(vouch_episode_restart(NEED(e), 1));
    FILLS(d, vouch_episode_decision(NEED(e), NEED(&d)));
    vouch_episode_decision(e, &d);
    vouch_transitions next;
    vouch_model_get_transitions(m, d.environment[0], d.state, d.sampled, &next);
    STATUS(vouch_episode_observe(NEED(e), -1, next.reward[0], next.next[0], MAY(&error)));
    VALUE(0, vouch_episode_done(NEED(e)));
    VALUE(0, vouch_episode_kept(NEED(e)));
    DONE(vouch_episode_free(MAY(e)));
    vouch_episode_free(e);

    char path[] = "/tmp/vouch_null_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    STATUS(vouch_policy_write(NEED(p), NEED(m), NEED(path), MAY(&error)));
    STATUS(vouch_policy_read(NEED(&other), NEED(m), NEED(path), MAY(&error)));
    vouch_model *read;
    vouch_source source;
    STATUS(vouch_model_write(NEED(m), NEED(path), MAY(&error)));
    STATUS(vouch_model_read(NEED(&read), NEED(path), MAY(&error)));
    vouch_source_init(&source);
    DONE(vouch_source_init(NEED(&source)));
    STATUS(vouch_model_import(NEED(&read), NEED(path), MAY(&source), MAY(&error)));
    remove(path);
    DONE(vouch_policy_free(MAY(p)));
    vouch_policy_free(p);
    vouch_model_free(m);
}

static void planned_again(void **state)
{
    (void)state;
    vouch_model *m = twins();
    vouch_policy *p = planned(m);
    vouch_ccil_options options;
    vouch_simulation_options simulation;
    vouch_ccil *ccil, *other;
    vouch_ccil_result result;
    vouch_sample sample[9] = {{0}};
    vouch_ccil_options_init(&options);
    vouch_simulation_options_init(&simulation);
    simulation.episodes = 4;
    assert_int_equal(vouch_ccil_new(&ccil, m, &options, &error), VOUCH_OK);
    DONE(vouch_ccil_options_init(NEED(&options)));
    STATUS(vouch_ccil_new(NEED(&other), NEED(m), MAY(&options), MAY(&error)));
    STATUS(vouch_ccil_evaluate(NEED(ccil), MAY(&error)));
    FILLS(result, vouch_ccil_get_result(NEED(ccil), NEED(&result)));
    DONE(vouch_simulation_options_init(NEED(&simulation)));
    STATUS(vouch_simulate(NEED(p), NEED(m), NEED(&simulation), NEED(sample), MAY(&error)));
    STATUS(vouch_simulate_ccil(NEED(ccil), NEED(&simulation), NEED(sample), MAY(&error)));
    VALUE(1, vouch_sample_average(NEED(m), 0, NEED(sample)).episodes == 0);
    DONE(vouch_ccil_free(MAY(ccil)));
    vouch_ccil_free(ccil);
    vouch_policy_free(p);

    vouch_executor *e, *new;
    vouch_decision d;
    double probability[9];
    assert_int_equal(vouch_executor_new(&e, m, &options, &error), VOUCH_OK);
    STATUS(vouch_executor_new(NEED(&new), NEED(m), MAY(&options), MAY(&error)));
    DONE(vouch_executor_restart(NEED(e), 1));
    FILLS(d, vouch_executor_decision(NEED(e), NEED(&d)));
    vouch_executor_decision(e, &d);
    vouch_transitions next;
    vouch_model_get_transitions(m, d.environment[0], d.state, d.sampled, &next);
    STATUS(vouch_executor_observe(NEED(e), -1, next.reward[0], next.next[0], MAY(&error)));
    VALUE(0, vouch_executor_done(NEED(e)));
    VALUE(0, vouch_executor_kept(NEED(e)));
    DONE(vouch_executor_promise(NEED(e), NEED(probability)));
    DONE(vouch_executor_free(MAY(e)));
    vouch_executor_free(e);
    vouch_model_free(m);
}

static void written_down(void **state)
{
    (void)state;
    vouch_model *m = twins();
    vouch_program *f, *other;
    const vouch_lp_product *product;
    vouch_program_aim aim = {VOUCH_OBJECTIVE_REGRET, NULL};
    assert_int_equal(vouch_program_new(&f, m, VOUCH_PROGRAM_BILINEAR, 0, &error), VOUCH_OK);
    STATUS(vouch_program_new(NEED(&other), NEED(m), VOUCH_PROGRAM_COMPACT, 0, MAY(&error)));
    STATUS(vouch_program_new_for(NEED(&other), NEED(m), VOUCH_PROGRAM_COMPACT, 0, MAY(&aim), MAY(&error)));
    VALUE(NULL, vouch_program_lp(NEED(f)));
    VALUE(0, vouch_program_products(NEED(f), NEED(&product)));
    DONE(vouch_program_free(MAY(f)));
    vouch_program_free(f);
    vouch_model_free(m);

    vouch_trace *trace, *second;
    size_t length;
    char text[100];
    STATUS(vouch_trace_new(NEED(&second), 1));
    assert_int_equal(vouch_trace_new(&trace, 1), VOUCH_OK);
    TEXT(vouch_trace_events(NEED(trace), MAY(&length)));
    DONE(vouch_trace_counters(NEED(trace), NEED(text), sizeof text));
    DONE(vouch_trace_free(MAY(trace)));
    vouch_trace_free(trace);

    vouch_journal *journal, *third;
    vouch_journal_options options = {.mark = "null", .resume = 1};
    char path[] = "/tmp/vouch_null_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    STATUS(vouch_journal_open(NEED(&third), NEED(path), NEED(&options), MAY(&error)));
    remove(path);
    assert_int_equal(vouch_journal_open(&journal, path, &options, &error), VOUCH_OK);
    VALUE(0, vouch_journal_records(NEED(journal)));
    VALUE(0, vouch_journal_is(NEED(path)));
    DONE(vouch_journal_free(MAY(journal)));
    vouch_journal_free(journal);
    remove(path);
}

/* ---- no call is left out -------------------------------------------------------------------------------------- */

/* A call with pointers, declared at `at`, behind VOUCH_API; its name to name [size]. */
static bool takes_pointers(const char *at, char *name, size_t size)
{
    const char *open = strchr(at, '('), *end = strchr(at, ';');
    if (!open || !end || open > end) return false;
    const char *first = open;
    while (first > at && (isalnum((unsigned char)first[-1]) || first[-1] == '_')) first--;
    snprintf(name, size, "%.*s(", (int)(open - first), first);
    size_t length = (size_t)(end - open);
    return memchr(open, '*', length) || memchr(open, '[', length);
}

static void all_calls(void **state)
{
    (void)state;
    FILE *list = popen("cat include/vouch/*.h", "r");
    assert_non_null(list);
    static char headers[400000];
    size_t length = fread(headers, 1, sizeof headers - 1, list);
    pclose(list);
    assert_true(length > 10000 && length < sizeof headers - 1);
    int calls = 0, absent = 0;
    for (const char *at = strstr(headers, "\nVOUCH_API"); at; at = strstr(at + 1, "\nVOUCH_API")) {
        char name[100];
        if (!takes_pointers(at, name, sizeof name)) continue;
        calls++;
        if (t.called && strstr(t.called, name)) continue;
        absent++;
        fprintf(stderr, "%s is not called with NULL\n", name);
    }
    printf("%d calls\n", calls);
    assert_true(calls > 150);
    assert_int_equal(absent, 0);
    assert_int_equal(t.wrong, 0);
    free(t.called);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs),     cmocka_unit_test(program_files), cmocka_unit_test(integer_programs),
        cmocka_unit_test(models_made),  cmocka_unit_test(models_read),   cmocka_unit_test(models_generated),
        cmocka_unit_test(plans),        cmocka_unit_test(policies),      cmocka_unit_test(planned_again),
        cmocka_unit_test(written_down), cmocka_unit_test(all_calls),
    };
    return run_tests(tests);
}
