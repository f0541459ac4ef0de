#!/bin/sh
# A long question shows that it lives: on a terminal what it does, with first bounds and a percentage where it is known; nothing elsewhere.
. tests/expect.sh
if ! "${PYTHON:-/usr/bin/python3}" -c 'import os; os.openpty()' 2> /dev/null; then
    echo "ok progress_has_no_terminal"
    finish
    exit
fi
enter
"$vouch" generate t-maze --size 7,2,4,5 -T 18 -p .6 --slip .8 -o maze.json > /dev/null
"$vouch" generate corridor -T 30 -o corridor.json > /dev/null
# live NAME TEXT ARGUMENTS..: the text appears on a terminal, and not in a file.
live() {
    name=$1 want=$2
    shift 2
    "$python" "$tests/terminal.py" "$want" "$vouch" "$@" > shown 2>&1
    "$vouch" "$@" --time-limit 1 > /dev/null 2> piped
    if ! grep -q "$want" shown; then echo "not ok $name: shown: $(tr -d '\033' < shown | head -c 300)"
    elif grep -q "$want" piped; then echo "not ok $name: in a file: $(head -n 2 piped)"
    else echo "ok $name"; fi
}
live plan 'regret .* bound .* nodes' plan maze.json -L 1
live frontier 'p = .*, point . of 11 ([0-9]* %): regret .*, at least' plan maze.json -L 1 --frontier
live largest 'promise . of 3 with the others, .*: at least .*, at most .*, nodes' plan corridor.json -L 1 --max-commitment
live policies 'regret .* bound .* nodes' plan maze.json -L 1 --policies 2
live sweep 'cell 1 of 3 (0 %), milp-ccl, L = 0, .*: regret' sweep maze.json --vary L=0:2
live ccil 'first plan: regret .*, at least' ccil maze.json -L 2
finish
