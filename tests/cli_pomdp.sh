# POMDPs in Cassandra's format: read where the hidden part never changes, refused where it does; what export writes is read again as the same model.
. tests/expect.sh
enter

# The tiger that stays where it is, and the same as a model in JSON.
cat > tiger.pomdp <<'END_OF_FILE'
# listen or open a door; nobody moves the tiger
discount: 0.95
values: reward
states: tiger-left tiger-right
actions: listen open-left open-right
observations: hear-left hear-right
start: uniform
T: * identity
O: listen
0.85 0.15
0.15 0.85
O: open-left uniform
O: open-right
uniform
R: listen : * : * : * -1
R: open-left : tiger-left : * : * -100
R: open-left : tiger-right : * : * 10
R: open-right : tiger-left : * : * 10
R: open-right : tiger-right : * : * -100
END_OF_FILE
python=${PYTHON:-/usr/bin/python3}
"$python" - > tiger.json <<'END_OF_FILE'
import json
states, hear = ["hear-left", "hear-right", "start"], {"tiger-left": 0.85, "tiger-right": 0.15}
def environment(name):
    rows, pays = [], []
    for s in states:
        for a, p in (("listen", hear[name]), ("open-left", 0.5), ("open-right", 0.5)):
            rows += [[s, a, "hear-left", p], [s, a, "hear-right", 1 - p]]
            pays.append([s, a, -1 if a == "listen" else -100 if a[5:] == name[6:] else 10])
    return {"name": name, "transitions": rows, "rewards": pays}
print(json.dumps({"vouch": 1, "name": "tiger", "states": states, "actions": ["listen", "open-left", "open-right"], "initial": "start", "horizon": 4,
                  "commitment": {"states": ["hear-left"], "probability": 0.4}, "environments": [environment(k) for k in hear]}))
END_OF_FILE
set -- --commit hear-left -T 4 -p 0.4
for L in 0 2 4; do
    "$vouch" plan tiger.json -L $L | grep -v '^nodes' > want
    if "$vouch" plan tiger.pomdp "$@" -L $L | grep -v '^nodes' | cmp -s - want && grep -q '^maximum' want; then echo "ok tiger_$L"
    else echo "not ok tiger_$L: $(tail -n 3 want)"; fi
done
expect tiger_about 0 "environments  tiger-left, tiger-right" "$vouch" tiger.pomdp
cp tiger.pomdp tiger.txt
expect tiger_content 0 "$(grep '^maximum' want)" "$vouch" plan tiger.txt "$@" -L 4
cp tiger.pomdp tiger.drn
expect tiger_other_name 1 "this looks like a POMDP in Cassandra's format; give it a name that ends in .pomdp" "$vouch" plan tiger.drn "$@"
gzip -c tiger.pomdp > packed.pomdp.gz
expect tiger_gzip 0 "$(grep '^maximum' want)" "$vouch" plan packed.pomdp.gz "$@" -L 4
sed 's/^values: reward/values: cost/; s/\* -\(1\|100\)$/* +\1/; s/\* 10$/* -10/' tiger.pomdp | tr -d + > cost.pomdp
expect tiger_cost 0 "$(grep '^maximum' want)" "$vouch" plan cost.pomdp "$@" -L 4

# What changes the hidden part, and what is wrong in other ways.
wrong() { # NAME TEXT SED: the tiger changed so
    sed "$3" tiger.pomdp > "$1.pomdp"
    expect "wrong_$1" 1 "$2" "$vouch" plan "$1.pomdp" --commit hear-left -T 4 -p 0.4
}
wrong moves 'a POMDP proper, whose hidden part moves; vouch needs a hidden part that stays, so that its first state and the last observation determine the state: begun in "tiger-left", the observation "hear-left" may mean "tiger-left" or "tiger-right"' 's/^T: .*/T: * uniform/'
wrong sum 'T: action "listen", state "tiger-left": the probabilities sum to 0; expected 1' 's/^T: .*/T: open-left identity/'
wrong sights 'O: action "listen", state "tiger-left": the probabilities sum to 0.95' 's/^0.85 0.15/0.8 0.15/'
wrong blind 'O: action "listen", state "tiger-left": the probabilities sum to 0' '/^O:/d; /^0/d; /^uniform/d'
wrong row 'row.pomdp:11: expected a probability' 's/^0.15 0.85/0.15 O:/'
wrong name 'name.pomdp:15: expected an action that is declared, found "lissen"' 's/^R: listen/R: lissen/'
wrong twice 'twice.pomdp:6: this name is declared twice, found "hear"' 's/hear-left hear-right/hear hear/'
wrong early 'early.pomdp:2: states, actions and observations must be declared before' 's/^discount.*/T: * identity/'
wrong begin 'expected 2 that sum to 1' 's/^start: uniform/start: 0.5 0.4/'
wrong word 'word.pomdp:3: expected discount, values, states' 's/^values/value/'
wrong number 'number.pomdp:15: expected a number' 's/\* -1$/* less/'

# What is exported is the same model when it is read again, with its names, although actions are missing in states and the last state has none.
cat > gate.json <<'END_OF_FILE'
{ "vouch": 1, "name": "gate", "states": ["at=0, here", "there", "end"], "actions": ["go", "do it", "rest"], "initial": "at=0, here", "horizon": 2,
  "commitment": { "states": ["end"], "probability": 0.5 },
  "transitions": [["at=0, here", "do it", "there", 1], ["there", "go", "end", 1], ["there", "rest", "end", 0.5], ["there", "rest", "at=0, here", 0.5]],
  "rewards": [["at=0, here", "do it", 1]],
  "environments": [ { "name": "k 1", "rewards": [["there", "go", 1], ["there", "rest", 2]] }, { "name": "k 2", "rewards": [["there", "rest", "end", 3]] } ] }
END_OF_FILE
"$vouch" generate random --seed 5 --states 5 --environments 3 -T 4 -p 0.1 -o random.json > /dev/null
"$vouch" generate t-maze -o maze.json > /dev/null
mkdir again
for model in gate random maze; do
    "$vouch" convert $model.json -o want.json > /dev/null
    T=$(sed -n 's/.*"horizon": \([0-9]*\).*/\1/p' want.json)
    p=$(sed -n 's/.*"probability": \([0-9.]*\).*/\1/p' want.json)
    phi=$("$python" -c 'import json; print(",".join(json.load(open("want.json"))["commitment"]["states"]))')
    expect write_$model 0 "" "$vouch" convert $model.json -o again/$model.pomdp
    "$vouch" export $model.json --form pomdp -o exported.pomdp
    if cmp -s exported.pomdp again/$model.pomdp; then echo "ok export_$model"; else echo "not ok export_$model"; fi
    expect read_$model 0 "" "$vouch" convert again/$model.pomdp --commit "$phi" -p "$p" -T "$T" -o back.json
    sed '/"name": "\(gate\|random\|t-maze\)/d' want.json > want.rest # the name is that of the file
    if sed '/"name": "\(gate\|random\|maze\)"/d' back.json | cmp -s - want.rest; then echo "ok again_$model"; else echo "not ok again_$model"; fi
done
# Without the comments, or with some that say what is not so, observations are the states: as much can be had, since what was paid is then remembered.
regret=$("$vouch" plan random.json -L 4 | grep -o '^maximum regret  [0-9.]*  (proved optimal')
"$python" - <<'END_OF_FILE'
import re
text = open("again/random.pomdp").read()
open("bare.pomdp", "w").write("".join(line for line in text.splitlines(True) if line[0] != "#"))
open("lie.pomdp", "w").write(re.sub(r"(# arrival \d+: .*)state s0", r"\1state s1", text))
arrivals = [(i, s) for i, s in re.findall(r"# arrival (\d+): .*state (\S+)", text)]
phi = __import__("json").load(open("random.json"))["commitment"]["states"]
print(",".join(i for i, s in arrivals if s in phi), file=open("phi", "w"))
END_OF_FILE
expect bare 0 "$regret" "$vouch" plan bare.pomdp --commit "$(cat phi)" -T 4 -p 0.1 -L 4
expect lie 0 "$regret" "$vouch" plan lie.pomdp --commit "$(cat phi)" -T 4 -p 0.1 -L 4
# Every way to say where it begins.
for start in 'start: 0.25 0.75' 'start include: *' 'start exclude:' 'start: uniform'; do
    sed "s/^start: .*/$start/" tiger.pomdp > start.pomdp
    expect "start_$start" 0 "$(grep '^maximum' want)" "$vouch" plan start.pomdp "$@" -L 4
done
# What begins in its only state, by its number.
printf 'discount: 1\nvalues: reward\nstates: 1\nactions: 1\nobservations: 2\nstart: 0\nT: * identity\nO: *\n0.25 0.75\n' > alone.pomdp
expect start_alone 0 "environments  0" "$vouch" alone.pomdp
sed 's/^start: .*/start: 1.0/' alone.pomdp > start.pomdp
expect start_alone_surely 0 "environments  0" "$vouch" start.pomdp
sed 's/^start: .*/start: 0.5/' alone.pomdp > start.pomdp
expect start_alone_half 1 "start: 1 probabilities that sum to 0.5" "$vouch" start.pomdp
# A limit of states is told before anything of their size is made.
printf 'discount: 1\nvalues: reward\nstates: 1000000\nactions: 40\nobservations: 2\nT: * identity\nO: * uniform\n' > huge.pomdp
room=200000
! grep -q __asan_init "$vouch" || room=unlimited # the sanitizers need more than any limit leaves
expect limit 3 "huge.pomdp:3: more than 5000 states" sh -c "ulimit -v $room; exec '$vouch' plan huge.pomdp --commit 0 -T 2 -p 0 --state-limit 5000"
sed 's/^states: .*/states: 2/; s/^observations: .*/observations: 900000/' huge.pomdp > sights.pomdp
expect limit_observations 3 "sights.pomdp:5: more than 5000 observations" "$vouch" plan sights.pomdp --commit 0 -T 2 -p 0 --state-limit 5000
sed 's/^states: .*/states: a b c d/' huge.pomdp > named.pomdp
expect limit_names 3 "named.pomdp:3: more than 3 states" "$vouch" plan named.pomdp --commit 0 -T 2 -p 0 --state-limit 3
expect limit_kept 0 "maximum regret" "$vouch" plan tiger.pomdp "$@" --state-limit 2
for start in 'start: tiger-right' 'start: 1' 'start exclude: tiger-left' 'start include: 1'; do
    sed "s/^start: .*/$start/" tiger.pomdp > start.pomdp
    expect "start_$start" 0 "environments  tiger-right" "$vouch" start.pomdp
done
finish
