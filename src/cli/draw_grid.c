/* cli/draw_grid.c - the moves of a policy on a grid, a board per time step; see show.h.
 *
 * For states with whole-number variables x and y. Cells of the commitment are filled. Every state and knowledge at a time has a
 * square of its own in its cell, in which the mean displacement of the next step is drawn; a dot where it is nothing.
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

/* Pixels: side of a cell, and of the square that a move has for itself; a letter of the title. */
enum { CELL = 40, MOVE = 28, TITLE_LETTER = 9, COLORS = 8 };
/* M. Okabe, K. Ito, Color Universal Design, 2008; darker where they are lines */
static const char *const color[COLORS] = {"#0072b2", "#d55e00", "#007a5a", "#a0478a", "#8a6d00", "#3a8fc4", "#444444", "#999999"};

/* Where the node's policy most likely goes: the mean displacement over actions and outcomes of the likeliest environment. */
static void heading(const shown *s, int node, double *dx, double *dy)
{
    const vouch_policy_graph_data *f = s->f;
    const vouch_policy_node *n = &f->node[node];
    int x, y, nx, ny;
    size_t K = (size_t)s->K, best = 0;
    for (size_t k = 1; k < K; k++)
        if (f->reach[(size_t)node * K + k] > f->reach[(size_t)node * K + best]) best = k;
    variable_in(vouch_model_state_name(s->m, n->state), s->across, &x);
    variable_in(vouch_model_state_name(s->m, n->state), s->upward, &y);
    *dx = *dy = 0;
    vouch_rule r;
    vouch_policy_get_rule(s->p, n->rule, &r);
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++) {
        const char *to = vouch_model_state_name(s->m, f->node[f->edge[e].to].state);
        double p = f->probability[(size_t)e * K + best] * r.probability[f->edge[e].choice];
        if (!variable_in(to, s->across, &nx) || !variable_in(to, s->upward, &ny)) continue;
        *dx += p * (nx - x);
        *dy += p * (ny - y);
    }
}

/* The square in which a move is drawn, and what is known, as a number and a color. */
typedef struct square {
    double x, y, side; /* of the middle */
    int known;
} square;

/* In the corner that the arrow leaves free. */
static void draw_number(const square *at, bool falling, text *t)
{
    double off = at->side / 2 - 5;
    text_add(t, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9\" stroke=\"none\" text-anchor=\"middle\">%d</text>",
             at->x + (falling ? -off : off), at->y + at->side / 2 - 2, at->known + 1);
}

static void draw_move(const shown *s, int node, const square *at, text *t)
{
    double dx, dy, cx = at->x, cy = at->y;
    const char *stroke = color[at->known];
    heading(s, node, &dx, &dy);
    double length = hypot(dx, dy);
    text_add(t, "<g stroke=\"%s\" fill=\"%s\"><title>", stroke, stroke);
    xml_add(t, vouch_model_state_name(s->m, s->f->node[node].state));
    text_add(t, ": ");
    text action = {0};
    show_action(s, s->f->node[node].rule, &action);
    text_add(&action, ", ");
    show_knowledge(s, s->f->node[node].rule, &action);
    if (action.data) xml_add(t, action.data);
    text_free(&action);
    text_add(t, "</title>");
    draw_number(at, dx * dy < 0, t);
    if (length < 1e-9) {
        text_add(t, "<circle cx=\"%g\" cy=\"%g\" r=\"3\"/></g>\n", cx, cy);
        return;
    }
    double ux = dx / length, uy = -dy / length, r = at->side * 0.4; /* y grows upwards on the grid */
    double ox = cx - ux * r, oy = cy - uy * r, tx = cx + ux * (r - 4), ty = cy + uy * (r - 4);
    text_add(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-width=\"2\"/>", ox, oy, tx, ty);
    text_add(t, "<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" stroke=\"none\"/></g>\n", tx + ux * 4, ty + uy * 4,
             tx - ux * 3 - uy * 4, ty - uy * 3 + ux * 4, tx - ux * 3 + uy * 4, ty - uy * 3 - ux * 4);
}

/* What can be known, with what the promises remember, in the order met: each its color. */
typedef struct legend {
    char *known[COLORS]; /* owned */
    int count;
    bool remembers; /* is there a promise that does? */
} legend;

/* A color for each thing that can be known, in the order met; the last color is for all that come later. */
static int color_of(const shown *s, int node, legend *l)
{
    text t = {0};
    const char *name, *memory;
    show_knowledge(s, s->f->node[node].rule, &t);
    vouch_model_look(s->m, s->f->node[node].state, &name, &memory);
    if (memory[0]) text_add(&t, " %s", memory);
    if (!t.data) return COLORS - 1;
    l->remembers = l->remembers || memory[0];
    for (int i = 0; i < l->count; i++)
        if (strcmp(l->known[i], t.data) == 0) {
            text_free(&t);
            return i;
        }
    if (l->count == COLORS - 1) {
        text_free(&t);
        return COLORS - 1;
    }
    l->known[l->count] = t.data;
    return l->count++;
}

typedef struct board {
    int low_x, low_y, columns, rows;
    int *count, *used;         /* owned, [rows * columns]: moves of the time at hand, and those drawn */
    bool *cell, *goal, *avoid; /* owned, [rows * columns] */
    bool avoids;
    int across;  /* squares for moves beside each other in a cell, enough for the fullest */
    double side; /* of a cell */
    int per_row; /* boards beside each other */
    double top;  /* where the first board begins */
} board;

static double panel_width(const board *b) { return b->columns * b->side + 2 * DRAW_MARGIN; }
static double panel_height(const board *b) { return b->rows * b->side + DRAW_HEAD + DRAW_MARGIN; }

static int cell_of(const shown *s, const board *b, int state)
{
    int x = 0, y = 0;
    variable_in(vouch_model_state_name(s->m, state), s->across, &x);
    variable_in(vouch_model_state_name(s->m, state), s->upward, &y);
    return (y - b->low_y) * b->columns + x - b->low_x;
}

/* Before an initial distribution one is nowhere. */
static bool is_start(const shown *s, int state)
{
    const char *name, *memory;
    return vouch_model_look(s->m, state, &name, &memory) < 0;
}

/* Counts the moves of each cell at a time; the largest count. */
static int count_moves(const shown *s, const board *b, int time)
{
    int most = 0;
    size_t cells = (size_t)b->columns * (size_t)b->rows;
    memset(b->count, 0, cells * sizeof *b->count);
    memset(b->used, 0, cells * sizeof *b->used);
    for (int i = 0; i < s->f->nodes; i++) {
        if (s->f->node[i].time != time || s->f->node[i].rule < 0 || is_start(s, s->f->node[i].state)) continue;
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

static void mark_cell(const shown *s, board *b, int state)
{
    int c = cell_of(s, b, state);
    b->cell[c] = true;
    for (int j = 0; j < vouch_model_promises(s->m); j++) {
        vouch_promise p;
        vouch_model_get_promise(s->m, j, &p);
        for (int k = 0; k < s->K; k++)
            if (vouch_model_is_promised(s->m, j, k, state)) (p.kind == VOUCH_PROMISE_AVOID ? b->avoid : b->goal)[c] = true;
        b->avoids = b->avoids || p.kind == VOUCH_PROMISE_AVOID;
    }
}

/* False where states have no x and y, or too many; or memory is out (t->failed). */
static bool board_make(const shown *s, board *b, text *t)
{
    int x, y, low_x = 1 << 30, high_x = -(1 << 30), low_y = 1 << 30, high_y = -(1 << 30), most = 1;
    for (int i = 0; i < vouch_model_states(s->m); i++) {
        if (is_start(s, i)) continue;
        if (!variable_in(vouch_model_state_name(s->m, i), s->across, &x) ||
            !variable_in(vouch_model_state_name(s->m, i), s->upward, &y))
            return false;
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
    b->avoid = MEM_ZERO(bool, cells);
    if (!b->count || !b->used || !b->cell || !b->goal || !b->avoid) {
        t->failed = true;
        return false;
    }
    for (int i = 0; i < vouch_model_states(s->m); i++)
        if (!is_start(s, i)) mark_cell(s, b, i);
    for (int time = 0; time < s->T; time++) {
        int n = count_moves(s, b, time);
        most = n > most ? n : most;
    }
    b->across = squares_across(most);
    b->side = fmax(CELL, MOVE * b->across);
    b->per_row = (int)fmax(1, fmin(s->T, floor(s->page / panel_width(b))));
    return true;
}

/* What is to be avoided, by two lines and not by a colour. */
static void draw_cross(double x, double y, double side, text *t)
{
    double across = side - 6;
    text_add(t, "<path d=\"M%g %gl%g %gm%g 0l%g %g\" stroke=\"#888\"/>\n", x + 3, y + 3, across, across, -across, across, -across);
}

/* The board at a time: cells, those of the commitment filled, and a move for each state and knowledge. */
static void draw_board(const shown *s, const board *b, int time, legend *l, text *t)
{
    double left = panel_width(b) * (time % b->per_row) + DRAW_MARGIN,
           top = b->top + panel_height(b) * floor((double)time / b->per_row) + DRAW_HEAD;
    text_add(t, "<text x=\"%g\" y=\"%g\" fill=\"#666\">t = %d</text>\n", left, top - 6, time + s->first);
    for (int c = 0; c < b->columns * b->rows; c++)
        if (b->cell[c])
            text_add(t, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\" stroke=\"#bbb\"/>\n",
                     left + b->side * (c % b->columns), top + b->side * (b->rows - 1 - c / b->columns), b->side, b->side,
                     b->goal[c] ? "#d8efd8" : "#fafafa");
    for (int c = 0; c < b->columns * b->rows; c++)
        if (b->goal[c])
            text_add(t, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#444\" stroke-width=\"2\"/>\n",
                     left + b->side * (c % b->columns) + 1, top + b->side * (b->rows - 1 - c / b->columns) + 1, b->side - 2,
                     b->side - 2);
    for (int c = 0; c < b->columns * b->rows; c++)
        if (b->avoid[c]) draw_cross(left + b->side * (c % b->columns), top + b->side * (b->rows - 1 - c / b->columns), b->side, t);
    count_moves(s, b, time);
    for (int i = 0; i < s->f->nodes; i++) {
        if (s->f->node[i].time != time || s->f->node[i].rule < 0 || is_start(s, s->f->node[i].state)) continue;
        int c = cell_of(s, b, s->f->node[i].state), across = squares_across(b->count[c]), number = b->used[c]++;
        double side = b->side / across, x = left + b->side * (c % b->columns) + side * (number % across + 0.5);
        double y = top + b->side * (b->rows - 1 - c / b->columns) + side * (floor((double)number / across) + 0.5);
        draw_move(s, i, &(square){x, y, fmin(side, CELL), color_of(s, i, l)}, t);
    }
}

/* What numbers and colors stand for, below the boards. How many lines it takes; t NULL: nothing is drawn. */
static int draw_legend(const shown *s, const legend *l, bool avoids, const draw_block *at, text *t)
{
    draw_block block = *at;
    char style[32];
    text words = {0};
    text_add(&words,
             "an arrow: where one goes on average, a dot: one stays; framed: promised%s. Numbers and colours: the environments "
             "still possible%s%s:",
             avoids ? ", crossed: to be avoided" : "", s->L > 0 && s->L < s->T ? ", @ where one was at step L" : "",
             l->remembers ? ", and in brackets what has become of promises" : "");
    int lines = draw_words(t, &block, words.data ? words.data : "");
    text_free(&words);
    for (int i = 0; i < l->count + (l->count == COLORS - 1); i++) {
        text known = {0};
        text_add(&known, "%d %s", i + 1, i < l->count ? l->known[i] : "others");
        block.y = at->y + DRAW_LINE * lines;
        snprintf(style, sizeof style, "fill=\"%s\"", color[i]);
        block.style = style;
        lines += draw_words(t, &block, known.data ? known.data : "");
        text_free(&known);
    }
    return lines;
}

int draw_grid(const shown *s, text *t)
{
    board b = {0};
    legend l = {0};
    text title = {0}, boards = {0};
    int code = 0;
    if (!board_make(s, &b, t)) {
        code = t->failed ? 0 : -1;
        goto done;
    }
    double wide = fmax(s->page, panel_width(&b) * b.per_row);
    text_add(&title, "%s: moves of a policy of %d steps, L = %d, by %s and %s",
             vouch_model_name(s->m)[0] ? vouch_model_name(s->m) : "model", s->T + s->first, s->L, s->across, s->upward);
    draw_block block = {DRAW_MARGIN, 20, wide - 2 * DRAW_MARGIN, TITLE_LETTER, DRAW_TITLE};
    if (title.failed) t->failed = true;
    if (title.failed) goto done;
    b.top = DRAW_LINE * draw_words(NULL, &block, title.data) + 9;
    for (int time = 0; time < s->T; time++) draw_board(s, &b, time, &l, &boards);
    double bottom = b.top + panel_height(&b) * ((s->T + b.per_row - 1) / b.per_row);
    draw_block below = {DRAW_MARGIN, bottom + DRAW_LINE, wide - 2 * DRAW_MARGIN, DRAW_LETTER, NULL};
    draw_begin(t, wide, below.y + DRAW_LINE * draw_legend(s, &l, b.avoids, &below, NULL));
    draw_words(t, &block, title.data);
    if (boards.data) text_add_bytes(t, boards.data, boards.length);
    t->failed = t->failed || boards.failed;
    draw_legend(s, &l, b.avoids, &below, t);
    text_add(t, "</svg>\n");
done:
    for (int i = 0; i < l.count; i++) mem_free(l.known[i]);
    text_free(&title);
    text_free(&boards);
    mem_free(b.count);
    mem_free(b.used);
    mem_free(b.cell);
    mem_free(b.goal);
    mem_free(b.avoid);
    return code;
}
