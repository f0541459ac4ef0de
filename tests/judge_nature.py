"""tests/judge_nature.py CHECK FOLDER N [SEED]: proofs about models whose probabilities are known within limits, of random models of few states.

Every policy of L updates is enumerated here, with its worst probabilities in fractions. vouch-check must accept a policy just if it keeps its promises at worst, and the least
regret of those that do, from a tree of all policies whose leaves are closed by multipliers, pairs, vectors or potentials, those that miss a promise by natures that reply to them; it must
refuse a bound above it, or that there is none, also where some words of the proof are changed at random.
"""
from __future__ import annotations

import itertools
import json
import os
import random
import sys
from fractions import Fraction as F

from judging import judged, say

CHECK, FOLDER = sys.argv[1:3]
N, SEED = int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 1
KEEP = F(1, 10**12)


def draw(r: random.Random) -> dict:
    K, states, actions = r.choice([1, 2, 2]), ['s0', 's1', 's2'][:r.choice([2, 3])], ['a', 'b']
    environments, supports = [], {}
    limits = r.random() < .5
    for k in range(K):
        rows, rewards = [], []
        for s, a in itertools.product(states, actions):
            support = supports.setdefault((s, a), sorted(r.sample(states, r.choice([1, 2, 2, len(states)]))))
            if r.random() < .2:
                support = sorted(r.sample(states, r.choice([1, 2])))
            parts = [r.randint(1, 5) for _ in support]
            cents = [100 * part // sum(parts) for part in parts]
            cents[0] += 100 - sum(cents)
            for x, c in zip(support, cents):
                wide = limits and r.random() < .7
                rows.append([s, a, x, [max(0, c - r.choice([0, 5, 20])) / 100, min(100, c + r.choice([5, 10, 20])) / 100] if wide else c / 100])
            rewards.append([s, a, r.randint(0, 4)])
        environments.append({'name': 'k%d' % k, 'transitions': rows, 'rewards': rewards})
    m = {'vouch': 1, 'states': states, 'actions': actions, 'initial': 's0', 'horizon': 2, 'observe': r.choice(['states', 'rewards']),
         'commitments': [{'name': 'p%d' % j, 'kind': 'at', 'states': r.sample(states, r.choice([1, 2])), 'probability': r.randint(0, 60) / 100} for j in range(r.choice([1, 1, 2]))],
         'environments': environments}
    if not limits or r.random() < .3:
        m['within'] = r.choice([.02, .05, .2])
    return m


class Game:
    """Nodes (t, s, set or node at L); rows with nominal probabilities and limits, in fractions."""

    def __init__(self, m: dict, L: int):
        self.m, self.L, self.T, self.K = m, L, m['horizon'], len(m['environments'])
        self.states, self.actions = m['states'], m['actions']
        self.p = [F(str(c['probability'])) for c in m['commitments']]
        self.keeps = [[s in c['states'] for s in self.states] for c in m['commitments']]
        eps, self.row, self.pay = F(str(m.get('within', 0))), [], []
        for e in m['environments']:
            rows: dict = {}
            for s, a, x, q in e['transitions']:
                low, high = q if isinstance(q, list) else (q, q)
                if high > 0:
                    rows.setdefault((self.states.index(s), self.actions.index(a)), {})[self.states.index(x)] = [F(str(low)), F(str(high))]
            for row in rows.values():
                low, high = sum(q[0] for q in row.values()), sum(q[1] for q in row.values())
                c = (1 - low) / (high - low) if high > low else F(0)
                for x in list(row):
                    q = row[x][0] + c * (row[x][1] - row[x][0])
                    row[x] = [max(F(0), row[x][0] - eps), min(F(1), row[x][1] + eps), q]
                    if q == 0:
                        del row[x]
            self.row.append(rows)
            self.pay.append({(self.states.index(s), self.actions.index(a)): F(str(q)) for s, a, q in e['rewards']})
        self.nodes, self.next = [(0, 0, frozenset(range(self.K)))], {}
        for n, (t, s, of) in enumerate(self.nodes):
            for k, a in itertools.product(self.inside(n), range(2)):
                if t == self.T:
                    continue
                for x in self.row[k][s, a]:
                    if t < L:
                        node = (t + 1, x, frozenset(l for l in self.inside(n) if x in self.row[l][s, a] and (m['observe'] == 'states' or self.pay[l][s, a] == self.pay[k][s, a])))
                    else:
                        node = (t + 1, x, n if t == L else of)
                    if node not in self.nodes:
                        self.nodes.append(node)
                    self.next[n, a, k, x] = self.nodes.index(node)
        self.inner = [n for n, node in enumerate(self.nodes) if node[0] < self.T]

    def inside(self, n: int):
        return self.nodes[n][2] if self.nodes[n][0] <= self.L else self.nodes[self.nodes[n][2]][2]

    def value(self, k: int, of, rows, pay=None) -> list:
        """V [nodes], from rows(k, n, a, V) and of(n) = {action: chance}; at the horizon pay None: of a promise given as a list, else rewards."""
        V = [F(0)] * len(self.nodes)
        for n in reversed(range(len(self.nodes))):
            t, s = self.nodes[n][:2]
            if t == self.T:
                V[n] = F(0) if pay else F(self.promise[s])
            else:
                V[n] = sum((chance * ((pay[s, a] if pay else 0) + sum(q * V[self.next[n, a, k, x]] for x, q in rows(k, n, a, V).items()))
                            for a, chance in of(n).items() if (n, a, k, next(iter(self.row[k][s, a]))) in self.next), F(0))
        return V

    def nominal(self, k, n, a, V):
        return {x: q[2] for x, q in self.row[k][self.nodes[n][1], a].items()}

    def worst(self, k, n, a, V):
        row = self.row[k][self.nodes[n][1], a]
        q, rest = {x: limits[0] for x, limits in row.items()}, 1 - sum(limits[0] for limits in row.values())
        for x in sorted(row, key=lambda x: (V[self.next[n, a, k, x]], x)):
            more = min(rest, row[x][1] - q[x])
            q[x], rest = q[x] + more, rest - more
        return q

    def figures(self, of):
        """U, worst V by row k * J + j, nominal Pr."""
        U, worst, nominal = [], [], []
        for k in range(self.K):
            U.append(self.value(k, of, self.nominal, self.pay[k])[0])
            for self.promise in self.keeps:
                worst.append(self.value(k, of, self.worst))
                nominal.append(self.value(k, of, self.nominal)[0])
        return U, worst, nominal

    def name(self, n: int, number: dict) -> str:
        t, s, of = self.nodes[n]
        return 'node %d %d %d %s' % (number[n], t, s, number[of] if t > self.L else '- ' + ','.join(map(str, sorted(of))))


def best_alone(points: list, p: F):
    """The largest U of mixtures of (U, Pr) with Pr >= p; None: none has."""
    best = None
    for u, v in itertools.combinations_with_replacement(points, 2):
        for c in {F(0), F(1)} | ({(p - v[1]) / (u[1] - v[1])} if u[1] != v[1] else set()):
            if 0 <= c <= 1 and c * u[1] + (1 - c) * v[1] >= p:
                worth = c * u[0] + (1 - c) * v[0]
                best = worth if best is None or worth > best else best
    return best


class Proof:
    """The tree of all policies, decided at the nodes that they reach, and natures that reply to those which miss a promise."""

    def __init__(self, game: Game, r: random.Random):
        self.game, self.r, self.number, self.names, self.natures, self.lines, self.cases = game, r, {}, [], [], [], 1
        for n in game.inner:
            self.number[n] = len(self.number)
            self.names.append(game.name(n, self.number))
        self.leaves = []
        self.grow(1, {})

    def reached(self, policy: dict) -> list:
        """Nodes that a policy reaches in some environment, up to the first that is not decided."""
        found = {0}
        for (n, a, k, x), to in sorted(self.game.next.items()):
            if n in found and policy.get(n) == a:
                found.add(to)
        return sorted(n for n in found if n in self.number)

    def grow(self, case: int, policy: dict):
        open_nodes = [n for n in self.reached(policy) if n not in policy]
        if not open_nodes:
            of = {n: {policy.get(n, 0): F(1)} for n in self.game.inner}
            self.leaves.append((case, policy, *self.game.figures(of.get)))
            return
        n = open_nodes[0]
        self.lines.append('branch %d %d' % (case, self.number[n]))
        children = []
        for a in range(2):
            self.cases += 1
            children.append(self.cases)
            self.lines.append('child %d %d %d' % (self.cases, case, a))
        for a, child in enumerate(children):
            self.grow(child, {**policy, n: a})

    def nature(self, row: int, V: list) -> int:
        text = '%d' % row + ''.join(' %d=%s' % (self.number[n], V[n]) for n in self.game.inner)
        if text not in self.natures:
            self.natures.append(text)
        J = len(self.game.p)
        return (self.game.K + self.natures.index(text)) * J + row % J


def forged(lines: list, r: random.Random) -> list:
    """Some words are another number, a word of the same line or of a like one; or a line is left out, doubled or moved. Claims and the policy stay."""
    lines = list(lines)
    for _ in range(r.choice([1, 1, 2, 5])):
        i = r.randrange(len(lines))
        words = lines[i].split()
        if words[0] in ('claim', 'plan', 'within', 'node', 'do'):
            continue
        how, w = r.random(), r.randrange(1, len(words)) if len(words) > 1 else 0
        alike = [x.split() for x in lines if x.split()[0] == words[0] and len(x.split()) > w]
        if how < .1:
            lines.pop(i)
        elif how < .2:
            lines.insert(r.randrange(len(lines)), lines[i])
        elif how < .5 and alike:
            words[w] = r.choice(alike)[w]
        elif '=' in words[w]:
            left, right = words[w].split('=')
            words[w] = '%s=%s' % (r.choice([left, left, '0', '1', '2']), r.choice([right, '0', '1', '2', '-1', '1/3', '1e9', '-' + right]))
        else:
            words[w] = r.choice(['0', '1', '2', '3', '4', '-', '*', ';', '0=1', '1=1', '64'])
        if how >= .2:
            lines[i] = ' '.join(words)
    return lines


def judge(number: int, count: dict):
    r = random.Random(number)
    m, L = draw(r), r.choice([0, 0, 1, 2])
    game = Game(m, L)
    J, K = len(game.p), game.K
    proof = Proof(game, r)
    p = [game.p[row % J] for row in range(K * J)]
    best = [best_alone([(U[k], nominal[k]) for _, _, U, _, nominal in proof.leaves], game.p[0]) for k in range(K)] if J == 1 else [F(0)] * K
    if None in best:
        return
    kept, closed = [], []
    for case, policy, U, worst, nominal in proof.leaves:
        missed = [row for row in range(K * J) if worst[row][0] < p[row]]
        count['bent'] += bool(missed) and all(x >= q for x, q in zip(nominal, p))
        if missed:
            row = r.choice(missed)
            R = proof.nature(row, worst[row])
            closed.append(r.choice(['empty %d %d=1', 'pairs %d %d 64 -', 'unkept %d %d=1 ;']) % (case, R))
            continue
        worth, k = max((best[k] - U[k], k) for k in range(K))
        kept.append((worth, policy))
        closed.append(r.choice(['leaf %d %d=1 ;', 'reach %d %d=1 ; ;'] + ['pairs %d %d 64'] * (J == 1)) % (case, k))
    kept.sort(key=lambda x: x[0])
    path, file = os.path.join(FOLDER, 'nature.json'), os.path.join(FOLDER, 'nature.vproof')
    data = json.dumps(m).encode()
    with open(path, 'wb') as f:
        f.write(data)
    hashed = 0xcbf29ce484222325
    for byte in data:
        hashed = (hashed ^ byte) * 0x100000001b3 % 2**64

    def told(name: str, policy, lines: list, claims: list, natures: list, right: bool, words: str = 'verified', changes: int = 0):
        rules = ['do %d %d' % (proof.number[n], a) for n, a in (policy or {}).items()]
        text = ['vouch-proof 3', 'model %016x %d' % (hashed, len(data)), 'plan milp-ccl %d %d %s 1e-12%s' % (L, game.T, float(game.p[0]), '' if J == 1 else ' max-min')]
        text += ['within %s' % m.get('within', 0)] * (m.get('within', 0) > 0 or any(isinstance(row[3], list) and row[3][0] < row[3][1] for e in m['environments'] for row in e['transitions']))
        text += proof.names + ['nature %d %s' % (i, n) for i, n in enumerate(natures)]
        text += (['tree %s %d' % ('regret' if J == 1 else 'value', game.T + 1)] + proof.lines + lines if lines else []) + rules + claims
        for arithmetic in ([], ['--exact'], ['--interval']) if not changes else [r.choice([[], ['--interval']]) for _ in range(changes)]:
            written = text if not changes else text[:2] + forged(text[2:], r)
            with open(file, 'w') as f:
                f.write('\n'.join(written + ['complete %d' % (len(written) + 1)]) + '\n')
            status, said = judged(CHECK, path, file, *arithmetic)
            good = (status == 0) == right and status in (0, 2) and words in said
            count['wrong'] += not good
            count['told' if right else 'forged' if changes else 'refused'] += 1
            if not good:
                print(number, name, arithmetic, status, said)

    def claim(value: F, bound: F) -> list:
        return ['claim regret %s %s' % (value, max(F(0), bound))] if J == 1 else ['claim value %s %s' % (-value, -bound)]

    off = F(1, 10**9)
    if kept:
        worth, policy = kept[0]
        told('best', policy, closed, claim(worth + off, worth - off), proof.natures, True)
        worse = next((x for x in kept if x[0] > worth + F(1, 10**6)), None)
        if worse:
            told('better', worse[1], closed, claim(worse[0] + off, worse[0] - off), proof.natures, False, 'proves less')
            told('forged', worse[1], closed, claim(worse[0] + off, worse[0] - off), proof.natures, False, '', 8)
        case = next(case for case, at, *_ in proof.leaves if at == policy)
        for R in range((K + len(proof.natures)) * J):
            told('none', None, [line if int(line.split()[1]) != case else r.choice(['empty %d %d=1', 'unkept %d %d=1 ;', 'pairs %d %d 64 -']) % (case, R) for line in closed], ['claim infeasible'], proof.natures, False, '')
        told('forged', None, closed, ['claim infeasible'], proof.natures, False, '', 4)
    else:
        told('infeasible', None, closed, ['claim infeasible'], proof.natures, True, 'no policy')
    for case, policy, U, worst, nominal in proof.leaves:
        if any(worst[row][0] < p[row] for row in range(K * J)) and all(x >= q for x, q in zip(nominal, p)):
            value = max(best[k] - U[k] for k in range(K))
            told('forged', policy, closed, claim(value + off, F(0))[:1] if J == 1 else ['claim value %s' % -(value + off)], proof.natures, False, '', 4)
            told('missed', policy, [], claim(value + off, F(0))[:1] if J == 1 else ['claim value %s' % -(value + off)], [], False, 'does not keep promise')
            break


def main():
    count = {'told': 0, 'refused': 0, 'forged': 0, 'bent': 0, 'wrong': 0}
    for number in range(SEED, SEED + N):
        judge(number, count)
    say(count['wrong'] == 0 and count['bent'] > 0, 'natures', count)
    print(', '.join('%d %s' % (n, what) for what, n in count.items()))


main()
