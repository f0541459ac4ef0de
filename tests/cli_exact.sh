# vouch plan --method exact-ccl: statuses, files, restarts log, limits, the exported program.
. tests/expect.sh
"$VOUCH" generate twin-states -T 5 -o "$dir/twin.json"
"$VOUCH" generate t-maze --size 4,2,2,3 -o "$dir/maze.json"
expect linear_program 0 "maximum regret  2.67857142" "$VOUCH" plan "$dir/twin.json" --method exact-ccl -L 1 -o "$dir/policy.json"
expect evaluate 0 "the commitment is kept in every environment" "$VOUCH" evaluate "$dir/twin.json" "$dir/policy.json"
expect method_in_file 0 "" grep -q '"method": "exact-ccl"' "$dir/policy.json"
expect closed 0 "maximum regret  0.025030" "$VOUCH" plan "$dir/maze.json" --method exact-ccl -o "$dir/maze-policy.json" --log-restarts "$dir/log.jsonl"
expect evaluate_maze 0 "the commitment is kept in every environment" "$VOUCH" evaluate "$dir/maze.json" "$dir/maze-policy.json"
expect restarts_logged 0 '{"restart":3,"start":"' cat "$dir/log.jsonl"
expect start 0 "maximum regret  0.025030" "$VOUCH" plan "$dir/maze.json" --method exact-ccl --restarts 1 --start "$dir/maze-policy.json" --log-restarts "$dir/log.jsonl"
expect start_logged 0 "\"given\",\"regret\":0.02503" cat "$dir/log.jsonl"
"$VOUCH" plan "$dir/maze.json" --method history -o "$dir/history.json" > /dev/null 2>&1
expect start_of_history 1 "the starting policy looks at the whole history" "$VOUCH" plan "$dir/maze.json" --method exact-ccl --start "$dir/history.json"
expect node_limit 3 "not proved optimal, bound " "$VOUCH" plan "$dir/maze.json" --method exact-ccl --certify --node-limit 2
expect time_limit 3 "" "$VOUCH" plan "$dir/maze.json" --method exact-ccl --certify --time-limit 0.01
"$VOUCH" plan "$dir/maze.json" --method exact-ccl --seed 5 -o "$dir/a.json" > /dev/null
"$VOUCH" plan "$dir/maze.json" --method exact-ccl --seed 5 --threads 2 -o "$dir/b.json" > /dev/null
expect same_bytes 0 "" cmp "$dir/a.json" "$dir/b.json"
"$VOUCH" generate t-maze --size 4,3,2,3 -T 13 -p 0.4 -o "$dir/long.json"
interrupt "regret 0.0127" "$VOUCH" plan "$dir/long.json" --method exact-ccl --certify --gap 1e-12 -v
if [ $code = 130 ] && grep -q "maximum regret  0.0127" "$dir/out"; then echo "ok interrupt"; else echo "not ok interrupt: exit $code, $(head -c 300 "$dir/out")"; fi
# The commitment: say in which environment one is, which a blind guess cannot with probability 0.6.
cat > "$dir/guess.json" <<'EOF'
{"vouch":1,"name":"guess","states":4,"actions":2,"initial":"s0","horizon":3,"commitment":{"states":["s1"],"probability":0.6},
"transitions":[["s1","a0","s3",1],["s1","a1","s3",1],["s2","a0","s3",1],["s2","a1","s3",1]],
"environments":[{"transitions":[["s0","a0","s1",0.9],["s0","a0","s2",0.1],["s0","a1","s1",0.9],["s0","a1","s2",0.1],["s3","a0","s1",1],["s3","a1","s2",1]]},
{"transitions":[["s0","a0","s1",0.1],["s0","a0","s2",0.9],["s0","a1","s1",0.1],["s0","a1","s2",0.9],["s3","a0","s2",1],["s3","a1","s1",1]]}]}
EOF
expect impossible 2 "infeasible (proved): the commitment cannot be kept with probability 0.6" "$VOUCH" plan "$dir/guess.json" --method exact-ccl
expect possible 0 "maximum regret  0" "$VOUCH" plan "$dir/guess.json" --method exact-ccl -L 0 -p 0.5
expect bilinear 0 "tie_n" "$VOUCH" export "$dir/maze.json" --form bilinear --format lp
grep -q "y_n0_a0_k0 + \[ - pi_n0_a0 \* y_n0_a0_k0 .* \] = 0" "$dir/out" && echo "ok bilinear_products" || echo "not ok bilinear_products: no row of products in brackets"
expect bilinear_mps 1 "products of variables can be written with --format lp only" "$VOUCH" export "$dir/maze.json" --form bilinear --format mps
finish
