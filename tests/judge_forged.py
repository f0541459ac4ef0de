"""tests/judge_forged.py CHECK FOLDER [CC]: proofs whose lines stand where their lemma does not hold are refuted, each by the one test of vouch-check that is about it.

src/check/FORMAT.md says of every kind of line which preconditions it has and where each is tested. Here is a proof for each of them that only this test refuses. With a compiler, CC, it is
shown that no other does: vouch-check is built once for each proof without that test, and then calls the false claim verified.
"""
import json
import os
import shutil
import subprocess
import sys

from judging import say

CHECK, FOLDER = sys.argv[1:3]
CC = sys.argv[3] if len(sys.argv) > 3 else None
SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'src', 'check')
FLAGS = ['-std=c11', '-O1', '-D_GNU_SOURCE', '-frounding-math', '-I' + os.path.dirname(SOURCE)]
ARITHMETIC = ([], ['--exact'], ['--interval'])


def model(states, actions, T, p, common, *environments, rewards=(), home=('G',), **more):
    """Rows are "s a next" with a probability behind it, or 1; "s a" or "s a next" with a reward behind it; environments: (transitions, rewards)."""
    def rows(lines, numbered):
        return [line.split()[:numbered] + [float(x) for x in (line.split()[numbered:] or ['1'])] for line in lines]

    def paid(lines):
        return [line.split()[:-1] + [float(line.split()[-1])] for line in lines]
    top = {'vouch': 1, 'states': states.split(), 'actions': actions.split(), 'initial': states.split()[0], 'horizon': T,
           'commitment': {'states': list(home), 'probability': p}, 'transitions': rows(common, 3), 'rewards': paid(rewards),
           'environments': [{'name': 'k%d' % k, 'transitions': rows(t, 3), 'rewards': paid(r)} for k, (t, r) in enumerate(environments)], **more}
    if 'commitments' in more:
        del top['commitment']
    return json.dumps(top).encode()


def same(state, next, actions='ab'):
    return ['%s %s %s' % (state, a, next) for a in actions]


# At s1 or s2 home is one action away, another one in each environment; whoever comes to a state does so in one of them only.
CROSSED = model('s0 s1 s2 G B', 'a b', 2, 1, same('s2', 'G') + same('G', 'G') + same('B', 'B'),
                (['s0 a s1', 's0 b s2', 's1 a G', 's1 b B'], []), (['s0 a s2', 's0 b s1', 's1 a B', 's1 b G'], []))
# m leads to bad in k2 alone, where whoever comes there regrets 1; but with a comes to m in k1 only.
LEFT = model('s0 m safe good bad G', 'a b', 3, 0, same('safe', 'G') + same('good', 'G') + same('bad', 'G') + same('G', 'G'),
             (['s0 a m', 's0 b safe'] + same('m', 'good'), []), (['s0 a safe', 's0 b m'] + same('m', 'bad'), []), rewards=['safe a 1', 'safe b 1', 'good a 1', 'good b 1'])

# One step: left pays 1, in either environment or in the first; right 0, or 1 in the second. Whoever tosses a coin regrets 1/2 of the other.
LEFT_BEST = model('s', 'a b', 1, 1, same('s', 's'), ([], ['s a 1']), ([], ['s a 1']), home=('s',))
EITHER = model('s', 'a b', 1, 1, same('s', 's'), ([], ['s a 1']), ([], ['s b 1']), home=('s',))
THIRD = model('s', 'a b c', 1, 1, same('s', 's', 'abc'), ([], ['s a 1']), ([], ['s b 1']), home=('s',))
# Two steps: what is paid first tells the environment; then a pays in one of them, b in the other one.
TOLD = model('s m', 'a b', 2, 1, same('s', 'm') + same('m', 'm'), ([], ['m a 1']), ([], ['s a 1', 's b 1', 'm b 1']), home=('m',))
# The same of an agent that is not told what it is paid.
UNTOLD = model('s m', 'a b', 2, 1, same('s', 'm') + same('m', 'm'), ([], ['m a 1']), ([], ['s a 1', 's b 1', 'm b 1']), home=('m',), observe='states')
# Both first steps that keep the promise pay in one environment only; the third pays in both, to where it is broken.
DEAD_END = model('s H D G B', 'a b c', 2, 1, ['s a D', 's b H', 's c H'] + same('H', 'G', 'abc') + same('D', 'B', 'abc') + same('G', 'G', 'abc') + same('B', 'B', 'abc'),
                 ([], ['s a 1', 's b 1']), ([], ['s a 1', 's c 1']))
# For k0 and k1, a and b do the same at u; k2 goes on with them by a, not by b. Who came by u most likely is in k0, by v in k1, so that what is done at m should depend on it.
APART = model('s u v m z', 'a b', 3, 0, same('v', 'm') + same('m', 'm') + same('z', 'z') + ['u a m'],
              (['s a u 0.875', 's a v 0.125', 's b u 0.875', 's b v 0.125', 'u b m'], ['m a 1']), (['s a u 0.125', 's a v 0.875', 's b u 0.125', 's b v 0.875', 'u b m'], ['m b 1']),
              (['s a u 0.5', 's a v 0.5', 's b u 0.5', 's b v 0.5', 'u b z'], []), home=('m',))
# In k0 the actions are the same; in k1 b is better.
ALIKE = model('s', 'a b', 1, 1, same('s', 's'), ([], []), ([], ['s b 1']), home=('s',))
# a is paid and misses the promise, which is to be kept in one of two cases: whoever tosses no coin does b, or c, which costs.
FLIP = model('s G B', 'a b', 1, 0.5, [], (['s a G', 's b B'], []), (['s a B', 's b G'], []))
COINS = model('s G B', 'a b c', 1, 0.5, ['s a B', 's b G', 's c G'], ([], ['s a 1', 's c -1']), ([], ['s a 1', 's c -1']))
COSTS = model('s', 'a b', 1, 1, same('s', 's'), ([], ['s a -1', 's b -2']), home=('s',))
# Whoever comes to m loses 1, whatever is done there; b does not come there.
AROUND = model('s m', 'a b', 2, 0, ['s a m', 's b s'] + same('m', 'm'), ([], ['s a -1']), home=('s',))
FREE = model('s', 'a b', 1, 0, same('s', 's'), ([], ['s a 1']), home=('s',))
# Whoever does a loses 2 in k1, b 1 in k0.
DEARER = model('s', 'a b', 1, 1, same('s', 's'), ([], ['s a 1']), ([], ['s b 2']), home=('s',))
# At m, where half of the way leads, b loses 1 of k0; a loses 2 of k1.
HALF = model('s m', 'a b', 2, 0, ['s a m 0.5', 's a s 0.5', 's b m 0.5', 's b s 0.5'] + same('m', 'm'), ([], ['m a 1']), ([], ['m b 2']), home=('s',))
# b keeps the first promise, which is made in k1 alone; a is paid.
MADE_LATER = model('s G B', 'a b', 1, 0, ['s a B', 's b G'], ([], []), ([], []), rewards=['s a 1'],
                   commitments=[{'name': 'i', 'kind': 'at', 'states': ['G'], 'probability': {'k0': 0, 'k1': 1}}, {'name': 'j', 'kind': 'at', 'states': ['G', 'B'], 'probability': 0.5}])
# Behind a coin, so that none is sure to break the promise: pairs (3, 0), (2.9, .1), (1, .9), (0, 1) of which two groups are made; nothing is lost at .5.
FOUR = model('s m z G B', 'a b c d', 2, 0.25, ['s a m 0.5', 's a z 0.5', 'z a B', 'm a B', 'm b G 0.1', 'm b B 0.9', 'm c G 0.9', 'm c B 0.1', 'm d G'], ([], ['m a 3', 'm b 2.9', 'm c 1']))
# Three such nodes behind the coin: of their sums, too, two groups are made as they come.
WIDE = model('s x y z G B', 'a b c d', 2, 0.25, ['s a x 0.5', 's a y 0.25', 's a z 0.25'] + ['%s a B' % s for s in 'xyz'] + ['%s b %s' % (s, to) for s in 'xyz' for to in ('G 0.1', 'B 0.9')] +
             ['%s c %s' % (s, to) for s in 'xyz' for to in ('G 0.9', 'B 0.1')] + ['%s d G' % s for s in 'xyz'], ([], ['%s %s' % (s, pay) for s in 'xyz' for pay in ('a 3', 'b 2.9', 'c 1')]))
# .1 and .2 in one environment or in the other one.
TENTHS = model('s x y', 'a b', 2, 1, ['s a x', 's b y'] + same('x', 'x') + same('y', 'y'), ([], ['s a 0.1', 'x a 0.2', 'x b 0.2']), ([], ['s b 0.1', 'y a 0.2', 'y b 0.2']), home=('x', 'y'))
# a is better than b by what rounding could make.
HARDLY = model('s', 'a b c', 1, 1, same('s', 's', 'abc'), ([], ['s a 1.000000000000001', 's b 1', 's c 0']), home=('s',))
# G keeps both promises, H the second, which whoever does a misses by more.
TWICE = model('s G H B', 'a b c', 1, 0, ['s a B', 's b G', 's c H'], ([], ['s a 1', 's c 0.5']),
              commitments=[{'name': 'i', 'kind': 'at', 'states': ['G'], 'probability': 0.25}, {'name': 'j', 'kind': 'at', 'states': ['G', 'H'], 'probability': 0.75}])
# Equal pay, other odds; equal pay and odds, but the rewards seen with b tell the environment.
ODDS = model('s G B', 'a b', 1, 0.7, ['s a G 0.5', 's a B 0.5', 's b G 0.75', 's b B 0.25'], ([], []))
TELLS = model('s m n', 'a b', 2, 0, ['s a m 0.5', 's a n 0.5', 's b m 0.5', 's b n 0.5'] + same('m', 'm') + same('n', 'n'), ([], ['s b m 1', 's b n 0', 'm a 1', 'n a 1']), ([], ['s b m 0', 's b n 1', 'm b 1', 'n b 1']),
              rewards=['s a 0.5'], home=('m',))
# Home is kept by k1 with 1e-13 or 4e-13, k0 being likely both times.
RARE = model('s u v m z', 'a', 2, 1.3e-12, ['s a u 0.5', 's a v 0.5'] + same('m', 'm', 'a') + same('z', 'z', 'a'),
             (same('u', 'm', 'a') + same('v', 'm', 'a'), []), (['u a m 1e-13', 'u a z 0.9999999999999', 'v a m 4e-13', 'v a z 0.9999999999996'], []), home=('m',))
BROKEN = model('s G B', 'a b', 1, 1, ['s a G', 's b B'], ([], []))
# Promises over the prior: a keeps it in k0, b in k1 and is paid; b alone keeps it, a is paid; a keeps it in k0 alone, the less likely.


def over_prior(p, common, *environments, **more):
    return model('s G B', 'a b', 1, 0, common, *environments, commitments=[{'name': 'm', 'kind': 'at', 'states': ['G'], 'probability': p, 'over': 'prior'}], **more)


EVEN = over_prior(0.5, [], (['s a G', 's b B'], []), (['s a B', 's b G'], []), rewards=['s b 1'])
PAID = over_prior(0.5, ['s a B', 's b G'], ([], []), ([], []), rewards=['s a 1'])
SURE = over_prior(1, ['s a B', 's b G'], ([], []), ([], []), rewards=['s a 1'])
UNLIKELY = over_prior(0.5, ['s b B'], (['s a G'], []), (['s a B'], []), prior={'k0': 1, 'k1': 3})
MEAN = ['plan milp-ccl 0 1 0.5 1e-09', 'node 0 0 0 - *', 'do 0 0']
# Two ways lead to m, where a pays in one environment, b in the other one: who comes there has forgotten the way.
MEETS = model('s u v m', 'a b', 3, 0, ['s %s %s 0.5' % (a, to) for a in 'ab' for to in 'uv'] + same('u', 'm') + same('v', 'm') + same('m', 'm'), ([], ['m a 1']), ([], ['m b 1']), home=('m',))
# a comes to what pays 1e10 once in 1e10 times.
JACKPOT = model('s m z', 'a b', 2, 0, ['s a m 1e-10', 's a z 0.9999999999', 's b z'] + same('m', 'z') + same('z', 'z'), ([], ['m a 1e10', 'm b 1e10']), home=('z',))
# What is seen on the way tells the environments apart, until m.
BY_TWO_WAYS = model('s u v m', 'a b', 3, 0, same('u', 'm') + same('v', 'm') + same('m', 'm'), (same('s', 'u'), ['m a 1']), (same('s', 'v'), ['m a 2']), home=('m',))
# b misses the promise by 5e-10, and is paid in the second environment; a keeps it, and is paid in the first.
NEARLY = model('s G B', 'a b', 1, 0.5, ['s a G 0.5', 's a B 0.5', 's b G 0.4999999995', 's b B 0.5000000005'], ([], ['s a 1']), ([], ['s b 1']))
# b misses the promise by what rounding could make; a keeps it, if only just.
BARELY = model('s G B', 'a b', 1, 0.5000000000009995, ['s a G 0.5', 's a B 0.5', 's b G 0.499999999999999', 's b B 0.500000000000001'], ([], []))
# The first step tells the environments apart as 7 to 1; a policy of L = 0 does not remember it.
LIKELIER = model('s u v x y', 'a b', 4, 0, ['%s %s %s 0.5' % (s, a, to) for s in 'uv' for a in 'ab' for to in 'xy'] + same('x', 'x') + same('y', 'y'),
                 (['s %s u 0.875' % a for a in 'ab'] + ['s %s v 0.125' % a for a in 'ab'], ['x a 1', 'y a 1']), (['s %s u 0.125' % a for a in 'ab'] + ['s %s v 0.875' % a for a in 'ab'], ['x b 1', 'y b 1']), home=('x', 'y'))
FORGETS = ['plan exact-ccl 0 4 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'node 3 2 3 0', 'node 4 2 4 0', 'node 5 3 3 0', 'node 6 3 4 0'] + ['do %d 0=0.5 1=0.5' % i for i in range(7)] + \
    ['tree regret 5', 'walk 1 4 0=0.5 1=0.5 ;']
# b regrets 1/2 in the first environment; a and c regret more in the second.
BETWEEN = model('s', 'a b c', 1, 1, same('s', 's', 'abc'), ([], ['s a 1', 's b 0.5']), ([], ['s b 2']), home=('s',))
# b is paid in the end.
LATE = model('s m', 'a b', 2, 1, same('s', 'm') + same('m', 'm'), ([], ['m b 1']), home=('m',))
# Probabilities are off by at most .05, or within limits: a keeps the promise of .5 with .52, but at worst with .47; b is sure to.
ERRING = model('s G B', 'a b', 1, 0.5, ['s a G 0.52', 's a B 0.48', 's b G'], ([], ['s a 1']), within=0.05)
# Three ways, of which B gets at most .05 more; G at least .4 of what is left to it.
THREE = model('s B G H', 'a', 1, 0.68, ['s a G 0.5', 's a H 0.25', 's a B 0.25'], ([], []), home=('G', 'H'), within=0.05)
LEAST = model('s G B', 'a', 1, 0.35, ['s a G 0.5', 's a B 0.25'], ([], []), within=0.05).replace(b'0.5]', b'[0.45, 1]]').replace(b'0.25]', b'[0, 0.95]]')
# Nobody comes to z, where 2 is paid.
UNREACHED = model('s z', 'a b', 1, 0, same('s', 's') + same('z', 'z'), ([], ['s a 1', 'z a 2']), home=('s',))
ONE = ['plan milp-ccl 0 1 1 1e-09', 'node 0 0 0 - *', 'do 0 1']
MET = ['plan exact-ccl 0 3 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'node 3 2 3 0', 'do 0 0', 'do 1 0', 'do 2 0', 'do 3 0=0.5 1=0.5', 'tree regret 4', 'weigh 1 0=0.5 1=0.5 ;',
       'corners 1 0 0=1', 'corners 2 1 0=1', 'corners 3 2 0=1', 'walk 4 3']
STOCHASTIC = ['plan exact-ccl 0 1 1 1e-09', 'node 0 0 0 - *', 'do 0 0', 'tree regret 2']
# Of more than six options each environment takes its own price.
SEVEN = model('s', 'a b c d e f g', 1, 1, same('s', 's', 'abcdefg'), ([], ['s a 1'] + ['s %s 0.%d' % (x, i) for i, x in enumerate('cdefg', 1)]), ([], ['s b 1']), home=('s',))
PRICED = ['plan exact-ccl 0 1 1 1e-09', 'node 0 0 0 - *', 'do 0 0=0.5 1=0.5', 'tree regret 2', 'leaf 1 0=0.5 1=0.5 ; ; 0 0 0=0.0625 1=-0.0625']
COIN = ['plan history 1 1 1 1e-09', 'node 0 0 0 - *', 'do 0 0', 'tree regret 2']
# With a to m, which pays 1, with b to z.
PAID_AT_M = model('s m z', 'a b', 2, 0, ['s a m', 's b z'] + same('m', 'm') + same('z', 'z'), ([], ['m a 1', 'm b 1']), home=('z',))
GONE_TO_Z = ['plan milp-ccl 0 2 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'do 0 1', 'do 2 0']
ERRS = ['plan milp-ccl 0 1 0.5 1e-09', 'within 0.05', 'node 0 0 0 - *', 'do 0 0', 'claim regret 0 0']
SHORT = 'the tree proves less than the bound claimed'



def part(of, plan, action, *lines):
    """A part whose policy does this at the start, and claims a regret of 1 that nothing is below, or what the lines say."""
    return ['part ' + of, plan + ' 1e-09', 'node 0 0 0 - *', 'do 0 %d' % action] + list(lines or ['claim regret 1 0']) + ['end']


# Of EITHER: a policy for each environment, which regrets nothing; for both, of which no policy regrets less than 1.
FIRST, SECOND = part('0', 'plan milp-ccl 0 1 1', 0, 'claim regret 0 0'), part('1', 'plan milp-ccl 0 1 1', 1, 'claim regret 0 0')
REGRETTED = part('*', 'plan milp-ccl 0 1 1', 0, 'tree regret 2', 'vectors 1', 'claim regret 1 1')
LATER = ['plan milp-ccl 2 3 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 - *', 'node 2 1 2 - *', 'node 3 2 3 - *', 'do 0 0', 'do 1 0', 'do 2 0', 'do 3 0']
BETTER = 'some groups may be better than the bound claimed'

# name: (model, lines after the model's, L, what is said, (file, what is replaced, by what) of the test that is taken out)
FORGED = {
    'within_worst': (ERRING, ERRS, 'does not keep promise 0', ('policy.c', 'if (errs(m)) worst_kept(ctx, x, row, Pr[row]);', '')),
    'within_upper': (ERRING, ERRS, 'does not keep promise 0', ('nature.c', '? UP : DOWN', '? DOWN : DOWN')),
    'within_lower': (ERRING.replace(b'"G", "B"', b'"B", "G"'), ERRS, 'does not keep promise 0', ('nature.c', '? UP : DOWN', '? UP : UP')),
    'nature_upper': (THREE, ['plan milp-ccl 0 1 0.68 1e-09', 'within 0.05', 'nature 0 0', 'tree regret 2', 'empty 1 1=1', 'claim infeasible'], 'do not show that the promise cannot be kept',
                     ('nature.c', '&& mpq_cmp(prob[pivot], high) <= 0', '')),
    'nature_lower': (LEAST, ['plan milp-ccl 0 1 0.35 1e-09', 'within 0.05', 'nature 0 0', 'tree regret 2', 'empty 1 1=1', 'claim infeasible'], 'do not show that the promise cannot be kept',
                     ('nature.c', 'mpq_cmp(prob[pivot], low) >= 0 &&', '')),
    'nature_paid': (UNREACHED, ['plan milp-ccl 0 1 0 1e-09', 'node 0 0 0 - *', 'nature 0 0', 'do 0 1', 'tree regret 2', 'leaf 1 1=1 ;', 'claim regret 1 1'], SHORT, ('nature.c', 'of || from != env ? most', 'from != env ? most')),
    'vectors_not_sure': (CROSSED, ['plan milp-ccl 0 2 1 1e-09', 'tree regret 3', 'vectors 1', 'claim infeasible'], 'some case may keep the promise',
                         ('bound.c', 'in(s->alone ? n->set : n->sure, k)', 'in(n->set, k)')),
    'vectors_nothing_left': (LEFT, ['plan milp-ccl 0 3 0 1e-09', 'tree regret 4', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'node 3 2 3 0', 'node 4 2 4 0', 'node 5 2 5 0', 'give 1 1 1=1 ; ; 4=0', 'vectors 1',
                                    'do 0 1', 'do 1 0', 'do 2 0', 'do 3 0', 'do 4 0', 'do 5 0', 'claim regret 1 1'], 'the tree proves less than the bound claimed',
                             ('bound.c', 'more->count == 0 && !sure', 'false')),
    'child_missing': (LEFT_BEST, ONE + ['tree regret 2', 'branch 1 0', 'child 2 1 1', 'pairs 2 0 64', 'claim regret 1 1'], 'case 1 has an option without a child',
                      ('proof.c', 't->item[c].on >= 0 && t->item[c].uncovered', 'false')),
    'case_open': (LEFT_BEST, ONE + ['tree regret 2', 'branch 1 0', 'child 2 1 0', 'child 3 1 1', 'pairs 3 0 64', 'claim regret 1 1'], 'case 2 is not bounded',
                  ('proof.c', 't->item[c].on < 0 && !t->item[c].closed', 'false')),
    'leaf_sum': (EITHER, COIN + ['leaf 1 0=1 1=1 ;', 'claim regret 1 1'], 'do not sum to 1', ('proof.c', 'mpq_cmp_ui(sum, 1, 1) != 0', 'false')),
    'class_of_line': (EITHER, COIN + ['vectors 1', 'claim regret 1 1'], 'vectors lines prove nothing of the policies', ('proof.c', '!(kinds[i].classes >> x->class & 1)', 'false')),
    'few_multiplier': (LEFT_BEST, ONE + ['tree regret 2 0', 'leaf 1 1=1 ;', 'claim regret 1 1'], 'the tree is not about environment 1', ('proof.c', 'used && !in(t->of, k)', 'false')),
    'give_used': (LEFT_BEST, ONE + ['tree regret 2', 'give 1 1 0=1 ; ; 0=0', 'pairs 1 0 64', 'claim regret 1 1'], 'a policy below the bound may use an option',
                  ('proof.c', '!bound_short(ctx, &t->bound, outward(ctx, value, UP))', 'false')),
    'give_counts': (LEFT_BEST, ONE + ['tree regret 2', 'give 1 0 0=1 ; ; 0=0', 'pairs 1 0 64', 'claim regret 1 1'], SHORT, ('proof.c', 'if (some) bounded(t, of_line);', '')),
    'reach_options': (LEFT_BEST, ONE + ['tree regret 1', 'reach 1 0=1 ; ; 0 ;', 'claim regret 1 1'], SHORT, ('reach.c', '*top = fmax(*top, term(ctx, x, b->reach, n, o));', '*top = term(ctx, x, b->reach, n, o);')),
    'reach_high': (PAID_AT_M, GONE_TO_Z + ['tree regret 1', 'reach 1 0=1 ; ;', 'claim regret 1 1'], SHORT, ('reach.c', 'r->block[UP][at + j] = fmax(r->block[UP][at + j], most[j]);', 'r->block[UP][at + j] = most[j];')),
    'reach_low': (PAID_AT_M, GONE_TO_Z + ['tree regret 1', 'reach 1 0=1 ; ; 1 0=2 ; 2 0=2 ;', 'claim regret 1 1'], SHORT,
                  ('reach.c', 'r->block[DOWN][at + j] = fmin(r->block[DOWN][at + j], -less[j]);', '')),
    'reach_anew': (PAID_AT_M, GONE_TO_Z + ['tree regret 1', 'branch 1 0', 'child 2 1 1', 'child 3 1 0', 'reach 2 0=1 ; ;', 'reach 3 0=1 ; ;', 'claim regret 1 1'], SHORT,
                   ('reach.c', 'memcmp(r->was + first, b->allowed + first, count) != 0', 'r->was[first] == UCHAR_MAX')),
    'reach_promised': (LEFT_BEST, ONE[:2] + ['tree regret 1', 'unkept 1 0=1 ;', 'claim infeasible'], 'do not show that the promise cannot be kept', ('reach.c', 'r->V[UP][i] += x->price.end[UP][row];', '')),
    'unkept': (LEFT_BEST, ONE[:2] + ['tree regret 1', 'unkept 1 0=1 ;', 'claim infeasible'], 'do not show that the promise cannot be kept', ('reach.c', 'if (mpq_sgn(value) <= 0)', 'if (false)')),
    'remove_used': (LEFT_BEST, ONE + ['tree regret 1', 'remove 1 1 0=0 ; 0=1 ; ;', 'pairs 1 0 64', 'claim regret 1 1'], 'a policy below the bound may use an option', ('reach.c', 'mpq_cmp(more, of_line) < 0', 'false')),
    'remove_unkept': (LEFT_BEST, ONE + ['tree regret 1', 'remove 1 - 0=0 ; 0=1 ;', 'pairs 1 0 64', 'claim regret 1 1'], 'a policy below the bound may use an option', ('reach.c', 'mpq_sgn(more) <= 0', 'false')),
    'remove_counts': (LEFT_BEST, ONE + ['tree regret 1', 'remove 1 0 0=0 ; 0=1 ; ;', 'pairs 1 0 64', 'claim regret 1 1'], SHORT, ('reach.c', 'if (kept) bounded(t, of_line);', '')),
    'drop_worse': (LEFT_BEST, ONE + ['tree regret 2 * drop', 'pairs 1 0 64', 'claim regret 1 1'], SHORT,
                   ('bound.c', 'if (!(less <= near * y[width + i]) || !isfinite(less)) return false;', '(void)near, less = 0;')),
    'drop_loses': (HARDLY, ['plan milp-ccl 0 1 1 1e-09 max-min'] + ONE[1:] + ['tree value 2 * drop', 'leaf 1 0=1 ;', 'claim value 1 1'], SHORT, ('bound.c', 'most[i >= K] = fmax(most[i >= K], less);', '')),
    'cap': (THIRD, ONE[:2] + ['do 0 2', 'tree total 2 0.5', 'vectors 1', 'claim total 2 2', 'claim regret 1 0'], "the cap is below the policy's maximum regret",
            ('proof.c', 'mpq_cmp(t->cap, value[0]) < 0', 'false')),
    'promise_broken': (BROKEN, ONE + ['claim regret 0 0'], 'does not keep promise 0 in environment 0', ('policy.c', 'if (mpq_cmp(Pr[row], x->enough[row]) < 0) found = row;', '')),
    'value': (LEFT_BEST, ONE + ['claim regret 0.5 0'], 'regrets more than is claimed', ('proof.c', 'mpq_cmp(value[i], t->value) > 0', 'false')),
    'empty': (LEFT_BEST, ONE[:1] + ['tree regret 2', 'empty 1 0=1', 'claim infeasible'], 'do not show that the promise cannot be kept', ('proof.c', 'lagrangian(ctx, x, false, BOUNDS, value) && mpq_sgn(value) <= 0', 'lagrangian(ctx, x, false, BOUNDS, value) && false')),
    'infeasible_of_bounds': (LEFT_BEST, ONE[:1] + ['tree regret 2', 'leaf 1 0=1 ;', 'claim infeasible'], 'some case may keep the promise', ('proof.c', '(!t->grown || t->finite)) refuted', '!t->grown) refuted')),
    'node_set': (TOLD, ['plan milp-ccl 1 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 - *', 'do 0 0', 'do 1 0', 'tree regret 3', 'vectors 1', 'claim regret 1 1'], 'no policy reaches this node',
                 ('graph.c', '(n->t >= g->L || g->m->seen[other] == g->m->seen[o])', '(n->t >= g->L || g->m->seen[other] >= 0)')),
    'states_alone': (UNTOLD, ['plan milp-ccl 1 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 - 0', 'node 2 1 1 - 1', 'do 0 0', 'do 1 0', 'do 2 1', 'claim regret 0 0'], 'no policy reaches this node',
                     ('model.c', 'close_rewards = states || ', 'close_rewards = ')),
    'one_action': (EITHER, ONE[:2] + ['do 0 0=0.5 1=0.5', 'claim regret 0.5 0'], 'does one thing at a node', ('policy.c', 'x->class == DETERMINISTIC && count > 1', 'false')),
    'rule_missing': (DEAD_END, ['plan milp-ccl 0 2 1 1e-09', 'node 0 0 0 - *', 'do 0 0', 'claim regret 0 0'], 'reaches a node without a rule',
                     ('policy.c', 'if (!rule[c]) refuted(ctx, "the policy reaches a node without a rule");', 'if (!rule[c]) continue;')),
    'chance_negative': (THIRD, ['plan exact-ccl 0 1 1 1e-09', 'node 0 0 0 - *', 'do 0 0=1 1=1 2=-1', 'claim regret 0 0'], 'a negative probability', ('policy.c', 'mpq_sgn(chance) < 0', 'false')),
    'keep_too_large': (BROKEN, ['plan milp-ccl 0 1 1 2'] + ONE[1:] + ['claim regret 0 0'], 'a tolerance that is not', ('proof.c', 'keep < LEAST_KEEP || keep > MOST_KEEP', 'false')),
    'history_sees_all': (TOLD, ['plan history 0 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'do 0 0', 'do 1 0', 'tree regret 3', 'leaf 1 0=0.5 1=0.5 ;', 'claim regret 1 0.5'], 'of history policies L is the horizon',
                         ('proof.c', 'x->class == HISTORY && L != m->T', 'false')),
    'few_later': (APART, ['plan milp-ccl 2 3 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 - *', 'node 2 1 2 - *', 'node 3 2 3 - *', 'node 4 2 3 - 0,1', 'do 0 0', 'do 1 0', 'do 2 0', 'do 3 0', 'tree regret 4 0,1', 'branch 1 3', 'child 2 1 0', 'child 3 1 1',
                          'pairs 2 1 64', 'pairs 3 0 64', 'claim regret 1 1'], 'a tree of few environments', ('proof.c', '(g->L > 0 && some) || x->class != DETERMINISTIC', 'x->class != DETERMINISTIC')),
    'few_vectors': (ALIKE, ONE[:2] + ['do 0 0', 'tree regret 2 0', 'vectors 1', 'claim regret 1 1'], 'vectors are of all environments', ('proof.c', 'x->at->of != x->g.node->set', 'false')),
    'few_pairs': (ALIKE, ONE[:2] + ['do 0 0', 'tree regret 2 0', 'pairs 1 1 64', 'claim regret 1 1'], 'the tree is not about environment 1', ('proof.c', '!in(t->of, r / J)', 'false')),
    'few_twins': (ALIKE, ONE[:2] + ['do 0 0', 'tree regret 2 0,1', 'pairs 1 1 64', 'claim regret 1 1'], SHORT, ('proof.c', 'both[w] = at->set[w] & t->of[w]', 'both[w] = at->set[w] & t->of[w] & 1')),
    'twins_pay': (EITHER, ONE[:2] + ['do 0 0', 'claim regret 0 0'], 'regrets more than is claimed', ('graph.c', '!mpq_equal(m->paid.q[c], m->paid.q[d])', 'false')),
    'twins_odds': (ODDS, ['plan milp-ccl 0 1 0.7 1e-09', 'tree regret 2', 'empty 1 0=1', 'claim infeasible'], 'do not show that the promise cannot be kept',
                   ('graph.c', 'm->next[x + i] != m->next[y + i] || !mpq_equal(m->prob.q[x + i], m->prob.q[y + i])', 'm->next[x + i] != m->next[y + i]')),
    'twins_tell': (TELLS, ['plan milp-ccl 1 2 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 - *', 'node 2 1 2 - *', 'do 0 0', 'do 1 0', 'do 2 1', 'tree regret 3', 'vectors 1', 'claim regret 0.5 0.5'], SHORT,
                   ('graph.c', 'if (come_along(ctx, g, n, a, j, x + i) != come_along(ctx, g, n, b, j, y + i)) return false;', '(void)j;')),
    'sum_of_one': (LEFT_BEST, ['plan milp-ccl 0 1 1 1e-09 weighted 0=1 1=1'] + ONE[1:] + ['tree value 2', 'pairs 1 0 64', 'claim value 0 1'], 'of a sum all environments are needed', ('proof.c', 't->sum != all', 't->sum < all')),
    'maximum_of_all': (COINS, ['plan milp-ccl 0 1 0.5 1e-09', 'node 0 0 0 - *', 'do 0 2', 'tree regret 2', 'pairs 1 * 64', 'claim regret 2 1'], 'of a sum all environments are needed', ('proof.c', 't->sum != all', 't->sum > all')),
    'sum_without_cap': (COSTS, ['plan milp-ccl 0 1 1 1e-09 weighted 0=1'] + ONE[1:] + ['tree value 2', 'leaf 1 0=1 ;', 'claim value -2 -2'], 'multipliers of regrets that have no cap', ('proof.c', 't->sum && !t->capped && mpq_sgn(sum) != 0', 'false')),
    'multiplier_negative': (FREE, ['plan milp-ccl 0 1 0 1e-09'] + ONE[1:] + ['tree regret 2', 'leaf 1 0=1 ; 0=-1', 'claim regret 1 0.5'], 'a negative multiplier', ('judge.c', 'mpq_sgn(x[k]) < 0 && !any_sign', 'false')),
    'prices_back': (EITHER, ['plan exact-ccl 0 1 1 1e-09'] + ONE[1:] + ['tree regret 2', 'leaf 1 0=0.5 1=0.5 ; ; 0 0 0=10 1=10 ; 0 1 0=10 1=10', 'claim regret 1 1'], SHORT, ('bound.c', 'if (any) total += n->options > MOST_LOOSE ? apart : best;', '(void)apart, (void)best;')),
    'part_ends': (EITHER, ['plan exact-ccl 0 1 1 1e-09'] + ONE[1:] + ['tree regret 2', 'part 1 0 0 0.5', 'leaf 2 0=1 ;', 'leaf 3 1=1 ;', 'claim regret 1 0.75'], SHORT,
                  ('proof.c', 'option, 0, outward(ctx, at, UP))', 'option, 0, outward(ctx, at, UP) - 0.25)'), ('proof.c', 'option, outward(ctx, at, DOWN), 1)', 'option, outward(ctx, at, DOWN) + 0.25, 1)')),
    'corners_free': (EITHER, STOCHASTIC + ['corners 1 0 0=1 ; 1=1', 'leaf 2 1=1 ;', 'leaf 3 0=1 ;', 'claim regret 1 0.75'], 'no weigh line fixes the multipliers', ('proof.c', 'if (!weighed(t, x->now)) refuted', 'if (false) refuted')),
    'corner_missing': (EITHER, STOCHASTIC + ['weigh 1 0=1 ;', 'corners 1 0 1=1', 'leaf 2', 'claim regret 1 0.75'], 'a corner of the box is left out',
                       ('proof.c', '!boxes_cornered(&t->bound, n, t->point + first, count)', 'false && !boxes_cornered(&t->bound, n, t->point + first, count)')),
    'weighed_again': (EITHER, STOCHASTIC + ['weigh 1 0=1 ;', 'corners 1 0 0=1 ; 1=1', 'leaf 2 1=1 ;', 'leaf 3 0=1 ;', 'claim regret 1 0.75'], 'the multipliers of this case are fixed',
                      ('proof.c', 'if (fixed && word_or_none(ctx))', 'if (false)'), ('proof.c', 'if (fixed) ctx->rest = copy;', ''), ('proof.c', 'if (fixed) ctx->rest = rest;', '(void)rest;')),
    'walk_adds': (MEETS, MET[:8] + ['do 3 0'] + MET[9:] + ['claim regret 1 0.75'], SHORT, ('bound.c', 'here[w.to[i] * K + k] += x[k]', 'here[w.to[i] * K + k] = x[k]')),
    'walk_hardly': (JACKPOT, ['plan exact-ccl 0 2 0 1e-09', 'node 0 0 0 - *', 'node 1 1 2 0', 'do 0 1', 'do 1 0', 'tree regret 3', 'walk 1 2 0=1 ;', 'claim regret 1.001 0.5'], SHORT, ('bound.c', 'return told;', 'return 0;')),
    'walk_keeps': (EITHER, STOCHASTIC + ['walk 1 1 0=0.5 1=0.5 ; 0=1', 'claim regret 1 0.9'], SHORT, ('bound.c', 'earn[k] += part *', 'earn[k] += 0 *')),
    'walk_follows': (MEETS, MET[:8] + ['do 3 0', 'tree regret 4', 'walk 1 3 0=0.5 1=0.5 ;', 'claim regret 1 0.75'], SHORT, ('bound.c', 'sum += most_of(ctx, w, w->to[to], next, ahead - 1);', '')),
    'walk_told': (MEETS, MET[:8] + ['do 3 0', 'tree regret 4', 'walk 1 0 0=0.5 1=0.5 ;', 'claim regret 1 0.25'], SHORT, ('bound.c', 'worth += w.follow[i * K + k] * w.known', 'worth += 0 * w.known')),
    'walk_corners': (EITHER, STOCHASTIC + ['part 1 0 0 0.5', 'walk 2 1 0=1 ;', 'walk 3 1 1=1 ;', 'claim regret 1 0.75'], SHORT, ('bound.c', 'few ? vertex_next(b, n, &v) :', 'few ? vertex_next(b, n, &v) && v.loose < 1 :')),
    'weighed_kinds': (FLIP, ['plan exact-ccl 0 1 0.5 1e-09', 'node 0 0 0 - *', 'tree regret 2', 'weigh 1 0=1 ;', 'corners 1 0 0=1 ; 1=1', 'empty 2 1=1', 'empty 3 0=1', 'claim infeasible'], 'prove nothing where multipliers are fixed',
                      ('proof.c', 'if (!(kinds[i].flags & FIXED) && weighed(x->at, x->now))', 'if (false)')),
    'nothing_left': (AROUND, ['plan milp-ccl 0 2 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'do 0 0', 'do 1 0', 'tree regret 3', 'give 1 1 0=1 ; ; 1=0', 'branch 1 1', 'claim regret 1 1'], 'no option is left there',
                     ('proof.c', 'if (!c->uncovered)', 'if (false)')),
    'value_without_tree': (LEFT_BEST, ['plan milp-ccl 0 1 1 1e-09 max-min'] + ONE[1:] + ['claim value 0 0'], 'no search tree proves the bound', ('proof.c', 'x->objective == REGRET && mpq_sgn(t->least_claimed) <= 0', 'mpq_sgn(t->least_claimed) <= 0')),
    'infeasible_without_tree': (LEFT_BEST, ONE[:1] + ['claim infeasible'], 'some case may keep the promise', ('proof.c', '(!t->grown || t->finite)) refuted', 't->finite) refuted')),
    'cap_off': (THIRD, ONE[:2] + ['do 0 2', 'tree total 2 1', 'leaf 1 0=1 1=1 ;', 'claim total 2 2', 'claim regret 1 0'], SHORT, ('proof.c', 'mpq_neg(off, t->cap);', '')),
    'give_more': (DEARER, ONE[:2] + ['do 0 0', 'tree regret 2', 'give 1 1.5 0=1 ; ; 0=1', 'pairs 1 1 64', 'claim regret 2 1.5'], 'a policy below the bound may use an option', ('bound.c', 'b->of[0].least = 1;', 'b->of[0].least = 2;')),
    'give_rare': (HALF, ['plan milp-ccl 0 2 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 0 0', 'do 0 0', 'do 1 0', 'do 2 0', 'tree regret 3', 'give 1 1 0=1 ; ; 1=1', 'pairs 1 1 64', 'claim regret 1 1'], 'a policy below the bound may use an option',
                  ('bound.c', '-(-of->least * r->factor.end[DOWN][arc])', 'of->least')),
    'drop_slack': (BARELY, ['plan milp-ccl 0 1 0.5000000000009995 1e-12', 'tree regret 2 * drop', 'empty 1 0=1', 'claim infeasible'], 'do not show that the promise cannot be kept', ('proof.c', 'b->slack = SLACK[level];', 'b->slack = 0;')),
    'drop_of_promises': (MADE_LATER, ['plan milp-ccl 0 1 0 1e-09', 'tree regret 2 * drop', 'empty 1 2=1', 'claim infeasible'], 'do not show that the promise cannot be kept', ('bound.c', 'k * m->J + j', 'k / m->J + j')),
    'mean_broken': (PAID, MEAN + ['claim regret 0 0'], 'does not keep promise 0 on average', ('policy.c', 'found < 0 ? averages_missed(ctx, x, Pr, none, exactly) : found', '(void)none, found')),
    'mean_of_prior': (UNLIKELY, MEAN + ['claim regret 0 0'], 'does not keep promise 0 on average', ('model.c', 'if (given_as) number(', 'if (false) number(')),
    'mean_of_all': (EVEN, MEAN + ['tree regret 2', 'leaf 1 0=1 ; 0=2', 'claim regret 1 0.99'], SHORT, ('policy.c', 'mpq_cmp(part, price) < 0', 'mpq_cmp(part, price) > 0')),
    'mean_of_others': (EVEN, MEAN + ['tree regret 2', 'pairs 1 0 64', 'claim regret 1 1'], SHORT, ('policy.c', 'mpq_sub(rest, rest, level);', '')),
    'mean_alone': (SURE, ['plan milp-ccl 0 1 1 1e-09'] + MEAN[1:2] + ['do 0 1', 'claim regret 1e-8 0'], 'regrets more than is claimed', ('proof.c', 'if (!x->m.average[r % x->m.J]) mpq_set(', 'mpq_set(')),
    'mean_dropped': (PAID, MEAN[:1] + ['tree regret 2 * drop', 'empty 1 0=1 1=1', 'claim infeasible'], 'do not show that the promise cannot be kept', ('proof.c', 'x->most_enough[r] > 0 || mean', 'x->most_enough[r] > 0')),
    'left_elsewhere': (AROUND, ['plan milp-ccl 0 2 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'do 0 0', 'do 1 0', 'tree regret 3', 'give 1 1 0=1 ; ; 1=0', 'leaf 1 0=1 ;', 'claim regret 1 1'], SHORT, ('bound.c', 'return !b->of[0].dead;', 'return !b->of[1].dead;')),
    'leaf_of_history': (BY_TWO_WAYS, ['plan milp-ccl 0 3 0 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'node 3 2 3 0', 'do 0 0', 'do 1 0', 'do 2 0', 'do 3 1', 'tree regret 4', 'leaf 1 0=0.5 1=0.5 ;', 'claim regret 2 0.5'], SHORT,
                        ('graph.c', 'add_key(ctx, r, &r->env[i], sizeof *r->env);', '')),
    'pairs_of_row': (BETWEEN, ONE[:2] + ['do 0 2', 'tree regret 2', 'branch 1 0', 'child 2 1 0', 'child 3 1 1', 'child 4 1 2', 'pairs 4 0 64', 'pairs 2 1 128', 'pairs 3 1 64', 'claim regret 2 1'], SHORT,
                     ('bound.c', '.other = b->sets[row + 1]', '.other = b->sets[row]')),
    'pairs_made_anew': (LATE, ['plan milp-ccl 0 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'do 0 0', 'do 1 0', 'tree regret 3', 'branch 1 1', 'child 2 1 0', 'child 3 1 1', 'pairs 2 0 64', 'pairs 3 0 64', 'claim regret 1 1'], SHORT,
                        ('bound.c', 'return !same;', 'return same;')),
    'groups_search': (EITHER, ['groups 2 own apart'] + FIRST + SECOND + REGRETTED + ['use 0', 'use 1', 'claim groups 1 1'], BETTER, ('proof.c', 'if (can_be_grouped(ctx, g, 0))', 'if (can_be_grouped(ctx, g, 0) && false)')),
    'groups_bound': (EITHER, ['groups 1 own apart'] + part('*', 'plan milp-ccl 0 1 1', 0) + ['use 0', 'claim groups 2 2'], BETTER, ('proof.c', 'mpq_cmp(p->bound, g->bound) >= 0', 'true')),
    'groups_infeasible': (EITHER, ['groups 1 own apart'] + REGRETTED + ['claim infeasible'], BETTER, ('proof.c', '(!infinite && mpq_cmp(', '(mpq_cmp(')),
    'groups_nobody': (EITHER, ['groups 2 own apart'] + FIRST + ['use 0', 'claim groups 0 0'], 'environment 1 is in 0 groups', ('proof.c', 'if (of != 1)', 'if (of > 1)')),
    'groups_too_many': (EITHER, ['groups 1 own apart'] + FIRST + SECOND + ['use 0', 'use 1', 'claim groups 0 0'], '2 groups; expected 1 to 1', ('proof.c', 'g->uses < 1 || g->uses > g->policies', 'g->uses < 1')),
    'groups_no_policy': (FLIP, ['groups 1 own apart', 'part 0,1', 'plan milp-ccl 0 1 0.5 1e-09', 'tree regret 2', 'vectors 1', 'claim infeasible', 'end', 'use 0', 'claim groups 0 0'], 'the policy of part 0 regrets more than is claimed',
                         ('proof.c', '!p->valued || mpq_cmp(p->value', 'mpq_cmp(p->value')),
    'groups_value': (EITHER, ['groups 1 own apart'] + REGRETTED + ['use 0', 'claim groups 0 0'], 'the policy of part 0 regrets more than is claimed', ('proof.c', 'mpq_cmp(p->value, g->value) > 0', 'false')),
    'groups_class': (TOLD, ['groups 1 own whole', 'part *', 'plan milp-ccl 0 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'do 0 0', 'do 1 0', 'tree regret 3', 'vectors 1', 'claim regret 1 1', 'end',
                            'part *', 'plan milp-ccl 1 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 - 0', 'node 2 1 1 - 1', 'do 0 0', 'do 1 0', 'do 2 1', 'claim regret 0 0', 'end', 'use 1', 'claim groups 1 1'],
                     'parts are about other policies', ('proof.c', '(strcmp(x.method, g->x->method) != 0 || x.g.L != g->x->g.L)', 'false')),
    'groups_keep': (NEARLY, ['groups 1 own apart'] + part('*', 'plan milp-ccl 0 1 0.5', 0, 'tree regret 2', 'vectors 1', 'claim regret 1 1') + [line.replace('1e-09', '9.1e-13') for line in part('*', 'plan milp-ccl 0 1 0.5', 0)] + ['use 1', 'claim groups 1 1'],
                    'parts have different tolerances', ('proof.c', 'g->parts && !mpq_equal(x.keep, g->x->keep)', 'false')),
    'groups_all_apart': (FLIP, ['groups 2 all apart'] + part('0', 'plan milp-ccl 0 1 0.5', 0) + part('1', 'plan milp-ccl 0 1 0.5', 1) + ['use 0', 'use 1', 'claim groups 1 0'], 'promises of all environments need all of them',
                         ('proof.c', 'if (g.apart && !g.own)', 'if (false)')),
    'groups_deep_apart': (APART, ['groups 1 own apart', 'part 0,1'] + LATER + ['tree regret 4', 'branch 1 3', 'child 2 1 0', 'child 3 1 1', 'pairs 2 1 64', 'pairs 3 0 64', 'claim regret 1 1', 'end', 'part *'] + LATER + ['claim regret 1 0', 'end', 'use 1', 'claim groups 1 1'],
                          'with L above 0 groups know by all environments', ('proof.c', 'g->apart && x.class != HISTORY && x.g.L > 0', 'false')),
    'groups_of_all': (FLIP, ['groups 2 all whole'] + part('0', 'plan milp-ccl 0 1 0.5', 0) + part('1', 'plan milp-ccl 0 1 0', 1) + ['use 0', 'use 1', 'claim groups 1 0'], 'does not keep promise 0 in environment 1', ('proof.c', 'if (inside || !g->own) mpq_set', 'if (inside) mpq_set')),
    'groups_silent': (EITHER, ['groups 2 own whole'] + part('0', 'plan milp-ccl 0 1 1', 0, 'tree regret 2', 'vectors 1', 'claim regret 1 1') + part('1', 'plan milp-ccl 0 1 0', 1) + ['use 0', 'use 1', 'claim groups 1 1'], SHORT,
                      ('proof.c', 'inside ? all->paid.q[from + c] : most', 'all->paid.q[from + c]')),
    'floor_shifts': (EITHER, ONE + ['floor 0.5', 'tree regret 2', 'leaf 1 0=0.5 1=0.5 ;', 'claim regret 1 0.75'], SHORT,
                     ('proof.c', 'mpq_add(best, x->optimum[DOWN][k], x->m.apart);', 'mpq_set(best, x->optimum[DOWN][k]);')),
    'floor_alone': (EITHER, ONE + ['floor 0.5', 'tree regret 2', 'leaf 1 0=0.5 1=0.5 ;', 'claim regret 1 0.4'], SHORT,
                    ('graph.c', 'if (reached[c] && mpq_cmp(m->paid.q[c], base) > 0) mpq_sub(more, m->paid.q[c], base);', '(void)reached;')),
    'pairs_afresh': (COINS, ['plan milp-ccl 0 1 0.5 1e-09', 'node 0 0 0 - *', 'do 0 2', 'tree regret 2', 'pairs 1 0 2 0.75', 'claim regret 2 0.75'], SHORT, ('proof.c', 'mpq_set_ui(value, 0, 1);\n        for', 'for')),
    'bound_without_tree': (LEFT_BEST, ONE + ['claim regret 1 1'], 'no search tree proves the bound', ('proof.c', 'if (!trivial && !t->grown)', 'if (false)')),
}

# Beside them, what holds, if only just: name: (model, lines after the model's, arithmetic, exit status, what is said).
BESIDE = {
    # A box is of all options of its nodes: lines that would leave one out of it are not for the class.
    'box_left_out': (THIRD, ['plan exact-ccl 0 1 1 1e-09'] + ONE[1:] + ['tree regret 2', 'give 1 0.25 0=0.5 1=0.5 ; ; 0=2', 'part 1 0 0 0.5', 'leaf 2 0=1 ;', 'leaf 3 1=1 ;', 'claim regret 1 0.25'], [], 2, 'give lines prove nothing'),
    'box_dropped': (THIRD, ['plan exact-ccl 0 1 1 1e-09'] + ONE[1:] + ['tree regret 2 * drop', 'leaf 1 0=0.5 1=0.5 ; ; 0 0 0=1 1=-1', 'claim regret 1 0.25'], [], 2, 'a tree of few environments'),
    'floor_raises': (EITHER, ONE + ['floor 0.5', 'tree regret 2', 'leaf 1 0=0.5 1=0.5 ;', 'claim regret 1 0.25'], [], 0, 'verified: maximum regret <= 1, >= 0.25;'),
    'pairs_merged': (FOUR, ['plan milp-ccl 0 2 0.25 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'do 0 0', 'do 1 2', 'do 2 0', 'tree regret 3', 'pairs 1 0 2', 'claim regret 0.4751 0.475'], [], 0, 'verified: maximum regret'),
    'tenths': (TENTHS, ['plan milp-ccl 0 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'do 0 0', 'do 1 0', 'tree regret 3', 'branch 1 0', 'child 2 1 0', 'child 3 1 1', 'leaf 2 1=1 ;', 'leaf 3 0=1 ;', 'claim regret 0.4 0.3'], ['--exact'], 0, 'verified: maximum regret <= 0.3, >= 0.3;'),
    'second_promise': (TWICE, ['plan exact-ccl 0 1 0.25 1e-09', 'node 0 0 0 - *', 'do 0 0=0.25 1=0.25 2=0.5', 'claim regret 0.00001 0'], [], 0, 'verified: maximum regret <= 1e-09, >= 0; every promise kept exactly'),
    'rare_weights': (RARE, ['plan milp-ccl 0 2 1.3e-12 1e-12', 'tree regret 3', 'empty 1 1=1', 'claim infeasible'], ['--interval'], 0, 'verified: no policy of the class'),
    'groups_apart': (EITHER, ['groups 1 own apart'] + REGRETTED + ['use 0', 'claim groups 1 1'], [], 0, '1 policies, milp-ccl, L = 0, T = 1, promises of each group\'s own environments, 1 sets of environments\nverified: maximum regret of each environment\'s own policy <= 1, >= 1; every promise kept exactly'),
    'groups_whole': (FLIP, ['groups 2 own whole'] + part('0', 'plan milp-ccl 0 1 0.5', 0) + part('1', 'plan milp-ccl 0 1 0', 1) + ['use 0', 'use 1', 'claim groups 0 0'], [], 0, 'policy <= 0, >= 0; every promise kept exactly'),
    'groups_none': (FLIP, ['groups 1 own apart', 'part 0,1', 'plan milp-ccl 0 1 0.5 1e-09', 'tree regret 2', 'vectors 1', 'claim infeasible', 'end', 'claim infeasible'], [], 0, 'verified: no such number of policies of the class keeps the promises'),
    'nearest_likelihoods': (TOLD, ['plan history 2 2 1 1e-09', 'like 0 0 0=1 1=1 ; 0', 'like 1 1 0=1 ; 0', 'like 1 1 1=1 ; 1', 'claim regret 0 0'], [], 0, 'verified: maximum regret <= 0, >= 0;'),
    'nearest_first': (TOLD, ['plan history 2 2 1 1e-09', 'like 0 0 0=1 1=1 ; 0', 'like 1 1 0=1 ; 0', 'like 1 1 0=1 ; 1', 'like 1 1 1=1 ; 1', 'claim regret 0 0'], [], 0, 'verified: maximum regret <= 0, >= 0;'),
    'prices_of_seven': (SEVEN, PRICED + ['claim regret 0.5 0.437'], [], 0, 'verified: maximum regret <= 0.5, >= 0.437;'),
    'prices_of_seven_more': (SEVEN, PRICED + ['claim regret 0.5 0.438'], [], 2, SHORT),
    'prices_later': (TOLD, ['plan exact-ccl 0 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'do 0 0', 'do 1 0=0.5 1=0.5', 'tree regret 3', 'leaf 1 0=0.5 1=0.5 ; ; 1 0 0=0.5 1=-0.5', 'claim regret 0.5 0.499999'], [], 0, '<= 0.5, >= 0.499999;'),
    'walk_prices': (TOLD, ['plan exact-ccl 0 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'do 0 0', 'do 1 0=0.5 1=0.5', 'tree regret 3', 'walk 1 2 0=0.5 1=0.5 ; ; 1 0 0=0.5 1=-0.5', 'claim regret 0.5 0.499999'], [], 0, '<= 0.5, >= 0.499999;'),
    'tenths_mixed': (TENTHS, ['plan exact-ccl 0 2 1 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'do 0 0=0.5 1=0.5', 'do 1 0', 'do 2 0', 'tree regret 3', 'leaf 1 0=0.5 1=0.5 ;', 'claim regret 0.15 0.15'], ['--exact'], 0, '<= 0.15, >= 0.15;'),
    'pairs_nothing': (FLIP, ['plan milp-ccl 0 1 0.5 1e-09', 'node 0 0 0 - *', 'tree regret 2', 'branch 1 0', 'child 2 1 0', 'child 3 1 1', 'pairs 2 1 64 -', 'pairs 3 0 64 -', 'claim infeasible'], [], 0, 'verified: no policy of the class'),
    'walk_forgets': (LIKELIER, FORGETS[:-1] + ['weigh 1 0=0.5 1=0.5 ;', 'corners 1 0 0=1', 'corners 2 1 0=1', 'corners 3 2 0=1', 'walk 4 4', 'claim regret 1.0001 0.9999'], [], 0, '>= 0.9999;'),
    'walk_rows': (LIKELIER, FORGETS + ['claim regret 1.0001 0.2499'], [], 0, '>= 0.2499;'),
    'walk_rows_more': (LIKELIER, FORGETS + ['claim regret 1.0001 0.26'], [], 2, SHORT),
    'give_twice': (LEFT_BEST, ONE + ['tree regret 2'] + 2 * ['give 1 1 0=1 ; ; 0=1'], [], 2, 'options of this case are given up already'),
    'before_release': (LEFT_BEST, ['plan milp-ccl 0 1 1 9.9990066613381481e-10'] + ONE[1:] + ['claim regret 0.5 0'], [], 2, 'regrets more than is claimed; before the release of 0.2.0 U* had no tolerance'),
    'two_claims': (LEFT_BEST, ONE + ['tree regret 2', 'vectors 1', 'claim regret 1 1', 'claim infeasible'], [], 2, 'two claims that exclude each other'),
    'probability_0': (LEFT_BEST.replace(b'["s", "b", "s", 1.0]', b'["s", "b", "s", 1.0], ["s", "b", "s", 0]'), ONE + ['claim regret 1 0'], [], 0, 'verified: maximum regret <= 1, >= 0;'),
    'groups_observe': (TOLD, ['groups 2 own apart', 'part 1', 'plan history 2 2 1 1e-09', 'like 0 0 0=1 ; 0', 'like 1 1 0=1 ; 1', 'claim regret 0 0', 'end', 'part *', 'plan history 2 2 1 1e-09', 'like 0 0 0=1 1=1 ; 0', 'like 1 1 0=1 ; 0', 'like 1 1 1=1 ; 1', 'claim regret 0 0', 'end', 'use 1', 'claim groups 0 0'], [], 0, 'policy <= 0, >= 0;'),
    'walk_deep': (model('s', 'a b', 2001, 0, same('s', 's'), ([], ['s a 1']), home=('s',)), ['plan exact-ccl 0 2001 0 1e-09', 'tree regret 2002', 'walk 1 2001 0=1 ;'], [], 2, '"2001" is no number from 0 to 2000'),
    'walk_meets': (MEETS, MET + ['claim regret 0.5000001 0.499999'], [], 0, '<= 0.5, >= 0.499999;'),
    'pairs_of_sums': (WIDE, ['plan milp-ccl 0 2 0.25 1e-09', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'node 3 1 3 0', 'do 0 0', 'do 1 2', 'do 2 2', 'do 3 2', 'tree regret 3', 'pairs 1 0 2', 'claim regret 2 0'], [], 0, 'verified: maximum regret'),
    'vectors_all': (BETWEEN, ONE[:2] + ['do 0 2', 'tree regret 2', 'vectors 1', 'claim regret 2 2'], [], 2, SHORT),
    'total_not_claimed': (THIRD, ONE[:2] + ['do 0 2', 'tree total 2 0.5', 'vectors 1', 'claim regret 1 0'], [], 0, 'verified: maximum regret <= 1, >= 0;'),
}
# Rows of two promises: k0 has the first two, k1 the others.
for name, row, words in ('own', 0, 'verified: maximum regret <= 1'), ('own_last', 1, 'verified: maximum regret <= 1'), ('other', 2, 'the tree is not about environment 1'), ('other_last', 3, 'the tree is not about environment 1'):
    BESIDE['few_rows_' + name] = (MADE_LATER, ['plan milp-ccl 0 1 0 1e-09'] + ONE[1:] + ['tree regret 2 0', 'leaf 1 0=1 ; %d=1' % row, 'claim regret 1 0'], [], 2 * (row > 1), words)
# Whoever comes to m does one of two actions there, which are given up: no policy is left at the start.
BESIDE['left_later'] = (LATE, ['plan milp-ccl 0 2 1 1e-09 max-min', 'node 0 0 0 - *', 'node 1 1 1 0', 'do 0 0', 'do 1 1', 'tree value 3', 'give 1 -1 0=1 ; ; 1=0 1=1', 'empty 1', 'claim value 1 1'], [], 0, 'verified: least value >= 1, <= 1;')
# Nobody comes to z, whose reward would leave no digits to the others.
BESIDE['never_collected'] = (model('s z', 'a b', 1, 1, same('s', 's') + same('z', 'z'), ([], ['s a 1']), ([], ['s b 1']), home=('s',), rewards=['z a -1e20']),
                             COIN + ['leaf 1 0=0.5 1=0.5 ;', 'claim regret 1 0.5'], [], 0, 'verified: maximum regret <= 1, >= 0.5;')
BESIDE['mean_of_groups'] = (EVEN, ['groups 2 own apart', 'part 0', MEAN[0], 'do 0 0', 'claim regret 1 0', 'end', 'use 0', 'claim groups 1 0'], [], 2, 'one of a policy for all environments')
BESIDE['mean_kept'] = (EVEN, MEAN[:2] + ['do 0 1', 'claim regret 0 0'], [], 0, 'p = 0.5 on average')
BESIDE['mean_empty'] = (over_prior(0.6, [], (['s a G', 's b B'], []), (['s a B', 's b G'], [])), ['plan milp-ccl 0 1 0.6 1e-09', 'tree regret 2', 'empty 1 0=1 1=1', 'claim infeasible'], [], 0, 'verified: no policy')
for name, old, new, words in (('negative', '"k0": 1', '"k0": -1', 'a prior that is negative'), ('zero', '"k0": 1, "k1": 3', '"k0": 0, "k1": 0', 'the prior is 0 in every environment'), ('missing', '"k0": 1, ', '', 'names some environments only'),
                              ('over', '"over": "prior"', '"over": "all"', 'over another thing than the prior'), ('several', '"probability": 0.5', '"probability": {"k0": 0.5, "k1": 0.5}', 'with several probabilities')):
    BESIDE['mean_' + name] = (UNLIKELY.replace(old.encode(), new.encode()), MEAN, [], 1, words)
BESIDE['erring'] = (ERRING, ERRS[:3] + ['nature 0 0', 'do 0 1', 'tree regret 2', 'branch 1 0', 'child 2 1 0', 'child 3 1 1', 'empty 2 1=1', 'leaf 3 0=1 ;', 'claim regret 1 1'], [], 0, 'p = 0.5, within 0.05\nverified: maximum regret <= 1, >= 1;')
BESIDE['erring_more'] = (ERRING, ERRS, ['--within', '0.1'], 2, 'another error')
BESIDE['erring_less'] = (ERRING, [line.replace('0.05', '0.01') for line in ERRS], ['--within', '0.01'], 0, 'within 0.01')
BESIDE['erring_untold'] = (ERRING, ERRS[:1] + ERRS[2:], [], 2, 'expected "within"')
BESIDE['erring_too_much'] = (ERRING, ERRS, ['--within', '1.5'], 1, 'expected a number from 0 to 1')
BESIDE['limits'] = (LEAST, ['plan milp-ccl 0 1 0.35 1e-09', 'within 0.05', 'node 0 0 0 - *', 'do 0 0', 'claim regret 0 0'], ['-p', '0.35'], 0, 'p = 0.35, within limits and 0.05')
BESIDE['limits_nobody'] = (LEAST, ['plan milp-ccl 0 1 0.41 1e-09', 'within 0.05', 'nature 0 0', 'tree regret 2', 'empty 1 1=1', 'claim infeasible'], ['-p', '0.41'], 0, 'verified: no policy')
BESIDE['nature_late'] = (UNREACHED, ['plan milp-ccl 0 1 0 1e-09', 'nature 0 0', 'tree regret 2', 'nature 1 0', 'claim infeasible'], [], 2, 'a nature behind lines of cases')
for name, old, new, words in (('one', '[0.45, 1]', '[0.45]', 'limits of a probability are not two'), ('turned', '[0, 0.95]', '[0.95, 0]', 'is above the upper one'), ('low', '[0, 0.95]', '[0.6, 0.95]', 'do not sum to 1'),
                              ('high', '[0.45, 1]', '[0, 0.01]', 'do not sum to 1'), ('far', '[0, 0.95]', '[-1, 0.95]', 'not within 0 and 1'), ('error', '"within": 0.05', '"within": 1.5', 'no number from 0 to 1')):
    BESIDE['limits_' + name] = (LEAST.replace(old.encode(), new.encode()), ERRS, [], 1, words)
# The work that a proof costs is the same on any machine.
for name, work in ('pairs_merged', 100991), ('total_not_claimed', 37890), ('groups_apart', 32458), ('rare_weights', 47817), ('tenths', 67298), ('prices_later', 49887), ('pairs_of_sums', 154163):
    for less, status, words in (0, 0, 'verified: '), (1, 3, 'the limit of its work is reached'):
        BESIDE['work_of_%s_less_%d' % (name, less)] = BESIDE[name][:2] + (BESIDE[name][2] + ['--work-limit', str(work - less)], status, words)
BESIDE['tenths_rounded'] = BESIDE['tenths'][:2] + (['--interval'], 2, SHORT)


def fingerprint(data):
    h = 14695981039346656037
    for b in data:
        h = (h ^ b) * 1099511628211 % 2**64
    return '%016x' % h


def run(program, path, proof, *options):
    done = subprocess.run([program, *options, path, proof], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    return done.returncode, done.stdout.decode(errors='replace').strip()


class Builder:
    """vouch-check without one test: what is not changed is compiled once."""

    def __init__(self, folder):
        self.folder, self.objects = folder, {}
        for name in sorted(os.listdir(SOURCE)):
            if name.endswith('.c'):
                self.objects[name] = self.compile(os.path.join(SOURCE, name), name[:-2] + '.o')

    def compile(self, source, name):
        out = os.path.join(self.folder, name)
        subprocess.run(CC.split() + FLAGS + ['-c', source, '-o', out], check=True)
        return out

    def without(self, name, changes):
        objects = dict(self.objects)
        texts = {}
        for file, old, new in changes:
            if file not in texts:
                with open(os.path.join(SOURCE, file)) as f:
                    texts[file] = f.read()
            assert texts[file].count(old) == 1, '%s: "%s" stands %d times in %s' % (name, old, texts[file].count(old), file)
            texts[file] = texts[file].replace(old, new)
        for file, text in texts.items():
            changed = os.path.join(self.folder, file)
            with open(changed, 'w') as f:
                f.write(text)
            objects[file] = self.compile(changed, 'changed_' + file[:-2] + '.o')
        out = os.path.join(self.folder, 'check')
        subprocess.run(CC.split() + ['-o', out] + list(objects.values()) + '-ljson-c -lgmp -lz -lm'.split(), check=True)
        return out


def stands(file, text):
    with open(os.path.join(SOURCE, file)) as f:
        return f.read().count(text)


def write(path, proof, data, lines):
    with open(path, 'wb') as out:
        out.write(data)
    head = ['vouch-proof 2', 'model %s %d' % (fingerprint(data), len(data))]
    with open(proof, 'w') as out:
        out.write('\n'.join(head + lines + ['complete %d' % (len(lines) + 3)]) + '\n')


def main():
    path, proof = os.path.join(FOLDER, 'forged.json'), os.path.join(FOLDER, 'forged.vproof')
    builder = Builder(FOLDER) if CC else None
    for name, (data, lines, arithmetic, status, words) in BESIDE.items():
        write(path, proof, data, lines)
        code, said = run(CHECK, path, proof, *arithmetic)
        say(code == status and words in said, 'beside_' + name, 'exit %d %s' % (code, said))
    for name, (data, lines, words, *changes) in FORGED.items():
        write(path, proof, data, lines)
        say(all(stands(file, old) == 1 for file, old, new in changes), 'test_of_' + name, 'what is taken out does not stand once in the source')
        for arithmetic in ARITHMETIC:
            code, said = run(CHECK, path, proof, *arithmetic)
            say(code == 2 and said.startswith('refuted: line ') and words in said, 'forged_%s%s' % (name, ''.join(arithmetic).replace('--', '_')), 'exit %d %s' % (code, said))
        if builder:
            code, said = run(builder.without(name, changes), path, proof)
            say(code == 0, 'only_by_' + name, 'exit %d %s' % (code, said))


main()
