/* io/recognise.c - see file.h. Only the first words of a file are looked at, comments left out. */
#include "io/file.h"

enum { LOOKED_AT = 1 << 16, LINES = 200 };

static const char *const kind_text[FILE_KINDS] = {
    [FILE_UNKNOWN] = "of no kind that vouch knows",
    [FILE_EMPTY] = "empty",
    [FILE_MODEL] = "a model",
    [FILE_POLICY] = "a policy",
    [FILE_JSON] = "JSON, but neither a model nor a policy",
    [FILE_TREE] = "a search tree of --log-tree",
    [FILE_PROOF] = "a proof; vouch-check MODEL PROOF verifies it",
    [FILE_PAGE] = "a picture or a page, for a browser",
    [FILE_PRISM] = "a PRISM model or a sketch",
    [FILE_JANI] = "a JANI model",
    [FILE_EXPLICIT] = "explicit transitions of PRISM (.tra)",
    [FILE_BESIDE] = "part of an explicit PRISM model; give its .tra file, and vouch reads this too",
    [FILE_DRN] = "DRN, Storm's explicit models",
    [FILE_CSV] = "a multi-model CSV",
    [FILE_POMDP] = "a POMDP in Cassandra's format",
    [FILE_PPDDL] = "PDDL or PPDDL, which vouch does not read; translate it to JANI or PRISM",
    [FILE_RDDL] = "RDDL, which vouch does not read; translate it to JANI or PRISM",
    [FILE_MATHPROG] = "a MathProg model",
    [FILE_LP] = "a program in CPLEX LP format",
    [FILE_LP_SOLVE] = "a program in lp_solve's format",
    [FILE_MPS] = "a program in MPS format",
    [FILE_GLP] = "a program in GLPK's format",
};

const char *recognised_text(file_kind kind) { return kind_text[kind]; }

/* The text between a comment mark and what ends it is skipped, blanks too. */
static const char *skip(const char *s, const char *line_mark, const char *from, const char *to)
{
    for (;;) {
        while (ascii_space(*s)) s++;
        if (line_mark && strncmp(s, line_mark, strlen(line_mark)) == 0) {
            s += strcspn(s, "\n");
        } else if (from && strncmp(s, from, strlen(from)) == 0) {
            const char *end = strstr(s + strlen(from), to);
            if (!end) return s + strlen(s);
            s = end + strlen(to);
        } else {
            return s;
        }
    }
}

static size_t word_length(const char *s)
{
    size_t n = 0;
    while (ascii_alnum(s[n]) || s[n] == '_') n++;
    return n;
}

/* Is the word at s one of "this that", in any case? */
static bool word_of(const char *s, const char *list)
{
    size_t n = word_length(s);
    for (const char *at = list; n > 0 && *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] != '\0'))
        if (strcspn(at, " ") == n && ascii_same(at, s, n)) return true;
    return false;
}

/* Does some line begin with this, blanks left out? */
static bool has_line(const char *s, const char *start)
{
    for (int i = 0; i < LINES && *s; i++) {
        s += strspn(s, " \t\r");
        if (ascii_same(s, start, strlen(start))) return true;
        s += strcspn(s, "\n");
        s += *s == '\n';
    }
    return false;
}

/* { "actions": [ { "name": ..: a JANI model whose fields are in the order of the alphabet. */
static bool is_list_of_names(const char *s)
{
    static const char *const pieces[] = {"{", "\"actions\"", ":", "[", "{", "\"name\""};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        s += strspn(s, " \t\r\n");
        if (strncmp(s, pieces[i], strlen(pieces[i])) != 0) return false;
        s += strlen(pieces[i]);
    }
    return true;
}

/* PRISM's explicit transitions: "STATES CHOICES TRANSITIONS" or "STATES TRANSITIONS", and lines of numbers, the last a
 * probability. */
static bool is_explicit(const char *s)
{
    static const char digits[] = "0123456789";
    enum { LEAST = 2, MOST = 4 };
    int wanted[2][2] = {{LEAST, MOST - 1}, {MOST - 1, MOST + 1}}; /* numbers of the first line, of the second */
    for (int line = 0; line < 2; line++) {
        int count = 0;
        for (; *s && *s != '\n'; count++) {
            size_t n = strspn(s, digits);
            if (n > 0 && (line == 0 || count < LEAST) && !strchr(" \t\r\n", s[n])) return false;
            if (n == 0 && (line == 0 || count < LEAST)) return false;
            s += strcspn(s, " \t\r\n");
            s += strspn(s, " \t\r");
        }
        if (count < wanted[line][0] || count > wanted[line][1] || !*s) return false;
        s++;
    }
    return true;
}

/* Storm's explicit transitions: the type, and lines of numbers. */
static bool is_typed_explicit(const char *s)
{
    if (!word_of(s, "mdp dtmc")) return false;
    s += word_length(s);
    s += strspn(s, " \t\r");
    return s[0] == '\n' && ascii_digit(s[1]);
}

/* 0="init" 1="goal", or (x,y) and 0:(1,2), or a comment that names a reward structure. */
static bool is_beside_explicit(const char *s)
{
    static const char *const rewards[] = {"# Reward structure", "# State rewards", "# Transition rewards"};
    if (strncmp(s, "0=\"", 3) == 0 || (*s == '(' && strncmp(s + strcspn(s, "\n"), "\n0:(", 4) == 0)) return true;
    for (size_t i = 0; i < sizeof rewards / sizeof *rewards; i++)
        if (strncmp(s, rewards[i], strlen(rewards[i])) == 0) return true;
    return false;
}

static bool is_ppddl(const char *s)
{
    if (*s != '(' || !word_of(s + 1 + strspn(s + 1, " \t"), "define")) return false;
    s = strchr(s + 1, '(');
    return s && word_of(s + 1 + strspn(s + 1, " \t"), "domain problem");
}

static bool is_rddl(const char *s)
{
    return word_of(s, "domain instance non") && strchr(s, '{') &&
           (strstr(s, "pvariables") || strstr(s, "objects") || strstr(s, "init-state"));
}

static file_kind recognise_json(const char *s)
{
    if (strstr(s, "\"vouch_policy\"")) return FILE_POLICY;
    if (strstr(s, "\"jani-version\"") || strstr(s, "\"automata\"") || is_list_of_names(s)) return FILE_JANI;
    if (strstr(s, "\"vouch\"") || (strstr(s, "\"transitions\"") && strstr(s, "\"environments\""))) return FILE_MODEL;
    const char *line = strchr(s, '\n');
    if (strstr(s, "\"parent\"") && strstr(s, "\"bound\"") && (!line || strchr(line, '{') || !line[1])) return FILE_TREE;
    return FILE_JSON;
}

/* c lines, then "p lp min ..". */
static bool is_glp(const char *s)
{
    while (*s == 'c' && strchr(" \t\r\n", s[1])) s += strcspn(s, "\n"), s += *s == '\n';
    if (s[0] != 'p' || s[1] != ' ') return false;
    const char *kind = s + 1 + strspn(s + 1, " \t"), *sense = kind + word_length(kind);
    sense += strspn(sense, " \t");
    return word_of(kind, "lp mip") && word_of(sense, "min max");
}

/* s is a whole text, cut or not. */
static file_kind recognise_text(const char *s)
{
    const char *plain = skip(s, "//", NULL, NULL);
    if (strncmp(s, "vouch-proof ", strlen("vouch-proof ")) == 0) return FILE_PROOF;
    if (*s == '<' && (has_line(s, "<svg") || has_line(s, "<!doctype html"))) return FILE_PAGE;
    if (*plain == '{') return recognise_json(plain);
    if (*plain == '@' && (has_line(plain, "@type") || has_line(plain, "@nr_states"))) return FILE_DRN;
    const char *column = strstr(plain, "idstatefrom");
    if (column && column < plain + strcspn(plain, "\n")) return FILE_CSV;
    const char *hash = skip(s, "#", "/*", "*/");
    if (is_beside_explicit(plain)) return FILE_BESIDE;
    if (is_explicit(hash) || is_typed_explicit(plain)) return FILE_EXPLICIT;
    if (is_ppddl(skip(s, ";", NULL, NULL))) return FILE_PPDDL;
    if (is_rddl(plain)) return FILE_RDDL;
    if (word_of(hash, "discount values states actions observations start") && hash[word_length(hash)] == ':') return FILE_POMDP;
    if (is_glp(s)) return FILE_GLP;
    const char *star = skip(s, "*", NULL, NULL);
    if (has_line(star, "ROWS") && (word_of(star, "name rows objsense objsen objname") || has_line(star, "COLUMNS")))
        return FILE_MPS;
    const char *slash = skip(s, "\\", NULL, NULL);
    if (word_of(slash, "minimize minimise minimum min maximize maximise maximum max") && !strchr("(", slash[word_length(slash)]) &&
        (has_line(slash, "subject to") || has_line(slash, "such that") || has_line(slash, "st") || has_line(slash, "s.t.")))
        return FILE_LP;
    const char *comment = skip(s, "//", "/*", "*/"); /* "max: 3x + 2y;" */
    if (word_of(comment, "minimize minimise min maximize maximise max") && comment[word_length(comment)] == ':' &&
        strchr(comment, ';'))
        return FILE_LP_SOLVE;
    if (word_of(plain, "mdp nondeterministic dtmc probabilistic ctmc stochastic pta popta pomdp smg csg ma imdp") ||
        (word_of(plain, "const hole formula global label module rewards init") &&
         (has_line(plain, "endmodule") || has_line(plain, "mdp"))))
        return FILE_PRISM;
    if (word_of(hash, "set param var minimize maximize subject s table") && has_line(hash, "end;")) return FILE_MATHPROG;
    if (word_of(hash, "set param var table") && strchr(hash, ';')) return FILE_MATHPROG;
    return FILE_UNKNOWN;
}

file_kind recognise(const file_content *file)
{
    size_t n = file->length < LOOKED_AT ? file->length : LOOKED_AT;
    char start[LOOKED_AT + 1];
    memcpy(start, file->bytes, n);
    start[n] = '\0';
    const char *s = strncmp(start, "\xEF\xBB\xBF", 3) == 0 ? start + 3 : start;
    file_kind kind = skip(s, NULL, NULL, NULL)[0] ? recognise_text(s) : FILE_EMPTY;
    return kind;
}

void recognised_mathprog(text *t, const char *name)
{
    text_add(t, "glpsol -m ");
    text_add_quoted(t, strcmp(name, "-") == 0 ? "/dev/stdin" : name);
    text_add(t, " --check --wfreemps program.mps");
}

void recognised_refuse_mathprog(const char *name, vouch_error *error)
{
    text command = {0};
    recognised_mathprog(&command, name);
    error_set(error, VOUCH_ERROR_INPUT, "%.300s: this looks like %s; %s makes a program of it, which vouch lp solves", name,
              recognised_text(FILE_MATHPROG), command.failed ? "glpsol" : command.data);
    text_free(&command);
}
