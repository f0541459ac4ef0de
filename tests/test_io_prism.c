/* PRISM files and sketches: expressions with known values, one model with every construct checked against transitions worked out by
 * hand, families, and memory that runs out at every allocation. */
#include "test.h"

#include <vouch/vouch.h>

#include "io/formats.h"
#include "io/file.h"
#include "base/memory.h"
#include "io/prism.h"
#include "mdp/model.h"

static vouch_status try_parse(vouch_model **m, const char *content, const vouch_source *given, vouch_error *error)
{
    vouch_source source;
    vouch_source_init(&source);
    if (given) source = *given;
    if (source.horizon == 0) source.horizon = 30;
    return prism_model_parse(m, &(file_content){"m.prism", content, strlen(content)}, &source, error);
}

static vouch_model *parse(const char *content, const vouch_source *source)
{
    vouch_model *m;
    vouch_error error = {0};
    if (try_parse(&m, content, source, &error)) fail_msg("%s", error.text);
    return m;
}

/* Two environments, by the open constant v. */
static vouch_source two_values(void)
{
    static const char *const options[] = {"v=0:1"};
    vouch_source source;
    vouch_source_init(&source);
    source.constants = options;
    source.constant_count = 1;
    return source;
}

static int action_named(const vouch_model *m, const char *name)
{
    for (int a = 0; a < m->A; a++)
        if (strcmp(m->action_name[a], name) == 0) return a;
    return -1;
}

static double probability(const vouch_model *m, int k, const char *from, const char *action, const char *to)
{
    int s = vouch_model_find_state(m, from), next = vouch_model_find_state(m, to), a = action_named(m, action);
    if (s < 0 || next < 0 || a < 0) return -1;
    int q = model_pair(m, s, a);
    if (q < 0) return -2;
    for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++)
        if (m->env[k].next[o] == next) return m->env[k].prob[o];
    return 0;
}

static double reward(const vouch_model *m, int k, const char *from, const char *action)
{
    int q = model_pair(m, vouch_model_find_state(m, from), action_named(m, action));
    return q < 0 ? NAN : m->env[k].expected[q];
}

static int actions_of(const vouch_model *m, const char *state)
{
    int s = vouch_model_find_state(m, state);
    return s < 0 ? -1 : m->pair_start[s + 1] - m->pair_start[s];
}

/* The value of an expression, seen as the reward of the only step. */
static void assert_value(const char *expression, double value)
{
    char content[512];
    snprintf(content, sizeof content,
             "mdp const int n = 7; const double h = 0.5; formula f = n - 3; label \"l\" = n=7; module m x : [0..9] init 4; b : "
             "bool init true;\n"
             "[a] true -> true; endmodule\nrewards true : %s; endrewards",
             expression);
    vouch_model *m = parse(content, NULL);
    assert_near(reward(m, 0, "x=4,b=true", "a"), value, 1e-12);
    vouch_model_free(m);
}

static void expressions_have_the_values_of_prism(void **state)
{
    (void)state;
    assert_value("2+3*4", 14);
    assert_value("(2+3)*4", 20);
    assert_value("10-4-3", 3);
    assert_value("7/2", 3.5);
    assert_value("6/3*2", 4);
    assert_value("2^3", 8);
    assert_value("-2^2", 4);
    assert_value("-x+n", 3);
    assert_value("f*f", 16);
    assert_value("mod(-1, 3)", 2);
    assert_value("mod(n, x)", 3);
    assert_value("floor(-0.5) + ceil(-0.5) + round(-0.5)", -1);
    assert_value("round(2.5)", 3);
    assert_value("pow(2, 10) + pow(h, 2)", 1024.25);
    assert_value("log(8, 2)", 3);
    assert_value("min(3, 1, 2) + max(3, 1, 2)", 4);
    assert_value("x > 3 ? n > 8 ? 1 : 2 : 3", 2);
    assert_value("b & !b | b ? 1 : 0", 1);
    assert_value("!b & b ? 1 : 0", 0);
    assert_value("!x=4 ? 1 : 0", 0);
    assert_value("false => b & false ? 1 : 0", 1);
    assert_value("b <=> x=4 ? 1 : 0", 1);
    assert_value("b = (x=4) ? 1 : 0", 1);
    assert_value("x != 4 | x >= 4 & x <= 4 ? 1 : 0", 1);
    assert_value("\"l\" ? 5 : 6", 5);
    assert_value("1 + (x < 3 ? 10 : 20) * 2", 41);
    assert_value("1e2 + .5 + 1.5e-1", 100.65);
    assert_value("func(mod, n, x) + func(min, 3, 1, 2) + func(max, x, n) + func(floor, 2.5) + func(pow, 2, 3)", 3 + 1 + 7 + 2 + 8);
    assert_value("func(ceil, h) + func(round, 2.5) + func(log, 8, 2)", 1 + 3 + 3);
    assert_value("9007199254740993 - 9007199254740992", 1);
    assert_value("9007199254740993 > 9007199254740992 ? 1 : 0", 1);
    assert_value("mod(9223372036854775807, 10) + pow(3, 39) - 4052555153018976267", 7);
    assert_value("-9223372036854775807 - 1 < 0 ? 1 : 0", 1);
}

static void every_construct_is_read(void **state)
{
    (void)state;
    char *content;
    size_t length;
    vouch_error error = {0};
    vouch_source source;
    assert_int_equal(file_read("tests/data/prism/constructs.prism", FILE_CAP, &content, &length, &error), VOUCH_OK);
    vouch_source_init(&source);
    source.reward = "mixed";
    source.commit = "goal";
    source.probability = 0.125;
    source.fix_deadlocks = 1;
    vouch_model *m = parse(content, &source);
    const char *start = "g=0,x=0,up=false,y=1,z=1";
    assert_string_equal(m->state_name[m->s0], start);
    /* go, and sync in the four combinations of the two commands of modules two and three; own and other need "high" */
    assert_int_equal(actions_of(m, start), 5);
    assert_near(probability(m, 0, start, "go", "g=0,x=1,up=true,y=1,z=1"), 0.5, 0);
    assert_near(probability(m, 0, start, "go", "g=0,x=0,up=true,y=1,z=1"), 0.5, 0);
    assert_near(probability(m, 0, start, "sync", "g=0,x=2,up=false,y=0,z=0"), 1, 0);
    assert_near(probability(m, 0, start, "sync#2", "g=0,x=2,up=false,y=0,z=-1"), 0.25, 0);
    assert_near(probability(m, 0, start, "sync#2", "g=0,x=2,up=false,y=0,z=2"), 0.75, 0);
    assert_near(probability(m, 0, start, "sync#3", "g=0,x=2,up=false,y=-1,z=0"), 0.25, 0);
    assert_near(probability(m, 0, start, "sync#4", "g=0,x=2,up=false,y=-1,z=-1"), 0.0625, 0);
    assert_near(probability(m, 0, start, "sync#4", "g=0,x=2,up=false,y=2,z=-1"), 0.1875, 0);
    assert_near(probability(m, 0, start, "sync#4", "g=0,x=2,up=false,y=2,z=2"), 0.5625, 0);
    assert_near(reward(m, 0, start, "go"), 2 + 0 + 8, 0);
    assert_near(reward(m, 0, start, "sync"), 2 + 2 + 3 + 3 + 7, 1e-12);
    /* top: go is closed, the two commands without label are open; y=0 stops the first sync command */
    const char *top = "g=0,x=2,up=false,y=0,z=0";
    assert_int_equal(actions_of(m, top), 3);
    assert_near(probability(m, 0, top, "_1", "g=1,x=2,up=false,y=0,z=0"), 1, 0);
    assert_near(probability(m, 0, top, "_2", top), 1, 0);
    assert_near(probability(m, 0, top, "sync", "g=0,x=1,up=false,y=-1,z=2"), 0.1875, 0);
    assert_near(reward(m, 0, top, "_1"), 0.5, 0);
    /* own and other, whose guards ask for a label: high without y=2, and the copy asks the same label */
    const char *high = "g=0,x=1,up=true,y=1,z=1";
    assert_near(probability(m, 0, high, "own", "g=0,x=1,up=true,y=0,z=1"), 1, 0);
    assert_near(probability(m, 0, high, "other", "g=0,x=1,up=true,y=1,z=0"), 1, 0);
    assert_near(reward(m, 0, high, "sync"), 2 + 3 + 3 + 7 - 1, 1e-12);
    for (int s = 0; s < m->S; s++) {
        int g, x, y, z;
        char up[8];
        assert_int_equal(sscanf(m->state_name[s], "g=%d,x=%d,up=%5[a-z],y=%d,z=%d", &g, &x, up, &y, &z), 5);
        assert_int_equal(m->terminal[s], x == 2 && (y != 0 || z == 0) && up[0] == 't');
    }
    vouch_model_free(m);
    source.reward = "steps";
    m = parse(content, &source);
    assert_near(reward(m, 0, start, "go"), 1, 0);
    vouch_model_free(m);
    source.reward = NULL;
    source.time_to = "goal";
    m = parse(content, &source);
    assert_near(reward(m, 0, start, "go"), -1, 0);
    assert_near(reward(m, 0, "g=0,x=2,up=true,y=1,z=1", "_1"), 0, 0);
    vouch_model_free(m);
    mem_free(content);
}

static void test_renaming_reaches_into_formulas(void **state)
{
    (void)state;
    vouch_model *m = parse("mdp formula twice = 2*x; const int c = 1; const int d = 0; module a x : [0..4] init c; [t] true -> "
                           "(x'=min(twice, 4)); endmodule\n"
                           "module b = a [x=w, t=u, c=d] endmodule",
                           NULL);
    assert_string_equal(m->state_name[m->s0], "x=1,w=0");
    assert_near(probability(m, 0, "x=1,w=0", "t", "x=2,w=0"), 1, 0);
    assert_near(probability(m, 0, "x=1,w=0", "u", "x=1,w=0"), 1, 0);
    vouch_model_free(m);
}

static void test_three_modules_synchronise(void **state)
{
    (void)state;
    vouch_model *m = parse("mdp module p x : [0..1]; [a] true -> 0.5 : (x'=1) + 0.5 : true; endmodule\n"
                           "module q y : [0..1]; [a] x=0 -> 0.25 : (y'=1) + 0.75 : true; [b] y=0 -> true; endmodule\n"
                           "module r z : [0..1]; [a] true -> (z'=1-z); [b] x=1 -> (z'=0); endmodule",
                           &(vouch_source){.horizon = 1, .probability = NAN});
    assert_int_equal(actions_of(m, "x=0,y=0,z=0"), 1);
    assert_near(probability(m, 0, "x=0,y=0,z=0", "a", "x=1,y=1,z=1"), 0.125, 0);
    assert_near(probability(m, 0, "x=0,y=0,z=0", "a", "x=1,y=0,z=1"), 0.375, 0);
    assert_near(probability(m, 0, "x=0,y=0,z=0", "a", "x=0,y=1,z=1"), 0.125, 0);
    vouch_model_free(m);
    m = parse("mdp module p x : [0..1] init 1; [a] true -> 0.5 : (x'=1) + 0.5 : true; endmodule\n"
              "module q y : [0..1]; [a] x=0 -> true; [b] y=0 -> true; endmodule\n"
              "module r z : [0..1] init 1; [a] true -> (z'=1-z); [b] x=1 -> (z'=0); endmodule",
              &(vouch_source){.horizon = 1, .probability = NAN});
    assert_int_equal(actions_of(m, "x=1,y=0,z=1"), 1);
    assert_near(probability(m, 0, "x=1,y=0,z=1", "b", "x=1,y=0,z=0"), 1, 0);
    vouch_model_free(m);
}

/* Variables without bounds, constants of every type, commands without label in two modules that share a global variable. From n=2,
 * i=0 the first module counts i up to 3 or n down to 0, which leaves (2, 0..3), (1, 0..3), (0, 0..2); the second may clear f where
 * n <= 1: 11 + 7 states. */
static void test_types_and_interleaving(void **state)
{
    (void)state;
    vouch_source source;
    vouch_source_init(&source);
    source.commit = "n=0 & !f";
    source.probability = 0.5;
    vouch_model *m = parse("nondeterministic const prob q = 1/4; const rate r = 3; const bool on = true; global n : int init 2;\n"
                           "module a i : int; [] i<r & n>0 -> q : (i'=i+1) + 1-q : (n'=n-1); endmodule\n"
                           "module b f : bool init on; [] n<=1 -> (f'=false); [t] f -> true; endmodule",
                           &source);
    assert_int_equal(m->S, 18);
    assert_string_equal(m->state_name[m->s0], "n=2,i=0,f=true");
    assert_int_equal(actions_of(m, "n=2,i=0,f=true"), 2);
    assert_near(probability(m, 0, "n=2,i=0,f=true", "_1", "n=2,i=1,f=true"), 0.25, 0);
    assert_near(probability(m, 0, "n=2,i=0,f=true", "_1", "n=1,i=0,f=true"), 0.75, 0);
    assert_near(probability(m, 0, "n=2,i=0,f=true", "t", "n=2,i=0,f=true"), 1, 0);
    assert_int_equal(actions_of(m, "n=1,i=2,f=true"), 3);
    assert_near(probability(m, 0, "n=1,i=2,f=true", "_1", "n=1,i=3,f=true"), 0.25, 0);
    assert_near(probability(m, 0, "n=1,i=2,f=true", "_1", "n=0,i=2,f=true"), 0.75, 0);
    assert_near(probability(m, 0, "n=1,i=2,f=true", "_2", "n=1,i=2,f=false"), 1, 0);
    assert_int_equal(actions_of(m, "n=2,i=3,f=true"), 1);
    assert_int_equal(actions_of(m, "n=0,i=1,f=false"), 1);
    assert_near(probability(m, 0, "n=0,i=1,f=false", "_1", "n=0,i=1,f=false"), 1, 0);
    for (int s = 0; s < m->S; s++)
        assert_int_equal(m->terminal[s], m->state_name[s][2] == '0' && strstr(m->state_name[s], "false") != NULL);
    vouch_model_free(m);
}

/* Any module may write a global variable, no module one of another; what is given beside the file is one expression. */
static void test_globals_and_given_expressions(void **state)
{
    (void)state;
    vouch_source source;
    vouch_error error = {0};
    vouch_source_init(&source);
    source.commit = "g=2";
    source.probability = 0.5;
    source.horizon = 3;
    vouch_model *m = parse("mdp global g : [0..2]; module a x : bool; [s] !x -> (x'=true); endmodule "
                           "module b y : bool; [t] g<2 -> (g'=g+1); endmodule",
                           &source);
    assert_int_equal(m->S, 6);
    assert_near(probability(m, 0, "g=1,x=false,y=false", "t", "g=2,x=false,y=false"), 1, 0);
    vouch_model_free(m);
    assert_int_equal(
        try_parse(&m, "mdp module a x : bool; [s] true -> true; endmodule module b y : bool; [t] true -> (x'=true); endmodule",
                  NULL, &error),
        VOUCH_ERROR_INPUT);
    const char *more[] = {"x=1 x", "x=1)", "x=1; y=2", "x=1 = 2 3"};
    for (int i = 0; i < 4; i++) {
        source.commit = more[i];
        assert_int_equal(try_parse(&m, "mdp module a x : [0..1]; [s] true -> (x'=1); endmodule", &source, &error),
                         VOUCH_ERROR_INPUT);
        if (!strstr(error.text, "expected the end of the expression")) fail_msg("%s", error.text);
    }
}

static void open_constants_and_holes_span_families(void **state)
{
    (void)state;
    const char *content = "mdp const int n; const double q; module m x : [0..9] init 1; [go] x<n -> q : (x'=x+1) + 1-q : true; "
                          "[go] x>=n -> true; endmodule";
    static const char *const options[] = {"n=2:6:2,q=0.25,0.5"};
    vouch_source source;
    vouch_source_init(&source);
    source.constants = options;
    source.constant_count = 1;
    vouch_model *m = parse(content, &source);
    assert_int_equal(m->K, 6);
    assert_int_equal(m->S, 6);
    assert_string_equal(m->env_name[0], "n=2,q=0.25");
    assert_string_equal(m->env_name[1], "n=2,q=0.5");
    assert_string_equal(m->env_name[5], "n=6,q=0.5");
    assert_near(probability(m, 2, "x=3", "go", "x=4"), 0.25, 0);
    assert_near(probability(m, 1, "x=2", "go", "x=2"), 1, 0);
    /* x=5 cannot be reached with n=2: the row of its command */
    assert_near(probability(m, 0, "x=5", "go", "x=5"), 1, 0);
    vouch_model_free(m);
    m = parse("mdp hole int n in {2..4:2}; hole double q in {0.25, 0.75}; const int top = n_MAX + n_MIN; module m x : [0..top]; "
              "[a] x<n -> q : (x'=x+1) + 1-q : true; [a] x>=n -> (x'=top); endmodule",
              NULL);
    assert_int_equal(m->K, 4);
    assert_string_equal(m->env_name[3], "n=4,q=0.75");
    assert_near(probability(m, 3, "x=4", "a", "x=6"), 1, 0);
    vouch_model_free(m);
}

static void test_unreached_states_are_filled(void **state)
{
    (void)state;
    /* b exists only where v=1 gets to; there v=0 never comes, so it is given a loop */
    vouch_source source = two_values();
    vouch_model *m = parse("mdp const int v; module m x : [0..2]; [a] x=0 -> (x'=v); [a] x=1 & v=1 -> (x'=2); [b] x=1 & v=1 -> "
                           "(x'=0); [a] x=2 -> true; endmodule",
                           &source);
    assert_int_equal(actions_of(m, "x=1"), 2);
    assert_near(probability(m, 0, "x=1", "b", "x=1"), 1, 0);
    assert_near(probability(m, 1, "x=1", "b", "x=0"), 1, 0);
    vouch_model_free(m);
}

/* Where an environment never comes, a guard, a probability or an update that has no value there is no fault: the action is given a
 * loop. */
static void what_is_never_reached_need_have_no_value(void **state)
{
    (void)state;
    static const char *const never[] = {"mod(4,v)=0 -> (x'=0)", "true -> 1/v : (x'=0)", "true -> (x'=v-1)"};
    vouch_source source = two_values();
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        char content[512];
        vouch_model *m;
        vouch_error error = {0};
        snprintf(
            content, sizeof content,
            "mdp const int v; module m x : [0..2]; [a] x=0 -> (x'=v); [a] x=1 -> (x'=0); [b] x=1 & %s; [a] x=2 -> true; endmodule",
            never[i]);
        if (try_parse(&m, content, &source, &error)) fail_msg("%s", error.text);
        assert_near(probability(m, 0, "x=1", "b", "x=1"), 1, 0);
        assert_near(probability(m, 1, "x=1", "b", "x=0"), 1, 0);
        vouch_model_free(m);
        /* where it is reached, it is one */
        snprintf(content, sizeof content, "mdp const int v; module m x : [0..2]; [a] x=0 -> (x'=1); [b] x=1 & %s; endmodule",
                 never[i]);
        assert_int_equal(try_parse(&m, content, &source, &error), VOUCH_ERROR_INPUT);
    }
}

static void test_choices_keep_their_names(void **state)
{
    (void)state;
    vouch_source source = two_values();
    const char *content =
        "mdp const int v; module m x : [0..3]; [a] x=0 & v=0 -> (x'=1); [a] x=0 -> (x'=2); [] x>0 -> true; endmodule";
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(try_parse(&m, content, &source, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "environment \"v=0\" has the action \"a\", environment \"v=1\" has not"));
    source.merge_actions = 1;
    m = parse(content, &source);
    assert_near(probability(m, 0, "x=0", "a", "x=1"), 1, 0);
    assert_near(probability(m, 1, "x=0", "a", "x=0"), 1, 0);
    assert_near(probability(m, 0, "x=0", "a#2", "x=2"), 1, 0);
    assert_near(probability(m, 1, "x=0", "a#2", "x=2"), 1, 0);
    vouch_model_free(m);
}

static void an_init_block_allows_some_states(void **state)
{
    (void)state;
    vouch_model *m = parse("mdp module m x : [0..3]; b : bool; [a] true -> true; endmodule init x=2 & b endinit", NULL);
    assert_string_equal(m->state_name[m->s0], "x=2,b=true");
    vouch_model_free(m);
    /* a thousand million valuations, of which few are looked at; the second part may not be asked where the first is false */
    m = parse("mdp module m x : [0..999]; y : [0..999]; z : [0..999]; [a] true -> true; endmodule init x>998 & mod(x, y)=0 & y>x-1 "
              "& z=min(x,y)-9 endinit",
              NULL);
    assert_string_equal(m->state_name[m->s0], "x=999,y=999,z=990");
    vouch_model_free(m);
    m = parse("mdp module m y : [0..5]; z : [0..1]; [a] true -> true; endmodule init y>4 & z>0 & mod(7, y)=2 endinit", NULL);
    assert_string_equal(m->state_name[m->s0], "y=5,z=1");
    vouch_model_free(m);
    /* parts wait for the last variable they name, wherever they name it */
    static const char *const waiting[] = {"x<y & y=1 & x<1", "(x=0 ? y=1 : false)",         "f & x=0",
                                          "\"l\" & x=0",     "min(2-y, 1+x)=1 & x=0 & y>0", "!(x=y) & x=0",
                                          "(y=1 ? x : 2)=0"};
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++) {
        char model[300];
        snprintf(
            model, sizeof model,
            "mdp formula f = y=1; label \"l\" = y=1; module m x : [0..1]; y : [0..1]; [a] true -> true; endmodule init %s endinit",
            waiting[i]);
        m = parse(model, NULL);
        assert_string_equal(m->state_name[m->s0], "x=0,y=1");
        vouch_model_free(m);
    }
    vouch_error error = {0};
    assert_int_equal(try_parse(&m, "mdp module m x : int; [a] true -> true; endmodule init x=7 endinit", NULL, &error),
                     VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "too many valuations to look at"));
    assert_int_equal(try_parse(&m, "mdp module m x : [0..3]; [a] true -> true; endmodule init x>3 endinit", NULL, &error),
                     VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "expected an initial state"));
    /* of several each is as likely, and seen before the first action */
    m = parse("mdp module m x : [0..3]; b : bool; [a] true -> true; endmodule init x=2 endinit", NULL);
    assert_int_equal(vouch_model_first_time(m), -1);
    vouch_transitions first;
    vouch_model_get_transitions(m, 0, vouch_model_initial(m), vouch_model_find_action(m, "start"), &first);
    assert_int_equal(first.count, 2);
    assert_true(first.probability[0] == 0.5 && first.probability[1] == 0.5);
    vouch_model_free(m);
}

/* Only what can be met before the horizon is explored: x counts without end. */
static void exploration_ends_at_the_horizon(void **state)
{
    (void)state;
    const char *content =
        "mdp const int v; module m x : int; y : [0..1000000000]; [up] x>=0 -> (x'=x+1+v*3); [on] x>=0 & v=0 -> (y'=y+1);"
        " [on] x>=0 & v=1 -> true; [back] x=4 -> (x'=0) & (y'=7+v); endmodule";
    vouch_source source = two_values();
    vouch_error error = {0};
    source.horizon = 2;
    source.fix_deadlocks = 1;
    source.commit = "x=8 | x=2";
    source.probability = 0.25;
    vouch_model *m = parse(content, &source);
    /* v=0: x+y <= 2; v=1: x in 0, 4, 8, and (0, 8) by `back` */
    assert_int_equal(m->S, 6 + 3);
    assert_int_equal(m->terminal[vouch_model_find_state(m, "x=8,y=0")], 1);
    assert_int_equal(m->terminal[vouch_model_find_state(m, "x=2,y=0")], 1);
    assert_int_equal(actions_of(m, "x=8,y=0"), 0);
    assert_int_equal(actions_of(m, "x=2,y=0"), 0);
    assert_int_equal(actions_of(m, "x=4,y=0"), 3);
    assert_int_equal(vouch_model_set_horizon(m, 3), VOUCH_ERROR_INPUT); /* deadlocks at the end are not mended: nobody looked */
    vouch_model_free(m);
    /* v=0 comes to x=4 at the horizon, v=1 before it: its choices there are its own, not a filling */
    source.horizon = 4;
    source.merge_actions = 1;
    m = parse(content, &source);
    assert_near(probability(m, 0, "x=4,y=0", "back", "x=0,y=7"), 1, 0);
    assert_near(probability(m, 0, "x=4,y=0", "up", "x=5,y=0"), 1, 0);
    vouch_model_free(m);
    source.state_limit = 14;
    assert_int_equal(try_parse(&m, content, &source, &error), VOUCH_ERROR_SIZE);
    if (!strstr(error.text, "more than 14 states are reached")) fail_msg("%s", error.text);
}

static void assert_refused(const char *content, const vouch_source *source, const char *why)
{
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(try_parse(&m, content, source, &error), VOUCH_ERROR_INPUT);
    if (!strstr(error.text, why)) fail_msg("%s", error.text);
}

static void whole_numbers_do_not_wrap(void **state)
{
    (void)state;
    const char *too_large[] = {"9223372036854775807 + 1",     "-9223372036854775807 - 2",
                               "4000000000 * 4000000000",     "pow(10, 19)",
                               "-(-9223372036854775807 - 1)", "floor(1e19)"};
    char content[256];
    for (size_t i = 0; i < sizeof too_large / sizeof *too_large; i++) {
        snprintf(content, sizeof content, "mdp const int hole = %s; module m x : [0..1]; [a] hole > 0 -> true; endmodule",
                 too_large[i]);
        assert_refused(content, NULL, "too large for a whole number");
    }
    assert_refused("mdp module m x : [0..1]; [a] x < 9223372036854775808 -> true; endmodule", NULL,
                   "larger than 9223372036854775807");
    assert_refused("mdp module m x : int; [a] true -> (x'=x+3000000000); endmodule", NULL, "m.prism:1:40: values of variables lie");
    static const char *const options[] = {"v=4294967296:4294967298,9007199254740993,w=0.4:0.6:0.1"};
    vouch_source source;
    vouch_source_init(&source);
    source.constants = options;
    source.constant_count = 1;
    vouch_model *m =
        parse("mdp const int v; const double w; module m x : [0..9]; [a] true -> (x'=mod(v, 4294967296)); endmodule", &source);
    assert_int_equal(m->K, 12);
    assert_string_equal(m->env_name[5], "v=4294967297,w=0.6");
    assert_string_equal(m->env_name[9], "v=9007199254740993,w=0.4");
    assert_near(probability(m, 6, "x=0", "a", "x=2"), 1, 0);
    vouch_model_free(m);
}

static void every_model_has_the_labels_init_and_deadlock(void **state)
{
    (void)state;
    const char *content = "mdp module m x : [0..4] init 1; [up] x<3 -> (x'=x+1); [off] x<2 -> (x'=4); endmodule";
    vouch_source source;
    vouch_source_init(&source);
    source.probability = 0.5;
    source.horizon = 2;
    source.fix_deadlocks = 1;
    source.commit = "deadlock";
    vouch_model *m = parse(content, &source);
    for (int s = 0; s < m->S; s++) assert_int_equal(m->terminal[s], m->state_name[s][2] >= '3'); /* x=3 first at the horizon */
    vouch_model_free(m);
    source.commit = "x=2 | \"init\"";
    m = parse(content, &source);
    for (int s = 0; s < m->S; s++) assert_int_equal(m->terminal[s], m->state_name[s][2] == '1' || m->state_name[s][2] == '2');
    vouch_model_free(m);
    source.commit = "init";
    m = parse(content, &source);
    for (int s = 0; s < m->S; s++) assert_int_equal(m->terminal[s], m->state_name[s][2] == '1');
    vouch_model_free(m);
    assert_refused("mdp module m x : [0..1]; [a] \"deadlock\" -> true; endmodule", NULL, "cannot be used in this expression");
}

/* What is wrong with an option is said of the option, and not of line 1 of the file. */
static void given_expressions_are_blamed_on_their_option(void **state)
{
    (void)state;
    const char *content = "mdp module m x : [0..1]; [a] true -> true; endmodule";
    vouch_source source;
    vouch_source_init(&source);
    source.probability = 0.5;
    source.commit = "x + 1";
    assert_refused(content, &source, "--commit \"x + 1\", character 3: expected a truth value, found a whole number");
    source.commit = "x = 1 &\n y = 2";
    assert_refused(content, &source, "character 10: there is no constant, variable or formula \"y\"");
    source.commit = "x=1";
    source.time_to = "mod(x, 0) = 1";
    assert_refused(content, &source, "--time-to \"mod(x, 0) = 1\", character 1: mod needs a positive");
}

static void faults_have_line_and_place(void **state)
{
    (void)state;
    static const char *const options[] = {"v=0:1000000"};
    vouch_source source;
    vouch_source_init(&source);
    source.constants = options;
    source.constant_count = 1;
    assert_refused("mdp\nmodule m\n x : 3;\n [] true -> true;\nendmodule", NULL,
                   "m.prism:3:6: expected a range [low..high], bool or int");
    assert_refused("// first\nmdp const int v; module m x : [0..1]; [a] true -> true; endmodule", &source,
                   "m.prism:1:1: the constant \"v\" has too many values");
}

typedef struct sampling {
    prism_family f;
    int count;
} sampling;

static void sample(void *object)
{
    sampling *s = object;
    prism_family_sample(&s->f, 1021.0 * 980, s->count, 7);
}

/* Samples of families of more than a million environments, some but for few of them: as many as asked for, each once, in order. */
static void samples_may_be_almost_the_family(void **state)
{
    (void)state;
    static const int counts[] = {1, 1000, 500000, 999999, 1000000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        escape e = {0};
        const prism p = {.file = "m.prism", .e = &e};
        prism_range range[2] = {{.value_count = 1021}, {.value_count = 980}};
        sampling s = {{.p = &p, .range = range, .ranges = 2}, counts[i]};
        long before = -1;
        assert_int_equal(escape_try(&e, sample, &s), VOUCH_OK);
        const prism_family f = s.f;
        assert_int_equal(f.K, counts[i]);
        for (int k = 0; k < f.K; k++) {
            assert_true(f.drawn[2 * k] < 1021 && f.drawn[2 * k + 1] < 980);
            long number = 980L * f.drawn[2 * k] + f.drawn[2 * k + 1];
            assert_true(number > before);
            before = number;
        }
        escape_end(&e);
    }
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    vouch_source source = two_values();
    source.commit = "x=1 & y=0";
    source.probability = 0.1;
    source.fix_deadlocks = source.merge_actions = 1;
    source.horizon = 2;
    const char *content = "mdp const int v; formula f = x+1; global g : bool; module m x : [0..2]; [a] x<2 -> 0.5 : (x'=f) + 0.5 : "
                          "true; [] x=v -> (g'=true); endmodule\n"
                          "module n y : [0..1]; [a] true -> (y'=1-y); endmodule module o = n [y=z] endmodule label \"l\" = x=1; "
                          "rewards \"r\" x=1 : 2; [a] true : 1; endrewards init x=0 & y=0 & z=0 & !g endinit";
    int failures = 0;
    for (sweep w = {0};;) {
        vouch_model *m = NULL;
        vouch_error error = {0};
        sweep_refuse(&w);
        vouch_status status = try_parse(&m, content, &source, &error);
        bool last = sweep_ends(&w, status == VOUCH_OK);
        vouch_model_free(m);
        assert_int_equal(mem_live(), 0);
        if (last) break;
        if (status == VOUCH_OK) continue;
        if (status != VOUCH_ERROR_MEMORY) fail_msg("allocation %ld: %s", w.k, error.text);
        failures++;
    }
    assert_true(failures > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_the_values_of_prism),
        cmocka_unit_test(every_construct_is_read),
        cmocka_unit_test(test_renaming_reaches_into_formulas),
        cmocka_unit_test(test_three_modules_synchronise),
        cmocka_unit_test(test_types_and_interleaving),
        cmocka_unit_test(test_globals_and_given_expressions),
        cmocka_unit_test(open_constants_and_holes_span_families),
        cmocka_unit_test(test_unreached_states_are_filled),
        cmocka_unit_test(what_is_never_reached_need_have_no_value),
        cmocka_unit_test(test_choices_keep_their_names),
        cmocka_unit_test(an_init_block_allows_some_states),
        cmocka_unit_test(whole_numbers_do_not_wrap),
        cmocka_unit_test(every_model_has_the_labels_init_and_deadlock),
        cmocka_unit_test(faults_have_line_and_place),
        cmocka_unit_test(given_expressions_are_blamed_on_their_option),
        cmocka_unit_test(exploration_ends_at_the_horizon),
        cmocka_unit_test(samples_may_be_almost_the_family),
        cmocka_unit_test(test_memory_runs_out),
    };
    return run_tests(tests);
}
