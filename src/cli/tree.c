/* cli/tree.c - vouch tree: counts the nodes of a search tree, or draws it. */
#include "cli/cli.h"

typedef struct tree_args {
    cli_common common;
    int svg;
    const char *output;
} tree_args;

#define AT(field) offsetof(tree_args, field)
static const cli_option options[] = {
    {CLI_FLAG, 0, "svg", NULL, AT(svg), .help = "draw the tree as SVG"},
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

/* Shapes distinguish ends without colours, for a circle of radius 1; also in cli/watch/tree.js. */
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

/* Places leaves side by side in depth-first order, parents above the middle of their children. x: [count] in leaf widths. */
static int place(const logged_tree *t, double x[], int *deepest)
{
    int *first = CLI_NEW(int, t->count), *next = CLI_NEW(int, t->count), *stack = CLI_NEW(int, t->count),
        *left = CLI_NEW(int, t->count);
    int leaves = 0, top = 0;
    for (int i = 0; i < t->count; i++) {
        first[i] = -1;
        if (t->node[i].depth > *deepest) *deepest = t->node[i].depth;
    }
    for (int i = t->count - 1; i >= 0; i--) {
        int above = t->node[i].above;
        if (above < 0) continue;
        next[i] = first[above];
        first[above] = i;
    }
    for (int root = 0; root < t->count; root++) {
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
    return leaves;
}

/* Shortens "t=3 s=x1 a=east": the state first, then to "t=3 east", the action last. */
static void shorten_decision(char *words, size_t most)
{
    enum { LEAST = 9 };
    char *state = strstr(words, " s="), *action = state ? strstr(state, " a=") : NULL;
    size_t kept = action ? draw_letters(action) : 0, time = action ? (size_t)(state - words) : 0;
    bool some = time + LEAST + kept <= most;
    if (action && draw_letters(words) > most && time + kept - 2 <= most) {
        text t = {0};
        if (!some) text_add(&t, " ");
        text_add_plain(&t, some ? action : action + 3);
        *action = '\0';
        if (some)
            draw_shorten(words, most - kept);
        else
            *state = '\0';
        strcat(words, cli_string(&t)); /* not longer than before */
    } else
        draw_shorten(words, most);
}

/* The decision of each node above it, if there is room for a few letters between its neighbours; size: of the font. */
static void add_decisions(const logged_tree *t, const double x[], const double y[], double width, double size, text *out)
{
    enum { LEAST = 5 };
    for (int i = 0; i < t->count; i++) {
        double room = 2 * fmin(x[i], width - x[i]);
        for (int j = 0; j < t->count; j++)
            if (j != i && t->node[j].depth == t->node[i].depth) room = fmin(room, fabs(x[j] - x[i]));
        size_t letters = (size_t)(room / (0.62 * size));
        char *words = letters >= LEAST ? mem_string(t->node[i].branch) : NULL;
        if (words) shorten_decision(words, letters);
        if (words && words[0]) {
            text_add(out,
                     "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"middle\" fill=\"#333\" stroke=\"#ffffff\" "
                     "stroke-width=\"3\" paint-order=\"stroke\">",
                     x[i], y[i], size);
            xml_add(out, words);
            text_add(out, "</text>\n");
        }
        mem_free(words);
    }
}

static void write_svg(const logged_tree *t, text *out)
{
    const double least = 640, highest = 1600, margin = 24, letter = 8.5, size = 14.5;
    double *x = CLI_NEW(double, t->count), *y = CLI_NEW(double, t->count);
    int deepest = 0, leaves = place(t, x, &deepest);
    double width = fmin(1280, fmax(least, 2 * margin + 24.0 * leaves)),
           unit = width / least; /* so that letters are readable at 400 pixels */
    double top = 84 * unit;
    double row = fmin(48 * unit, (highest - top - margin) / (deepest + 1)), scale = (width - 2 * margin) / (leaves ? leaves : 1);
    double radius = fmin(7, fmax(1.2, 0.42 * fmin(scale, row))), height = top + row * (deepest + 1) + margin;
    text_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
             "font-family=\"sans-serif\" font-size=\"%.1f\">\n",
             width, height, width, height, 15 * unit);
    text_add(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
    text_add(out,
             "<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\">search tree: %d node%s, %d level%s; bound %.8g at the root</text>\n",
             margin, 26 * unit, t->count, t->count == 1 ? "" : "s", deepest + 1, deepest ? "s" : "",
             t->count ? t->node[0].bound : (double)NAN);
    double at = margin;
    for (int end = 0; end <= VOUCH_NODE_LIMIT; end++) {
        int count = 0;
        for (int i = 0; i < t->count; i++) count += t->node[i].end == (vouch_node_end)end;
        if (!count) continue;
        add_shape(out, (vouch_node_end)end, at + 6 * unit, 50 * unit, 6 * unit);
        text_add(out, "</path><text x=\"%.1f\" y=\"%.1f\" fill=\"#333\">%s: %d</text>\n", at + 18 * unit, 55 * unit,
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
    for (int i = 0; i < t->count; i++) {
        x[i] = margin + x[i] * scale;
        y[i] = top + row * (t->node[i].depth + 0.5) - radius - 4;
    }
    if (row >= 2 * size * unit) add_decisions(t, x, y, width, size * unit, out);
    text_add(out, "</svg>\n");
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
        table_print(out, stdout);
    }
}

static void free_tree(void *t) { logged_tree_free(t); }

static int run(void *arguments, char **operand)
{
    const tree_args *args = arguments;
    logged_tree *t = CLI_NEW(logged_tree, 1);
    vouch_error none;
    file_kind kind;
    vouch_status status = logged_tree_read(t, operand[0], &cli_error);
    cli_own(free_tree, t);
    if (status == VOUCH_ERROR_INPUT && !recognise_path(operand[0], &kind, &none) && kind != FILE_TREE && kind != FILE_UNKNOWN &&
        kind != FILE_EMPTY)
        cli_die("%s is %s; vouch tree draws the output of vouch plan --log-tree F.jsonl", cli_shown(operand[0]),
                recognised_text(kind));
    cli_try(status);
    if (!args->svg) {
        print_summary(t, args->common.json);
        return CLI_SOLVED;
    }
    text *out = cli_text();
    write_svg(t, out);
    cli_try(text_write(out, args->output, &cli_error));
    return CLI_SOLVED;
}

const cli_command cli_tree = {
    .name = "tree",
    .operands = "F.jsonl",
    .least_operands = 1,
    .summary = "count or draw the nodes of a search tree written by --log-tree",
    .text = "Reads the nodes written by vouch plan --log-tree or vouch lp --log-tree and counts them by the reason why "
            "they ended, or draws them.",
    .examples = "vouch plan maze.json -L 1 --log-tree tree.jsonl\n"
                "vouch tree tree.jsonl\n",
    .options = options,
    .size = sizeof(tree_args),
    .run = run,
};
