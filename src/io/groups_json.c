/* io/groups_json.c - see json.h. */
#include "io/json.h"

#include "mdp/model.h"

enum { ANY = ANYTHING & ~TRUTH };
enum {
    TOP_VERSION,
    TOP_MODEL,
    TOP_PROMISES,
    TOP_KNOWLEDGE,
    TOP_STATUS,
    TOP_MAX_REGRET,
    TOP_BOUND,
    TOP_GROUPS,
    TOP_POLICIES,
    TOP_FIELDS
};
static const js_field top_field[TOP_FIELDS] = {
    {"vouch_policy", NUMBER, true}, {"model", STRING, false},  {"promises", STRING, true},
    {"knowledge", STRING, false},   {"status", STRING, false}, {"max_regret", ANY, false},
    {"bound", ANY, false},          {"groups", ARRAY, true},   {"policies", ARRAY, true}};
static const char *const whose[] = {"own", "all"}; /* promises, knowledge */
enum { GROUP_ENVIRONMENTS, GROUP_MAX_REGRET, GROUP_BOUND, GROUP_POLICY, GROUP_FIELDS };
static const js_field group_field[GROUP_FIELDS] = {
    {"environments", ARRAY, true}, {"max_regret", ANY, false}, {"bound", ANY, false}, {"policy", NUMBER, true}};

void group_file_free(group_file *f)
{
    for (int i = 0; i < f->count; i++) {
        vouch_policy_free(f->item[i].policy);
        vouch_model_free(f->item[i].model);
        mem_free(f->item[i].environment);
    }
    mem_free(f->item);
    *f = (group_file){0};
}

/* ---- reading ---- */

/* The environments named at a node, each once in all groups, ascending. taken [K] */
static void read_members(const js_doc *doc, uint32_t at, const vouch_model *m, bool taken[], group_policy *p)
{
    bool *in = ESCAPE_ZERO(doc->e, bool, m->K);
    p->environment = MEM_NEW(int, m->K);
    if (!p->environment) escape_memory(doc->e);
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c)) {
        js_expect(doc, c, STRING);
        int k = 0;
        while (k < m->K && strcmp(m->env_name[k], js_string(doc, c)) != 0) k++;
        if (k == m->K) js_fail(doc, c, "there is no environment \"%.100s\"", js_string(doc, c));
        if (taken[k]) js_fail(doc, c, "the environment \"%.100s\" is in two groups", js_string(doc, c));
        taken[k] = in[k] = true;
    }
    for (int k = 0; k < m->K; k++)
        if (in[k]) p->environment[p->environments++] = k;
    if (p->environments == 0) js_fail(doc, at, "expected the environments of a group, found none");
}

/* The environments whose promises are kept, and the environments of policies. */
typedef struct group_kind {
    int promises, knowledge; /* of whose */
} group_kind;

static void read_group(const js_doc *doc, uint32_t at, uint32_t policies, const vouch_model *m, group_kind kind, bool taken[],
                       group_policy *p)
{
    uint32_t field[GROUP_FIELDS], c = policies + 1;
    vouch_error *error = doc->e->error;
    js_fields(doc, at, group_field, GROUP_FIELDS, field);
    int number = js_int(doc, field[GROUP_POLICY], 0, (int)js_count(doc, policies) - 1);
    read_members(doc, field[GROUP_ENVIRONMENTS], m, taken, p);
    for (int i = 0; i < number; i++) c = js_end(doc, c);
    p->apart = kind.knowledge == 0;
    if (p->apart)
        must(doc->e, vouch_model_restrict(&p->model, m, p->environment, p->environments, error));
    else if (kind.promises == 0)
        must(doc->e, model_paying(&p->model, m, p->environment, p->environments, true, error));
    policy_json_take(&p->policy, p->model ? p->model : m, doc, c);
}

static int read_whose(const js_doc *doc, uint32_t at)
{
    for (int of = 0; of < 2; of++)
        if (strcmp(js_string(doc, at), whose[of]) == 0) return of;
    js_fail(doc, at, "expected \"own\" or \"all\", found \"%.100s\"", js_string(doc, at));
}

static void read_groups(group_file *f, const js_doc *doc, const vouch_model *m)
{
    uint32_t field[TOP_FIELDS];
    js_fields(doc, 0, top_field, TOP_FIELDS, field);
    js_int(doc, field[TOP_VERSION], 1, 1);
    int promises = read_whose(doc, field[TOP_PROMISES]);
    group_kind kind = {promises, field[TOP_KNOWLEDGE] ? read_whose(doc, field[TOP_KNOWLEDGE]) : promises};
    if (kind.promises > kind.knowledge)
        js_fail(doc, field[TOP_KNOWLEDGE], "expected \"all\": the promises of all environments are kept");
    uint32_t groups = field[TOP_GROUPS];
    int missing = 0;
    bool *taken = ESCAPE_ZERO(doc->e, bool, m->K);
    f->item = MEM_ZERO(group_policy, js_count(doc, groups) + 1);
    if (!f->item) escape_memory(doc->e);
    for (uint32_t c = groups + 1; c < js_end(doc, groups); c = js_end(doc, c))
        read_group(doc, c, field[TOP_POLICIES], m, kind, taken, &f->item[f->count++]);
    while (missing < m->K && taken[missing]) missing++;
    if (missing < m->K) js_fail(doc, groups, "the environment \"%.100s\" is in no group", m->env_name[missing]);
}

/* Has the object at the root such a field? */
static bool has_field(const js_doc *doc, const char *name)
{
    if (js_kind_of(doc, 0) != JS_OBJECT) return false;
    for (uint32_t c = 1; c < js_end(doc, 0); c = js_end(doc, c + 1))
        if (strcmp(js_string(doc, c), name) == 0) return true;
    return false;
}

static void read_one(group_file *f, const js_doc *doc, const vouch_model *m)
{
    f->item = MEM_ZERO(group_policy, 1);
    if (f->item) f->item->environment = MEM_NEW(int, m->K);
    f->count = f->item ? 1 : 0;
    if (!f->item || !f->item->environment) escape_memory(doc->e);
    for (int k = 0; k < m->K; k++) f->item->environment[f->item->environments++] = k;
    policy_json_take(&f->item->policy, m, doc, 0);
}

typedef struct group_input {
    js_doc doc;
    const char *path;
    const vouch_model *m;
    group_file *f;
} group_input;

static void read_file(void *object)
{
    group_input *in = object;
    js_read(&in->doc, in->path);
    in->f->several = has_field(&in->doc, "policies");
    (in->f->several ? read_groups : read_one)(in->f, &in->doc, in->m);
}

vouch_status group_file_read(group_file *f, const vouch_model *m, const char *path, vouch_error *error)
{
    escape e = {.error = error};
    group_input in = {{.e = &e}, path, m, f};
    *f = (group_file){0};
    return escape_run(&e, read_file, &in);
}

vouch_status group_policy_read(const vouch_model *m, const char *path, const char *environment, vouch_model **model,
                               vouch_policy **policy, vouch_error *error)
{
    group_file f;
    int k = 0, i = 0;
    *model = NULL;
    *policy = NULL;
    vouch_status status = group_file_read(&f, m, path, error);
    while (!status && environment && k < m->K && strcmp(m->env_name[k], environment) != 0) k++;
    if (!status && k == m->K)
        status = error_set(error, VOUCH_ERROR_INPUT, "%s: --environment: there is no environment \"%.100s\"", path, environment);
    else if (!status && f.several && !environment && f.count > 1)
        status = error_set(error, VOUCH_ERROR_INPUT, "%s: %d policies; expected --environment NAME, whose policy is meant", path,
                           f.count);
    for (bool found = !environment; !status && !found; i += !found)
        for (int j = 0; j < f.item[i].environments && !found; j++) found = f.item[i].environment[j] == k;
    if (!status) {
        *model = f.item[i].model;
        *policy = f.item[i].policy;
        f.item[i].model = NULL;
        f.item[i].policy = NULL;
    }
    group_file_free(&f);
    return status;
}

void group_list_add(const vouch_groups *groups, const vouch_model *m, text *t)
{
    vouch_groups_result r;
    vouch_groups_get_result(groups, &r);
    text_add(t, "[");
    for (int i = 0; i < r.groups; i++) {
        vouch_group g;
        vouch_groups_get(groups, i, &g);
        text_add(t, "%s\n    { \"environments\": ", i ? "," : "");
        for (int k = 0; k < g.environments; k++) js_add(t, "%s\"%s\"", k ? ", " : "[", m->env_name[g.environment[k]]);
        js_add(t, "], \"max_regret\": %g, \"bound\": %g, \"policy\": %d }", g.max_regret, g.bound, i);
    }
    text_add(t, "]");
}

vouch_status group_file_write(const vouch_groups *groups, const vouch_model *m, vouch_group_promises promises, const char *path,
                              vouch_error *error)
{
    vouch_groups_result r;
    vouch_group first;
    text t = {0};
    vouch_groups_get_result(groups, &r);
    vouch_groups_get(groups, 0, &first);
    js_add(&t,
           "{ \"vouch_policy\": 1, \"model\": \"%s\", \"promises\": \"%s\", \"knowledge\": \"%s\",\n  \"status\": \"%s\", "
           "\"max_regret\": %g, \"bound\": %g,\n  \"groups\": ",
           m->name, whose[promises == VOUCH_PROMISES_ALL], whose[first.whole != 0], vouch_plan_outcome_text(r.outcome),
           r.max_regret, r.bound);
    group_list_add(groups, m, &t);
    text_add(&t, ",\n  \"policies\": [\n");
    for (int i = 0; i < r.groups; i++) {
        vouch_group g;
        vouch_groups_get(groups, i, &g);
        if (i) text_add(&t, ",\n");
        policy_json_write(g.policy, g.model, &t);
    }
    text_add(&t, "] }\n");
    return text_write(&t, path, error);
}

/* Is word [length] one of the words of name, between commas? */
static bool has_word(const char *name, const char *word, size_t length)
{
    for (;; name++) {
        size_t n = strcspn(name, ",");
        if (n == length && strncmp(name, word, n) == 0) return true;
        name += n;
        if (!*name) return false;
    }
}

void group_common_add(const vouch_model *m, const int environment[], int environments, text *t)
{
    const char *name = m->env_name[environment[0]];
    bool any = false;
    for (;; name++) {
        size_t n = strcspn(name, ",");
        bool all = memchr(name, '=', n) != NULL, every = true;
        for (int i = 1; i < environments && all; i++) all = has_word(m->env_name[environment[i]], name, n);
        for (int k = 0; k < m->K && every; k++) every = has_word(m->env_name[k], name, n);
        if (all && !every) {
            text_add(t, any ? "," : "");
            text_add_bytes(t, name, n);
            any = true;
        }
        name += n;
        if (!*name) return;
    }
}
