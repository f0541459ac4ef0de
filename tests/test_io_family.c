/* DRN directories and multi-model CSV: alignment of states, agreement of actions, round trips, and memory that runs out. */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>
#include <vouch/vouch.h>

#include "io/formats.h"
#include <vouch/generate.h>
#include "mdp/model.h"

static vouch_source plain(int horizon)
{
    vouch_source source;
    vouch_source_init(&source);
    source.horizon = horizon;
    return source;
}

static double probability(const vouch_model *m, int k, const char *from, int action, const char *to)
{
    int q = model_pair(m, vouch_model_find_state(m, from), action), next = vouch_model_find_state(m, to);
    for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++)
        if (m->env[k].next[o] == next) return m->env[k].prob[o];
    return 0;
}

/* ---- CSV ----------------------------------------------------------------------------------------------------- */

static const char csv[] = "\"idaction\",\"idstatefrom\",\"idstateto\",\"probability\",\"reward\",\"idoutcome\"\r\n"
                          "0,0,1,0.25,3,0\n0,0,0,0.75,-1,0\n\n0,1,1,1,0,0\n 0 , 0 , 1 , 1 , 0.5 , 1\n0,1,0,1,2,1\n";

static void csv_is_read_and_comes_back_as_written(void **state)
{
    (void)state;
    vouch_source source = plain(4);
    vouch_error error = {0};
    vouch_model *m;
    source.commit = "1";
    source.probability = 0.5;
    if (csv_model_parse(&m, &(file_content){"x.csv", csv, strlen(csv)}, NULL, &source, &error)) fail_msg("%s", error.text);
    assert_true(m->S == 2 && m->A == 1 && m->K == 2 && m->T == 4 && m->p == 0.5 && m->terminal[1] > 0 && m->terminal[0] == 0);
    assert_near(probability(m, 0, "0", 0, "1"), 0.25, 0);
    assert_near(probability(m, 1, "0", 0, "1"), 1, 0);
    assert_near(m->env[0].expected[0], 0, 1e-15); /* 0.25 * 3 - 0.75 */
    assert_near(m->env[1].expected[1], 2, 0);
    text once = {0}, twice = {0};
    csv_model_write(m, &once);
    vouch_model *back;
    assert_int_equal(csv_model_parse(&back, &(file_content){"x.csv", once.data, once.length}, NULL, &source, &error), VOUCH_OK);
    csv_model_write(back, &twice);
    assert_string_equal(once.data, twice.data);
    text_free(&once);
    text_free(&twice);
    vouch_model_free(m);
    vouch_model_free(back);
}

/* The initial state becomes number 0. */
static void test_csv_moves_the_initial_state_first(void **state)
{
    (void)state;
    vouch_model *m, *back;
    vouch_error error = {0};
    vouch_source source = plain(2);
    assert_int_equal(vouch_model_new(&m, 3, 1, 1, 2), VOUCH_OK);
    vouch_model_set_initial(m, 2);
    for (int s = 0; s < 3; s++) assert_int_equal(vouch_model_add(m, 0, s, 0, (s + 1) % 3, 1, s), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, &error), VOUCH_OK);
    text t = {0};
    csv_model_write(m, &t);
    assert_int_equal(csv_model_parse(&back, &(file_content){"x.csv", t.data, t.length}, NULL, &source, &error), VOUCH_OK);
    assert_near(back->env[0].expected[0], 2, 0);
    assert_near(probability(back, 0, "0", 0, "1"), 1, 0);
    assert_near(back->env[0].expected[1], 0, 0);
    text_free(&t);
    vouch_model_free(m);
    vouch_model_free(back);
}

static void test_csv_initial_state(void **state)
{
    (void)state;
    static const struct {
        const char *content, *message;
        int initial;
    } list[] = {
        {"idstate,probability\n1,1\n", NULL, 1},
        {"\"probability\",\"idstate\"\r\n0,0\r\n0.5,1\r\n0.5,1\r\n", NULL, 1},
        {"idstate,probability\n", "i.csv:1: expected probabilities that sum to 1", 0},
        {"idstate,probability\n0,0.5\n", "i.csv:2: expected probabilities that sum to 1", 0},
        {"idstate,probability\n1,0.5\n0,0.5\n", NULL, 1},
        {"idstate,probability\n-1,1\n", "i.csv:2: idstate: expected a whole number from 0 to 10000000, found \"-1\"", 0},
        {"idstate,probability\n1,2\n", "i.csv:2: probability: expected a number between 0 and 1, found \"2\"", 0},
        {"idstate,probability\n1,1,1\n", "i.csv:2: this line has not as many fields as the first", 0},
        {"idstate\n1\n", "i.csv:1: a column is missing: expected idstate and probability", 0},
        {"idstate,probability,x\n", "i.csv:1: expected the names of columns idstate, probability, found \"x\"", 0},
        {"", "i.csv:1: the file is empty; expected a line of column names", 0},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        vouch_error error = {0};
        initial_list initial = {0};
        vouch_status status =
            csv_initial_parse(&initial, &(file_content){"i.csv", list[i].content, strlen(list[i].content)}, &error);
        if (!list[i].message)
            assert_true(status == VOUCH_OK && initial.count > 0 && initial.item[0].state == list[i].initial);
        else {
            assert_int_equal(status, VOUCH_ERROR_INPUT);
            assert_string_equal(error.text, list[i].message);
        }
        mem_free(initial.item);
    }
    vouch_source source = plain(4);
    vouch_error error = {0};
    vouch_model *m;
    assert_int_equal(csv_model_parse(&m, &(file_content){"x.csv", csv, strlen(csv)},
                                     &(initial_list){&(initial_state){1, 1, 2}, 1, 1, "i.csv"}, &source, &error),
                     VOUCH_OK);
    assert_int_equal(m->s0, 1);
    vouch_model_free(m);
    assert_int_equal(csv_model_parse(&m, &(file_content){"x.csv", csv, strlen(csv)},
                                     &(initial_list){&(initial_state){2, 1, 7}, 1, 1, "i.csv"}, &source, &error),
                     VOUCH_ERROR_INPUT);
    assert_string_equal(error.text, "i.csv:7: the initial state is 2, which x.csv does not name");
}

static const vouch_model *read_csv(vouch_model **m, const char *path, const char *content)
{
    vouch_source source = plain(2);
    vouch_error error = {0};
    if (csv_model_parse(m, &(file_content){path, content, strlen(content)}, NULL, &source, &error)) fail_msg("%s", error.text);
    return *m;
}

/* Columns in any order; environment and reward are optional. */
static void columns_may_be_missing(void **state)
{
    (void)state;
    vouch_model *m;
    read_csv(&m, "x.csv", "idstateto,idstatefrom,reward,idaction,probability\n1,0,4,1,1\n0,0,3,0,1\n0,1,0,0,1\n");
    assert_true(m->K == 1 && m->S == 2 && m->A == 2 && m->pairs == 3);
    assert_string_equal(m->env_name[0], "model0");
    assert_near(probability(m, 0, "0", 1, "1"), 1, 0);
    assert_near(m->env[0].expected[model_pair(m, 0, 1)], 4, 0);
    assert_near(m->env[0].expected[model_pair(m, 0, 0)], 3, 0);
    vouch_model_free(m);
}

/* A model has the name of its file up to the first point, as far as there is room. */
static void a_model_is_named_after_its_file(void **state)
{
    (void)state;
    char longer[200], cut[128];
    memset(longer, 'n', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    memset(cut, 'n', sizeof cut - 1);
    cut[sizeof cut - 1] = '\0';
    const char *const list[][2] = {
        {"maze.csv", "maze"}, {"a.b/maze.x.csv", "maze"}, {"maze", "maze"}, {"a/.csv", ".csv"}, {"a/", "a/"}, {longer, cut}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        vouch_model *m;
        assert_string_equal(read_csv(&m, list[i][0], csv)->name, list[i][1]);
        vouch_model_free(m);
    }
}

/* Beside the file, plain or compressed; and no file is written where a companion would be read with it. */
static void a_companion_names_the_initial_state_of_csv(void **state)
{
    (void)state;
    char dir[] = "/tmp/vouch-csv-XXXXXX", path[64], companion[64];
    static const char *const name[] = {"initial.csv", "initial.csv.gz"};
    vouch_source source = plain(4);
    vouch_error error = {0};
    vouch_model *m;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/x.csv", dir);
    assert_int_equal(file_write(path, csv, strlen(csv), &error), VOUCH_OK);
    assert_int_equal(vouch_model_import(&m, path, &source, &error), VOUCH_OK);
    assert_int_equal(m->s0, 0);
    assert_int_equal(model_export(m, path, false, &error), VOUCH_OK);
    for (size_t i = 0; i < 2; i++) {
        static const char content[] = "idstate,probability\n1,1\n";
        vouch_model *moved;
        snprintf(companion, sizeof companion, "%s/%s", dir, name[i]);
        assert_int_equal(file_write(companion, content, strlen(content), &error), VOUCH_OK);
        assert_int_equal(vouch_model_import(&moved, path, &source, &error), VOUCH_OK);
        assert_int_equal(moved->s0, 1);
        vouch_model_free(moved);
        assert_int_equal(model_export(m, path, false, &error), VOUCH_ERROR_INPUT);
        assert_non_null(strstr(error.text, "would be read as its initial state"));
        assert_int_equal(unlink(companion), 0);
    }
    assert_int_equal(model_export(m, companion, false, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "where the initial state of a CSV model is read from"));
    unlink(path);
    rmdir(dir);
    vouch_model_free(m);
}

/* ---- DRN ----------------------------------------------------------------------------------------------------- */

#define DRN_HEAD "@type: MDP\n@parameters\n\n@reward_models\ncost gain\n@nr_states\n3\n@nr_choices\n4\n@model\n"
/* The second file numbers the states in another order; only valuations can tell. State x=2 lies in the first only. */
static const char drn_a[] = DRN_HEAD
    "state 0 [1, 0] init\n//[x=0\t& !b]\n\taction go [0, 5]\n\t\t1 : 0.5\n\t\t2 : 0.5\n\taction stay [0, 0]\n\t\t0 : 1\n"
    "state 1 goal\n//[x=1\t& b]\n\taction 0 [0, 1]\n\t\t1 : 1\nstate 2 lost\n//[x=2\t& b]\n\taction __NOLABEL__\n\t\t2 : 1\n";
static const char drn_b[] = "@type: MDP\n@value_type: rational\n@placeholders\n$1 : 1/3\n$2 : 2/3\n@reward_models\ncost "
                            "gain\n@nr_states\n2\n@nr_choices\n3\n@model\n"
                            "state 0 goal\n//[x=1\t& b]\n\taction 0 [0, 1]\n\t\t0 : 1\nstate 1 [1, 0] init\n//[x=0\t& "
                            "!b]\n\taction stay [0, 0]\n\t\t1 : 1\n"
                            "\taction go [0, 5]\n\t\t0 : $1\n\t\t1 : $2\n";

static vouch_status parse_drn(vouch_model **m, const char *a, const char *b, const vouch_source *source, vouch_error *error)
{
    const file_content file[] = {{"dir/a.drn", a, strlen(a)}, {"dir/b.drn", b, strlen(b)}};
    return drn_model_parse(m, "dir", 2, file, source, error);
}

static void test_drn_by_valuation(void **state)
{
    (void)state;
    vouch_source source = plain(3);
    vouch_error error = {0};
    vouch_model *m;
    source.commit = "goal";
    source.probability = 0.5;
    source.reward = "gain";
    if (parse_drn(&m, drn_a, drn_b, &source, &error)) fail_msg("%s", error.text);
    assert_true(m->S == 3 && m->K == 2 && m->s0 == vouch_model_find_state(m, "x=0,!b"));
    assert_string_equal(m->env_name[1], "b");
    assert_true(m->terminal[vouch_model_find_state(m, "x=1,b")] > 0 && m->terminal[m->s0] == 0);
    int go = 0;
    while (strcmp(m->action_name[go], "go") != 0) go++;
    assert_near(probability(m, 0, "x=0,!b", go, "x=2,b"), 0.5, 0);
    assert_near(probability(m, 1, "x=0,!b", go, "x=1,b"), 1.0 / 3, 1e-16);
    assert_near(m->env[0].expected[model_pair(m, m->s0, go)], 5, 0);
    int lost = vouch_model_find_state(m, "x=2,b");
    assert_int_equal(m->pair_start[lost + 1] - m->pair_start[lost], 1);
    assert_near(probability(m, 1, "x=2,b", m->pair_action[m->pair_start[lost]], "x=2,b"), 1, 0);
    vouch_model_free(m);
    source.reward = "cost";
    assert_int_equal(parse_drn(&m, drn_a, drn_b, &source, &error), VOUCH_OK);
    assert_near(m->env[0].expected[model_pair(m, m->s0, go)], 1, 0);
    vouch_model_free(m);
    source.reward = NULL;
    source.time_to = "goal";
    assert_int_equal(parse_drn(&m, drn_a, drn_b, &source, &error), VOUCH_OK);
    assert_near(m->env[1].expected[model_pair(m, m->s0, go)], -1, 0);
    vouch_model_free(m);
}

/* Where an environment never gets, a state has the labels that it has in the first that gets there; x=2 is such a state of the
 * second. */
static void drn_labels_hold_in_every_environment(void **state)
{
    (void)state;
    static const struct {
        const char *commit;
        bool in[3]; /* x=0, x=1, x=2 */
    } cases[] = {{"goal", {false, true, false}},
                 {"\"goal\"", {false, true, false}},
                 {"!goal", {true, false, true}},
                 {"lost", {false, false, true}},
                 {"!lost", {true, true, false}},
                 {"(\"goal\" | lost)", {false, true, true}},
                 {"!(\"goal\" & !\"lost\")", {true, false, true}},
                 {"\"goal\" => lost", {true, false, true}},
                 {"x>0 & (x<=1 | !b)", {false, true, false}},
                 {"! b", {true, false, false}}};
    static const char *const name[] = {"x=0,!b", "x=1,b", "x=2,b"};
    vouch_source source = plain(3);
    vouch_error error = {0};
    vouch_model *m;
    source.probability = 0.5;
    source.reward = "gain";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        source.commit = cases[i].commit;
        if (parse_drn(&m, drn_a, drn_b, &source, &error)) fail_msg("%s", error.text);
        for (int k = 0; k < 2; k++)
            for (int s = 0; s < 3; s++)
                if (vouch_model_is_promised(m, 0, k, vouch_model_find_state(m, name[s])) != cases[i].in[s])
                    fail_msg("%s: environment %d, %s", cases[i].commit, k, name[s]);
        vouch_model_free(m);
    }
    source.commit = "!gaol";
    assert_int_equal(parse_drn(&m, drn_a, drn_b, &source, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "there is no label \"gaol\""));
}

static void drn_files_that_disagree_are_refused(void **state)
{
    (void)state;
    static const char one[] = "@type: MDP\n@model\nstate 0 init\n\taction a\n\t\t1 : 1\nstate 1 goal\n\taction a\n\t\t1 : 1\n";
    static const char labels[] = "@type: MDP\n@model\nstate 0 init goal\n\taction a\n\t\t1 : 1\nstate 1\n\taction a\n\t\t1 : 1\n";
    static const char actions[] = "@type: MDP\n@model\nstate 0 init\n\taction b\n\t\t1 : 1\nstate 1 goal\n\taction a\n\t\t1 : 1\n";
    vouch_source source = plain(1);
    source.unrewarded = 1;
    vouch_error error = {0};
    vouch_model *m;
    assert_int_equal(parse_drn(&m, one, labels, &source, &error), VOUCH_ERROR_INPUT);
    assert_string_equal(error.text, "state 0 has other labels in dir/b.drn than in dir/a.drn; without state valuations "
                                    "(--buildstateval) states are aligned by number");
    assert_int_equal(parse_drn(&m, one, actions, &source, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "state \"0\": environment \"a\" has the action \"a\", environment \"b\" has not"));
    assert_int_equal(parse_drn(&m, one, drn_a, &source, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "dir/a.drn has 2 states, dir/b.drn has 3"));
    source.merge_actions = 1;
    assert_int_equal(parse_drn(&m, one, actions, &source, &error), VOUCH_OK);
    assert_int_equal(m->pair_start[1], 2);
    vouch_model_free(m);
}

static void assert_same_rows(const vouch_model *a, const vouch_model *b)
{
    assert_true(a->S == b->S && a->A == b->A && a->K == b->K && a->pairs == b->pairs);
    for (int k = 0; k < a->K; k++)
        for (int s = 0; s < a->S; s++) {
            assert_string_equal(a->state_name[s], b->state_name[s]);
            for (int q = a->pair_start[s]; q < a->pair_start[s + 1]; q++) {
                const char *action = a->action_name[a->pair_action[q]];
                int i = 0;
                while (strcmp(b->action_name[i], action) != 0) i++;
                int r = model_pair(b, s, i);
                assert_true(r >= 0);
                for (int o = a->env[k].start[q]; o < a->env[k].start[q + 1]; o++) {
                    int other = b->env[k].start[r] + o - a->env[k].start[q];
                    assert_true(a->env[k].next[o] == b->env[k].next[other] && a->env[k].prob[o] == b->env[k].prob[other] &&
                                a->env[k].reward[o] == b->env[k].reward[other]);
                }
            }
        }
}

static void test_directories_round_trip(void **state)
{
    (void)state;
    char dir[] = "/tmp/vouch-drn-XXXXXX", path[64];
    vouch_error error = {0};
    vouch_model *m, *back;
    vouch_source source = plain(4);
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/", dir);
    vouch_random_shape shape = {
        .states = 6, .actions = 3, .environments = 12, .horizon = 4, .probability = 0.1, .branching = 3, .seed = 3};
    assert_int_equal(vouch_generate_random(&m, &shape, &error), VOUCH_OK);
    if (model_export(m, path, false, &error)) fail_msg("%s", error.text);
    source.commit = "commit";
    source.probability = 0.1;
    if (vouch_model_import(&back, path, &source, &error)) fail_msg("%s", error.text);
    assert_same_rows(m, back);
    vouch_model *other;
    assert_int_equal(vouch_generate_lookahead(&other, &error), VOUCH_OK);
    assert_int_equal(model_export(other, path, false, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "would be read as an environment of it"));
    vouch_model_free(other);
    assert_int_equal(model_export(m, path, false, &error), VOUCH_OK); /* its own files are replaced */
    for (int s = 0; s < m->S; s++) assert_int_equal(m->terminal[s], back->terminal[s]);
    for (int k = 1; k <= 12; k++) {
        snprintf(path, sizeof path, "%s/k%d.drn", dir, k);
        assert_int_equal(unlink(path), 0);
    }
    vouch_model_free(back);
    assert_int_equal(vouch_model_import(&back, dir, &source, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "there are no .drn or .tra files"));
    snprintf(path, sizeof path, "%s/index.json", dir);
    assert_int_equal(unlink(path), 0);
    rmdir(dir);
    vouch_model_free(m);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    vouch_source source = plain(3);
    source.commit = "goal";
    source.probability = 0.5;
    source.reward = "gain";
    int failures = 0;
    for (int which = 0; which < 2; which++)
        for (sweep w = {0};;) {
            vouch_model *m = NULL;
            vouch_error error = {0};
            sweep_refuse(&w);
            vouch_source bare = plain(3);
            vouch_status status = which == 0 ? parse_drn(&m, drn_a, drn_b, &source, &error)
                                             : csv_model_parse(&m, &(file_content){"x.csv", csv, strlen(csv)}, NULL, &bare, &error);
            bool last = sweep_ends(&w, status == VOUCH_OK);
            vouch_model_free(m);
            assert_int_equal(mem_live(), 0);
            if (last) break;
            if (status == VOUCH_OK) continue;
            if (status != VOUCH_ERROR_MEMORY) fail_msg("allocation %ld: %s", w.k, error.text);
            failures++;
        }
    assert_true(failures > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_is_read_and_comes_back_as_written),
        cmocka_unit_test(test_csv_moves_the_initial_state_first),
        cmocka_unit_test(test_csv_initial_state),
        cmocka_unit_test(columns_may_be_missing),
        cmocka_unit_test(a_model_is_named_after_its_file),
        cmocka_unit_test(a_companion_names_the_initial_state_of_csv),
        cmocka_unit_test(test_drn_by_valuation),
        cmocka_unit_test(drn_labels_hold_in_every_environment),
        cmocka_unit_test(drn_files_that_disagree_are_refused),
        cmocka_unit_test(test_directories_round_trip),
        cmocka_unit_test(test_memory_runs_out),
    };
    return run_tests(tests);
}
