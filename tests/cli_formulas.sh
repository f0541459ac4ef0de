#!/bin/sh
# Formulas of labels and variables, the same for all formats (judge_formulas.py), and properties that are refused, with what to do.
. tests/expect.sh
enter
judge formulas "$python" "$tests/judge_formulas.py" "$vouch" "$(part 25 2000 5)"
printf '4 5 7\n0 0 1 0.9 e\n0 0 2 0.1 e\n0 1 0 1 w\n1 0 3 0.8 e\n1 0 2 0.2 e\n2 0 2 1 loop\n3 0 3 1 loop\n' > gw.tra
printf '0="init" 1="deadlock" 2="bad" 3="good"\n0: 0\n2: 2\n3: 3\n' > gw.lab
# property NAME STATUS TEXT PROPERTY
property() { printf '%s\n' "$4" > t.props; expect "$1" "$2" "$3" "$vouch" plan gw.tra --prop t.props -T 12; }
property strict 0 't.props:1: the strict bound of "good" is planned as a probability of at least 0.100000001' 'P>0.1 [ F<=12 "good" ]'
property strict_most 0 'bad: avoid 0 .. 12, probability 0.5' 'P<0.5 [ F "bad" ]'
property fraction 0 'good: by 12, probability 0.1' 'P>=1/10 [ F<13 "good" ]'
property spaces 0 'probability 0.1' 'P >= 0.1 [ true U <= 12 ("good"|"bad") ]'
property maximum 0 'good: by 12, probability 0.1' 'Pmax>=0.1 [ !"bad" U "good" ]'
property later 0 'good: stay 3 .. 12, probability 0.1' 'P>=0.1 [ G>2 "good" ]'
property constants 0 'good: by 7, probability 0.2' 'const double p = 0.2; const int k = 7; P>=p [ F<=k "good" ]'
property open 1 't.props:1: the constant "k" is open; give it a value here: const int k = 8;' 'const int k; P>=0.1 [ F<=k "good" ]'
property no_time 1 't.props:1: there is no constant "k"; write the time, T for the horizon, or const int k = 8;' 'P>=0.1 [ F<=k "good" ]'
property no_bound 1 't.props:1: there is no constant "p"; write the probability, or const double p = 0.9;' 'P>=p [ F "good" ]'
property above 1 't.props:1: no probability is above 1' 'P>1 [ F "good" ]'
property below 1 't.props:1: no probability is below 0' 'P<0 [ F "good" ]'
property value 1 't.props:1: Pmax=? asks for a value, which vouch plan --max-commitment computes' 'Pmax=? [ F "good" ]'
property reward 1 't.props:1: R bounds expected rewards; vouch optimises them' 'R{"x"}<=5 [ F "good" ]'
property steady 1 't.props:1: S is about the long run; vouch plans for a horizon' 'S>=0.5 [ "good" ]'
property weak 1 't.props:1: W and R are not supported; G and U are' 'P>=0.9 [ "good" W "bad" ]'
property several 1 't.props:1: one of F, G, X, U in a property: write each part as a property of its own; all are kept' 'P>=0.5 [ F "good" & G !"bad" ]'
property multi 1 't.props:1: give each property of multi(..) a line of its own' 'multi(P>=0.5 [F "good"], P>=0.5 [G !"bad"])'
property no_label 1 'gw.tra: t.props:1: there is no label "goot"; labels: "init", "bad", "good"' 'P>=0.5 [ F ("goot"|"bad") ]'
"$vouch" convert gw.tra --commit good -T 5 -p 0.1 -o gw.csv > /dev/null
expect csv 0 '"states": ["2", "3"]' "$vouch" convert gw.csv -T 5 --commit '"2" | "3"' -p 0.1 -o -
expect csv_not 0 '"states": ["0", "1", "2"]' "$vouch" convert gw.csv -T 5 --commit '!"3"' -p 0.1 -o -
expect time_to 0 '"optimal_value": -1.89999999' "$vouch" plan gw.tra --time-to '"good" | "bad"' -T 5 --commit good -p 0.7 --json
finish
