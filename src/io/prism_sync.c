/* io/prism_sync.c - which commands act together; see prism_read.h. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/prism_read.h"

typedef struct partaking { /* a command with a label */
    int module, label, command;
} partaking;

static int compare_partaking(const void *x, const void *y)
{
    const partaking *a = x, *b = y;
    if (a->module != b->module) return a->module < b->module ? -1 : 1;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    return (a->command > b->command) - (a->command < b->command);
}

/* The first of list [n] that is not before (module, label). */
static size_t first_from(const partaking *list, size_t n, int module, int label)
{
    size_t low = 0;
    const partaking wanted = {module, label, -1};
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (compare_partaking(&list[middle], &wanted) < 0)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

vouch_status prism_find_partaking(prism *p)
{
    size_t n = 0;
    partaking *list = MEM_NEW(partaking, p->command_count);
    if (!list) return error_memory(p->error);
    for (size_t c = 0; c < p->command_count; c++)
        if (p->command[c].label >= 0) list[n++] = (partaking){p->command[c].module, p->command[c].label, (int)c};
    if (n > 1) qsort(list, n, sizeof *list, compare_partaking);
    vouch_status status = VOUCH_OK;
    for (size_t i = 0; i < n && !status; i++) status = PRISM_PUSH(p, partaking, list[i].command);
    for (size_t i = 0; i < p->partner_count; i++) {
        prism_partner *side = &p->partner[i];
        side->first = (int)first_from(list, n, side->module, side->label);
        side->count = (int)first_from(list, n, side->module, side->label + 1) - side->first;
    }
    mem_free(list);
    return status;
}

/* Counts, for each label, the modules that know it; where next is there, puts them down as partners. Commands of a module lie
 * together, and last [names] tells which module had the label last. */
static void each_partner(prism *p, int last[], int count[], const int next[])
{
    for (int i = 0; i < p->names.count; i++) last[i] = -1;
    for (size_t c = 0; c < p->command_count; c++) {
        int label = p->command[c].label, module = p->command[c].module;
        if (label < 0 || last[label] == module) continue;
        last[label] = module;
        if (next) p->partner[next[label] + count[label]] = (prism_partner){.module = module, .label = label};
        count[label]++;
    }
}

vouch_status prism_make_syncs(prism *p)
{
    size_t all = (size_t)p->names.count, partners = 0;
    int *last = MEM_NEW(int, all), *count = MEM_ZERO(int, all), *next = MEM_NEW(int, all);
    vouch_status status = last && count && next ? VOUCH_OK : error_memory(p->error);
    if (!status) each_partner(p, last, count, NULL);
    for (size_t c = 0; c < p->command_count && !status; c++) { /* in the order of the file; count is left at 0 */
        int label = p->command[c].label;
        if (label < 0 || count[label] == 0) continue;
        next[label] = (int)partners;
        status = PRISM_PUSH(p, sync, (prism_sync){label, next[label], count[label]});
        partners += (size_t)count[label];
        count[label] = 0;
    }
    for (size_t i = 0; i < partners && !status; i++) status = PRISM_PUSH(p, partner, (prism_partner){0});
    if (!status) each_partner(p, last, count, next);
    mem_free(last);
    mem_free(count);
    mem_free(next);
    return status ? status : prism_find_partaking(p);
}
