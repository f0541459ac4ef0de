"""Claims of vouch about small models whose rewards differ in size, against rational enumeration (scales_truth.py, scales_models.py).

usage: judge_scales.py VOUCH CHECK [-n COUNT] [-s SEED] [-f FIRST] [-j JOBS] [-d FOLDER] [--family NAME] [--strict] [--table]
A claim is right within 1e-6 + 1e-9 of the largest value beside it: of the row, of a headline all of the table (lenient), or of itself alone (strict,
which fails with --strict only). `bound` and "proved optimal" are judged by the least regret of all policies of the class, "infeasible" by whether
one keeps the promises. Models and command lines of what is wrong go to FOLDER. Prints "ok scales" or "not ok ..".
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from multiprocessing import Pool

sys.dont_write_bytecode = True  # nothing is left beside the sources
import scales_models
from scales_truth import ROUNDING, Alone, Histories, Joined, Policies, TooLarge, keep

MOST_POLICIES, MOST_CLASSES, TRIES = 400, 60, 60
SECONDS = 120  # for a hang alone
GAPS = {'exact-ccl': Fraction('1e-4')}


def number(x):
    """A JSON number as a Fraction; None for null and what is not finite."""
    return Fraction(x) if isinstance(x, Fraction) else None


def read(text):
    return json.loads(text, parse_float=Fraction, parse_int=Fraction, parse_constant=lambda _: None)


def room(*values):
    return Fraction('1e-6') + Fraction('1e-9') * max(abs(v) for v in values if v is not None)


class Case:
    """A drawn model with all that is true of it."""

    def __init__(self, seed, index, family, folder):
        self.r = r = random.Random('%d/%d' % (seed, index))
        self.family, self.folder, self.wrongs, self.unproved, self.runs = family, folder, [], [], 0
        for self.tries in range(TRIES):
            try:
                m = self.model = {**scales_models.FAMILIES, **scales_models.CONTROL}[family](r)
                self.L = min(r.choice([0, 0, 1, 2]), m.T)
                drawn = not m.promises
                if drawn:
                    m.promises = [scales_models.promise(r, m) for _ in range(2 if r.random() < .2 else 1)]
                m.finish()
                self.joined = Joined(m)
                self.policies = Policies(self.joined, self.L, MOST_POLICIES)
                break
            except TooLarge:
                continue
        else:
            raise TooLarge
        self.alone = [Alone(self.joined, k) for k in range(self.joined.K)]
        if drawn:
            self.promise_edges()
        self.path = os.path.join(folder, 'model.json')
        with open(self.path, 'w') as f:
            f.write(m.json())
        self.p = [[Fraction(t) for t in row] for row in m.p]
        self.least_thresholds = [[p - keep(m.T) for p in row] for row in self.p]
        self.optima = self.optima_at(self.least_thresholds)

    def promise_edges(self):
        """Probabilities for the promises, most of them kept by some policy."""
        r, m = self.r, self.model
        for _ in range(4):
            _, pr = r.choice(self.policies.values)
            m.p = []
            for row in pr:
                p = scales_models.edge(r, [min(row)])
                m.p.append([scales_models.edge(r, [row[k]]) for k in range(m.K)] if r.random() < .1 else [p] * m.K)
            if r.random() < .15 or any(self.keeps(pr, [[Fraction(t) for t in row] for row in m.p]) for _, pr in self.policies.values):
                return

    def optima_at(self, thresholds):
        return [a.optimum([row[k] for row in thresholds]) for k, a in enumerate(self.alone)]

    def thin(self):
        """Does the rounding of p to a double already move a U* by more than a claim may be off?"""
        low, high = (self.optima_at([[p - keep(self.model.T) + by for p in row] for row in self.p]) for by in (-ROUNDING, ROUNDING))
        return any(x is None or y is None or x - y > room(x, y) for x, y in zip(low, high))

    def keeps(self, pr, thresholds):
        return all(x >= t for row, at in zip(pr, thresholds) for x, t in zip(row, at))

    def kept(self, p, surely):
        """(U, Pr) of policies that count as kept, whatever rounding does (surely) or with its help."""
        shift = -Fraction(1, 2**40) + (self.model.T + 3) * ROUNDING if surely else -keep(self.model.T) - ROUNDING
        return [v for v in self.policies.values if self.keeps(v[1], [[x + shift for x in row] for row in p])]

    def command(self, *arguments):
        self.runs += 1
        try:
            done = subprocess.run([*map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS, cwd=self.folder)
            return done.returncode, done.stdout.decode(errors='replace'), done.stderr.decode(errors='replace')
        except subprocess.TimeoutExpired:
            return None, '', ''


class Run:
    """One command about a case, and the words for what is wrong of it."""

    def __init__(self, case, label, *arguments):
        self.case, self.label, self.arguments = case, label, arguments
        self.code, self.out, self.error = case.command(*arguments)
        self.answer = None
        if self.code is None:
            self.wrong('no end after %d s' % SECONDS)
        elif self.code not in (0, 2, 3, 4):
            self.wrong('exit %d' % self.code, self.error[:200])
        elif '--json' in arguments:
            try:
                self.answer = read(self.out)
            except ValueError:
                if self.code in (0, 2):
                    self.wrong('no JSON', self.out[:100] + self.error[:200])
                else:
                    self.not_proved('nothing')

    def wrong(self, kind, why='', lenient=True):
        line = ' '.join(os.path.basename(a) if os.path.isabs(str(a)) else str(a) for a in self.arguments)
        self.case.wrongs.append((lenient, '%s%s: %s' % (self.label, ' (thin p)' if self.case.thin() else '', kind), why, line))

    def not_proved(self, kind):
        self.case.unproved.append('%s%s: %s' % (self.label, ' (thin p)' if self.case.thin() else '', kind))

    def right(self, kind, claimed, truth, beside=(), side=0):
        """side 1: what is claimed may be less than the truth, -1: more."""
        claimed = number(claimed)
        if claimed is None:
            return self.wrong(kind + ' is no number')
        over = abs(claimed - truth) if side == 0 else side * (claimed - truth)
        if over > room(claimed):
            self.wrong(kind, 'claimed %.17g, true %.17g' % (claimed, truth), over > room(claimed, *beside))


def value_of(objective, weights, optima, u):
    """Of a policy; less is better."""
    if objective == 'weighted':
        return -sum(w * x for w, x in zip(weights, u))
    return max((o if objective == 'regret' else 0) - x for o, x in zip(optima, u))


# ---- the policy that was written ----

def state_name(model, state):
    words = ['c%d %s' % (j, w) for j, memory in enumerate(state[1]) for v, w in ((1, 'kept'), (2, 'broken')) if memory == v]
    return model.states[state[0]] + (' [%s]' % ', '.join(words) if words else '')


def written_value(case, path):
    """Exact (U, Pr) of the policy in a file; None where its histories are too many."""
    with open(path) as f:
        policy = read(f.read())
    model, lookahead, table = case.model, int(policy['L']), {}

    def shares(rule):
        found = {int(a[1:]): number(p) for a, p in rule['do'].items()}
        return {a: p / sum(found.values()) for a, p in found.items() if p}

    if any('likelihood' in rule for rule in policy['rules']):
        for rule in policy['rules']:
            table.setdefault((rule['time'], rule['state']), []).append((rule['likelihood'], shares(rule)))

        def mixed(t, state, w, options):
            rules = table.get((t, state_name(model, state)))
            if not rules:  # the policy does not come here
                return next(iter(options.values()))
            of = min(rules, key=lambda rule: max(abs(x - y) for x, y in zip(rule[0], w)))[1]
            return [[sum(p * options[a][k][i] for a, p in of.items()) for i in range(1 + case.joined.J)] for k in range(case.joined.K)]
        try:
            v = Histories(case.joined, 4 * MOST_CLASSES).value(mixed)
        except TooLarge:
            return None
        return tuple(x[0] for x in v), tuple(tuple(x[1 + j] for x in v) for j in range(case.joined.J))
    for rule in policy['rules']:
        at = rule.get('boundary', rule)
        known = tuple(int(k) for k in at['environments'])
        table[rule['time'], rule['state'], at['state'] if 'boundary' in rule else None, known] = shares(rule)

    def of_node(t, node):
        state, known = node
        if t < lookahead:
            return table[t, state_name(model, state), None, tuple(sorted(known))]
        at, environments = node if t == lookahead else known
        return table[t, state_name(model, state), state_name(model, at), tuple(sorted(environments))]
    return Policies(case.joined, lookahead, 0).value(of_node)


# ---- what is claimed ----

def judge_rows(run, case, rows, value, optima):
    """U*, U, regret and probabilities of a table; value (U, Pr) or None."""
    for k, row in enumerate(rows):
        beside = [number(row.get(x)) for x in ('optimal_value', 'value', 'regret')]
        if optima[k] is None:
            run.wrong('a plan where an environment keeps nothing')
            continue
        run.right('U*', row['optimal_value'], optima[k], beside)
        if value and 'value' in row:
            run.right('U', row['value'], value[0][k], beside)
            if 'regret' in row:
                run.right('regret', row['regret'], optima[k] - value[0][k], beside)
            for j in range(case.joined.J) if 'commitment_probability' in row else ():
                claimed = row['commitments']['c%d' % j] if case.joined.J > 1 else row['commitment_probability']
                run.right('probability', claimed, value[1][j][k])
    return [number(row.get(x)) for row in rows for x in ('optimal_value', 'value', 'regret')]


def judge_determinism(run, case, rows, optima):
    kept = case.kept(case.p, False)
    for k, row in enumerate(rows):
        if 'regret_of_determinism' in row and kept and optima[k] is not None:
            beside = [number(row.get(x)) for x in ('optimal_value', 'value', 'regret')]
            run.right('regret of determinism', row['regret_of_determinism'], optima[k] - max(u[k] for u, _ in kept), beside, 1)


def judge_plan(case, vouch, check, method, label, options, objective='regret', weights=None, gap=None, limited=False, proof=False):
    """Returns the path of the policy, or None."""
    path, proof_path = os.path.join(case.folder, 'policy.json'), os.path.join(case.folder, 'proof.vproof')
    for old in (path, proof_path):
        if os.path.exists(old):
            os.remove(old)
    extra = ['--proof', proof_path] if proof else []
    run = Run(case, label, vouch, 'plan', case.path, '--json', '-q', '--method', method, *options, '-o', path, *extra)
    a = run.answer
    if a is None:
        return None
    status, optima, proves = a['status'], case.optima, method in ('milp-ccl', 'history', 'exact-ccl')
    if status == 'infeasible':
        if run.code != 2:
            run.wrong('infeasible, exit %d' % run.code)
        if proves and case.kept(case.p, True):
            run.wrong('infeasible where a policy keeps the promises')
        return None
    if run.code == 4 and proof:
        run.wrong('its own proof is refuted', run.error[:300])
    planned = a.get('environments') and number(a.get('max_regret')) is not None
    if not planned or not os.path.exists(path):
        if proves and not limited:
            run.not_proved('no plan')
        if run.code == 0:
            run.wrong('exit 0 without a plan')
        return None
    try:
        value = written_value(case, path)
    except KeyError as missing:
        run.wrong('a rule is missing', str(missing))
        return None
    if None in optima:
        run.wrong('a plan where an environment alone keeps nothing')
        return None
    beside = judge_rows(run, case, a['environments'], value, optima) + [number(a.get(x)) for x in ('max_regret', 'total_regret', 'value')]
    judge_determinism(run, case, a['environments'], optima)
    if value and not case.keeps(value[1], case.least_thresholds) and (proves or run.code == 0):  # baselines say that they do not
        run.wrong('a promise is not kept', str([[float(x) for x in row] for row in value[1]]))
    sign = 1 if objective == 'regret' else -1
    true_value = value_of(objective, weights, optima, value[0]) if value else sign * number(a['value' if objective != 'regret' else 'max_regret'])
    if value:
        regrets = [o - u for o, u in zip(optima, value[0])]
        run.right('maximum regret', a['max_regret'], max(regrets), beside)
        run.right('total regret', a['total_regret'], sum(regrets), beside)
        if objective != 'regret':
            run.right('objective', a['value'], -true_value, beside)
    judge_bound(run, case, a, method, status, objective, weights, true_value, beside, gap, limited)
    if proof:
        judge_proof(run, case, check, proof_path, a, method, status, objective, weights, true_value, beside, gap)
    return path


def least_values(case, method, objective, weights, p, optima):
    """(lower, upper) of the least value, by what counts as kept; None: unknown."""
    def least(surely):
        return min((value_of(objective, weights, optima, u) for u, _ in case.kept(p, surely)), default=None)
    if method == 'milp-ccl':
        return least(False), least(True)
    if method == 'history':
        try:
            thresholds = [[x - keep(case.model.T) for x in row] for row in p]
            found = Histories(case.joined, MOST_CLASSES).optimum(thresholds, optima if objective == 'regret' else [Fraction(0)] * case.joined.K, weights)
            found = -found if weights else found
            return found, found
        except TooLarge:
            pass
    return least(False), least(True)  # no policy with coins is worse


def judge_bound(run, case, a, method, status, objective, weights, true_value, beside, gap, limited):
    proves, sign = method in ('milp-ccl', 'history', 'exact-ccl'), 1 if objective == 'regret' else -1
    lower, upper = least_values(case, method, objective, weights, case.p, case.optima)
    if number(a['bound']) is not None and (proves or run.code == 0):
        least = min(x for x in (lower, true_value) if x is not None) if proves else true_value
        run.right('bound', a['bound'], sign * least, beside, sign)
    if status == 'optimal':
        if run.code != 0 and not (run.code == 3 and '--proof' in run.arguments):
            run.wrong('proved optimal, exit %d' % run.code)
        if number(a['bound']) is None:
            run.wrong('proved optimal without a bound')
        gap = GAPS.get(method, Fraction('1e-6')) if gap is None else gap
        if upper is not None and true_value > upper + gap:
            over, claimed = true_value - upper - gap, number(a['value' if objective != 'regret' else 'max_regret'])
            if over > room(claimed):
                run.wrong('proved optimal', 'value %.17g, least %.17g' % (sign * true_value, sign * upper), over > room(claimed, *beside))
    elif proves:
        if run.code not in (3, 4):
            run.wrong('%s, exit %d' % (status, run.code))
        if not limited:
            run.not_proved(status)


def judge_proof(run, case, check, path, a, method, status, objective, weights, true_value, beside, gap):
    if run.code == 3 and status == 'optimal':
        return run.not_proved('proof')
    if run.code != 0 or status != 'optimal':
        return None
    checked = Run(case, run.label + ' checked', check, case.path, path)
    found = re.search(r'verified: .*?[<>]= (\S+), [<>]= (\S+);', checked.out)
    if checked.code != 0:
        return checked.wrong('exit %d' % checked.code, checked.out[-200:])
    if not found:
        return None if 'verified' in checked.out else checked.wrong('no verdict', checked.out[-200:])
    sign = 1 if objective == 'regret' else -1
    value, bound = (sign * Fraction(x) for x in found.groups())
    lower, _ = least_values(case, method, objective, weights, case.p, case.optima)
    shown = Fraction('1e-9') * max(abs(value), abs(bound))  # digits that the checker prints
    if true_value > value + shown or (lower is not None and bound > lower + shown):
        checked.wrong('verified what is false', 'value %.17g, bound %.17g' % (value, bound))
    claimed = sign * number(a['value' if objective != 'regret' else 'max_regret'])
    run.right('value proved', sign * value, sign * claimed, beside)
    gap = GAPS.get(method, Fraction('1e-6')) if gap is None else gap
    if value - bound > gap + room(value):
        run.wrong('proved by a proof wider than the gap', 'value %.17g, bound %.17g' % (value, bound), value - bound > gap + room(value, *beside))
    return None


def judge_evaluate(case, vouch, path):
    run = Run(case, 'evaluate', vouch, 'evaluate', case.path, path, '--json')
    value = written_value(case, path)
    if not run.answer or value is None or None in case.optima:
        return
    beside = judge_rows(run, case, run.answer['environments'], value, case.optima)
    regrets = [o - u for o, u in zip(case.optima, value[0])]
    run.right('maximum regret', run.answer['max_regret'], max(regrets), beside)
    run.right('total regret', run.answer['total_regret'], sum(regrets), beside)
    if run.code != 0:
        run.wrong('exit %d for a policy that keeps its promises' % run.code)


def judge_total(case, vouch, lookahead):
    """"proved least for that maximum", which only the text says."""
    run = Run(case, 'total', vouch, 'plan', case.path, '-q', '-L', lookahead)
    found = re.search(r'total regret +(\S+) +\(proved least', run.out)
    if run.code != 0 or not found or None in case.optima:
        return
    claimed, beside = Fraction(found.group(1)), case.optima
    totals = [[o - u for o, u in zip(case.optima, v[0])] for v in case.kept(case.p, True)]
    if not totals:
        return
    least = min(max(t) for t in totals)  # the policy found may be of a maximum as large as the gap above it
    total = min((sum(t) for t in totals if max(t) <= least), default=None)
    shown = Fraction('1e-9') * abs(claimed)  # ten digits
    over = claimed - total - 2 * len(case.optima) * Fraction('1e-6') - shown
    if over > room(claimed):
        run.wrong('total regret proved least', 'claimed %.10g, least %.17g' % (claimed, total), over > room(claimed, *beside))


def judge_frontier(case, vouch):
    run = Run(case, 'frontier', vouch, 'plan', case.path, '--json', '-q', '-L', case.L, '--frontier', '--points', 3)
    for point in run.answer['frontier'] if run.answer else ():
        p = [[Fraction(repr(float(point['p'])))] * case.joined.K]  # its double is printed, which stands for the shortest decimal
        optima = case.optima_at([[x - keep(case.model.T) for x in p[0]]])
        if point['status'] == 'infeasible':
            if case.kept(p, True):
                run.wrong('infeasible where a policy keeps the promise')
            continue
        if not point.get('environments') or number(point['max_regret']) is None:
            run.not_proved('point')
            continue
        beside = judge_rows(run, case, point['environments'], None, optima) + [number(point['max_regret'])]
        if None in optima:
            continue
        lower, upper = least_values(case, 'milp-ccl', 'regret', None, p, optima)
        if lower is not None:
            run.right('maximum regret', point['max_regret'], lower, beside, -1)
            run.right('bound', point['bound'], lower, beside, 1)
        regret = max(o - number(row['value']) for o, row in zip(optima, point['environments']))
        run.right('maximum regret beside its U', point['max_regret'], regret, beside)
        if point['status'] != 'optimal':
            run.not_proved('point')
        elif upper is not None:
            run.right('maximum regret proved', number(point['max_regret']) - Fraction('1e-6'), upper, beside, 1)


def judge_most(case, vouch):
    run = Run(case, 'max-commitment', vouch, 'plan', case.path, '--json', '-q', '-L', case.L, '--max-commitment')
    if not run.answer:
        return
    most = max(min(pr[0]) for _, pr in case.policies.values)
    mine, any_policy = run.answer['this_class'], run.answer['any_policy']
    for k, claimed in enumerate(run.answer['alone'].values()):
        run.right('alone', claimed, case.alone[k].most())
    run.right('reached', mine['reached'], most, (), 1)
    run.right('bound', mine['bound'], most, (), -1)
    run.right('bound of any policy', any_policy['bound'], most, (), -1)
    if mine['proved']:
        run.right('reached and proved', mine['reached'], most)
    else:
        run.not_proved('class')


def judge_ccil(case, vouch):
    lookahead = max(case.L, 1)
    run = Run(case, 'ccil', vouch, 'ccil', case.path, '--json', '-q', '-L', lookahead)
    a = run.answer
    if not a:
        return
    if a['status'] == 'infeasible' or not a.get('environments'):
        if lookahead == case.L and case.kept(case.p, True) and a['status'] == 'infeasible':
            run.wrong('infeasible where a policy keeps the promises')
        return
    if None in case.optima:
        return run.wrong('a plan where an environment alone keeps nothing')
    beside = judge_rows(run, case, a['environments'], None, case.optima)
    for k, row in enumerate(a['environments']):
        run.right('regret beside U', row['regret'], case.optima[k] - number(row['value']), [number(row['value']), number(row['optimal_value'])])
        run.right('no regret below 0', row['regret'], Fraction(0), [number(row['value']), number(row['optimal_value'])], -1)
    run.right('maximum regret', a['max_regret'], max(number(row['regret']) for row in a['environments']), beside)
    if lookahead == case.L:
        lower, upper = least_values(case, 'milp-ccl', 'regret', None, case.p, case.optima)
        if lower is not None and number(a.get('first_bound')) is not None:
            run.right('bound of the first plan', a['first_bound'], lower, beside, 1)
            run.right('value of the first plan', a['first_max_regret'], lower, beside, -1)
        if upper is not None and a['status'] == 'optimal':
            run.right('value of the first plan proved', number(a['first_max_regret']) - Fraction('1e-6'), upper, beside, 1)
    if a['status'] != 'optimal':
        run.not_proved(a['status'])
    return None


def judge_case(job):
    seed, index, family, options = job
    with tempfile.TemporaryDirectory() as folder:
        try:
            case = Case(seed, index, family, folder)
        except TooLarge:
            return family, 0, [], [], None
        r, vouch, check = case.r, options.vouch, options.check
        ways = [('regret', None)] * 6 + [('max-min', None)] * 2 + [('weighted', [Fraction(r.choice([1, 1, 2, 3])) for _ in range(case.joined.K)])] * 2

        plain_promises = all(kind == 'at' and end == case.model.T for kind, _, _, end in case.model.promises)  # which proofs are written of

        def drawn(method, label, more=(), limited=False, engines=()):
            objective, weights = r.choice(ways)
            said = [*more] + ([] if objective == 'regret' else ['--objective', objective])
            said += ['--weights', ','.join(str(w) for w in weights)] if weights else []
            gap = Fraction(0) if r.random() < .15 else None
            said += ['--gap', 0] if gap == 0 else []
            proof = not engines and plain_promises and r.random() < .2
            if engines and r.random() < .5:
                said += ['--engine', 'lp']
            label += (' ' + objective if objective != 'regret' else '') + (' gap 0' if gap == 0 else '') + (' lp' if 'lp' in said else '') + (' proof' if proof else '')
            return judge_plan(case, vouch, check, method, label, said, objective, weights, gap, limited, proof)

        path = drawn('milp-ccl', 'plan', ['-L', case.L] + (['--tie-break', 'none'] if r.random() < .2 else []))
        if path and r.random() < .3:
            judge_evaluate(case, vouch, path)
        second = r.choice(['history', 'exact-ccl', 'baseline', 'lp', 'total', 'frontier', 'most', 'ccil'])
        if second == 'history':
            drawn('history', 'history')
        elif second == 'exact-ccl':
            drawn('exact-ccl', 'exact-ccl', ['-L', case.L, '--certify', '--node-limit', 50, '--restarts', 2], limited=True)
        elif second == 'baseline':
            method = r.choice(['greedy', 'mdps-best'])
            judge_plan(case, vouch, check, method, method, [])
        elif second == 'lp':
            drawn('milp-ccl', 'plan', ['-L', case.L], engines=('lp',))
        elif second == 'total':
            judge_total(case, vouch, case.L)
        elif case.joined.J == 1 and second == 'frontier':
            judge_frontier(case, vouch)
        elif case.joined.J == 1 and second == 'most' and len(set(case.p[0])) == 1:
            judge_most(case, vouch)
        elif second == 'ccil':
            judge_ccil(case, vouch)
        if options.folder and (case.wrongs or case.unproved):
            name = os.path.join(options.folder, 'scales-%d-%d' % (seed, index))
            with open(name + '.json', 'w') as f:
                f.write(case.model.json())
            with open(name + '.txt', 'w') as f:
                for lenient, kind, why, line in case.wrongs:
                    f.write('%s: %s: %s\n  %s\n' % ('wrong' if lenient else 'strict', kind, why, line))
                for kind in case.unproved:
                    f.write('not proved: %s\n' % kind)
        return family, case.runs, case.wrongs, case.unproved, case.model.json()


def report(options, jobs, results):
    models, strict, lenient, unproved, numbers, runs, undrawn = (Counter() for _ in range(7))
    kinds, examples, of_unproved = Counter(), {}, Counter()
    for job, (family, count, wrongs, open_ones, text) in zip(jobs, results):
        if text is None:
            undrawn[family] += 1
            continue
        models[family] += 1
        runs[family] += count
        lenient[family] += any(w[0] for w in wrongs)
        strict[family] += bool(wrongs)
        unproved[family] += bool(open_ones)
        numbers[family] += any('thin p' not in kind and 'gap 0' not in kind for kind in open_ones)
        of_unproved.update(set(open_ones))
        for kind in {(w[0], w[1]) for w in wrongs}:
            kinds[kind] += 1
            why, line = next(w[2:] for w in wrongs if w[:2] == kind)
            if kind not in examples or len(text) < examples[kind][0]:
                examples[kind] = len(text), job[1], why, line
    if options.table:
        print('%-20s %7s %7s %7s %7s %7s %7s' % ('family', 'models', 'runs', 'wrong', 'strict', 'open', 'numbers'))
        for family in [*models, 'all']:
            row = [sum(c.values()) if family == 'all' else c[family] for c in (models, runs, lenient, strict, unproved, numbers)]
            print('%-20s %7d %7d %7d %7d %7d %7d' % (family, *row))
        for kind, count in sorted(of_unproved.items(), key=lambda x: (-x[1], x[0])):
            print('open   %5d  %s' % (count, kind))
    for (is_lenient, kind), count in sorted(kinds.items(), key=lambda x: (not x[0][0], -x[1], x[0][1])):
        _, index, why, line = examples[is_lenient, kind]
        if options.table or is_lenient or options.strict:
            print('%s %5d  %s: %s\n    model %d: %s' % ('wrong ' if is_lenient else 'strict', count, kind, why, index, line))
    total, bad = sum(models.values()), sum((strict if options.strict else lenient).values())
    share = '%d models, %d runs, %d wrong, %d by their own digits alone, %d not proved (%d by numbers alone), %d not drawn' % (
        total, sum(runs.values()), sum(lenient.values()), sum(strict.values()), sum(unproved.values()), sum(numbers.values()), sum(undrawn.values()))
    print('%s scales%s %s' % ('not ok' if bad else 'ok', ':' if bad else '', share))
    return bad


def main():
    reader = argparse.ArgumentParser(usage=__doc__)
    for name in ('vouch', 'check'):
        reader.add_argument(name, type=os.path.abspath)
    for name, default in (('-n', 1000), ('-s', 1), ('-f', 0), ('-j', 1)):
        reader.add_argument(name, type=int, default=default)
    reader.add_argument('-d', dest='folder')
    reader.add_argument('--family')
    reader.add_argument('--strict', action='store_true')
    reader.add_argument('--table', action='store_true')
    options = reader.parse_args()
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)
    names = list(scales_models.FAMILIES)
    jobs = [(options.s, i, options.family or names[i % len(names)], options) for i in range(options.f, options.f + options.n)]
    if options.j > 1:
        with Pool(options.j) as pool:
            results = pool.map(judge_case, jobs, chunksize=8)
    else:
        results = map(judge_case, jobs)
    return 1 if report(options, jobs, results) else 0


if __name__ == '__main__':
    sys.exit(main())
