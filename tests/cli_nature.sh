# Proofs about models whose probabilities are known within limits, against an enumeration of policies; the version that proofs have.
. tests/expect.sh
CHECK=${CHECK:-$(dirname "$VOUCH")/vouch-check}
judge nature "${PYTHON:-/usr/bin/python3}" tests/judge_nature.py "$CHECK" "$dir" "$(part 12 500)"
# lines of reach have version 3; files of version 2 that have some are read
"$VOUCH" generate random --states 20 --environments 2 -T 3 --branching 20 -p 0.3 --seed 5 -o "$dir/wide.json"
"$VOUCH" plan "$dir/wide.json" --proof "$dir/wide.vproof" > "$dir/log" 2>&1
expect reach 0 "reach" grep "^reach" "$dir/wide.vproof"
expect version_3 0 "vouch-proof 3" head -n 1 "$dir/wide.vproof"
sed 's/^vouch-proof 3/vouch-proof 2/' "$dir/wide.vproof" > "$dir/old.vproof"
expect version_2 0 "verified: " "$CHECK" "$dir/wide.json" "$dir/old.vproof"
finish
