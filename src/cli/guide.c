/* cli/guide.c - see guide.h. */
#define _DEFAULT_SOURCE
#include "cli/guide.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/xml.h"

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

/* What stands for itself in the path of a URL. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-._~/", c));
}

void guide_link(text *t, const char *name)
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
