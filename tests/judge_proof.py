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
         ('random --states 3 --actions 3 --environments 3 -T 3 -p 0.3 --branching 2 --seed 19', '0', 'regret'),
         ('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --branching 2 --seed 7', '0', 'max-min'),
         ('random --states 4 --actions 2 --environments 3 -T 4 -p 0.3 --branching 2 --seed 14 + promises', '0', 'regret')]
SLACK = 1e-9


def say(good, name, why=''):
    print('ok ' + name if good else 'not ok %s: %s' % (name, why))


def check(model, proof, *options):
    done = subprocess.run([CHECK, *options, model, proof], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.returncode, done.stdout.decode(errors='replace').strip()


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


TWO = '''{ "vouch": 1, "name": "two", "states": ["s", "t"], "actions": ["left", "right"], "initial": "s", "horizon": 1,
  "commitment": { "states": ["s"], "probability": 0.9 },
  "transitions": [["s", "left", "s", 0.5], ["s", "left", "t", 0.5], ["s", "right", "s", 1]],
  "environments": [ { "rewards": [["s", "left", 1]] }, { "rewards": [["s", "right", 1]] } ] }'''
CLAIM = ['plan milp-ccl 0 1 0.9 9.1e-13', 'node 0 0 0 - *', 'do 0 1', 'claim regret 0.2000001 0']
TREE = CLAIM[:2] + ['tree regret 2']
PARTED = ['branch 1 0', 'child 2 1 0', 'child 3 1 1', 'empty 2 0=1']
LEAST = [CLAIM[0] + ' max-min'] + CLAIM[1:3] + ['tree value 2'] + PARTED + ['leaf 3 0=1 ;', 'claim value 0 0']
SUM = [CLAIM[0] + ' weighted 0=1 1=2'] + LEAST[1:-2] + ['leaf 3 ;', 'claim value 2 2']
LIST = (('"commitment": { "states": ["s"], "probability": 0.9 }', '"commitments": [{ "name": "home", "kind": "at", "states": ["s"], "probability": 0.9 }]'),)
NAMED = (('{ "rewards": [["s", "left"', '{ "name": "e", "rewards": [["s", "left"'), ('{ "rewards": [["s", "right"', '{ "name": "f", "rewards": [["s", "right"'))
BOTH = ((LIST[0][0], '"commitments": [{ "name": "home", "kind": "at", "states": ["s"], "probability": 0.2 }, '
                     '{ "name": "away", "kind": "at", "states": ["t"], "probability": 0.4 }]'),)
KEEPS = ['plan milp-ccl 0 1 0.2 9.1e-13 max-min', 'node 0 0 0 - *', 'do 0 0', 'tree value 2', 'branch 1 0', 'child 2 1 0', 'child 3 1 1', 'empty 3 1=1', 'leaf 2 1=1 ;', 'claim value 0 0']
REGRETS = ['plan milp-ccl 0 1 0.2 9.1e-13', 'node 0 0 0 - *', 'do 0 0', 'tree regret 2', 'branch 1 0', 'child 2 1 0', 'child 3 1 1', 'empty 3 1=1', 'leaf 2 1=1 ;', 'claim regret 0.2000001 0.1999999']
TOTALS = REGRETS[:-1] + ['tree total 2 0.2000001', 'branch 1 0', 'child 2 1 0', 'child 3 1 1', 'empty 3 1=1', 'leaf 2 ;', 'claim total 0.2000001 0.1999999', REGRETS[-1]]
# with a coin regrets 1 - x and x are had if left is done with x: 1/2, and of x <= 1/2 the first, else the second shows it
COIN = (('[["s", "left", "s", 0.5], ["s", "left", "t", 0.5], ["s", "right", "s", 1]]', '[["s", "left", "s", 1], ["s", "right", "s", 1]]'),)
BOX = ['plan exact-ccl 0 1 0.9 9.1e-13', 'tree regret 2', 'node 0 0 0 - *', 'part 1 0 0 0.5', 'do 0 0=0.5 1=0.5', 'leaf 2 0=1 ;', 'leaf 3 1=1 ;', 'claim regret 0.5 0.5']
# what is changed of the model, the proof, exit status, words of the answer
CRAFTED = {
    'part': (COIN, BOX, 0, 'maximum regret <= 0.5, >= 0.5;'),
    'part_without_second': (COIN, BOX[:-2] + BOX[-1:], 2, 'case 3 is not bounded'),
    'part_twice': (COIN, BOX[:4] + ['part 1 0 0 0.5'] + BOX[4:], 2, 'closed or parted'),
    'part_elsewhere': (COIN, [line.replace('0.5', '0.75') for line in BOX[:4]] + BOX[4:], 2, 'less than the bound claimed'),
    'part_of_history': (COIN, [BOX[0].replace('exact-ccl 0', 'history 1'), 'tree regret 2', 'node 0 0 0 - *', 'part 1 0 0 0.5'], 2, 'part lines prove nothing of the policies'),
    'part_of_deterministic': (COIN, [BOX[0].replace('exact', 'milp')] + BOX[1:], 2, 'part lines prove nothing of the policies'),
    'prices_of_deterministic': ((), ['plan milp-ccl 0 1 0.9 9.1e-13', 'node 0 0 0 - *', 'tree regret 2', 'leaf 1 0=1 ; ; 0 0 0=1'], 2, 'the line is too long'),
    'prices_twice': (COIN, BOX[:5] + [BOX[5] + ' ; 0 0 0=1 ; 0 0 1=1'] + BOX[6:], 2, 'an option has two prices'),
    'prices_that_cancel': (COIN, BOX[:5] + [BOX[5] + ' ; 0 0 0=-3 1=3 ; 0 1 1=0.25'] + BOX[6:], 2, 'less than the bound claimed'),
    'prices_of_constants': (COIN, BOX[:5] + [BOX[5] + ' ; 0 0 0=-3 1=0.5 ; 0 1 0=-3 1=0.5'] + BOX[6:], 0, 'maximum regret <= 0.5, >= 0.5;'),
    'true': ((), CLAIM, 0, 'maximum regret <= 0.200000000002, >= 0;'),
    'false': ((), [line.replace('0.2', '0.1') for line in CLAIM], 2, 'regrets more than is claimed'),
    'tolerance': ((), ['plan milp-ccl 0 1 0.9 0.5', 'node 0 0 0 - *', 'do 0 0', 'claim regret 1 0'], 2, 'a tolerance that is not 9e-13 to 1e-9'),
    'no_tolerance': ((), ['plan milp-ccl 0 1 0.9 0'] + CLAIM[1:], 2, 'a tolerance that is not 9e-13 to 1e-9'),
    'likelihoods': ((), ['plan exact-ccl 0 1 0.9 9.1e-13', 'like 0 0 0=1 1=1 ; 1', 'claim regret 1 0'], 2, 'no policy of this class decides there'),
    'no_option_left': ((), TREE + ['give 1 -1 0=1 ; ; 0=0 0=1', 'branch 1 0', 'claim infeasible'], 2, 'no option is left there'),
    'infeasible_by_nothing_left': ((), TREE + ['give 1 -1 0=1 ; ; 0=0 0=1', 'empty 1', 'claim infeasible'], 2, 'some case may keep the promise'),
    'child_missing': ((), TREE + ['branch 1 0', 'child 2 1 0', 'empty 2 0=1 1=1', 'claim infeasible'], 2, 'an option without a child'),
    'child_twice': ((), TREE + ['branch 1 0', 'child 2 1 0', 'child 3 1 0', 'empty 2 0=1', 'empty 3 0=1', 'claim infeasible'], 2, 'an option without a child'),
    'node_twice': ((), CLAIM[:3] + ['node 1 0 0 - 0,1', 'do 1 0'] + CLAIM[3:], 2, 'has a rule already'),
    'least_value': ((), LEAST, 0, 'least value >= 0, <= 0;'),
    'least_value_of_losses': ((('"left", 1', '"left", -5'),), LEAST, 0, 'least value >= 0, <= 0;'),
    'least_value_in_pairs': ((), LEAST[:-2] + ['pairs 3 0 64', LEAST[-1]], 0, 'least value >= 0, <= 0;'),
    'least_value_in_vectors': ((), LEAST[:4] + ['vectors 1', LEAST[-1]], 0, 'least value >= 0, <= 0;'),
    'least_value_unbounded': ((), LEAST[:3] + ['claim value 0'], 0, 'least value >= 0;'),
    'least_value_too_high': ((), LEAST[:-1] + ['claim value 0.001 1'], 2, 'regrets more than is claimed'),
    'least_value_bounded_too_low': ((), LEAST[:-1] + ['claim value 0 -0.001'], 2, 'less than the bound claimed'),
    'least_value_without_tree': ((), LEAST[:3] + LEAST[-1:], 2, 'no tree for the bound'),
    'least_value_of_one': ((), LEAST[:-2] + ['pairs 3 1 64', LEAST[-1]], 2, 'less than the bound claimed'),
    'sum': ((), SUM, 0, 'weights 1 2\nverified: weighted value >= 2, <= 2;'),
    'sum_in_pairs': ((), SUM[:-2] + ['pairs 3 * 64', SUM[-1]], 0, 'weighted value >= 2, <= 2;'),
    'sum_in_vectors': ((), SUM[:4] + ['vectors 1', SUM[-1]], 0, 'weighted value >= 2, <= 2;'),
    'sum_in_pairs_too_low': ((), SUM[:-2] + ['pairs 3 * 64', 'claim value 2 1.5'], 2, 'less than the bound claimed'),
    'sum_in_vectors_too_low': ((), SUM[:4] + ['vectors 1', 'claim value 2 1.5'], 2, 'less than the bound claimed'),
    'sum_too_high': ((), SUM[:-1] + ['claim value 2.001 3'], 2, 'regrets more than is claimed'),
    'sum_bounded_too_low': ((), SUM[:-1] + ['claim value 2 1.999'], 2, 'less than the bound claimed'),
    'sum_of_other_weights': ((), [SUM[0].replace('1=2', '1=3')] + SUM[1:], 2, 'less than the bound claimed'),
    'sum_of_one': ((), SUM[:-2] + ['pairs 3 1 64', SUM[-1]], 2, 'all environments are needed'),
    'sum_with_multipliers': ((), SUM[:-2] + ['leaf 3 0=1 ;', SUM[-1]], 2, 'have no cap'),
    'sum_is_no_regret': ((), SUM[:-1] + ['claim regret 0.2 0'], 2, 'is not what is optimised'),
    'sum_better_than_bound': ((), SUM[:-1] + ['claim value 2 1'], 2, 'than the bound claimed'),
    'sum_has_no_total': ((), SUM[:3] + ['tree total 2 0', SUM[-1]], 2, 'is not what is optimised'),
    'regret_is_no_value': ((), CLAIM[:3] + ['claim value 0 0'], 2, 'is not what is optimised'),
    'no_such_objective': ((), [CLAIM[0] + ' most'] + CLAIM[1:], 2, 'there is no objective'),
    'far_power': ((), [line.replace('claim regret 0.2000001', 'claim regret 1e-99999999999999999999') for line in CLAIM], 2, 'is no number'),
    'far_power_of_model': ((('0.9', '1e-99999999999999999999'),), CLAIM, 1, 'expected a number'),
    'far_slope': ((('0.9', '0.50000000000091'), ('"s", 0.5', '"s", 0.4' + '9' * 399), ('"t", 0.5', '"t", 0.5' + '0' * 398 + '1'),
                   ('["s", "right", "s", 1]', '["s", "right", "s", 0.5], ["s", "right", "t", 0.5]')), ['plan milp-ccl 0 1 0.50000000000091 9.1e-13'] + CLAIM[1:], 2, 'numbers too large'),
    'promises': ((('"commitment"', '"promises": [], "commitment"'),), CLAIM, 1, '"promises" is not known'),
    'commitments': ((('"commitment"', '"commitments": [], "commitment"'),), CLAIM, 1, 'both "commitment" and "commitments"'),
    'list': (LIST, CLAIM, 0, 'maximum regret <= 0.200000000002, >= 0;'),
    'list_at_horizon': (LIST + (('"kind"', '"time": 1, "kind"'),), CLAIM, 0, 'maximum regret <= 0.200000000002, >= 0;'),
    'list_earlier': (LIST + (('"horizon": 1', '"horizon": 2'), ('"kind"', '"time": 1, "kind"')), CLAIM, 1, 'another time than the horizon'),
    'list_by': (LIST + (('"at"', '"by"'),), CLAIM, 1, 'another kind than "at"'),
    'list_through': (LIST + (('"kind"', '"through": ["t"], "kind"'),), CLAIM, 1, '"through" is not known'),
    'list_empty': (LIST[:1] + (('[{ "name": "home", "kind": "at", "states": ["s"], "probability": 0.9 }]', '[]'),), CLAIM, 1, 'expected 1 to 100 promises'),
    'list_by_environment': (LIST + NAMED + (('0.9 }]', '{ "e": 0.9, "f": 0.95 } }]'), ('"states": ["s"], "p', '"states": { "e": ["s", "t"], "f": ["s"] }, "p')),
                            CLAIM[:3] + ['claim regret 1 0'], 0, 'p = 0.9 0.95\nverified: maximum regret <= 1, >= 0;'),
    'list_kept_in_one': (LIST + NAMED + (('"states": ["s"], "p', '"states": { "e": ["s"], "f": ["t"] }, "p'),), CLAIM, 2, 'does not keep promise 0 in environment 1'),
    'list_of_other_p': (LIST + NAMED + (('0.9 }]', '{ "f": 0.9, "e": 0.95 } }]'),), CLAIM, 2, 'another probability'),
    'list_names_one': (LIST + NAMED + (('0.9 }]', '{ "e": 0.9 } }]'),), CLAIM, 1, 'names some environments only'),
    'list_names_another': (LIST + NAMED + (('0.9 }]', '{ "e": 0.9, "g": 0.9 } }]'),), CLAIM, 1, 'does not name environment "f"'),
    'both': (BOTH, KEEPS, 0, 'p = 0.2 0.4 0.2 0.4\nverified: least value >= 0, <= 0;'),
    'both_in_pairs': (BOTH, KEEPS[:-3] + ['pairs 3 1 64', 'pairs 2 2 64', KEEPS[-1]], 0, 'least value >= 0, <= 0;'),
    'both_in_vectors': (BOTH, KEEPS[:4] + ['vectors 1', KEEPS[-1]], 0, 'least value >= 0, <= 0;'),
    'both_second_broken': (BOTH, KEEPS[:2] + ['do 0 1', 'claim value 0'], 2, 'does not keep promise 1 in environment 0'),
    'both_empty_of_first': (BOTH, [line.replace('empty 3 1=1', 'empty 3 0=1') for line in KEEPS], 2, 'do not show that the promise cannot be kept'),
    'both_empty_of_second': (BOTH, KEEPS[:-2] + ['empty 2 1=1', 'claim infeasible'], 2, 'do not show that the promise cannot be kept'),
    'both_pairs_of_first': (BOTH, KEEPS[:-3] + ['pairs 3 0 64', 'pairs 2 2 64', KEEPS[-1].replace('0 0', '0 -1')], 2, 'less than the bound claimed'),
    'both_regrets': (BOTH, REGRETS, 0, 'maximum regret <= 0.2'),
    'both_regrets_in_pairs': (BOTH, REGRETS[:-2] + ['pairs 2 3 64', REGRETS[-1]], 0, 'maximum regret <= 0.2'),
    'both_regrets_too_low': (BOTH, [line.replace('0.2000001', '0.199') for line in REGRETS], 2, 'regrets more than is claimed'),
    'both_regrets_bounded_too_high': (BOTH, REGRETS[:-1] + ['claim regret 0.2000001 0.201'], 2, 'less than the bound claimed'),
    'both_regrets_of_first': (BOTH, REGRETS[:-1] + ['claim regret 1 0.5'], 2, 'less than the bound claimed'),  # U* of the first promise alone is 1
    'both_totals': (BOTH, TOTALS, 0, 'total regret <= 0.2'),
    'both_totals_twice': (BOTH, TOTALS[:-2] + ['claim total 0.4 0.399', TOTALS[-1]], 2, 'less than the bound claimed'),
    'both_out_of_reach': (BOTH + (('0.4', '0.5000000000005'),), REGRETS[:3] + ['claim regret 0.0000001 0'], 0, 'kept within 1e-12'),
    'both_too_far': (BOTH + (('0.4', '0.5001'),), REGRETS[:3] + ['claim regret 0.001 0'], 2, 'does not keep promise 1 in environment 0'),
    'objective': ((('"commitment"', '"objective": "max-min", "commitment"'),), CLAIM, 1, '"objective" is not known'),
    'time': ((('"probability"', '"time": 1, "probability"'),), CLAIM, 1, '"time" is not known'),
    'of_environment': ((('{ "rewards"', '{ "probability": 0, "rewards"'),), CLAIM, 1, '"probability" is not known'),
    'initial': ((('"initial": "s"', '"initial": {"s": 0.5, "t": 0.5}'),), CLAIM, 1, '"initial" is of another kind'),
    'states_by_environment': ((('"states": ["s"], "p', '"states": {"e0": ["s"], "e1": ["s"]}, "p'),), CLAIM, 1, '"states" is of another kind'),
    'later_model': ((('"vouch": 1', '"vouch": 2'),), CLAIM, 1, 'a later version'),
    'given_twice': ((('"horizon": 1', '"horizon": 2, "horizon": 1'),), CLAIM, 1, 'a field of the model is given twice'),
    'colons': ((('"two"', '"t:\\\\\\":w"'),), CLAIM, 0, 'maximum regret <= 0.2'),
    'two_words': ((('"name"', '"vouch name"'),), CLAIM, 1, 'is not known'),
    'zero_byte': ((('"right", 1]] } ] }', '"right", 1]] } ] }\0{}'),), CLAIM, 1, 'zero byte'),
}


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


def fingerprint(data):
    h = 14695981039346656037
    for b in data:
        h = (h ^ b) * 1099511628211 % 2**64
    return '%016x' % h


def craft():
    """Proofs written by hand, and models with fields that vouch-check does not know."""
    path, proof = os.path.join(FOLDER, 'crafted.json'), os.path.join(FOLDER, 'crafted.vproof')
    for name, (changes, lines, want, words) in CRAFTED.items():
        text = TWO
        for old, new in changes:
            assert old in text, name
            text = text.replace(old, new)
        data = text.encode()
        open(path, 'wb').write(data)
        head = ['vouch-proof 2', 'model %s %d' % (fingerprint(data), len(data))]
        open(proof, 'w').write('\n'.join(numbered(head + lines + [''])) + '\n')
        for arithmetic in ('--exact', '--interval'):
            code, said = check(path, proof, arithmetic)
            say(code == want and words in said, 'crafted_%s_%s' % (name, arithmetic[2:]), 'exit %d %s' % (code, said))
    for option in (['-L', '4294967296'], ['-L', '-1'], ['-T', '4294967297'], ['-p', '1e-99999999999999999999']):
        code, said = check(path, proof, *option)
        say(code == 1 and said.startswith('vouch-check: '), 'asked_' + ''.join(option), 'exit %d %s' % (code, said))


def main():
    craft()
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
    refute('other_L', model, proof, lines, ('-L', '1'), 'another L')
    refute('other_T', model, proof, lines, ('-T', '6'), 'another horizon')
    refute('other_p', model, proof, lines, ('-p', '0.5'), 'another probability')
    refute('foreign', files[3][0], proof, lines, want='another model')
    changed = os.path.join(FOLDER, 'changed.json')
    text = open(model).read()
    with open(changed, 'w') as out:
        out.write(text.replace('"name":', '"name" :', 1))
    refute('model_changed', changed, proof, lines, want='has changed since')


main()
