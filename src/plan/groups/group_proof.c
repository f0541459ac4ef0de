/* plan/groups/group_proof.c - see groups.h.
 *
 * Each set is planned again, only as far as its proof line requires: a forbidden set up to the bound, a group up to its policy.
 * Lines: src/check/FORMAT.md, "Several policies".
 */
#include "base/bits.h"
#include "plan/groups/groups.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

/* The lines of a part, held back until their claim is known. */
typedef struct part_lines {
    char *text; /* owned */
    size_t length, room;
    bool claims, failed;
    double value; /* claimed */
} part_lines;

static void append_text(void *context, const char *more)
{
    part_lines *l = context;
    size_t n = strlen(more);
    double bound;
    if (l->failed || MEM_RESERVE(&l->text, &l->room, l->length + n + 1)) {
        l->failed = true;
        return;
    }
    MEM_COPY(l->text + l->length, more, n + 1);
    l->length += n;
    if (scan_text(more, "claim regret %lf %lf", &l->value, &bound) == 2) l->claims = true;
    if (strstr(more, "claim infeasible")) l->claims = true;
}

static void print(const grouping *p, const char *text) { p->s.options.proof(p->s.options.proof_context, text); }

static void print_part(const grouping *p, int number, const part_lines *lines)
{
    const uint64_t *set = intern_key(&p->s.sets, number);
    char word[32];
    bool any = false;
    print(p, "part ");
    for (int k = 0; k < p->s.K; k++) {
        if (!bits_has(set, k)) continue;
        format_text(word, sizeof word, "%s%d", any ? "," : "", k);
        print(p, word);
        any = true;
    }
    print(p, "\n");
    print(p, lines->text);
    print(p, "end\n");
}

/* Plans for a set with a proof of a regret of at least `cutoff` or, if that is 0, of the policy's regret. *bound: proved. */
static vouch_status prove_set(grouping *p, int number, double cutoff, part_lines *lines, double *bound)
{
    subset *of = &p->s.item[number];
    vouch_plan_options o = p->s.options;
    vouch_model *part = NULL;
    vouch_policy *policy = NULL;
    vouch_plan_result r;
    o.proof = append_text;
    o.proof_context = lines;
    o.limits = deadline_left(&p->s.limit);
    o.limits.nodes = 0;
    if (o.method == VOUCH_METHOD_MILP_CCL) {
        if (of->high < INFINITY) o.start = of->policy;
        o.cutoff = cutoff > 0 && cutoff < INFINITY ? cutoff : 0;
        o.enough = cutoff > 0 ? 0 : of->high;
    }
    vouch_status status = subsets_model(&p->s, number, &part, p->s.error);
    if (!status) status = vouch_plan(&policy, part, &o, p->s.error);
    *bound = 0;
    if (!status) {
        vouch_policy_get_result(policy, &r);
        p->s.nodes += r.nodes;
        p->s.iterations += r.iterations;
        if (lines->claims) *bound = r.outcome == VOUCH_PLAN_INFEASIBLE ? INFINITY : fmax(0, r.bound);
        if (lines->failed) status = error_memory(p->s.error);
    }
    vouch_policy_free(policy);
    vouch_model_free(part);
    return status;
}

/* The sets without which the environments could be coloured below the bound. used [sets] */
static vouch_status find_used(grouping *p, bool used[])
{
    int failed = 0;
    double least = p->infeasible ? INFINITY : p->bound;
    if (!(least > 0)) return VOUCH_OK;
    colouring c = colour_groups(&p->s, p->policies, least, p->try, &failed, used);
    if (failed) return error_memory(p->s.error);
    for (int i = 0; c != NOT_COLOURABLE && i < p->s.sets.count; i++) used[i] = false;
    if (c != NOT_COLOURABLE) p->bound = 0; /* found by another search, which had more time */
    return VOUCH_OK;
}

static bool is_group(const grouping *p, int number, int *group)
{
    for (*group = 0; *group < p->groups; ++*group)
        if (p->number[*group] == number) return true;
    return false;
}

vouch_status group_proof_write(grouping *p)
{
    bool *used = MEM_ZERO(bool, p->s.sets.count + 1);
    int *part_of = MEM_NEW(int, p->s.K), parts = 0, group;
    char line[96];
    double value = 0, least = INFINITY;
    vouch_status status = used && part_of ? find_used(p, used) : error_memory(p->s.error);
    format_text(line, sizeof line, "groups %d %s %s\n", p->policies, p->s.promises == VOUCH_PROMISES_OWN ? "own" : "all",
                p->s.apart ? "apart" : "whole");
    if (!status) print(p, line);
    for (int i = 0; i < p->s.sets.count && !status; i++) {
        bool in_use = !p->infeasible && is_group(p, i, &group);
        part_lines lines = {0};
        double bound, low = p->s.item[i].low;
        if (!used[i] && !in_use) continue;
        status = prove_set(p, i, used[i] ? fmin(low, p->bound + p->gap) : 0, &lines, &bound);
        if (!status && lines.claims) print_part(p, i, &lines);
        if (used[i]) least = fmin(least, lines.claims ? bound : 0);
        if (in_use) part_of[group] = lines.claims ? parts : -1;
        if (in_use) value = fmax(value, lines.value);
        parts += lines.claims;
        mem_free(lines.text);
    }
    bool whole = true;
    for (int c = 0; c < p->groups && !status && !p->infeasible; c++) whole = whole && part_of[c] >= 0;
    for (int c = 0; c < p->groups && !status && !p->infeasible && whole; c++) {
        format_text(line, sizeof line, "use %d\n", part_of[c]);
        print(p, line);
    }
    if (!status && p->infeasible && least == INFINITY) {
        print(p, "claim infeasible\n");
    } else if (!status && !p->infeasible && p->groups > 0 && whole) {
        p->bound = fmin(p->bound, least);
        format_text(line, sizeof line, "claim groups %.17g %.17g\n", value, p->bound);
        print(p, line);
    } else if (!status) {
        p->infeasible = false; /* unproved claims are omitted */
        p->bound = 0;
    }
    mem_free(used);
    mem_free(part_of);
    return status;
}
