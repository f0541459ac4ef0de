/* cli/draw_grid.c - the moves of a policy on a grid, a board per time step; see show.h.
 *
 * For states with whole-number variables x and y. Cells of the commitment are filled. Every state and knowledge at a time has a square of its own
 * in its cell, in which the mean displacement of the next step is drawn; a dot where it is nothing.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cli/draw.h"
#include "cli/show.h"
#include "cli/xml.h"

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
    xml_add(t, s->m->state_name[s->f->node[node].state]);
    text_add(t, ": ");
    text action = {0};
    show_action(s, &s->p->rules[s->f->node[node].rule], &action);
    if (action.data) xml_add(t, action.data);
    text_free(&action);
    text_add(t, "</title>");
    if (length < 1e-9) {
        text_add(t, "<circle cx=\"%g\" cy=\"%g\" r=\"3\"/></g>\n", cx, cy);
        return;
    }
    double ux = dx / length, uy = -dy / length, r = side * 0.4; /* y grows upwards on the grid */
    double ox = cx - ux * r, oy = cy - uy * r, tx = cx + ux * (r - 4), ty = cy + uy * (r - 4);
    text_add(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-width=\"2\"/>", ox, oy, tx, ty);
    text_add(t, "<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" stroke=\"none\"/></g>\n", tx + ux * 4, ty + uy * 4,
             tx - ux * 3 - uy * 4, ty - uy * 3 + ux * 4, tx - ux * 3 + uy * 4, ty - uy * 3 - ux * 4);
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
static void draw_board(const shown *s, const board *b, int time, double left, double top, char *known[COLORS], int *known_count,
                       text *t)
{
    text_add(t, "<text x=\"%g\" y=\"%g\" fill=\"#666\">t = %d</text>\n", left, top - 6, time);
    for (int c = 0; c < b->columns * b->rows; c++)
        if (b->cell[c])
            text_add(t, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\" stroke=\"#bbb\"/>\n",
                     left + b->side * (c % b->columns), top + b->side * (b->rows - 1 - c / b->columns), b->side, b->side,
                     b->goal[c] ? "#d8efd8" : "#fafafa");
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
    double panel_w = b.columns * b.side + 2 * DRAW_MARGIN, panel_h = b.rows * b.side + DRAW_HEAD + DRAW_MARGIN;
    int per_row = (int)fmax(1, fmin(T, floor(DRAW_PAGE / panel_w)));
    double panels = panel_h * ((T + per_row - 1) / per_row), wide = fmax(320, panel_w * per_row),
           high = panels + DRAW_LINE * (COLORS + 1) + DRAW_MARGIN;
    draw_begin(t, wide, high);
    for (int time = 0; time < T; time++)
        draw_board(s, &b, time, panel_w * (time % per_row) + DRAW_MARGIN, panel_h * (time / per_row) + DRAW_HEAD, known,
                   &known_count, t);
    text_add(t, "<text x=\"%d\" y=\"%g\" fill=\"#666\">possible environments:</text>\n", DRAW_MARGIN, panels + DRAW_LINE);
    for (int i = 0; i < known_count; i++) {
        text_add(t, "<text x=\"%d\" y=\"%g\" fill=\"%s\">", 2 * DRAW_MARGIN, panels + DRAW_LINE * (i + 2), color[i]);
        draw_shorten(known[i], (size_t)(wide - 3 * DRAW_MARGIN) / DRAW_LETTER);
        xml_add(t, known[i]);
        text_add(t, "</text>\n");
    }
    if (known_count == COLORS - 1)
        text_add(t, "<text x=\"%d\" y=\"%g\" fill=\"%s\">others</text>\n", 2 * DRAW_MARGIN, panels + DRAW_LINE * (COLORS + 1),
                 color[COLORS - 1]);
    text_add(t, "</svg>\n");
done:
    for (int i = 0; i < known_count; i++) mem_free(known[i]);
    mem_free(b.count);
    mem_free(b.used);
    mem_free(b.cell);
    mem_free(b.goal);
    return code;
}
