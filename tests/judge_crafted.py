"""tests/judge_crafted.py CHECK FOLDER: vouch-check and proofs written by hand, and models with fields that it does not know: each is verified, refuted or not read, with these words."""
import os
import subprocess
import sys

from judging import judged, say

CHECK, FOLDER = sys.argv[1:3]


def check(model, proof, *options):
    return judged(CHECK, model, proof, *options)


def numbered(lines):
    """The last line counts all lines."""
    return lines[:-1] + ['complete %d' % len(lines)]


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


def many_actions(count):
    return (('["left", "right"]', '["left", "right"%s]' % ''.join(', "a%d"' % i for i in range(2, count))),)


def many_promises(count):
    return ((LIST[0][0], '"commitments": [%s]' % ', '.join('{ "name": "home%d", "kind": "at", "states": ["s"], "probability": 0.9 }' % i for i in range(count))),)


# a third action pays nine tenths in both: alone it regrets a tenth; where a box of the case before stays, right is done with three tenths
MIDDLE = COIN + (('"left", "right"]', '"left", "right", "mid"]'), ('["s", "right", "s", 1]]', '["s", "right", "s", 1], ["s", "mid", "s", 1]]'),
                 ('["s", "left", 1]', '["s", "left", 1], ["s", "mid", 0.9]'), ('[["s", "right", 1]', '[["s", "right", 1], ["s", "mid", 0.9]'))
# what is changed of the model, the proof, exit status, words of the answer
CRAFTED = {
    'part': (COIN, BOX, 0, 'maximum regret <= 0.5, >= 0.5;'),
    'part_without_second': (COIN, BOX[:-2] + BOX[-1:], 2, 'case 3 is not bounded'),
    'part_twice': (COIN, BOX[:4] + ['part 1 0 0 0.5'] + BOX[4:], 2, 'closed or parted'),
    'part_elsewhere': (COIN, [line.replace('0.5', '0.75') for line in BOX[:4]] + BOX[4:], 2, 'less than the bound claimed'),
    'part_of_history': (COIN, [BOX[0].replace('exact-ccl 0', 'history 1'), 'tree regret 2', 'node 0 0 0 - *', 'part 1 0 0 0.5'], 2, 'part lines prove nothing of the policies'),
    'part_of_deterministic': (COIN, [BOX[0].replace('exact', 'milp')] + BOX[1:], 2, 'part lines prove nothing of the policies'),
    'prices_of_deterministic': ((), ['plan milp-ccl 0 1 0.9 9.1e-13', 'node 0 0 0 - *', 'tree regret 2', 'leaf 1 0=1 ; ; 0 0 0=1'], 2, 'the line is too long'),
    'rule_of_sum_two': (COIN, BOX[:4] + ['do 0 0=1 1=1'] + BOX[5:], 0, 'maximum regret <= 0.5, >= 0.5;'),
    'part_that_stays': (MIDDLE, BOX[:3] + ['part 1 0 2 0.2', 'part 2 0 1 0.3', 'do 0 0=1', 'leaf 4 1=1 ;', 'leaf 5 0=0.5 1=0.5 ;', 'leaf 3 0=1 ;', 'claim regret 1 0.3'], 2, 'less than the bound claimed'),
    'prices_twice': (COIN, BOX[:5] + [BOX[5] + ' ; 0 0 0=1 ; 0 0 1=1'] + BOX[6:], 2, 'an option has two prices'),
    'prices_that_cancel': (COIN, BOX[:5] + [BOX[5] + ' ; 0 0 0=-3 1=3 ; 0 1 1=0.25'] + BOX[6:], 2, 'less than the bound claimed'),
    'prices_of_constants': (COIN, BOX[:5] + [BOX[5] + ' ; 0 0 0=-3 1=0.5 ; 0 1 0=-3 1=0.5'] + BOX[6:], 0, 'maximum regret <= 0.5, >= 0.5;'),
    'true': ((), CLAIM, 0, ', p = 0.9\nverified: maximum regret <= 0.200000000002, >= 0;'),
    'most_actions': (many_actions(64), CLAIM, 0, 'maximum regret <= 0.200000000002, >= 0;'),
    'too_many_actions': (many_actions(65), CLAIM, 1, 'more than 64 actions'),
    'most_promises': (many_promises(100), CLAIM, 0, 'maximum regret <= 0.200000000002, >= 0;'),
    'too_many_promises': (many_promises(101), CLAIM, 1, 'expected 1 to 100 promises'),
    'false': ((), [line.replace('0.2', '0.1') for line in CLAIM], 2, 'regrets more than is claimed'),
    'tolerance': ((), ['plan milp-ccl 0 1 0.9 0.5', 'node 0 0 0 - *', 'do 0 0', 'claim regret 1 0'], 2, 'a tolerance that is not 9e-13 to 1e-9'),
    'no_tolerance': ((), ['plan milp-ccl 0 1 0.9 0'] + CLAIM[1:], 2, 'a tolerance that is not 9e-13 to 1e-9'),
    'likelihoods': ((), ['plan exact-ccl 0 1 0.9 9.1e-13', 'like 0 0 0=1 1=1 ; 1', 'claim regret 1 0'], 2, 'no policy of this class decides there'),
    'likelihoods_negative': ((), ['plan history 1 1 0.9 9.1e-13', 'like 0 0 0=-1 1=1 ; 1', 'claim regret 0.2000001 0'], 2, 'a negative multiplier'),
    'hardly_empty': ((('0.9', '0.5000000000009101'), ('["s", "right", "s", 1]', '["s", "right", "s", 0.5], ["s", "right", "t", 0.5]')),
                     ['plan milp-ccl 0 1 0.5000000000009101 9.1e-13', 'tree regret 2', 'empty 1 0=1', 'claim infeasible'], 0, 'verified: no policy of the class'),
    'fraction': ((), CLAIM[:3] + ['claim regret 9/19 0/9'], 0, 'maximum regret <= 0.200000000002, >= 0;'),
    'fraction_too_low': ((), CLAIM[:3] + ['claim regret 19/99 0'], 2, 'regrets more than is claimed'),
    'unknown_line': ((), CLAIM[:1] + ['note 0'] + CLAIM[1:], 2, 'a line that begins with "note"'),
    'p_as_double': ((), [CLAIM[0].replace('0.9 ', '0.90000000000000002 ')] + CLAIM[1:], 0, 'maximum regret <= 0.200000000002, >= 0;'),
    'node_number': ((), [CLAIM[0], 'node 1 0 0 - *'] + CLAIM[2:], 2, 'node 1; expected 0'),
    'observe_other': ((('"horizon": 1,', '"horizon": 1, "observe": "colours",'),), CLAIM, 1, 'neither rewards nor states'),
    'horizon_none': ((('"horizon": 1,', '"horizon": 0,'),), CLAIM, 1, '"horizon" is no number from 1'),
    'p_too_far': ((), [CLAIM[0].replace('0.9 ', '0.9000000000000004 ')] + CLAIM[1:], 2, 'another probability'),
    'groups_too_long': ((), ['groups 1 own apart whole'], 2, 'the line is too long'),
    'groups_part_too_long': ((), ['groups 1 own apart', 'part 0 1'], 2, 'the line is too long'),
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
    'least_value_without_tree': ((), LEAST[:3] + LEAST[-1:], 2, 'no search tree proves the bound'),
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
    'sum_is_no_regret': ((), SUM[:-1] + ['claim regret 0.2 0'], 2, 'is not the objective'),
    'sum_better_than_bound': ((), SUM[:-1] + ['claim value 2 1'], 2, 'than the bound claimed'),
    'sum_has_no_total': ((), SUM[:3] + ['tree total 2 0', SUM[-1]], 2, 'is not the objective'),
    'regret_is_no_value': ((), CLAIM[:3] + ['claim value 0 0'], 2, 'is not the objective'),
    'no_such_objective': ((), [CLAIM[0] + ' most'] + CLAIM[1:], 2, 'there is no objective'),
    'power_without_digits': ((), [line.replace('claim regret 0.2000001', 'claim regret 1e') for line in CLAIM], 2, 'is no number'),
    'power_with_letters': ((), [line.replace('claim regret 0.2000001', 'claim regret 1e0x') for line in CLAIM], 2, 'is no number'),
    'power_too_large': ((), [line.replace('claim regret 0.2000001', 'claim regret 1e5000') for line in CLAIM], 2, 'is no number'),
    'likelihoods_at_the_end': ((), ['plan history 1 1 0.9 9.1e-13', 'like 1 0 0=1 1=1 ; 1', 'claim regret 0.2000001 0'], 2, '"1" is no number from 0 to 0'),
    'action_of_one_environment': (((', ["s", "right", "s", 1]],', '],'), ('{ "rewards": [["s", "right"', '{ "transitions": [["s", "right", "s", 1]], "rewards": [["s", "right"')), CLAIM, 1, 'is available in state 0 in some environments only'),
    'claim_twice': ((), CLAIM + CLAIM[-1:], 2, 'a second claim of regret'),
    'plan_too_long': ((), [CLAIM[0] + ' max-min 0'] + CLAIM[1:], 2, 'the line is too long'),
    'next_node': ((), TREE + ['branch 1 1', 'claim infeasible'], 2, 'there is no node 1'),
    # mid tells nothing, so that the last step knows no more than the first
    'likelihoods_of_the_last_step': (MIDDLE + (('"horizon": 1', '"horizon": 2'),), ['plan history 2 2 0.9 9.1e-13', 'like 0 0 0=1 1=1 ; 2', 'like 1 0 0=1 1=1 ; 2', 'like 1 0 0=1 ; 0', 'like 1 0 1=1 ; 0', 'claim regret 0.2000001 0'], 0, 'maximum regret <= 0.2'),
    'likelihoods_of_no_state': ((), ['plan history 1 1 0.9 9.1e-13', 'like 0 2 0=1 1=1 ; 1', 'claim regret 0.2000001 0'], 2, '"2" is no number from 0 to 1'),
    'likelihoods_not_come_to': ((), ['plan history 1 1 0.9 9.1e-13', 'like 0 1 0=1 1=1 ; 1', 'claim regret 0.2000001 0'], 2, 'no policy of this class decides there'),
    'dominated_but_for_one_promise': (LIST + NAMED + (('"right", 1', '"left", 1'), ('"probability": 0.9', '"probability": { "e": 0.9, "f": 0 }')), TREE[:2] + ['tree regret 2 * drop', 'empty 1 0=1', 'claim infeasible'], 2, 'do not show that the promise cannot be kept'),
    'dominated_but_for_the_promise': ((('"right", 1', '"left", 1'),), TREE[:2] + ['tree regret 2 * drop', 'empty 1 0=1', 'claim infeasible'], 2, 'do not show that the promise cannot be kept'),
    'sum_in_several_vectors': ((('0.9', '0.2'),), [SUM[0].replace('0.9', '0.2')] + SUM[1:4] + ['vectors 1', SUM[-1]], 0, 'weighted value >= 2, <= 2;'),
    'far_power': ((), [line.replace('claim regret 0.2000001', 'claim regret 1e-99999999999999999999') for line in CLAIM], 2, 'is no number'),
    'far_power_of_model': ((('0.9', '1e-99999999999999999999'),), CLAIM, 1, 'expected a number'),
    'far_slope': ((('0.9', '0.50000000000091'), ('"s", 0.5', '"s", 0.4' + '9' * 399), ('"t", 0.5', '"t", 0.5' + '0' * 398 + '1'),
                   ('["s", "right", "s", 1]', '["s", "right", "s", 0.5], ["s", "right", "t", 0.5]')), ['plan milp-ccl 0 1 0.50000000000091 9.1e-13'] + CLAIM[1:], 2, 'numbers too large'),
    'promises': ((('"commitment"', '"promises": [], "commitment"'),), CLAIM, 1, '"promises" is not known'),
    'commitments': ((('"commitment"', '"commitments": [], "commitment"'),), CLAIM, 1, 'both "commitment" and "commitments"'),
    'no_environments': ((('"environments"', '"environment"'),), CLAIM, 1, '"environment" is not known'),
    'environments_missing': ((('"environments": [ { "rewards": [["s", "left", 1]] }, { "rewards": [["s", "right", 1]] } ]', '"name": "one"'), ('"name": "two", ', '')), CLAIM, 1, 'no "environments"'),
    'drop_misspelt': ((), CLAIM[:2] + ['tree regret 2 * dropped'], 2, 'expected "drop"'),
    'no_states': ((('"states": ["s"], "probability"', '"probability"'),), CLAIM, 1, 'a promise has no "states"'),
    'unknown_state': ((('["s"], "probability"', '["q"], "probability"'),), CLAIM, 1, 'neither state nor action'),
    'unknown_next': ((('"left", "t", 0.5', '"left", "q", 0.5'),), CLAIM, 1, 'neither state nor action'),
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
    'initial': ((('"initial": "s"', '"initial": {"s": 0.5, "t": 0.5}'),), CLAIM, 1, '"initial" is no string'),
    'states_by_environment': ((('"states": ["s"], "p', '"states": {"e0": ["s"], "e1": ["s"]}, "p'),), CLAIM, 1, '"states" of a promise is no array'),
    'later_model': ((('"vouch": 1', '"vouch": 2'),), CLAIM, 1, 'a later version'),
    'given_twice': ((('"horizon": 1', '"horizon": 2, "horizon": 1'),), CLAIM, 1, 'a field of the model is given twice'),
    'colons': ((('"two"', '"t:\\\\\\":w"'),), CLAIM, 0, 'maximum regret <= 0.2'),
    'two_words': ((('"name"', '"vouch name"'),), CLAIM, 1, 'is not known'),
    'zero_byte': ((('"right", 1]] } ] }', '"right", 1]] } ] }\0{}'),), CLAIM, 1, 'zero byte'),
}


def fingerprint(data):
    h = 14695981039346656037
    for b in data:
        h = (h ^ b) * 1099511628211 % 2**64
    return '%016x' % h


def main():
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
    for name, work in (('prices_of_constants', 39664), ('both_totals', 83184)):  # what a proof costs is the same on any machine
        changes, lines, _, words = CRAFTED[name]
        text = TWO
        for old, new in changes:
            text = text.replace(old, new)
        open(path, 'w').write(text)
        open(proof, 'w').write('\n'.join(numbered(['vouch-proof 2', 'model %s %d' % (fingerprint(text.encode()), len(text))] + lines + [''])) + '\n')
        for less, want, said_so in ((0, 0, words), (1, 3, 'the limit of its work is reached')):
            code, said = check(path, proof, '--work-limit', str(work - less))
            say(code == want and said_so in said, 'work_of_%s_less_%d' % (name, less), 'exit %d %s' % (code, said))
    open(path, 'w').write(TWO)
    head = ['vouch-proof 2', 'model %s %d' % (fingerprint(TWO.encode()), len(TWO))]
    open(proof, 'w').write('\n'.join(numbered(head + CLAIM + [''])) + '\n')
    for option, want, words in (('-L 0', 0, 'verified'), ('-L 1', 2, 'the proof is about L = '), ('-T 1', 0, 'verified'), ('-T 2', 2, 'another horizon'),
                                ('-p 0.9', 0, 'verified'), ('-p 0.91', 2, 'another probability'), ('--work-limit 999999999', 0, 'verified'),
                                ('--works', 1, 'vouch-check: expected MODEL.json'), ('more', 1, 'vouch-check: expected MODEL.json')):
        code, said = check(path, proof, *option.split())
        say(code == want and words in said, 'asked' + option.replace(' ', ''), 'exit %d %s' % (code, said))
    separate = TWO
    for old, new in LIST + NAMED + (('"probability": 0.9', '"probability": { "e": 0.9, "f": 0.5 }'),):
        separate = separate.replace(old, new)
    open(path, 'w').write(separate)
    open(proof, 'w').write('\n'.join(numbered(['vouch-proof 2', 'model %s %d' % (fingerprint(separate.encode()), len(separate))] + CLAIM + [''])) + '\n')
    for option, words in ((), ', p = 0.9 0.5\nverified'), (('-p', '0.9'), ', p = 0.9\nverified'):
        code, said = check(path, proof, *option)
        say(code == 0 and words in said, 'probabilities' + ''.join(option), 'exit %d %s' % (code, said))
    for version, want, words in (('0', 2, '"0" is no number from 1'), ('1', 1, 'a proof of version 1, whose lines meant less'), ('4', 1, 'a proof of a later version')):
        open(proof, 'w').write('vouch-proof %s\n' % version)
        code, said = check(path, proof)
        say(code == want and words in said, 'version_' + version, 'exit %d %s' % (code, said))
    open(proof, 'w').write('vouch-proof 0\n')
    for name, file, start in ('verdict', proof, b'refuted: line 1: '), ('message', proof + '.none', b'vouch-check: '):  # a line of its own, on standard output or standard error
        done = subprocess.run([CHECK, path, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said, silent = (done.stdout, done.stderr) if name == 'verdict' else (done.stderr, done.stdout)
        say(said.startswith(start) and said.count(b'\n') == 1 and said.endswith(b'\n') and not silent, 'line_of_' + name, repr((done.stdout, done.stderr)))
    for option in (['-L', '4294967296'], ['-L', '-1'], ['-T', '0'], ['-T', '4294967297'], ['-p', '1e-99999999999999999999']):
        code, said = check(path, proof, *option)
        say(code == 1 and said.startswith('vouch-check: '), 'asked_' + ''.join(option), 'exit %d %s' % (code, said))


main()
