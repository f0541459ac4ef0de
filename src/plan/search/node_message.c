/* plan/search/node_message.c - see node_message.h. Structs go member by member: what lies between members is not the same twice. */
#include "plan/search/node_message.h"

#include "base/memory.h"

void message_put_decision(message *m, const decision *d)
{
    message_put_int(m, d->node);
    message_put_int(m, d->option);
    message_put_int(m, d->coordinate);
    message_put_real(m, d->threshold);
    message_put_int(m, d->above);
}

decision message_take_decision(message *m)
{
    decision d;
    d.node = (int)message_take_int(m);
    d.option = (int)message_take_int(m);
    d.coordinate = (int)message_take_int(m);
    d.threshold = message_take_real(m);
    d.above = message_take_int(m) != 0;
    return d;
}

void message_put_sources(message *m, const tree_node *n)
{
    message_put_real(m, n->bound);
    for (int i = 0; i < SOURCES; i++) {
        message_put_real(m, n->source[i].bound);
        message_put_real(m, n->source[i].cost);
        message_put_int(m, n->source[i].idle);
        message_put_real(m, n->source[i].spent);
    }
    message_put_int(m, n->pairs);
    message_put_int(m, n->hardest);
    message_put_int(m, n->tries.idle);
    message_put_int(m, n->tries.rest);
}

void message_take_sources(message *m, tree_node *n)
{
    n->bound = message_take_real(m);
    for (int i = 0; i < SOURCES; i++) {
        n->source[i].bound = message_take_real(m);
        n->source[i].cost = message_take_real(m);
        n->source[i].idle = (int)message_take_int(m);
        n->source[i].spent = message_take_real(m);
    }
    n->pairs = (int)message_take_int(m);
    n->hardest = (int)message_take_int(m);
    n->tries.idle = (int)message_take_int(m);
    n->tries.rest = (int)message_take_int(m);
}

void message_put_figures(message *m, const figures *f, int K)
{
    MESSAGE_PUT(m, f->U, K);
    MESSAGE_PUT(m, f->Pr, K);
    message_put_real(m, f->max_regret);
    message_put_real(m, f->total_regret);
}

void message_take_figures(message *m, figures *f, int K)
{
    MESSAGE_TAKE(m, f->U, K);
    MESSAGE_TAKE(m, f->Pr, K);
    f->shortfall = 0;
    f->max_regret = message_take_real(m);
    f->total_regret = message_take_real(m);
}

void message_put_ints(message *m, const int x[], int count)
{
    message_put_int(m, count);
    MESSAGE_PUT(m, x, count);
}

/* Into a new array; NULL where there are none. */
vouch_status message_take_ints(message *m, int **x, int *count)
{
    *count = message_take_length(m, sizeof **x);
    *x = *count > 0 ? MEM_NEW(int, *count) : NULL;
    if (*count > 0 && !*x) return VOUCH_ERROR_MEMORY;
    if (*count > 0) MESSAGE_TAKE(m, *x, *count);
    return VOUCH_OK;
}

void message_put_column(message *m, const column *c, int K)
{
    message_put_ints(m, c->option, c->used);
    MESSAGE_PUT(m, c->mass, c->used);
    MESSAGE_PUT(m, c->regret, K);
    MESSAGE_PUT(m, c->pr, K);
}

vouch_status message_take_column(message *m, int K, column **out)
{
    int used = message_take_length(m, sizeof(int) + sizeof(double));
    column *c = *out = column_new(K, used);
    if (!c) return VOUCH_ERROR_MEMORY;
    MESSAGE_TAKE(m, c->option, used);
    MESSAGE_TAKE(m, c->mass, used);
    MESSAGE_TAKE(m, c->regret, K);
    MESSAGE_TAKE(m, c->pr, K);
    return VOUCH_OK;
}
