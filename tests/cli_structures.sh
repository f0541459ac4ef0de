#!/bin/sh
# bench/structures.py: programs drawn by size and seed, the same by the same numbers, and the race on them with its profile.
. tests/expect.sh
python=${PYTHON:-/usr/bin/python3}
if ! command -v "$python" > /dev/null; then finish; exit; fi
draw() { "$python" bench/structures.py "$VOUCH" --rows 40,80 --seed "$1" --folder "$dir/$2" --vouch-only; }
expect all_solved 0 "14 problems, 0 wrong" draw 5 one
expect drawn_again 0 "" draw 5 two
expect same_bytes 0 "" diff -r "$dir/one" "$dir/two"
expect other_seed 0 "" draw 6 three
expect other_bytes 1 "" diff -q "$dir/one/sparse-40.mps" "$dir/three/sparse-40.mps"
expect all_optimal 0 "14" sh -c '"$1" bench/structures.py "$2" --rows 40,80 --folder "$3" --vouch-only | grep -c " optimal$"' sh "$python" "$VOUCH" "$dir/one"
if command -v glpsol > /dev/null && command -v clp > /dev/null && command -v cbc > /dev/null; then
    expect race 0 "7 problems, 0 wrong" "$python" bench/structures.py "$VOUCH" --rows 60 --cpu --folder "$dir/race"
    expect profile 0 "8 lines" "$python" -c 'import sys, xml.etree.ElementTree as tree
paths = [p for p in tree.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}path") if p.get("stroke-width")]
print(len(paths), "lines")' "$dir/race/profile.svg"
fi
# An objective that is wrong is found: a reference that says so.
printf 'name\ta\tb\tc\toptimum\ndense-40\t0\t0\t0\t12345\n' > "$dir/reference.tsv"
expect wrong_is_told 1 "<-- wrong" "$python" bench/lp.py "$VOUCH" "$dir/one" --vouch-only --tsv "$dir/reference.tsv"
finish
