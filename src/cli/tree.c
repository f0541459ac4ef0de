/* cli/tree.c - vouch tree: a search tree as a picture, or in the formats of other tools.
 *
 * VBC is the format of VBCTool as SCIP writes it; BAK that of GrUMPy, which SCIP writes as well. Both carry times; a log holds
 * none, so that it is the same every time, and the n-th node is said to end after n hundredths of a second.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vouch/vouch.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/table.h"
#include "cli/xml.h"
#include "io/formats.h"
#include "io/recognise.h"
#include "io/tree.h"

typedef struct tree_args {
    cli_common common;
    int dot, vbc, bak, svg;
    const char *output;
} tree_args;

#define AT(field) offsetof(tree_args, field)
static const cli_option options[] = {
    {CLI_FLAG, 0, "dot", NULL, AT(dot), .help = "Graphviz"},
    {CLI_FLAG, 0, "vbc", NULL, AT(vbc), .help = "VBCTool"},
    {CLI_FLAG, 0, "bak", NULL, AT(bak), .help = "GrUMPy"},
    {CLI_FLAG, 0, "svg", NULL, AT(svg), .help = "a picture"},
    {CLI_OUTPUT, 'o', "output", "FILE", AT(output), "-", .help = "output file; - for standard output"},
    {0},
};
#undef AT

/* M. Okabe, K. Ito, Color Universal Design, 2008 */
static const char *const COLOUR[] = {[VOUCH_NODE_BRANCHED] = "#8a8f98",
                                     [VOUCH_NODE_BOUND] = "#e69f00",
                                     [VOUCH_NODE_INFEASIBLE] = "#d55e00",
                                     [VOUCH_NODE_INTEGER] = "#0072b2",
                                     [VOUCH_NODE_LIMIT] = "#cc79a7"};

/* So that colours are not needed: how wide and high a circle of radius 1 is, likewise in cli/watch/tree.js. */
static const char *const SHAPE[] = {[VOUCH_NODE_BRANCHED] = "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
                                    [VOUCH_NODE_BOUND] = "M-1.1-.8h2.2l-1.1 2z",
                                    [VOUCH_NODE_INFEASIBLE] = "M-1-.5L-.5-1L0-.5L.5-1L1-.5L.5 0L1 .5L.5 1L0 .5L-.5 1L-1 .5L-.5 0z",
                                    [VOUCH_NODE_INTEGER] = "M0-1.3L1.3 0L0 1.3L-1.3 0z",
                                    [VOUCH_NODE_LIMIT] = "M-.9-.9h1.8v1.8h-1.8z"};

static void add_shape(text *out, vouch_node_end end, double x, double y, double radius)
{
    text_add(out, "<path transform=\"translate(%.1f %.1f) scale(%.2f)\" d=\"%s\" fill=\"%s\">", x, y, radius, SHAPE[end],
             COLOUR[end]);
}

static void write_dot(const logged_tree *t, text *out)
{
    text_add(out, "digraph search {\n  node [shape=box, style=filled, fontsize=10];\n");
    for (int i = 0; i < t->count; i++) {
        const tree_entry *n = &t->node[i];
        text_add(out, "  n%lld [label=\"%lld", n->id, n->id);
        if (isfinite(n->bound)) text_add(out, "\\n%.6g", n->bound);
        if (n->end != VOUCH_NODE_BRANCHED) text_add(out, "\\n%s", node_end_text(n->end));
        text_add(out, "\", fillcolor=\"%s\", tooltip=\"%s\"];\n", COLOUR[n->end], node_end_text(n->end));
        if (n->above < 0) continue;
        text_add(out, "  n%lld -> n%lld [fontsize=8, label=\" ", n->parent, n->id);
        dot_add(out, n->branch);
        text_add(out, " \"];\n");
    }
    text_add(out, "}\n");
}

static void add_clock(text *out, int step)
{
    text_add(out, "%02d:%02d:%02d.%02d ", step / 360000, step / 6000 % 60, step / 100 % 60, step % 100);
}

/* A backslash begins a command of VBCTool, and a line is a record: neither may come out of a name. */
static void add_vbc_text(text *out, const char *s)
{
    for (; *s; s++) text_add(out, "%c", *s == '\\' ? '/' : (unsigned char)*s < ' ' || *s == 127 ? ' ' : *s);
}

static void write_vbc(const logged_tree *t, text *out)
{
    enum { SOLVED = 2, CUTOFF = 4, SOLUTION = 14, UNSOLVED = 3 };
    static const int colour[] = {[VOUCH_NODE_BRANCHED] = SOLVED,
                                 [VOUCH_NODE_BOUND] = CUTOFF,
                                 [VOUCH_NODE_INFEASIBLE] = CUTOFF,
                                 [VOUCH_NODE_INTEGER] = SOLUTION,
                                 [VOUCH_NODE_LIMIT] = UNSOLVED};
    double upper = NAN;
    text_add(out, "#TYPE: COMPLETE TREE\n#TIME: SET\n#BOUNDS: SET\n#INFORMATION: STANDARD\n#NODE_NUMBER: NONE\n");
    for (int i = 0; i < t->count; i++) {
        const tree_entry *n = &t->node[i];
        add_clock(out, i + 1);
        text_add(out, "N %lld %lld %d\n", n->above < 0 ? 0 : n->parent, n->id, UNSOLVED);
        add_clock(out, i + 1);
        text_add(out, "I %lld \\inode:\\t%lld\\idepth:\\t%d\\nbranch:\\t", n->id, n->id, n->depth);
        add_vbc_text(out, n->branch);
        text_add(out, "\\nbound:\\t%f\n", n->bound);
        add_clock(out, i + 1);
        text_add(out, "P %lld %d\n", n->id, colour[n->end]);
        if (i == 0 && isfinite(n->bound)) {
            add_clock(out, i + 1);
            text_add(out, "L %f\n", n->bound);
        }
        if (isfinite(n->incumbent) && n->incumbent != upper) {
            upper = n->incumbent;
            add_clock(out, i + 1);
            text_add(out, "U %f\n", upper);
        }
    }
}

static void write_bak(const logged_tree *t, text *out)
{
    static const char *const word[] = {[VOUCH_NODE_BRANCHED] = "branched",
                                       [VOUCH_NODE_BOUND] = "fathomed",
                                       [VOUCH_NODE_INFEASIBLE] = "infeasible",
                                       [VOUCH_NODE_INTEGER] = "integer",
                                       [VOUCH_NODE_LIMIT] = "candidate"};
    int *born = MEM_ZERO(int, t->count); /* children seen so far */
    double best = NAN;
    if (!born) {
        out->failed = true;
        return;
    }
    for (int i = 0; i < t->count; i++) {
        const tree_entry *n = &t->node[i];
        const char *side = n->above < 0 ? "M" : born[n->above]++ == 0 ? "L" : "R";
        long long parent = n->above < 0 ? 0 : n->parent;
        double time = 0.01 * (i + 1);
        if (isfinite(n->incumbent) && n->incumbent != best) {
            best = n->incumbent;
            if (n->end != VOUCH_NODE_INTEGER) text_add(out, "%f heuristic %f\n", time, best);
        }
        text_add(out, "%f %s %lld %lld %s", time, word[n->end], n->id, parent, side);
        if (n->end != VOUCH_NODE_INFEASIBLE) text_add(out, " %f", n->bound);
        text_add(out, n->end == VOUCH_NODE_BRANCHED || n->end == VOUCH_NODE_LIMIT ? " 0 0\n" : "\n");
    }
    mem_free(born);
}

/* Leaves stand side by side in the order of a walk, parents above the middle of their children. x: [count] in leaf widths. */
static int place(const logged_tree *t, double x[], int *deepest)
{
    int *first = MEM_NEW(int, t->count), *next = MEM_NEW(int, t->count), *stack = MEM_NEW(int, t->count),
        *left = MEM_NEW(int, t->count);
    int leaves = 0, top = 0;
    if (!first || !next || !stack || !left) leaves = -1;
    for (int i = 0; i < t->count && leaves == 0; i++) {
        first[i] = -1;
        if (t->node[i].depth > *deepest) *deepest = t->node[i].depth;
    }
    for (int i = t->count - 1; i >= 0 && leaves == 0; i--) {
        int above = t->node[i].above;
        if (above < 0) continue;
        next[i] = first[above];
        first[above] = i;
    }
    for (int root = 0; root < t->count && leaves >= 0; root++) {
        if (t->node[root].above >= 0) continue;
        stack[top++] = root;
        left[root] = first[root];
        while (top > 0) {
            int i = stack[top - 1];
            if (left[i] >= 0) {
                int child = left[i];
                left[i] = next[child];
                left[child] = first[child];
                stack[top++] = child;
                continue;
            }
            if (first[i] < 0)
                x[i] = leaves++ + 0.5;
            else {
                int last = first[i];
                while (next[last] >= 0) last = next[last];
                x[i] = (x[first[i]] + x[last]) / 2;
            }
            top--;
        }
    }
    mem_free(first);
    mem_free(next);
    mem_free(stack);
    mem_free(left);
    return leaves;
}

static void write_svg(const logged_tree *t, text *out)
{
    const double least = 640, margin = 24, letter = 8.5;
    double *x = MEM_NEW(double, t->count);
    int deepest = 0, leaves = x ? place(t, x, &deepest) : -1;
    if (leaves < 0) {
        out->failed = true;
        mem_free(x);
        return;
    }
    double width = fmin(1280, fmax(least, 2 * margin + 24.0 * leaves)),
           unit = width / least; /* letters can be read on 400 pixels */
    double top = 56 * unit;
    double row = fmin(48, fmax(6, 720.0 / (deepest + 1))), scale = (width - 2 * margin) / (leaves ? leaves : 1);
    double radius = fmin(7, fmax(1.2, 0.42 * fmin(scale, row))), height = top + row * (deepest + 1) + margin;
    text_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
             "font-family=\"sans-serif\" font-size=\"%.1f\">\n",
             width, height, width, height, 15 * unit);
    text_add(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
    double at = margin;
    for (int end = 0; end <= VOUCH_NODE_LIMIT; end++) {
        int count = 0;
        for (int i = 0; i < t->count; i++) count += t->node[i].end == (vouch_node_end)end;
        if (!count) continue;
        add_shape(out, (vouch_node_end)end, at + 6 * unit, 24 * unit, 6 * unit);
        text_add(out, "</path><text x=\"%.1f\" y=\"%.1f\" fill=\"#333\">%s: %d</text>\n", at + 18 * unit, 29 * unit,
                 node_end_text((vouch_node_end)end), count);
        at += 34 * unit + letter * unit * snprintf(NULL, 0, "%s: %d", node_end_text((vouch_node_end)end), count);
    }
    text_add(out, "<g stroke=\"#b8bcc4\" stroke-width=\"%.2f\">\n", fmin(1.2, radius / 2));
    for (int i = 0; i < t->count; i++) {
        int a = t->node[i].above;
        if (a >= 0)
            text_add(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", margin + x[a] * scale,
                     top + row * (t->node[a].depth + 0.5), margin + x[i] * scale, top + row * (t->node[i].depth + 0.5));
    }
    text_add(out, "</g>\n");
    for (int i = 0; i < t->count; i++) {
        const tree_entry *n = &t->node[i];
        add_shape(out, n->end, margin + x[i] * scale, top + row * (n->depth + 0.5), radius);
        text_add(out, "<title>node %lld, ", n->id);
        xml_add(out, *n->branch ? n->branch : "root");
        text_add(out, ", bound %.8g, %s</title></path>\n", n->bound, node_end_text(n->end));
    }
    text_add(out, "</svg>\n");
    mem_free(x);
}

static void print_summary(const logged_tree *t, bool json)
{
    static const char *const headers[] = {"<end", "nodes", "least depth", "greatest depth", "least bound", NULL};
    table *out = json ? NULL : table_new(headers);
    if (json) printf("{ \"nodes\": %d", t->count);
    for (int end = 0; end <= VOUCH_NODE_LIMIT; end++) {
        int count = 0, least = 1 << 30, most = 0;
        double bound = INFINITY;
        for (int i = 0; i < t->count; i++) {
            if (t->node[i].end != (vouch_node_end)end) continue;
            count++;
            if (t->node[i].depth < least) least = t->node[i].depth;
            if (t->node[i].depth > most) most = t->node[i].depth;
            if (t->node[i].bound < bound) bound = t->node[i].bound;
        }
        if (json) printf(", \"%s\": %d", node_end_text((vouch_node_end)end), count);
        if (!out || !count) continue;
        table_cell(out, "%s", node_end_text((vouch_node_end)end));
        table_cell(out, "%d", count);
        table_cell(out, "%d", least);
        table_cell(out, "%d", most);
        table_number(out, isfinite(bound) ? bound : (double)NAN);
    }
    if (json)
        printf(" }\n");
    else {
        printf("%d nodes\n\n", t->count);
        if (!out || table_print(out, stdout)) cli_wrong("out of memory");
    }
}

static int run(void *arguments, char **operand)
{
    const tree_args *args = arguments;
    logged_tree t = {0};
    text out = {0};
    vouch_error error = {0};
    if (args->dot + args->vbc + args->bak + args->svg > 1) return cli_wrong("more than one of --dot, --vbc, --bak, --svg");
    vouch_status status = logged_tree_read(&t, operand[0], &error);
    if (!status) {
        if (args->dot)
            write_dot(&t, &out);
        else if (args->vbc)
            write_vbc(&t, &out);
        else if (args->bak)
            write_bak(&t, &out);
        else if (args->svg)
            write_svg(&t, &out);
        else
            print_summary(&t, args->common.json);
        if (args->dot || args->vbc || args->bak || args->svg) status = text_write(&out, args->output, &error);
    }
    text_free(&out);
    logged_tree_free(&t);
    if (!status) return CLI_SOLVED;
    file_kind kind;
    vouch_error none;
    if (status == VOUCH_ERROR_INPUT && !recognise_path(operand[0], &kind, &none) && kind != FILE_TREE && kind != FILE_UNKNOWN &&
        kind != FILE_EMPTY)
        return cli_wrong("%s is %s; vouch tree draws the output of vouch plan --log-tree F.jsonl", cli_shown(operand[0]),
                         recognised_text(kind));
    return cli_failed(&error);
}

const cli_command cli_tree = {
    .name = "tree",
    .operands = "F.jsonl",
    .least_operands = 1,
    .summary = "draw or convert a search tree written by --log-tree",
    .text = "Reads the nodes written by vouch plan --log-tree or vouch lp --log-tree and counts the reasons why they ended, draws "
            "them, or converts them for Graphviz, VBCTool or GrUMPy.",
    .examples = "vouch plan maze.json -L 1 --log-tree tree.jsonl\n"
                "vouch tree tree.jsonl\n",
    .options = options,
    .size = sizeof(tree_args),
    .run = run,
};
