/* io/formula.c - sets of states in formats without expressions of their own: a label, names of states, or an expression of the
 * PRISM language over labels and the variables of valuations ("x=0,y=1"), as in PRISM files.
 *
 * The names that an expression uses become global variables of a model of the PRISM language, whose reader parses it; a label is
 * a Boolean one. So precedence, functions and messages are the same for all formats. O(environments * states * expression). */
#include "io/formats.h"
#include "io/prism.h"

typedef struct atom {
    char *name;
    bool quoted, truth; /* truth: a Boolean variable */
    bool *set;          /* [K * S] of a label or state; NULL: a variable of valuations */
} atom;

typedef struct formula {
    mdp_family *f;
    const family_words *words;
    const char *place;
    ESCAPE_ARRAY(atom, atom);
} formula;

/* The value of a variable in a name like x=0,b=true or x=0,!b; NULL: it has none. */
static const char *value_of(const char *state, const char *variable)
{
    size_t n = strlen(variable);
    for (const char *c = state; c; c = strchr(c, ',')) {
        c += *c == ',';
        bool negated = *c == '!';
        if (strncmp(c + negated, variable, n) != 0) continue;
        if (c[n] == '=' && !negated) return c + n + 1;
        if (!c[n + negated] || c[n + negated] == ',') return negated ? "false" : "true";
    }
    return NULL;
}

static _Noreturn void no_name(const formula *x, const char *what, const char *name)
{
    text *list = escape_text(x->f->e);
    const names *labels = x->words ? x->words->labels : NULL;
    for (int i = 0; labels && i < labels->count && list->length < 300; i++)
        text_add(list, "%s \"%s\"", i ? "," : "; labels:", names_text(labels, i));
    if (list->failed) escape_memory(x->f->e);
    escape_fail(x->f->e, VOUCH_ERROR_INPUT, "%s: %s: there is no %s \"%.100s\"%s", x->f->path, x->place, what, name,
                list->data ? list->data : "");
}

static void add_atom(formula *x, const char *from, size_t length, bool quoted)
{
    mdp_family *f = x->f;
    atom a = {.name = escape_bytes(f->e, from, length), .quoted = quoted, .truth = true};
    for (size_t i = 0; i < x->atom_count; i++)
        if (x->atom[i].quoted == quoted && strcmp(x->atom[i].name, a.name) == 0) return;
    a.set = ESCAPE_ZERO(f->e, bool, (size_t)f->K *(size_t)f->S);
    if (!family_find_word(f, x->words, a.name, a.set)) {
        const char *value = quoted ? NULL : value_of(f->state_name[0], a.name);
        if (value)
            a.truth = *value == 't' || *value == 'f';
        else
            no_name(x, "label", a.name);
        a.set = NULL;
    }
    ESCAPE_PUSH(f->e, x, atom, a);
}

static bool is_operator(const char *word, size_t n)
{
    static const char *const words[] = {"true", "false", "min", "max", "floor", "ceil", "round", "pow", "mod", "log"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncmp(words[i], word, n) == 0) return true;
    return false;
}

/* The names in an expression. */
static void find_atoms(formula *x, const char *what)
{
    for (const char *c = what; *c;) {
        size_t n = strspn(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
        if (*c == '"') {
            n = strcspn(c + 1, "\"");
            if (!c[n + 1]) return; /* the reader says so */
            add_atom(x, c + 1, n, true);
            n += 2;
        } else if (n > 0 && !ascii_digit(*c) && !is_operator(c, n)) {
            add_atom(x, c, n, false);
        }
        c += n > 0 ? n : 1;
    }
}

/* The names as a model of the PRISM language. */
static void declare(const formula *x, prism *p)
{
    text *model = escape_text(p->e);
    text_add(model, "mdp module m endmodule\n");
    for (size_t i = 0; i < x->atom_count; i++) {
        const atom *a = &x->atom[i];
        if (a->quoted)
            text_add(model, "global label_%zu : bool; label \"%s\" = label_%zu;\n", i, a->name, i);
        else
            text_add(model, "global %s : %s;\n", a->name, a->truth ? "bool" : "int");
    }
    if (model->failed) escape_memory(p->e);
    prism_parse(p, model->data, model->length);
}

static void fill_state(const formula *x, int k, int s, int state[])
{
    const mdp_family *f = x->f;
    for (size_t i = 0; i < x->atom_count; i++) {
        const atom *a = &x->atom[i];
        if (a->set) {
            state[i] = a->set[(size_t)k * (size_t)f->S + (size_t)s];
            continue;
        }
        const char *value = value_of(f->state_name[s], a->name);
        if (!value)
            escape_fail(f->e, VOUCH_ERROR_INPUT, "%s: %s: state \"%.100s\" has no variable \"%.100s\"", f->path, x->place,
                        f->state_name[s], a->name);
        state[i] = a->truth ? *value == 't' : (int)strtol(value, NULL, 10);
    }
}

void family_find_states(mdp_family *f, const family_words *words, const char *place, const char *what, bool set[])
{
    formula *x = ESCAPE_ZERO(f->e, formula, 1);
    prism *p = ESCAPE_ZERO(f->e, prism, 1);
    *x = (formula){.f = f, .words = words, .place = place};
    *p = (prism){.file = f->path, .e = f->e};
    if (family_find_word(f, words, what, set)) return;
    bool single = !strpbrk(what, "\"!&|()=<>?") && strcmp(what, "true") != 0 && strcmp(what, "false") != 0;
    if (family_find_list(f, what, set)) return;
    if (single) no_name(x, "state or label", what);
    find_atoms(x, what);
    declare(x, p);
    int expr = prism_parse_extra(p, place, what), *state = ESCAPE_NEW(f->e, int, x->atom_count);
    for (int k = 0; k < f->K; k++)
        for (int s = 0; s < f->S; s++) {
            fill_state(x, k, s, state);
            prism_scope scope = {.p = p, .state = state};
            set[(size_t)k * (size_t)f->S + (size_t)s] = prism_eval_bool(&scope, expr);
        }
}
