/* rules/picture.c - decision trees as SVG: an outline, a line for each branch, in as many columns as the page has; see rules.h.
 *
 * A column that begins inside the tree repeats the conditions above its first line in grey. If the page is too small, the subtrees
 * that decide the fewest steps are folded, one line each, which counts their rules and steps. */
#include "draw/draw.h"
#include "rules/rules.h"

enum { COLUMN = 400, INDENT = 14, STEPS_ROOM = 48, COLORS = 8, PAD = 4, HEAD_GAP = 6 };
/* M. Okabe, K. Ito, Color Universal Design, 2008, lightened */
static const char *const color[COLORS] = {"#cfe3f2", "#f8dccb", "#cdeadd", "#ecd9ea", "#f6eec2", "#d9ecf7", "#dddddd", "#f2f2f2"};

typedef struct line {
    int node, parent; /* parent -1: the root, which is a leaf */
    int depth, above; /* above: line of the parent, -1 */
    bool yes;
} line;

typedef struct outline {
    const vouch_decision_tree *t;
    escape *e;
    line *lines; /* [count] */
    int count;
    int *folded; /* [nodes] rules in a folded subtree; 0: not folded */
    double width, column, indent, top;
    int rows, columns; /* of a column; at most */
} outline;

static void list_lines(outline *o, int node, int depth, int above)
{
    const rule_node *n = &o->t->t.node[node];
    for (int no = 0; no < 2 && n->feature >= 0 && !o->folded[node]; no++) {
        int child = no ? n->no : n->yes, here = o->count++;
        o->lines[here] = (line){child, node, depth, above, !no};
        list_lines(o, child, depth + 1, here);
    }
}

/* ---- place ----------------------------------------------------------------------------------------------------------------- */

/* The columns that the lines take, with the conditions repeated above them. */
static int count_columns(const outline *o)
{
    int columns = 1, row = 0;
    for (int i = 0; i < o->count; i++) {
        if (row >= o->rows) {
            columns++;
            row = o->lines[i].depth;
        }
        row++;
    }
    return columns;
}

static int leaves_below(const outline *o, int node)
{
    const rule_node *n = &o->t->t.node[node];
    if (n->feature < 0) return 1;
    return o->folded[node] ? o->folded[node] : leaves_below(o, n->yes) + leaves_below(o, n->no);
}

static bool is_end(const outline *o, int node) { return o->t->t.node[node].feature < 0 || o->folded[node]; }

/* Folds the node of fewest steps whose branches are both ends; false: there is none. */
static bool fold_one(outline *o)
{
    const rule_tree *t = &o->t->t;
    int best = -1;
    for (int i = 0; i < o->count; i++) {
        int node = o->lines[i].node;
        const rule_node *n = &t->node[node];
        if (is_end(o, node) || !is_end(o, n->yes) || !is_end(o, n->no)) continue;
        if (best < 0 || n->steps < t->node[best].steps) best = node;
    }
    if (best < 0) return false;
    o->folded[best] = leaves_below(o, t->node[best].yes) + leaves_below(o, t->node[best].no);
    return true;
}

/* Lists the lines; folds subtrees until they fit. */
static void fit_lines(outline *o)
{
    bool more = true;
    while (more) {
        o->count = 0;
        list_lines(o, 0, 0, -1);
        if (count_columns(o) <= o->columns) return;
        int over = (o->count - o->rows * o->columns) / 4; /* below 0 where repeated conditions need the last column */
        for (int i = 0; i <= (over > 0 ? over : 0) && more; i++) more = fold_one(o);
    }
}

/* ---- draw ------------------------------------------------------------------------------------------------------------------ */

static void draw_text(text *out, double x, double y, const char *style, const char *words)
{
    text_add(out, "<text x=\"%g\" y=\"%g\" %s>", x, y, style);
    xml_add(out, words);
    text_add(out, "</text>");
}

/* The action of an end: its decision, or the number of its folded rules. */
static char *end_words(const outline *o, int node)
{
    text *t = escape_text(o->e);
    if (o->folded[node])
        text_add(t, "%d rules", o->folded[node]);
    else
        rules_add_decision(o->t, &o->t->t.node[node], t);
    return escape_take(o->e, t);
}

static void draw_end(const outline *o, int node, double x, double right, double y, text *out)
{
    const rule_node *n = &o->t->t.node[node];
    char *words = end_words(o, node), steps[32];
    const leaf_decision *d = &o->t->decision[n->choice[0]];
    int likeliest = 0;
    for (int k = 1; k < d->actions; k++)
        if (d->probability[k] > d->probability[likeliest]) likeliest = k;
    draw_shorten_action(words, (size_t)fmax(2, (right - STEPS_ROOM - x - 2 * PAD) / DRAW_LETTER));
    text_add(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%d\" rx=\"3\" fill=\"%s\"/>", x, y - 11.5,
             (double)draw_letters(words) * DRAW_LETTER + 2 * PAD, DRAW_LINE - 1,
             o->folded[node] ? "#eeeeee" : color[d->action[likeliest] % COLORS]);
    draw_text(out, x + PAD, y, "fill=\"#111\"", words);
    format_text(steps, sizeof steps, "%.3g", n->steps);
    draw_text(out, right - PAD, y, "fill=\"#777\" text-anchor=\"end\"", steps);
}

/* Name and relation in at most `most` letters; the name is cut first, as what it is compared with must stay. */
static char *fit_condition(const outline *o, char *name, const char *relation, size_t most)
{
    enum { LEAST = 6 };
    size_t letters = draw_letters(relation);
    text *t = escape_text(o->e);
    draw_shorten(name, letters + LEAST < most ? most - letters : LEAST);
    text_add(t, "%s%s", name, relation);
    char *words = escape_take(o->e, t);
    draw_shorten_action(words, most);
    return words;
}

/* repeated: as a condition above the first line of a column. */
static void draw_line(const outline *o, const line *l, double left, double y, bool repeated, text *out)
{
    double x = left + l->depth * o->indent, right = left + o->column - DRAW_MARGIN;
    bool end = is_end(o, l->node) && !repeated;
    const rule_node *n = l->parent >= 0 ? &o->t->t.node[l->parent] : NULL;
    text *name = escape_text(o->e), *relation = escape_text(o->e);
    text_add_plain(name, n ? o->t->f.list[n->feature].name : "always");
    if (n) rules_add_relation(o->t, n, l->yes, relation);
    text_add(relation, "%s", "");
    char *words = escape_take(o->e, name), *tail = escape_take(o->e, relation);
    text_add(out, "<g><title>");
    xml_add(out, words);
    xml_add(out, tail);
    if (end) {
        text_add(out, ": ");
        xml_add(out, end_words(o, l->node));
    }
    text_add(out, "</title>");
    for (int i = 0; i < l->depth; i++)
        text_add(out, "<path d=\"M%g %gv%d\" stroke=\"#ccd\"/>", left + i * o->indent + 3, y - 11, DRAW_LINE);
    double room = right - x - (end ? STEPS_ROOM : 0), most = room;
    if (end) most = fmax(room * 0.5, room - (double)draw_letters(end_words(o, l->node)) * DRAW_LETTER - 4 * PAD);
    words = fit_condition(o, words, tail, (size_t)fmax(4, most / DRAW_LETTER));
    draw_text(out, x, y,
              repeated ? "fill=\"#999\" font-style=\"italic\""
              : end    ? "fill=\"#333\""
                       : "fill=\"#333\" font-weight=\"bold\"",
              words);
    if (end) draw_end(o, l->node, x + (double)draw_letters(words) * DRAW_LETTER + 2 * PAD, right, y, out);
    text_add(out, "</g>\n");
}

/* Repeats the conditions above a line, from row 0 on. */
static void draw_above(const outline *o, int at, double left, text *out)
{
    for (; at >= 0; at = o->lines[at].above)
        draw_line(o, &o->lines[at], left, o->top + DRAW_LINE * (o->lines[at].depth + 1), true, out);
}

static const char FOLDED[] = "grey: rules that rarely decide, folded";

/* Appends remark 0, 1, .. below the title, or nothing; false: there are no more. */
static bool add_remark(const outline *o, int number, text *out)
{
    bool folds = o->lines == NULL; /* there is room in any case */
    for (size_t i = 0; i < o->t->t.nodes; i++) folds = folds || o->folded[i];
    if (number == 0) rules_add_cost(o->t, out);
    if (number == 1 && folds) text_add(out, FOLDED);
    return number < 2 || rules_add_note(o->t, number - 2, out);
}

/* Draws title, cost and legend, or counts their lines if out is NULL. */
static int draw_head(const outline *o, text *out)
{
    text *title = escape_text(o->e);
    rules_add_title(o->t, title);
    double wide = o->width - 2 * DRAW_MARGIN;
    int lines = draw_words(out, &(draw_block){DRAW_MARGIN, 20, wide, 9, DRAW_TITLE}, title->data);
    text *remark = escape_text(o->e);
    for (int i = 0; add_remark(o, i, remark); i++, remark = escape_text(o->e))
        if (remark->length > 0)
            lines += draw_words(out, &(draw_block){DRAW_MARGIN, 22 + DRAW_LINE * lines, wide, DRAW_LETTER, NULL}, remark->data);
    return lines;
}

void rules_draw(const vouch_decision_tree *t, int width, int height, escape *e, text *out)
{
    outline o = {.t = t, .e = e, .width = width};
    o.folded = escape_zero(e, t->t.nodes, sizeof *o.folded);
    o.top = DRAW_LINE * draw_head(&o, NULL) + DRAW_MARGIN + HEAD_GAP;
    o.lines = escape_new(e, t->t.nodes + 1, sizeof *o.lines);
    o.rows = (int)fmax(4, (height - o.top - DRAW_MARGIN) / DRAW_LINE);
    o.columns = (int)fmax(1, (width - DRAW_MARGIN) / COLUMN);
    if (t->t.node[0].feature < 0)
        o.lines[o.count++] = (line){0, -1, 0, -1, true};
    else
        fit_lines(&o);
    int columns = count_columns(&o);
    for (; o.rows > 4; o.rows--) { /* columns of one height */
        outline lower = o;
        lower.rows--;
        if (count_columns(&lower) > columns) break;
    }
    int rows = columns > 1 ? o.rows : o.count;
    o.column = fmin((double)(width - DRAW_MARGIN) / columns, 2 * COLUMN);
    o.width = fmin(width, columns * o.column + DRAW_MARGIN);
    o.indent = fmin(INDENT, 0.3 * o.column / (t->size.depth + 1));
    draw_begin(out, o.width, o.top + DRAW_LINE * (rows + 1.0));
    draw_head(&o, out);
    double left = DRAW_MARGIN;
    for (int c = 1; c <= columns; c++)
        draw_text(out, DRAW_MARGIN + c * o.column - DRAW_MARGIN - PAD, o.top, "fill=\"#777\" text-anchor=\"end\"", "steps");
    for (int i = 0, row = 0; i < o.count; i++, row++) {
        if (row >= o.rows) {
            left += o.column;
            row = o.lines[i].depth;
            draw_above(&o, o.lines[i].above, left, out);
        }
        draw_line(&o, &o.lines[i], left, o.top + DRAW_LINE * (row + 1), false, out);
    }
    text_add(out, "</svg>\n");
}
