# vouch sweep: grids, files, resuming, failing cells, pictures.
dir=$(mktemp -d)
expect() { # NAME STATUS TEXT COMMAND..: exit status and a text on either output
    name=$1 status=$2 want=$3
    shift 3
    "$@" > "$dir/out" 2>&1
    code=$?
    if [ $code = "$status" ] && { [ -z "$want" ] || grep -qF -- "$want" "$dir/out"; }; then echo "ok $name"
    else echo "not ok $name: exit $code, wanted $status and \"$want\", got: $(head -c 400 "$dir/out")"; fi
}
rows() { grep -c "^[a-z]" "$1"; }
"$VOUCH" generate twin-states -T 5 -o "$dir/twin.json"
expect grid 0 "milp-ccil" "$VOUCH" sweep "$dir/twin.json" --vary L=0:2 --vary T=3,5 --method milp-ccl,milp-ccil,history --csv "$dir/a.csv"
if [ "$(rows "$dir/a.csv")" = 17 ]; then echo "ok rows"; else echo "not ok rows: $(cat "$dir/a.csv")"; fi
expect known_value 0 "milp-ccil,1,5,1,optimal,3," cat "$dir/a.csv"
head -n 8 "$dir/a.csv" > "$dir/b.csv"
expect resume 0 "7 finished cells kept" "$VOUCH" sweep "$dir/twin.json" --vary L=0:2 --vary T=3,5 --method milp-ccl,milp-ccil,history --resume "$dir/b.csv"
cut -d, -f1-9 "$dir/a.csv" > "$dir/a"; cut -d, -f1-9 "$dir/b.csv" > "$dir/b"
if cmp -s "$dir/a" "$dir/b"; then echo "ok resumed_same"; else echo "not ok resumed_same: $(diff "$dir/a" "$dir/b" | head -n 4)"; fi
head -n 4 "$dir/a.csv" > "$dir/damaged.csv"; echo "milp-ccl,1" >> "$dir/damaged.csv"
expect resume_damaged 1 "damaged.csv:5: not a row" "$VOUCH" sweep "$dir/twin.json" --resume "$dir/damaged.csv"
expect resume_new 0 "optimal" "$VOUCH" sweep "$dir/twin.json" --resume "$dir/new.csv"
expect bad_axis 1 "expected L=, T= or p=" "$VOUCH" sweep "$dir/twin.json" --vary x=1
expect bad_range 1 "is an empty range" "$VOUCH" sweep "$dir/twin.json" --vary L=3:1
expect bad_value 1 "is no value for p" "$VOUCH" sweep "$dir/twin.json" --vary p=1.5
expect bad_number 1 "is no list of numbers" "$VOUCH" sweep "$dir/twin.json" --vary L=1,,2
expect bad_method 1 'there is no method "best"' "$VOUCH" sweep "$dir/twin.json" --method best
expect no_cell 1 "the sweep has no cell" "$VOUCH" sweep "$dir/twin.json" --vary L=0 --method milp-ccil
expect nowhere 1 "cannot create" "$VOUCH" sweep "$dir/twin.json" --csv "$dir/no/a.csv"
cat > "$dir/short.json" <<'END'
{ "vouch": 1, "states": ["a", "end"], "actions": ["go"], "initial": "a", "horizon": 1, "commitment": {"states": ["end"], "probability": 1},
  "transitions": [["a", "go", "end", 1]], "rewards": [], "environments": [{"name": "k1"}] }
END
expect failed_cell 3 "the model has a state without actions before T = 2" "$VOUCH" sweep "$dir/short.json" --vary T=1,2 --csv "$dir/short.csv"
expect failed_cell_row 0 "milp-ccl,0,2,1,failed" cat "$dir/short.csv"
if command -v gnuplot > /dev/null; then
    expect picture 0 "" "$VOUCH" sweep "$dir/twin.json" --vary L=0:2 --method milp-ccl,milp-ccil --plot "$dir/a'b.svg"
    expect picture_svg 0 "<svg" cat "$dir/a'b.svg"
fi
expect no_gnuplot 1 "gnuplot is not installed" env PATH="$dir" "$VOUCH" sweep "$dir/twin.json" --plot "$dir/c.svg"
rm -rf "$dir"
