/* cli/page.c - HTML pages of vouch reproduce. */
#define _DEFAULT_SOURCE
#include <stdarg.h>
#include <unistd.h>

#include "cli/page.h"

/* ---- links to the guide ---- */

enum { PATH_ROOM = 4096 };

/* PROGRAM'S DIRECTORY/place/NAME.html, if this file exists. */
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

/* Appends the name of a page of the guide as HTML; a link if `make install` (relative to the program's directory) or `make guide`
 * (in it) has written that page. */
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
extern const char page_style[]; /* cli/page.css, made a string by the Makefile */

void page_heading(page *p, const char *title)
{
    text_add(p->body, "<h2>");
    xml_add(p->body, title);
    text_add(p->body, "</h2>\n");
}

void page_paragraph(page *p, const char *format, ...)
{
    char words[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    text_add(p->body, "<p>");
    xml_add(p->body, words);
    text_add(p->body, "</p>\n");
}

void page_table_start(page *p, const char *const headers[])
{
    text_add(p->body, "<div class=\"scrolls\"><table>\n<tr>");
    for (int i = 0; headers[i]; i++) {
        text_add(p->body, "<th>");
        xml_add(p->body, headers[i] + (headers[i][0] == '<'));
        text_add(p->body, "</th>");
    }
    text_add(p->body, "</tr>\n");
    p->first_cell = false;
}

void page_row(page *p)
{
    text_add(p->body, p->first_cell ? "</tr>\n<tr>" : "<tr>");
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
        text_add(p->body, "<td class=\"%s\">", mark);
    else
        text_add(p->body, "<td>");
    xml_add(p->body, words);
    text_add(p->body, "</td>");
}

void page_table_end(page *p)
{
    text_add(p->body, "%s</table></div>\n", p->first_cell ? "</tr>\n" : "");
    p->first_cell = false;
}

void page_chart(page *p, const char *title, const plot *chart)
{
    text *t = p->body;
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
    text_add(p->body, "<div class=\"check\"><p>%d.</p><div><p><span class=\"%s\">%s</span> ", number, passed ? "good" : "bad",
             passed ? "holds" : "FAILS");
    xml_add(p->body, claim);
    text_add(p->body, "</p><p class=\"soft\">");
    xml_add(p->body, numbers);
    text_add(p->body, "</p></div></div>\n");
}

void page_guide(page *p, const char *const pages[])
{
    text_add(p->body, "<p class=\"soft\">Read on in the guide: ");
    for (int i = 0; pages[i]; i++) {
        if (i) text_add(p->body, ", ");
        guide_link(p->body, pages[i]);
    }
    text_add(p->body, ".</p>\n");
}

void page_write(page *p, const char *title, const char *path)
{
    text *whole = cli_text();
    vouch_error error = {0};
    text_add(whole, "%s", head);
    xml_add(whole, title);
    text_add(whole, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", page_style);
    xml_add(whole, title);
    text_add(whole, "</h1>\n");
    if (p->body->data) text_add_bytes(whole, p->body->data, p->body->length);
    text_add(whole, "</body>\n</html>\n");
    whole->failed = whole->failed || p->body->failed;
    cli_try(text_write(whole, path, &error), &error);
}
