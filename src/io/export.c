/* io/export.c - models as CSV and DRN files, and which writer a path asks for; see formats.h. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/family.h"
#include "io/formats.h"
#include "io/output.h"
#include "mdp/model.h"

void csv_model_write(const vouch_model *m, text *t)
{
    char p[32], r[32];
    text_add(t, "idstatefrom,idaction,idoutcome,idstateto,probability,reward\n");
    for (int s = 0; s < m->S; s++)
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
            for (int k = 0; k < m->K; k++)
                for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++) {
                    /* the initial state is number 0, those before it move up by one */
                    int to = m->env[k].next[o], from = s;
                    from = from == m->s0 ? 0 : from < m->s0 ? from + 1 : from;
                    to = to == m->s0 ? 0 : to < m->s0 ? to + 1 : to;
                    text_add(t, "%d,%d,%d,%d,%s,%s\n", from, m->pair_action[q], k, to, text_number(m->env[k].prob[o], p),
                             text_number(m->env[k].reward[o], r));
                }
}

static bool has_control(const char *name)
{
    for (; *name; name++)
        if ((unsigned char)*name < ' ' || *name == 127) return true;
    return false;
}

/* Blanks are nothing in a valuation, & separates variables. */
static bool states_survive(const vouch_model *m)
{
    for (int s = 0; s < m->S; s++)
        if (!m->state_name[s][0] || has_control(m->state_name[s]) || strpbrk(m->state_name[s], " &")) return false;
    return true;
}

static vouch_status check_actions(const vouch_model *m, vouch_error *error)
{
    enum { LONGEST = 200 };
    for (int a = 0; a < m->A; a++)
        if (!m->action_name[a][0] || has_control(m->action_name[a]) || strchr(m->action_name[a], '"') ||
            strlen(m->action_name[a]) > LONGEST)
            return error_set(error, VOUCH_ERROR_INPUT,
                             "%s: action number %d has a name that a DRN file cannot hold: empty, longer than %d bytes, or with a "
                             "quotation mark or a control character",
                             has_control(m->name) ? "the model" : m->name, a + 1, LONGEST);
    return VOUCH_OK;
}

/* Inside a comment, which ends with its line. */
static void add_comment(text *t, const char *name)
{
    for (; *name; name++) text_add_bytes(t, (unsigned char)*name < ' ' ? " " : name, 1);
}

vouch_status drn_model_write(const vouch_model *m, int k, text *t, vouch_error *error)
{
    const mdp *e = &m->env[k];
    char number_text[32];
    bool named = states_survive(m);
    vouch_status status = check_actions(m, error);
    if (status) return status;
    text_add(t, "// ");
    add_comment(t, m->name);
    text_add(t, ", environment ");
    add_comment(t, m->env_name[k]);
    text_add(t, "\n@type: MDP\n@parameters\n\n@reward_models\nreward\n@nr_states\n%d\n@nr_choices\n%d\n@model\n", m->S, m->pairs);
    for (int s = 0; s < m->S; s++) {
        text_add(t, "state %d [0]%s%s\n", s, s == m->s0 ? " init" : "", m->phi[s] ? " commit" : "");
        if (named) text_add(t, "\t//[%s]\n", m->state_name[s]);
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
            const char *action = m->action_name[m->pair_action[q]];
            bool quote = strpbrk(action, " [") != NULL;
            text_add(t, "\taction %s%s%s [%s]\n", quote ? "\"" : "", action, quote ? "\"" : "",
                     text_number(e->reward[e->start[q]], number_text));
            for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                if (e->reward[o] != e->reward[e->start[q]])
                    return error_set(error, VOUCH_ERROR_INPUT,
                                     "%s: the reward of state \"%.100s\", action \"%.100s\" depends on the next state, which a DRN "
                                     "file cannot say",
                                     m->name, m->state_name[s], action);
                text_add(t, "\t\t%d : %s\n", e->next[o], text_number(e->prob[o], number_text));
            }
        }
    }
    return VOUCH_OK;
}

static void environment_file(int K, int k, char name[OUTPUT_NAME])
{
    int digits = snprintf(NULL, 0, "%d", K);
    snprintf(name, OUTPUT_NAME, "k%0*d.drn", digits,
             k + 1); /* numbered, so that the directory's order is that of the environments */
}

/* A .drn file left from another model would be read as one more environment. */
static vouch_status refuse_strangers(const vouch_model *m, const char *path, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    DIR *dir = opendir(path);
    if (!dir && errno == ENOENT) return VOUCH_OK;
    if (!dir) return error_set(error, VOUCH_ERROR_IO, "%s: cannot open: %s", path, strerror(errno));
    for (struct dirent *entry; (entry = readdir(dir)) && !status;) {
        char name[OUTPUT_NAME] = "";
        int k = 0;
        if (!strstr(entry->d_name, ".drn")) continue;
        if (sscanf(entry->d_name, "k%d", &k) == 1 && k >= 1 && k <= m->K) environment_file(m->K, k - 1, name);
        if (strcmp(name, entry->d_name) != 0)
            status = error_set(error, VOUCH_ERROR_INPUT,
                               "%s: holds %.100s, which is no file of this model and would be read as an environment of it", path,
                               entry->d_name);
    }
    closedir(dir);
    return status;
}

static vouch_status make_environment(const void *context, int k, char name[OUTPUT_NAME], text *content, vouch_error *error)
{
    const vouch_model *m = context;
    environment_file(m->K, k, name);
    return drn_model_write(m, k, content, error);
}

static vouch_status write_directory(const vouch_model *m, const char *path, vouch_error *error)
{
    vouch_status status = refuse_strangers(m, path, error);
    return status ? status : output_directory(path, m->K, make_environment, m, error);
}

/* Does the path end in .csv, with or without .gz behind? */
static bool is_csv(const char *path)
{
    size_t n = strlen(path);
    if (n > 3 && strcmp(path + n - 3, ".gz") == 0) n -= 3;
    return n >= 4 && strncmp(path + n - 4, ".csv", 4) == 0;
}

vouch_status model_export(const vouch_model *model, const char *path, vouch_error *error)
{
    size_t n = strlen(path);
    if (n > 0 && path[n - 1] == '/') return write_directory(model, path, error);
    if (!is_csv(path)) return vouch_model_write(model, path, error);
    text t = {0}, companion = {0};
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    csv_initial_path(path, &companion);
    csv_model_write(model, &t);
    vouch_status status = companion.failed ? error_memory(error) : VOUCH_OK;
    if (strncmp(base, "initial.csv", strlen("initial.csv")) == 0)
        status = error_set(error, VOUCH_ERROR_INPUT,
                           "%s: a file of this name is where the initial state of a CSV model is read from; choose another", path);
    else if (companion.length > 0)
        status = error_set(error, VOUCH_ERROR_INPUT,
                           "%s: %s lies beside it and would be read as its initial state, which is 0 in the file written", path,
                           companion.data);
    if (!status) status = text_write(&t, path, error);
    text_free(&companion);
    text_free(&t);
    return status;
}
