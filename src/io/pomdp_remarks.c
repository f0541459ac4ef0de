/* io/pomdp_remarks.c - the comments that pomdp.c writes, read again; see pomdp_read.h.
 *
 *   # vouch: NAME, ..                           the first line
 *   # environment 0: NAME
 *   # action 0: NAME
 *   # arrival 0: reward 1.5, actions 0 2, state NAME
 */
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "base/memory.h"
#include "io/pomdp_read.h"

/* Behind "# KIND N: " in this line, where N is the number expected; NULL: it says something else. */
static const char *behind(const char *line, const char *kind, int number)
{
    char start[64];
    int n = format_text(start, sizeof start, "# %s %d: ", kind, number);
    return strncmp(line, start, (size_t)n) == 0 ? line + n : NULL;
}

static size_t line_length(const char *s) { return strcspn(s, "\r\n"); }

static bool read_name(names *list, const char *name)
{
    int count = list->count;
    return line_length(name) > 0 && names_add_bytes(list, name, line_length(name)) == count;
}

/* "reward 1.5, actions 0 2, state NAME" of observation o. */
static bool read_arrival(pomdp_remarks *r, const pomdp *p, int o, const char *s)
{
    const char *actions = strstr(s, ", actions"), *end = s + line_length(s);
    int a, n;
    if (!actions || actions > end) return false;
    for (s = actions + strlen(", actions"); scan_text(s, " %d%n", &a, &n) == 1; s += n) {
        if (a < 0 || a >= p->actions.count) return false;
        r->acts[(size_t)o * (size_t)p->actions.count + (size_t)a] = true;
    }
    if (strncmp(s, ", state ", strlen(", state ")) != 0) return false;
    s += strlen(", state ");
    if (s >= end) return false;
    r->state_of[o] = names_add_bytes(&r->states, s, (size_t)(end - s));
    return r->state_of[o] >= 0;
}

bool pomdp_read_remarks(pomdp_remarks *r, const pomdp *p, const char *content)
{
    int A = p->actions.count, O = p->observations.count, arrivals = 0;
    *r = (pomdp_remarks){0};
    if (strncmp(content, "# vouch: ", strlen("# vouch: ")) != 0) return false;
    r->state_of = MEM_NEW(int, O);
    r->acts = MEM_ZERO(bool, (size_t)O *(size_t)A);
    bool fits = r->state_of && r->acts;
    for (const char *line = content, *rest; fits && *line == '#'; line += line_length(line), line += strspn(line, "\r\n")) {
        if ((rest = behind(line, "environment", r->environments.count)))
            fits = read_name(&r->environments, rest);
        else if ((rest = behind(line, "action", r->actions.count)))
            fits = read_name(&r->actions, rest);
        else if ((rest = behind(line, "arrival", arrivals)))
            fits = arrivals < O && read_arrival(r, p, arrivals, rest) && ++arrivals;
    }
    return fits && arrivals == O && r->actions.count == A;
}

void pomdp_free_remarks(pomdp_remarks *r)
{
    names_free(&r->environments);
    names_free(&r->actions);
    names_free(&r->states);
    mem_free(r->state_of);
    mem_free(r->acts);
    *r = (pomdp_remarks){0};
}
