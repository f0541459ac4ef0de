/* cli/draw.c - policies as graphs: dot and SVG; see show.h.
 *
 * The SVG graph has a column per time step. Boxes of a column are as wide as its longest text and stand below each other in the
 * order of the mean height of their predecessors, so that few edges cross and nothing lies on anything else. Where the columns are
 * too many for the width of a page they go on in a further band below, which begins with the last column of the band before. The
 * width of an edge says how likely it is in the environment where it is likeliest.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/draw.h"
#include "cli/show.h"
#include "cli/xml.h"

enum { TITLE = 24, LEGEND_LINES = 3, PAD = 6, GAP_X = 44, GAP_Y = 12, LONGEST = 26 }; /* pixels, LONGEST letters */

void draw_begin(text *t, double wide, double high)
{
    text_add(t,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" font-family=\"DejaVu Sans "
             "Mono, monospace\" font-size=\"11\">\n",
             wide, high, wide, high);
    text_add(t, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
}

size_t draw_letters(const char *s)
{
    size_t n = 0;
    for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
    return n;
}

void draw_shorten(char *s, size_t most)
{
    size_t n = 0;
    if (draw_letters(s) <= most) return;
    while (n < most - 2 && *s) {
        s++;
        while (((unsigned char)*s & 0xC0) == 0x80) s++;
        n++;
    }
    memcpy(s, "..", 3);
}

enum { LINES = 3 };

/* State, knowledge and action of a node, for mem_free each; NULL where there is none. */
static void box_lines(const shown *s, int node, char *line[LINES])
{
    text known = {0}, action = {0};
    const vouch_policy_node *n = &s->f->node[node];
    line[0] = mem_string(vouch_model_state_name(s->m, n->state));
    if (n->rule >= 0) {
        show_knowledge(s, n->rule, &known);
        show_action(s, n->rule, &action);
    }
    if (n->rule < 0) text_add(&known, "%s", vouch_model_is_commitment(s->m, n->state) ? "promise kept" : "not kept");
    line[1] = known.data;
    line[2] = action.data;
    for (int i = 0; i < LINES; i++)
        if (line[i]) draw_shorten(line[i], LONGEST);
}

static void free_lines(char *line[LINES])
{
    for (int i = 0; i < LINES; i++) mem_free(line[i]);
}

/* Probability of coming along edge i, where it is largest. */
static double likeliest(const shown *s, int i)
{
    const vouch_policy_graph_data *f = s->f;
    const vouch_policy_edge *e = &f->edge[i];
    vouch_rule r;
    vouch_policy_get_rule(s->p, f->node[e->from].rule, &r);
    double most = 0;
    size_t K = (size_t)s->K, at = (size_t)i;
    for (size_t k = 0; k < K; k++)
        most = fmax(most, f->reach[(size_t)e->from * K + k] * r.probability[e->choice] * f->probability[at * K + k]);
    return most;
}

/* Is the node less likely than asked for in every environment? */
static bool left_out(const shown *s, int node)
{
    double most = 0;
    for (int k = 0; k < s->K; k++) most = fmax(most, s->f->reach[(size_t)node * (size_t)s->K + (size_t)k]);
    return most < s->least_probability;
}

static int count_left_out(const shown *s)
{
    int count = 0;
    for (int i = 0; i < s->f->nodes; i++) count += left_out(s, i);
    return count;
}

static void add_name(const shown *s, void (*add)(text *, const char *), text *t)
{
    add(t, vouch_model_name(s->m)[0] ? vouch_model_name(s->m) : "model");
    text_add(t, ": a policy of %d steps, L = %d", s->T, s->L);
    if (count_left_out(s) > 0)
        text_add(t, "; %d of %d places left out, each less likely than %g", count_left_out(s), s->f->nodes, s->least_probability);
}

/* ---- dot ----------------------------------------------------------------------------------------------------- */

void draw_dot(const shown *s, text *t)
{
    const vouch_policy_graph_data *f = s->f;
    text_add(t, "digraph policy {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=11];\n  edge "
                "[fontname=\"sans-serif\", fontsize=9];\n  label=\"");
    add_name(s, dot_add, t);
    text_add(t, "\\nedges: probability where it is largest\";\n");
    for (int i = 0; i < f->nodes; i++) {
        char *line[LINES];
        if (left_out(s, i)) continue;
        box_lines(s, i, line);
        text_add(t, "  n%d [label=\"", i);
        for (int l = 0; l < LINES; l++) {
            if (!line[l]) continue;
            if (l) text_add(t, "\\n");
            dot_add(t, line[l]);
        }
        text_add(t, "\"%s];\n",
                 f->node[i].rule < 0 && vouch_model_is_commitment(s->m, f->node[i].state) ? ", style=filled, fillcolor=\"#d8efd8\""
                                                                                          : "");
        free_lines(line);
    }
    for (int i = 0; i < f->edges; i++) {
        const vouch_policy_edge *e = &f->edge[i];
        if (left_out(s, e->from) || left_out(s, e->to)) continue;
        text_add(t, "  n%d -> n%d [label=\"%.4g", e->from, e->to, likeliest(s, i));
        if (e->reward != 0) text_add(t, ", reward %.4g", e->reward);
        text_add(t, "\", penwidth=%.2f];\n", 0.5 + 2.5 * likeliest(s, i));
    }
    text_add(t, "}\n");
}

/* ---- SVG ----------------------------------------------------------------------------------------------------- */

static const double LEAST_WIDE = 860; /* room for the legend */

static double edge_width(double mass) { return 0.6 + 3 * mass; }

typedef struct place {
    double x, y, width, order, wish; /* order: its place in the column; wish: mean of those of the predecessors */
    int node;
} place;

static int by_wish(const void *x, const void *y)
{
    const place *a = x, *b = y;
    if (a->wish != b->wish) return a->wish < b->wish ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static double box_width(const shown *s, int node)
{
    char *line[LINES];
    size_t most = 1;
    box_lines(s, node, line);
    for (int l = 0; l < LINES; l++)
        if (line[l] && draw_letters(line[l]) > most) most = draw_letters(line[l]);
    free_lines(line);
    return (double)(most * DRAW_LETTER + 2 * PAD);
}

typedef struct graph_layout {
    place *at, *again; /* [nodes]; again: in the next band, width 0 where the node stands in one band only */
    place *column;     /* [nodes], scratch */
    double wide, high;
} graph_layout;

/* The nodes of one time step, which go into column from (x, y) on. Returns how many. */
static size_t lay_column(const shown *s, const graph_layout *l, int time, double x, double y, double *width)
{
    const vouch_policy_graph_data *f = s->f;
    const double height = LINES * DRAW_LINE + 2 * PAD;
    place *column = l->column;
    size_t n = 0;
    *width = 0;
    for (int i = 0; i < f->nodes; i++) {
        if (f->node[i].time != time || left_out(s, i)) continue;
        double sum = 0, count = 0;
        for (int e = 0; e < f->edges; e++) {
            if (f->edge[e].to != i) continue;
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
static void lay_out(const shown *s, graph_layout *l)
{
    const double height = LINES * DRAW_LINE + 2 * PAD;
    double x = DRAW_MARGIN, top = TITLE, low = 0, before = 0; /* top and lowest point of the band, width of the last column */
    for (int time = 0, in_band = 0; time <= s->T; time++, in_band++) {
        double width;
        size_t n = lay_column(s, l, time, x, top + DRAW_HEAD + DRAW_MARGIN, &width);
        if (n == 0) continue;
        if (in_band >= 2 && x + width + DRAW_MARGIN > DRAW_PAGE) {
            top = low + DRAW_MARGIN;
            low = 0;
            for (int i = 0; i < s->f->nodes; i++) {
                if (s->f->node[i].time != time - 1 || left_out(s, i)) continue;
                l->again[i] = l->at[i];
                l->again[i].x = DRAW_MARGIN;
                l->again[i].y = top + DRAW_HEAD + DRAW_MARGIN + l->at[i].order * (height + GAP_Y);
                low = fmax(low, l->again[i].y + height + GAP_Y);
            }
            x = DRAW_MARGIN + before + GAP_X;
            in_band = 1;
            n = lay_column(s, l, time, x, top + DRAW_HEAD + DRAW_MARGIN, &width);
        }
        for (size_t i = 0; i < n; i++) {
            l->at[l->column[i].node] = l->column[i];
            low = fmax(low, l->column[i].y + height + GAP_Y);
        }
        l->wide = fmax(l->wide, x + width + DRAW_MARGIN);
        l->high = fmax(l->high, low + DRAW_MARGIN);
        x += width + GAP_X;
        before = width;
    }
}

static void draw_box(const shown *s, const place *p, text *t)
{
    const double height = LINES * DRAW_LINE + 2 * PAD;
    const vouch_policy_node *n = &s->f->node[p->node];
    char *line[LINES];
    const char *fill = n->rule >= 0 ? "#f4f6fa" : vouch_model_is_commitment(s->m, n->state) ? "#d8efd8" : "#eeeeee";
    box_lines(s, p->node, line);
    text_add(t, "<g><title>");
    text_add(t, "t = %d, probability", n->time);
    for (int k = 0; k < s->K; k++) {
        text_add(t, " ");
        xml_add(t, vouch_model_environment_name(s->m, k));
        text_add(t, ": %.4g", s->f->reach[(size_t)p->node * (size_t)s->K + (size_t)k]);
    }
    text_add(t,
             "</title><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"4\" fill=\"%s\" stroke=\"#556\" "
             "stroke-width=\"%d\"/>\n",
             p->x, p->y, p->width, height, fill, n->rule < 0 && vouch_model_is_commitment(s->m, n->state) ? 2 : 1);
    static const char *const style[LINES] = {"font-weight=\"bold\"", "fill=\"#667\"", "fill=\"#14508c\""};
    for (int l = 0; l < LINES; l++) {
        if (!line[l]) continue;
        text_add(t, "<text x=\"%g\" y=\"%g\" %s>", p->x + PAD, p->y + PAD + DRAW_LINE * (l + 1) - 4, style[l]);
        xml_add(t, line[l]);
        text_add(t, "</text>");
    }
    text_add(t, "</g>\n");
    free_lines(line);
}

/* The time above each column: of the places that are taken. */
static void draw_times(const shown *s, const place *at, text *t)
{
    for (int time = 0; time <= s->T; time++)
        for (int i = 0; i < s->f->nodes; i++) {
            if (s->f->node[i].time != time || at[i].width <= 0 || at[i].order > 0) continue;
            text_add(t, "<text x=\"%g\" y=\"%g\" fill=\"#888\">t = %d</text>\n", at[i].x, at[i].y - DRAW_MARGIN, time);
        }
}

static void draw_edges(const shown *s, const graph_layout *l, text *t)
{
    const vouch_policy_graph_data *f = s->f;
    const double height = LINES * DRAW_LINE + 2 * PAD;
    for (int i = 0; i < f->edges; i++) {
        const vouch_policy_edge *e = &f->edge[i];
        if (left_out(s, e->from) || left_out(s, e->to)) continue;
        const place *a = l->again[e->from].width > 0 ? &l->again[e->from] : &l->at[e->from], *b = &l->at[e->to];
        double x1 = a->x + a->width, y1 = a->y + height / 2, x2 = b->x, y2 = b->y + height / 2, bend = (x2 - x1) / 2;
        double mass = likeliest(s, i);
        text_add(t,
                 "<path d=\"M%g %g C%g %g %g %g %g %g\" fill=\"none\" stroke=\"#8aa\" stroke-width=\"%.2f\"><title>reward %.6g, "
                 "probability up to %.4g</title></path>\n",
                 x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2, edge_width(mass), e->reward, mass);
    }
}

/* A dashed line before step L: what is seen from there on tells nothing more of the environment. */
static void draw_boundary(const shown *s, const graph_layout *l, text *t)
{
    double low = 0, x = 0, top = 0;
    if (s->L <= 0 || s->L >= s->T) return;
    for (int i = 0; i < s->f->nodes; i++) {
        if (s->f->node[i].time != s->L || left_out(s, i)) continue;
        x = l->at[i].x - GAP_X / 2.0;
        top = l->at[i].order > 0 ? top : l->at[i].y;
        low = fmax(low, l->at[i].y);
    }
    if (x > 0)
        text_add(t,
                 "<path d=\"M%g %g V%g\" stroke=\"#556\" stroke-dasharray=\"6 4\"/><text x=\"%g\" y=\"%g\" fill=\"#556\" "
                 "text-anchor=\"end\">L</text>\n",
                 x, top - DRAW_HEAD, low + LINES * DRAW_LINE + GAP_Y, x - 4, top - DRAW_MARGIN);
}

static void draw_legend(const shown *s, double top, text *t)
{
    const char *boundary =
        s->L > 0 && s->L < s->T ? "dashed line: from step L on nothing more is learned, @ says where that was" : "";
    const char *const line[LEGEND_LINES] = {
        "a box: the state, the environments still possible, what is done; thick and green at the end: the promise is kept",
        "an edge is as thick as it is likely, where it is likeliest: ", boundary};
    for (int i = 0; i < LEGEND_LINES; i++)
        text_add(t, "<text x=\"%d\" y=\"%g\" fill=\"#555\">%s</text>\n", DRAW_MARGIN, top + DRAW_LINE * (i + 1), line[i]);
    double x = DRAW_MARGIN + DRAW_LETTER * (double)draw_letters(line[1]), y = top + DRAW_LINE * 2 - 4;
    for (int i = 0; i < 3; i++) {
        double mass = i == 0 ? 0.1 : i == 1 ? 0.5 : 1;
        text_add(t, "<path d=\"M%g %g h30\" stroke=\"#8aa\" stroke-width=\"%g\"/><text x=\"%g\" y=\"%g\" fill=\"#555\">%g</text>\n",
                 x, y, edge_width(mass), x + 34, y + 4, mass);
        x += 70;
    }
}

void draw_svg(const shown *s, text *t)
{
    const vouch_policy_graph_data *f = s->f;
    graph_layout l = {.at = MEM_ZERO(place, f->nodes), .again = MEM_ZERO(place, f->nodes), .column = MEM_NEW(place, f->nodes)};
    if (!l.at || !l.again || !l.column) {
        t->failed = true;
        goto done;
    }
    lay_out(s, &l);
    double wide = fmax(l.wide, LEAST_WIDE);
    draw_begin(t, wide, l.high + DRAW_LINE * (LEGEND_LINES + 1));
    text_add(t, "<text x=\"%d\" y=\"%d\" font-size=\"14\">", DRAW_MARGIN, TITLE - 4);
    add_name(s, xml_add, t);
    text_add(t, "</text>\n");
    draw_boundary(s, &l, t);
    draw_legend(s, l.high, t);
    draw_times(s, l.at, t);
    draw_times(s, l.again, t);
    draw_edges(s, &l, t);
    for (int i = 0; i < f->nodes; i++) {
        if (left_out(s, i)) continue;
        draw_box(s, &l.at[i], t);
        if (l.again[i].width > 0) draw_box(s, &l.again[i], t);
    }
    text_add(t, "</svg>\n");
done:
    mem_free(l.at);
    mem_free(l.again);
    mem_free(l.column);
}
