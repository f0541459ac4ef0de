/* cli/draw_grid.c - the moves of a policy on a grid, one board per time step; see show.h.
 *
 * For states with integer variables x and y. Promised cells are filled. Each pair of state and knowledge at a time has its own
 * square in its cell, with every possible displacement of the next step: a random choice of two moves is two arrows. A dot is a
 * step without displacement. Where states of a cell have other variables, too, each square has a letter for their values. Rare
 * moves, then late boards are left out until the picture is as low as it has to be.
 */
#include "cli/show.h"

/* The value of a variable in a name like x=0,y=1. */
static bool variable_in(const char *name, const char *variable, int *value)
{
    size_t n = strlen(variable);
    for (const char *s = name; *s; s += strcspn(s, ",") + (s[strcspn(s, ",")] == ','))
        if (strncmp(s, variable, n) == 0 && s[n] == '=' && scan_text(s + n + 1, "%d", value) == 1) return true;
    return false;
}

/* Pixels: side of a cell; side of the square of a move, smaller if the page is small; a letter of the title. */
enum { CELL = 40, MOVE = 28, LEAST_MOVE = 18, TITLE_LETTER = 9, COLORS = 8, LETTERS = 26 };
/* M. Okabe, K. Ito, Color Universal Design, 2008; darker where they are lines */
static const char *const color[COLORS] = {"#0072b2", "#d55e00", "#007a5a", "#a0478a", "#8a6d00", "#3a8fc4", "#444444", "#999999"};

/* A possible displacement of the next step, and its largest probability over environments. */
typedef struct grid_step {
    int dx, dy;
    double likely;
    bool main; /* the likeliest displacement of an action */
} grid_step;

enum { STEPS = 24 }; /* of a node: the most likely ones are drawn */

/* The displacement along an edge; false: a state without coordinates. */
static bool displacement(const shown *s, int edge, int *dx, int *dy)
{
    const vouch_policy_edge *e = &s->f->edge[edge];
    const char *from = vouch_model_state_name(s->m, s->f->node[e->from].state),
               *to = vouch_model_state_name(s->m, s->f->node[e->to].state);
    int x, y;
    if (!variable_in(from, s->across, &x) || !variable_in(from, s->upward, &y)) return false;
    if (!variable_in(to, s->across, dx) || !variable_in(to, s->upward, dy)) return false;
    *dx -= x;
    *dy -= y;
    return true;
}

/* The largest probability over environments of a displacement after choice number `choice` of a node. */
static double after_choice(const shown *s, int node, int choice, int dx, int dy)
{
    const vouch_policy_node *n = &s->f->node[node];
    double most = 0;
    int x, y;
    for (int k = 0; k < s->K; k++) {
        double p = 0;
        if (!(s->f->reach[(size_t)node * (size_t)s->K + (size_t)k] > 0)) continue;
        for (int e = n->first_edge; e < n->first_edge + n->edges; e++)
            if (s->f->edge[e].choice == choice && displacement(s, e, &x, &y) && x == dx && y == dy) p += steps_probability(s, e, k);
        most = fmax(most, p);
    }
    return most;
}

/* Marks the likeliest displacement of each choice of a node. */
static void find_main(const shown *s, int node, grid_step list[], int count)
{
    vouch_rule r;
    vouch_policy_get_rule(s->p, s->f->node[node].rule, &r);
    for (int choice = 0; choice < r.actions && count > 0; choice++) {
        int best = 0;
        double most = -1;
        for (int i = 0; i < count; i++) {
            double p = after_choice(s, node, choice, list[i].dx, list[i].dy);
            if (p > most) best = i;
            most = fmax(most, p);
        }
        list[best].main = true;
    }
}

/* The steps of a node, into list. Returns their number. */
static int find_steps(const shown *s, int node, grid_step list[STEPS])
{
    const vouch_policy_node *n = &s->f->node[node];
    int count = 0, dx, dy, x, y;
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++) {
        bool seen = !displacement(s, e, &dx, &dy);
        for (int d = n->first_edge; d < e && !seen; d++) seen = displacement(s, d, &x, &y) && x == dx && y == dy;
        if (seen) continue;
        grid_step step = {dx, dy, 0, false};
        for (int k = 0; k < s->K; k++) {
            double p = 0;
            if (!(s->f->reach[(size_t)node * (size_t)s->K + (size_t)k] > 0)) continue;
            for (int d = e; d < n->first_edge + n->edges; d++)
                if (displacement(s, d, &x, &y) && x == dx && y == dy) p += steps_probability(s, d, k);
            step.likely = fmax(step.likely, p);
        }
        int at = count < STEPS ? count++ : STEPS;
        for (; at > 0 && list[at - 1].likely < step.likely; at--)
            if (at < STEPS) list[at] = list[at - 1];
        if (at < STEPS && step.likely > 0)
            list[at] = step;
        else if (at < STEPS)
            count--;
    }
    find_main(s, node, list, count);
    return count;
}

/* The square of a move: its knowledge as a number and a colour, the values of other variables as a letter, or '\0'. */
typedef struct square {
    double x, y, side; /* of the middle */
    int known;
    char letter;
} square;

/* Draws number and letter in the corners without arrow. */
static void draw_labels(const square *at, bool falling, text *t)
{
    double off = at->side / 2 - 4, right = falling ? -off : off;
    const char *style = "font-size=\"9\" stroke=\"none\" text-anchor=\"middle\"";
    text_add(t, "<text x=\"%.1f\" y=\"%.1f\" %s>%d</text>", at->x + right, at->y + at->side / 2 - 1, style, at->known + 1);
    if (at->letter)
        text_add(t, "<text x=\"%.1f\" y=\"%.1f\" %s>%c</text>", at->x - right, at->y - at->side / 2 + 7, style, at->letter);
}

/* The part of a small square for arrows: all except a strip at two sides for the number, at each side if there is a letter. */
static square beside_labels(const square *at, bool falling)
{
    double strip = at->side < MOVE ? 5 : 0, off = at->letter ? 0 : strip / 2;
    return (square){at->x + (falling ? off : -off), at->y - off, at->side - strip, at->known, at->letter};
}

static const double HEAD = 4; /* of an arrow; smaller in a small square */
static double head_of(double side) { return fmin(HEAD, side * 0.24); }

static double step_width(double likely) { return 0.6 + 1.4 * likely; }

/* An arrow from the middle, or through the middle if it is the only one. */
static void draw_arrow(const grid_step *step, const square *at, bool alone, text *t)
{
    double length = hypot(step->dx, step->dy), ux = step->dx / length, uy = -step->dy / length; /* y grows upwards on the grid */
    double r = at->side * 0.4, head = head_of(at->side), ox = at->x - (alone ? ux * r : 0), oy = at->y - (alone ? uy * r : 0);
    double tx = at->x + ux * (r - head), ty = at->y + uy * (r - head), back = head * 0.75;
    text_add(t, "<line class=\"step\" data-step=\"%d,%d\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-width=\"%.2f\"/>",
             step->dx, step->dy, ox, oy, tx, ty, step_width(step->likely));
    text_add(t, "<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" stroke=\"none\"/>", tx + ux * head, ty + uy * head,
             tx - ux * back - uy * head, ty - uy * back + ux * head, tx - ux * back + uy * head, ty - uy * back - ux * head);
}

static void draw_move(const shown *s, int node, const square *at, text *t)
{
    const char *stroke = color[at->known];
    grid_step step[STEPS];
    int steps = find_steps(s, node, step), moves = 0;
    bool falling = false;
    for (int i = 0; i < steps; i++) {
        moves += step[i].dx != 0 || step[i].dy != 0;
        falling = falling || (double)step[i].dx * step[i].dy < 0;
    }
    text_add(t, "<g stroke=\"%s\" fill=\"%s\"><title>", stroke, stroke);
    xml_add(t, vouch_model_state_name(s->m, s->f->node[node].state));
    text_add(t, ": ");
    text action = {0};
    show_action(s, s->f->node[node].rule, &action);
    text_add(&action, ", ");
    show_knowledge(s, s->f->node[node].rule, &action);
    for (int i = 0; i < steps; i++)
        if (step[i].dx || step[i].dy)
            text_add(&action, "; by %d, %d with %.4g", step[i].dx, step[i].dy, step[i].likely);
        else
            text_add(&action, "; stays with %.4g", step[i].likely);
    if (action.data) xml_add(t, action.data);
    text_free(&action);
    text_add(t, "</title>");
    square left = beside_labels(at, falling);
    for (int i = steps - 1; i >= 0; i--) { /* likely ones above */
        text_add(t, "<g%s>", step[i].main ? "" : " opacity=\"0.4\"");
        if (step[i].dx || step[i].dy)
            draw_arrow(&step[i], &left, moves == 1, t);
        else
            text_add(t, "<circle class=\"step\" data-step=\"0,0\" cx=\"%g\" cy=\"%g\" r=\"%.2f\"/>", left.x, left.y,
                     (1 + step_width(step[i].likely)) * head_of(left.side) / HEAD);
        text_add(t, "</g>");
    }
    draw_labels(at, falling, t);
    text_add(t, "</g>\n");
}

/* Knowledge, with the memory of promises, in order of occurrence: one colour each. Values of variables beside those of the axes:
 * one letter each. All later ones share the last colour and letter. */
typedef struct legend {
    names known, other;
    bool lettered;      /* do moves of one cell and time differ in these values? */
    bool remembers;     /* does a state include the memory of a promise? */
    int moves, omitted; /* drawn and rare ones */
} legend;

static void free_legend(void *object)
{
    legend *l = object;
    names_free(&l->known);
    names_free(&l->other);
}

/* The number of the words, at most `most`. */
static int number_of(names *n, text *words, int most)
{
    const char *name = cli_string(words);
    int at = names_find(n, name);
    if (at < 0 && n->count <= most) at = names_add(n, n->count < most ? name : "others");
    if (at < 0 && n->count <= most) cli_try(error_memory(&cli_error));
    return at < 0 ? most : at;
}

/* The variables of a state beside those of the axes, with words before them: "photo, bat", or their values "1, 2". */
static void add_others(const shown *s, int state, bool values, const char *before, text *out)
{
    const char *name, *memory;
    vouch_model_look(s->m, state, &name, &memory);
    for (size_t n; *name; name += n + (name[n] == ',')) {
        size_t length = strcspn(name, "=");
        n = strcspn(name, ",");
        if (length >= n || (length == strlen(s->across) && strncmp(name, s->across, length) == 0) ||
            (length == strlen(s->upward) && strncmp(name, s->upward, length) == 0))
            continue;
        text_add(out, "%s%.*s", before, (int)(values ? n - length - 1 : length), values ? name + length + 1 : name);
        before = ", ";
    }
}

static int letter_of(const shown *s, int node, legend *l)
{
    text t = {0};
    add_others(s, s->f->node[node].state, true, "", &t);
    return t.data ? number_of(&l->other, &t, LETTERS - 1) : -1;
}

/* The colour of a node's knowledge. */
static int color_of(const shown *s, int node, legend *l)
{
    text t = {0};
    const char *name, *memory;
    show_knowledge(s, s->f->node[node].rule, &t);
    vouch_model_look(s->m, s->f->node[node].state, &name, &memory);
    if (memory[0]) text_add(&t, " %s", memory);
    l->remembers = l->remembers || memory[0];
    return number_of(&l->known, &t, COLORS - 1);
}

/* Cells with states in a promised set, or in a set to be avoided. */
typedef struct mark {
    int *whole;   /* [cells] states that are in one set in every environment; the mark is full if all states of the cell are */
    bool *some;   /* [cells] is a state in a set in some environment? */
    char **which; /* [cells] these states, if the mark is not full */
    bool idle;    /* every cell has such states: dashed marks would distinguish nothing and are not drawn */
} mark;

typedef struct board {
    int low_x, low_y, columns, rows;
    int *count, *used; /* [rows * columns]: moves of the current time, and drawn ones */
    int *letter;       /* [rows * columns]: of the first move of the current time, + 1 */
    int *states;       /* [rows * columns] of each cell */
    mark goal, avoid;
    bool avoids, cropped;
    double side; /* of a cell */
    int per_row; /* boards beside each other */
    int boards;  /* from time 0 on */
    double top;  /* where the first board begins */
} board;

static double panel_width(const board *b) { return b->columns * b->side + 2 * DRAW_MARGIN; }
static double panel_height(const board *b) { return b->rows * b->side + DRAW_HEAD + DRAW_MARGIN; }

/* -1: outside the board. */
static int cell_of(const shown *s, const board *b, int state)
{
    int x = 0, y = 0;
    variable_in(vouch_model_state_name(s->m, state), s->across, &x);
    variable_in(vouch_model_state_name(s->m, state), s->upward, &y);
    x -= b->low_x;
    y -= b->low_y;
    return x < 0 || y < 0 || x >= b->columns || y >= b->rows ? -1 : y * b->columns + x;
}

/* The state before an initial distribution has no place. */
static bool is_start(const shown *s, int state)
{
    const char *name, *memory;
    return vouch_model_look(s->m, state, &name, &memory) < 0;
}

static bool is_move(const shown *s, int node)
{
    return s->f->node[node].rule >= 0 && !is_start(s, s->f->node[node].state) && !draw_left_out(s, node);
}

/* Counts the moves of each cell at a time. Returns the largest count. l: or NULL, names their knowledge and letters. */
static int count_moves(const shown *s, const board *b, int time, legend *l)
{
    int most = 0;
    size_t cells = (size_t)b->columns * (size_t)b->rows;
    memset(b->count, 0, cells * sizeof *b->count);
    memset(b->used, 0, cells * sizeof *b->used);
    for (int i = 0; i < s->f->nodes; i++) {
        if (s->f->node[i].time != time || !is_move(s, i)) continue;
        int c = cell_of(s, b, s->f->node[i].state), n = ++b->count[c];
        most = n > most ? n : most;
        if (!l) continue;
        color_of(s, i, l);
        int letter = letter_of(s, i, l) + 1;
        if (n == 1) b->letter[c] = letter;
        l->lettered = l->lettered || b->letter[c] != letter;
        l->moves++;
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
    bool whole[2] = {false, false}, some[2] = {false, false}; /* goal, avoid */
    b->states[c]++;
    for (int j = 0; j < vouch_model_promises(s->m); j++) {
        vouch_promise p;
        int in = 0;
        vouch_model_get_promise(s->m, j, &p);
        bool avoid = p.kind == VOUCH_PROMISE_AVOID;
        for (int k = 0; k < s->K; k++) in += vouch_model_is_promised(s->m, j, k, state);
        whole[avoid] = whole[avoid] || in == s->K;
        some[avoid] = some[avoid] || in > 0;
        b->avoids = b->avoids || avoid;
    }
    mark *const marks[] = {&b->goal, &b->avoid};
    for (int i = 0; i < 2; i++) {
        marks[i]->whole[c] += whole[i];
        if (!some[i]) continue;
        text t = {0};
        text_add(&t, "%s%s", marks[i]->some[c] ? marks[i]->which[c] : "", marks[i]->some[c] ? "; " : "");
        text_add_plain(&t, vouch_model_state_name(s->m, state));
        marks[i]->which[c] = cli_string(&t);
        marks[i]->some[c] = true;
    }
}

static bool is_full(const board *b, const mark *m, int c) { return b->states[c] > 0 && m->whole[c] == b->states[c]; }

static mark mark_new(size_t cells)
{
    return (mark){CLI_NEW(int, cells), CLI_NEW(bool, cells), cli_new(cells, sizeof(char *)), false};
}

static void set_idle(const board *b, mark *m)
{
    int some = 0, full = 0, cells = 0;
    for (int c = 0; c < b->columns * b->rows; c++) {
        cells += b->states[c] > 0;
        some += m->some[c];
        full += is_full(b, m, c);
    }
    m->idle = some == cells && full < cells;
}

/* The states of moves that are drawn, [states], and of their outcomes. */
static bool *reached_states(const shown *s)
{
    bool *reached = CLI_NEW(bool, vouch_model_states(s->m));
    for (int i = 0; i < s->f->nodes; i++)
        if (!draw_left_out(s, i)) reached[s->f->node[i].state] = true;
    return reached;
}

/* A board of some states, or NULL: of all. False if they have no x and y, or too many. */
static bool board_make(const shown *s, const bool some[], board *b)
{
    int S = vouch_model_states(s->m);
    double top = b->top;
    int x, y, low_x = 1 << 30, high_x = -(1 << 30), low_y = 1 << 30, high_y = -(1 << 30);
    for (int i = 0; i < S; i++) {
        if (is_start(s, i) || (some && !some[i])) continue;
        if (!variable_in(vouch_model_state_name(s->m, i), s->across, &x) ||
            !variable_in(vouch_model_state_name(s->m, i), s->upward, &y))
            return false;
        low_x = x < low_x ? x : low_x;
        high_x = x > high_x ? x : high_x;
        low_y = y < low_y ? y : low_y;
        high_y = y > high_y ? y : high_y;
    }
    if ((double)high_x - low_x > 500 || (double)high_y - low_y > 500) return false;
    *b = (board){low_x, low_y, high_x - low_x + 1, high_y - low_y + 1, .boards = s->T, .top = top, .cropped = some != NULL};
    size_t cells = (size_t)b->columns * (size_t)b->rows;
    b->count = CLI_NEW(int, cells);
    b->used = CLI_NEW(int, cells);
    b->letter = CLI_NEW(int, cells);
    b->states = CLI_NEW(int, cells);
    b->goal = mark_new(cells);
    b->avoid = mark_new(cells);
    for (int i = 0; i < S; i++)
        if (!is_start(s, i) && cell_of(s, b, i) >= 0) mark_cell(s, b, i);
    set_idle(b, &b->goal);
    set_idle(b, &b->avoid);
    return true;
}

/* A frame, or two lines instead of a colour; dashed, with a list of states, if it is not true of every state of the cell. */
static void draw_mark(const board *b, bool avoid, int c, double x, double y, text *t)
{
    const mark *m = avoid ? &b->avoid : &b->goal;
    double across = b->side - 6;
    bool full = is_full(b, m, c);
    if (!m->some[c] || (m->idle && !full)) return;
    text_add(t, "<g class=\"mark\" data-mark=\"%s\" data-cell=\"%d,%d\" data-of=\"%s\" fill=\"none\"%s><title>%s",
             avoid ? "avoid" : "goal", c % b->columns + b->low_x, c / b->columns + b->low_y, full ? "all" : "some",
             full ? "" : " stroke-dasharray=\"4 3\"", avoid ? "to be avoided" : "promised");
    if (!full) text_add(t, ": ");
    if (!full) xml_add(t, m->which[c]);
    text_add(t, "</title>");
    if (avoid)
        text_add(t, "<path d=\"M%g %gl%g %gm%g 0l%g %g\" stroke=\"#888\"/></g>\n", x + 3, y + 3, across, across, -across, across,
                 -across);
    else
        text_add(t, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" stroke=\"#444\" stroke-width=\"2\"/></g>\n", x + 1, y + 1,
                 b->side - 2, b->side - 2);
}

/* The board at a time: cells, with the promised ones filled, and a move for each state and knowledge. */
static void draw_board(const shown *s, const board *b, int time, legend *l, text *t)
{
    double left = panel_width(b) * (time % b->per_row) + DRAW_MARGIN,
           top = b->top + panel_height(b) * floor((double)time / b->per_row) + DRAW_HEAD;
    text_add(t, "<text x=\"%g\" y=\"%g\" fill=\"#666\">t = %d</text>\n", left, top - 6, time + s->first);
    for (int c = 0; c < b->columns * b->rows; c++)
        if (b->states[c])
            text_add(t, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\" stroke=\"#bbb\"/>\n",
                     left + b->side * (c % b->columns), top + b->side * (b->rows - 1 - c / b->columns), b->side, b->side,
                     is_full(b, &b->goal, c) ? "#d8efd8" : "#fafafa");
    for (int c = 0; c < 2 * b->columns * b->rows; c++) { /* crosses over frames */
        bool avoid = c >= b->columns * b->rows;
        int at = c % (b->columns * b->rows);
        draw_mark(b, avoid, at, left + b->side * (at % b->columns), top + b->side * (b->rows - 1 - at / b->columns), t);
    }
    count_moves(s, b, time, NULL);
    for (int i = 0; i < s->f->nodes; i++) {
        if (s->f->node[i].time != time || !is_move(s, i)) continue;
        int c = cell_of(s, b, s->f->node[i].state), across = squares_across(b->count[c]), number = b->used[c]++;
        double side = b->side / across, x = left + b->side * (c % b->columns) + side * (number % across + 0.5);
        double y = top + b->side * (b->rows - 1 - c / b->columns) + side * (floor((double)number / across) + 0.5);
        char letter = (char)(l->lettered ? 'a' + letter_of(s, i, l) : '\0');
        draw_move(s, i, &(square){x, y, fmin(side, CELL), color_of(s, i, l), letter}, t);
    }
}

/* Draws words below other lines. Returns the number of lines of both. */
static int draw_below(const draw_block *at, int lines, const char *style, text *words, text *t)
{
    draw_block block = *at;
    block.y += DRAW_LINE * lines;
    if (style) block.style = style;
    return lines + draw_words(t, &block, cli_string(words));
}

/* The legend of numbers, colours and letters below the boards. Returns its number of lines; t NULL: nothing is drawn. */
static int draw_legend(const shown *s, const legend *l, const board *b, const draw_block *at, text *t)
{
    char style[32];
    text words = {0}, letters = {0};
    text_add(&words,
             "dark arrow: likeliest move of an action, light arrow: another outcome (width = probability); dot: stay; frame: "
             "promised%s; "
             "dashed: in some states of the cell, which its tooltip lists",
             b->avoids ? ", cross: to be avoided" : "");
    if (b->goal.idle) text_add(&words, "; every other cell has promised states, too");
    if (b->avoid.idle) text_add(&words, "; every other cell has states to be avoided, too");
    if (l->omitted) text_add(&words, "; %d moves left out, each less likely than %g", l->omitted, s->least_probability);
    if (b->cropped) text_add(&words, "; cells beyond these moves left out");
    if (b->boards < s->T) text_add(&words, "; from t = %d on left out: --height draws more", b->boards + s->first);
    text_add(&words,
             ". Numbers and colours: environments still possible%s%s%s:", s->L > 0 && s->L < s->T ? ", @ the state at step L" : "",
             draw_weighs(s) ? ", " DRAW_WEIGHS : "", l->remembers ? ", in brackets the memory of promises" : "");
    int lines = draw_below(at, 0, NULL, &words, t);
    for (int i = 0; i < l->known.count; i++) {
        text known = {0};
        text_add(&known, "%d %s", i + 1, names_text(&l->known, i));
        snprintf(style, sizeof style, "fill=\"%s\"", color[i]);
        lines = draw_below(at, lines, style, &known, t);
    }
    if (!l->lettered) return lines;
    add_others(s, vouch_model_states(s->m) - 1, false, "Letters: values of ", &letters);
    for (int i = 0; i < l->other.count; i++) text_add(&letters, "%s %c %s", i ? ";" : ":", 'a' + i, names_text(&l->other, i));
    return draw_below(at, lines, NULL, &letters, t);
}

/* Numbers knowledge and letters of all moves. Returns the squares beside each other in a cell. */
static int number_moves(const shown *s, const board *b, legend *l)
{
    int most = 1;
    free_legend(l);
    *l = (legend){0};
    for (int i = 0; i < s->f->nodes; i++) l->omitted += s->f->node[i].rule >= 0 && draw_left_out(s, i);
    for (int time = 0; time < b->boards; time++) {
        int n = count_moves(s, b, time, l);
        most = n > most ? n : most;
    }
    return squares_across(most);
}

/* Chooses the largest cells with which the picture is small enough; false: it is too large with the smallest ones. */
static bool fit(const shown *s, board *b, legend *l, draw_block *below)
{
    int across = number_moves(s, b, l);
    double least = LEAST_MOVE * across, high = 0;
    b->per_row = 0;
    for (int beside = 1; beside <= b->boards && b->per_row < b->boards; beside = b->per_row + 1) {
        double side = fmin(fmax(CELL, MOVE * across), ((double)s->page / beside - 2 * DRAW_MARGIN) / b->columns);
        if (beside > 1 && side < least) break;
        b->side = fmax(side, least);
        b->per_row = (int)fmin(b->boards, fmax(beside, floor(s->page / panel_width(b))));
        high = panel_height(b) * ((b->boards + b->per_row - 1) / b->per_row);
        *below = (draw_block){DRAW_MARGIN, b->top + high + DRAW_LINE, fmax(s->page, panel_width(b) * b->per_row) - 2 * DRAW_MARGIN,
                              DRAW_LETTER, NULL};
        if (panel_width(b) * b->per_row <= s->page && below->y + DRAW_LINE * draw_legend(s, l, b, below, NULL) <= s->height)
            return true;
    }
    return false;
}

/* Leaves out rare moves (more of them if a board is too wide), then cells beyond them, then late boards, until the picture is
 * small enough. */
static void reduce(shown *s, board *b, legend *l, draw_block *below)
{
    enum { TOO_HIGH = 5, TOO_WIDE = 8 };
    static const double rare[TOO_WIDE] = {1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 1};
    double asked = s->least_probability;
    bool fits = fit(s, b, l, below);
    for (int i = 0; !fits && i < (panel_width(b) > s->page ? TOO_WIDE : TOO_HIGH); i++) {
        s->least_probability = fmax(asked, rare[i]);
        fits = fit(s, b, l, below);
    }
    if (fits || (board_make(s, reached_states(s), b) && fit(s, b, l, below))) return;
    int words = DRAW_LINE * (draw_legend(s, l, b, below, NULL) + 1);
    int rows = (int)fmax(1, floor((s->height - b->top - words) / panel_height(b)));
    if (rows * b->per_row < b->boards) b->boards = rows * b->per_row;
    fit(s, b, l, below);
}

int draw_grid(const shown *all, text *t)
{
    board b = {0};
    shown part = *all, *s = &part;
    legend *l = CLI_NEW(legend, 1);
    text name = {0};
    cli_own(free_legend, l);
    if (!board_make(s, NULL, &b)) return -1;
    text_add(&name, "%s: moves of a policy of %d steps, ", vouch_model_name(s->m)[0] ? vouch_model_name(s->m) : "model",
             s->T + s->first);
    draw_memory(s, &name);
    text_add(&name, ", by %s and %s", s->across, s->upward);
    const char *title = cli_string(&name);
    draw_block block = {DRAW_MARGIN, 20, s->page - 2 * DRAW_MARGIN, TITLE_LETTER, DRAW_TITLE}, below;
    b.top = DRAW_LINE * draw_words(NULL, &block, title) + 9;
    reduce(s, &b, l, &below);
    draw_begin(t, below.wide + 2 * DRAW_MARGIN, below.y + DRAW_LINE * draw_legend(s, l, &b, &below, NULL));
    draw_words(t, &block, title);
    for (int time = 0; time < b.boards; time++) draw_board(s, &b, time, l, t);
    draw_legend(s, l, &b, &below, t);
    text_add(t, "</svg>\n");
    return 0;
}
