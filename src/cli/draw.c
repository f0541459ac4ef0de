/* cli/draw.c - policies as pictures: dot, SVG, and moves on a grid; see show.h.
 *
 * The SVG graph has a column per time step. Boxes of a column are as wide as its longest text and stand below each other in the order of
 * the mean height of their predecessors, so that few edges cross and nothing lies on anything else. Where the columns are too many for
 * the width of a page they go on in a further band below, which begins with the last column of the band before. The width of an edge says
 * how likely it is in the environment where it is likeliest.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/show.h"

/* Lengths in pixels. A letter of the font is at most LETTER wide. */
enum { PAGE = 1264, LETTER = 7, LINE = 15, PAD = 6, GAP_X = 44, GAP_Y = 12, MARGIN = 16, HEAD = 28, LONGEST = 26 };

static void add_xml(text *t, const char *s)
{
    for (; *s; s++) {
        if (*s == '<') text_add(t, "&lt;");
        else if (*s == '>') text_add(t, "&gt;");
        else if (*s == '&') text_add(t, "&amp;");
        else if (*s == '"') text_add(t, "&quot;");
        else text_add_bytes(t, s, 1);
    }
}

static size_t letters(const char *s)
{
    size_t n = 0;
    for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
    return n;
}

/* At most `most` letters, the rest as two dots. */
static void shorten(char *s, size_t most)
{
    size_t n = 0;
    if (letters(s) <= most) return;
    while (n < most - 2 && *s) {
        s++;
        while (((unsigned char)*s & 0xC0) == 0x80) s++;
        n++;
    }
    memcpy(s, "..", 3);
}

enum { LINES = 3 };

/* State, knowledge and action of a node, for mem_free each; NULL where there is none. */
static void box_lines(const shown *s, size_t node, char *line[LINES])
{
    text known = {0}, action = {0};
    const flow_node *n = &s->f->node[node];
    line[0] = mem_string(s->m->state_name[n->state]);
    if (n->rule >= 0) {
        show_knowledge(s, &s->p->rules[n->rule], &known);
        show_action(s, &s->p->rules[n->rule], &action);
    }
    line[1] = known.data;
    line[2] = action.data;
    for (int i = 0; i < LINES; i++)
        if (line[i]) shorten(line[i], LONGEST);
}

static void free_lines(char *line[LINES])
{
    for (int i = 0; i < LINES; i++) mem_free(line[i]);
}

static double likeliest(const flow *f, const flow_edge *e, const policy_rule *r)
{
    double most = 0;
    size_t K = (size_t)f->K, at = (size_t)(e - f->edge);
    for (size_t k = 0; k < K; k++) most = fmax(most, f->reach[(size_t)e->from * K + k] * r->prob[e->choice] * f->prob[at * K + k]);
    return most;
}

/* ---- dot ----------------------------------------------------------------------------------------------------- */

static void add_dot_text(text *t, const char *s)
{
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') text_add(t, "\\");
        text_add_bytes(t, s, 1);
    }
}

void draw_dot(const shown *s, text *t)
{
    const flow *f = s->f;
    text_add(t, "digraph policy {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", fontsize=9];\n");
    for (size_t i = 0; i < f->nodes; i++) {
        char *line[LINES];
        box_lines(s, i, line);
        text_add(t, "  n%zu [label=\"", i);
        for (int l = 0; l < LINES; l++) {
            if (!line[l]) continue;
            if (l) text_add(t, "\\n");
            add_dot_text(t, line[l]);
        }
        text_add(t, "\"%s];\n", f->node[i].rule < 0 && s->m->phi[f->node[i].state] ? ", style=filled, fillcolor=\"#d8efd8\"" : "");
        free_lines(line);
    }
    for (size_t i = 0; i < f->edges; i++) {
        const flow_edge *e = &f->edge[i];
        const policy_rule *r = &s->p->rules[f->node[e->from].rule];
        text_add(t, "  n%d -> n%d [label=\"%.4g\", penwidth=%.2f];\n", e->from, e->to, e->reward, 0.5 + 2.5 * likeliest(f, e, r));
    }
    text_add(t, "}\n");
}

/* ---- SVG ----------------------------------------------------------------------------------------------------- */

typedef struct place {
    double x, y, width, order, wish; /* order: its place in the column; wish: mean of those of the predecessors */
    size_t node;
} place;

static int by_wish(const void *x, const void *y)
{
    const place *a = x, *b = y;
    if (a->wish != b->wish) return a->wish < b->wish ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static double box_width(const shown *s, size_t node)
{
    char *line[LINES];
    size_t most = 1;
    box_lines(s, node, line);
    for (int l = 0; l < LINES; l++)
        if (line[l] && letters(line[l]) > most) most = letters(line[l]);
    free_lines(line);
    return (double)(most * LETTER + 2 * PAD);
}

typedef struct layout {
    place *at, *again; /* [nodes]; again: in the next band, width 0 where the node stands in one band only */
    place *column;     /* [nodes], scratch */
    double wide, high;
} layout;

/* The nodes of one time step, which go into column from (x, y) on. Returns how many. */
static size_t lay_column(const shown *s, const layout *l, int time, double x, double y, double *width)
{
    const flow *f = s->f;
    const double height = LINES * LINE + 2 * PAD;
    place *column = l->column;
    size_t n = 0;
    *width = 0;
    for (size_t i = 0; i < f->nodes; i++) {
        if (f->node[i].time != time) continue;
        double sum = 0, count = 0;
        for (size_t e = 0; e < f->edges; e++) {
            if (f->edge[e].to != (int)i) continue;
            const place *from = &l->at[f->edge[e].from];
            sum += from->order;
            count++;
        }
        column[n++] = (place){.node = i, .wish = count > 0 ? sum / count : 0, .width = box_width(s, i)};
        *width = fmax(*width, column[n - 1].width);
    }
    qsort(column, n, sizeof *column, by_wish);
    for (size_t i = 0; i < n; i++) {
        column[i].x = x;
        column[i].y = y + (double)i * (height + GAP_Y);
        column[i].width = *width;
        column[i].order = (double)i;
    }
    return n;
}

/* Places all nodes and finds the size of the picture. */
static void lay_out(const shown *s, layout *l)
{
    const double height = LINES * LINE + 2 * PAD;
    double x = MARGIN, top = 0, low = 0, before = 0; /* top and lowest point of the band, width of the last column */
    for (int time = 0, in_band = 0; time <= s->p->T; time++, in_band++) {
        double width;
        size_t n = lay_column(s, l, time, x, top + HEAD + MARGIN, &width);
        if (n == 0) continue;
        if (in_band >= 2 && x + width + MARGIN > PAGE) {
            top = low + MARGIN;
            low = 0;
            for (size_t i = 0; i < s->f->nodes; i++) {
                if (s->f->node[i].time != time - 1) continue;
                l->again[i] = l->at[i];
                l->again[i].x = MARGIN;
                l->again[i].y = top + HEAD + MARGIN + l->at[i].order * (height + GAP_Y);
                low = fmax(low, l->again[i].y + height + GAP_Y);
            }
            x = MARGIN + before + GAP_X;
            in_band = 1;
            n = lay_column(s, l, time, x, top + HEAD + MARGIN, &width);
        }
        for (size_t i = 0; i < n; i++) {
            l->at[l->column[i].node] = l->column[i];
            low = fmax(low, l->column[i].y + height + GAP_Y);
        }
        l->wide = fmax(l->wide, x + width + MARGIN);
        l->high = fmax(l->high, low + MARGIN);
        x += width + GAP_X;
        before = width;
    }
}

static void draw_box(const shown *s, const place *p, text *t)
{
    const double height = LINES * LINE + 2 * PAD;
    const flow_node *n = &s->f->node[p->node];
    char *line[LINES];
    const char *fill = n->rule >= 0 ? "#f4f6fa" : s->m->phi[n->state] ? "#d8efd8" : "#eeeeee";
    box_lines(s, p->node, line);
    text_add(t, "<g><title>");
    text_add(t, "t = %d, probability", n->time);
    for (int k = 0; k < s->p->K; k++) {
        text_add(t, " ");
        add_xml(t, s->p->env_name[k]);
        text_add(t, ": %.4g", s->f->reach[p->node * (size_t)s->f->K + (size_t)k]);
    }
    text_add(t, "</title><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"4\" fill=\"%s\" stroke=\"#556\"/>\n", p->x, p->y, p->width, height, fill);
    static const char *const style[LINES] = {"font-weight=\"bold\"", "fill=\"#667\"", "fill=\"#14508c\""};
    for (int l = 0; l < LINES; l++) {
        if (!line[l]) continue;
        text_add(t, "<text x=\"%g\" y=\"%g\" %s>", p->x + PAD, p->y + PAD + LINE * (l + 1) - 4, style[l]);
        add_xml(t, line[l]);
        text_add(t, "</text>");
    }
    text_add(t, "</g>\n");
    free_lines(line);
}

/* The time above each column: of the places that are taken. */
static void draw_times(const shown *s, const place *at, text *t)
{
    for (int time = 0; time <= s->p->T; time++)
        for (size_t i = 0; i < s->f->nodes; i++) {
            if (s->f->node[i].time != time || at[i].width <= 0 || at[i].order > 0) continue;
            text_add(t, "<text x=\"%g\" y=\"%g\" fill=\"#888\">t = %d</text>\n", at[i].x, at[i].y - MARGIN, time);
        }
}

static void draw_edges(const shown *s, const layout *l, text *t)
{
    const flow *f = s->f;
    const double height = LINES * LINE + 2 * PAD;
    for (size_t i = 0; i < f->edges; i++) {
        const flow_edge *e = &f->edge[i];
        const place *a = l->again[e->from].width > 0 ? &l->again[e->from] : &l->at[e->from], *b = &l->at[e->to];
        double x1 = a->x + a->width, y1 = a->y + height / 2, x2 = b->x, y2 = b->y + height / 2, bend = (x2 - x1) / 2;
        double mass = likeliest(f, e, &s->p->rules[f->node[e->from].rule]);
        text_add(t, "<path d=\"M%g %g C%g %g %g %g %g %g\" fill=\"none\" stroke=\"#8aa\" stroke-width=\"%.2f\"><title>reward %.6g, probability up to %.4g</title></path>\n",
                 x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2, 0.6 + 3 * mass, e->reward, mass);
    }
}

void draw_svg(const shown *s, text *t)
{
    const flow *f = s->f;
    layout l = {.at = MEM_ZERO(place, f->nodes), .again = MEM_ZERO(place, f->nodes), .column = MEM_NEW(place, f->nodes)};
    if (!l.at || !l.again || !l.column) {
        t->failed = true;
        goto done;
    }
    lay_out(s, &l);
    text_add(t, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"11\">\n", l.wide, l.high, l.wide, l.high);
    text_add(t, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
    draw_times(s, l.at, t);
    draw_times(s, l.again, t);
    draw_edges(s, &l, t);
    for (size_t i = 0; i < f->nodes; i++) {
        draw_box(s, &l.at[i], t);
        if (l.again[i].width > 0) draw_box(s, &l.again[i], t);
    }
    text_add(t, "</svg>\n");
done:
    mem_free(l.at);
    mem_free(l.again);
    mem_free(l.column);
}

/* ---- moves on a grid ----------------------------------------------------------------------------------------- */

/* The value of a variable in a name like x=0,y=1. */
static bool variable_in(const char *name, const char *variable, int *value)
{
    size_t n = strlen(variable);
    for (const char *s = name; *s; s += strcspn(s, ",") + (s[strcspn(s, ",")] == ','))
        if (strncmp(s, variable, n) == 0 && s[n] == '=' && sscanf(s + n + 1, "%d", value) == 1) return true;
    return false;
}

enum { CELL = 40, MOVE = 20, COLORS = 8 }; /* MOVE: side of the square that a move has for itself */
static const char *const color[COLORS] = {"#14508c", "#c0392b", "#1e8449", "#8e44ad", "#b9770e", "#117a8b", "#7f8c8d", "#d81b60"};

/* Where the node's policy most likely goes: the mean displacement over actions and outcomes of the likeliest environment. */
static void heading(const shown *s, size_t node, double *dx, double *dy)
{
    const flow *f = s->f;
    const flow_node *n = &f->node[node];
    int x, y, nx, ny;
    size_t K = (size_t)f->K, best = 0;
    for (size_t k = 1; k < K; k++)
        if (f->reach[node * K + k] > f->reach[node * K + best]) best = k;
    variable_in(s->m->state_name[n->state], "x", &x);
    variable_in(s->m->state_name[n->state], "y", &y);
    *dx = *dy = 0;
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++) {
        const char *to = s->m->state_name[f->node[f->edge[e].to].state];
        double p = f->prob[(size_t)e * K + best] * s->p->rules[n->rule].prob[f->edge[e].choice];
        if (!variable_in(to, "x", &nx) || !variable_in(to, "y", &ny)) continue;
        *dx += p * (nx - x);
        *dy += p * (ny - y);
    }
}

/* A move around (cx, cy), within a square of the given side. */
static void draw_move(const shown *s, size_t node, double cx, double cy, double side, const char *stroke, text *t)
{
    double dx, dy;
    heading(s, node, &dx, &dy);
    double length = hypot(dx, dy);
    text_add(t, "<g stroke=\"%s\" fill=\"%s\"><title>", stroke, stroke);
    add_xml(t, s->m->state_name[s->f->node[node].state]);
    text_add(t, ": ");
    text action = {0};
    show_action(s, &s->p->rules[s->f->node[node].rule], &action);
    if (action.data) add_xml(t, action.data);
    text_free(&action);
    text_add(t, "</title>");
    if (length < 1e-9) {
        text_add(t, "<circle cx=\"%g\" cy=\"%g\" r=\"3\"/></g>\n", cx, cy);
        return;
    }
    double ux = dx / length, uy = -dy / length, r = side * 0.4; /* y grows upwards on the grid */
    double ox = cx - ux * r, oy = cy - uy * r, tx = cx + ux * (r - 4), ty = cy + uy * (r - 4);
    text_add(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-width=\"2\"/>", ox, oy, tx, ty);
    text_add(t, "<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" stroke=\"none\"/></g>\n", tx + ux * 4, ty + uy * 4, tx - ux * 3 - uy * 4, ty - uy * 3 + ux * 4,
             tx - ux * 3 + uy * 4, ty - uy * 3 - ux * 4);
}

/* A color for each thing that can be known, in the order met; the last color is for all that come later. */
static int color_of(const shown *s, size_t node, char *known[COLORS], int *count)
{
    text t = {0};
    show_knowledge(s, &s->p->rules[s->f->node[node].rule], &t);
    if (!t.data) return COLORS - 1;
    for (int i = 0; i < *count; i++)
        if (strcmp(known[i], t.data) == 0) {
            text_free(&t);
            return i;
        }
    if (*count == COLORS - 1) {
        text_free(&t);
        return COLORS - 1;
    }
    known[*count] = t.data;
    return (*count)++;
}

typedef struct board {
    int low_x, low_y, columns, rows;
    int *count, *used; /* owned, [rows * columns]: moves of the time at hand, and those drawn */
    bool *cell, *goal; /* owned, [rows * columns] */
    int across;        /* squares for moves beside each other in a cell, enough for the fullest */
    double side;       /* of a cell */
} board;

static int cell_of(const shown *s, const board *b, int state)
{
    int x = 0, y = 0;
    variable_in(s->m->state_name[state], "x", &x);
    variable_in(s->m->state_name[state], "y", &y);
    return (y - b->low_y) * b->columns + x - b->low_x;
}

/* Counts the moves of each cell at a time; the largest count. */
static int count_moves(const shown *s, const board *b, int time)
{
    int most = 0;
    size_t cells = (size_t)b->columns * (size_t)b->rows;
    memset(b->count, 0, cells * sizeof *b->count);
    memset(b->used, 0, cells * sizeof *b->used);
    for (size_t i = 0; i < s->f->nodes; i++) {
        if (s->f->node[i].time != time || s->f->node[i].rule < 0) continue;
        int n = ++b->count[cell_of(s, b, s->f->node[i].state)];
        most = n > most ? n : most;
    }
    return most;
}

/* Smallest n with n * n >= count. */
static int squares_across(int count)
{
    int n = 1;
    while (n * n < count) n++;
    return n;
}

/* False where states have no x and y, or too many; or memory is out (t->failed). */
static bool board_make(const shown *s, board *b, text *t)
{
    int x, y, low_x = 1 << 30, high_x = -(1 << 30), low_y = 1 << 30, high_y = -(1 << 30), most = 1;
    for (int i = 0; i < s->m->S; i++) {
        if (!variable_in(s->m->state_name[i], "x", &x) || !variable_in(s->m->state_name[i], "y", &y)) return false;
        low_x = x < low_x ? x : low_x;
        high_x = x > high_x ? x : high_x;
        low_y = y < low_y ? y : low_y;
        high_y = y > high_y ? y : high_y;
    }
    if ((double)high_x - low_x > 500 || (double)high_y - low_y > 500) return false;
    *b = (board){.low_x = low_x, .low_y = low_y, .columns = high_x - low_x + 1, .rows = high_y - low_y + 1};
    size_t cells = (size_t)b->columns * (size_t)b->rows;
    b->count = MEM_ZERO(int, cells);
    b->used = MEM_ZERO(int, cells);
    b->cell = MEM_ZERO(bool, cells);
    b->goal = MEM_ZERO(bool, cells);
    if (!b->count || !b->used || !b->cell || !b->goal) {
        t->failed = true;
        return false;
    }
    for (int i = 0; i < s->m->S; i++) {
        b->cell[cell_of(s, b, i)] = true;
        if (s->m->phi[i]) b->goal[cell_of(s, b, i)] = true;
    }
    for (int time = 0; time < s->p->T; time++) {
        int n = count_moves(s, b, time);
        most = n > most ? n : most;
    }
    b->across = squares_across(most);
    b->side = fmax(CELL, MOVE * b->across);
    return true;
}

/* The board at a time: cells, those of the commitment filled, and a move for each state and knowledge. */
static void draw_board(const shown *s, const board *b, int time, double left, double top, char *known[COLORS], int *known_count, text *t)
{
    text_add(t, "<text x=\"%g\" y=\"%g\" fill=\"#666\">t = %d</text>\n", left, top - 6, time);
    for (int c = 0; c < b->columns * b->rows; c++)
        if (b->cell[c])
            text_add(t, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\" stroke=\"#bbb\"/>\n", left + b->side * (c % b->columns),
                     top + b->side * (b->rows - 1 - c / b->columns), b->side, b->side, b->goal[c] ? "#d8efd8" : "#fafafa");
    count_moves(s, b, time);
    for (size_t i = 0; i < s->f->nodes; i++) {
        if (s->f->node[i].time != time || s->f->node[i].rule < 0) continue;
        int c = cell_of(s, b, s->f->node[i].state), across = squares_across(b->count[c]), number = b->used[c]++;
        double square = b->side / across, x = left + b->side * (c % b->columns) + square * (number % across + 0.5);
        double y = top + b->side * (b->rows - 1 - c / b->columns) + square * (floor((double)number / across) + 0.5);
        draw_move(s, i, x, y, fmin(square, CELL), color[color_of(s, i, known, known_count)], t);
    }
}

int draw_grid(const shown *s, text *t)
{
    board b = {0};
    char *known[COLORS] = {0};
    int known_count = 0, T = s->p->T, code = 0;
    if (!board_make(s, &b, t)) {
        code = t->failed ? 0 : -1;
        goto done;
    }
    double panel_w = b.columns * b.side + 2 * MARGIN, panel_h = b.rows * b.side + HEAD + MARGIN;
    int per_row = (int)fmax(1, fmin(T, floor(PAGE / panel_w)));
    double panels = panel_h * ((T + per_row - 1) / per_row), wide = fmax(320, panel_w * per_row), high = panels + LINE * (COLORS + 1) + MARGIN;
    text_add(t, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"11\">\n", wide, high, wide, high);
    text_add(t, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
    for (int time = 0; time < T; time++)
        draw_board(s, &b, time, panel_w * (time % per_row) + MARGIN, panel_h * (time / per_row) + HEAD, known, &known_count, t);
    text_add(t, "<text x=\"%d\" y=\"%g\" fill=\"#666\">possible environments:</text>\n", MARGIN, panels + LINE);
    for (int i = 0; i < known_count; i++) {
        text_add(t, "<text x=\"%d\" y=\"%g\" fill=\"%s\">", 2 * MARGIN, panels + LINE * (i + 2), color[i]);
        shorten(known[i], (size_t)(wide - 3 * MARGIN) / LETTER);
        add_xml(t, known[i]);
        text_add(t, "</text>\n");
    }
    if (known_count == COLORS - 1)
        text_add(t, "<text x=\"%d\" y=\"%g\" fill=\"%s\">others</text>\n", 2 * MARGIN, panels + LINE * (COLORS + 1), color[COLORS - 1]);
    text_add(t, "</svg>\n");
done:
    for (int i = 0; i < known_count; i++) mem_free(known[i]);
    mem_free(b.count);
    mem_free(b.used);
    mem_free(b.cell);
    mem_free(b.goal);
    return code;
}
