/* cli/guide.h - where the HTML pages of the guide lie on this machine. */
#ifndef CLI_GUIDE_H
#define CLI_GUIDE_H

#include "io/file.h"

/* Appends the name of a page of the guide, such as "sweeps", as HTML: a link, if `make install` (beside the program's directory) or
 * `make guide` (in the program's directory) has written that page. */
void guide_link(text *t, const char *name);

#endif
