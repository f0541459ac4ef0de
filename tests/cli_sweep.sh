# vouch sweep: grids, parameters of the model, files, resuming, failing cells, pictures.
. tests/expect.sh
rows() { grep -c "^[a-z]" "$1"; }
"$VOUCH" generate twin-states -T 5 -o "$dir/twin.json"
expect grid 0 "milp-ccil" "$VOUCH" sweep "$dir/twin.json" --vary L=0:2 --vary T=3,5 --method milp-ccl,milp-ccil,history --csv "$dir/a.csv"
if [ "$(rows "$dir/a.csv")" = 17 ]; then echo "ok rows"; else echo "not ok rows: $(cat "$dir/a.csv")"; fi
expect known_value 0 "optimal 3" awk -F, '/^milp-ccil,1,5,1,/ { printf "%s %.9g\n", $5, $6 }' "$dir/a.csv"
head -n 8 "$dir/a.csv" > "$dir/b.csv"
expect resume 0 "7 finished cells reused" "$VOUCH" sweep "$dir/twin.json" --vary L=0:2 --vary T=3,5 --method milp-ccl,milp-ccil,history --resume "$dir/b.csv"
cut -d, -f1-9 "$dir/a.csv" > "$dir/a"; cut -d, -f1-9 "$dir/b.csv" > "$dir/b"
if cmp -s "$dir/a" "$dir/b"; then echo "ok resumed_same"; else echo "not ok resumed_same: $(diff "$dir/a" "$dir/b" | head -n 4)"; fi
head -n 4 "$dir/a.csv" > "$dir/damaged.csv"; echo "milp-ccl,1" >> "$dir/damaged.csv"
expect resume_damaged 1 "damaged.csv:5: not a row" "$VOUCH" sweep "$dir/twin.json" --resume "$dir/damaged.csv"
expect resume_other_seed 1 "b.csv:2: made with another model, seed, options" "$VOUCH" sweep "$dir/twin.json" --vary L=0:2 --resume "$dir/b.csv" --seed 2
expect resume_other_option 1 "made with another model" "$VOUCH" sweep "$dir/twin.json" --vary L=0:2 --resume "$dir/b.csv" --reward-tolerance 1e-3
sed 's/"a1", 2/"a1", 3/' "$dir/twin.json" > "$dir/other.json"
expect resume_other_model 1 "made with another model" "$VOUCH" sweep "$dir/other.json" --vary L=0:2 --resume "$dir/b.csv"
sed 's/,run,limits$//; s/,[^,]*,[^,]*$//' "$dir/a.csv" > "$dir/old.csv"
expect resume_without_run 1 "the columns differ from this sweep's" "$VOUCH" sweep "$dir/twin.json" --resume "$dir/old.csv"
# Rows that ended at a limit: kept under the same limits, refused under others, worked out again when asked for.
sed '2s/,optimal,/,feasible,/' "$dir/a.csv" > "$dir/limit.csv"
expect resume_limit_kept 3 "16 finished cells reused" "$VOUCH" sweep "$dir/twin.json" --resume "$dir/limit.csv"
expect resume_limit_other 1 "ended at a limit other than this sweep's (seconds=0 plans=100000, here seconds=9 plans=100000); --retry limit" \
    "$VOUCH" sweep "$dir/twin.json" --resume "$dir/limit.csv" --time-limit 9
expect resume_limit_again 0 "15 finished cells reused" "$VOUCH" sweep "$dir/twin.json" --vary T=3 --resume "$dir/limit.csv" --time-limit 9 --retry limit
expect resume_limit_row 0 "seconds=9 plans=100000" grep "^milp-ccl,0,3,1,optimal," "$dir/limit.csv"
expect retry_alone 1 "--retry needs --resume" "$VOUCH" sweep "$dir/twin.json" --retry limit
expect resume_new 0 "optimal" "$VOUCH" sweep "$dir/twin.json" --resume "$dir/new.csv"
expect bad_axis 1 "expected NAME=VALUES" "$VOUCH" sweep "$dir/twin.json" --vary 1:3
expect no_constant 1 "x=1: only PRISM and JANI files have open constants" "$VOUCH" sweep "$dir/twin.json" --vary x=1
expect twice 1 "L is given twice" "$VOUCH" sweep "$dir/twin.json" --vary L=1 --vary L=2
expect standard_input 0 "milp-ccl  0  3" "$VOUCH" sweep - --vary T=2:3 < "$dir/twin.json"
expect bad_range 1 "is an empty range" "$VOUCH" sweep "$dir/twin.json" --vary L=3:1
expect bad_value 1 "is not a value of p" "$VOUCH" sweep "$dir/twin.json" --vary p=1.5
expect bad_number 1 "is neither a list of numbers" "$VOUCH" sweep "$dir/twin.json" --vary L=1,,2
expect bad_method 1 'there is no method "best"' "$VOUCH" sweep "$dir/twin.json" --method best
expect no_cell 1 "the sweep has no cell" "$VOUCH" sweep "$dir/twin.json" --vary L=0 --method milp-ccil
expect nowhere 1 "cannot create" "$VOUCH" sweep "$dir/twin.json" --csv "$dir/no/a.csv"
# Where the first state is drawn the horizon stays the one given.
"$VOUCH" generate t-maze | sed 's/"initial": "x0"/"initial": { "x0": 0.5, "x1": 0.5 }/' > "$dir/drawn.json"
"$VOUCH" sweep "$dir/drawn.json" --csv "$dir/drawn.csv" > /dev/null
"$VOUCH" sweep "$dir/drawn.json" --vary T=10 --csv "$dir/given.csv" > /dev/null
cut -d, -f1-9 "$dir/drawn.csv" > "$dir/a"; cut -d, -f1-9 "$dir/given.csv" > "$dir/b"
if grep -q '^milp-ccl,0,10,0.6,optimal,0.94567' "$dir/a" && cmp -s "$dir/a" "$dir/b"; then echo "ok drawn"; else echo "not ok drawn: $(cat "$dir/a")"; fi
expect drawn_written 0 '"horizon": 10' "$VOUCH" convert "$dir/drawn.json" --json -o "$dir/drawn2.json"
cat > "$dir/short.json" <<'END'
{ "vouch": 1, "states": ["a", "end"], "actions": ["go"], "initial": "a", "horizon": 1, "commitment": {"states": ["end"], "probability": 1},
  "transitions": [["a", "go", "end", 1]], "rewards": [], "environments": [{"name": "k1"}] }
END
expect failed_cell 3 "-T 2: a state without actions can be reached before that time" "$VOUCH" sweep "$dir/short.json" --vary T=1,2 --csv "$dir/short.csv"
expect failed_cell_row 0 "milp-ccl,0,2,1,failed" cat "$dir/short.csv"
# Other objectives: the value has a column of its own, each cell is what vouch plan or vouch ccil says, and files are resumed, divided and put together as others are.
"$VOUCH" generate random --states 4 --actions 2 --environments 2 -T 3 -p 0.2 --seed 3 -o "$dir/two.json"
value() { "$PYTHON" -c 'import json, sys; print("%.17g" % json.load(sys.stdin)["value"])'; }
for objective in weighted max-min; do
    set -- --objective $objective
    column=least_value
    [ $objective = max-min ] || { column=weighted_value; set -- "$@" --weights 3,1; }
    grid="--vary L=0:2 --method milp-ccl,history,milp-ccil"
    # shellcheck disable=SC2086
    expect objective_$objective 0 "$(echo $column | tr _ ' ')" "$VOUCH" sweep "$dir/two.json" $grid "$@" --csv "$dir/o.csv" --plot "$dir/o.svg"
    expect objective_header_$objective 0 "method,L,T,p,status,$column,max_regret," head -n 1 "$dir/o.csv"
    expect objective_picture_$objective 0 ": $(echo $column | tr _ ' ')" cat "$dir/o.svg"
    same=yes
    for L in 0 1 2; do
        [ "$(awk -F, "/^milp-ccl,$L,/ { print \$6 }" "$dir/o.csv")" = "$("$VOUCH" plan "$dir/two.json" -L $L "$@" --json | value)" ] || same="plan $L"
        [ $L = 0 ] || [ "$(awk -F, "/^milp-ccil,$L,/ { print \$6 }" "$dir/o.csv")" = "$("$VOUCH" ccil "$dir/two.json" -L $L "$@" --json | value)" ] || same="ccil $L"
        [ "$(awk -F, "/^history,$L,/ { print \$6 }" "$dir/o.csv")" = "$("$VOUCH" plan "$dir/two.json" --method history "$@" --json | value)" ] || same="history $L"
    done
    if [ $same = yes ]; then echo "ok objective_cells_$objective"; else echo "not ok objective_cells_$objective: $same: $(cat "$dir/o.csv")"; fi
    # shellcheck disable=SC2086
    expect objective_resumed_$objective 0 "8 finished cells reused" "$VOUCH" sweep "$dir/two.json" $grid "$@" --resume "$dir/o.csv"
    # shellcheck disable=SC2086
    expect objective_json_$objective 0 "{ \"objective\": \"$objective\", \"cells\": [" "$VOUCH" sweep "$dir/two.json" $grid "$@" --json
    # shellcheck disable=SC2086
    for i in 1 2; do "$VOUCH" sweep "$dir/two.json" $grid "$@" --shard $i/2 --csv "$dir/o$i.csv" > "$dir/log"; done
    expect objective_merged_$objective 0 "$(echo $column | tr _ ' ')" "$VOUCH" sweep --merge "$dir/o1.csv" "$dir/o2.csv" --csv "$dir/merged.csv"
    # shellcheck disable=SC2086
    "$VOUCH" sweep "$dir/two.json" $grid "$@" --workers 1 --csv "$dir/whole.csv" > "$dir/log"
    if cmp -s "$dir/whole.csv" "$dir/merged.csv"; then echo "ok objective_shards_$objective"; else echo "not ok objective_shards_$objective: $(diff "$dir/whole.csv" "$dir/merged.csv" | head -n 4)"; fi
done
expect objective_columns 1 "the columns differ from this sweep's" "$VOUCH" sweep "$dir/two.json" --objective weighted --resume "$dir/o.csv"
sed 's/^method,L,T,p,status,least_value/method,L,T,p,status,weighted_value/' "$dir/o.csv" > "$dir/renamed.csv"
expect objective_weights 1 "made with another model, seed, options" "$VOUCH" sweep "$dir/two.json" --objective weighted --resume "$dir/renamed.csv"
expect weights_number 1 "--weights: 3 weights for 2 environments" "$VOUCH" sweep "$dir/two.json" --objective weighted --weights 1,2,3
expect weights_idle 1 "has no effect without --objective weighted" "$VOUCH" sweep "$dir/two.json" --weights 1,2
expect weights_cell 3 "K = 1: --weights: 2 weights for 1 environments" "$VOUCH" sweep t-maze --vary K=1,2 --vary T=8 --objective weighted --weights 1,2
expect merge_objective 1 "the files contain their --objective" "$VOUCH" sweep --merge "$dir/o1.csv" "$dir/o2.csv" --objective max-min
# Parameters of the examples: every cell is the model that vouch generate writes.
expect maze_grid 3 "milp-ccl, L = 1, T = 10, p = 0.6, slip = 0.8, K = 4: t-maze: 4 environments need as many cells" \
    "$VOUCH" sweep t-maze --vary L=0,1 --vary slip=0.7,0.8 --vary K=1,2,4 --csv "$dir/maze.csv"
expect maze_columns 0 "method,L,T,p,slip,K,status," head -n 1 "$dir/maze.csv"
expect maze_failed 0 "milp-ccl,0,10,0.6,0.7,4,failed,,,,," cat "$dir/maze.csv"
same=yes
for slip in 0.7 0.8; do for K in 1 2; do
    "$VOUCH" generate t-maze --size 3,2,2,$K --slip $slip -o "$dir/maze.json"
    "$VOUCH" sweep "$dir/maze.json" --vary L=0,1 --csv "$dir/one.csv" > /dev/null
    tail -n +2 "$dir/one.csv" | cut -d, -f5-9 > "$dir/one"
    grep "^milp-ccl,[01],10,0.6,$slip,$K," "$dir/maze.csv" | cut -d, -f7-11 > "$dir/cells"
    [ "$(wc -l < "$dir/one")" = 2 ] && cmp -s "$dir/one" "$dir/cells" || same="$slip $K: $(diff "$dir/one" "$dir/cells")"
done; done
if [ "$same" = yes ]; then echo "ok maze_same_as_generated"; else echo "not ok maze_same_as_generated: $same"; fi
# Taken up again: finished rows stay as they are, failed ones are tried again, and a smaller grid loses none.
cp "$dir/maze.csv" "$dir/again.csv"
expect resume_parameters 3 "8 finished cells reused" "$VOUCH" sweep t-maze --vary L=0,1 --vary slip=0.7,0.8 --vary K=1,2,4 --resume "$dir/again.csv"
grep -v failed "$dir/maze.csv" > "$dir/a"; grep -v failed "$dir/again.csv" > "$dir/b"
if cmp -s "$dir/a" "$dir/b"; then echo "ok resume_parameters_same"; else echo "not ok resume_parameters_same: $(diff "$dir/a" "$dir/b" | head -n 4)"; fi
"$VOUCH" sweep t-maze --vary L=2 --vary slip=0.8 --vary K=1 --resume "$dir/again.csv" > /dev/null 2>&1
if [ "$(rows "$dir/again.csv")" = 10 ]; then echo "ok resume_larger"; else echo "not ok resume_larger: $(cat "$dir/again.csv")"; fi
sed 's/,optimal,/,feasible,/' "$dir/maze.csv" | grep -v failed > "$dir/limits.csv"
expect resume_limits 3 "8 finished cells reused" "$VOUCH" sweep t-maze --vary L=0,1 --vary slip=0.7,0.8 --vary K=1,2 --resume "$dir/limits.csv"
# Every file that is read counts towards what a resumed sweep was made with: a hidden one of a directory too.
"$VOUCH" convert "$dir/twin.json" -p 0 -o "$dir/drn/" > /dev/null
mv "$dir/drn/A5B4.drn" "$dir/drn/.A5B4.drn"
sed 's/"A5B4.drn"/".A5B4.drn"/' "$dir/drn/index.json" > "$dir/changed" && mv "$dir/changed" "$dir/drn/index.json"
drn_sweep() { "$VOUCH" sweep "$dir/drn" --commit commit -T 1 -p 0 -m greedy --resume "$dir/drn.csv"; }
expect drn_begun 0 "greedy" drn_sweep
expect drn_resumed 0 "1 finished cell" drn_sweep
sed 's/\[[-0-9.]*\]/[3]/' "$dir/drn/.A5B4.drn" > "$dir/changed" && mv "$dir/changed" "$dir/drn/.A5B4.drn"
expect drn_other 1 "other" drn_sweep
expect resume_columns 1 "again.csv:1: the columns differ from this sweep's, method,L,T,p,K,status" "$VOUCH" sweep t-maze --vary K=1 --resume "$dir/again.csv"
expect maze_parameter 1 'there is no parameter "size"; this model has h, u, d, K, slip' "$VOUCH" sweep t-maze --vary size=3
expect maze_value 1 "2.5 is not a value of K; expected a whole number" "$VOUCH" sweep t-maze --vary K=2.5
expect maze_option 1 "are for files" "$VOUCH" sweep t-maze --commit c
expect twin_parameter 1 "this model has none besides T and p" "$VOUCH" sweep twin-states --vary K=2
expect random_seeds 0 "history" "$VOUCH" sweep random -T 3 --vary seed=1:3 --vary S=3,4 --vary A=2 --vary B=1 --vary shared=0,1 -m milp-ccl,history --csv "$dir/random.csv"
if [ "$(rows "$dir/random.csv")" = 25 ]; then echo "ok random_rows"; else echo "not ok random_rows: $(cat "$dir/random.csv")"; fi
if "$VOUCH" sweep t-maze --vary K=1,2 --json 2> /dev/null | "${PYTHON:-python3}" -c 'import json,sys; c=json.load(sys.stdin)["cells"]; assert [x["K"] for x in c]==[1,2] and abs(c[0]["max_regret"]-0.776128)<1e-9'
then echo "ok parameters_json"; else echo "not ok parameters_json"; fi

# Open constants of PRISM: --const spans the environments, --vary the models.
cat > "$dir/walk.prism" <<'END'
mdp
const int N; const int B; const double p;
module walk
  x:[0..20] init 0;
  [go] x<N & x!=B -> p:(x'=x+1)+1-p:true;
  [go] x<N & x=B -> 0.5*p:(x'=x+1)+1-0.5*p:true;
  [go] x=N -> true;
  [stay] x<=N -> true;
endmodule
label "goal" = x=N;
rewards [stay] true:1; endrewards
END
expect constants 0 "infeasible" "$VOUCH" sweep "$dir/walk.prism" --const B=0:1 --commit goal --vary N=2:3 --vary const:p=0.5,0.9 --vary T=3:5 --vary p=0.3 --csv "$dir/walk.csv"
expect constants_columns 0 "method,L,T,p,N,const:p,status" head -n 1 "$dir/walk.csv"
"$VOUCH" convert "$dir/walk.prism" --const B=0:1 --const N=3 --const p=0.9 --commit goal -T 5 -p 0.3 -o "$dir/walk.json" > /dev/null
"$VOUCH" sweep "$dir/walk.json" --csv "$dir/one.csv" > /dev/null
tail -n 1 "$dir/one.csv" | cut -d, -f5-9 > "$dir/one"
grep "^milp-ccl,0,5,0.3,3,0.9," "$dir/walk.csv" | cut -d, -f7-11 > "$dir/cells"
if grep -q "^optimal," "$dir/one" && cmp -s "$dir/one" "$dir/cells"; then echo "ok constants_same"; else echo "not ok constants_same: $(diff "$dir/one" "$dir/cells")"; fi
expect no_such_constant 1 'has no open constant "M"' "$VOUCH" sweep "$dir/walk.prism" --const B=0:1 --commit goal --vary M=2 -T 3 -p 0.3

expect picture 0 "" "$VOUCH" sweep "$dir/twin.json" --vary L=0:2 --method milp-ccl,milp-ccil --plot "$dir/a'b.svg"
expect picture_svg 0 "<svg" cat "$dir/a'b.svg"
expect picture_title 0 ">twin-states: maximum regret, T = 5, p = 1<" cat "$dir/a'b.svg"
expect picture_parameter 0 "" "$VOUCH" sweep t-maze --vary slip=0.7:0.9:0.1 --vary K=1,2 --plot "$dir/slip.svg"
expect picture_lines 0 "milp-ccl K=2" cat "$dir/slip.svg"
expect picture_axis 0 ">slip<" cat "$dir/slip.svg"
expect picture_common 0 ">t-maze: maximum regret, milp-ccl, L = 0, T = 10, p = 0.6<" cat "$dir/slip.svg"
# A method that knows no L has one line, and what a range means is told without rounding.
"$VOUCH" sweep "$dir/twin.json" --vary T=3,5 --vary p=0.2:0.8:0.2 --vary L=0:2 --method milp-ccl,history --csv "$dir/decimal.csv" --plot "$dir/decimal.svg" > "$dir/out"
expect decimal_row 0 "milp-ccl,0,3,0.6,optimal" cat "$dir/decimal.csv"
expect decimal_lines 0 "4 12 3" awk '/>history p=/ { h++ } />milp-ccl L=. p=/ { m++ } />milp-ccl L=. p=0.6</ { e++ } END { print h, m, e }' "$dir/decimal.svg"
# More lines than colours: still no two look the same.
"$VOUCH" sweep twin-states --vary T=4:5 --vary L=0:4 --method milp-ccl,milp-ccil -q --plot "$dir/many.svg" > "$dir/out"
judge picture_many "$PYTHON" - "$dir/many.svg" <<'END'
import re, sys
text = open(sys.argv[1]).read()
lines = re.findall(r'<line [^>]* stroke="(\S+)" stroke-width="2" stroke-dasharray="([^"]*)"/><path class="\S+ full" [^>]* d="([^"]*)"', text)
print("ok picture_many" if len(lines) > 7 and len(set(lines)) == len(lines) else f"not ok picture_many: {len(lines)} lines, {len(set(lines))} of them differ")
END
expect picture_nothing 1 "no cell has a policy" "$VOUCH" sweep "$dir/short.json" --vary T=2 --plot "$dir/none.svg"
expect picture_unreachable 1 "none/c.svg: cannot create" "$VOUCH" sweep "$dir/twin.json" --plot "$dir/none/c.svg"
expect picture_standard_output 0 "</svg>" "$VOUCH" sweep "$dir/twin.json" --plot /dev/stdout
# What each method seeks, and where fewer observations are better.
"$VOUCH" generate random --states 3 --actions 2 --environments 3 -T 4 -p 0.1 --branching 2 --seed 2 -o "$dir/small.json" > /dev/null
expect class 0 "milp-ccl: least maximum regret of deterministic policies that use the first L observations" "$VOUCH" sweep "$dir/small.json" --vary L=0:1
expect class_again 0 "milp-ccil: replans every L steps for the least maximum regret of" "$VOUCH" sweep "$dir/small.json" --vary L=0:1 --method milp-ccil
expect smaller 0 "milp-ccl, L = 3: a smaller L is better here: 0.8090675 at L = 2, as a policy remembers its knowledge at step L" "$VOUCH" sweep "$dir/small.json" --vary L=0:3
"$VOUCH" sweep "$dir/small.json" --vary L=1:3 --method milp-ccil > "$dir/again.log" 2>&1
expect smaller_again 0 "milp-ccil, L = 3: a smaller L is better here: 0.8090675 at L = 2" cat "$dir/again.log"
expect no_reason_again 1 "" grep -q "since" "$dir/again.log"
if "$VOUCH" sweep "$dir/small.json" --vary L=0:2 2> "$dir/log" | grep -q "smaller L"; then echo "not ok none_smaller"; else echo "ok none_smaller"; fi
finish
