/* What readers and writers do with files, and with the same files broken at random: each message, and each model, problem or policy
 * in every format it can be written in, as digests. See work_aid.h. */
#include "lp_aid.h"
#include "work_aid.h"

#include <dirent.h>
#include <vouch/generate.h>
#include <vouch/lp_io.h>
#include <vouch/program.h>

#include "fuzz_source.h"
#include "io/formats.h"
#include "io/lpfile.h"
#include "io/json.h"

enum { LONGEST = 1 << 16 };

/* The result of reading a text, original or changed. */
typedef struct reading {
    const char *bytes;
    size_t length;
    int turn; /* number of the change; 0: as it stands */
    long long taken, refused;
    digest all;
} reading;
typedef void reader(reading *r);

static void answer(reading *r, vouch_status status, const vouch_error *error)
{
    add(&r->all, status);
    if (status) add_bytes(&r->all, error->text, strlen(error->text));
    *(status ? &r->refused : &r->taken) += 1;
}

static void add_text(digest *d, text *t)
{
    assert_false(t->failed);
    add_bytes(d, t->data ? t->data : "", t->length);
    text_free(t);
}

/* ---- models ---- */
static void add_model(digest *d, vouch_model *m)
{
    text t = {0};
    vouch_error error = {0};
    model_json_write(m, &t);
    add_text(d, &t);
    csv_model_write(m, &t);
    add_text(d, &t);
    for (int k = 0; k < vouch_model_environments(m); k++) {
        vouch_status status = drn_model_write(m, k, &t, &error);
        add(d, status);
        if (status) add_bytes(d, error.text, strlen(error.text));
        add_text(d, &t);
    }
}

static void begin(const reading *r, fuzz_input *in)
{
    fuzz_begin(in, (const uint8_t *)r->bytes, r->length);
    in->source.fix_deadlocks = r->turn % 2;
    in->source.merge_actions = r->turn % 4 >= 2;
}

static void end(reading *r, fuzz_input *in, vouch_status status, vouch_model *m)
{
    answer(r, status, &in->error);
    if (m) add_model(&r->all, m);
    vouch_model_free(m);
    mem_free(in->copy);
}

static void read_prism(reading *r)
{
    fuzz_input in;
    begin(r, &in);
    vouch_model *m = NULL;
    vouch_status status = prism_model_parse(&m, &(file_content){"f.prism", in.content, in.length}, &in.source, &in.error);
    end(r, &in, status, m);
}

static void read_pomdp(reading *r)
{
    fuzz_input in;
    begin(r, &in);
    vouch_model *m = NULL;
    vouch_status status = pomdp_model_parse(&m, &(file_content){"f.pomdp", in.content, in.length}, &in.source, &in.error);
    end(r, &in, status, m);
}

static void read_json(reading *r)
{
    vouch_error error = {0};
    vouch_model *m = NULL;
    answer(r, model_json_parse(&m, "f.json", fuzz_copy((const uint8_t *)r->bytes, r->length), r->length, &error), &error);
    if (m) add_model(&r->all, m);
    vouch_model_free(m);
}

/* Two files, or a companion and a file, are parted by a line of three dashes. */
static void read_drn(reading *r)
{
    fuzz_input in;
    begin(r, &in);
    vouch_model *m = NULL;
    char *split = strstr(in.content, "---\n");
    size_t first = split ? (size_t)(split - in.content) : in.length;
    if (split) *split = '\0';
    const file_content file[] = {{"a.drn", in.content, first},
                                 {"b.drn", split ? split + 4 : "", split ? in.length - first - 4 : 0}};
    vouch_status status = drn_model_parse(&m, "f", split ? 2 : 1, file, &in.source, &in.error);
    end(r, &in, status, m);
}

static void read_csv(reading *r)
{
    fuzz_input in;
    begin(r, &in);
    vouch_model *m = NULL;
    initial_list initial = {0};
    const char *split = strstr(in.content, "---\n"), *rows = split ? split + 4 : in.content;
    size_t first = (size_t)(rows - in.content);
    vouch_status status =
        split ? csv_initial_parse(&initial, &(file_content){"initial", in.content, first - 4}, &in.error) : VOUCH_OK;
    if (!status) status = csv_model_parse(&m, &(file_content){"f.csv", rows, in.length - first}, &initial, &in.source, &in.error);
    mem_free(initial.item);
    end(r, &in, status, m);
}

/* A file of properties under a name that is the same everywhere, for messages have it. */
static const char *properties_file(const char *bytes, size_t length)
{
    enum { DESCRIPTOR = 63 };
    static FILE *file;
    if (!file) {
        file = tmpfile();
        assert_non_null(file);
        assert_int_equal(dup2(fileno(file), DESCRIPTOR), DESCRIPTOR);
    }
    assert_int_equal(ftruncate(DESCRIPTOR, 0), 0);
    assert_int_equal(pwrite(DESCRIPTOR, bytes, length, 0), (ssize_t)length);
    return "/proc/self/fd/63";
}

/* Promises as lines, of a model in which they mean something, and a file of properties behind three dashes. */
static void read_specifications(reading *r)
{
    static const char model[] = "mdp\nconst int n;\nmodule m\ns : [0..3];\n[a] true -> 0.5:(s'=n)+0.5:(s'=min(s+1,3));\n"
                                "[b] s>0 -> (s'=s-1);\nendmodule\nlabel \"home\" = s=0;\nlabel \"far\" = s=3-n;\n";
    enum { MOST = 8 };
    fuzz_input in;
    begin(r, &in);
    vouch_model *m = NULL;
    const char *line[MOST], *constant = "n=0:1";
    specifications list = {0};
    escape e = {.error = &in.error};
    vouch_status status = VOUCH_OK;
    char *split = strstr(in.content, "---\n");
    if (split) {
        *split = '\0';
        const file_content file = {"f.props", split + 4, in.length - (size_t)(split + 4 - in.content)};
        status = fuzz_parse_properties(&list, &e, &file);
        for (size_t i = 0; i < list.item_count; i++) {
            const specification *w = &list.item[i];
            const double number[] = {w->kind, w->from, w->to, isnan(w->p) ? -1 : w->p, w->plain, w->unbounded};
            add_all(&r->all, 6, number);
            add_bytes(&r->all, w->name, strlen(w->name) + 1);
            add_bytes(&r->all, w->what, strlen(w->what) + 1);
        }
        escape_end(&e);
        in.source.properties = properties_file(file.bytes, file.length);
    }
    fuzz_commits(in.content, line, MOST, &in.source);
    in.source.constants = &constant;
    in.source.constant_count = 1;
    if (r->turn % 2 == 0) in.source.commits = NULL, in.source.commit_count = 0;
    if (!status) status = prism_model_parse(&m, &(file_content){"f.prism", model, sizeof model - 1}, &in.source, &in.error);
    end(r, &in, status, m);
}

/* ---- policies ---- */
static void read_policy(reading *r)
{
    vouch_error error = {0};
    vouch_model *m = NULL;
    vouch_policy *policy = NULL;
    text t = {0};
    assert_int_equal(vouch_generate_twin_states(&m, 3, &error), VOUCH_OK);
    char *copy = fuzz_copy((const uint8_t *)r->bytes, r->length);
    answer(r, policy_json_parse(&policy, m, "f.json", copy, r->length, &error), &error);
    if (policy) policy_json_write(policy, m, &t);
    add_text(&r->all, &t);
    vouch_policy_free(policy);
    vouch_model_free(m);
}

/* ---- problems ---- */
static void hear(void *context, vouch_log_level level, const char *line)
{
    add((digest *)context, level);
    add_bytes((digest *)context, line, strlen(line));
}

static void add_reports(digest *d, vouch_lp *lp)
{
    vouch_lp_result best;
    vouch_lp_data data;
    text t = {0};
    unsigned char row[256], col[256];
    vouch_lp_view(lp, &data);
    if (data.rows > 255 || data.cols > 255 || vouch_lp_solve(lp, NULL) != VOUCH_OK) return;
    vouch_lp_get_result(lp, &best);
    bool optimal = best.outcome == VOUCH_LP_OPTIMAL && vouch_lp_has_basis(lp);
    if (optimal) vouch_lp_get_basis(lp, row, col);
    glpk_solution s = {lp,
                       true,
                       best.outcome == VOUCH_LP_OPTIMAL ? GLPK_FEASIBLE : GLPK_UNDEFINED,
                       best.objective,
                       best.x,
                       best.row_activity,
                       NULL,
                       NULL,
                       NULL,
                       NULL};
    glpk_report(&s, &t);
    glpk_plain(&s, &t);
    add_text(d, &t);
    if (!optimal) return;
    s = (glpk_solution){lp,  false, GLPK_OPTIMAL, best.objective, best.x, best.row_activity, best.row_dual, best.reduced_cost,
                        row, col};
    glpk_report(&s, &t);
    glpk_plain(&s, &t);
    vouch_lp_range *range = calloc((size_t)(data.rows + data.cols) + 1, sizeof *range);
    if (vouch_lp_ranges(lp, range) == VOUCH_OK) glpk_ranges(&s, range, &t);
    free(range);
    for (int turn = 0; turn < 2; turn++) { /* reports have the errors, too */
        for (int i = 0; i < data.rows; i++) row[i] = (unsigned char)((row[i] + 1 + 2 * turn) % 5);
        for (int j = 0; j < data.cols; j++) col[j] = (unsigned char)((col[j] + 1 + 2 * turn) % 5);
        glpk_report(&s, &t);
    }
    add_text(d, &t);
}

static void add_problem(digest *d, vouch_lp *lp)
{
    text t = {0};
    vouch_error error = {0};
    vouch_status (*const write[])(const vouch_lp *, vouch_lp_format, text *, vouch_error *) = {lpformat_write, glpformat_write,
                                                                                               mps_write, mps_write};
    const vouch_lp_format format[] = {VOUCH_FORMAT_LP, VOUCH_FORMAT_GLP, VOUCH_FORMAT_MPS_FREE, VOUCH_FORMAT_MPS_FIXED};
    for (int i = 0; i < 4; i++) {
        vouch_status status = write[i](lp, format[i], &t, &error);
        add(d, status);
        if (status) add_bytes(d, error.text, strlen(error.text));
        add_text(d, &t);
    }
    add_reports(d, lp);
}

static void read_problem(reading *r, const char *name, vouch_lp_format format)
{
    vouch_error error = {0};
    vouch_lp *lp = NULL;
    const vouch_log log = {hear, &r->all, VOUCH_LOG_DETAIL};
    answer(r, vouch_lp_read_text(&lp, r->bytes, r->length, name, format, &log, &error), &error);
    if (lp) add_problem(&r->all, lp);
    vouch_lp_free(lp);
}
static void read_lp(reading *r) { read_problem(r, "f.lp", VOUCH_FORMAT_AUTO); }
static void read_glp(reading *r) { read_problem(r, "f.glp", VOUCH_FORMAT_AUTO); }
static void read_mps(reading *r) { read_problem(r, "f.mps", r->turn % 3 == 1 ? VOUCH_FORMAT_MPS_FREE : VOUCH_FORMAT_AUTO); }

/* ---- changes of a text ---- */
static bool in_word(char c) { return ascii_alnum(c) || c == '_' || c == '.'; }

/* The token or blank at `at`: where it ends. */
static size_t token_end(const char *s, size_t length, size_t at)
{
    if (!in_word(s[at])) return at + 1;
    while (at < length && in_word(s[at])) at++;
    return at;
}

static size_t token_begin(const char *s, size_t at)
{
    while (at > 0 && in_word(s[at]) && in_word(s[at - 1])) at--;
    return at;
}

/* One token or line goes, comes twice, or gives way to another one. */
static size_t change(const char *s, size_t length, rng *r, char *out)
{
    static const char *const other[] = {"0",  "1",  "-1", "0.5", "2", "1e400", "2147483648", "nan",  "x",   "\"",
                                        "(",  ")",  "[",  "]",   "{", "}",     ",",          ":",    ";",   "=",
                                        "<=", ">=", "\n", " ",   "?", "!",     "-",          "1e-7", "inf", "\\"};
    size_t from = token_begin(s, (size_t)pick(r, (int)length)), to = token_end(s, length, from);
    size_t there = token_begin(s, (size_t)pick(r, (int)length)), there_end = token_end(s, length, there);
    const char *put = s + there;
    size_t put_length = there_end - there;
    int kind = pick(r, 8);
    if (kind >= 6) { /* a line */
        while (from > 0 && s[from - 1] != '\n') from--;
        while (to < length && s[to++] != '\n') {}
        put = s + from, put_length = to - from;
    }
    if (kind == 0 || kind == 6) put_length = 0;                       /* goes */
    if (kind == 1) put_length = to - from, put = s + from, to = from; /* twice */
    if (kind == 2 || kind == 3)
        put = other[pick(r, (int)(sizeof other / sizeof *other))], put_length = strlen(put); /* another word */
    if (kind == 3) from = to;                                                                /* a word comes */
    if (kind == 5 && pick(r, 4) == 0) to = length, put_length = 0;                           /* the end is missing */
    if (kind == 7) from = to;                                                                /* a line twice */
    memcpy(out, s, from);
    memcpy(out + from, put, put_length);
    memcpy(out + from + put_length, s + to, length - to);
    return from + put_length + length - to;
}

/* A text as it stands and `changes` times changed in one to three places. */
static void read_all(const char *name, reader *read, const char *bytes, size_t length, int changes)
{
    rng draw = rng_seed(1000 + length);
    reading r = {.all = DIGEST_NEW};
    static char one[4 * LONGEST], two[4 * LONGEST];
    char figures[100];
    assert_true(length > 0 && length < LONGEST);
    for (r.turn = 0; r.turn <= changes; r.turn++) {
        memcpy(one, bytes, length);
        size_t now = length;
        for (int step = r.turn == 0 ? 0 : 1 + pick(&draw, 3) / 2; step > 0 && now > 0 && now < LONGEST; step--) {
            now = change(one, now, &draw, two);
            memcpy(one, two, now);
        }
        one[now] = '\0';
        r.bytes = one, r.length = now;
        read(&r);
        assert_int_equal(mem_live(), 0);
    }
    (void)snprintf(figures, sizeof figures, "%lld read %lld refused %016llx", r.taken, r.refused, (unsigned long long)r.all);
    note_figures(name, figures);
}

static void read_file(const char *path, reader *read, int changes)
{
    static char bytes[LONGEST];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (length > 0) read_all(path, read, bytes, length, changes);
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }
static int is_seen(const struct dirent *d) { return d->d_name[0] != '.'; }

/* All files of a folder with this ending. */
static void read_folder(const char *folder, const char *ending, reader *read, int changes)
{
    struct dirent **list;
    int count = scandir(folder, &list, is_seen, by_name);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char path[500];
        size_t length = strlen(list[i]->d_name), rest = strlen(ending);
        (void)snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
        if (length > rest && strcmp(list[i]->d_name + length - rest, ending) == 0) read_file(path, read, changes);
        free(list[i]);
    }
    free(list);
}

/* Models of all families, as JSON; their programs in every format. */
static void generated(int changes)
{
    vouch_error error = {0};
    for (int kind = 0; kind < 4; kind++) {
        vouch_model *m = NULL;
        text t = {0};
        char name[60];
        const vouch_random_shape shape = {
            .states = 4, .actions = 2, .environments = 2, .horizon = 3, .branching = 2, .seed = 5, .probability = 0.3};
        vouch_status status = kind == 0   ? vouch_generate_corridor(&m, 6, 0.3, &error)
                              : kind == 1 ? vouch_generate_lookahead(&m, &error)
                              : kind == 2 ? vouch_generate_twin_states(&m, 3, &error)
                                          : vouch_generate_random(&m, &shape, &error);
        assert_int_equal(status, VOUCH_OK);
        model_json_write(m, &t);
        for (int form = 0; form < 3; form++) {
            vouch_program *program = NULL;
            reading r = {.all = DIGEST_NEW};
            char figures[60];
            status = vouch_program_new(&program, m, (vouch_program_form)form, 1, &error);
            answer(&r, status, &error);
            if (program) {
                vouch_lp *copy = NULL;
                assert_int_equal(vouch_lp_clone(&copy, vouch_program_lp(program)), VOUCH_OK);
                add_problem(&r.all, copy);
                vouch_lp_free(copy);
            }
            vouch_program_free(program);
            (void)snprintf(name, sizeof name, "generated %d, program %d", kind, form);
            (void)snprintf(figures, sizeof figures, "%s %016llx", status ? "refused" : "written", (unsigned long long)r.all);
            note_figures(name, figures);
        }
        vouch_model_free(m);
        (void)snprintf(name, sizeof name, "generated %d", kind);
        static char bytes[LONGEST];
        assert_true(t.length < LONGEST);
        size_t length = t.length;
        memcpy(bytes, t.data, length);
        text_free(&t);
        read_all(name, read_json, bytes, length, changes);
    }
}

static void test_files(void **state)
{
    (void)state;
    read_folder("tests/data/bad", ".json", read_json, 10);
    read_folder("tests/data/bad", ".prism", read_prism, 20);
    read_folder("tests/data/bad", ".templ", read_prism, 20);
    read_folder("tests/data/bad", ".drn", read_drn, 20);
    read_folder("tests/data/bad", ".csv", read_csv, 20);
    read_folder("tests/data/fuzz/fuzz_csv", "", read_csv, 300);
    read_folder("tests/data/fuzz/fuzz_drn", "", read_drn, 300);
    read_folder("tests/data/fuzz/fuzz_glp", "", read_glp, 400);
    read_folder("tests/data/fuzz/fuzz_lp", "", read_lp, 400);
    read_folder("tests/data/fuzz/fuzz_model_json", "", read_json, 300);
    read_folder("tests/data/fuzz/fuzz_mps", "", read_mps, 400);
    read_folder("tests/data/fuzz/fuzz_policy_json", "", read_policy, 400);
    read_folder("tests/data/fuzz/fuzz_pomdp", "", read_pomdp, 300);
    read_folder("tests/data/fuzz/fuzz_prism", "", read_prism, 300);
    read_folder("tests/data/fuzz/fuzz_specification", "", read_specifications, 300);
    read_folder("tests/data/lp", "", read_lp, 200);
    read_folder("tests/data/prism", "", read_prism, 300);
    generated(200);
}

int main(int argc, char *argv[]) { return (void)argc, work_main(argv, "io", test_files); }
