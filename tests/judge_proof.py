"""tests/judge_proof.py VOUCH CHECK FOLDER [MUTANTS [SEED]]: proofs of models of all shapes are verified, and what has been made false of them is not.

Every proof is changed in MUTANTS places, one at a time: a digit, a sign, a multiplier, a line dropped, doubled or swapped, an action, a case, a claim. A changed proof may
still hold (a multiplier that is a little worse proves nearly as much), so what is asked of one that is accepted is that what the checker says is true of the optimum known.
"""
import json
import os
import random
import re
import subprocess
import sys

from judging import judged, say
from proof_models import generate

VOUCH, CHECK, FOLDER = sys.argv[1:4]
MUTANTS = int(sys.argv[4]) if len(sys.argv) > 4 else 12
DRAW = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
SHAPES = [('twin-states -T 5', '0'), ('twin-states -T 5', '1'), ('twin-states -T 4', '4'), ('t-maze', '0'), ('t-maze', '3'),
          ('t-maze --size 3,2,2,2 -T 8 -p 0.5', '1'), ('lookahead', '1'), ('lookahead', '3'),
          ('random --states 4 --actions 2 --environments 3 -T 5 -p 0.3 --branching 2 --seed 17', '1'),
          ('random --states 5 --actions 3 --environments 2 -T 4 -p 0.4 --seed 3', '0'),
          ('random --states 5 --actions 3 --environments 3 -T 4 -p 0.4 --seed 4 --shared-transitions', '2'),
          ('random --states 6 --actions 3 --environments 4 -T 5 -p 0.2 --seed 8', '0'),
          ('random --states 3 --actions 3 --environments 9 -T 4 -p 0.2 --branching 2 --seed 4', '0'),
          ('random --states 6 --actions 3 --environments 3 -T 4 -p 0.3 --branching 2 --seed 5 + promises', '1'),
          ('random --states 5 --actions 3 --environments 2 -T 3 -p 0.2 --branching 2 --seed 552999 + promises', '2')]
BOXES = [('random --states 4 --actions 2 --environments 3 -T 5 -p 0.3 --branching 2 --seed 17', '0', 'regret'),
         ('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --branching 2 --seed 7', '0', 'regret'),
         ('random --states 3 --actions 3 --environments 3 -T 3 -p 0.3 --branching 2 --seed 19 + twin', '0', 'regret'),
         ('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --branching 2 --seed 7', '0', 'max-min'),
         ('random --states 4 --actions 2 --environments 3 -T 4 -p 0.3 --branching 2 --seed 14 + promises', '0', 'regret'),
         ('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --branching 2 --seed 1', '0', 'regret')]
SLACK = 1e-9


def check(model, proof, *options):
    return judged(CHECK, model, proof, *options)


def figures(said):
    """What is shown at most and at least of a regret, or of a value with the other sign."""
    found = re.search(r'maximum regret <= (\S+), >= (\S+);', said)
    if found:
        return float(found.group(1)), float(found.group(2))
    found = re.search(r'(?:least|weighted) value >= (\S+), <= (\S+);', said)
    return (-float(found.group(1)), -float(found.group(2))) if found else None


def numbered(lines):
    """The last line counts all lines."""
    return lines[:-1] + ['complete %d' % len(lines)]


def mutate(lines):
    lines = list(lines)
    at = DRAW.randrange(2, len(lines) - 1)
    kind = DRAW.choice(['digit', 'digit', 'digit', 'word', 'drop', 'double', 'swap', 'sign', 'action', 'claim', 'cut'])
    if kind == 'digit':
        places = [i for i, c in enumerate(lines[at]) if c.isdigit()]
        i = DRAW.choice(places) if places else 0
        lines[at] = lines[at][:i] + DRAW.choice('0123456789') + lines[at][i + 1:]
    elif kind == 'word':
        words = lines[at].split(' ')
        words[DRAW.randrange(len(words))] = DRAW.choice(lines[DRAW.randrange(2, len(lines))].split(' '))
        lines[at] = ' '.join(words)
    elif kind == 'drop':
        del lines[at]
    elif kind == 'double':
        lines.insert(at, lines[at])
    elif kind == 'swap':
        other = DRAW.randrange(2, len(lines) - 1)
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 'sign':
        lines[at] = re.sub(r'=(\d)', r'=-\1', lines[at], count=1)
    elif kind == 'action':
        rules = [i for i, line in enumerate(lines) if line.startswith('do ')]
        if rules:
            i = DRAW.choice(rules)
            lines[i] = re.sub(r'\d+$', DRAW.choice('012'), lines[i])
    elif kind == 'claim':
        claims = [i for i, line in enumerate(lines) if line.startswith('claim ')]
        words = lines[claims[0]].split(' ')
        if len(words) == 4:
            words[DRAW.choice([2, 3])] = '%.17g' % DRAW.uniform(0, 10)
        lines[claims[0]] = ' '.join(words)
    else:
        lines = lines[:at] + [lines[-1]]
    return numbered(lines) if DRAW.random() < 0.8 else lines


def judge(name, model, proof, value, gap=0):
    """Mutants of one proof; value: the optimum, or above it by the gap at most, None: there is no policy."""
    lines = open(proof).read().strip('\n').split('\n')
    changed = os.path.join(FOLDER, 'changed.vproof')
    bad = []
    for i in range(MUTANTS):
        other = mutate(lines)
        if other == lines:
            continue
        with open(changed, 'w') as out:
            out.write('\n'.join(other) + '\n')
        code, said = check(model, changed)
        if check(model, changed, '--interval')[0] == 0 and check(model, changed, '--exact')[0] != 0:
            bad.append('--interval accepts what --exact does not')
        if code == 0:
            shown = figures(said)
            if other[2].split(' ')[6:] != lines[2].split(' ')[6:]:
                continue  # another objective
            if shown is None and value is not None:
                bad.append('infeasible')
            elif shown and (value is None or shown[1] > value + SLACK or shown[0] < value - gap - 2e-6):
                bad.append(said)
        elif code not in (1, 2) or (code == 2 and not said.startswith('refuted: line ')):
            bad.append('exit %d %s' % (code, said))
        if bad:
            os.rename(changed, os.path.join(FOLDER, name + '.bad'))
            break
    say(not bad, 'mutants_' + name, '; '.join(bad))


def refute(name, model, proof, lines, options=(), want='refuted: line '):
    changed = os.path.join(FOLDER, 'changed.vproof')
    with open(changed, 'w') as out:
        out.write('\n'.join(lines) + '\n' if lines else '')
    code, said = check(model, changed, *options)
    say(code == 2 and said.startswith('refuted') and want in said, name, 'exit %d %s' % (code, said))


def must_be_refuted(name, model, proof):
    """Changes after which what is claimed is not supported."""
    lines = open(proof).read().strip('\n').split('\n')
    claim = [i for i, line in enumerate(lines) if line.startswith(('claim regret', 'claim value'))]
    for i in claim:
        words = lines[i].split(' ')
        better = 1e-3 if words[1] == 'value' else -1e-3
        raised = words[:3] + ['%.17g' % (float(words[3]) - better)]
        refute('bound_raised_' + name, model, proof, lines[:i] + [' '.join(raised)] + lines[i + 1:])
        lowered = words[:2] + ['%.17g' % (float(words[2]) + better)] + words[3:]
        refute('value_lowered_' + name, model, proof, lines[:i] + [' '.join(lowered)] + lines[i + 1:])
    parts = [i for i, line in enumerate(lines) if line.startswith('part ')]
    if parts:
        words = lines[parts[-1]].split(' ')
        refute('part_dropped_' + name, model, proof, numbered(lines[:parts[-1]] + lines[parts[-1] + 1:]))
        refute('part_of_parted_' + name, model, proof, numbered(lines[:parts[-1]] + lines[parts[-1]:parts[-1] + 1] + lines[parts[-1]:]), want='closed or parted')
        refute('part_without_place_' + name, model, proof, lines[:parts[-1]] + [' '.join(words[:-1])] + lines[parts[-1] + 1:], want='too short')
    for kind in ('leaf', 'pairs', 'vectors', 'empty'):
        at = [i for i, line in enumerate(lines) if line.split(' ')[0] == kind]
        if at:
            refute('%s_dropped_%s' % (kind, name), model, proof, numbered(lines[:at[0]] + lines[at[0] + 1:]), want='not bounded')
    rules = [i for i, line in enumerate(lines) if line.startswith('do ')]
    if rules:
        refute('rule_dropped_' + name, model, proof, numbered(lines[:rules[-1]] + lines[rules[-1] + 1:]), want='without a rule')
    refute('line_dropped_' + name, model, proof, lines[:3] + lines[4:])
    refute('truncated_' + name, model, proof, lines[:-1], want='not complete')
    refute('nothing_' + name, model, proof, [])


def boxes():
    """Proofs of exact-ccl whose cases are boxes of action probabilities."""
    parted = 0
    for number, (words, lookahead, objective) in enumerate(BOXES):
        name = 'boxes_%d' % number
        model, proof = os.path.join(FOLDER, name + '.json'), os.path.join(FOLDER, name + '.vproof')
        generate(VOUCH, words, model)
        plan = [VOUCH, 'plan', model, '-L', lookahead, '--json', '--method', 'exact-ccl', '--certify', '--objective', objective, '--proof', proof]
        out = json.loads(subprocess.run(plan, stdout=subprocess.PIPE, check=True).stdout)
        value = out['max_regret'] if objective == 'regret' else -out['value']
        for arithmetic in ([], ['--exact'], ['--interval']):
            code, said = check(model, proof, '-L', lookahead, *arithmetic)
            shown = figures(said)
            say(code == 0 and abs(shown[0] - value) < SLACK and value - shown[1] <= 1.001e-4, 'verified_%s%s' % (name, ''.join(arithmetic)), said)
        lines = open(proof).read().strip('\n').split('\n')
        parted += sum(line.startswith('part ') for line in lines)
        judge(name, model, proof, value, 1e-4)
        must_be_refuted(name, model, proof)
        other = [line.replace('plan exact-ccl %s' % lookahead, 'plan milp-ccl %s' % lookahead) for line in lines]
        refute('deterministic_' + name, model, proof, other, want='line ')
    say(parted > 100, 'boxes_parted', '%d' % parted)


def main():
    boxes()
    files = {}
    for number, (words, lookahead) in enumerate(SHAPES):
        name = '%d' % number
        model, proof = os.path.join(FOLDER, name + '.json'), os.path.join(FOLDER, name + '.vproof')
        several = generate(VOUCH, words, model)
        plan = [VOUCH, 'plan', model, '-L', lookahead, '--json', '--tie-break', 'none', '--proof']
        out = json.loads(subprocess.run(plan + [proof], stdout=subprocess.PIPE, check=True).stdout)
        code, said = check(model, proof, '-L', lookahead)
        shown = figures(said)
        good = code == 0 and shown is not None and abs(shown[0] - out['max_regret']) < SLACK and out['max_regret'] - shown[1] <= 1e-6
        say(good, 'verified_' + name, '%s: %s' % (words, said))
        if not good:
            continue
        for arithmetic in ('--exact', '--interval'):
            code, said = check(model, proof, arithmetic)
            shown = figures(said)
            say(code == 0 and abs(shown[0] - out['max_regret']) < SLACK and out['max_regret'] - shown[1] <= 1e-6, 'verified_%s_%s' % (name, arithmetic[2:]), said)
        files[number] = (model, proof)
        judge(name, model, proof, out['max_regret'])
        must_be_refuted(name, model, proof)
        history = os.path.join(FOLDER, 'history.vproof')
        of_all = [VOUCH, 'plan', model, '--json', '--method', 'history', '--proof', history]
        least = json.loads(subprocess.run(of_all, stdout=subprocess.PIPE, check=True).stdout)['max_regret']
        code, said = check(model, history)
        shown = figures(said)
        say(code == 0 and abs(shown[0] - least) < SLACK and least - shown[1] < 1e-6, 'history_' + name, said)
        judge('history_' + name, model, history, least)
        count = len(json.load(open(model))['environments'])
        objective = [['max-min'], ['weighted'], ['weighted', '--weights', ','.join('%g' % (k / 2) for k in range(count))]][number % 3]
        of_value = os.path.join(FOLDER, 'value.vproof')
        worth = json.loads(subprocess.run(plan + [of_value, '--objective', *objective], stdout=subprocess.PIPE, check=True).stdout)['value']
        code, said = check(model, of_value)
        shown = figures(said)
        say(code == 0 and abs(shown[0] + worth) < SLACK * (1 + worth) and -shown[1] - worth <= 1e-6, 'value_' + name, said)
        judge('value_' + name, model, of_value, -worth)
        must_be_refuted('value_' + name, model, of_value)
        threads = os.path.join(FOLDER, 'threads.vproof')
        subprocess.run(plan + [threads, '--threads', '2'], stdout=subprocess.DEVNULL, check=True)
        say(open(threads).read() == open(proof).read(), 'threads_' + name)
        if several:
            total = os.path.join(FOLDER, 'total.vproof')
            out = json.loads(subprocess.run([VOUCH, 'plan', model, '-L', lookahead, '--json', '--proof', total], stdout=subprocess.PIPE, check=True).stdout)
            code, said = check(model, total)
            found = re.search(r'total regret <= (\S+), >= (\S+) ', said)
            say(code == 0 and found and abs(float(found.group(1)) - out['total_regret']) < 1e-8 and float(found.group(2)) > out['total_regret'] - 1e-6, 'total_' + name, said)
            lines = open(total).read().strip('\n').split('\n')
            at = [i for i, line in enumerate(lines) if line.startswith('claim total')][0]
            of = lines[at].split(' ')
            for i, better in ((2, -1e-3), (3, 1e-3)):
                refute('total_%d_%s' % (i, name), model, total, lines[:at] + [' '.join(of[:i] + ['%.17g' % (float(of[i]) + better)] + of[i + 1:])] + lines[at + 1:])
            continue
        hopeless = os.path.join(FOLDER, 'hopeless.vproof')
        code = subprocess.run(plan + [hopeless, '-p', '1'], stdout=subprocess.DEVNULL).returncode
        if code == 2:
            code, said = check(model, hopeless, '-p', '1')
            say(code == 0 and 'no policy of the class keeps the promise' in said, 'infeasible_' + name, said)
            judge('infeasible_' + name, model, hopeless, None)
    model, proof = files[0]
    lines = open(proof).read().strip('\n').split('\n')
    refute('other_L', model, proof, lines, ('-L', '1'), 'the proof is about L = ')
    refute('other_T', model, proof, lines, ('-T', '6'), 'another horizon')
    refute('other_p', model, proof, lines, ('-p', '0.5'), 'another probability')
    refute('foreign', files[3][0], proof, lines, want='another model')
    changed = os.path.join(FOLDER, 'changed.json')
    text = open(model).read()
    with open(changed, 'w') as out:
        out.write(text.replace('"name":', '"name" :', 1))
    refute('model_changed', changed, proof, lines, want='has changed since')


main()
