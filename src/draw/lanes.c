/* draw/lanes.c - policies as graphs in SVG; see policy.h.
 *
 * Time runs to the right, each knowledge has a lane. The width of an edge is its largest probability over environments. Colours
 * only repeat what shapes and text show.
 */
#include "draw/policy.h"

/* Zeroed memory of the picture. */
#define DRAW_NEW(s, type, n) ((type *)escape_zero((s)->e, (size_t)(n), sizeof(type)))

/* ---- layout of a policy graph
 *
 * Time runs to the right, one column per step. Each knowledge has a lane, in order of first occurrence. Consecutive nodes with the
 * same action and a single successor form a run, one box over its columns, which are wide enough for its text. If the columns
 * exceed the page width, they continue in another band below, which begins with the last column of the previous band. ----
 */

/* Pixels; lines of text in a box, and the line of the action. */
enum { LANES_PAD = 6, LANES_GAP_X = 44, LANES_GAP_Y = 10, LANES_LINES = 3, LANES_ACTION = 2 };

typedef struct lane_run {
    int first, last; /* nodes */
    int begin, end;  /* times */
    int lane, slot;  /* lane -1: the end, which has a column without lanes */
    bool moves;      /* is another state than the first one in it? */
    bool conflict;   /* does a place in the same state at the same time have another action? */
    int folded;      /* places of this column that are left out; 0: a place that is drawn */
    char *line[LANES_LINES];
} lane_run;

typedef struct lane_band {
    int first, last; /* times */
    double top, bottom;
    double *lane_top; /* [lanes + 1]: tops of the lanes; equal to the next for an absent lane */
} lane_band;

typedef struct lanes {
    names lane;       /* the knowledge of each lane */
    lane_run *run;    /* [runs] */
    lane_band *band;  /* [bands] */
    double *x, *wide; /* [T + 1]: columns, from the first on */
    int *run_of;      /* [nodes]; -1: left out */
    int runs, bands;
    double width, height;
} lanes;

typedef struct lane_box {
    double x, y, width;
} lane_box;

/* ---- layout of a policy graph; see show.h. In a lane a run takes the first free slot, in the order of the mean height of
 * its predecessors, so that few edges cross. ----
 */

enum {
    LONGEST = 32,
    NARROW = 30,
    HEADING = DRAW_LINE + 4
}; /* letters; pixels: a column without the begin of a run, the space above a lane */

static const double ORDER_MOST = 3e7; /* runs compared to order the slots of a lane; larger lanes stay unordered */

static double lanes_box_height(void) { return LANES_LINES * DRAW_LINE + 2 * LANES_PAD; }

/* ---- runs ----------------------------------------------------------------------------------------------------- */

static int lane_of(lanes *l, const shown *s, int node)
{
    text t = {0};
    int rule = s->f->node[node].rule;
    if (rule < 0) return -1;
    show_possible(s, rule, &t);
    if (s->L > 0 && s->f->node[node].time >= s->L && s->L < s->T) text_add(&t, ", as known at step %d", s->L + s->first);
    return must_count(s->e, names_add(&l->lane, escape_take(s->e, &t)));
}

static bool same_action(const shown *s, int a, int b)
{
    vouch_rule x, y;
    vouch_policy_get_rule(s->p, s->f->node[a].rule, &x);
    vouch_policy_get_rule(s->p, s->f->node[b].rule, &y);
    if (x.follow) return false; /* plans begin here, each in its own lane */
    return x.actions == y.actions && memcmp(x.action, y.action, (size_t)x.actions * sizeof *x.action) == 0 &&
           memcmp(x.probability, y.probability, (size_t)x.actions * sizeof *x.probability) == 0;
}

/* next [nodes]: the only successor; -1: the end, or none is drawn, -2: several. only_from [nodes]: likewise for predecessors. */
static void find_only(const shown *s, int next[], int only_from[])
{
    for (int i = 0; i < s->f->nodes; i++) next[i] = only_from[i] = -1;
    for (int i = 0; i < s->f->edges; i++) {
        const vouch_policy_edge *e = &s->f->edge[i];
        if (draw_left_out(s, e->from) || draw_left_out(s, e->to)) continue;
        next[e->from] = next[e->from] == -1 || next[e->from] == e->to ? e->to : -2;
        only_from[e->to] = only_from[e->to] == -1 || only_from[e->to] == e->from ? e->from : -2;
    }
}

/* "12 places", "probability up to 0.03" */
static void folded_lines(lane_run *r, const shown *s)
{
    double most = 0;
    for (int k = 0; k < s->K; k++) {
        double sum = 0;
        for (int i = r->first; i < s->f->nodes && s->f->node[i].time == r->begin; i++)
            if (draw_left_out(s, i)) sum += s->f->reach[(size_t)i * (size_t)s->K + (size_t)k];
        most = fmax(most, sum);
    }
    text count = {0}, likely = {0}, none = {0};
    text_add(&count, r->folded == 1 ? "1 rare place" : "%d rare places", r->folded);
    r->line[0] = escape_take(s->e, &count);
    text_add(&likely, "probability <= %.2g", most);
    r->line[1] = escape_take(s->e, &likely);
    r->line[2] = escape_take(s->e, &none);
}

/* Marks places [nodes] in whose state another place of the same time has another action, which the lane alone may not explain. */
static void find_conflicts(const shown *s, bool conflict[])
{
    int *first = DRAW_NEW(s, int, vouch_model_states(s->m)); /* newest time's first place in the state, + 1 */
    for (int pass = 0; pass < 2; pass++) {
        memset(first, 0, (size_t)vouch_model_states(s->m) * sizeof *first);
        for (int i = 0; i < s->f->nodes; i++) {
            const vouch_policy_node *n = &s->f->node[i];
            int other = first[n->state] - 1;
            if (n->rule < 0 || draw_left_out(s, i)) continue;
            if (other < 0 || s->f->node[other].time != n->time)
                first[n->state] = i + 1;
            else if (pass == 1)
                conflict[i] = conflict[other];
            else if (!same_action(s, other, i))
                conflict[other] = true;
        }
    }
}

static void run_lines(lane_run *r, const shown *s)
{
    if (r->folded) {
        folded_lines(r, s);
        return;
    }
    const vouch_policy_node *n = &s->f->node[r->first], *last = &s->f->node[r->last];
    text state = {0}, known = {0}, action = {0};
    text_add(&state, "%s", vouch_model_state_name(s->m, n->state));
    if (r->moves) text_add(&state, " .. %s", vouch_model_state_name(s->m, last->state));
    r->line[0] = escape_take(s->e, &state);
    if (n->rule < 0) {
        text_add(&known, "%s", draw_end_text(s, r->first));
    } else if (r->conflict) {
        show_knowledge(s, n->rule, &known);
    } else {
        show_behind(s, n->rule, &known);
    }
    r->line[1] = escape_take(s->e, &known);
    if (n->rule >= 0) show_action(s, n->rule, &action);
    if (r->end > r->begin) text_add(&action, ", %d steps", r->end - r->begin + 1);
    r->line[2] = escape_take(s->e, &action);
}

/* The box of the rare places of a time, made with the first of them. */
static int fold(lanes *l, const shown *s, int node)
{
    int r = l->runs - 1, time = s->f->node[node].time, lane = -1;
    while (r >= 0 && l->run[r].begin == time && !l->run[r].folded) r--;
    if (r < 0 || !l->run[r].folded || l->run[r].begin != time) {
        if (s->f->node[node].rule >= 0) lane = must_count(s->e, names_add(&l->lane, "rare places"));
        r = l->runs++;
        l->run[r] = (lane_run){.first = node, .last = node, .begin = time, .end = time, .lane = lane};
    }
    l->run[r].folded++;
    return r;
}

static void find_runs(lanes *l, const shown *s)
{
    const vouch_policy_graph_data *f = s->f;
    int *next = DRAW_NEW(s, int, f->nodes), *from = DRAW_NEW(s, int, f->nodes);
    bool *conflict = DRAW_NEW(s, bool, f->nodes);
    find_only(s, next, from);
    find_conflicts(s, conflict);
    for (int i = 0; i < f->nodes; i++) {
        if (draw_left_out(s, i)) {
            l->run_of[i] = fold(l, s, i);
            continue;
        }
        int lane = lane_of(l, s, i), before = from[i], r = before >= 0 ? l->run_of[before] : -1;
        if (r >= 0 && lane >= 0 && next[before] == i && l->run[r].lane == lane && same_action(s, before, i)) {
            l->run[r].last = i;
            l->run[r].moves = l->run[r].moves || f->node[i].state != f->node[before].state;
            l->run[r].end = f->node[i].time;
        } else {
            r = l->runs++;
            l->run[r] = (lane_run){.first = i, .last = i, .begin = f->node[i].time, .end = f->node[i].time, .lane = lane};
        }
        l->run[r].conflict = l->run[r].conflict || conflict[i];
        l->run_of[i] = r;
    }
    for (int r = 0; r < l->runs; r++) run_lines(&l->run[r], s);
}

typedef struct beginner {
    int run;
    double wanted;
} beginner;

static int by_wanted(const void *x, const void *y)
{
    const beginner *a = x, *b = y;
    if (a->wanted != b->wanted) return a->wanted < b->wanted ? -1 : 1;
    return (a->run > b->run) - (a->run < b->run);
}

/* The slots of a lane, as runs take them in the order of their beginnings. */
typedef struct lane_slots {
    int *until;                 /* [used]: where the newest run of a slot ends; room for all runs of the lane */
    int used, runs, time, next; /* at `time`, where a run began last, all slots before `next` are taken */
} lane_slots;

/* Gives the run the first slot of its lane that is free when it begins. */
static void take_slot(lane_slots *of, lane_run *r)
{
    int slot = of->time == r->begin ? of->next : 0;
    while (slot < of->used && of->until[slot] >= r->begin) slot++;
    if (slot == of->used) of->used++;
    of->until[slot] = r->end;
    of->time = r->begin;
    of->next = slot + 1;
    r->slot = slot;
}

static void find_slots(lanes *l, const shown *s)
{
    enum { ABOVE = 1000 }; /* between the heights of two lanes */
    const vouch_policy_graph_data *f = s->f;
    beginner *b = DRAW_NEW(s, beginner, l->runs);
    int *count = DRAW_NEW(s, int, l->runs);
    lane_slots *slots = DRAW_NEW(s, lane_slots, l->lane.count + 1); /* the end has the lane -1 */
    for (int r = 0; r < l->runs; r++) slots[l->run[r].lane + 1].runs++;
    for (int i = 0; i <= l->lane.count; i++) slots[i].until = DRAW_NEW(s, int, slots[i].runs);
    for (int r = 0, n; r < l->runs; r += n) { /* runs are sorted by their beginnings */
        for (n = 0; r + n < l->runs && l->run[r + n].begin == l->run[r].begin; n++) b[n] = (beginner){r + n, 0};
        memset(count, 0, (size_t)l->runs * sizeof *count);
        for (int e = 0; e < f->edges; e++) {
            int from = l->run_of[f->edge[e].from], to = l->run_of[f->edge[e].to];
            if (from < 0 || to < r || to >= r + n || from == to) continue;
            b[to - r].wanted += (double)l->run[from].lane * ABOVE + l->run[from].slot;
            count[to - r]++;
        }
        for (int i = 0; i < n; i++)
            if (count[i]) b[i].wanted /= count[i];
        qsort(b, (size_t)n, sizeof *b, by_wanted);
        for (int i = 0; i < n; i++) take_slot(&slots[l->run[b[i].run].lane + 1], &l->run[b[i].run]);
    }
}

/* The runs of one lane, and the edges between them. */
typedef struct lane_inside {
    lane_run **run; /* [runs] */
    int (*edge)[2]; /* [edges]: indices in run */
    int runs, edges, slots;
} lane_inside;

/* index: [runs] scratch; in->run and in->edge: room for all. */
static void find_inside(const lanes *l, const vouch_policy_graph_data *f, int lane, int index[], lane_inside *in)
{
    in->runs = in->edges = in->slots = 0;
    for (int r = 0; r < l->runs; r++) {
        index[r] = l->run[r].lane == lane ? in->runs : -1;
        if (index[r] < 0) continue;
        in->run[in->runs++] = &l->run[r];
        if (l->run[r].slot >= in->slots) in->slots = l->run[r].slot + 1;
    }
    for (int e = 0; e < f->edges; e++) {
        int from = l->run_of[f->edge[e].from], to = l->run_of[f->edge[e].to];
        if (from < 0 || to < 0 || from == to || index[from] < 0 || index[to] < 0) continue;
        in->edge[in->edges][0] = index[from];
        in->edge[in->edges++][1] = index[to];
    }
}

/* Number of pairs of an edge and a box in front of it, and total length of the edges. */
typedef struct order_figures {
    int behind, length;
} order_figures;

/* height: of each slot. */
static order_figures judge_order(const lane_inside *in, const int height[])
{
    order_figures all = {0};
    for (int e = 0; e < in->edges; e++) {
        const lane_run *from = in->run[in->edge[e][0]], *to = in->run[in->edge[e][1]];
        int a = height[from->slot], b = height[to->slot], low = a < b ? a : b, high = a < b ? b : a;
        all.length += high - low;
        for (int r = 0; r < in->runs && high - low > 1; r++) {
            const lane_run *other = in->run[r];
            int at = height[other->slot];
            all.behind += other->begin <= from->end && other->end >= to->begin && at > low && at < high;
        }
    }
    return all;
}

/* Moves the slot at height i to height j. */
static void move_slot(int height[], int slots, int i, int j)
{
    for (int s = 0; s < slots; s++)
        if (height[s] == i)
            height[s] = j;
        else if (i < j && height[s] > i && height[s] <= j)
            height[s]--;
        else if (j < i && height[s] >= j && height[s] < i)
            height[s]++;
}

/* Moves slots of the lane while fewer edges go behind boxes and the total length does not grow. height: [slots] scratch. */
static void order_slots(const lane_inside *in, int height[])
{
    for (int s = 0; s < in->slots; s++) height[s] = s;
    double work = (double)in->slots * in->slots * in->edges * in->runs;
    order_figures best = judge_order(in, height);
    for (bool moved = best.behind > 0; moved && work <= ORDER_MOST; work += work) {
        moved = false;
        for (int i = 0; i < in->slots; i++)
            for (int j = 0; j < in->slots; j++) {
                move_slot(height, in->slots, i, j);
                order_figures now = judge_order(in, height);
                if (now.behind < best.behind && now.length <= best.length) {
                    best = now;
                    moved = true;
                } else
                    move_slot(height, in->slots, j, i);
            }
    }
    for (int r = 0; r < in->runs; r++) in->run[r]->slot = height[in->run[r]->slot];
}

static void order_lanes(lanes *l, const shown *s)
{
    if ((double)l->lane.count * (l->runs + s->f->edges) > ORDER_MOST) return;
    lane_inside in = {.run = DRAW_NEW(s, lane_run *, l->runs), .edge = escape_zero(s->e, (size_t)s->f->edges, sizeof *in.edge)};
    int *index = DRAW_NEW(s, int, l->runs), *height = DRAW_NEW(s, int, l->runs);
    for (int lane = 0; lane < l->lane.count; lane++) {
        find_inside(l, s->f, lane, index, &in);
        order_slots(&in, height);
    }
}

/* ---- columns and bands ---------------------------------------------------------------------------------------- */

/* The maximum width of a column, so that two fit beside each other. */
static double column_room(int page) { return floor((page - 2 * DRAW_MARGIN - LANES_GAP_X) / 2.0); }

/* The width of a run's text; long states and knowledge are cut, and all text if two boxes would not fit beside each other. */
static double run_width(const lane_run *r, int page)
{
    double most = 1;
    for (int i = 0; i < LANES_LINES; i++) {
        double letters = r->line[i] ? (double)draw_letters(r->line[i]) : 0;
        most = fmax(most, i == LANES_ACTION || r->conflict ? letters : fmin(letters, LONGEST));
    }
    return fmin(most * DRAW_LETTER + 2 * LANES_PAD, column_room(page));
}

static void place_columns(lanes *l, const shown *s)
{
    l->x[0] = DRAW_MARGIN;
    for (int t = 1; t <= s->T; t++) l->x[t] = l->x[t - 1] + l->wide[t - 1] + LANES_GAP_X;
}

/* The last column of the band that begins with column `first`. */
static int band_end(const lanes *l, const shown *s, int first)
{
    int last = first + 1;
    while (last < s->T && l->x[last + 1] - l->x[first] + l->wide[last + 1] + 2 * DRAW_MARGIN <= s->page) last++;
    return last;
}

/* Names of lanes beside the ends must not reach into column T. */
static bool widen_before_ends(lanes *l, const shown *s, int first)
{
    bool widened = false;
    for (int lane = 0; lane < l->lane.count; lane++) {
        int begin = s->T;
        for (int r = 0; r < l->runs; r++) {
            int from = l->run[r].begin > first ? l->run[r].begin : first;
            if (l->run[r].lane == lane && l->run[r].end >= first && from < begin) begin = from;
        }
        double has = (s->T - begin) * (double)LANES_GAP_X, letters = (double)draw_letters(names_text(&l->lane, lane));
        double wanted = fmin(letters * DRAW_LETTER + LANES_PAD, column_room(s->page) + LANES_GAP_X);
        for (int t = begin; t < s->T; t++) has += l->wide[t];
        if (begin == s->T || has >= wanted) continue;
        l->wide[s->T - 1] += wanted - has;
        widened = true;
    }
    return widened;
}

/* Widens columns until each run has room for its text in a band. False: nothing changed. */
static bool widen_columns(lanes *l, const shown *s)
{
    bool widened = false;
    for (int first = 0, last; first < s->T; first = last) {
        last = band_end(l, s, first);
        for (int i = 0; i < l->runs; i++) {
            const lane_run *r = &l->run[i];
            int begin = r->begin > first ? r->begin : first, end = r->end < last ? r->end : last;
            if (begin > end) continue;
            double has = (end - begin) * (double)LANES_GAP_X, wanted = run_width(r, s->page);
            for (int t = begin; t <= end && has < wanted; t++) has += l->wide[t];
            if (has >= wanted) continue;
            l->wide[begin] += wanted - has;
            widened = true;
        }
        if (last == s->T) widened = widen_before_ends(l, s, first) || widened;
    }
    return widened;
}

/* Wider columns may move the ends of bands, which may widen others; none becomes wider than the widest run. */
static void find_columns(lanes *l, const shown *s)
{
    for (int t = 0; t <= s->T; t++) l->wide[t] = NARROW;
    do place_columns(l, s);
    while (widen_columns(l, s));
}

/* Does the run intersect the band? */
static bool lanes_in_band(const lane_band *b, const lane_run *r) { return r->begin <= b->last && r->end >= b->first; }

static void add_band(lanes *l, const shown *s, int first, int last, double top)
{
    int count = l->lane.count;
    lane_band *b = &l->band[l->bands++];
    *b = (lane_band){first, last, top, 0, DRAW_NEW(s, double, count + 1)};
    double high = lanes_box_height() + LANES_GAP_Y, at = top + DRAW_HEAD;
    int ends = 0;
    for (int lane = 0; lane < count; lane++) {
        int slots = 0;
        for (int r = 0; r < l->runs; r++)
            if (l->run[r].lane == lane && lanes_in_band(b, &l->run[r]) && l->run[r].slot >= slots) slots = l->run[r].slot + 1;
        b->lane_top[lane] = at;
        if (slots) at += HEADING + slots * high;
    }
    b->lane_top[count] = at;
    for (int r = 0; r < l->runs; r++) ends += l->run[r].lane < 0 && lanes_in_band(b, &l->run[r]);
    b->bottom = fmax(at, top + DRAW_HEAD + HEADING + ends * high);
    l->width = fmax(l->width, l->x[last] - l->x[first] + l->wide[last] + 2 * DRAW_MARGIN);
    l->height = b->bottom;
}

/* The layout from `top` on, owned by the command. */
static lanes *lanes_new(const shown *s, double top)
{
    int n = s->f->nodes, columns = s->T + 1;
    lanes *l = DRAW_NEW(s, lanes, 1);
    escape_names(s->e, &l->lane);
    l->run = DRAW_NEW(s, lane_run, n);
    l->run_of = DRAW_NEW(s, int, n);
    l->x = DRAW_NEW(s, double, columns);
    l->wide = DRAW_NEW(s, double, columns);
    l->band = DRAW_NEW(s, lane_band, columns);
    find_runs(l, s);
    find_slots(l, s);
    order_lanes(l, s);
    find_columns(l, s);
    for (int first = 0, last; first < s->T; first = last, top = l->height + DRAW_MARGIN) {
        last = band_end(l, s, first);
        add_band(l, s, first, last, top);
    }
    return l;
}

/* The left end of a column in a band; the place of a run there. */
static double lanes_column(const lanes *l, const lane_band *b, int time) { return l->x[time] - l->x[b->first] + DRAW_MARGIN; }

static lane_box lanes_place(const lanes *l, const lane_band *b, const lane_run *r)
{
    int begin = r->begin > b->first ? r->begin : b->first, end = r->end < b->last ? r->end : b->last;
    double x = lanes_column(l, b, begin), top = r->lane < 0 ? b->top + DRAW_HEAD : b->lane_top[r->lane];
    return (lane_box){x, top + HEADING + r->slot * (lanes_box_height() + LANES_GAP_Y), lanes_column(l, b, end) + l->wide[end] - x};
}

enum { TITLE_LETTER = 9, SAMPLES = 3 }; /* pixels; number */

static double edge_width(double mass) { return 0.6 + 3 * mass; }

static void draw_run(const shown *s, const lanes *l, const lane_band *b, const lane_run *r, text *t)
{
    static const char *const style[LANES_LINES] = {"font-weight=\"bold\"", "fill=\"#667\"", "fill=\"#14508c\""};
    bool well = r->lane < 0 && !r->folded && draw_ends_well(s, r->first);
    lane_box at = lanes_place(l, b, r);
    text_add(t, "<g><title>t = %d", r->begin + s->first);
    if (r->end > r->begin) text_add(t, " to %d", r->end + s->first);
    if (!r->folded) text_add(t, ", probability");
    for (int k = 0; k < s->K && !r->folded; k++) {
        text_add(t, " ");
        xml_add(t, vouch_model_environment_name(s->m, k));
        text_add(t, ": %.4g", s->f->reach[(size_t)r->first * (size_t)s->K + (size_t)k]);
    }
    for (int i = 0; i < LANES_LINES; i++) { /* in full */
        if (!r->line[i][0]) continue;
        text_add(t, "; ");
        xml_add(t, r->line[i]);
    }
    text_add(t,
             "</title><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"4\" fill=\"%s\" stroke=\"#556\" "
             "stroke-width=\"%d\"%s/>\n",
             at.x, at.y, at.width, lanes_box_height(),
             r->lane >= 0 ? "white"
             : well       ? "#d8efd8"
                          : "#eeeeee",
             well ? 3 : 1, r->folded ? " stroke-dasharray=\"3 3\"" : "");
    for (int i = 0; i < LANES_LINES; i++) {
        size_t room = (size_t)fmax(2, (at.width - 2 * LANES_PAD) / DRAW_LETTER);
        char *line = r->line[i][0] ? mem_string(r->line[i]) : NULL;
        if (!line) continue;
        (i == LANES_ACTION ? draw_shorten_action : draw_shorten)(line, room);
        text_add(t, "<text x=\"%g\" y=\"%g\" %s>", at.x + LANES_PAD, at.y + LANES_PAD + DRAW_LINE * (i + 1) - 4, style[i]);
        xml_add(t, line);
        text_add(t, "</text>");
        mem_free(line);
    }
    text_add(t, "</g>\n");
}

/* The name of a lane (owned) and its place in the band: at the beginning of the lane or, near the right end of the picture or the
 * column of the ends, as far left as needed. NULL: not in this band. */
static char *lane_name(const shown *s, const lanes *l, const lane_band *b, int lane, double wide, double *x)
{
    double right = b->last == s->T ? lanes_column(l, b, s->T) - LANES_PAD : wide - DRAW_MARGIN;
    *x = INFINITY;
    for (int r = 0; r < l->runs; r++)
        if (l->run[r].lane == lane && lanes_in_band(b, &l->run[r])) *x = fmin(*x, lanes_place(l, b, &l->run[r]).x);
    char *name = isfinite(*x) ? mem_string(names_text(&l->lane, lane)) : NULL;
    if (!name) return NULL;
    draw_shorten(name, (size_t)fmax(2, (right - DRAW_MARGIN) / DRAW_LETTER));
    *x = fmin(*x, right - DRAW_LETTER * (double)draw_letters(name));
    return name;
}

/* The lanes of a band, at least as wide as their names, and the times above. */
static void draw_band(const shown *s, const lanes *l, const lane_band *b, double wide, text *t)
{
    int last = b->last == s->T ? s->T - 1 : b->last;
    double right = lanes_column(l, b, last) + l->wide[last] + DRAW_MARGIN / 2.0, x;
    for (int i = 0; i < l->lane.count; i++) {
        char *name = lane_name(s, l, b, i, wide, &x);
        if (name) right = fmax(right, x + DRAW_LETTER * (double)draw_letters(name) + DRAW_MARGIN / 2.0);
        mem_free(name);
    }
    for (int i = 0; i < l->lane.count; i++) {
        double top = b->lane_top[i], high = b->lane_top[i + 1] - top;
        if (high > 0)
            text_add(t, "<rect x=\"%d\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#f1f4f8\"/>\n", DRAW_MARGIN / 2, top,
                     right - DRAW_MARGIN / 2.0, high - 4);
    }
    for (int time = b->first; time <= b->last; time++)
        text_add(t, "<text x=\"%g\" y=\"%g\" fill=\"#666\">t = %d</text>\n", lanes_column(l, b, time), b->top + DRAW_LINE,
                 time + s->first);
}

/* Drawn over the edges, with a light outline. */
static void draw_lane_names(const shown *s, const lanes *l, const lane_band *b, double wide, text *t)
{
    for (int i = 0; i < l->lane.count; i++) {
        double x;
        char *name = lane_name(s, l, b, i, wide, &x);
        if (!name) continue;
        text_add(t, "<text x=\"%g\" y=\"%g\" fill=\"#333\" stroke=\"#f1f4f8\" stroke-width=\"4\" paint-order=\"stroke\">", x,
                 b->lane_top[i] + DRAW_LINE - 2);
        xml_add(t, name);
        text_add(t, "</text>\n");
        mem_free(name);
    }
}

static void draw_edges(const shown *s, const lanes *l, const lane_band *b, text *t)
{
    const vouch_policy_graph_data *f = s->f;
    for (int i = 0; i < f->edges; i++) {
        const vouch_policy_edge *e = &f->edge[i];
        int from = l->run_of[e->from], to = l->run_of[e->to], time = f->node[e->to].time;
        if (from < 0 || to < 0 || from == to || time <= b->first || time > b->last) continue;
        if (l->run[to].folded && l->run[from].end >= time) continue; /* from the middle of a box */
        lane_box a = lanes_place(l, b, &l->run[from]), z = lanes_place(l, b, &l->run[to]);
        double x1 = a.x + a.width, y1 = a.y + lanes_box_height() / 2, y2 = z.y + lanes_box_height() / 2, bend = (z.x - x1) / 2;
        double mass = draw_likeliest(s, i);
        text_add(
            t,
            "<path d=\"M%g %g C%g %g %g %g %g %g\" fill=\"none\" stroke=\"#7a9a9a\" stroke-width=\"%.2f\"><title>probability up to "
            "%.4g, ",
            x1, y1, x1 + bend, y1, z.x - bend, y2, z.x, y2, edge_width(mass), mass);
        steps_add_rewards(s, i, 6, t);
        text_add(t, "</title></path>\n");
    }
}

/* A dashed line before step L: after it the policy learns nothing more about the environment. */
static void draw_boundary(const shown *s, const lanes *l, const lane_band *b, text *t)
{
    if (s->L <= 0 || s->L >= s->T || s->L <= b->first || s->L > b->last) return;
    double x = lanes_column(l, b, s->L) - LANES_GAP_X / 2.0;
    text_add(t,
             "<path d=\"M%g %g V%g\" stroke=\"#333\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"/><text x=\"%g\" y=\"%g\" "
             "fill=\"#333\" "
             "text-anchor=\"end\">L</text>\n",
             x, b->top + 4, b->bottom, x - 4, b->top + DRAW_LINE);
}

/* Do states include the memory of promises? */
static bool remembers(const shown *s)
{
    const char *name, *memory = "";
    for (int i = 0; i < s->f->nodes && !memory[0]; i++) vouch_model_look(s->m, s->f->node[i].state, &name, &memory);
    return memory[0];
}

/* And rules that follow plans? */
static bool follows(const shown *s)
{
    vouch_rule r = {.follow = NULL};
    for (int i = 0; i < s->f->nodes && !r.follow; i++)
        if (s->f->node[i].rule >= 0) vouch_policy_get_rule(s->p, s->f->node[i].rule, &r);
    return r.follow;
}

/* Returns its number of lines; t NULL: nothing is drawn. */
static int draw_legend(const shown *s, double wide, double top, text *t)
{
    const char *const line[] = {
        "box: state and action; a long box: the same for several steps",
        remembers(s) ? "in brackets: memory of promises" : "",
        follows(s) ? "(plan 1): the policy follows plan 1 from there on, in the lane of that name" : "",
        "thick frame at the end: every promise is kept",
        "lane: the environments that the policy considers possible",
        s->least_probability > 0 ? "dashed box: rare places of the column, and the probability of being in one" : "",
        draw_weighs(s) ? DRAW_WEIGHS : "",
        s->L > 0 && s->L < s->T ? "dashed line: step L. After it the policy depends on the state, so that boxes may branch, "
                                  "but learns nothing more about the environment; @ names the state at step L"
                                : "",
        "edge width: probability, in the environment where it is largest:"};
    int lines = 0;
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        lines += draw_words(t, &(draw_block){DRAW_MARGIN, top + DRAW_LINE * (lines + 1), wide - 2 * DRAW_MARGIN, DRAW_LETTER, NULL},
                            line[i]);
    double x = DRAW_MARGIN, y = top + DRAW_LINE * ++lines - 4;
    for (int i = 0; i < SAMPLES && t; i++, x += 80) {
        double mass = i == 0 ? 0.1 : i == 1 ? 0.5 : 1;
        text_add(t,
                 "<path d=\"M%g %g h30\" stroke=\"#7a9a9a\" stroke-width=\"%g\"/><text x=\"%g\" y=\"%g\" fill=\"#333\">%g</text>\n",
                 x, y, edge_width(mass), x + 36, y + 4, mass);
    }
    return lines;
}

static void add_plain(text *t, const char *words) { text_add(t, "%s", words); }

bool draw_svg(const shown *s, text *t)
{
    text name = {0};
    draw_name(s, add_plain, &name);
    const char *title = escape_take(s->e, &name);
    draw_block block = {DRAW_MARGIN, 20, s->page - 2 * DRAW_MARGIN, TITLE_LETTER, DRAW_TITLE};
    lanes *l = lanes_new(s, DRAW_LINE * draw_words(NULL, &block, title) + 9);
    double least = fmin(s->page, 2 * DRAW_MARGIN + TITLE_LETTER * (double)draw_letters(title)), wide = fmax(l->width, least);
    double high = l->height + DRAW_LINE * (draw_legend(s, wide, 0, NULL) + 1);
    if (high > s->height) return false;
    draw_begin(t, wide, high);
    draw_words(t, &block, title);
    for (const lane_band *b = l->band; b < l->band + l->bands; b++) {
        draw_band(s, l, b, wide, t);
        draw_boundary(s, l, b, t);
        draw_edges(s, l, b, t);
        draw_lane_names(s, l, b, wide, t);
        for (int r = 0; r < l->runs; r++)
            if (lanes_in_band(b, &l->run[r])) draw_run(s, l, b, &l->run[r], t);
    }
    draw_legend(s, wide, l->height, t);
    text_add(t, "</svg>\n");
    return true;
}
