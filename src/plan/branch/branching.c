/* plan/branch/branching.c - the policy node to branch on: most priced mass off its heaviest option, or the smallest tree by trials.
 *
 * Without trials: the policy node with most mass off its heaviest option, weighted by the multipliers of the environments there.
 * (Choosing by the gain of probes makes much larger trees: small gains at late nodes win over important early decisions.)
 *
 * Strong branching bounds each child by column generation from the parent's policies. Probes at the parent's multipliers cannot
 * separate children: both actions of a mixture are optimal there. The score is the predicted size of the tree, the sum over
 * children of exp(-SHARPNESS * gain / missing), with missing the distance to the cutoff; so a child cut off costs 0 and one without
 * gain costs 1. Near ties go to the node with more mass off its heaviest action. Sources: Applegate, Bixby, Chvatal, Cook (1995);
 * the score follows the tree-size view of Le Bodic and Nemhauser (2017).
 *
 * If all choices of a policy node have been tried several times (plan/branch/branching.h), its score is predicted from their
 * gains; of such nodes only the one of least score is tried (reliability branching: Achterberg, Koch, Martin 2005), and the
 * heaviest one, without which trees of machine-repair had twice as many nodes.
 */
#include "plan/branch/branching.h"

#include "base/check.h"
#include "base/memory.h"
#include "policy/parameters.h"

/* Least mass off the heaviest option of a policy node that counts as disagreement. */
static const double DISAGREE = 1e-9;
static const double SHARPNESS = 8;

/* Finds the heaviest option of policy node n and its mass *sum. Returns the mass off the heaviest option. */
static double weigh_options(node_solver *s, int n, double *sum)
{
    const double *mass = s->colgen->mass;
    option_range at = options_of(s->colgen->space, n);
    double top = 0;
    *sum = 0;
    s->heaviest[n] = -1;
    for (int o = at.first; o < at.last; o++) {
        CHECK(mass[o] == 0 || s->colgen->allowed[o]);
        *sum += mass[o];
        if (mass[o] <= top) continue;
        top = mass[o];
        s->heaviest[n] = o;
    }
    return *sum - top;
}

/* Weight of earlier gains at a node with this bound; 0: none. */
static double trust_in_gains(const node_solver *s, double bound)
{
    double cutoff = node_cutoff(s), missing = cutoff - bound;
    if (!s->closed || !isfinite(cutoff) || !(missing < SEARCH.far * fabs(cutoff))) return 0;
    return missing < SEARCH.nearly * fabs(cutoff) ? SHARPNESS : SEARCH.blunt;
}

/* Factor of the mass of a policy node: one over the size of the tree below predicted from earlier gains. */
static double promise_of(const node_solver *s, int n, double trust)
{
    const know_graph *g = s->colgen->space->g;
    option_range at = options_of(s->colgen->space, n);
    double size = 0;
    if (at.vectors || trust <= 0) return 1;
    for (int c = at.first; c < at.last; c++)
        if (s->colgen->allowed[c] && g->choice_twin[c] == c) size += exp(-trust / 255 * s->closed[c]);
    return 1 / size;
}

/* The disagreeing policy node with most priced mass off its heaviest option, or else with most mass, weighted by earlier gains as
 * far as these are trusted; -1: none. */
static int most_disputed(node_solver *s, bool by_price, double trust)
{
    const know_graph *g = s->colgen->space->g;
    int worst = -1;
    double most = 0;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        double sum, off = weigh_options(s, n, &sum);
        if (off <= DISAGREE) continue;
        double weight = by_price ? off * s->price[g->set[n]] : sum * promise_of(s, n, trust);
        if (weight <= most) continue;
        most = weight;
        worst = n;
    }
    return worst;
}

int branching_disagreement(node_solver *s)
{
    colgen_mass(s->colgen);
    /* The share of the multipliers of each set of environments. */
    const know_graph *g = s->colgen->space->g;
    const double *weight = s->colgen->weight, *mu = s->colgen->mix.mu;
    double all = 0;
    for (int k = 0; k < g->K; k++) all += weight[k] + mu[k];
    for (int set = 0; set < g->sets.count; set++) {
        double sum = 0;
        for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++) sum += weight[g->member[i]] + mu[g->member[i]];
        s->price[set] = all > 0 ? SEARCH.unpriced + sum / all : 1;
        CHECK_COMPARE(s->price[set], >=, 0);
    }
    return most_disputed(s, true, 0);
}

int branching_disagreement_of_pairs(node_solver *s, const tree_node *n)
{
    const pareto_bound *pairs = s->pairs;
    for (int o = 0; o < s->colgen->space->c->options; o++) s->colgen->mass[o] = pairs->mass[o] + SEARCH.hardest * pairs->own[o];
    return most_disputed(s, false, trust_in_gains(s, n->bound));
}

int branching_open_node(const node_solver *s)
{
    const colgen *cg = s->colgen;
    const know_graph *g = cg->space->g;
    int worst = -1;
    double most = 0, most_off = 0;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        option_range at = options_of(cg->space, n);
        double sum = 0, top = 0;
        int open = 0;
        for (int o = at.first; o < at.last; o++) {
            open += cg->allowed[o] && (at.vectors || g->choice_twin[o] == o);
            sum += cg->mass[o];
            top = fmax(top, cg->mass[o]);
        }
        double off = sum - top;
        if (sum <= 0 || open < 2 || off < most_off || (off == most_off && sum <= most)) continue;
        worst = n;
        most = sum;
        most_off = off;
    }
    return worst;
}

/* Adds child c unless its bound cuts it off. heaviest: the option of the policy node with most mass. */
static void add_child(double cutoff, int heaviest, const child *c, node_result *result)
{
    if (c->bound >= cutoff) {
        result->cut = fmin(result->cut, c->bound);
        return;
    }
    const child *best = result->promising < 0 ? NULL : &result->made[result->promising];
    if (!best || c->bound < best->bound || (c->bound == best->bound && c->made.option == heaviest))
        result->promising = result->children;
    result->made[result->children++] = *c;
}

/* Saves the allowed choices of a policy node in s->was and forbids all. Returns their number. */
static int forbid_choices(node_solver *s, int node)
{
    const know_graph *g = s->colgen->space->g;
    unsigned char *allowed = s->colgen->allowed + g->choice_start[node];
    int count = g->choice_start[node + 1] - g->choice_start[node];
    MEM_COPY(s->was, allowed, count);
    memset(allowed, 0, (size_t)count);
    return count;
}

/* Does choice i of `node` get a child? Twins share one. */
static bool has_child(const node_solver *s, int node, int i)
{
    const know_graph *g = s->colgen->space->g;
    int choice = g->choice_start[node] + i;
    return s->was[i] && g->choice_twin[choice] == choice;
}

static void branch_on_choices(node_solver *s, const tree_node *n, int node, node_result *result)
{
    const know_graph *g = s->colgen->space->g;
    int first = g->choice_start[node], count = forbid_choices(s, node), time = know_time(g, node);
    for (int i = 0; i < count; i++) {
        if (!has_child(s, node, i)) continue;
        double bound = n->bound;
        if (s->asked[SOURCE_MIXTURE] && !part_off(s->options->without, VOUCH_PART_CHILD_BOUNDS) &&
            !deadline_expired(&s->options->limit)) {
            s->colgen->allowed[first + i] = 1;
            bound = fmax(bound, colgen_probe(s->colgen, time));
            node_check(s, bound);
            s->colgen->allowed[first + i] = 0;
        }
        add_child(node_cutoff(s), s->heaviest[node], &(child){{.node = node, .option = first + i}, bound}, result);
    }
}

/* Least relative advantage in spread of a later coordinate. */
static const double WIDER = 1e-9;

typedef struct spread {
    double least, most, mean, variance; /* mean and variance by mass */
} spread;

/* coordinate -1: the vectors are equal */
typedef struct vector_split {
    int coordinate;
    double threshold;
} vector_split;

/* Coordinate i of the value vector that is option o. */
static double coordinate_of(const policy_space *space, int o, int i)
{
    return space->f->value[(size_t)(o - space->g->choices) * 2 * (size_t)space->K + (size_t)i];
}

static spread spread_of(const node_solver *s, option_range at, int coordinate)
{
    const policy_space *space = s->colgen->space;
    const double *mass = s->colgen->mass;
    spread p = {.least = INFINITY, .most = -INFINITY};
    double sum = 0;
    for (int o = at.first; o < at.last; o++) {
        if (mass[o] <= 0) continue;
        double x = coordinate_of(space, o, coordinate);
        p.least = fmin(p.least, x);
        p.most = fmax(p.most, x);
        p.mean += mass[o] * x;
        sum += mass[o];
    }
    p.mean /= sum;
    for (int o = at.first; o < at.last; o++) {
        double off = coordinate_of(space, o, coordinate) - p.mean;
        if (mass[o] > 0) p.variance += mass[o] / sum * off * off;
    }
    if (!(p.mean < p.most)) p.mean = p.least; /* rounding: both parts must have a vector of the mixture */
    p.mean = fmax(p.mean, p.least);
    return p;
}

/* The coordinate of largest spread (mass-weighted variance) of the mixture's vectors, at its mean. */
static vector_split at_mean(const node_solver *s, option_range at)
{
    vector_split split = {.coordinate = -1};
    double best_variance = 0;
    for (int i = 0; i < 2 * s->colgen->space->K; i++) {
        spread p = spread_of(s, at, i);
        if (!(p.most > p.least) || (split.coordinate >= 0 && !(p.variance > best_variance * (1 + WIDER)))) continue;
        best_variance = p.variance;
        split = (vector_split){i, p.mean};
    }
    return split;
}

/* The middle of the widest coordinate of the allowed vectors. */
static vector_split at_middle(const node_solver *s, option_range at)
{
    vector_split split = {.coordinate = -1};
    double width = 0;
    for (int i = 0; i < 2 * s->colgen->space->K; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int o = at.first; o < at.last; o++) {
            if (!s->colgen->allowed[o]) continue;
            double x = coordinate_of(s->colgen->space, o, i);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (high - low <= width) continue;
        width = high - low;
        split = (vector_split){i, low + 0.5 * width < high ? low + 0.5 * width : low};
    }
    return split;
}

/* Writes the two children at a policy node with a Pareto set (know/graph.h): x(v) <= threshold and x(v) > threshold for one of the
 * 2K coordinates U(k), Pr(k). Each child has a vector of the mixture (BRANCHING_MEAN) or an allowed one (BRANCHING_MIDDLE), so
 * branching terminates. O(2K vectors of the node). */
static void branch_on_vectors(const node_solver *s, const tree_node *n, int node, branching_point point, node_result *result)
{
    const policy_space *space = s->colgen->space;
    option_range at = options_of(space, node);
    CHECK(at.vectors);
    vector_split split = point == BRANCHING_MEAN ? at_mean(s, at) : at_middle(s, at);
    if (split.coordinate < 0) { /* nothing to decide */
        result->cut = fmin(result->cut, n->bound);
        return;
    }
    /* next: the part with the heaviest vector, or the upper one */
    bool next = point == BRANCHING_MIDDLE || coordinate_of(space, s->heaviest[node], split.coordinate) > split.threshold;
    for (int i = 0; i < 2; i++) {
        decision d = {.node = node, .option = -1, .coordinate = split.coordinate, .threshold = split.threshold};
        d.above = i == 1 ? next : !next;
        result->made[result->children++] = (child){d, n->bound};
    }
    result->promising = result->children - 1;
}

void branching_at(node_solver *s, const tree_node *n, int node, branching_point point, node_result *result)
{
    CHECK(result->children == 0 && node >= 0 && s->heaviest[node] >= 0);
    result->node = node;
    if (options_of(s->colgen->space, node).vectors)
        branch_on_vectors(s, n, node, point, result);
    else
        branch_on_choices(s, n, node, result);
}

/* Lists policy nodes by decreasing priced mass off their heaviest choice in s->candidate. Returns their number. */
static int collect(node_solver *s)
{
    const colgen *cg = s->colgen;
    const know_graph *g = cg->space->g;
    branching_candidate *list = s->candidate;
    int count = 0;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (s->heaviest[n] < 0 || s->heaviest[n] >= g->choices) continue;
        double off = -cg->mass[s->heaviest[n]];
        for (int o = g->choice_start[n]; o < g->choice_start[n + 1]; o++) off += cg->mass[o];
        if (off <= DISAGREE) continue;
        off *= s->price[g->set[n]];
        if (count == CANDIDATES && off <= list[count - 1].off) continue;
        int at = count < CANDIDATES ? count++ : CANDIDATES - 1;
        for (; at > 0 && list[at - 1].off < off; at--) list[at] = list[at - 1];
        list[at] = (branching_candidate){n, off};
    }
    return count;
}

/* The score of branching_try predicted from earlier trials. Negative: too few trials. */
static double foreseen_score(const node_solver *s, int node)
{
    const know_graph *g = s->colgen->space->g;
    double score = 0;
    for (int c = g->choice_start[node]; c < g->choice_start[node + 1]; c++) {
        if (!s->colgen->allowed[c] || g->choice_twin[c] != c) continue;
        if (s->foreseen[c] == SHARE_UNKNOWN) return -1;
        if (s->foreseen[c] < SHARE_ALL) score += exp(-SHARPNESS * s->foreseen[c] / SHARE_ALL);
    }
    return score;
}

/* Reduces s->candidate [count] to the heaviest node, nodes with too few trials, and the one of least predicted score. Returns their
 * number. */
static int drop_foreseen(node_solver *s, int count)
{
    branching_candidate *list = s->candidate;
    double score[CANDIDATES], best_score = INFINITY;
    int best = 0, left = 0;
    if (!s->foreseen || (s->colgen->space->K > SEARCH.foreseen_environments && space_may_bind(s->colgen->space))) return count;
    for (int c = 0; c < count; c++) {
        score[c] = foreseen_score(s, list[c].node);
        if (score[c] < 0 || !branching_wins(score[c], best_score)) continue;
        best = c;
        best_score = score[c];
    }
    for (int c = 0; c < count; c++)
        if (c == 0 || c == best || score[c] < 0) list[left++] = list[c];
    return left;
}

vouch_status branching_try(node_solver *s, const tree_node *n, int node, double *score)
{
    colgen *cg = s->colgen;
    size_t width = 3 * (size_t)cg->space->K;
    double cutoff = node_cutoff(s), missing = isfinite(cutoff) ? cutoff - n->bound : 1 + fabs(n->bound);
    node_restrict(s, n);
    int first = cg->space->g->choice_start[node], count = forbid_choices(s, node);
    *score = 0;
    if (s->multipliers) memset(s->multipliers, 0, (size_t)cg->space->g->m->A * width * sizeof *s->multipliers);
    for (int i = 0; i < count; i++) {
        colgen_end end;
        s->trial[i] = NAN;
        s->share[i] = SHARE_UNKNOWN;
        if (!has_child(s, node, i)) continue;
        cg->allowed[first + i] = 1;
        MEM_COPY(cg->mix.lambda, n->multipliers, width); /* with nu and mu */
        vouch_status status = colgen_start(cg, n->columns, n->count);
        cg->passing = !s->multipliers;
        if (!status) status = colgen_solve(cg, cutoff, SEARCH.trial_patience, &s->options->limit, &end);
        cg->passing = false;
        if (status) return status;
        s->trial[i] = end == COLGEN_INFEASIBLE ? INFINITY : fmax(n->bound, cg->bound);
        node_check(s, s->trial[i]);
        if (s->multipliers) MEM_COPY(s->multipliers + (size_t)i * width, cg->mix.lambda, width);
        cg->allowed[first + i] = 0;
        if (isfinite(cutoff)) s->share[i] = (unsigned char)(SHARE_ALL * fmax(0, fmin(1, (s->trial[i] - n->bound) / missing)));
        if (s->trial[i] < cutoff) *score += exp(-SHARPNESS * (s->trial[i] - n->bound) / missing);
    }
    return VOUCH_OK;
}

void branching_note_shares(const branching_outcome *tried, const unsigned char share[], node_result *result)
{
    for (int i = 0; i < tried->choices; i++)
        if (share[i] != SHARE_UNKNOWN) result->share[result->shares++] = (trial_share){tried->first + i, share[i]};
}

bool branching_wins(double score, double best_score) { return best_score == INFINITY || !(score >= SEARCH.clearly * best_score); }

void branching_tried(const branching_outcome *best, const double bound[], node_result *result)
{
    CHECK(result->children == 0);
    result->node = best->node;
    result->tried = true;
    for (int i = 0; i < best->choices; i++) {
        const child c = {{.node = best->node, .option = best->first + i}, bound[i]};
        if (!isnan(bound[i])) add_child(best->cutoff, best->heaviest, &c, result);
    }
}

static branching_outcome outcome_of(const node_solver *s, int node)
{
    const int *start = s->colgen->space->g->choice_start;
    return (branching_outcome){node, s->heaviest[node], start[node], start[node + 1] - start[node], node_cutoff(s)};
}

bool branching_strong(node_solver *s, const tree_node *n, node_result *result)
{
    const know_graph *g = s->colgen->space->g;
    int count = drop_foreseen(s, collect(s)), best = -1;
    double best_score = INFINITY;
    CHECK(result->children == 0 && n->multipliers);
    if (count == 0) return false;
    if (s->apart && count > 1) {
        s->left = count;
        return true;
    }
    for (int c = 0; c < count && best_score > 0; c++) {
        double score;
        if (best >= 0 && deadline_expired(&s->options->limit)) break;
        result->status = branching_try(s, n, s->candidate[c].node, &score);
        if (result->status) return true;
        branching_outcome tried = outcome_of(s, s->candidate[c].node);
        branching_note_shares(&tried, s->share, result);
        if (!branching_wins(score, best_score)) continue;
        best = s->candidate[c].node;
        best_score = score;
        MEM_COPY(s->chosen, s->trial, g->choice_start[best + 1] - g->choice_start[best]);
        if (result->evidence) MEM_COPY(result->evidence, s->multipliers, g->m->A * 3 * g->K);
    }
    branching_outcome outcome = outcome_of(s, best);
    branching_tried(&outcome, s->chosen, result);
    return true;
}

vouch_status branching_record_new(const know_graph *g, branching_record *r)
{
    *r = (branching_record){.g = g};
    r->share = ARENA_ZERO(&r->memory, double, g->choices);
    r->count = ARENA_ZERO(&r->memory, double, g->choices);
    r->closed = ARENA_ZERO(&r->memory, unsigned char, g->choices);
    r->gained = ARENA_ZERO(&r->memory, double, g->choices);
    r->tried = ARENA_ZERO(&r->memory, double, g->choices);
    r->foreseen = ARENA_ZERO(&r->memory, unsigned char, g->choices);
    return r->memory.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

void branching_record_note(branching_record *r, const tree_node *n, const node_result *result, double cutoff)
{
    for (int i = 0; i < result->shares; i++) {
        r->gained[result->share[i].option] += result->share[i].share;
        r->tried[result->share[i].option]++;
    }
    if (!n->parent || n->made.option < 0 || result->limit || !isfinite(cutoff)) return;
    double missing = cutoff - n->parent->bound, share = 1;
    if (!(missing > 0)) return;
    if (result->end != VOUCH_NODE_INFEASIBLE) share = fmax(0, fmin(1, (n->bound - n->parent->bound) / missing));
    r->share[n->made.option] += share;
    r->count[n->made.option]++;
    r->all += share;
    r->number++;
}

const unsigned char *branching_record_mean(branching_record *r)
{
    double mean = r->number > 0 ? r->all / r->number : SEARCH.expected;
    for (int c = 0; c < r->g->choices; c++) r->closed[c] = (unsigned char)(255 * (r->share[c] + mean) / (r->count[c] + 1));
    return r->closed;
}

const unsigned char *branching_record_foreseen(branching_record *r)
{
    for (int c = 0; c < r->g->choices; c++)
        r->foreseen[c] = r->tried[c] < SEARCH.reliable ? SHARE_UNKNOWN : (unsigned char)(r->gained[c] / r->tried[c]);
    return r->foreseen;
}
