/* cli/page.c - see page.h. */
#include "cli/page.h"
#include "cli/xml.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SERIES_STYLES = 7 };

static const char *const head = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                                "content=\"width=device-width, initial-scale=1\">\n"
                                "<title>";
static const char *const style =
    "</title>\n<style>\n"
    ":root { color-scheme: light dark; --back: #fff; --text: #1a1a1a; --soft: #5a5a5a; --line: #d4d4d4; --panel: #f6f6f4; --good: "
    "#00684a; --bad: #b3261e;\n"
    "  --s0: #0072b2; --s1: #d55e00; --s2: #007a5a; --s3: #a0478a; --s4: #8a6d00; --s5: #3a8fc4; --s6: #444; }\n"
    "@media (prefers-color-scheme: dark) { :root { --back: #16181b; --text: #e8e8e6; --soft: #a5a8ab; --line: #3c4045; --panel: "
    "#1f2226; --good: #4fd1a1;\n"
    "  --bad: #ff8a80; --s0: #56b4e9; --s1: #ff9248; --s2: #2fc59b; --s3: #e08fc4; --s4: #e6c72e; --s5: #9ecbe8; --s6: #cfcfcf; } "
    "}\n"
    "body { margin: 2rem auto; max-width: 68rem; padding: 0 1rem; background: var(--back); color: var(--text); font: 16px/1.5 "
    "system-ui, sans-serif; }\n"
    "h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: "
    ".2rem; }\n"
    ".wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; margin: "
    "1rem 0; }\n"
    "th, td { padding: .25rem .45rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }\n"
    "th { color: var(--soft); font-weight: 600; } th:first-child, td:first-child { text-align: left; }\n"
    ".good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .soft { color: var(--soft); }\n"
    "figure { margin: 1.5rem 0; background: var(--panel); border-radius: 8px; padding: .8rem; } figcaption { color: var(--soft); "
    "font-size: .9rem; }\n"
    "svg { width: 100%; height: auto; display: block; } svg text { fill: var(--text); font: 13px system-ui, sans-serif; }\n"
    ".legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; margin: .3rem 0 .6rem; padding: 0 .5rem; "
    "font-size: .9rem; }\n"
    ".legend li { white-space: nowrap; } .legend svg { display: inline-block; width: 36px; vertical-align: middle; margin-right: "
    ".4rem; }\n"
    "@media (max-width: 40rem) { svg text { font-size: 22px; } }\n"
    ".grid { stroke: var(--line); stroke-width: 1; } .axis { stroke: var(--soft); stroke-width: 1; }\n"
    ".check { display: grid; grid-template-columns: 2.2rem 1fr; margin: .8rem 0; } .check p { margin: 0; }\n"
    "</style>\n</head>\n<body>\n<h1>";

void page_heading(page *p, const char *title)
{
    text_add(&p->body, "<h2>");
    xml_add(&p->body, title);
    text_add(&p->body, "</h2>\n");
}

void page_paragraph(page *p, const char *format, ...)
{
    char words[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    text_add(&p->body, "<p>");
    xml_add(&p->body, words);
    text_add(&p->body, "</p>\n");
}

void page_table_start(page *p, const char *const headers[])
{
    text_add(&p->body, "<div class=\"wide\"><table>\n<tr>");
    for (int i = 0; headers[i]; i++) {
        text_add(&p->body, "<th>");
        xml_add(&p->body, headers[i] + (headers[i][0] == '<'));
        text_add(&p->body, "</th>");
    }
    text_add(&p->body, "</tr>\n");
    p->first_cell = false;
}

void page_row(page *p)
{
    text_add(&p->body, p->first_cell ? "</tr>\n<tr>" : "<tr>");
    p->first_cell = true;
}

void page_cell(page *p, const char *mark, const char *format, ...)
{
    char words[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (mark)
        text_add(&p->body, "<td class=\"%s\">", mark);
    else
        text_add(&p->body, "<td>");
    xml_add(&p->body, words);
    text_add(&p->body, "</td>");
}

void page_table_end(page *p)
{
    text_add(&p->body, "%s</table></div>\n", p->first_cell ? "</tr>\n" : "");
    p->first_cell = false;
}

/* A step of 1, 2 or 5 times a power of ten that divides `span` into at most `most` parts. */
static double nice_step(double span, int most)
{
    double step = pow(10, floor(log10(span / most)));
    static const double factors[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++)
        if (span / (step * factors[i]) <= most) return step * factors[i];
    return step * 10;
}

typedef struct frame {
    double x0, x1, y0, y1; /* values at the edges */
} frame;
enum { LEFT = 80, RIGHT = 785, TOP = 15, BOTTOM = 300, WIDTH = 800, HEIGHT = 365 };
/* Where series have the same value the mark of an earlier one is the larger, so that each is seen: relatively, a series. */
static const double LARGER = 0.2;

static double place_x(const frame *f, double x) { return LEFT + (x - f->x0) / (f->x1 - f->x0) * (RIGHT - LEFT); }
static double place_y(const frame *f, double y) { return BOTTOM - (y - f->y0) / (f->y1 - f->y0) * (BOTTOM - TOP); }

static frame find_frame(const chart_series s[], int count)
{
    frame f = {INFINITY, -INFINITY, 0, -INFINITY};
    for (int i = 0; i < count; i++)
        for (int j = 0; j < s[i].count; j++) {
            if (isnan(s[i].y[j])) continue;
            f.x0 = fmin(f.x0, s[i].x[j]);
            f.x1 = fmax(f.x1, s[i].x[j]);
            f.y1 = fmax(f.y1, s[i].y[j] + (s[i].error ? s[i].error[j] : 0));
        }
    if (!(f.x1 > f.x0)) f = (frame){f.x0 - 1, f.x0 + 1, 0, f.y1};
    if (!isfinite(f.x0)) f = (frame){0, 1, 0, 1};
    if (!(f.y1 > 0)) f.y1 = 1;
    double step = nice_step(f.y1, 6), pad = 0.04 * (f.x1 - f.x0);
    f.y1 = step * ceil(f.y1 / step * 1.02);
    f.x0 -= pad;
    f.x1 += pad;
    return f;
}

/* A mark whose shape tells the series. */
static void add_mark(text *t, int i, double x, double y, double scale)
{
    static const char *const shapes[SERIES_STYLES] = {
        "<circle r=\"4\"/>",
        "<path d=\"M-4 -4h8v8h-8z\"/>",
        "<path d=\"M0 -5l5 9h-10z\"/>",
        "<path d=\"M0 -5l5 5l-5 5l-5 -5z\"/>",
        "<path d=\"M-4 -4l8 8m0 -8l-8 8\"/>",
        "<path d=\"M-5 0h10m-5 -5v10\"/>",
        "<path d=\"M-3 -5h6v10h-6z\"/>",
    };
    text_add(t, "<g transform=\"translate(%.1f %.1f) scale(%.2f)\" fill=\"none\" stroke=\"var(--s%d)\" stroke-width=\"2\">%s</g>",
             x, y, scale, i % SERIES_STYLES, shapes[i % SERIES_STYLES]);
}

static void add_axes(text *t, const frame *f, const char *x_label, const char *y_label)
{
    double ystep = nice_step(f->y1, 6), xstep = fmax(1, nice_step(f->x1 - f->x0, 12));
    for (double y = 0; y <= f->y1 * (1 + 1e-9); y += ystep)
        text_add(t,
                 "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
                 "text-anchor=\"end\">%g</text>\n",
                 LEFT, RIGHT, place_y(f, y), place_y(f, y), LEFT - 8, place_y(f, y) + 4, y);
    for (double x = xstep * ceil(f->x0 / xstep); x <= f->x1; x += xstep)
        text_add(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", place_x(f, x), BOTTOM + 26, x + 0.0);
    text_add(t, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
             LEFT, RIGHT, BOTTOM, BOTTOM, (LEFT + RIGHT) / 2, BOTTOM + 52);
    xml_add(t, x_label);
    text_add(t, "</text>\n<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">", (TOP + BOTTOM) / 2);
    xml_add(t, y_label);
    text_add(t, "</text>\n");
}

static void start_line(text *t, int i)
{
    static const char *const dashes[SERIES_STYLES] = {"none", "7 4", "2 3", "9 3 2 3", "none", "4 4", "1 4"};
    text_add(t, "<path fill=\"none\" stroke=\"var(--s%d)\" stroke-width=\"2\" stroke-dasharray=\"%s\" d=\"", i % SERIES_STYLES,
             dashes[i % SERIES_STYLES]);
}

/* Series number i, its marks enlarged. */
static void add_series(text *t, const frame *f, const chart_series *s, int i, double scale)
{
    bool drawing = false;
    start_line(t, i);
    for (int j = 0; j < s->count; j++) {
        bool point = !isnan(s->y[j]);
        if (point) text_add(t, "%s%.1f %.1f", drawing ? "L" : "M", place_x(f, s->x[j]), place_y(f, fmax(0, s->y[j])));
        drawing = point;
    }
    text_add(t, "\"/>\n");
    for (int j = 0; j < s->count; j++) {
        if (isnan(s->y[j])) continue;
        double x = place_x(f, s->x[j]), low = s->error ? place_y(f, fmax(0, s->y[j] - s->error[j])) : 0;
        if (s->error)
            text_add(t, "<path d=\"M%.1f %.1fh16M%.1f %.1fh16M%.1f %.1fV%.1f\" stroke=\"var(--s%d)\" stroke-width=\"2\"/>", x - 8,
                     low, x - 8, place_y(f, s->y[j] + s->error[j]), x, low, place_y(f, s->y[j] + s->error[j]), i % SERIES_STYLES);
        add_mark(t, i, x, place_y(f, fmax(0, s->y[j])), scale);
    }
    text_add(t, "\n");
}

void page_chart(page *p, const char *title, const char *x_label, const char *y_label, const chart_series s[], int count)
{
    text *t = &p->body;
    frame f = find_frame(s, count);
    text_add(t, "<figure>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    xml_add(t, title);
    text_add(t, "\">\n");
    add_axes(t, &f, x_label, y_label);
    for (int i = 0; i < count; i++) add_series(t, &f, &s[i], i, 1 + LARGER * (count - 1 - i));
    text_add(t, "</svg>\n<ul class=\"legend\">\n");
    for (int i = 0; i < count; i++) {
        text_add(t, "<li><svg viewBox=\"-18 -8 36 16\">");
        start_line(t, i);
        text_add(t, "M-18 0H18\"/>");
        add_mark(t, i, 0, 0, 1);
        text_add(t, "</svg>");
        xml_add(t, s[i].name);
        double most = 0;
        for (int j = 0; j < s[i].count && s[i].error; j++)
            if (!isnan(s[i].y[j])) most = fmax(most, s[i].error[j]);
        if (s[i].error) text_add(t, ", intervals of at most &#177; %.2g", most);
        text_add(t, "</li>\n");
    }
    text_add(t, "</ul>\n<figcaption>");
    xml_add(t, title);
    text_add(t, "</figcaption>\n</figure>\n");
}

void page_check(page *p, int number, bool passed, const char *claim, const char *numbers)
{
    text_add(&p->body, "<div class=\"check\"><p>%d.</p><div><p><span class=\"%s\">%s</span> ", number, passed ? "good" : "bad",
             passed ? "holds" : "FAILS");
    xml_add(&p->body, claim);
    text_add(&p->body, "</p><p class=\"soft\">");
    xml_add(&p->body, numbers);
    text_add(&p->body, "</p></div></div>\n");
}

vouch_status page_write(page *p, const char *title, const char *path, vouch_error *error)
{
    text whole = {0};
    text_add(&whole, "%s", head);
    xml_add(&whole, title);
    text_add(&whole, "%s", style);
    xml_add(&whole, title);
    text_add(&whole, "</h1>\n");
    if (p->body.data) text_add_bytes(&whole, p->body.data, p->body.length);
    text_add(&whole, "</body>\n</html>\n");
    whole.failed = whole.failed || p->body.failed;
    vouch_status status = text_write(&whole, path, error);
    text_free(&whole);
    return status;
}

void page_free(page *p) { text_free(&p->body); }
