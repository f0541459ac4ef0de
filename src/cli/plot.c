/* cli/plot.c - see plot.h. Ticks are 1, 2 or 5 times a power of ten apart, about six of them. */
#include "cli/plot.h"
#include "cli/xml.h"

#include <math.h>

/* Pixels. The legend has a column of its own, so that it never lies on a line. */
enum { WIDE = 640, HIGH = 400, LEFT = 80, RIGHT = 24, TOP = 44, BOTTOM = 56, LEGEND = 190, LEGEND_LINE = 20 };

static const char *const color[] = {"#14508c", "#c0392b", "#1e8449", "#8e44ad", "#b9770e", "#117a8b", "#7f8c8d", "#d81b60"};
enum { COLORS = sizeof color / sizeof *color };

typedef struct plot_axis {
    double low, high, step;
} plot_axis;

static plot_axis make_axis(double low, double high)
{
    if (!(high > low)) {
        double more = fmax(fabs(low) * 0.1, 0.5);
        low -= more;
        high += more;
    }
    double rough = (high - low) / 6, power = pow(10, floor(log10(rough))), step = rough / power;
    step = power * (step <= 1 ? 1 : step <= 2 ? 2 : step <= 5 ? 5 : 10);
    return (plot_axis){floor(low / step) * step, ceil(high / step) * step, step};
}

static double place(const plot_axis *a, double v, double from, double to)
{
    return from + (v - a->low) / (a->high - a->low) * (to - from);
}

static void add_axes(text *t, const plot_axis *x, const plot_axis *y, const char *x_label, const char *y_label)
{
    int right = WIDE - RIGHT, bottom = HIGH - BOTTOM;
    for (long i = 0; x->low + x->step * (double)i <= x->high + x->step / 2; i++) {
        double v = x->low + x->step * (double)i, at = place(x, v, LEFT, right);
        text_add(t, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#e4e4e4\"/>", at, TOP, at, bottom);
        text_add(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n", at, bottom + 18,
                 fabs(v) < x->step / 1e6 ? 0 : v);
    }
    for (long i = 0; y->low + y->step * (double)i <= y->high + y->step / 2; i++) {
        double v = y->low + y->step * (double)i, at = place(y, v, bottom, TOP);
        text_add(t, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#e4e4e4\"/>", LEFT, at, right, at);
        text_add(t, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", LEFT - 8, at + 4,
                 fabs(v) < y->step / 1e6 ? 0 : v);
    }
    text_add(t, "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#444\"/>\n", LEFT, TOP, bottom, right);
    text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + right) / 2, HIGH - 14);
    xml_add(t, x_label);
    text_add(t, "</text>\n<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">", (TOP + bottom) / 2);
    xml_add(t, y_label);
    text_add(t, "</text>\n");
}

void plot_svg(text *t, const char *title, const char *x_label, const char *y_label, const plot_line *line, int lines)
{
    double x_low = INFINITY, x_high = -INFINITY, y_low = 0, y_high = -INFINITY;
    for (int l = 0; l < lines; l++)
        for (int i = 0; i < line[l].count; i++) {
            x_low = fmin(x_low, line[l].x[i]);
            x_high = fmax(x_high, line[l].x[i]);
            y_low = fmin(y_low, line[l].y[i]);
            y_high = fmax(y_high, line[l].y[i]);
        }
    if (!(x_high >= x_low)) x_low = x_high = y_high = 0; /* nothing to draw: empty axes */
    plot_axis x = make_axis(x_low, x_high), y = make_axis(y_low, y_high);
    int wide = WIDE + (lines > 1 ? LEGEND : 0), legend = TOP + LEGEND_LINE * lines, high = legend > HIGH ? legend : HIGH;
    text_add(t,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu "
             "Sans, sans-serif\" font-size=\"12\">\n",
             wide, high, wide, high);
    text_add(t, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"24\" font-size=\"14\">", LEFT);
    xml_add(t, title);
    text_add(t, "</text>\n");
    add_axes(t, &x, &y, x_label, y_label);
    for (int l = 0; l < lines; l++) {
        const char *ink = color[l % COLORS];
        text_add(t, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", ink);
        for (int i = 0; i < line[l].count; i++)
            text_add(t, "%.2f,%.2f ", place(&x, line[l].x[i], LEFT, WIDE - RIGHT), place(&y, line[l].y[i], HIGH - BOTTOM, TOP));
        text_add(t, "\"/>\n");
        for (int i = 0; i < line[l].count; i++)
            text_add(t, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"><title>%.10g: %.10g</title></circle>\n",
                     place(&x, line[l].x[i], LEFT, WIDE - RIGHT), place(&y, line[l].y[i], HIGH - BOTTOM, TOP), ink, line[l].x[i],
                     line[l].y[i]);
        if (lines > 1) {
            int at = TOP + LEGEND_LINE * l;
            text_add(t, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/><text x=\"%d\" y=\"%d\">",
                     WIDE, at, WIDE + 20, at, ink, WIDE + 26, at + 4);
            xml_add(t, line[l].name);
            text_add(t, "</text>\n");
        }
    }
    text_add(t, "</svg>\n");
}
