/* cli/xml.h - names inside XML, HTML and Graphviz. */
#ifndef CLI_XML_H
#define CLI_XML_H

#include "io/file.h"

/* Appends s with <, >, & and " as entities, and the replacement character for what XML cannot hold: control characters, and bytes
 * that are no UTF-8. */
void xml_add(text *t, const char *s);
/* Appends s inside a quoted string of Graphviz; control characters become blanks. */
void dot_add(text *t, const char *s);

#endif
