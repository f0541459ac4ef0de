/* Model files: meaning of the rows, exact round trips, and a failure of every allocation. */
#include "test.h"

#include <unistd.h>
#include <vouch/vouch.h>

#include "base/rng.h"
#include "io/json.h"
#include <vouch/generate.h>
#include "mdp/model.h"

static vouch_status parse(vouch_model **model, const char *content, vouch_error *error)
{
    char *copy = mem_string(content);
    assert_non_null(copy);
    return model_json_parse(model, "m.json", copy, strlen(content), error);
}

static vouch_model *read_model(const char *content)
{
    vouch_model *m;
    vouch_error error = {0};
    if (parse(&m, content, &error)) fail_msg("%s", error.text);
    return m;
}

#define HEAD                                                                                                                       \
    "{\"vouch\": 1, \"states\": [\"A\", \"B\"], \"actions\": 2, \"initial\": \"A\", \"horizon\": 3,"                               \
    "\"commitment\": {\"states\": [\"B\"], \"probability\": 0.25},"

static double probability(const vouch_model *m, int k, int s, int a, int next)
{
    int q = model_pair(m, s, a);
    for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++)
        if (m->env[k].next[o] == next) return m->env[k].prob[o];
    return 0;
}

static double reward(const vouch_model *m, int k, int s, int a, int next)
{
    int q = model_pair(m, s, a);
    for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++)
        if (m->env[k].next[o] == next) return m->env[k].reward[o];
    return NAN;
}

static void test_own_rows_replace_shared_ones(void **state)
{
    (void)state;
    vouch_model *m = read_model(
        HEAD
        "\"transitions\": [[\"A\",\"a0\",\"A\",0.5],[\"A\",\"a0\",\"B\",0.25],[\"A\",\"a0\",\"B\",0.25],[\"B\",\"a1\",\"A\",1]],"
        "\"rewards\": [[\"A\",\"a0\",3],[\"A\",\"a0\",\"B\",10],[\"B\",\"a1\",-1]],"
        "\"environments\": [{}, {\"name\": \"two\", \"transitions\": [[\"A\",\"a0\",\"B\",1]], \"rewards\": "
        "[[\"A\",\"a0\",\"A\",7]]}]}");
    assert_string_equal(m->env_name[0], "k1");
    assert_string_equal(m->env_name[1], "two");
    assert_string_equal(m->action_name[1], "a1");
    assert_int_equal(m->pairs, 2);
    assert_true(m->terminal[1] > 0 && m->terminal[0] == 0 && m->p == 0.25 && m->T == 3);
    assert_true(probability(m, 0, 0, 0, 1) == 0.5 && probability(m, 0, 0, 0, 0) == 0.5);
    assert_true(probability(m, 1, 0, 0, 1) == 1 && probability(m, 1, 0, 0, 0) == 0);
    assert_true(reward(m, 0, 0, 0, 0) == 3 && reward(m, 0, 0, 0, 1) == 13);
    assert_true(reward(m, 1, 0, 0, 1) == 0);
    assert_true(reward(m, 1, 1, 1, 0) == -1 && probability(m, 1, 1, 1, 0) == 1);
    assert_true(m->env[0].expected[0] == 8);
    vouch_model_free(m);
}

static void assert_same_model(const vouch_model *a, const vouch_model *b)
{
    assert_true(a->S == b->S && a->A == b->A && a->K == b->K && a->T == b->T && a->s0 == b->s0 && a->p == b->p &&
                a->pairs == b->pairs);
    for (int s = 0; s < a->S; s++) assert_true(strcmp(a->state_name[s], b->state_name[s]) == 0 && a->terminal[s] == b->terminal[s]);
    for (int i = 0; i < a->A; i++) assert_string_equal(a->action_name[i], b->action_name[i]);
    for (int k = 0; k < a->K; k++) {
        assert_string_equal(a->env_name[k], b->env_name[k]);
        const mdp *x = &a->env[k], *y = &b->env[k];
        for (int q = 0; q <= a->pairs; q++) assert_int_equal(x->start[q], y->start[q]);
        for (int o = 0; o < x->start[a->pairs]; o++)
            assert_true(x->next[o] == y->next[o] && x->prob[o] == y->prob[o] && x->reward[o] == y->reward[o]);
    }
}

static void assert_round_trip(vouch_model *m)
{
    text t = {0};
    model_json_write(m, &t);
    assert_false(t.failed);
    vouch_model *back = read_model(t.data);
    assert_same_model(m, back);
    text again = {0};
    model_json_write(back, &again);
    assert_string_equal(t.data, again.data);
    text_free(&t);
    text_free(&again);
    vouch_model_free(back);
    vouch_model_free(m);
}

static void test_round_trips_are_exact(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_error error;
    assert_int_equal(vouch_generate_twin_states(&m, 7, &error), VOUCH_OK);
    assert_round_trip(m);
    vouch_maze_shape maze = {
        .corridor = 3, .up = 2, .down = 2, .environments = 2, .horizon = 10, .probability = 0.6, .grip = 1.0 / 3};
    assert_int_equal(vouch_generate_t_maze(&m, &maze, &error), VOUCH_OK);
    assert_round_trip(m);
    assert_int_equal(vouch_generate_lookahead(&m, &error), VOUCH_OK);
    assert_round_trip(m);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        vouch_random_shape shape = {.states = 5,
                                    .actions = 3,
                                    .environments = 3,
                                    .horizon = 4,
                                    .probability = 0.2,
                                    .branching = 4,
                                    .shared_transitions = seed % 2 == 0,
                                    .seed = seed};
        assert_int_equal(vouch_generate_random(&m, &shape, &error), VOUCH_OK);
        assert_round_trip(m);
    }
    m = read_model(HEAD "\"name\": \"odd \\\"names\\\"\\n\\u00e9\", \"transitions\": "
                        "[[\"A\",\"a0\",\"A\",0.3],[\"A\",\"a0\",\"B\",0.7000001],[\"B\",\"a1\",\"A\",1]],"
                        "\"rewards\": [[\"A\",\"a0\",0.1],[\"A\",\"a0\",\"B\",1e-300]],"
                        "\"environments\": [{}, {\"rewards\": [[\"A\",\"a0\",\"A\",7],[\"B\",\"a1\",\"A\",1]]}]}");
    assert_round_trip(m);
}

static int occurrences(const char *all, const char *word)
{
    int count = 0;
    for (const char *at = all; (at = strstr(at, word)); at++) count++;
    return count;
}

/* Rows common to all environments are written once, others for each. */
static void test_what_is_shared_is_written_once(void **state)
{
    (void)state;
    vouch_model *m;
    text t = {0};
    assert_int_equal(vouch_model_new(&m, 2, 3, 4, 2), VOUCH_OK);
    vouch_model_set_action_name(m, 0, "same");
    vouch_model_set_action_name(m, 1, "differs");
    vouch_model_set_action_name(m, 2, "pays");
    for (int k = 0; k < 4; k++)
        for (int s = 0; s < 2; s++) {
            vouch_model_add(m, k, s, 0, 1 - s, 1, 2);
            vouch_model_add(m, k, s, 1, 0, k == 3 ? 0.5 : 0.25, 0);
            vouch_model_add(m, k, s, 1, 1, k == 3 ? 0.5 : 0.75, 0);
            vouch_model_add(m, k, s, 2, s, 1, k);
        }
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    model_json_write(m, &t);
    int differs = occurrences(t.data, "\"differs\"");
    assert_true(occurrences(t.data, "\"same\"") <= 1 + 2 + 2); /* the name, and in each state a row and a reward */
    assert_true(differs >= 2 * 2 * 4);
    text_free(&t);
    vouch_model_free(m);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    const char *content = HEAD "\"transitions\": [[\"A\",\"a0\",\"A\",0.5],[\"A\",\"a0\",\"B\",0.5],[\"B\",\"a1\",\"A\",1]], "
                               "\"rewards\": [[\"A\",\"a0\",3],[\"A\",\"a0\",\"B\",10]],"
                               "\"environments\": [{}, {\"name\": \"two\", \"transitions\": [[\"A\",\"a0\",\"B\",1]], \"rewards\": "
                               "[[\"A\",\"a0\",\"A\",7]]}]}";
    int failures = 0;
    for (sweep w = {0};;) {
        char *copy = mem_string(content);
        vouch_model *m = NULL;
        vouch_error error = {0};
        text t = {0};
        sweep_refuse(&w);
        vouch_status status = model_json_parse(&m, "m.json", copy, strlen(content), &error);
        if (status == VOUCH_OK) {
            model_json_write(m, &t);
            if (t.failed) status = VOUCH_ERROR_MEMORY;
        }
        bool last = sweep_ends(&w, status == VOUCH_OK);
        vouch_model_free(m);
        text_free(&t);
        assert_int_equal(mem_live(), 0);
        if (last) break;
        if (status == VOUCH_OK) continue;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 40);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_error error;
    text t = {0};
    assert_int_equal(vouch_generate_lookahead(&m, &error), VOUCH_OK);
    model_json_write(m, &t);
    vouch_model_free(m);
    for (size_t n = 0; n + 2 < t.length; n++) {
        char *copy = mem_alloc(n + 1, 1);
        memcpy(copy, t.data, n);
        copy[n] = '\0';
        assert_int_equal(model_json_parse(&m, "m.json", copy, n, &error), VOUCH_ERROR_INPUT);
        assert_null(m);
        assert_true(strncmp(error.text, "m.json:", 7) == 0);
    }
    text_free(&t);
}

/* A fault of the model as a whole is said with the line of the row, the environment or the state that it is in. */
static void a_fault_has_the_line_of_its_row(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *message;
    } list[] = {
        {"\"transitions\": [\n[\"A\",\"a0\",\"A\",1],\n[\"B\",\"a1\",\"A\",0.5]],\n\"environments\": [{}]}", "m.json:3:"},
        {"\"transitions\": [\n[\"A\",\"a0\",\"A\",1],\n[\"B\",\"a1\",\"A\",1]],\n\"environments\": [{},\n"
         "{\"transitions\": [\n[\"B\",\"a1\",\"A\",0.25]]}]}",
         "m.json:6:"},
        {"\"transitions\": [\n[\"B\",\"a1\",\"A\",1]],\n\"environments\": [{}]}", "m.json:1:"},
        {"\"transitions\": [\n[\"A\",\"a0\",\"A\",1],\n[\"B\",\"a1\",\"A\",1]],\n\"environments\": [\n"
         "{\"transitions\": [\n[\"A\",\"a1\",\"A\",1]]},\n{}]}",
         "m.json:7:"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char content[512];
        vouch_model *m;
        vouch_error error = {0};
        snprintf(content, sizeof content, "%s%s", HEAD, list[i].rows);
        assert_int_equal(parse(&m, content, &error), VOUCH_ERROR_INPUT);
        if (strncmp(error.text, list[i].message, strlen(list[i].message)) != 0) fail_msg("%s: %s", list[i].message, error.text);
    }
}

/* An escape in any string makes the reader parse the whole document; without one it reads the rows from the text. Both give the
 * same result for any file, changed in up to three places at random. */
static void rows_are_read_alike_from_text_and_tree(void **state)
{
    (void)state;
    static const char letters[] = "\"\"[]{},:0159.-eABa s\n\\";
    rng r = rng_seed(17);
    vouch_model *made, *m[2];
    vouch_error error[2] = {{0}};
    vouch_random_shape shape = {
        .states = 4, .actions = 2, .environments = 2, .horizon = 3, .probability = 0.1, .branching = 2, .seed = 3};
    assert_int_equal(vouch_generate_random(&made, &shape, error), VOUCH_OK);
    text t = {0};
    model_json_write(made, &t);
    const char *begin = strchr(t.data, ':');
    assert_non_null(begin);
    int read = 0;
    for (int round = 0; round < 20000; round++) {
        char *content = mem_string(begin), *whole = mem_alloc(t.length + 32, 1), *plain = mem_alloc(t.length + 32, 1);
        assert_true(content && whole && plain);
        for (int changes = round % 4; changes > 0; changes--) {
            char *at = content + 1 + rng_below(&r, strlen(content) - 1);
            if (round % 3 == 0)
                memmove(at, at + 1, strlen(at));
            else if (round % 3 == 1)
                *at = letters[rng_below(&r, sizeof letters - 1)];
            else
                *at = content[rng_below(&r, strlen(content))];
        }
        snprintf(plain, t.length + 32, "{ \"vouch\"%s", content);
        snprintf(whole, t.length + 32, "{ \"v\\u006fuch\"%s", content);
        mem_free(content);
        vouch_status status = model_json_parse(&m[0], "m.json", plain, strlen(plain), &error[0]);
        assert_int_equal(model_json_parse(&m[1], "m.json", whole, strlen(whole), &error[1]), status);
        if (status)
            assert_string_equal(error[0].text, error[1].text);
        else
            assert_same_model(m[0], m[1]);
        read += status == VOUCH_OK;
        vouch_model_free(m[0]);
        vouch_model_free(m[1]);
    }
    assert_true(read > 5000 && read < 15000);
    text_free(&t);
    vouch_model_free(made);
}

static void test_files_plain_and_compressed(void **state)
{
    (void)state;
    static const char *const outcomes[] = {".json", ".json.gz"};
    vouch_error error = {0};
    vouch_model *m, *back;
    assert_int_equal(vouch_generate_twin_states(&m, 3, &error), VOUCH_OK);
    for (int i = 0; i < 2; i++) {
        char path[64] = "/tmp/vouch-model-XXXXXX";
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        close(fd);
        unlink(path);
        strcat(path, outcomes[i]);
        assert_int_equal(vouch_model_write(m, path, &error), VOUCH_OK);
        assert_int_equal(vouch_model_read(&back, path, &error), VOUCH_OK);
        assert_same_model(m, back);
        vouch_model_free(back);
        unlink(path);
    }
    vouch_model_free(m);
}

static void test_random_models_can_keep_their_promise(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_error error = {0};
    vouch_random_shape impossible = {
        .states = 40, .actions = 1, .environments = 4, .horizon = 1, .probability = 1, .branching = 40, .seed = 1};
    assert_int_equal(vouch_generate_random(&m, &impossible, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "no model was found"));
    assert_null(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_rows_replace_shared_ones),
        cmocka_unit_test(test_round_trips_are_exact),
        cmocka_unit_test(test_what_is_shared_is_written_once),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(a_fault_has_the_line_of_its_row),
        cmocka_unit_test(rows_are_read_alike_from_text_and_tree),
        cmocka_unit_test(test_files_plain_and_compressed),
        cmocka_unit_test(test_random_models_can_keep_their_promise),
    };
    return run_tests(tests);
}
