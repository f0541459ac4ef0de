/* cli/lanes.c - layout of a policy graph; see show.h. In a lane a run takes the first free slot, in the order of the mean height of
 * its predecessors, so that few edges cross. */
#include "cli/show.h"

enum {
    LONGEST = 32,
    NARROW = 30,
    HEADING = DRAW_LINE + 4
}; /* letters; pixels: a column without the begin of a run, the space above a lane */

static const double ORDER_MOST = 3e7; /* runs compared to order the slots of a lane; larger lanes stay unordered */

double lanes_box_height(void) { return LANES_LINES * DRAW_LINE + 2 * LANES_PAD; }

/* ---- runs ----------------------------------------------------------------------------------------------------- */

static int lane_of(lanes *l, const shown *s, int node)
{
    text t = {0};
    int rule = s->f->node[node].rule;
    if (rule < 0) return -1;
    show_possible(s, rule, &t);
    if (s->L > 0 && s->f->node[node].time >= s->L && s->L < s->T) text_add(&t, ", as known at step %d", s->L + s->first);
    int lane = names_add(&l->lane, cli_string(&t));
    if (lane < 0) cli_die("out of memory");
    return lane;
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

static void run_lines(lane_run *r, const shown *s)
{
    const vouch_policy_node *n = &s->f->node[r->first], *last = &s->f->node[r->last];
    text state = {0}, known = {0}, action = {0};
    text_add(&state, "%s", vouch_model_state_name(s->m, n->state));
    if (last->state != n->state) text_add(&state, " .. %s", vouch_model_state_name(s->m, last->state));
    r->line[0] = cli_string(&state);
    if (n->rule < 0) {
        text_add(&known, "%s", draw_end_text(s, r->first));
    } else {
        show_behind(s, n->rule, &known);
    }
    r->line[1] = cli_string(&known);
    if (n->rule >= 0) show_action(s, n->rule, &action);
    if (r->end > r->begin) text_add(&action, ", %d steps", r->end - r->begin + 1);
    r->line[2] = cli_string(&action);
}

static void find_runs(lanes *l, const shown *s)
{
    const vouch_policy_graph_data *f = s->f;
    int *next = CLI_NEW(int, f->nodes), *from = CLI_NEW(int, f->nodes);
    find_only(s, next, from);
    for (int i = 0; i < f->nodes; i++) {
        l->run_of[i] = -1;
        if (draw_left_out(s, i)) continue;
        int lane = lane_of(l, s, i), before = from[i], r = before >= 0 ? l->run_of[before] : -1;
        if (r >= 0 && lane >= 0 && next[before] == i && l->run[r].lane == lane && same_action(s, before, i)) {
            l->run[r].last = i;
            l->run[r].end = f->node[i].time;
            l->run_of[i] = r;
        } else {
            l->run_of[i] = l->runs;
            l->run[l->runs++] = (lane_run){.first = i, .last = i, .begin = f->node[i].time, .end = f->node[i].time, .lane = lane};
        }
    }
    for (int r = 0; r < l->runs; r++) run_lines(&l->run[r], s);
}

/* ---- slots ---------------------------------------------------------------------------------------------------- */

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
    beginner *b = CLI_NEW(beginner, l->runs);
    int *count = CLI_NEW(int, l->runs);
    lane_slots *slots = CLI_NEW(lane_slots, l->lane.count + 1); /* the end has the lane -1 */
    for (int r = 0; r < l->runs; r++) slots[l->run[r].lane + 1].runs++;
    for (int i = 0; i <= l->lane.count; i++) slots[i].until = CLI_NEW(int, slots[i].runs);
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

/* ---- the order of slots --------------------------------------------------------------------------------------- */

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
    lane_inside in = {.run = CLI_NEW(lane_run *, l->runs), .edge = cli_new((size_t)s->f->edges, sizeof *in.edge)};
    int *index = CLI_NEW(int, l->runs), *height = CLI_NEW(int, l->runs);
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
        most = fmax(most, i == LANES_ACTION ? letters : fmin(letters, LONGEST));
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

bool lanes_in_band(const lane_band *b, const lane_run *r) { return r->begin <= b->last && r->end >= b->first; }

static void add_band(lanes *l, int first, int last, double top)
{
    int count = l->lane.count;
    lane_band *b = &l->band[l->bands++];
    *b = (lane_band){first, last, top, 0, CLI_NEW(double, count + 1)};
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

static void free_names(void *n) { names_free(n); }

lanes *lanes_new(const shown *s, double top)
{
    int n = s->f->nodes, columns = s->T + 1;
    lanes *l = CLI_NEW(lanes, 1);
    cli_own(free_names, &l->lane);
    l->run = CLI_NEW(lane_run, n);
    l->run_of = CLI_NEW(int, n);
    l->x = CLI_NEW(double, columns);
    l->wide = CLI_NEW(double, columns);
    l->band = CLI_NEW(lane_band, columns);
    find_runs(l, s);
    find_slots(l, s);
    order_lanes(l, s);
    find_columns(l, s);
    for (int first = 0, last; first < s->T; first = last, top = l->height + DRAW_MARGIN) {
        last = band_end(l, s, first);
        add_band(l, first, last, top);
    }
    return l;
}

double lanes_column(const lanes *l, const lane_band *b, int time) { return l->x[time] - l->x[b->first] + DRAW_MARGIN; }

lane_box lanes_place(const lanes *l, const lane_band *b, const lane_run *r)
{
    int begin = r->begin > b->first ? r->begin : b->first, end = r->end < b->last ? r->end : b->last;
    double x = lanes_column(l, b, begin), top = r->lane < 0 ? b->top + DRAW_HEAD : b->lane_top[r->lane];
    return (lane_box){x, top + HEADING + r->slot * (lanes_box_height() + LANES_GAP_Y), lanes_column(l, b, end) + l->wide[end] - x};
}
