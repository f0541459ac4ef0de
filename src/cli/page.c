/* cli/page.c - HTML pages of vouch reproduce. */
#define _DEFAULT_SOURCE
#include <stdarg.h>
#include <unistd.h>

#include "cli/reproduce.h"

/* ---- links to the guide ---- */

enum { PATH_ROOM = 4096 };

/* PROGRAM'S DIRECTORY/place/NAME.html, if there is such a file. */
static bool find_page(const char *place, const char *name, char path[PATH_ROOM])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_ROOM - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    char *end = strrchr(path, '/');
    if (!end) return false;
    size_t room = PATH_ROOM - (size_t)(end + 1 - path);
    return snprintf(end + 1, room, "%s/%s.html", place, name) < (int)room && access(path, R_OK) == 0;
}

/* Characters that are not escaped in the path of a URL. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-._~/", c));
}

/* Appends the name of a page of the guide, such as "sweeps", as HTML: a link, if `make install` (beside the program's directory) or
 * `make guide` (in the program's directory) has written that page. */
static void guide_link(text *t, const char *name)
{
    char path[PATH_ROOM];
    if (!find_page("../share/doc/vouch", name, path) && !find_page("guide", name, path)) {
        xml_add(t, name);
        return;
    }
    text_add(t, "<a href=\"file://");
    for (const char *c = path; *c; c++) text_add(t, is_plain(*c) ? "%c" : "%%%02X", (unsigned char)*c);
    text_add(t, "\">");
    xml_add(t, name);
    text_add(t, "</a>");
}

/* ---- page ---- */

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
    "body { margin: 2rem auto; max-width: 76rem; padding: 0 1rem; background: var(--back); color: var(--text); font: 16px/1.5 "
    "system-ui, sans-serif; }\n"
    "p { max-width: 62rem; } h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid "
    "var(--line); padding-bottom: "
    ".2rem; }\n"
    /* a shadow at the side to which a table goes on */
    ".scrolls { overflow-x: auto; background: linear-gradient(to right, var(--back) 1rem, transparent 3rem) local, "
    "linear-gradient(to "
    "left, var(--back) 1rem, transparent 3rem) 100% 0 local,\n"
    "  linear-gradient(to right, var(--line), transparent 1rem), linear-gradient(to left, var(--line), transparent 1rem) 100% 0; "
    "background-repeat: no-repeat; }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .85rem; margin: "
    "1rem 0; }\n"
    "th, td { padding: .25rem .45rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }\n"
    "th { color: var(--soft); font-weight: 600; } th:first-child, td:first-child { text-align: left; }\n"
    "th + th, td { position: relative; padding-right: 1.1rem; } td.good::after { content: \"\\2713\"; position: absolute; right: "
    ".15rem; }\n"
    ".good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .soft { color: var(--soft); }\n"
    "figure { margin: 1.5rem 0; max-width: 52rem; background: var(--panel); border-radius: 8px; padding: .8rem; } figcaption { "
    "color: var(--soft); "
    "font-size: .9rem; }\n"
    "svg { width: 100%; height: auto; display: block; } svg text { fill: var(--text); font: 13px system-ui, sans-serif; }\n"
    ".legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; margin: .3rem 0 .6rem; padding: 0 .5rem; "
    "font-size: .9rem; }\n"
    ".legend li { white-space: nowrap; } .legend svg { display: inline-block; width: 36px; vertical-align: middle; margin-right: "
    ".4rem; }\n"
    "@media (max-width: 40rem) { svg text { font-size: 22px; } .legend li { white-space: normal; } table { font-size: .75rem; } "
    "th, "
    "td { padding: .2rem .25rem; } th + th, td { padding-right: .9rem; } }\n"
    ".grid { stroke: var(--line); stroke-width: 1; } .axis { stroke: var(--soft); stroke-width: 1; }\n"
    ".s0 { stroke: var(--s0); } .s1 { stroke: var(--s1); } .s2 { stroke: var(--s2); } .s3 { stroke: var(--s3); }\n"
    ".s4 { stroke: var(--s4); } .s5 { stroke: var(--s5); } .s6 { stroke: var(--s6); }\n"
    ".s0.full { fill: var(--s0); } .s1.full { fill: var(--s1); } .s2.full { fill: var(--s2); } .s3.full { fill: var(--s3); }\n"
    ".s4.full { fill: var(--s4); } .s5.full { fill: var(--s5); } .s6.full { fill: var(--s6); }\n"
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
    text_add(&p->body, "<div class=\"scrolls\"><table>\n<tr>");
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

void page_chart(page *p, const char *title, const plot *chart)
{
    text *t = &p->body;
    text_add(t, "<figure>\n");
    plot_inline(t, title, chart);
    text_add(t, "<ul class=\"legend\">\n");
    for (int i = 0; i < chart->lines; i++) {
        const plot_line *l = &chart->line[i];
        text_add(t, "<li>");
        plot_sample(t, i);
        xml_add(t, l->name);
        double most = 0;
        for (int j = 0; j < l->count && l->error; j++)
            if (!isnan(l->y[j])) most = fmax(most, l->error[j]);
        if (l->error) text_add(t, ", intervals of at most &#177; %.2g", most);
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

void page_guide(page *p, const char *const pages[])
{
    text_add(&p->body, "<p class=\"soft\">Read on in the guide: ");
    for (int i = 0; pages[i]; i++) {
        if (i) text_add(&p->body, ", ");
        guide_link(&p->body, pages[i]);
    }
    text_add(&p->body, ".</p>\n");
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
    return text_write(&whole, path, error);
}

void page_free(page *p) { text_free(&p->body); }
