/* cli/page.h - one self-contained HTML page: text, tables and line charts (inline SVG), in light and dark, on screen and on paper.
 *
 * It loads nothing: no script, no font, no picture. Colours of series are distinguishable with colour-blindness (M. Okabe, K. Ito,
 * Color Universal Design, 2008) and doubled by the shape of the marks.
 */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli/cli.h"

typedef struct page {
    text *body;
    bool first_cell; /* a row of a table is open */
} page;

void page_heading(page *p, const char *title);
void page_paragraph(page *p, const char *format, ...) VOUCH_PRINTF(2, 3);
/* headers: NULL-ended; a leading '<' is skipped. */
void page_table_start(page *p, const char *const headers[]);
void page_row(page *p);
/* mark: NULL, or the class of the cell: "good", "bad". */
void page_cell(page *p, const char *mark, const char *format, ...) VOUCH_PRINTF(3, 4);
void page_table_end(page *p);

/* title: also the alternative text of the chart. */
void page_chart(page *p, const char *title, const plot *chart);
/* A numbered check. */
void page_check(page *p, int number, bool passed, const char *claim, const char *numbers);

/* names: NULL-ended, of pages of the guide to read on. */
void page_guide(page *p, const char *const names[]);

void page_write(page *p, const char *title, const char *path);

#endif
