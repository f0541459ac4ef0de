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

# name: (model, lines after the model's, L, what is said, (file, what is replaced, by what) of the test that is taken out)
FORGED = {
    'vectors_not_sure': (CROSSED, ['plan milp-ccl 0 2 1 1e-09', 'tree regret 3', 'vectors 1', 'claim infeasible'], 'some case may keep the promise',
                         ('points.c', 'in(at->alone ? n->set : n->sure, k)', 'in(n->set, k)')),
    'vectors_nothing_left': (LEFT, ['plan milp-ccl 0 3 0 1e-09', 'tree regret 4', 'node 0 0 0 - *', 'node 1 1 1 0', 'node 2 1 2 0', 'node 3 2 3 0', 'node 4 2 4 0', 'node 5 2 5 0', 'give 1 1 1=1 ; ; 4=0', 'vectors 1',
                                    'do 0 1', 'do 1 0', 'do 2 0', 'do 3 0', 'do 4 0', 'do 5 0', 'claim regret 1 1'], 'the tree proves less than the bound claimed',
                             ('points.c', 'more->count == 0 && !sure', 'false')),
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
