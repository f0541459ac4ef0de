/* cli/xml.h - text inside XML and HTML. */
#ifndef CLI_XML_H
#define CLI_XML_H

#include "io/file.h"

/* Appends s with <, >, & and " as entities. */
void xml_add(text *t, const char *s);

#endif
