"""bench/broken.py VOUCH_CHECK [FOLDER]: the proofs of a deliberately broken vouch are refuted.

Copies the sources, breaks one thing at a time, builds, and has this vouch prove models of all shapes. What it then claims wrongly must be refuted, and what is still true may be
verified: a bound must not be above the optimum that the unbroken vouch has found, nor a value below it. The exit status is 1 if a false claim was accepted. --named in the place of
VOUCH_CHECK only looks whether the lines to break are there.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

CHECK = os.path.abspath(sys.argv[1])
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
BROKEN = [
    ('nothing', ('src/plan/proof.c', '', '')),
    ('bound raised by 1e-3', ('src/plan/proof.c', 'bound = fmax(0, fmin(bound, value) - off);', 'bound = fmax(0, fmin(bound, value) - off) + 1e-3;')),
    ('value lowered by 1e-3', ('src/plan/proof.c', 'what, value + off, bound', 'what, value - 1e-3, bound')),
    ('a child forgotten', ('src/plan/search/search.c', 'for (int i = 0; i < o->children && !status; i++)', 'for (int i = 1; i < o->children && !status; i++)')),
    ('a child forgotten, and not said to be parted', ('src/plan/search/proof_writer.c', 'if (g->choice_twin[first + i] != first + i || has_child', 'if (i > 0 || g->choice_twin[first + i] != first + i || has_child')),
    ('options given up that are in use', ('src/plan/colgen/colgen.c', '!(cg->option_loss[o] < room)', '!(cg->option_loss[o] < 0.1 * room)')),
    ('nodes cut off too early', ('src/plan/heuristic/incumbent.c', 'incumbent_value(inc) - gap', 'incumbent_value(inc) - gap - 0.05')),
    ('a half of a box forgotten', ('src/plan/spatial/certify.c', 'for (int upper = 0; upper < 2 && !status; upper++) {\n        set_box', 'for (int upper = 1; upper < 2 && !status; upper++) {\n        set_box')),
    ('boxes parted elsewhere than is said', ('src/plan/box_proof.c', 'proof_action(w, choice), at)', 'proof_action(w, choice), at * 0.9)')),
    ('prices that are not given back', ('src/plan/spatial/box_bound.c', 'if (!any) return 0;', 'if (any || !any) return 0;')),
    ('p = 1 drops pairs that miss', ('src/know/pairs.c', 'p->end_q[item], 0, 0};\n        n = 1;', 'p->end_q[item], 0, 0};\n        n = p->end_q[item] > 0;')),
    ('U* too large', ('src/plan/search/proof_writer.c', 'cg->weight[k] * space->optimal[k]', '1.01 * cg->weight[k] * space->optimal[k]')),
    ('options left out that are better', ('src/plan/reduce/dominance.c', 'if (!(least[k] >= near * most[k])', 'if (!(least[k] >= near * most[k] - 0.3)')),
    ('multipliers of other environments', ('src/plan/search/proof_writer.c', 'w->row ? w->row[k] : k', 'k')),
    ('a tree about fewer environments', ('src/plan/search/proof_writer.c', 'k < w->space->K && w->row', 'k + w->space->m->group < w->space->K && w->row')),
    # vectors stood for nodes of every search; what is proved has them of the root alone, where nothing is lost by it
    ('p = 1 drops vectors that miss', ('src/know/pareto.c', '1 - least * (1 - v[K + k]) < mk->accepted[k]', 'mk->accepted[k] > 1 - 1e-6'),
     ('src/plan/ccl.c', 'so.for_root = call->proof != NULL', 'so.for_root = false'),
     ('src/plan/schedule.c', 's->by_vectors = call->proof && s->space->f', 's->by_vectors = false')),
]
MODELS = [('t-maze', '1'), ('t-maze --size 4,2,2,3', '2'), ('t-maze', '3'), ('random --states 6 --actions 3 --environments 3 -T 5 -p 0.3 --seed 5', '1'),
          ('random --states 6 --actions 3 --environments 4 -T 5 -p 0.4 --branching 3 --seed 6', '0'), ('twin-states -T 7', '1'), ('lookahead', '1'), ('leak', '1'),
          ('random --states 3 --actions 2 --environments 9 -T 3 -p 0 --branching 2 --seed 3', '0'),
          ('random --states 5 --actions 3 --environments 4 -T 6 -p 0.5 --seed 9', '2')]
BOXES = [('random --states 4 --actions 2 --environments 3 -T 5 -p 0.3 --branching 2 --seed 17', '0'), ('random --states 4 --actions 2 --environments 2 -T 5 -p 0.3 --branching 2 --seed 7', '0'),
         ('random --states 6 --actions 2 --environments 3 -T 4 -p 0.3 --branching 3 --seed 13', '0')]
GAP = 1e-4  # of the optimum of boxes


def write_leak(path):
    """A promise of p = 1 that all policies miss by 3e-10, which counts as kept: nothing that misses it may be left out of what bounds are made of."""
    environments = [{'name': name, 'transitions': [['s', 'go', 'goal', .9999999997], ['s', 'go', 'lost', 3e-10], ['goal', 'x', 'goal', 1], ['goal', 'y', 'goal', 1], ['lost', 'x', 'lost', 1]],
                     'rewards': [['goal', 'x', x], ['goal', 'y', 3 - x]]} for name, x in (('one', 1), ('two', 2.5))]
    json.dump({'vouch': 1, 'name': 'leak', 'states': ['s', 'goal', 'lost'], 'actions': ['go', 'x', 'y'], 'initial': 's', 'horizon': 5,
               'commitment': {'states': ['goal'], 'probability': 1}, 'environments': environments}, open(path, 'w'))


def plan(vouch, model, lookahead, proof, boxes):
    how = ['--method', 'exact-ccl', '--certify'] if boxes else ['--tie-break', 'none']
    done = subprocess.run([vouch, 'plan', model, '-L', lookahead, '--json', *how, '--time-limit', '20', '--proof', proof, '--check-limit', '1'], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return json.loads(done.stdout) if done.stdout else {'status': 'none'}


def named():
    missing = [what for what, *edits in BROKEN for path, old, _ in edits if old not in open(os.path.join(ROOT, path)).read()]
    print('nothing to break: ' + ', '.join(missing) if missing else 'all named')
    sys.exit(1 if missing else 0)


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ('src', 'include', 'Makefile'):
            (shutil.copytree if os.path.isdir(os.path.join(ROOT, name)) else shutil.copy)(os.path.join(ROOT, name), os.path.join(folder, name))
        model, proof, optimum = os.path.join(folder, 'm.json'), os.path.join(folder, 'm.vproof'), {}
        for what, *edits in BROKEN:
            whole = {os.path.join(folder, path): open(os.path.join(folder, path)).read() for path, _, _ in edits}
            for path, old, new in edits:
                path = os.path.join(folder, path)
                text = open(path).read()
                if old not in text:
                    sys.exit('nothing to break: ' + what)
                open(path, 'w').write(text.replace(old, new) if old else text)
            subprocess.run(['make', '-s', '-C', folder, 'build/vouch'], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            count = dict.fromkeys(('refuted', 'not proved', 'true and verified', 'FALSE AND ACCEPTED'), 0)
            for words, lookahead in MODELS + BOXES:
                vouch = os.path.join(folder, 'build/vouch')
                if words == 'leak':
                    write_leak(model)
                else:
                    subprocess.run([vouch, 'generate', *words.split(), '-o', model], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                boxes = (words, lookahead) in BOXES
                out = plan(vouch, model, lookahead, proof, boxes)
                if what == 'nothing':
                    optimum[words, lookahead] = out['max_regret']
                best = optimum[words, lookahead]
                said = subprocess.run([CHECK, '-L', lookahead, model, proof], stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()
                found = re.search(r'maximum regret <= (\S+), >= (\S+);', said)
                if said.startswith('refuted'):
                    count['refuted'] += 1
                elif not found or float(found.group(2)) > best + 1e-6 or float(found.group(1)) < best - 1e-6 - GAP * boxes:
                    count['FALSE AND ACCEPTED'] += 1
                else:
                    count['true and verified' if out['status'] == 'optimal' else 'not proved'] += 1
            print('%-45s %s' % (what, count), flush=True)
            wrong += count['FALSE AND ACCEPTED']
            for path, text in whole.items():
                open(path, 'w').write(text)
    sys.exit(1 if wrong else 0)


named() if sys.argv[1] == '--named' else main()
