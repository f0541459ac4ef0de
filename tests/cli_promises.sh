# Lists of promises on the command line: objectives, frontier and largest level of one of them, sweeps over one, and what bad input is answered with.
. tests/expect.sh
"$VOUCH" generate corridor -o "$dir/corridor.json"
"$VOUCH" generate random --states 5 --actions 3 --environments 3 -T 4 -p 0.3 --seed 4 -o "$dir/random.json"
field() { "$PYTHON" -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$@"; }

# ---- objectives
for m in milp-ccl history exact-ccl; do
    "$VOUCH" plan "$dir/random.json" --method $m --objective weighted --weights 1,2,1 --json -o "$dir/w.json" > "$dir/w"
    expect weighted_$m 0 "True" field "$dir/w" '[abs(d["value"] - sum(w * e["value"] for w, e in zip(d["weights"], d["environments"]))) < 1e-9, d["bound"] >= d["value"], d["objective"]][:3] == [True, True, "weighted"]'
    expect again_$m 0 "weighted value" "$VOUCH" evaluate "$dir/random.json" "$dir/w.json"
    "$VOUCH" plan "$dir/random.json" --method $m --objective max-min --json > "$dir/m"
    expect max_min_$m 0 "True" field "$dir/m" 'abs(d["value"] - min(e["value"] for e in d["environments"])) < 1e-9 and d["bound"] >= d["value"] and d["status"] in ("optimal", "feasible")'
done
"$VOUCH" plan "$dir/random.json" --objective weighted --json > "$dir/a"
"$VOUCH" plan "$dir/random.json" --objective weighted --weights 2,2,2 --engine lp --json > "$dir/b"
expect weights_scale 0 "True" "$PYTHON" -c 'import json, sys; a, b = (json.load(open(f)) for f in sys.argv[1:]); print(abs(2 * a["value"] - b["value"]) < 1e-5)' "$dir/a" "$dir/b"
# without promises, with the work told as without: it must not be another search
"$VOUCH" generate random-dense --states 5 --actions 5 --environments 2 -T 4 -p 0 --seed 3 -o "$dir/dense.json"
"$VOUCH" plan "$dir/dense.json" --objective weighted --json > "$dir/a"
expect told 0 "intervals of reach" sh -c '"$0" plan "$1" --objective weighted --json -v 2>&1 > "$2"' "$VOUCH" "$dir/dense.json" "$dir/b"
expect told_same 0 "True" "$PYTHON" -c 'import json, sys; a, b = (json.load(open(f)) for f in sys.argv[1:]); print(all(a[x] == b[x] for x in ("status", "value", "bound", "nodes", "iterations")))' "$dir/a" "$dir/b"
expect regret_says_nothing_new 0 "False" sh -c '"$0" plan "$1" --json | grep -q objective && echo True || echo False' "$VOUCH" "$dir/random.json"
expect ccil_weighted 0 "weighted value" "$VOUCH" ccil "$dir/random.json" --objective weighted --weights 1,0,3
expect ccil_max_min 0 '"objective": "max-min"' "$VOUCH" ccil "$dir/random.json" --objective max-min --json
expect list_max_min 0 "least value" "$VOUCH" plan "$dir/corridor.json" --objective max-min
expect few_weights 1 "--weights: 2 weights for 3 environments" "$VOUCH" plan "$dir/random.json" --objective weighted --weights 1,2
expect negative_weight 1 'is not a list of 3 nonnegative numbers' "$VOUCH" plan "$dir/random.json" --objective weighted --weights 1,-2,3
expect no_weight 1 "--weights: all are 0" "$VOUCH" plan "$dir/random.json" --objective weighted --weights 0,0,0
expect idle_weights 1 "has no effect without --objective weighted" "$VOUCH" plan "$dir/random.json" --weights 1,2,3

# ---- proofs, of the joined model
cat > "$dir/by.json" <<'END'
{ "vouch": 1, "states": ["A", "P", "W"], "actions": ["go", "stay"], "initial": { "A": 0.5, "P": 0.5 }, "horizon": 5,
  "commitments": [ { "name": "fetch", "kind": "by", "states": ["P"], "time": 3, "probability": { "k1": 0.6, "k2": 0.4 } } ],
  "transitions": [["A","go","P",0.5],["A","go","W",0.5],["A","stay","A",1],["P","stay","A",1],["P","go","W",1],["W","go","A",1]], "rewards": [["A","stay",1]],
  "environments": [ { "name": "k1" }, { "name": "k2", "rewards": [["W","go",3]], "transitions": [["A","go","P",0.25],["A","go","W",0.75]] } ] }
END
expect no_proof 1 "vouch convert --joined" "$VOUCH" plan "$dir/by.json" --proof "$dir/x.vproof"
expect joined 0 "19 states, 3 actions, 2 environments, horizon 6" "$VOUCH" convert "$dir/by.json" --joined -o "$dir/joined.json"
expect not_joined 0 "2 environments, horizon 5" "$VOUCH" convert "$dir/by.json" -o "$dir/again.json"
expect joined_exact 0 '"probability": { "k1": 0.6, "k2": 0.4 }' cat "$dir/joined.json"
near joined_proved 0 "verified: maximum regret <= 1.1~1e-9, >= 1.09999999~1e-8;" "$VOUCH" plan "$dir/joined.json" -L 1 --prove
expect joined_value_proved 0 "verified: least value >= 3.5, <= 3.5000000" "$VOUCH" plan "$dir/joined.json" -L 1 --objective max-min --prove
expect joined_infeasible 2 "verified: no policy of the class keeps the promise" "$VOUCH" plan "$dir/joined.json" -p 0.99 --prove
expect joined_no_csv 1 "a joined model is written as JSON" "$VOUCH" convert "$dir/by.json" --joined -o "$dir/joined.csv"
expect corridor_joined 0 "" "$VOUCH" convert "$dir/corridor.json" --joined -o "$dir/joined.json"
near corridor_regret 0 "verified: maximum regret <= 2.09741215921~1e-9, >= 2.097412144~1e-8;" "$VOUCH" plan "$dir/joined.json" --prove
"$VOUCH" plan "$dir/corridor.json" -o "$dir/own.policy" > "$dir/log" 2>&1
expect joined_needs_its_own 1 "needs a policy planned for it" "$VOUCH" evaluate "$dir/joined.json" "$dir/own.policy"
expect corridor_least 0 "verified: least value >= 3.15, <= 3.1500000" "$VOUCH" plan "$dir/joined.json" --objective max-min --prove
expect corridor_weighted 0 "verified: weighted value >= 13.05, <= 13.0500000" "$VOUCH" plan "$dir/joined.json" -L 1 --objective weighted --weights 3,1 --prove
expect corridor_history 0 "verified: least value >= 3.45384899" "$VOUCH" plan "$dir/joined.json" --method history --objective max-min --prove
cat > "$dir/conflict.json" <<'END'
{ "vouch": 1, "states": ["s", "t"], "actions": ["left", "right"], "initial": "s", "horizon": 1, "transitions": [["s","left","s",0.5],["s","left","t",0.5],["s","right","s",1]],
  "commitments": [ { "name": "home", "kind": "at", "states": ["s"], "probability": 0.7 }, { "name": "away", "kind": "at", "states": ["t"], "probability": 0.4 } ], "environments": [ {} ] }
END
for m in milp-ccl history; do expect conflict_$m 2 "verified: no policy of the class keeps the promise" "$VOUCH" plan "$dir/conflict.json" --method $m --objective max-min --prove; done
for model in by corridor; do
    "$VOUCH" convert "$dir/$model.json" --joined -o "$dir/joined.json" 2> "$dir/log"
    "$VOUCH" plan "$dir/$model.json" -L 1 --json > "$dir/a"
    "$VOUCH" plan "$dir/joined.json" -L 1 --json > "$dir/b"
    expect joined_same_$model 0 "True" "$PYTHON" -c 'import json, sys; a, b = (json.load(open(f)) for f in sys.argv[1:]); print(a["status"] == b["status"] == "optimal" and a["environments"] == b["environments"] and a["max_regret"] == b["max_regret"])' "$dir/a" "$dir/b"
done
sed 's/"weights": \[1, 2, 1\]/"weights": [1, 2]/' "$dir/w.json" > "$dir/short.json"
expect file_weights 1 "short.json:2: weights" "$VOUCH" evaluate "$dir/random.json" "$dir/short.json"

# ---- one promise of several
expect frontier_picture 0 "" "$VOUCH" plan "$dir/corridor.json" --frontier safe --points 2 --plot "$dir/safe.svg"
# A limit may leave U* open: then there is no number, and no place in the picture.
"$VOUCH" generate random --states 6 --actions 3 --environments 4 -T 6 --seed 3 -o "$dir/six.json"
"$VOUCH" plan "$dir/six.json" -L 1 --frontier --points 4 -q --time-limit 0.1 --plot "$dir/limited.svg" > "$dir/limited" 2>&1
if grep -q "<svg" "$dir/limited.svg" && ! grep -qE "nan|inf" "$dir/limited.svg" && ! grep -qE "nan|inf( |$)" "$dir/limited"; then echo "ok frontier_limited"
else echo "not ok frontier_limited: $(cat "$dir/limited")"; fi
expect frontier_named 0 ">probability of the promise safe<" cat "$dir/safe.svg"
expect levels 0 "with the others" "$VOUCH" plan "$dir/corridor.json" --max-commitment
expect level 0 "safe: alone 1; with the others 1" "$VOUCH" plan "$dir/corridor.json" --max-commitment safe
expect level_alone 1 "" grep -q fetch "$dir/out"
expect frontier 0 "2.097412" "$VOUCH" plan --frontier safe "$dir/corridor.json" --points 4 --plot "$dir/f.svg"
expect frontier_equals 0 "2.097412" "$VOUCH" plan "$dir/corridor.json" --frontier=safe --points 4
expect frontier_which 1 "which promise? expected one of fetch, deliver, safe" "$VOUCH" plan "$dir/corridor.json" --frontier
expect frontier_no_such 1 'there is no promise "home"; the promises of the model are fetch, deliver, safe' "$VOUCH" plan "$dir/corridor.json" --frontier home
expect sweep_promise 0 "2.848371" "$VOUCH" sweep "$dir/corridor.json" --vary p.safe=0.5:0.9:0.4 --csv "$dir/s.csv" --plot "$dir/s.svg"
expect sweep_resumed 0 "2 finished cells reused" "$VOUCH" sweep "$dir/corridor.json" --vary p.safe=0.5:0.9:0.4 --resume "$dir/s.csv"
expect sweep_as_plan 0 "2.848370608" "$VOUCH" plan "$dir/corridor.json" -p safe=0.9
expect sweep_no_such 1 'there is no promise "home"' "$VOUCH" sweep "$dir/corridor.json" --vary p.home=0.5
expect sweep_which 1 "expected p.NAME" "$VOUCH" sweep "$dir/corridor.json" --vary p=0.5

# ---- generators: the same seed, the same bytes; rows sum to 1 (reading checks it); the source is named
for kind in random-dense machine-repair adaptive; do
    "$VOUCH" generate $kind --environments 3 --seed 7 -o "$dir/g1.json"
    "$VOUCH" generate $kind --environments 3 --seed 7 -o "$dir/g2.json"
    "$VOUCH" generate $kind --environments 3 --seed 8 -o "$dir/g3.json"
    if cmp -s "$dir/g1.json" "$dir/g2.json" && ! cmp -s "$dir/g1.json" "$dir/g3.json"; then echo "ok seed_$kind"; else echo "not ok seed_$kind"; fi
    expect shape_$kind 0 "3 environments" "$VOUCH" plan "$dir/g1.json" -T 2
    expect sweep_$kind 0 "optimal" "$VOUCH" sweep $kind --vary K=2 --vary T=2 --vary L=0
done
expect source 0 "Buchholz and Scheftelowitsch" "$VOUCH" generate --help
expect bad_concentration 1 "--concentration" "$VOUCH" generate machine-repair --concentration 0
expect short_corridor 1 "the horizon must be at least 6" "$VOUCH" generate corridor -T 3
# ---- bad input: file, line and path
bad() {
    what=$1 says=$2
    printf '{ "vouch": 1, "states": ["A", "B"], "actions": ["a"], "initial": "A", "horizon": 3,\n  "commitments": [ %s ],\n  "transitions": [["A", "a", "B", 1], ["B", "a", "A", 1]], "rewards": [], "environments": [ { "name": "k1" }, { "name": "k2" } ] }\n' \
        "$3" > "$dir/bad.json"
    expect "bad_$what" 1 "bad.json:2: commitments$says" "$VOUCH" plan "$dir/bad.json"
}
bad late '[0].time: time 9 is after the horizon 3' '{ "name": "x", "kind": "at", "states": ["A"], "time": 9, "probability": 0.5 }'
bad kind '[0].kind: expected at, by, stay or avoid, found "near"' '{ "name": "x", "kind": "near", "states": ["A"], "probability": 0.5 }'
bad state '[0].states[0]: there is no state "C"' '{ "name": "x", "kind": "at", "states": ["C"], "probability": 0.5 }'
bad window '[0].from: from 3 to 1 is no window' '{ "name": "x", "kind": "avoid", "states": ["A"], "from": 3, "to": 1, "probability": 0.5 }'
bad window_late '[0].to: time 7 is after the horizon 3' '{ "name": "x", "kind": "avoid", "states": ["A"], "from": 0, "to": 7, "probability": 0.5 }'
bad probability '[0].probability: a probability must lie between 0 and 1' '{ "name": "x", "kind": "at", "states": ["A"], "probability": 1.5 }'
bad of_all '[0].probability: the environment "k2" is not named' '{ "name": "x", "kind": "at", "states": ["A"], "probability": {"k1": 0.5} }'
bad environment '[0].states.k9: there is no environment "k9"' '{ "name": "x", "kind": "at", "states": {"k1": ["A"], "k9": ["B"]}, "probability": 0.5 }'
bad twice '[1].name: the promise "x" is made twice' '{ "name": "x", "kind": "at", "states": ["A"], "probability": 0.5 }, { "name": "x", "kind": "by", "states": ["B"], "probability": 0.5 }'
bad contradiction '[0].from: a promise of kind "at" has a "time", and no "from" or "to"' '{ "name": "x", "kind": "at", "states": ["A"], "from": 1, "probability": 0.5 }'
bad none ': expected at least one promise' ''
cp bench/examples/errand.prism "$dir/errand.prism"
commit() { expect "commit_$1" 1 "$2" "$VOUCH" plan "$dir/errand.prism" --const n=0:1 -T 4 --commit "$3"; }
commit late 'time 9 is after the horizon 4' 'x:at:home@9>=0.5'
commit window 'the window ends before it begins' 'x:avoid:wet@3..1>=0.5'
commit window_late 'time 9 is after the horizon 4' 'x:avoid:wet@2..9>=0.5'
commit window_open 'expected a time or a window, @8 or @2..8' 'x:avoid:wet@2..>=0.5'
commit window_wrapped 'expected a time or a window, @8 or @2..8' 'x:avoid:wet@4294967297..4>=0.5'
commit probability 'a probability must lie between 0 and 1' 'x:at:home>=1.5'
commit nothing 'the states of the promise are missing' 'at:>=0.5'
commit level 'the promise "x" needs a probability: >=P, or -p x=P' 'x:at:home'
property() { printf '%s\n' "$3" > "$dir/p.props"; expect "property_$1" 1 "$2" "$VOUCH" plan "$dir/errand.prism" --const n=0:1 -T 4 --prop "$dir/p.props"; }
expect commit_twice 1 '--commit: the promise "x" is made twice' "$VOUCH" plan "$dir/errand.prism" --const n=0:1 -T 4 --commit 'x:at:home>=0.1' --commit 'x:avoid:wet>=0.1'
expect commit_no_such 1 'there is no promise "y"' "$VOUCH" plan "$dir/errand.prism" --const n=0:1 -T 4 --commit 'x:at:home' -p y=0.5
expect commit_which 1 'several promises are made; expected -p NAME=P' "$VOUCH" plan "$dir/errand.prism" --const n=0:1 -T 4 --commit 'x:at:home>=0.1' --commit 'avoid:wet>=0.1' -p 0.3
commit kind 'expected [NAME:]KIND:WHAT[@TIME]>=P with KIND at, by, stay or avoid' 'x:near:home>=0.5'
commit negative 'a probability must lie between 0 and 1' 'x:at:home>=-0.5'
commit time 'expected a time, @8' 'x:at:home@1..2>=0.5'
commit unknown 'is neither a label' 'x:at:nowhere>=0.5'
property probability 'p.props:1: a probability must be a number between 0 and 1' 'P>=1.9 [ F<=3 "store" ]'
property label 'p.props:1: "nowhere" is neither a label' 'P>=0.1 [ F<=3 "nowhere" ]'
property late 'p.props:1: the promise "store": time 9 is after the horizon 4' 'P>=0.1 [ F<=9 "store" ]'
property bound 'p.props:1: no time is below 0' 'P>=0.1 [ F<0 "store" ]'
property wrapped 'p.props:1: a time bound that is not <=T' 'P>=0.1 [ F<=4294967299 "store" ]'
property negative 'p.props:1: a time bound that is not <=T' 'P>=0.1 [ F<=-1 "store" ]'
property begins 'p.props:1: a time bound that is not <=T' 'P>=0.1 [ G[-1,3] !"wet" ]'
property next 'p.props:1: X has no time bound' 'P>=0.1 [ X<=2 "store" ]'
property window 'p.props:1: the window ends before it begins' 'P>=0.1 [ G[3,1] !"wet" ]'
property from 'p.props:1: F and U from a later time on' 'P>=0.1 [ F[1,3] "store" ]'
property at_until 'p.props:1: F and U from a later time on' 'P>=0.1 [ !"wet" U=3 "store" ]'
property at_most_until 'p.props:1: at most a probability of U' 'P<=0.1 [ !"wet" U<=3 "store" ]'
property nothing 'p.props:1: the path formula is none of F, G, U, X' 'P>=0.1 [ ]'
property path 'p.props:1: the path formula is none of F, G, U, X' 'P>=0.1 [ "store" ]'
property sense 'p.props:1: expected a bound behind P: >=, >, <= or <' 'P=0.1 [ F<=3 "store" ]'
property twice 'p.props:1: the promise "a" is made twice' '"a": P>=0.1 [ F<=3 "store" ]; "a": P>=0.1 [ G !"wet" ]'
property unnamed 'p.props:1: expected ":" behind the name' '"a" P>=0.1 [ F<=3 "store" ]'
commit_means() {
    "$VOUCH" convert "$dir/errand.prism" --const n=0:1 -T 4 --commit "$3" -o "$dir/m.json" > "$dir/out" 2>&1
    expect "commit_means_$1" 0 "$2" cat "$dir/m.json"
}
commit_means window '{ "name": "x", "kind": "avoid", "states": ["at=3"], "from": 1, "to": 3, "probability": 0.5 }' 'x:avoid:wet@1..3>=0.5'
commit_means until '{ "name": "wet", "kind": "stay", "states": ["at=3"], "to": 2, "probability": 0.5 }' 'stay:wet @ 2 >=0.5'
commit_means by '{ "name": "wet", "kind": "by", "states": ["at=3"], "time": 2, "probability": 0.5 }' 'by:"wet"@2>=0.5'
# what each form on the command line and of a property means, as a list of promises
means() {
    printf '%s\n' "$3" > "$dir/p.props"
    "$VOUCH" convert "$dir/errand.prism" --const n=0:1 -T 4 --prop "$dir/p.props" -o "$dir/m.json" > "$dir/out" 2>&1
    expect "means_$1" 0 "$2" cat "$dir/m.json"
}
means by '"kind": "by", "states": ["at=2"], "time": 3, "probability": 0.25' 'P>=0.25 [ F<=3 "store" ]'
means by_window '"kind": "by", "states": ["at=2"], "time": 3, "probability": 0.25' 'P>=0.25 [ F[ 0 , 3 ] "store" ]'
means at '"kind": "at", "states": ["at=2"], "time": 3, "probability": 0.25' 'P>=0.25 [ F=3 "store" ]'
means always_at '"kind": "at", "states": ["at=2"], "time": 3, "probability": 0.25' 'P>=0.25 [ G[3,3] "store" ]'
means next '"kind": "at", "states": ["at=2"], "time": 1, "probability": 0.25' 'P>=0.25 [ X "store" ]'
means stay '"kind": "stay", "states": ["at=2"], "from": 1, "to": 3, "probability": 0.25' 'P>=0.25 [ G[1,3] "store" ]'
means avoid '"kind": "avoid", "states": ["at=3"], "probability": 0.25' 'P>=0.25 [ G !"wet" ]'
means avoid_of '"kind": "avoid", "states": ["at=3"], "to": 3, "probability": 0.75' 'P<=0.25 [ F<=3 "wet" ]'
means avoid_at '"kind": "avoid", "states": ["at=3"], "from": 3, "to": 3, "probability": 0.75' 'P<=0.25 [ F=3 "wet" ]'
means avoid_next '"kind": "avoid", "states": ["at=3"], "from": 1, "to": 1, "probability": 0.75' 'P<=0.25 [ X "wet" ]'
means leave '"kind": "by", "states": ["at=0", "at=1", "at=3"], "time": 3, "probability": 0.75' 'P<=0.25 [ G<=3 "store" ]'
means stay_of '"kind": "stay", "states": ["at=3"], "to": 3, "probability": 0.75' 'P<=0.25 [ F<=3 !"wet" ]'
means until '"through": ["at=0", "at=1", "at=2"]' 'P>=0.25 [ !"wet" U<=3 "store" ]'
property bracket 'p.props:1: expected [ .. ] behind the probability' 'P>=0.1 [ F<=3 "store" ;'

# ---- a joined model as programs and as files: whatever it is written as has the value of the plan
asked="--commit by:store@3>=0.5 --commit avoid:wet>=0.6"
joined="$dir/errand.prism --const n=0:1 -T 4 $asked"
# of NAME VALUE COMMAND..: the first number of that name in the JSON printed is this, within 1e-6
of() {
    what=$1 value=$2 key=$3
    shift 3
    "$@" > "$dir/of" 2> "$dir/err"
    expect "$what" 0 True "$PYTHON" -c 'import json, sys; print(abs(json.load(open(sys.argv[1]))[sys.argv[2]] - float(sys.argv[3])) < 1e-6)' "$dir/of" "$key" "$value"
}
for L in 0 1; do
    # shellcheck disable=SC2086
    of joined_plan_$L 0.18 max_regret "$VOUCH" plan $joined -L $L --json
    for form in paper compact; do
        for x in mps lp; do
            # shellcheck disable=SC2086
            "$VOUCH" export $joined -L $L --form $form --format $x -o "$dir/joined.$x"
            of joined_${form}_${x}_$L 0.18 objective "$VOUCH" lp "$dir/joined.$x" --json
        done
    done
done
# shellcheck disable=SC2086
"$VOUCH" plan $joined --method history --json > "$dir/history"
history=$("$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[1]))["max_regret"])' "$dir/history")
for x in mps lp; do
    # shellcheck disable=SC2086
    "$VOUCH" export $joined --form history --format $x -o "$dir/joined.$x"
    of joined_history_$x "$history" objective "$VOUCH" lp "$dir/joined.$x" --json
done
for file in joined.json joined-drn/; do
    # shellcheck disable=SC2086
    "$VOUCH" convert $joined -o "$dir/$file" > "$dir/out" 2>&1
    again=
    [ $file = joined.json ] || again="-T 4 $asked"
    # shellcheck disable=SC2086
    of joined_as_$file 0.18 max_regret "$VOUCH" plan "$dir/$file" $again --json
done

# of other objectives what is exported has minus the value as its optimum
for objective in "weighted --weights 3,1" max-min; do
    word=${objective%% *}
    # shellcheck disable=SC2086
    minus() { "$VOUCH" plan $joined "$@" --objective $objective --json | "$PYTHON" -c 'import json, sys; print(-json.load(sys.stdin)["value"])'; }
    value=$(minus -L 1)
    for form in paper compact; do
        # shellcheck disable=SC2086
        "$VOUCH" export $joined -L 1 --form $form --objective $objective -o "$dir/joined.mps"
        of value_${word}_$form "$value" objective "$VOUCH" lp "$dir/joined.mps" --json
    done
    # shellcheck disable=SC2086
    "$VOUCH" export $joined --form history --format lp --objective $objective -o "$dir/joined.lp"
    of value_${word}_history "$(minus --method history)" objective "$VOUCH" lp "$dir/joined.lp" --json
done
expect value_idle 1 "--objective has no effect without a form that is a program" "$VOUCH" export "$dir/corridor.json" --form pomdp --objective max-min
expect value_weights 1 "--weights: 1 weights for 2 environments" "$VOUCH" export "$dir/corridor.json" --objective weighted --weights 1
"$PYTHON" "$(dirname "$0")/judge_export.py" "$VOUCH" "$dir"

# ---- files that cannot hold where a model begins are not written
expect first_no_csv 1 "may begin in several states, and a CSV file begins in one" "$VOUCH" convert "$dir/by.json" -o "$dir/by.csv"
if [ -e "$dir/by.csv" ]; then echo "not ok first_no_file"; else echo "ok first_no_file"; fi

# ---- shown: times are those of the model file, -1 the one at which the first state is drawn, with the model or without; Storm is told its own states
"$VOUCH" plan "$dir/by.json" -L 1 -o "$dir/by-policy.json" > "$dir/log"
for with in "$dir/by.json" ""; do
    # shellcheck disable=SC2086
    "$VOUCH" show $with "$dir/by-policy.json" --csv | cut -d, -f1,2 > "$dir/shown"
    expect "shown_times_${with:+with}" 0 "-1,start 0,A 0,P [fetch kept] 1," sh -c 'sed 1d "$0" | tr "\n" " "' "$dir/shown"
done
expect shown_picture 0 "t = -1<" "$VOUCH" show "$dir/by.json" "$dir/by-policy.json" --svg
expect shown_tree 0 "t=-1 start" "$VOUCH" show "$dir/by.json" "$dir/by-policy.json" --tree
expect shown_json 0 '{ "time": -1, "state": "start"' "$VOUCH" show "$dir/by.json" "$dir/by-policy.json" --json
expect shown_words 0 "a policy of 5 steps" "$VOUCH" show "$dir/by.json" "$dir/by-policy.json" --words
# shellcheck disable=SC2086
"$VOUCH" plan $joined -o "$dir/joined-policy.json" > "$dir/log"
# shellcheck disable=SC2086
expect shown_storm 0 '{ "s": { "at": 2 }, "m"' "$VOUCH" show $joined "$dir/joined-policy.json" --storm
expect shown_storm_plain 1 "" grep -q "kept" "$dir/out"

# ---- evaluated under a promise that no policy keeps in some environment: no regret is there, and what was proved of another promise is not told
printf '{ "vouch": 1, "states": ["A", "B"], "actions": ["go", "stay"], "initial": "A", "horizon": 2, "commitment": { "states": ["B"], "probability": 0.5 },\n "transitions": [["A", "stay", "A", 1], ["B", "go", "B", 1], ["B", "stay", "B", 1]], "rewards": [["A", "stay", 1]],\n "environments": [ { "name": "easy", "transitions": [["A", "go", "B", 1]], "rewards": [] }, { "name": "hard", "transitions": [["A", "go", "B", 0.6], ["A", "go", "A", 0.4]], "rewards": [] } ] }\n' > "$dir/alone.json"
"$VOUCH" plan "$dir/alone.json" -L 1 -q -o "$dir/alone.policy" > /dev/null
expect alone_kept 0 '"status": "optimal"' "$VOUCH" evaluate "$dir/alone.json" "$dir/alone.policy" --json
expect alone 2 "maximum regret  -  (no policy keeps the promise in hard)" "$VOUCH" evaluate "$dir/alone.json" "$dir/alone.policy" -p 0.9
expect alone_table 2 "hard           -  1       -" "$VOUCH" evaluate "$dir/alone.json" "$dir/alone.policy" -p 0.9
expect alone_json 2 '"status": "feasible"' "$VOUCH" evaluate "$dir/alone.json" "$dir/alone.policy" -p 0.9 --json
expect alone_bound 2 '"max_regret": null, "bound": null' "$VOUCH" evaluate "$dir/alone.json" "$dir/alone.policy" -p 0.9 --json
# ---- without -T the horizon is the latest time of the promises, if all of them name one
ferry="bench/examples/ferry.prism --const current=0,3 --commit at:port@8>=0.9"
# shellcheck disable=SC2086
"$VOUCH" plan $ferry -T 8 --commit 'avoid:x=2@2..5>=0' -L 1 > "$dir/with" 2> "$dir/note_with"
# shellcheck disable=SC2086
"$VOUCH" plan $ferry --commit 'avoid:x=2@2..5>=0' -L 1 > "$dir/without" 2> "$dir/note_without"
sed -i 's/[0-9.]* s$//' "$dir/with" "$dir/without"
if [ ! -s "$dir/note_with" ] && cmp -s "$dir/with" "$dir/without"; then echo "ok latest_time"; else echo "not ok latest_time"; fi
expect latest_time_note 0 "the horizon is 8, the latest time of the promises" cat "$dir/note_without"
# shellcheck disable=SC2086
expect no_latest_time 1 "these options are missing: -T STEPS" "$VOUCH" plan $ferry --commit 'avoid:x=2>=0'
printf 'P>=0.9 [ F<=6 "port" ];\n' > "$dir/six.props"
expect latest_bound 0 "horizon 6" "$VOUCH" plan bench/examples/ferry.prism --const current=0,3 --prop "$dir/six.props"
# ---- who is in the way: to be in A and to be in B at the same time cannot both be kept in k1, whatever k2 does
printf '{ "vouch": 1, "states": ["S", "A", "B"], "actions": ["a", "b"], "initial": "S", "horizon": 1,\n "commitments": [ { "name": "up", "kind": "at", "states": ["A"], "probability": {"k1": 0.6, "k2": 0} }, { "name": "down", "kind": "at", "states": ["B"], "probability": {"k1": 0.6, "k2": 0} } ],\n "transitions": [["S", "a", "A", 1], ["S", "b", "B", 1]], "rewards": [], "environments": [ { "name": "k1" }, { "name": "k2", "rewards": [["S", "a", 1]] } ] }\n' > "$dir/conflict.json"
expect conflict_plan 2 "infeasible (proved)" "$VOUCH" plan "$dir/conflict.json" --method history
"$VOUCH" plan "$dir/conflict.json" -p up=0 -o "$dir/start.json" > "$dir/log"
expect start_of_several 0 "proved optimal" "$VOUCH" plan "$dir/conflict.json" -p up=0 --start "$dir/start.json"
expect start_breaks 1 "does not keep the promise up: probability 0 in environment k1, which needs 0.6" "$VOUCH" plan "$dir/conflict.json" -p down=0 --start "$dir/start.json"
expect proof_of_another_p 1 "vouch convert -p NAME=P writes them" "$VOUCH" plan "$dir/conflict.json" -p up=0 --policies 1 --prove
"$VOUCH" convert "$dir/conflict.json" -p up=0 -o "$dir/can.json" > "$dir/log"
expect groups_of_several 0 "verified: maximum regret of each" "$VOUCH" plan "$dir/can.json" --policies 1 --prove
for m in milp-ccl history exact-ccl; do
    expect max_min_trivial_$m 0 "proved optimal, bound 0)" "$VOUCH" plan "$dir/can.json" --objective max-min --method $m --proof "$dir/m.vproof"
done
sed 's/"probability": {[^}]*}/"probability": 0.9999999999/g; s/\["S", "a", "A", 1\]/["S", "a", "A", 0.99999999985], ["S", "a", "B", 0.00000000015]/' "$dir/conflict.json" > "$dir/nearly.json"
expect nearly_alone 0 "up: alone 0.9999999998, promised 0.9999999999;" "$VOUCH" plan "$dir/nearly.json" --max-commitment
printf '{ "vouch": 1, "states": ["S", "G"], "actions": ["a", "b"], "initial": "S", "horizon": 3, "commitments": [ { "name": "back", "kind": "at", "states": ["S"], "time": 2, "probability": 0.5 } ],\n "transitions": [["S", "a", "G", 1], ["S", "b", "S", 1], ["G", "a", "S", 1]], "environments": [ { "name": "k1", "rewards": [["S", "a", 1]] } ] }\n' > "$dir/timed.json"
expect timed_and_shorter 0 "verified: maximum regret" "$VOUCH" plan "$dir/timed.json" -T 2 --prove
sed 's/"probability": {[^}]*}/"probability": 0/g' "$dir/conflict.json" > "$dir/zero.json"
expect pomdp_back 0 "--commit 'up:at:A@1>=0'" "$VOUCH" convert "$dir/zero.json" -o "$dir/zero.pomdp"
printf '{ "vouch": 1, "states": ["S", "G", "X"], "actions": ["a"], "initial": "S", "horizon": 1, "commitments": [ { "name": "go", "kind": "at", "states": ["G"], "probability": {"k1": 0.9, "k2": 0.4} } ],\n "transitions": [], "environments": [ { "name": "k1", "transitions": [["S", "a", "G", 0.95], ["S", "a", "X", 0.05]] }, { "name": "k2", "transitions": [["S", "a", "G", 0.5], ["S", "a", "X", 0.5]] } ] }\n' > "$dir/own.json"
expect sweep_of_own_p 0 "optimal" "$VOUCH" sweep "$dir/own.json" --vary L=0
expect largest_of_several_proofless 1 "--max-commitment can be proved for one promise only" "$VOUCH" plan "$dir/conflict.json" --max-commitment --prove
expect program_proofless 1 "the search of policies; --engine lp proves nothing" "$VOUCH" plan "$dir/can.json" --engine lp --prove
expect total_of_value 0 "(proved least for that value)" "$VOUCH" plan "$dir/can.json" --objective max-min
expect others_impossible 2 "no policy keeps the other promises" "$VOUCH" plan "$dir/nearly.json" --frontier down
"$VOUCH" plan "$dir/conflict.json" --method history --max-commitment --json > "$dir/c"
expect conflict_levels 0 "True" field "$dir/c" 'all(abs(d["promises"][n]["reached"] - 0.4) < 1e-6 and d["promises"][n]["alone"]["k1"] == 1 for n in ("up", "down"))'
finish
