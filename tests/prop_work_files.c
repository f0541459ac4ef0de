/* Files by their names: what each is taken for under its own ending and under others, with options of the command line drawn at
 * random; models, joined models, policies, bases and logs of search trees written to files, read again, and read broken. In a
 * folder of its own, so that messages are the same everywhere. See work_aid.h. */
#include <dirent.h>
#include <sys/stat.h>
#include <vouch/generate.h>
#include <vouch/lp_io.h>

#include "io/formats.h"
#include "io/glpk.h"
#include "io/model_json.h"
#include "io/output.h"
#include "io/tree.h"
#include "lp_aid.h"
#include "oracle/wild.h"
#include "plan_aid.h"
#include "work_aid.h"

static char home[400]; /* where the data are; the test runs in a folder of its own */

static void add_error(work *w, vouch_status status, const vouch_error *error)
{
    outcome(w, status ? "refused" : "taken");
    *(status ? &w->iterations : &w->nodes) += 1;
    add(&w->all, status);
    if (status) add_words(&w->all, error->text, strlen(error->text));
}

/* Any file's content, as it is or with a piece missing, doubled or exchanged; the length is returned. */
static size_t content(const char *path, char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, room, file);
    fclose(file);
    return length;
}

static void put(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void add_file(digest *d, const char *path)
{
    static char bytes[1 << 18];
    size_t length = content(path, bytes, sizeof bytes);
    add_words(d, bytes, length);
}

static size_t broken(rng *r, char *bytes, size_t length)
{
    static const char *const other[] = {"0", "1", "-1", "x", "\"", "}", "[", "1e400", " ", "\n", "e", "nan", "2.5", "null"};
    if (length < 4) return length;
    size_t at = (size_t)pick(r, (int)length - 1), end = at;
    bool word = ascii_alnum(bytes[at]);
    while (word && at > 0 && ascii_alnum(bytes[at - 1])) at--;
    while (end < length && (end == at || (word && ascii_alnum(bytes[end])))) end++;
    const char *new = pick(r, 3) ? other[pick(r, 14)] : "";
    if (pick(r, 6) == 0) return at; /* the rest is missing */
    size_t n = strlen(new);
    memmove(bytes + at + n, bytes + end, length - end);
    memcpy(bytes + at, new, n);
    return length - (end - at) + n;
}

/* ---- models ---- */
static void add_model(work *w, const vouch_model *m, bool all)
{
    static const char *const name[] = {"out.json", "out.csv", "out.pomdp", "joined.json", "out.json.gz"};
    vouch_error error = {0};
    for (int i = 0; i < (all ? 5 : 1); i++) {
        vouch_model *back = NULL;
        vouch_source source;
        vouch_source_init(&source);
        if (i == 1 || i == 2) source.horizon = vouch_model_horizon(m);
        vouch_status status = model_export(m, name[i], i == 3, &error);
        add_error(w, status, &error);
        if (status) continue;
        if (i < 4) add_file(&w->all, name[i]);
        add_error(w, vouch_model_import(&back, name[i], &source, &error), &error);
        if (back) add(&w->all, vouch_model_environments(back)), add(&w->all, vouch_model_promises(back));
        vouch_model_free(back);
    }
    if (all) {
        vouch_status status = model_export(m, "out/", false, &error);
        add_error(w, status, &error);
        if (!status) {
            names list = {0};
            add_error(w, model_files(&list, "out", &error), &error);
            for (int i = 0; i < list.count; i++) add_file(&w->all, names_text(&list, i)), unlink(names_text(&list, i));
            names_free(&list);
        }
        rmdir("out");
    }
}

/* Options of the command line, of which some do not fit: a few at once. */
static vouch_source drawn(rng *r)
{
    enum { WORDS = 22, PROMISES = 10, GIVEN = 8, CONSTANTS = 8 };
    static const char *const word[WORDS] = {"at=1",    "\"home\"", "store", "wet",       "at=0|at=2", "x=0",      "x<1", "at<3",
                                            "init",    "A",        "",      "0",         "0=0.5",     "at=1=0.5", "up",  "1",
                                            "at=0=.5", "y>0&x=1",  "s=1",   "\"store\"", "deliver",   "s0,s1"};
    static const char *const promise[PROMISES] = {"at:at=0",    "never:\"wet\">=0.5",  "by:at=2@2>=0.25", "goal:by:\"home\"@1..2",
                                                  "at:A>=0.9",  "safe:never:3",        "one:at:0",        "two:at:1@2",
                                                  "avoid:at=3", "fetch:by:store@3>=.1"};
    static const char *const given[GIVEN] = {"one=0.5", "goal=0.25", "safe=2", "x", "deliver=0.5", "0.5", "two=0.75", "fetch=0"};
    static const char *const constant[CONSTANTS] = {"n=1:3", "n=1,3", "n=1:5:2", "n=2", "n=0:1", "M=3", "n=3:1", "k=1"};
    static const char *initial[3], *commits[3], *probabilities[2], *constants[2];
    vouch_source s;
    vouch_source_init(&s);
    s.horizon = pick(r, 9) ? 2 + pick(r, 4) : 0;
    s.state_limit = pick(r, 12) ? 3000 : 2;
    if (pick(r, 3) == 0) s.commit = word[pick(r, WORDS)], s.probability = 0.25 * pick(r, 5);
    if (pick(r, 9) == 0) s.probability = pick(r, 2) ? 0.5 : 1.5;
    if (pick(r, 6) == 0) s.reward = pick(r, 2) ? "work" : "none";
    if (pick(r, 6) == 0) s.time_to = word[pick(r, WORDS)];
    s.initial_count = (size_t)(pick(r, 3) ? 0 : 1 + pick(r, 2));
    for (size_t i = 0; i < s.initial_count; i++) initial[i] = word[pick(r, WORDS)];
    s.commit_count = (size_t)(pick(r, 3) ? 0 : 1 + pick(r, 3));
    for (size_t i = 0; i < s.commit_count; i++) commits[i] = promise[pick(r, PROMISES)];
    s.probability_count = (size_t)(pick(r, 4) ? 0 : 1 + pick(r, 2));
    for (size_t i = 0; i < s.probability_count; i++) probabilities[i] = given[pick(r, GIVEN)];
    s.constant_count = pick(r, 9) ? 1 : (size_t)pick(r, 3);
    for (size_t i = 0; i < s.constant_count; i++) constants[i] = constant[pick(r, 3) ? pick(r, 4) : pick(r, CONSTANTS)];
    s.initial = initial, s.commits = commits, s.probabilities = probabilities, s.constants = constants;
    s.fix_deadlocks = pick(r, 2);
    s.merge_actions = pick(r, 2);
    return s;
}

static void import(work *w, const char *path, const vouch_source *source, bool all)
{
    vouch_model *m = NULL;
    vouch_error error = {0};
    add_error(w, vouch_model_import(&m, path, source, &error), &error);
    if (m) add_model(w, m, all);
    vouch_model_free(m);
}

static const char *const ENDINGS[] = {"json", "prism", "drn", "csv", "pomdp", "templ", "JSON"};

static int by_name(const struct dirent **x, const struct dirent **y) { return strcmp((*x)->d_name, (*y)->d_name); }

static void read_folder(const char *folder, int rounds, int others)
{
    struct dirent **list;
    char path[800], line[500];
    static char bytes[1 << 17];
    work w = {.all = DIGEST_NEW};
    (void)snprintf(path, sizeof path, "%s/%s", home, folder);
    int count = scandir(path, &list, NULL, by_name);
    assert_true(count > 0);
    rng r = rng_seed((uint64_t)count);
    for (int i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/%s/%s", home, folder, list[i]->d_name);
        struct stat about;
        if (list[i]->d_name[0] != '.' && stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
            size_t length = content(path, bytes, sizeof bytes / 2);
            const char *dot = strrchr(list[i]->d_name, '.');
            for (int round = 0; round < rounds + others; round++) {
                char name[100];
                file_kind kind;
                vouch_error error = {0};
                vouch_source source = drawn(&r);
                const char *ending = dot && round < rounds && others < 2 ? dot + 1 : ENDINGS[(round + i) % 7];
                (void)snprintf(name, sizeof name, "file.%s", ending);
                put(name, bytes, length);
                if (round == 0) {
                    add_error(&w, recognise_path(name, &kind, &error), &error);
                    add(&w.all, kind);
                }
                import(&w, name, &source, round == 0);
                unlink(name);
            }
        }
        free(list[i]);
    }
    free(list);
    (void)snprintf(line, sizeof line, "files of %s", folder);
    note(line, &w);
}

/* Files that vouch wrote itself, with options, and broken. */
static void run_models(void)
{
    static char bytes[1 << 17];
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < 40; number++) {
        rng r = rng_seed(60 + (uint64_t)number);
        vouch_error error = {0};
        vouch_model *m = NULL;
        if (number % 3)
            m = wild_model((uint64_t)number);
        else
            assert_int_equal(vouch_generate_corridor(&m, 6 + number % 4, 0.25, NULL), VOUCH_OK);
        add_model(&w, m, true);
        const char *name = (const char *[]){"m.json", "m.csv", "m.pomdp", "m.json"}[number % 4];
        if (!model_export(m, name, number % 8 == 7, &error)) {
            size_t length = content(name, bytes, sizeof bytes / 2);
            for (int round = 0; round < 10; round++) {
                vouch_source source = drawn(&r);
                if (round % 2) vouch_source_init(&source), source.horizon = number % 4 == 1 || number % 4 == 2 ? 3 : pick(&r, 4);
                if (round % 4 == 2)
                    source.commit = NULL, source.commit_count = source.initial_count = source.constant_count = 0,
                    source.reward = source.time_to = NULL, source.fix_deadlocks = source.merge_actions = 0, source.state_limit = 0;
                import(&w, name, &source, false);
                if (round >= 4) {
                    length = broken(&r, bytes, length);
                    put(name, bytes, length);
                }
            }
        }
        unlink(name);
        vouch_model_free(m);
    }
    note("models", &w);
}

/* A program of the PRISM language under its options. */
static void run_errand(void)
{
    static char bytes[1 << 14];
    char path[500];
    work w = {.all = DIGEST_NEW};
    (void)snprintf(path, sizeof path, "%s/bench/examples/errand.prism", home);
    size_t length = content(path, bytes, sizeof bytes);
    put("errand.prism", bytes, length);
    rng r = rng_seed(1);
    for (int number = 0; number < 600; number++) {
        vouch_source source = drawn(&r);
        import(&w, "errand.prism", &source, number % 20 == 0);
    }
    unlink("errand.prism");
    note("errand", &w);
}

/* ---- policies ---- */
static void run_policies(void)
{
    static char bytes[1 << 17];
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < 40; number++) {
        rng r = rng_seed(160 + (uint64_t)number);
        vouch_error error = {0};
        vouch_model *m = NULL;
        if (number % 4)
            m = wild_model((uint64_t)number);
        else
            assert_int_equal(vouch_generate_corridor(&m, 6, 0.25, NULL), VOUCH_OK);
        vouch_plan_options o = plan_options((vouch_method)(number % VOUCH_METHOD_COUNT), 0);
        o.objective = (vouch_objective)(number / 5 % 3);
        o.restarts = o.method == VOUCH_METHOD_EXACT_CCL;
        vouch_policy *p = NULL;
        if (vouch_plan(&p, m, &o, &error) == VOUCH_OK) {
            add_error(&w, vouch_policy_write(p, m, "policy.json", &error), &error);
            size_t length = content("policy.json", bytes, sizeof bytes / 2);
            for (int round = 0; round < 16; round++) {
                vouch_policy *back = NULL;
                add_error(&w, vouch_policy_read(&back, m, "policy.json", &error), &error);
                if (back) {
                    text t = policy_bytes(back, m);
                    add_words(&w.all, t.data, t.length);
                    text_free(&t);
                }
                vouch_policy_free(back);
                if (round % 4 == 0) length = content("policy.json", bytes, sizeof bytes / 2);
                length = broken(&r, bytes, length);
                put("policy.json", bytes, length);
                if (round % 4 == 3) add_error(&w, vouch_policy_write(p, m, "policy.json", &error), &error);
            }
            unlink("policy.json");
        }
        vouch_policy_free(p);
        vouch_model_free(m);
    }
    note("policies", &w);
}

/* ---- bases ---- */
static void add_basis(work *w, vouch_lp *lp)
{
    unsigned char row[64], col[64];
    if (!vouch_lp_has_basis(lp)) return;
    vouch_lp_get_basis(lp, row, col);
    add_bytes(&w->all, (const char *)row, (size_t)vouch_lp_rows(lp));
    add_bytes(&w->all, (const char *)col, (size_t)vouch_lp_cols(lp));
}

/* glpsol's plain solution of an optimal program. */
static void write_plain(const vouch_lp *lp, const char *path)
{
    vouch_lp_result best;
    unsigned char row[64], col[64];
    text t = {0};
    vouch_error error = {0};
    vouch_lp_get_result(lp, &best);
    vouch_lp_get_basis(lp, row, col);
    glpk_solution s = {lp,  false, GLPK_OPTIMAL, best.objective, best.x, best.row_activity, best.row_dual, best.reduced_cost,
                       row, col};
    glpk_plain(&s, &t);
    assert_int_equal(text_write(&t, path, &error), VOUCH_OK);
}

static void run_bases(void)
{
    static char bytes[1 << 16];
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < 60; number++) {
        rng r = rng_seed(260 + (uint64_t)number);
        vouch_error error = {0};
        sample s = sample_random(&r, 12, 12);
        vouch_lp *lp = sample_load(&s);
        vouch_lp_result best;
        add_error(&w, vouch_lp_write_basis(lp, "b.bas", &error), &error);
        assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
        vouch_lp_get_result(lp, &best);
        for (int kind = 0; kind < 2 && best.outcome == VOUCH_LP_OPTIMAL && vouch_lp_has_basis(lp); kind++) {
            if (kind == 0)
                add_error(&w, vouch_lp_write_basis(lp, "b.bas", &error), &error);
            else
                write_plain(lp, "b.bas");
            add_file(&w.all, "b.bas");
            size_t whole = content("b.bas", bytes, sizeof bytes / 2);
            for (int round = 0; round < 14; round++) {
                vouch_lp *copy = NULL;
                assert_int_equal(vouch_lp_clone(&copy, lp), VOUCH_OK);
                vouch_lp_forget_basis(copy);
                add_error(&w, vouch_lp_read_basis(copy, "b.bas", &error), &error);
                add_basis(&w, copy);
                vouch_lp_free(copy);
                (void)content("b.bas", bytes, sizeof bytes / 2);
                size_t now = broken(&r, bytes, round ? content("b.bas", bytes, sizeof bytes / 2) : whole);
                put("b.bas", bytes, now);
            }
        }
        const char *name = (const char *[]){"p.lp", "p.mps", "p.glp", "p.lp.gz"}[number % 4];
        vouch_lp *back = NULL;
        add_error(&w, vouch_lp_write(lp, name, VOUCH_FORMAT_AUTO, &error), &error);
        if (number % 4 < 3) add_file(&w.all, name);
        add_error(&w, vouch_lp_read(&back, name, VOUCH_FORMAT_AUTO, NULL, &error), &error);
        if (back) add(&w.all, vouch_lp_rows(back)), add(&w.all, vouch_lp_cols(back));
        vouch_lp_free(back);
        vouch_lp_product product[] = {{0, 0, 1, 2.5}, {0, 1, 1, -1}};
        if (s.m > 0 && s.n > 1) {
            add_error(&w, vouch_lp_write_products(lp, product, 2, "q.lp", &error), &error);
            add_file(&w.all, "q.lp");
        }
        unlink(name);
        vouch_lp_free(lp);
        sample_free(&s);
    }
    unlink("q.lp");
    unlink("b.bas");
    note("bases and programs", &w);
}

/* ---- logs of search trees ---- */
static void run_trees(void)
{
    static char bytes[1 << 16];
    work w = {.all = DIGEST_NEW};
    for (int number = 0; number < 40; number++) {
        rng r = rng_seed(360 + (uint64_t)number);
        text t = {0};
        int count = 1 + pick(&r, 9), depth[10] = {0};
        for (int i = 0; i < count; i++) {
            int above = i ? pick(&r, i) : 0;
            char branch[] = "t=0 \"s\"\n";
            tree_entry e = {.id = i + 1,
                            .parent = i ? above + 1 : 0,
                            .branch = i ? branch : NULL,
                            .bound = pick(&r, 5) ? (double)i : -INFINITY,
                            .incumbent = pick(&r, 3) ? 10.0 - i : INFINITY,
                            .end = (vouch_node_end)pick(&r, 5)};
            e.depth = depth[i] = i ? depth[above] + 1 : 0;
            tree_add_line(&t, &e);
            add(&w.all, *node_end_text(e.end));
        }
        size_t length = t.length;
        memcpy(bytes, t.data, length);
        text_free(&t);
        for (int round = 0; round < 14; round++) {
            logged_tree tree = {0};
            vouch_error error = {0};
            put("tree.log", bytes, length);
            add_error(&w, logged_tree_read(&tree, "tree.log", &error), &error);
            for (int i = 0; i < tree.count && !*error.text; i++) {
                const tree_entry *e = &tree.node[i];
                const double all[] = {(double)e->id,
                                      (double)e->parent,
                                      e->depth,
                                      isnan(e->bound) ? -7 : e->bound,
                                      isnan(e->incumbent) ? -7 : e->incumbent,
                                      e->end,
                                      e->above,
                                      e->children};
                add_all(&w.all, 8, all);
                add_bytes(&w.all, e->branch, strlen(e->branch));
            }
            logged_tree_free(&tree);
            length = broken(&r, bytes, length);
        }
    }
    unlink("tree.log");
    note("logs of trees", &w);
}

static void test_files(void **state)
{
    (void)state;
    char quick[] = "/dev/shm/vouch_files_XXXXXX", usual[] = "/tmp/vouch_files_XXXXXX"; /* each file is synced */
    char *folder = mkdtemp(quick);
    if (!folder) folder = mkdtemp(usual);
    assert_non_null(folder);
    assert_non_null(getcwd(home, sizeof home));
    assert_int_equal(chdir(folder), 0);
    run_models();
    run_errand();
    run_policies();
    run_bases();
    run_trees();
    read_folder("tests/data/prism", 60, 1);
    read_folder("tests/data/bad", 2, 1);
    read_folder("tests/data/lp", 0, 2);
    const char *const fuzzed[] = {"csv", "drn", "glp", "lp", "model_json", "mps", "policy_json", "pomdp", "prism"};
    for (size_t i = 0; i < sizeof fuzzed / sizeof *fuzzed; i++) {
        char name[80];
        (void)snprintf(name, sizeof name, "tests/data/fuzz/fuzz_%s", fuzzed[i]);
        read_folder(name, 0, 7);
    }
    const char *const left[] = {"out.json", "out.csv", "out.pomdp", "joined.json", "out.json.gz", "out.csv.initial", "initial.csv"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) unlink(left[i]);
    assert_int_equal(chdir(home), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "files", test_files); }
