/* io/formats.h - the formats of model files: a table of them, whole files in and out, and what their readers share. A new format
 * has a line in the table and a file of its own. */
#ifndef IO_FORMATS_H
#define IO_FORMATS_H

#include <vouch/model_io.h>

#include "io/file.h"

/* One line a format: the endings of its names before .gz ("/" for directories, "" for all that no line before has); whether there
 * are constants for --const; the reader; the files that it reads, if there are others than the path; the writer, if there is one
 * (else JSON); and the line of the help about the writer. */
#define MODEL_FORMATS(FORMAT)                                                                                                      \
    FORMAT("/", false, drn_model_read, drn_model_files, drn_directory_write, "OUT/ is a directory of .drn files, ")                \
    FORMAT(".drn|.tra", false, drn_model_read, drn_model_files, NULL, "")                                                          \
    FORMAT(".prism|.nm|.pm|.templ", true, prism_model_read, NULL, NULL, "")                                                        \
    FORMAT(".jani", true, jani_model_read, NULL, NULL, "")                                                                         \
    FORMAT(".csv", false, csv_model_read, csv_model_files, csv_model_export, "OUT.csv multi-model CSV, ")                          \
    FORMAT(".pomdp|.POMDP", false, pomdp_model_read, NULL, pomdp_write, "OUT.pomdp Cassandra's format, ")                          \
    FORMAT("", false, json_model_read, NULL, vouch_model_write, "any other name JSON")

/* Multi-model CSV. Horizon, commitment and names have no place in it; the initial state becomes number 0. */
void csv_model_write(const vouch_model *model, text *t);
/* Environment k as a DRN file, with the states as the user gave them, the label init and the promises' labels, and names of states
 * as their valuation if all of them can be read again (else states are numbers). ERROR_INPUT if a reward depends on the next state,
 * or DRN does not allow an action's name. */
vouch_status drn_model_write(const vouch_model *model, int k, text *t, vouch_error *error);
/* Readers of paths. Of a directory of DRN files the index (below), if it has one, says which is which environment, in its
 * order; else they are read by name. The initial state of a CSV model is state 0 unless a companion names it; path is one .drn
 * file, or a directory of them. */
vouch_status csv_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);
vouch_status drn_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);
/* The files they read, added to the list in the order in which a directory is read. */
vouch_status csv_model_files(names *list, const char *path, vouch_error *error);
vouch_status drn_directory_files(names *list, const char *path, vouch_error *error); /* one an environment, and the index */
bool drn_states_survive(const vouch_model *m); /* written as valuations; else they are read by number */
vouch_status drn_model_files(names *list, const char *path, vouch_error *error); /* and what lies beside .tra files */
/* Writers to paths. */
vouch_status csv_model_export(const vouch_model *model, const char *path, vouch_error *error);
/* Cassandra's format, with names as comments that the reader understands; horizon and promises have no place in it. */
vouch_status pomdp_write(const vouch_model *model, const char *path, vouch_error *error);
vouch_status drn_directory_write(const vouch_model *model, const char *path, vouch_error *error);

/* Of a path; a directory that holds .drn files is FILE_DRN. */
vouch_status recognise_path(const char *path, file_kind *kind, vouch_error *error);
/* The files that the model of this path is read from. */
vouch_status model_files(names *list, const char *path, vouch_error *error);
/* Writes in the format of the path's name; "-" is JSON on standard output. */
vouch_status model_export(const vouch_model *model, const char *path, bool joined, vouch_error *error);

/* ---- the index of a directory of DRN files: which of them is which environment, in which order ---- */

#define DRN_INDEX "index.json"

/* Is this the path of an index, as far as its name says? */
bool drn_index_is(const char *path);
/* The file names of all environments, in their order: safe, and different even where capitals do not count. */
vouch_status drn_index_files(names *file, const vouch_model *m, vouch_error *error);
/* The index of files that are named so. */
void drn_index_write(const vouch_model *m, const names *file, text *t);
/* Environments and their files, in the order of the index; both start from {0}. ERROR_INPUT: "FILE:LINE: ..". */
vouch_status drn_index_read(names *env, names *file, const file_content *index, vouch_error *error);

/* ---- options for the parts of a model that a written file does not hold, to give when the file is read again. ---- */

enum { READING_LABEL = 32 };
/* The label of the states of promise j in DRN files: "commit" of a commitment, else the promise's name where that is a plain word
 * and no label of the model, else promise1, promise2, .. */
const char *reading_label(const vouch_model *user, int promise, char own[READING_LABEL]);
/* The number of a state in a CSV file: the initial one is 0, those before it move up by one. */
int reading_csv_state(const vouch_model *user, int state);
/* Appends, of a path in CSV, DRN or POMDP, a sentence a line: how states are numbered (CSV), and with which options the file is the
 * model again, or the part that no option can express. Nothing for other formats. *states, *actions: how many the file has. */
void reading_add(const vouch_model *model, const char *path, int *states, int *actions, text *t);

/* ---- promises as texts: on a command line, or in a file of PRISM properties.
 *
 *   LABEL-OR-STATES                        be there at the horizon, with the probability of -p
 *   [NAME:]KIND:WHAT[@TIME][>=P][~prior]   KIND at, by, stay, avoid; TIME t, or a..b for stay and avoid
 *   ["name":] P>=p [ F<=8 "goal" ]         and >, <=, <, G, U, X, with time bounds or up to the horizon. P<=p [ F .. ] becomes
 * avoid; P<=p [ G .. ] becomes by, of the other states ---- */

typedef struct specification {
    char *name, *what, *through; /* through: of until, else NULL */
    vouch_promise_kind kind;
    int from, to;      /* -1: the start, the horizon */
    double p;          /* NAN: not given */
    bool average;      /* over the prior */
    bool plain;        /* the commitment of a source, as models without a list of promises have it */
    bool unbounded;    /* a property without a bound in time */
    bool strict;       /* P>p or P<p, with p moved by a little */
    const char *place; /* for messages: "--commit", or FILE:LINE */
} specification;

typedef struct specifications {
    escape *e; /* of the reading, which frees all of it; the calls below escape by it */
    ESCAPE_ARRAY(specification, item);
    int horizon; /* T in bounds of time */
    names taken; /* the names */
    names made;  /* subjects of promises without a name, .. */
    int *made_of, made_count;
    size_t made_capacity; /* .. and how many promises have each */
} specifications;

void specifications_start(specifications *list, escape *e);
/* All promises of the source. path: of the model, for messages. */
void specifications_read(specifications *list, const vouch_source *source, const char *path);
/* The same with its own escape; call escape_end(e) afterwards, also after an error. */
vouch_status specifications_open(specifications *list, escape *e, const vouch_source *source, const char *path);
/* Appends the promises of a file of properties. */
void specifications_parse_properties(specifications *list, const file_content *file);
bool specification_is_plain(const char *text); /* states alone, without a kind */
/* "P" or "NAME=P" of a list of probabilities; false: it is neither. *name: its first letter, *length letters; 0: of the only
 * promise. */
bool specification_probability(const char *text, const char **name, size_t *length, double *p);

/* ---- one explicit model, a DRN file or one of PRISM (explicit.h), as it stands, before the files of all environments
 * are brought together; for drn.c and the readers. ---- */

/* Begins a comment near the top of the file that lists, in quotation marks, the labels without states. */
#define DRN_EMPTY_LABELS "// labels that hold in no state:"

typedef struct drn_state {
    char *valuation; /* NULL: none */
    ESCAPE_ARRAY(char *, label);
    double reward;
    int index; /* in the family */
} drn_state;

typedef struct drn_choice {
    int state;
    char *name;
    double reward;
    size_t first, count; /* of the transitions */
} drn_choice;

/* How many of a state's actions have a name, or one that goes on with # behind it. */
typedef struct drn_names {
    names name;
    int *count; /* [name.count] */
    size_t capacity;
} drn_names;

typedef struct drn_step {
    int to;
    double low, probability; /* its limits */
    double reward;           /* on top of what state and choice pay */
} drn_step;

enum { DRN_WORD = 256 }; /* most bytes of a name, and one */

typedef struct drn_value { /* $name : value */
    char *name;
    double value;
} drn_value;

typedef struct drn {
    const char *name;
    const file_content *file;
    const vouch_source *source;
    escape *e; /* of the reading, which frees all of it; the calls below escape by it */
    const char *at, *end;
    int line;
    char line_text[4096];
    char *s; /* in line_text */
    bool at_end;
    int rewards; /* named reward models */
    names reward_names;
    int chosen; /* which of them, -1: none */
    int states; /* as declared, -1: not */
    ESCAPE_ARRAY(drn_value, value);
    ESCAPE_ARRAY(drn_state, state);
    ESCAPE_ARRAY(drn_choice, choice);
    drn_names like; /* of the state at hand, once it has many actions */
    int actions;    /* of the state at hand */
    ESCAPE_ARRAY(drn_step, step);
    names declared; /* labels that the file names, whether or not a state has them */
} drn;

/* Reads a DRN file, or an explicit one of PRISM, into a drn {.file, .e, .source}, which must stay where it is until the reading
 * ends. */
void drn_read(void *object);
/* The files beside path, M.tra, that are read too. */
vouch_status explicit_companions(names *list, const char *path, vouch_error *error);

/* ---- a POMDP as read from a file of Cassandra's format. ---- */

/* One entry of a row, from T (columns are states) or O (columns are observations). */
typedef struct pomdp_entry {
    int action, state, column;
    double p;
    size_t order; /* when it was set: later ones replace earlier ones */
} pomdp_entry;

/* Rows by action and state. */
typedef struct pomdp_table {
    ESCAPE_ARRAY(pomdp_entry, entry);
    size_t *cleared; /* [A * X]: entries of the row set before this one do not count */
    size_t *start;   /* [A * X + 1], once the file is read */
} pomdp_table;

/* A line of R; -1 means all. */
typedef struct pomdp_pay {
    int action, state, next, observation;
    double value;
    int before; /* the line before it with the same `next`, or (without one) with the same `state`; -1: none */
} pomdp_pay;

typedef struct pomdp {
    const file_content *file;
    long long most_states; /* as many observations, which become states */
    const char *name;
    escape *e;                           /* of the reading, which frees all of it */
    names states, actions, observations; /* numbered ones are named by their numbers */
    double discount;
    bool cost;     /* "values: cost" */
    double *first; /* [X]: where it begins */
    pomdp_table moves, sights;
    ESCAPE_ARRAY(pomdp_pay, pay);
    int *last_of_next, *last_of_state; /* [X], [X + 1]: the chains; the last chain is for lines with neither */
} pomdp;

/* Reads a file with its own escape, its rows sorted; call escape_end(e) afterwards, also after an error. ERROR_SIZE: more states or
 * observations than most_states, before there is room made for them. */
vouch_status pomdp_open(pomdp *p, escape *e, const file_content *file);

/* ---- families of MDPs from other formats than JSON: the last step of their readers.
 *
 * A reader names states, actions and environments, gives rows and says which state each environment can reach; family_finish makes
 * the actions of each state agree in all environments, or says where they do not, and builds the model. ---- */

struct model_row; /* of mdp/model.h */

typedef struct family_label {
    int label, env, state;
} family_label;

typedef struct mdp_family {
    escape *e;        /* of the reading, which frees all of it; the calls below escape by it */
    const char *path; /* for messages */
    const vouch_source *source;
    int S, K, initial;
    char **state_name, **env_name; /* [S], [K] */
    names actions;
    names states;            /* the first of state_name by their names, once needed */
    specifications promised; /* once family_check_source has read them */
    bool **in, **through;    /* [promised.item_count] of [K * S]: its sets; through: NULL where it has none */
    double *first;           /* [K * S] initial distribution, or NULL: initial */
    names labels;            /* of states, and where each holds */
    ESCAPE_ARRAY(family_label, label);
    bool *reached;          /* [K * S]: can environment k be in state s when there is a choice to make? NULL: yes */
    double *idle_reward;    /* [K * S]: reward of a step in which nothing happens; NULL: 0 */
    struct model_row *rows; /* [row_count], a block of mem_alloc that the model takes over */
    size_t row_count, row_capacity;
    vouch_model *model; /* of family_finish */
} mdp_family;

/* Calls read(object) as a reading of the family, which starts from {.path, .source} and is finished by it. */
vouch_status family_read(mdp_family *f, void (*read)(void *object), void *object, vouch_model **model, vouch_error *error);

/* The number of an action, made if new. */
int family_action(mdp_family *f, const char *name);
void family_expect_rows(mdp_family *f, size_t more);                     /* room for `count`, and no more */
void family_add_row(mdp_family *f, struct model_row row);                /* row.order is set here */
void family_add_limits(mdp_family *f, struct model_row row, double low); /* of a probability from low to row.prob */
void family_add_label(mdp_family *f, const char *name, int env, int state);
/* Checks the options that such a file needs, and reads the promises. */
void family_check_source(mdp_family *f);
/* Builds the model with the horizon, probability, deadlock and merging options of source. An action missing where an environment
 * cannot be anyway is filled by a loop; where it can be, only with merge_actions. */
void family_finish(mdp_family *f);

/* ERROR_INPUT: none of several reward structures is chosen, and the source needs one. */
void family_check_rewards(escape *e, const char *path, const vouch_source *source, const names *structures);
/* The sets of the specifications, empty, once S and K are known. */
void family_make_sets(mdp_family *f);
/* The labels of a format without expressions. */
typedef struct family_words {
    const void *of;
    bool (*find)(const mdp_family *f, const void *of, const char *label, bool set[]); /* false: there is no such label */
    const names *labels;
} family_words;

/* Fills set [K * S] with the states of a label, of a name, of names separated by commas, or of an expression of the PRISM language
 * over labels and variables in names of states; place: the option, for messages. words NULL: no labels. family_promises: all sets.
 */
void family_find_states(mdp_family *f, const family_words *words, const char *place, const char *what, bool set[]);
void family_promises(mdp_family *f, const family_words *words);
/* The states of a label or name; false: there is none. The same of a list, where every name is one. */
bool family_find_word(mdp_family *f, const family_words *words, const char *name, bool set[]);
bool family_find_list(mdp_family *f, const char *list, bool set[]);
/* If environment k cannot reach state s, the set is taken from the first environment that can. */
void family_complete_set(const mdp_family *f, bool set[]);
/* --initial in terms of the states. */
void family_initial(mdp_family *f);

/* The readers of files in memory. */
vouch_status prism_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error);
vouch_status jani_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error);
vouch_status pomdp_model_parse(vouch_model **model, const file_content *file, const vouch_source *source, vouch_error *error);
/* A distribution over states by number. */
typedef struct initial_state {
    int state;
    double p;
    int line; /* of the file, where there is one */
} initial_state;
typedef struct initial_list {
    initial_state *item; /* owned, [count] */
    size_t count, capacity;
    const char *file; /* that it was read from, the caller's; NULL: none */
} initial_list;

/* initial: NULL or empty: state 0. */
vouch_status csv_model_parse(vouch_model **model, const file_content *file, const initial_list *initial, const vouch_source *source,
                             vouch_error *error);
/* Its content, into an empty list, to be freed also after an error. */
vouch_status csv_initial_parse(initial_list *list, const file_content *file, vouch_error *error);
/* count files: maybe an index (below), then one per environment. */
vouch_status drn_model_parse(vouch_model **model, const char *name, int count, const file_content file[],
                             const vouch_source *source, vouch_error *error);

#endif
