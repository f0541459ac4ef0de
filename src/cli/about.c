/* cli/about.c - `vouch FILE`: describes a file and the commands that accept it. */

#include "cli/cli.h"
#include "io/prism.h"

/* Names separated by commas. */
typedef struct listed {
    text line;
    int count;
} listed;

static void list_name(listed *l, const char *name)
{
    text_add(&l->line, "%s", l->count++ ? ", " : "");
    text_add_plain(&l->line, name[0] ? name : "(unnamed)");
}

static void print_listed(const char *what, listed *l)
{
    if (l->count && l->line.data) printf("  %-13s %s\n", what, l->line.data);
    text_free(&l->line);
}

static int about_prism(const char *path, bool jani, text *quoted)
{
    file_content file;
    escape e = {.error = &cli_error};
    prism p = {.file = path, .e = &e};
    listed open = {{0}, 0}, labels = {{0}, 0}, rewards = {{0}, 0};
    if (file_load(&file, path, &cli_error)) return cli_failed(&cli_error);
    int code = prism_open(&p, jani, &file) ? cli_failed(&cli_error) : CLI_SOLVED;
    text line = {0};
    for (size_t i = 0; !code && i < p.constant_count; i++)
        if (p.constant[i].expr < 0 && p.constant[i].bound_of < 0) {
            list_name(&open, prism_name(&p, p.constant[i].name));
            if (p.constant[i].hole) continue;
            text_add(&line, " --const ");
            text_add_quoted(&line, prism_name(&p, p.constant[i].name));
            text_add(&line, "=VALUES");
        }
    for (size_t i = 0; !code && i < p.label_count; i++) list_name(&labels, prism_name(&p, p.label[i].name));
    for (size_t i = 0; !code && i < p.rewards_count; i++) list_name(&rewards, prism_name(&p, p.rewards[i].name));
    text_add(&line, " --commit ");
    prism_add_example(&p, &line);
    if (p.rewards_count > 1) text_add(&line, " --reward ");
    if (p.rewards_count > 1) text_add_quoted(&line, prism_name(&p, p.rewards[0].name));
    print_listed("environments", &open);
    print_listed("labels", &labels);
    print_listed("rewards", &rewards);
    if (!code && line.data) printf("\n  vouch plan %s%s -T STEPS -p PROBABILITY\n", quoted->data, line.data);
    text_free(&line);
    escape_end(&e);
    file_unload(&file);
    return code;
}

int about_rewards(const char *path, text *list)
{
    file_content file;
    file_kind kind;
    vouch_error error = {0};
    escape e = {.error = &error};
    prism p = {.file = path, .e = &e};
    if (recognise_path(path, &kind, &error) || (kind != FILE_PRISM && kind != FILE_JANI) || file_load(&file, path, &error))
        return 0;
    vouch_status status = prism_open(&p, kind == FILE_JANI, &file);
    int count = status ? 0 : (int)p.rewards_count;
    for (int i = 0; i < count; i++) {
        text_add(list, "%s", i ? " or " : "");
        text_add_quoted(list, prism_name(&p, p.rewards[i].name));
    }
    escape_end(&e);
    file_unload(&file);
    return count;
}

static int about_drn(const char *path, text *quoted)
{
    names files = {0}, found = {0};
    vouch_source source;
    escape e = {.error = &cli_error};
    listed labels = {{0}, 0};
    file_content file = {0};
    drn d = {.file = &file, .e = &e, .source = &source};
    vouch_source_init(&source);
    source.time_to = "init"; /* so that no reward model is needed */
    vouch_status status = model_files(&files, path, &cli_error);
    int count = 0, first = -1;
    for (int i = 0; !status && i < files.count; i++)
        if (path_ends_in(names_text(&files, i), ".drn") || path_ends_in(names_text(&files, i), ".tra") || files.count == 1) {
            first = first < 0 ? i : first;
            count++;
        }
    if (!status) status = file_load(&file, names_text(&files, first), &cli_error);
    if (!status) status = escape_try(&e, drn_read, &d);
    for (size_t s = 0; !status && s < d.state_count; s++)
        for (size_t l = 0; l < d.state[s].label_count; l++)
            if (names_find(&found, d.state[s].label[l]) < 0 && names_add(&found, d.state[s].label[l]) >= 0)
                list_name(&labels, d.state[s].label[l]);
    if (!status) {
        printf("  environments  %d, a file each; the first has %zu states\n", count, d.state_count);
        print_listed("labels", &labels);
        printf("\n  vouch plan %s --commit LABEL -T STEPS -p PROBABILITY\n", quoted->data);
    }
    escape_end(&e);
    file_unload(&file);
    names_free(&found);
    names_free(&files);
    return status ? cli_failed(&cli_error) : CLI_SOLVED;
}

static int about_pomdp(const char *path, text *quoted)
{
    pomdp p;
    file_content file;
    escape e = {.error = &cli_error};
    listed begins = {{0}, 0}, sights = {{0}, 0};
    if (file_load(&file, path, &cli_error)) return cli_failed(&cli_error);
    int code = pomdp_open(&p, &e, &file) ? cli_failed(&cli_error) : CLI_SOLVED;
    for (int x = 0; !code && x < p.states.count; x++)
        if (p.first[x] > 0) list_name(&begins, names_text(&p.states, x));
    for (int o = 0; !code && o < p.observations.count; o++) list_name(&sights, names_text(&p.observations, o));
    print_listed("environments", &begins);
    print_listed("states", &sights);
    if (!code)
        printf("\nEach possible initial state is an environment, each observation a state of the model. Rewards are observed; the "
               "discount\n(%g) is ignored.\n\n  vouch plan %s --commit OBSERVATIONS -T STEPS -p PROBABILITY\n",
               p.discount, quoted->data);
    escape_end(&e);
    file_unload(&file);
    return code;
}

static int about_model(const char *path, text *quoted)
{
    vouch_model *m;
    if (vouch_model_read(&m, path, &cli_error)) return cli_failed(&cli_error);
    printf("  ");
    figures_print_model(m);
    listed labels = {{0}, 0};
    for (int l = 0; l < vouch_model_labels(m); l++) list_name(&labels, vouch_model_label_name(m, l));
    print_listed("labels", &labels);
    if (vouch_model_labels(m)) printf("\n");
    printf("  vouch plan %s -L 1 -o policy.json\n  vouch plan %s --frontier --plot frontier.svg\n  vouch sweep %s --vary L=0:%d\n",
           quoted->data, quoted->data, quoted->data, vouch_model_horizon(m) < 4 ? vouch_model_horizon(m) : 4);
    vouch_model_free(m);
    return CLI_SOLVED;
}

int about_file(const char *path)
{
    static const char *const lines[FILE_KINDS] = {
        [FILE_POLICY] = "  vouch show %s\n  vouch show MODEL %s --words\n  vouch evaluate MODEL %s\n",
        [FILE_CSV] = "  vouch plan %s --commit STATES -T STEPS -p PROBABILITY\n",
        [FILE_TREE] = "  vouch tree %s\n  vouch tree %s --svg -o tree.svg\n",
        [FILE_LP] = "  vouch lp %s\n",
        [FILE_MPS] = "  vouch lp %s\n",
        [FILE_GLP] = "  vouch lp %s\n",
    };
    file_kind kind;
    text quoted = {0};
    if (recognise_path(path, &kind, &cli_error)) return cli_failed(&cli_error);
    text_add_quoted(&quoted, path);
    printf("%s: %s\n", cli_shown(path), recognised_text(kind));
    int code = CLI_SOLVED;
    if (quoted.failed)
        code = cli_wrong("out of memory");
    else if (kind == FILE_PRISM || kind == FILE_JANI)
        code = about_prism(path, kind == FILE_JANI, &quoted);
    else if (kind == FILE_DRN || kind == FILE_EXPLICIT)
        code = about_drn(path, &quoted);
    else if (kind == FILE_POMDP)
        code = about_pomdp(path, &quoted);
    else if (kind == FILE_MODEL)
        code = about_model(path, &quoted);
    else if (lines[kind]) {
        printf("\n");
        printf(lines[kind], quoted.data, quoted.data, quoted.data);
    } else if (kind == FILE_MATHPROG) {
        text command = {0};
        recognised_mathprog(&command, path);
        text_add(&command, "\n  vouch lp program.mps\n");
        printf("\n  ");
        cli_print(&command);
    } else {
        code = CLI_WRONG;
    }
    text_free(&quoted);
    return code;
}
