/* cli/plot.c - line plots as SVG.
 *
 * About six ticks, at multiples of 1, 2 or 5 times a power of ten. Lines differ in colour (M. Okabe, K. Ito, Color Universal
 * Design, 2008), dashes and shape of marks. Where values coincide, the earlier line has the larger mark, so that all are visible.
 * When colours repeat, dashes and marks are shifted by one, so that 49 lines are distinct.
 */
#include "cli/show.h"

/* Pixels. The legend is below the plot; letters are readable in a picture 400 pixels wide. */
enum { WIDE = 640, PAGE_WIDE = 800, HIGH = 380, LEFT = 100, RIGHT = 24, TOP = 48, BOTTOM = 64, LEGEND_LINE = 22, TICKS = 6 };
static const double TITLE = 17, TITLE_LETTER = 0.58; /* letters of the title, smaller if it is long, and their width */
static const double LARGER = 0.2, LARGEST = 0.8;     /* increase of a mark's size per earlier line, and its limit */
static const double PROVED = 1e-6;                   /* relative: a bound this close is a proof */
static const double NEAR = 0.8; /* share of the largest value: if all values are larger, the axis need not begin at 0 */

enum { STYLES = 7 };
static const char *const color[STYLES] = {"#0072b2", "#d55e00", "#007a5a", "#a0478a", "#8a6d00", "#3a8fc4", "#444444"};
static const char *const dash[STYLES] = {"none", "7 4", "2 3", "9 3 2 3", "none", "4 4", "1 4"};

/* How line i is drawn: its colour, and its dashes and mark. */
static int paint_of(int i) { return i % STYLES; }
static int shape_of(int i) { return (i + i / STYLES) % STYLES; }

typedef struct plot_axis {
    double low, high, step;
} plot_axis;

static plot_axis make_axis(double low, double high, bool whole)
{
    if (!(high > low)) {
        double more = whole ? 1 : fmax(fabs(low) * 0.1, 0.5);
        low -= more;
        high += more;
    }
    double rough = (high - low) / TICKS, power = pow(10, floor(log10(rough))), step = rough / power;
    step = power * (step <= 1 ? 1 : step <= 2 ? 2 : step <= 5 ? 5 : 10);
    if (whole) step = fmax(1, step);
    return (plot_axis){floor(low / step) * step, ceil(high / step) * step, step};
}

static double place(const plot_axis *a, double v, double from, double to)
{
    return from + (v - a->low) / (a->high - a->low) * (to - from);
}

/* A panel's place in the picture. */
typedef struct panel_frame {
    plot_axis x, y;
    int top, wide; /* of its plot */
} panel_frame;

static double at_x(const panel_frame *f, double x) { return place(&f->x, x, LEFT, f->wide - RIGHT); }
static double at_y(const panel_frame *f, double y) { return place(&f->y, y, f->top + HIGH - TOP - BOTTOM, f->top); }

static bool is_open(const plot_line *l, int i) { return l->bound && l->y[i] - l->bound[i] > PROVED * fmax(1, fabs(l->y[i])); }

static panel_frame find_frame(const plot *p, int top, int wide)
{
    double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
    bool whole = true;
    for (int l = 0; l < p->lines; l++)
        for (int i = 0; i < p->line[l].count; i++) {
            const plot_line *d = &p->line[l];
            double x = d->x[i], y = d->y[i], low = is_open(d, i) ? d->bound[i] : y;
            if (isnan(y)) continue;
            x_low = fmin(x_low, x);
            x_high = fmax(x_high, x);
            if (isfinite(low)) y_low = fmin(y_low, low);
            y_high = fmax(y_high, y + (d->error ? d->error[i] : 0));
            whole = whole && x == rint(x);
        }
    for (int l = 0; l < p->lines; l++)
        for (int i = 1; i < p->line[l].count && p->line[l].gap; i++)
            for (int c = 0; c < p->line[l].gap[i].corners; c++) {
                double y = p->line[l].gap[i].y[c];
                if (!isfinite(y)) continue; /* no bound: down to the bottom, or up to the top */
                y_low = fmin(y_low, y);
                y_high = fmax(y_high, y);
            }
    if (!(y_low > NEAR * y_high && y_low < y_high)) y_low = fmin(0, y_low);
    if (fabs(y_low) < PROVED * y_high) y_low = 0;
    if (!(x_high >= x_low)) x_low = x_high = y_high = 0; /* nothing to draw: empty axes */
    return (panel_frame){make_axis(x_low, x_high, whole), make_axis(y_low, y_high, false), top, wide};
}

static void add_axes(text *t, const panel_frame *f, const plot *p)
{
    int right = f->wide - RIGHT, bottom = f->top + HIGH - TOP - BOTTOM;
    for (long i = 0; f->x.low + f->x.step * (double)i <= f->x.high + f->x.step / 2; i++) {
        double v = f->x.low + f->x.step * (double)i, at = at_x(f, v);
        text_add(t, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#e4e4e4\" class=\"grid\"/>", at, f->top, at,
                 bottom);
        text_add(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n", at, bottom + 24,
                 fabs(v) < f->x.step / TICKS ? 0 : v);
    }
    for (long i = 0; f->y.low + f->y.step * (double)i <= f->y.high + f->y.step / 2; i++) {
        double v = f->y.low + f->y.step * (double)i, at = at_y(f, v);
        text_add(t, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#e4e4e4\" class=\"grid\"/>", LEFT, at, right, at);
        text_add(t, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", LEFT - 14, at + 4,
                 fabs(v) < f->y.step / TICKS ? 0 : v);
    }
    text_add(t, "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#444\" class=\"axis\"/>\n", LEFT, f->top, bottom, right);
    text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + right) / 2, bottom + 46);
    xml_add(t, p->x_label);
    text_add(t, "</text>\n<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">", (f->top + bottom) / 2);
    xml_add(t, p->y_label);
    text_add(t, "</text>\n");
}

/* A mark with the line's shape, without its end; hollow: not proved. */
static void add_mark(text *t, int line, double x, double y, double scale, bool hollow)
{
    static const char *const shape[STYLES] = {"M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
                                              "M-3.5 -3.5h7v7h-7z",
                                              "M0 -4.5l4.5 8h-9z",
                                              "M0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z",
                                              "M-4 -2.5h8v5h-8z",
                                              "M0 4.5l4.5 -8h-9z",
                                              "M-2.5 -4h5v8h-5z"};
    text_add(t,
             "<path class=\"s%d%s\" transform=\"translate(%.2f %.2f) scale(%.2g)\" d=\"%s\" fill=\"%s\" stroke=\"%s\" "
             "stroke-width=\"1.5\"",
             paint_of(line), hollow ? "" : " full", x, y, scale, shape[shape_of(line)], hollow ? "white" : color[paint_of(line)],
             color[paint_of(line)]);
}

static void add_corner(text *t, const panel_frame *f, double x, double y)
{
    text_add(t, "%.2f,%.2f ", at_x(f, x), at_y(f, isfinite(y) ? y : y > 0 ? f->y.high : f->y.low));
}

/* The corners of a line; lower: of its bound, backwards. */
static void add_corners(text *t, const panel_frame *f, const plot_line *l, bool lower)
{
    for (int i = 0; i < l->count; i++) {
        int j = lower ? l->count - 1 - i : i;
        add_corner(t, f, l->x[j], lower && is_open(l, j) ? l->bound[j] : l->y[j]);
    }
}

/* The bands between points. */
static void add_gaps(text *t, const panel_frame *f, const plot_line *l, int line)
{
    for (int i = 1; i < l->count && l->gap; i++) {
        if (l->gap[i].corners == 0) continue;
        text_add(t,
                 "<polygon class=\"known\" fill=\"%s\" stroke=\"%s\" fill-opacity=\"0.2\" stroke-opacity=\"0.3\" "
                 "stroke-linejoin=\"round\" points=\"",
                 color[paint_of(line)], color[paint_of(line)]);
        for (int c = 0; c < l->gap[i].corners; c++) add_corner(t, f, l->gap[i].x[c], l->gap[i].y[c]);
        text_add(t, "\"/>\n");
    }
}

/* From a hollow mark down to its bound. */
static void add_bar(text *t, const panel_frame *f, const plot_line *l, int i, int line)
{
    text_add(t, "<path class=\"s%d\" d=\"M%.2f %.2fV%.2f\" stroke=\"%s\"/>", paint_of(line), at_x(f, l->x[i]), at_y(f, l->y[i]),
             at_y(f, isfinite(l->bound[i]) ? l->bound[i] : f->y.low), color[paint_of(line)]);
}

/* The line, in pieces where points are missing or not joined. */
static void add_path(text *t, const panel_frame *f, const plot_line *l, int line)
{
    bool drawing = false;
    text_add(t, "<path class=\"s%d\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\" d=\"", paint_of(line),
             color[paint_of(line)], dash[shape_of(line)]);
    for (int i = 0; i < l->count; i++) {
        if (l->gap && !l->gap[i].joined) drawing = false;
        if (!isnan(l->y[i])) text_add(t, "%s%.2f,%.2f ", drawing ? "L" : "M", at_x(f, l->x[i]), at_y(f, l->y[i]));
        drawing = !isnan(l->y[i]);
    }
    text_add(t, "\"/>\n");
}

static void add_interval(text *t, const panel_frame *f, const plot_line *l, int i, int line)
{
    double x = at_x(f, l->x[i]) - 9, low = at_y(f, fmax(f->y.low, l->y[i] - l->error[i])), high = at_y(f, l->y[i] + l->error[i]);
    text_add(t, "<path class=\"s%d\" d=\"M%.1f %.1fh18M%.1f %.1fh18M%.1f %.1fV%.1f\" stroke=\"%s\" stroke-width=\"2\"/>",
             paint_of(line), x, low, x, high, x + 9, low, high, color[paint_of(line)]);
}

static void add_line(text *t, const panel_frame *f, const plot_line *l, int line, double scale)
{
    bool open = false;
    for (int i = 0; i < l->count; i++) open = open || is_open(l, i);
    add_gaps(t, f, l, line);
    if (open && !l->gap) {
        text_add(t, "<polygon stroke=\"none\" fill=\"%s\" fill-opacity=\"0.15\" points=\"", color[paint_of(line)]);
        add_corners(t, f, l, false);
        add_corners(t, f, l, true);
        text_add(t, "\"/>\n");
    }
    add_path(t, f, l, line);
    for (int i = 0; i < l->count; i++) {
        if (isnan(l->y[i])) continue;
        if (l->gap && is_open(l, i)) add_bar(t, f, l, i, line);
        add_mark(t, line, at_x(f, l->x[i]), at_y(f, l->y[i]), scale, is_open(l, i));
        text_add(t, "><title>%.10g: %.10g", l->x[i], l->y[i]);
        if (is_open(l, i)) text_add(t, ", proved at least %.10g", l->bound[i]);
        if (l->error) text_add(t, " &#177; %.3g", l->error[i]);
        text_add(t, "</title></path>\n");
        if (l->error) add_interval(t, f, l, i, line);
    }
}

static void add_panel(text *t, const panel_frame *f, const plot *p)
{
    add_axes(t, f, p);
    for (int l = 0; l < p->lines; l++) add_line(t, f, &p->line[l], l, 1 + fmin(LARGER, LARGEST / p->lines) * (p->lines - 1 - l));
}

static bool any_open(const plot *p)
{
    for (int l = 0; l < p->lines; l++)
        for (int i = 0; i < p->line[l].count; i++)
            if (is_open(&p->line[l], i)) return true;
    return false;
}

static bool any_gap(const plot *p)
{
    for (int l = 0; l < p->lines; l++)
        for (int i = 1; i < p->line[l].count && p->line[l].gap; i++)
            if (p->line[l].gap[i].corners) return true;
    return false;
}

/* The legend from `top` on. Returns its number of text lines. */
static int add_legend(text *t, const plot *p, int top, bool draw)
{
    enum { SAMPLE = 28 };
    int rows = 0;
    for (int l = 0; l < p->lines && p->lines > 1; l++, rows++) {
        int at = top + LEGEND_LINE * rows;
        if (!draw) continue;
        text_add(t, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>",
                 LEFT, at, LEFT + SAMPLE, at, color[paint_of(l)], dash[shape_of(l)]);
        add_mark(t, l, LEFT + SAMPLE / 2, at, 1, false);
        text_add(t, "/><text x=\"%d\" y=\"%d\">", LEFT + SAMPLE + 8, at + 5);
        xml_add(t, p->line[l].name);
        text_add(t, "</text>\n");
    }
    if (any_open(p)) {
        int at = top + LEGEND_LINE * rows++;
        if (draw) {
            add_mark(t, 0, LEFT + SAMPLE / 2, at, 1, true);
            text_add(t, "/><text x=\"%d\" y=\"%d\">least found; %s: down to the proved bound</text>\n", LEFT + SAMPLE + 8, at + 5,
                     any_gap(p) ? "bar" : "band");
        }
    }
    if (any_gap(p)) {
        int at = top + LEGEND_LINE * rows++;
        if (draw)
            text_add(t, "<text x=\"%d\" y=\"%d\">line: one policy, or U*; band: contains the true value</text>\n", LEFT, at + 5);
    }
    return rows;
}

void plot_svg(text *t, const char *title, const plot panel[], int panels)
{
    int high = TOP - LEGEND_LINE;
    for (int i = 0; i < panels; i++) high += HIGH - TOP + LEGEND_LINE * (add_legend(t, &panel[i], 0, false) + 1);
    text_add(t,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu "
             "Sans, sans-serif\" font-size=\"15\">\n",
             WIDE, high, WIDE, high);
    text_add(t, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"10\" y=\"24\" font-size=\"%.3g\">",
             fmin(TITLE, (WIDE - 20) / (TITLE_LETTER * (double)draw_letters(title))));
    xml_add(t, title);
    text_add(t, "</text>\n");
    for (int i = 0, top = TOP; i < panels; i++) {
        panel_frame f = find_frame(&panel[i], top, WIDE);
        add_panel(t, &f, &panel[i]);
        top += HIGH - TOP;
        top += LEGEND_LINE * (add_legend(t, &panel[i], top, true) + 1);
    }
    text_add(t, "</svg>\n");
}

void plot_inline(text *t, const char *title, const plot *p)
{
    enum { ABOVE = 16 };
    panel_frame f = find_frame(p, ABOVE, PAGE_WIDE);
    text_add(t, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", PAGE_WIDE, ABOVE + HIGH - TOP);
    xml_add(t, title);
    text_add(t, "\">\n");
    add_panel(t, &f, p);
    text_add(t, "</svg>\n");
}

void plot_sample(text *t, int i)
{
    text_add(t,
             "<svg viewBox=\"-18 -8 36 16\"><path class=\"s%d\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" "
             "stroke-dasharray=\"%s\" d=\"M-18 0H18\"/>",
             paint_of(i), color[paint_of(i)], dash[shape_of(i)]);
    add_mark(t, i, 0, 0, 1, false);
    text_add(t, "/></svg>");
}
