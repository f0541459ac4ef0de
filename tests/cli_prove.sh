# Proofs as they are written: what vouch writes vouch-check verifies.
. tests/expect.sh
CHECK=${CHECK:-$(dirname "$VOUCH")/vouch-check}
# sets of pairs that two programs merge at other places: the same size shows a little less to one of them
"$VOUCH" generate t-maze --size 6,4,1,3 -T 15 -p 0.1 --slip 0.7 -o "$dir/maze.json" 2> "$dir/log"
"$VOUCH" plan "$dir/maze.json" -L 4 --tie-break none --proof "$dir/maze.vproof" > "$dir/log"
expect pairs_merged 0 "verified: maximum regret <= 0.703749942301, >= 0.7037499422" "$CHECK" "$dir/maze.json" "$dir/maze.vproof"
# large multipliers of the cap of the total regret
"$VOUCH" generate random --states 7 --actions 3 --environments 3 -T 6 -p 0.3 --branching 3 --seed 39062 -o "$dir/cap.json" 2> "$dir/log"
expect cap 0 "verified: total regret <= 14.0290273166, >= 14.029027" "$VOUCH" plan "$dir/cap.json" -L 1 --prove
# proofs of an earlier format are not taken for what their lines mean now
sed 's/^vouch-proof 2/vouch-proof 1/' "$dir/maze.vproof" > "$dir/old.vproof"
expect old_format 1 "a proof of version 1" "$CHECK" "$dir/maze.json" "$dir/old.vproof"
sed 's/^vouch-proof 2/vouch-proof 3/' "$dir/maze.vproof" > "$dir/new.vproof"
expect new_format 1 "a proof of a later version" "$CHECK" "$dir/maze.json" "$dir/new.vproof"
# sets that show too little are made finer until they show what the line says, or (-) that nothing is left
awk '$1 == "pairs" { $4 = 2 } 1' "$dir/maze.vproof" > "$dir/coarse.vproof"
expect pairs_finer 0 "verified: maximum regret <= 0.703749942301, >= 0.7037499422" "$CHECK" "$dir/maze.json" "$dir/coarse.vproof"
awk '$1 == "pairs" { $4 = 2; $5 = "" } 1' "$dir/maze.vproof" > "$dir/coarse.vproof"
expect pairs_as_they_are 2 "the tree proves less than the bound claimed" "$CHECK" "$dir/maze.json" "$dir/coarse.vproof"
awk '$1 == "pairs" { $4 = 2; $5 = "x" } 1' "$dir/maze.vproof" > "$dir/coarse.vproof"
expect pairs_no_number 2 '"x" is no number' "$CHECK" "$dir/maze.json" "$dir/coarse.vproof"
finish
