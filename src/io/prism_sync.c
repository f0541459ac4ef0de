/* io/prism_sync.c - which commands act together; see prism.h. */
#include <stdlib.h>

#include "io/prism.h"

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

void prism_find_partaking(prism *p)
{
    size_t n = 0;
    partaking *list = ESCAPE_NEW(p->e, partaking, p->command_count);
    for (size_t c = 0; c < p->command_count; c++)
        if (p->command[c].label >= 0) list[n++] = (partaking){p->command[c].module, p->command[c].label, (int)c};
    if (n > 1) qsort(list, n, sizeof *list, compare_partaking);
    for (size_t i = 0; i < n; i++) PUSH(p, partaking, list[i].command);
    for (size_t i = 0; i < p->partner_count; i++) {
        prism_partner *side = &p->partner[i];
        side->first = (int)first_from(list, n, side->module, side->label);
        side->count = (int)first_from(list, n, side->module, side->label + 1) - side->first;
    }
}

/* Counts, for each label, the modules that have it; with next, adds them as partners. Commands of a module lie together, and last
 * [names] is the module that had the label last. */
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

void prism_make_syncs(prism *p)
{
    size_t all = (size_t)p->names.count, partners = 0;
    int *last = ESCAPE_NEW(p->e, int, all), *count = ESCAPE_ZERO(p->e, int, all), *next = ESCAPE_NEW(p->e, int, all);
    each_partner(p, last, count, NULL);
    for (size_t c = 0; c < p->command_count; c++) { /* in the order of the file; count is left at 0 */
        int label = p->command[c].label;
        if (label < 0 || count[label] == 0) continue;
        next[label] = (int)partners;
        PUSH(p, sync, (prism_sync){label, next[label], count[label]});
        partners += (size_t)count[label];
        count[label] = 0;
    }
    for (size_t i = 0; i < partners; i++) PUSH(p, partner, (prism_partner){0});
    each_partner(p, last, count, next);
    prism_find_partaking(p);
}

/* ---- system .. endsystem ------------------------------------------------------------------------------------- */

/* The process algebra of PRISM as synchronisations.
 *
 * Each expression is read as the synchronisations it offers, in order, and its alphabet:
 *   M              each label of the module M, done by M alone
 *   P || Q         a label of both alphabets: each synchronisation of P that has it with each of Q; all others alone
 *   P |[a,b]| Q    the same with a and b as the labels done together;  P ||| Q: no label
 *   P / {a}        a is hidden: commands with this label have none
 *   P {a<-b}       a is renamed to b
 * The last two bind tightest, then |[ ]|, then |||, then ||. Source: the PRISM manual, "Process Algebra Operators".
 */

enum { SYNC_CAP = 100000 }; /* renaming several labels to one multiplies synchronisations */
enum { SYSTEM_NEST_CAP = 200 };
enum { IN_FIRST = 1, IN_SECOND = 2, IN_BOTH = IN_FIRST | IN_SECOND, LISTED = 4 };

typedef struct composed {
    ESCAPE_ARRAY(prism_sync, sync);
    ESCAPE_ARRAY(int, label); /* the alphabet */
} composed;

typedef struct composer {
    prism_reader *r;
    bool *used; /* [modules]: is in the expression already */
    int *mark;  /* [names]: 0 between uses */
} composer;

static _Noreturn void fail(const composer *c, const char *what)
{
    const prism_token *t = here(c->r);
    prism_fail(c->r->p, t->line, t->column, "in system .. endsystem: %s", what);
}

static void let_go(const composer *c, composed *s)
{
    escape_free(c->r->p->e, s->sync);
    escape_free(c->r->p->e, s->label);
    *s = (composed){0};
}

static void add_sync(const composer *c, composed *s, prism_sync sync)
{
    if (s->sync_count >= SYNC_CAP) fail(c, "too many combinations of actions");
    ESCAPE_PUSH(c->r->p->e, s, sync, sync);
}

static void add_label(const composer *c, composed *s, int label) { ESCAPE_PUSH(c->r->p->e, s, label, label); }

/* The number of bars at hand: || or |||; -1: |[. */
static int bars(const prism_reader *r)
{
    int n = 0;
    while (token_is(ahead(r, (size_t)n), '|')) n++;
    return n == 1 && token_is(ahead(r, 1), '[') ? -1 : n;
}

/* ---- operators ------------------------------------------------------------------------------------------------ */

/* first and second in one step. */
static void add_pair(const composer *c, composed *s, const prism_sync *first, const prism_sync *second)
{
    prism *p = c->r->p;
    prism_sync both = {first->label, (int)p->partner_count, first->count + second->count};
    for (int i = 0; i < both.count; i++) {
        prism_partner side = p->partner[i < first->count ? first->first + i : second->first + i - first->count];
        PUSH(p, partner, side);
    }
    add_sync(c, s, both);
}

/* The labels with this mark are done together; s is empty. */
static void add_joined(const composer *c, composed *s, const composed *first, const composed *second, int together)
{
    for (size_t i = 0; i < first->sync_count; i++) {
        const prism_sync *one = &first->sync[i];
        if (one->label < 0 || (c->mark[one->label] & together) != together) {
            add_sync(c, s, *one);
            continue;
        }
        for (size_t j = 0; j < second->sync_count; j++)
            if (second->sync[j].label == one->label) add_pair(c, s, one, &second->sync[j]);
    }
    for (size_t j = 0; j < second->sync_count; j++) {
        int label = second->sync[j].label;
        if (label < 0 || (c->mark[label] & together) != together) add_sync(c, s, second->sync[j]);
    }
    for (size_t i = 0; i < first->label_count; i++) add_label(c, s, first->label[i]);
    for (size_t j = 0; j < second->label_count; j++)
        if (!(c->mark[second->label[j]] & IN_FIRST)) add_label(c, s, second->label[j]);
}

/* first becomes the composition of both, in which the labels are done together that have the mark; second becomes empty. */
static void join(const composer *c, composed *first, composed *second, int together)
{
    composed made = {0};
    for (size_t i = 0; i < first->label_count; i++) c->mark[first->label[i]] |= IN_FIRST;
    for (size_t j = 0; j < second->label_count; j++) c->mark[second->label[j]] |= IN_SECOND;
    add_joined(c, &made, first, second, together);
    for (size_t i = 0; i < first->label_count; i++) c->mark[first->label[i]] = 0;
    for (size_t j = 0; j < second->label_count; j++) c->mark[second->label[j]] = 0;
    let_go(c, first);
    let_go(c, second);
    *first = made;
}

/* `a` or `a<-b` before a comma or what ends the list; to is -1 where there is none. */
static void read_name(prism_reader *r, bool renames, int *from, int *to)
{
    *from = prism_take_name(r, "the name of an action");
    *to = -1;
    if (renames) prism_take_char(r, '<');
    if (renames) prism_take_char(r, '-');
    if (renames) *to = prism_take_name(r, "the name of an action");
    if (at_char(r, ',')) step(r);
}

/* {a,b}: these labels become -1;  {a<-b}: a becomes b; all at once. */
static void relabel(const composer *c, composed *s, bool renames)
{
    prism_reader *r = c->r;
    prism_take_char(r, '{');
    composed old = {0};
    for (size_t i = 0; i < s->label_count; i++) add_label(c, &old, s->label[i]);
    int *becomes = ESCAPE_NEW(c->r->p->e, int, r->p->names.count);
    for (int n = 0; n < r->p->names.count; n++) becomes[n] = n;
    while (!at_char(r, '}')) {
        int from, to;
        read_name(r, renames, &from, &to);
        becomes[from] = to;
    }
    for (size_t i = 0; i < s->sync_count; i++)
        if (s->sync[i].label >= 0) s->sync[i].label = becomes[s->sync[i].label];
    s->label_count = 0;
    for (size_t i = 0; i < old.label_count; i++) {
        int label = becomes[old.label[i]];
        if (label < 0 || c->mark[label]) continue;
        c->mark[label] = 1;
        add_label(c, s, label);
    }
    for (size_t i = 0; i < s->label_count; i++) c->mark[s->label[i]] = 0;
    let_go(c, &old);
    prism_take_char(r, '}');
}

/* ---- expressions ---------------------------------------------------------------------------------------------- */

static void read_full(const composer *c, composed *s);

/* The labels of a module, in the order of its commands. */
static void read_module(const composer *c, composed *s)
{
    prism *p = c->r->p;
    size_t m = 0;
    while (m < p->module_count && p->module[m].name != here(c->r)->name) m++;
    if (m == p->module_count) fail(c, "there is no module of this name");
    if (c->used[m]) fail(c, "expected every module once");
    c->used[m] = true;
    for (int i = p->module[m].first; i < p->module[m].first + p->module[m].count; i++) {
        int label = p->command[i].label;
        if (label < 0 || c->mark[label]) continue;
        c->mark[label] = 1;
        add_label(c, s, label);
        add_sync(c, s, (prism_sync){label, (int)p->partner_count, 1});
        PUSH(p, partner, (prism_partner){.module = (int)m, .label = label});
    }
    for (size_t i = 0; i < s->label_count; i++) c->mark[s->label[i]] = 0;
    step(c->r);
}

/* M or (..), and what hides and renames behind it. */
static void read_atom(const composer *c, composed *s)
{
    prism_reader *r = c->r;
    if (at_char(r, '(')) {
        if (++r->nest > SYSTEM_NEST_CAP) fail(c, "the expression is nested too deeply");
        step(r);
        read_full(c, s);
        prism_take_char(r, ')');
        r->nest--;
    } else if (here(r)->symbol == SYM_NAME)
        read_module(c, s);
    else
        fail(c, "expected the name of a module, or (");
    while (at_char(r, '/') || at_char(r, '{')) {
        bool hides = at_char(r, '/');
        if (hides) step(r);
        relabel(c, s, !hides);
    }
}

/* P, or P |[a,b]| Q */
static void read_listed(const composer *c, composed *s)
{
    prism_reader *r = c->r;
    composed second = {0};
    composed listed = {0};
    int name, none;
    read_atom(c, s);
    if (bars(r) != -1) return;
    step(r);
    step(r);
    while (!at_char(r, ']')) {
        read_name(r, false, &name, &none);
        add_label(c, &listed, name);
    }
    step(r);
    prism_take_char(r, '|');
    read_atom(c, &second);
    for (size_t i = 0; i < listed.label_count; i++) c->mark[listed.label[i]] = LISTED;
    join(c, s, &second, LISTED);
    for (size_t i = 0; i < listed.label_count; i++) c->mark[listed.label[i]] = 0;
    let_go(c, &second);
}

/* P ||| Q ||| .. */
static void read_apart(const composer *c, composed *s)
{
    composed second = {0};
    read_listed(c, s);
    while (bars(c->r) == 3) {
        for (int i = 0; i < 3; i++) step(c->r);
        read_listed(c, &second);
        join(c, s, &second, LISTED);
    }
    let_go(c, &second);
}

/* P || Q || .. */
static void read_full(const composer *c, composed *s)
{
    composed second = {0};
    read_apart(c, s);
    while (bars(c->r) == 2) {
        for (int i = 0; i < 2; i++) step(c->r);
        read_apart(c, &second);
        join(c, s, &second, IN_BOTH);
    }
    let_go(c, &second);
}

void prism_read_system(prism_reader *r)
{
    prism *p = r->p;
    composed all = {0};
    composer c = {r, ESCAPE_ZERO(r->p->e, bool, p->module_count), ESCAPE_ZERO(r->p->e, int, p->names.count)};
    r->at = r->system_at;
    read_full(&c, &all);
    if (!at_word(r, "endsystem")) fail(&c, "expected ||, |||, |[, /, { or endsystem");
    for (size_t m = 0; m < p->module_count; m++)
        if (!c.used[m]) fail(&c, "expected every module once");
    for (size_t i = 0; i < all.sync_count; i++) PUSH(p, sync, all.sync[i]);
    prism_find_partaking(p);
}
