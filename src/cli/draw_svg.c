/* cli/draw_svg.c - policies as graphs in SVG; see show.h.
 *
 * Time runs to the right, each knowledge has a lane. The width of an edge is its largest probability over environments. Colours
 * only repeat what shapes and text show.
 */
#include "cli/show.h"

enum { TITLE_LETTER = 9, SAMPLES = 3 }; /* pixels; number */

static double edge_width(double mass) { return 0.6 + 3 * mass; }

static void draw_run(const shown *s, const lanes *l, const lane_band *b, const lane_run *r, text *t)
{
    static const char *const style[LANES_LINES] = {"font-weight=\"bold\"", "fill=\"#667\"", "fill=\"#14508c\""};
    bool well = r->lane < 0 && draw_ends_well(s, r->first);
    lane_box at = lanes_place(l, b, r);
    text_add(t, "<g><title>t = %d", r->begin + s->first);
    if (r->end > r->begin) text_add(t, " to %d", r->end + s->first);
    text_add(t, ", probability");
    for (int k = 0; k < s->K; k++) {
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
             "stroke-width=\"%d\"/>\n",
             at.x, at.y, at.width, lanes_box_height(),
             r->lane >= 0 ? "white"
             : well       ? "#d8efd8"
                          : "#eeeeee",
             well ? 3 : 1);
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
        lane_box a = lanes_place(l, b, &l->run[from]), z = lanes_place(l, b, &l->run[to]);
        double x1 = a.x + a.width, y1 = a.y + lanes_box_height() / 2, y2 = z.y + lanes_box_height() / 2, bend = (z.x - x1) / 2;
        double mass = draw_likeliest(s, i);
        text_add(
            t,
            "<path d=\"M%g %g C%g %g %g %g %g %g\" fill=\"none\" stroke=\"#7a9a9a\" stroke-width=\"%.2f\"><title>probability up to "
            "%.4g, reward ",
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
    const char *const line[] = {"box: state and action; a long box: the same for several steps",
                                remembers(s) ? "in brackets: memory of promises" : "",
                                follows(s) ? "(plan 1): the policy follows plan 1 from there on, in the lane of that name" : "",
                                "thick frame at the end: every promise is kept",
                                "lane: the environments that the policy considers possible",
                                draw_weighs(s) ? DRAW_WEIGHS : "",
                                s->L > 0 && s->L < s->T
                                    ? "dashed line: step L. After it the policy depends on the state, so that boxes may branch, "
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

void draw_svg(const shown *s, text *t)
{
    text name = {0};
    draw_name(s, add_plain, &name);
    const char *title = cli_string(&name);
    draw_block block = {DRAW_MARGIN, 20, s->page - 2 * DRAW_MARGIN, TITLE_LETTER, DRAW_TITLE};
    lanes *l = lanes_new(s, DRAW_LINE * draw_words(NULL, &block, title) + 9);
    double least = fmin(s->page, 2 * DRAW_MARGIN + TITLE_LETTER * (double)draw_letters(title)), wide = fmax(l->width, least);
    draw_begin(t, wide, l->height + DRAW_LINE * (draw_legend(s, wide, 0, NULL) + 1));
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
}
