/* io/tree.c - see io/tree.h. The lines are read as the elements of one JSON array, so that messages keep their line numbers. */
#include "io/json.h"

#include "base/intern.h"

static const char *const END_TEXT[] = {[VOUCH_NODE_BRANCHED] = "branched",
                                       [VOUCH_NODE_BOUND] = "bound",
                                       [VOUCH_NODE_INFEASIBLE] = "infeasible",
                                       [VOUCH_NODE_INTEGER] = "integer",
                                       [VOUCH_NODE_LIMIT] = "limit"};
enum { ENDS = sizeof END_TEXT / sizeof *END_TEXT };

const char *node_end_text(vouch_node_end end) { return END_TEXT[end]; }

void tree_add_line(text *out, const tree_entry *n)
{
    char digits[32];
    CHECK(n->id > n->parent && n->parent >= 0);
    text_add(out, "{\"id\":%lld,\"parent\":%lld,\"depth\":%d,\"branch\":", n->id, n->parent, n->depth);
    if (n->branch)
        js_add(out, "\"%s\"", n->branch);
    else
        text_add(out, "null");
    text_add(out, ",\"bound\":%s", isfinite(n->bound) ? text_number(n->bound, digits) : "null");
    text_add(out, ",\"incumbent\":%s,\"end\":\"%s\"}\n", isfinite(n->incumbent) ? text_number(n->incumbent, digits) : "null",
             END_TEXT[n->end]);
}

static void read_entry(const js_doc *doc, uint32_t at, tree_entry *e)
{
    enum { ID, PARENT, DEPTH, BRANCH, BOUND, INCUMBENT, END, FIELDS };
    static const js_field field[FIELDS] = {
        {"id", NUMBER, true},    {"parent", NUMBER, true},    {"depth", NUMBER, true}, {"branch", STRING | 1 << JS_NULL, true},
        {"bound", FIGURE, true}, {"incumbent", FIGURE, true}, {"end", STRING, true},
    };
    uint32_t v[FIELDS];
    js_fields(doc, at, field, FIELDS, v);
    double id = js_number(doc, v[ID]), parent = js_number(doc, v[PARENT]);
    if (!(id >= 1 && id < 9e15) || id != floor(id)) js_fail(doc, v[ID], "expected a whole number of at least 1");
    if (!(parent >= 0 && parent < 9e15) || parent != floor(parent))
        js_fail(doc, v[PARENT], "expected a whole number of at least 0");
    e->depth = js_int(doc, v[DEPTH], 0, 1000000000);
    e->id = (long long)id;
    e->parent = (long long)parent;
    e->bound = js_kind_of(doc, v[BOUND]) == JS_NUMBER ? js_number(doc, v[BOUND]) : (double)NAN;
    e->incumbent = js_kind_of(doc, v[INCUMBENT]) == JS_NUMBER ? js_number(doc, v[INCUMBENT]) : (double)NAN;
    int end = 0;
    while (end < ENDS && strcmp(js_string(doc, v[END]), END_TEXT[end]) != 0) end++;
    if (end == ENDS)
        js_fail(doc, v[END], "expected branched, bound, infeasible, integer or limit, found \"%s\"", js_string(doc, v[END]));
    e->end = (vouch_node_end)end;
    e->branch = mem_string(js_kind_of(doc, v[BRANCH]) == JS_STRING ? js_string(doc, v[BRANCH]) : "");
    if (!e->branch) escape_memory(doc->e);
}

static void end_intern(void *object) { intern_free(object); }

static void link_entries(logged_tree *tree, const char *path, escape *e)
{
    intern *ids = ESCAPE_ZERO(e, intern, 1);
    escape_keep(e, end_intern, ids);
    must_count(e, intern_init(ids, 1));
    for (int i = 0; i < tree->count; i++) {
        uint64_t key = (uint64_t)tree->node[i].id;
        bool fresh = true;
        must_count(e, intern_add(ids, &key, &fresh));
        if (!fresh) escape_fail(e, VOUCH_ERROR_INPUT, "%s: node %lld ended twice", path, tree->node[i].id);
    }
    for (int i = 0; i < tree->count; i++) {
        uint64_t key = (uint64_t)tree->node[i].parent;
        int above = intern_find(ids, &key);
        if (above == i || (above >= 0 && tree->node[above].depth >= tree->node[i].depth))
            escape_fail(e, VOUCH_ERROR_INPUT, "%s: node %lld is not deeper than its parent %lld", path, tree->node[i].id,
                        tree->node[i].parent);
        tree->node[i].above = above;
        if (above >= 0) tree->node[above].children++;
    }
}

/* "{..}\n{..}\n" becomes "[{..},\n{..}\n]". */
static char *as_array(escape *e, const char *lines, size_t length, size_t *total)
{
    size_t breaks = 0;
    for (size_t i = 0; i < length; i++) breaks += lines[i] == '\n';
    char *out = mem_alloc(length + breaks + 3, 1), *to = out;
    if (!out) escape_memory(e);
    while (length > 0 && (lines[length - 1] == '\n' || lines[length - 1] == '\r')) length--;
    *to++ = '[';
    for (size_t i = 0; i < length; i++) {
        if (lines[i] == '\n') *to++ = ',';
        *to++ = lines[i];
    }
    *to++ = ']';
    *to = '\0';
    *total = (size_t)(to - out);
    return out;
}

typedef struct tree_input {
    js_doc doc;
    const char *path;
    logged_tree *tree;
} tree_input;

static void read_tree(void *object)
{
    tree_input *in = object;
    js_doc *doc = &in->doc;
    logged_tree *tree = in->tree;
    char *lines;
    size_t length, total;
    must(doc->e, file_read(in->path, FILE_CAP, &lines, &length, doc->e->error));
    escape_own(doc->e, lines);
    char *array = as_array(doc->e, lines, length, &total);
    js_parse(doc, in->path, array, total); /* takes array over */
    if (js_count(doc, 0) == 0)
        escape_fail(doc->e, VOUCH_ERROR_INPUT,
                    "%s:1: no node; expected one JSON object a line (a plan that needs no tree logs none)", in->path);
    if (!(tree->node = MEM_ZERO(tree_entry, js_count(doc, 0)))) escape_memory(doc->e);
    for (uint32_t at = 1; at < js_end(doc, 0); at = js_end(doc, at)) read_entry(doc, at, &tree->node[tree->count++]);
    link_entries(tree, in->path, doc->e);
}

vouch_status logged_tree_read(logged_tree *tree, const char *path, vouch_error *error)
{
    escape e = {.error = error};
    tree_input in = {{.e = &e}, path, tree};
    return escape_run(&e, read_tree, &in);
}

void logged_tree_free(logged_tree *tree)
{
    for (int i = 0; i < tree->count; i++) mem_free(tree->node[i].branch);
    mem_free(tree->node);
    *tree = (logged_tree){0};
}
