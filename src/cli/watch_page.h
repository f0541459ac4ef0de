/* cli/watch_page.h - the page of vouch watch: what was solved and what happened as JSON, with the script and the style that show
 * it.
 *
 * Script and style are files of the source tree (cli/watch/), held in the program by the Makefile. The page loads nothing.
 */
#ifndef CLI_WATCH_PAGE_H
#define CLI_WATCH_PAGE_H

#include <vouch/vouch.h>

#include "io/file.h"

/* Add the fields of one JSON object, each followed by a comma, to `record`. */
void watch_add_model(text *record, const vouch_model *m);
void watch_add_plan(text *record, const vouch_model *m, const char *method, const vouch_policy *policy);
void watch_add_ccil(text *record, const vouch_model *m, const vouch_ccil_result *r);
void watch_add_program(text *record, const vouch_lp *lp);

/* Writes the page. kind: "plan", "lp" or "mip"; record: the fields so far. */
vouch_status watch_write(const char *kind, const char *title, text *record, const vouch_trace *trace, const char *path,
                         vouch_error *error);

#endif
