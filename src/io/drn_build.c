/* io/drn_build.c - the parts of an explicit model, added one by one; see drn_read.h. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/drn_read.h"

static void forget_actions(drn *d)
{
    names_free(&d->like.name);
    mem_free(d->like.count);
    d->like = (drn_names){0};
    d->actions = 0;
}

void drn_free(drn *d)
{
    for (size_t i = 0; i < d->state_count; i++) {
        mem_free_strings(d->state[i].label, d->state[i].labels);
        mem_free(d->state[i].valuation);
    }
    for (size_t i = 0; i < d->choice_count; i++) mem_free(d->choice[i].name);
    forget_actions(d);
    names_free(&d->declared);
    mem_free_strings(d->value_name, d->value_name_count);
    mem_free(d->named_value);
    mem_free(d->state);
    mem_free(d->choice);
    mem_free(d->step);
}

vouch_status drn_add_state(drn *d)
{
    if (d->source->state_limit > 0 && (long long)d->state_count >= d->source->state_limit)
        return error_set(d->error, VOUCH_ERROR_SIZE, "%s: too many states", d->name);
    if (DRN_GROW(d, state)) return error_memory(d->error);
    d->state[d->state_count++] = (drn_state){.index = -1};
    forget_actions(d);
    return VOUCH_OK;
}

vouch_status drn_add_label(drn *d, drn_state *s, const char *label)
{
    if (mem_reserve((void **)&s->label, &s->label_capacity, s->labels, sizeof *s->label)) return error_memory(d->error);
    s->label[s->labels] = mem_string(label);
    if (!s->label[s->labels]) return error_memory(d->error);
    s->labels++;
    return VOUCH_OK;
}

vouch_status drn_add_step(drn *d, drn_step step)
{
    if (DRN_GROW(d, step)) return error_memory(d->error);
    d->step[d->step_count++] = step;
    d->choice[d->choice_count - 1].count++;
    return VOUCH_OK;
}

bool drn_has_label(const drn_state *s, const char *label)
{
    for (size_t l = 0; l < s->labels; l++)
        if (strcmp(s->label[l], label) == 0) return true;
    return false;
}

/* ---- names of actions ----------------------------------------------------------------------------------------- */

enum { FEW_ACTIONS = 32 };

static const char NAMELESS[] = "\1"; /* stands for all names that begin with _ */

/* How many actions of the state at hand have this name, or it and # and more; NULL: begin with _. */
static int actions_like(const drn *d, const char *name)
{
    if (d->actions > FEW_ACTIONS) {
        int at = names_find(&d->like.name, name ? name : NAMELESS);
        return at < 0 ? 0 : d->like.count[at];
    }
    int found = 0;
    size_t n = name ? strlen(name) : 0;
    for (size_t c = d->choice_count - (size_t)d->actions; c < d->choice_count; c++) {
        const char *other = d->choice[c].name;
        found += name ? strncmp(other, name, n) == 0 && (other[n] == '\0' || other[n] == '#') : *other == '_';
    }
    return found;
}

static vouch_status count_name(drn *d, const char *name, size_t length)
{
    int known = d->like.name.count, at = names_add_bytes(&d->like.name, name, length);
    if (at < 0 || MEM_RESERVE(&d->like.count, &d->like.capacity, at)) return error_memory(d->error);
    if (at == known) d->like.count[at] = 0;
    d->like.count[at]++;
    return VOUCH_OK;
}

static vouch_status count_action(drn *d, const char *name)
{
    vouch_status status = *name == '_' ? count_name(d, NAMELESS, 1) : VOUCH_OK;
    for (size_t i = 0; i <= strlen(name) && !status; i++)
        if (name[i] == '#' || name[i] == '\0') status = count_name(d, name, i);
    return status;
}

/* The newest action of the state at hand; those before it once they are many. */
static vouch_status note_action(drn *d, const char *name)
{
    if (d->actions > FEW_ACTIONS + 1) return count_action(d, name);
    vouch_status status = VOUCH_OK;
    for (int i = d->actions == FEW_ACTIONS + 1 ? d->actions : 0; i > 0 && !status; i--)
        status = count_action(d, d->choice[d->choice_count - (size_t)i].name);
    return status;
}

vouch_status drn_add_action(drn *d, const char *name, double reward)
{
    char full[DRN_WORD + 16];
    int same = 1 + actions_like(d, name);
    if (!name)
        format_text(full, sizeof full, "_%d", same);
    else if (same > 1)
        format_text(full, sizeof full, "%s#%d", name, same);
    else
        format_text(full, sizeof full, "%s", name);
    if (DRN_GROW(d, choice)) return error_memory(d->error);
    char *copy = mem_string(full);
    if (!copy) return error_memory(d->error);
    d->choice[d->choice_count++] = (drn_choice){(int)d->state_count - 1, copy, reward, d->step_count, 0};
    d->actions++;
    return note_action(d, copy);
}
