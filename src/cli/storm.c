/* cli/storm.c - policies as Storm's scheduler JSON; see show.h.
 *
 * An entry gives the actions for a state and a memory id. The id is a node of the policy graph or, if the policy follows plans,
 * the possible plans with their probabilities after the actions taken (H. Kuhn 1953, as policy/evaluate.c). Such an entry has each
 * action once; the next memory depends on action, next state and, before step L, reward alone.
 */
#include "cli/show.h"

enum { MOST_PLACES = 4000000 };                    /* memory ids that are told */
static const double MASS_DIGITS = 1099511627776.0; /* 2^40: places are equal if all parts agree after rounding to this */

static const char IDENTIFIER[] = "_.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* An integer as in JSON, true or false? */
static bool is_value(const char *s, size_t n)
{
    if (n == strlen("true") && strncmp(s, "true", n) == 0) return true;
    if (n == strlen("false") && strncmp(s, "false", n) == 0) return true;
    if (n > 1 && *s == '-') s++, n--;
    return n > 0 && strspn(s, "0123456789") >= n && (n == 1 || *s != '0');
}

/* A state as Storm writes valuations, {"x": 1, "b": true}, if its name is one, else the name. The memory of promises is in the
 * memory ids. */
static void add_storm_state(const shown *s, int state, text *t)
{
    const char *name, *memory;
    (void)vouch_model_look(s->m, state, &name, &memory);
    bool valuation = strchr(name, '=') != NULL;
    for (const char *c = name; valuation && *c; c += strcspn(c, ",") + (c[strcspn(c, ",")] == ',')) {
        size_t n = strcspn(c, ","), eq = strcspn(c, "=");
        valuation = eq > 0 && eq < n && strspn(c, IDENTIFIER) == eq && is_value(c + eq + 1, n - eq - 1);
    }
    if (!valuation) {
        js_add(t, "\"%s\"", name);
        return;
    }
    const char *before = "{ ";
    for (const char *c = name; *c; before = ", ") {
        size_t n = strcspn(c, ","), eq = strcspn(c, "=");
        text_add(t, "%s\"%.*s\": %.*s", before, (int)eq, c, (int)(n - eq - 1), c + eq + 1);
        c += n + (c[n] == ',');
    }
    text_add(t, " }");
}

/* A possible node, and its probability. */
typedef struct place_part {
    int node;
    double mass;
} place_part;

/* A place is a set of parts, sorted by node, with largest mass 1. Its name contains them all, so that equal places are found. */
typedef struct places {
    names key;
    size_t *first; /* owned: [key.count + 1] of the parts of each */
    size_t first_capacity;
    place_part *all; /* owned */
    size_t count, capacity;
} places;

static int by_node(const void *x, const void *y)
{
    const place_part *a = x, *b = y;
    return (a->node > b->node) - (a->node < b->node);
}

/* The number of the place with these distinct parts, added if new; -1: memory. */
static int find_place(places *p, place_part *at, size_t count)
{
    double most = 0;
    text key = {0};
    qsort(at, count, sizeof *at, by_node);
    for (size_t i = 0; i < count; i++) most = fmax(most, at[i].mass);
    for (size_t i = 0; i < count; i++) {
        at[i].mass /= most;
        text_add(&key, "%d:%.0f ", at[i].node, at[i].mass * MASS_DIGITS);
    }
    int before = p->key.count, number = key.failed ? -1 : names_add(&p->key, key.data);
    text_free(&key);
    if (number < before) return number;
    for (size_t i = 0; i < count; i++) {
        if (mem_reserve((void **)&p->all, &p->capacity, p->count, sizeof *p->all)) return -1;
        p->all[p->count++] = at[i];
    }
    if (mem_reserve((void **)&p->first, &p->first_capacity, (size_t)number + 1, sizeof *p->first)) return -1;
    p->first[number + 1] = p->count;
    return number;
}

static vouch_rule rule_at(const shown *s, int node)
{
    vouch_rule r;
    vouch_policy_get_rule(s->p, s->f->node[node].rule, &r);
    return r;
}

/* A possible edge from a place under an action. */
typedef struct taken_edge {
    int edge;
    double mass;
} taken_edge;

typedef struct taken_edges {
    taken_edge *item; /* owned */
    size_t count, capacity;
} taken_edges;

/* The edges of an action from place i; returns its probability there. */
static double find_ways(const shown *s, const places *p, int i, int action, taken_edges *ways)
{
    double sum = 0, all = 0;
    ways->count = 0;
    for (size_t x = p->first[i]; x < p->first[i + 1]; x++) {
        const vouch_policy_node *n = &s->f->node[p->all[x].node];
        vouch_rule r = rule_at(s, p->all[x].node);
        all += p->all[x].mass;
        for (int a = 0; a < r.actions; a++) sum += r.action[a] == action ? p->all[x].mass * r.probability[a] : 0;
        for (int e = n->first_edge; e < n->first_edge + n->edges; e++) {
            if (r.action[s->f->edge[e].choice] != action) continue;
            if (mem_reserve((void **)&ways->item, &ways->capacity, ways->count, sizeof *ways->item)) return NAN;
            ways->item[ways->count++] = (taken_edge){e, p->all[x].mass * r.probability[s->f->edge[e].choice]};
        }
    }
    return sum / all;
}

/* Do two edges of one action have the same outcome? */
static bool same_outcome(const shown *s, int x, int y)
{
    const vouch_policy_edge *a = &s->f->edge[x], *b = &s->f->edge[y];
    return s->f->node[a->to].state == s->f->node[b->to].state && a->reward == b->reward;
}

/* The place after the outcome of edge w, the first with it: the set of its successors. -1: memory. */
static int place_behind(const shown *s, places *p, const taken_edges *ways, size_t w)
{
    size_t count = 0;
    place_part *at = MEM_NEW(place_part, ways->count);
    if (!at) return -1;
    for (size_t v = w; v < ways->count; v++) {
        if (!same_outcome(s, ways->item[w].edge, ways->item[v].edge)) continue;
        int node = s->f->edge[ways->item[v].edge].to;
        size_t i = 0;
        while (i < count && at[i].node != node) i++;
        if (i == count) at[count++] = (place_part){node, 0};
        at[i].mass += ways->item[v].mass;
    }
    int number = find_place(p, at, count);
    mem_free(at);
    return number;
}

/* The update of an outcome, once for each of its rewards. */
static void add_updates(const shown *s, int edge, int place, const char **before, text *t)
{
    for (int k = 0; k < s->K; k++) {
        bool again = !steps_taken(s, edge, k);
        for (int j = 0; j < k && !again; j++)
            again = steps_taken(s, edge, j) && steps_reward(s, edge, j) == steps_reward(s, edge, k);
        if (again) continue;
        text_add(t, "%s{ \"s'\": ", *before);
        add_storm_state(s, s->f->node[s->f->edge[edge].to].state, t);
        text_add(t, ", \"reward\": %.17g, \"m'\": %d }", steps_reward(s, edge, k), place);
        *before = ", ";
    }
}

/* -1: memory. */
static int add_choice(const shown *s, places *p, int i, int action, taken_edges *ways, text *t)
{
    const char *before = "";
    double probability = find_ways(s, p, i, action, ways);
    int state = s->f->node[p->all[p->first[i]].node].state;
    js_add(t, "{ \"labels\": [\"%s\"", vouch_model_action_name(s->m, action));
    text_add(t, "], \"index\": %d, \"prob\": %.17g, \"memory-updates\": [", vouch_model_pair(s->m, state, action), probability);
    for (size_t w = 0; w < ways->count; w++) {
        bool first = true;
        for (size_t v = 0; v < w && first; v++) first = !same_outcome(s, ways->item[v].edge, ways->item[w].edge);
        int place = first ? place_behind(s, p, ways, w) : 0;
        if (place < 0) return -1;
        if (first) add_updates(s, ways->item[w].edge, place, &before, t);
    }
    text_add(t, "] }");
    return isnan(probability) ? -1 : 0;
}

/* Is the action taken at the place? */
static bool is_taken(const shown *s, const places *p, int i, int action)
{
    for (size_t x = p->first[i]; x < p->first[i + 1]; x++) {
        vouch_rule r = rule_at(s, p->all[x].node);
        for (int a = 0; a < r.actions; a++)
            if (r.action[a] == action) return true;
    }
    return false;
}

/* The entry of place i; nothing at T. -1: memory. */
static int add_place(const shown *s, places *p, int i, taken_edges *ways, text *t)
{
    const vouch_policy_node *n = &s->f->node[p->all[p->first[i]].node];
    const int *action;
    int failed = 0, actions = vouch_model_available(s->m, n->state, &action);
    const char *before = "";
    if (n->rule < 0) return 0;
    text_add(t, "%s\n  { \"s\": ", i ? "," : "");
    add_storm_state(s, n->state, t);
    text_add(t, ", \"m\": %d,\n    \"c\": [", i);
    for (int a = 0; a < actions && !failed; a++) {
        if (!is_taken(s, p, i, action[a])) continue;
        text_add(t, "%s", before);
        failed = add_choice(s, p, i, action[a], ways, t);
        before = ",\n           ";
    }
    text_add(t, "] }");
    return failed;
}

vouch_status show_storm(const shown *s, text *t, vouch_error *error)
{
    places p = {0};
    taken_edges ways = {0};
    place_part root = {0, 1};
    bool failed = mem_reserve((void **)&p.first, &p.first_capacity, 0, sizeof *p.first) != 0;
    if (!failed) p.first[0] = 0;
    failed = failed || find_place(&p, &root, 1) < 0;
    text_add(t, "[");
    for (int i = 0; i < p.key.count && i < MOST_PLACES && !failed && !t->failed; i++) failed = add_place(s, &p, i, &ways, t) != 0;
    text_add(t, "]\n");
    bool many = p.key.count > MOST_PLACES;
    mem_free(ways.item);
    names_free(&p.key);
    mem_free(p.first);
    mem_free(p.all);
    if (failed) return error_memory(error);
    if (!many) return VOUCH_OK;
    return error_set(error, VOUCH_ERROR_SIZE, "--storm: the plans that this policy follows take more than %d memory ids",
                     MOST_PLACES);
}
