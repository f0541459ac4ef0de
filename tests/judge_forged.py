"""tests/judge_forged.py CHECK FOLDER [CC]: proofs whose lines stand where their lemma does not hold are refuted, each by the one test of vouch-check that is about it.

src/check/FORMAT.md says of every kind of line which preconditions it has and where each is tested. Here is a proof for each of them that only this test refuses. With a compiler, CC, it is
shown that no other does: vouch-check is built once for each proof without that test, and then calls the false claim verified.
"""
import json
import os
import shutil
import subprocess
import sys

CHECK, FOLDER = sys.argv[1:3]
CC = sys.argv[3] if len(sys.argv) > 3 else None
SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'src', 'check')
FLAGS = ['-std=c11', '-O1', '-D_GNU_SOURCE', '-frounding-math', '-I' + os.path.dirname(SOURCE)]
ARITHMETIC = ([], ['--exact'], ['--interval'])


def say(good, name, why=''):
    print('ok ' + name if good else 'not ok %s: %s' % (name, why))


def model(states, actions, T, p, common, *environments, rewards=(), home=('G',), **more):
    """Rows are "s a next" with a probability behind it, or 1; environments: (transitions, rewards)."""
    def rows(lines, numbered):
        return [line.split()[:numbered] + [float(x) for x in (line.split()[numbered:] or ['1'])] for line in lines]
    top = {'vouch': 1, 'states': states.split(), 'actions': actions.split(), 'initial': states.split()[0], 'horizon': T,
           'commitment': {'states': list(home), 'probability': p}, 'transitions': rows(common, 3), 'rewards': rows(rewards, 2),
           'environments': [{'transitions': rows(t, 3), 'rewards': rows(r, 2)} for t, r in environments], **more}
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
BROKEN = model('s G B', 'a b', 1, 1, ['s a G', 's b B'], ([], []))
ONE = ['plan milp-ccl 0 1 1 1e-09', 'node 0 0 0 - *', 'do 0 1']
COIN = ['plan history 1 1 1 1e-09', 'node 0 0 0 - *', 'do 0 0', 'tree regret 2']
SHORT = 'the tree proves less than the bound claimed'

# name: (model, lines after the model's, L, what is said, (file, what is replaced, by what) of the test that is taken out)
FORGED = {
    'vectors_not_sure': (CROSSED, ['plan milp-ccl 0 2 1 1e-09', 'tree regret 3', 'vectors 1', 'claim infeasible'], 'some case may keep the promise',
                         ('points.c', 'in(at->alone ? n->set : n->sure, k)', 'in(n->set, k)')),
    'vectors_nothing_left': (LEFT, ['plan milp-ccl 0 3 0 1e-09', 'tree regret 4', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'node 3 2 3 0', 'node 4 2 4 0', 'node 5 2 5 0', 'give 1 1 1=1 ; ; 4=0', 'vectors 1',
                                    'do 0 1', 'do 1 0', 'do 2 0', 'do 3 0', 'do 4 0', 'do 5 0', 'claim regret 1 1'], 'the tree proves less than the bound claimed',
                             ('points.c', 'more->count == 0 && !sure', 'false')),
    'child_missing': (LEFT_BEST, ONE + ['tree regret 2', 'branch 1 0', 'child 2 1 1', 'pairs 2 0 64', 'claim regret 1 1'], 'case 1 has an option without a child',
                      ('tree.c', 't->item[c].on >= 0 && t->item[c].uncovered', 'false')),
    'case_open': (LEFT_BEST, ONE + ['tree regret 2', 'branch 1 0', 'child 2 1 0', 'child 3 1 1', 'pairs 3 0 64', 'claim regret 1 1'], 'case 2 is not bounded',
                  ('tree.c', 't->item[c].on < 0 && !t->item[c].closed', 'false')),
    'leaf_sum': (EITHER, COIN + ['leaf 1 0=1 1=1 ;', 'claim regret 1 1'], 'do not sum to 1', ('tree.c', 'mpq_cmp_ui(sum, 1, 1) != 0', 'false')),
    'class_of_line': (EITHER, COIN + ['vectors 1', 'claim regret 1 1'], 'vectors lines prove nothing of the policies', ('tree.c', '!(kinds[i].classes >> x->class & 1)', 'false')),
    'few_multiplier': (LEFT_BEST, ONE + ['tree regret 2 0', 'leaf 1 1=1 ;', 'claim regret 1 1'], 'the tree is not about environment 1', ('tree.c', 'used && !in(t->of, k)', 'false')),
    'give_used': (LEFT_BEST, ONE + ['tree regret 2', 'give 1 1 0=1 ; ; 0=0', 'pairs 1 0 64', 'claim regret 1 1'], 'a policy below the bound may use an option',
                  ('tree.c', '!bound_short(&t->bound, outward(x->value, UP))', 'false')),
    'give_counts': (LEFT_BEST, ONE + ['tree regret 2', 'give 1 0 0=1 ; ; 0=0', 'pairs 1 0 64', 'claim regret 1 1'], SHORT, ('tree.c', 'if (some) take(t, x->here);', '')),
    'drop_worse': (LEFT_BEST, ONE + ['tree regret 2 * drop', 'pairs 1 0 64', 'claim regret 1 1'], SHORT,
                   ('dominance.c', 'if (!(less <= NEAR * y[width + i]) || !isfinite(less)) return false;', '(void)NEAR, less = 0;')),
    'cap': (THIRD, ONE[:2] + ['do 0 2', 'tree total 2 0.5', 'vectors 1', 'claim total 2 2', 'claim regret 1 0'], "the cap is below the policy's maximum regret",
            ('proof.c', 'mpq_cmp(t[1].cap, value[0]) < 0', 'false')),
    'promise_broken': (BROKEN, ONE + ['claim regret 0 0'], 'does not keep promise 0 in environment 0', ('policy.c', 'if (mpq_cmp(regret, x->enough[row]) < 0)', 'if (false)')),
    'value': (LEFT_BEST, ONE + ['claim regret 0.5 0'], 'regrets more than is claimed', ('proof.c', 'mpq_cmp(value, t->value) > 0', 'false')),
    'empty': (LEFT_BEST, ONE[:1] + ['tree regret 2', 'empty 1 0=1', 'claim infeasible'], 'do not show that the promise cannot be kept', ('tree.c', 'lagrangian(x, false, BOUNDS) && mpq_sgn(x->value) <= 0', 'lagrangian(x, false, BOUNDS) && false')),
    'infeasible_of_bounds': (LEFT_BEST, ONE[:1] + ['tree regret 2', 'leaf 1 0=1 ;', 'claim infeasible'], 'some case may keep the promise', ('proof.c', '!t->grown || t->finite', '!t->grown')),
    'bound_without_tree': (LEFT_BEST, ONE + ['claim regret 1 1'], 'there is no tree for the bound', ('proof.c', 'if (!trivial && !t->grown)', 'if (false)')),
}


def fingerprint(data):
    h = 14695981039346656037
    for b in data:
        h = (h ^ b) * 1099511628211 % 2**64
    return '%016x' % h


def run(program, path, proof, *options):
    done = subprocess.run([program, *options, path, proof], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
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
        for file, old, new in changes:
            with open(os.path.join(SOURCE, file)) as f:
                text = f.read()
            assert text.count(old) == 1, '%s: "%s" stands %d times in %s' % (name, old, text.count(old), file)
            changed = os.path.join(self.folder, file)
            with open(changed, 'w') as f:
                f.write(text.replace(old, new))
            objects[file] = self.compile(changed, 'changed_' + file[:-2] + '.o')
        out = os.path.join(self.folder, 'check')
        subprocess.run(CC.split() + ['-o', out] + list(objects.values()) + '-ljson-c -lgmp -lz -lm'.split(), check=True)
        return out


def main():
    path, proof = os.path.join(FOLDER, 'forged.json'), os.path.join(FOLDER, 'forged.vproof')
    builder = Builder(FOLDER) if CC else None
    for name, (data, lines, words, *changes) in FORGED.items():
        with open(path, 'wb') as out:
            out.write(data)
        head = ['vouch-proof 2', 'model %s %d' % (fingerprint(data), len(data))]
        with open(proof, 'w') as out:
            out.write('\n'.join(head + lines + ['complete %d' % (len(lines) + 3)]) + '\n')
        for arithmetic in ARITHMETIC:
            code, said = run(CHECK, path, proof, *arithmetic)
            say(code == 2 and said.startswith('refuted: line ') and words in said, 'forged_%s%s' % (name, ''.join(arithmetic).replace('--', '_')), 'exit %d %s' % (code, said))
        if builder:
            code, said = run(builder.without(name, changes), path, proof)
            say(code == 0, 'only_by_' + name, 'exit %d %s' % (code, said))


main()
