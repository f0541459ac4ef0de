/* io/prism_system.c - system .. endsystem, the process algebra of PRISM, as synchronisations; see prism_read.h.
 *
 * Each expression is read as the synchronisations it offers, in order, and its alphabet:
 *   M              each label of the module M, done by M alone
 *   P || Q         a label of both alphabets: each synchronisation of P that has it with each of Q; all others alone
 *   P |[a,b]| Q    the same with a and b as the labels done together;  P ||| Q: no label
 *   P / {a}        a is hidden: what had this label has none
 *   P {a<-b}       a is renamed to b
 * The last two bind tightest, then |[ ]|, then |||, then ||. Source: the PRISM manual, "Process Algebra Operators".
 */
#include "base/error.h"
#include "base/memory.h"
#include "io/prism_read.h"

enum { SYNC_CAP = 100000 }; /* renaming several labels to one multiplies synchronisations */
enum { SYSTEM_NEST_CAP = 200 };
enum { IN_FIRST = 1, IN_SECOND = 2, IN_BOTH = IN_FIRST | IN_SECOND, LISTED = 4 };

typedef struct composed {
    prism_sync *sync; /* owned */
    size_t count, capacity;
    int *label; /* owned: the alphabet */
    size_t labels, label_capacity;
} composed;

typedef struct composer {
    prism_reader *r;
    bool *used; /* owned, [modules]: stands in the expression already */
    int *mark;  /* owned, [names]: 0 between uses */
} composer;

static vouch_status fail(const composer *c, const char *what)
{
    const prism_token *t = here(c->r);
    return prism_fail(c->r->p, t->line, t->column, "in system .. endsystem: %s", what);
}

static void let_go(composed *s)
{
    mem_free(s->sync);
    mem_free(s->label);
    *s = (composed){0};
}

static vouch_status add_sync(const composer *c, composed *s, prism_sync sync)
{
    if (s->count >= SYNC_CAP) return fail(c, "too many combinations of actions");
    if (MEM_RESERVE(&s->sync, &s->capacity, s->count)) return error_memory(c->r->p->error);
    s->sync[s->count++] = sync;
    return VOUCH_OK;
}

static vouch_status add_label(const composer *c, composed *s, int label)
{
    if (MEM_RESERVE(&s->label, &s->label_capacity, s->labels)) return error_memory(c->r->p->error);
    s->label[s->labels++] = label;
    return VOUCH_OK;
}

/* The number of bars at hand: || or |||; -1: |[. */
static int bars(const prism_reader *r)
{
    int n = 0;
    while (token_is(ahead(r, (size_t)n), '|')) n++;
    return n == 1 && token_is(ahead(r, 1), '[') ? -1 : n;
}

/* ---- operators ------------------------------------------------------------------------------------------------ */

/* first and second in one step. */
static vouch_status add_pair(const composer *c, composed *s, const prism_sync *first, const prism_sync *second)
{
    prism *p = c->r->p;
    prism_sync both = {first->label, (int)p->partner_count, first->count + second->count};
    for (int i = 0; i < both.count; i++) {
        prism_partner side = p->partner[i < first->count ? first->first + i : second->first + i - first->count];
        vouch_status status = PRISM_PUSH(p, partner, side);
        if (status) return status;
    }
    return add_sync(c, s, both);
}

/* The labels with this mark are done together; s is empty. */
static vouch_status add_joined(const composer *c, composed *s, const composed *first, const composed *second, int together)
{
    vouch_status status = VOUCH_OK;
    for (size_t i = 0; i < first->count && !status; i++) {
        const prism_sync *one = &first->sync[i];
        if (one->label < 0 || (c->mark[one->label] & together) != together) {
            status = add_sync(c, s, *one);
            continue;
        }
        for (size_t j = 0; j < second->count && !status; j++)
            if (second->sync[j].label == one->label) status = add_pair(c, s, one, &second->sync[j]);
    }
    for (size_t j = 0; j < second->count && !status; j++) {
        int label = second->sync[j].label;
        if (label < 0 || (c->mark[label] & together) != together) status = add_sync(c, s, second->sync[j]);
    }
    for (size_t i = 0; i < first->labels && !status; i++) status = add_label(c, s, first->label[i]);
    for (size_t j = 0; j < second->labels && !status; j++)
        if (!(c->mark[second->label[j]] & IN_FIRST)) status = add_label(c, s, second->label[j]);
    return status;
}

/* first becomes the composition of both, in which the labels are done together that have the mark; second becomes empty. */
static vouch_status join(const composer *c, composed *first, composed *second, int together)
{
    composed made = {0};
    for (size_t i = 0; i < first->labels; i++) c->mark[first->label[i]] |= IN_FIRST;
    for (size_t j = 0; j < second->labels; j++) c->mark[second->label[j]] |= IN_SECOND;
    vouch_status status = add_joined(c, &made, first, second, together);
    for (size_t i = 0; i < first->labels; i++) c->mark[first->label[i]] = 0;
    for (size_t j = 0; j < second->labels; j++) c->mark[second->label[j]] = 0;
    let_go(first);
    let_go(second);
    *first = made;
    return status;
}

/* `a` or `a<-b` before a comma or what ends the list; to is -1 where there is none. */
static vouch_status read_name(prism_reader *r, bool renames, int *from, int *to)
{
    vouch_status status = prism_take_name(r, "the name of an action", from);
    *to = -1;
    if (!status && renames) status = prism_take_char(r, '<');
    if (!status && renames) status = prism_take_char(r, '-');
    if (!status && renames) status = prism_take_name(r, "the name of an action", to);
    if (!status && at_char(r, ',')) step(r);
    return status;
}

/* {a,b}: these labels become -1;  {a<-b}: a becomes b; all at once. */
static vouch_status relabel(const composer *c, composed *s, bool renames)
{
    prism_reader *r = c->r;
    vouch_status status = prism_take_char(r, '{');
    composed old = {0};
    for (size_t i = 0; i < s->labels && !status; i++) status = add_label(c, &old, s->label[i]);
    int *becomes = MEM_NEW(int, r->p->names.count);
    if (!becomes && !status) status = error_memory(r->p->error);
    for (int n = 0; becomes && n < r->p->names.count; n++) becomes[n] = n;
    while (!status && !at_char(r, '}')) {
        int from, to;
        status = read_name(r, renames, &from, &to);
        if (!status) becomes[from] = to;
    }
    for (size_t i = 0; i < s->count && !status; i++)
        if (s->sync[i].label >= 0) s->sync[i].label = becomes[s->sync[i].label];
    s->labels = 0;
    for (size_t i = 0; i < old.labels && !status; i++) {
        int label = becomes[old.label[i]];
        if (label < 0 || c->mark[label]) continue;
        c->mark[label] = 1;
        status = add_label(c, s, label);
    }
    for (size_t i = 0; i < s->labels; i++) c->mark[s->label[i]] = 0;
    mem_free(becomes);
    let_go(&old);
    return status ? status : prism_take_char(r, '}');
}

/* ---- expressions ---------------------------------------------------------------------------------------------- */

static vouch_status read_full(const composer *c, composed *s);

/* The labels of a module, in the order of its commands. */
static vouch_status read_module(const composer *c, composed *s)
{
    prism *p = c->r->p;
    size_t m = 0;
    while (m < p->module_count && p->module[m].name != here(c->r)->name) m++;
    if (m == p->module_count) return fail(c, "there is no module of this name");
    if (c->used[m]) return fail(c, "expected every module once");
    c->used[m] = true;
    vouch_status status = VOUCH_OK;
    for (int i = p->module[m].first; i < p->module[m].first + p->module[m].count && !status; i++) {
        int label = p->command[i].label;
        if (label < 0 || c->mark[label]) continue;
        c->mark[label] = 1;
        status = add_label(c, s, label);
        if (!status) status = add_sync(c, s, (prism_sync){label, (int)p->partner_count, 1});
        if (!status) status = PRISM_PUSH(p, partner, (prism_partner){.module = (int)m, .label = label});
    }
    for (size_t i = 0; i < s->labels; i++) c->mark[s->label[i]] = 0;
    step(c->r);
    return status;
}

/* M or (..), and what hides and renames behind it. */
static vouch_status read_atom(const composer *c, composed *s)
{
    prism_reader *r = c->r;
    vouch_status status;
    if (at_char(r, '(')) {
        if (++r->nest > SYSTEM_NEST_CAP) return fail(c, "the expression is nested too deeply");
        step(r);
        status = read_full(c, s);
        if (!status) status = prism_take_char(r, ')');
        r->nest--;
    } else if (here(r)->symbol == SYM_NAME) {
        status = read_module(c, s);
    } else {
        return fail(c, "expected the name of a module, or (");
    }
    while (!status && (at_char(r, '/') || at_char(r, '{'))) {
        bool hides = at_char(r, '/');
        if (hides) step(r);
        status = relabel(c, s, !hides);
    }
    return status;
}

/* P, or P |[a,b]| Q */
static vouch_status read_listed(const composer *c, composed *s)
{
    prism_reader *r = c->r;
    composed second = {0};
    int *listed = NULL, name, none;
    size_t count = 0, capacity = 0;
    vouch_status status = read_atom(c, s);
    if (status || bars(r) != -1) return status;
    step(r);
    step(r);
    while (!status && !at_char(r, ']')) {
        status = read_name(r, false, &name, &none);
        if (!status && MEM_RESERVE(&listed, &capacity, count)) status = error_memory(r->p->error);
        if (!status) listed[count++] = name;
    }
    if (!status) step(r);
    if (!status) status = prism_take_char(r, '|');
    if (!status) status = read_atom(c, &second);
    for (size_t i = 0; i < count && !status; i++) c->mark[listed[i]] = LISTED;
    if (!status) status = join(c, s, &second, LISTED);
    for (size_t i = 0; i < count; i++) c->mark[listed[i]] = 0;
    mem_free(listed);
    let_go(&second);
    return status;
}

/* P ||| Q ||| .. */
static vouch_status read_apart(const composer *c, composed *s)
{
    composed second = {0};
    vouch_status status = read_listed(c, s);
    while (!status && bars(c->r) == 3) {
        for (int i = 0; i < 3; i++) step(c->r);
        status = read_listed(c, &second);
        if (!status) status = join(c, s, &second, LISTED);
    }
    let_go(&second);
    return status;
}

/* P || Q || .. */
static vouch_status read_full(const composer *c, composed *s)
{
    composed second = {0};
    vouch_status status = read_apart(c, s);
    while (!status && bars(c->r) == 2) {
        for (int i = 0; i < 2; i++) step(c->r);
        status = read_apart(c, &second);
        if (!status) status = join(c, s, &second, IN_BOTH);
    }
    let_go(&second);
    return status;
}

vouch_status prism_read_system(prism_reader *r)
{
    prism *p = r->p;
    composed all = {0};
    composer c = {r, MEM_ZERO(bool, p->module_count), MEM_ZERO(int, p->names.count)};
    vouch_status status = c.used && c.mark ? VOUCH_OK : error_memory(p->error);
    r->at = r->system_at;
    if (!status) status = read_full(&c, &all);
    if (!status && !at_word(r, "endsystem")) status = fail(&c, "expected ||, |||, |[, /, { or endsystem");
    for (size_t m = 0; m < p->module_count && !status; m++)
        if (!c.used[m]) status = fail(&c, "expected every module once");
    for (size_t i = 0; i < all.count && !status; i++) status = PRISM_PUSH(p, sync, all.sync[i]);
    let_go(&all);
    mem_free(c.used);
    mem_free(c.mark);
    return status ? status : prism_find_partaking(p);
}
