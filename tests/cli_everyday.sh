# What a new user meets: files told apart by content, help and examples that run, options that would do nothing, and what could be done next.
. tests/expect.sh
cp bench/examples/ferry.prism "$dir/ferry.prism"
cp tests/data/lp/diet.lp "$dir"
enter

# Every example of the help runs as it stands there; generate and plan come first, for what the others read.
"$vouch" generate t-maze -o maze.json > /dev/null
"$vouch" generate corridor -o corridor.json > /dev/null
"$vouch" plan maze.json -L 3 -o policy.json > /dev/null
echo '{"reward":0,"state":"x0"}' > answers.jsonl
for command in $("$vouch" --manual list); do
    "$vouch" help "$command" | sed -n '/^Examples:$/,$s/^  //p' | sed "s|vouch |'$vouch' |" > examples
    if [ -s examples ] && sh -e examples > out 2>&1; then echo "ok examples_$command"; else echo "not ok examples_$command: $(tail -n 2 out)"; fi
    "$vouch" --manual "$command" > page
    if grep -q '^\.SH EXIT STATUS' page && grep -q '^\.SH EXAMPLES' page; then echo "ok manual_$command"; else echo "not ok manual_$command"; fi
done
expect help_command 0 "Usage: vouch plan MODEL [options]" "$vouch" help plan
expect help_unknown 1 'there is no command "plam"' "$vouch" help plam

# What a file is.
expect about_model 0 "8 states, 4 actions, 2 environments, horizon 10" "$vouch" maze.json
expect about_policy 0 "policy.json: a policy" "$vouch" policy.json
expect about_prism 0 "vouch plan ferry.prism --const current=VALUES --commit port" "$vouch" ferry.prism
expect about_lp 0 "CPLEX LP" "$vouch" diet.lp
expect about_tree 0 "vouch tree tree.jsonl --svg" "$vouch" tree.jsonl
expect about_csv 0 "a multi-model CSV" "$vouch" maze.csv
printf 'NAME x\nROWS\n N c\nCOLUMNS\n x c 1\nENDATA\n' > x.mps
expect about_mps 0 "MPS format" "$vouch" x.mps
printf '# sets\nset I;\nparam c{i in I};\nvar x{i in I} >= 0;\nminimize z: sum{i in I} c[i]*x[i];\nend;\n' > model.mod
expect about_mathprog 0 "glpsol -m model.mod --check" "$vouch" model.mod
expect about_text 1 "of no kind that vouch knows" "$vouch" page
printf 'a letter\nendmodule\n' > letter
expect about_letter 1 "of no kind that vouch knows" "$vouch" letter
printf 'const of nature\n' > constant
expect about_constant 1 "of no kind that vouch knows" "$vouch" constant
printf '; a river\n(define (domain river)\n (:requirements :probabilistic-effects))\n' > river.ppddl
expect about_ppddl 1 "PDDL or PPDDL, which vouch does not read; translate it to JANI or PRISM" "$vouch" river.ppddl
expect plan_ppddl 1 "river.ppddl: this is PDDL or PPDDL, which vouch does not read" "$vouch" plan river.ppddl --commit a -T 2 -p 1
printf '// a river\ndomain river {\n pvariables { rain : { state-fluent, bool, default = false }; };\n}\n' > river.rddl
expect about_rddl 1 "RDDL, which vouch does not read; translate it to JANI or PRISM" "$vouch" river.rddl
expect about_nothing 1 "is a file; a command comes first" "$vouch" maze.json -L 1

# Names say less than content.
set -- --const current=0:2 --commit port -T 8 -p 0.9
regret=$("$vouch" plan ferry.prism "$@" -L 1 | grep '^maximum')
cp ferry.prism ferry.txt
expect named_txt 0 "$regret" "$vouch" plan ferry.txt "$@" -L 1
cp ferry.prism ferry.drn
expect named_drn 1 "ferry.drn: this looks like a PRISM model or a sketch; give it a name that ends in .prism" "$vouch" plan ferry.drn --commit port -T 8 -p 0.9
expect plan_lp 1 "this looks like a program in CPLEX LP format; vouch lp solves it" "$vouch" plan diet.lp
expect plan_mathprog 1 "this looks like a MathProg model; glpsol" "$vouch" plan model.mod
expect plan_policy 1 "this looks like a policy; vouch show" "$vouch" plan policy.json
expect lp_model 1 "this looks like a model; vouch plan plans for it" "$vouch" lp maze.json
expect lp_mathprog 1 "this looks like a MathProg model; glpsol" "$vouch" lp model.mod

# DRN as Storm packs it: an archive of one member, with gzip or xz.
printf '@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n2\n@nr_choices\n3\n@model\nstate 0 init\n\taction a\n\t\t1 : 1\n\taction b\n\t\t0 : 1\nstate 1 goal\n\taction a\n\t\t1 : 1\n' > one.drn
set -- --commit goal -T 2 -p 1
regret=$("$vouch" plan one.drn "$@" | grep '^maximum')
tar cf one.tar one.drn
gzip -c one.tar > packed.drn.gz
expect drn_tar_gzip 0 "$regret" "$vouch" plan packed.drn.gz "$@"
head -c 600 one.tar | gzip -c > cut.drn.gz
expect drn_tar_cut 1 "the tar archive is damaged or ends too early" "$vouch" plan cut.drn.gz "$@"
cp one.drn two.drn
tar cf - one.drn two.drn | gzip -c > both.drn.gz
expect drn_tar_two 1 "an archive of 2 files; expected one" "$vouch" plan both.drn.gz "$@"
if command -v xz > /dev/null; then
    xz -c one.tar > packed.drn.xz
    expect drn_tar_xz 0 "$regret" "$vouch" plan packed.drn.xz "$@"
    xz -c one.drn > plain.drn.xz
    expect drn_xz 0 "$regret" "$vouch" plan plain.drn.xz "$@"
    head -c 100 packed.drn.xz > cut.drn.xz
    expect drn_xz_cut 1 "the xz data are damaged or end too early" "$vouch" plan cut.drn.xz "$@"
fi

# Options that would do nothing are errors.
needs() { # NEEDS
    case $1 in beside*) echo "has no effect $1" ;; *) echo "has no effect without $1" ;; esac
}
idle() { # NEEDS OPTION..
    needs=$(needs "$1")
    shift
    expect "idle_$1" 1 "$needs" "$vouch" plan maze.json "$@"
}
idle --frontier --plot f.svg
idle --frontier --points 5
idle "--method exact-ccl" --certify
idle "--method exact-ccl" --restarts 3
idle "--method exact-ccl" --log-restarts r.jsonl
idle "beside --frontier: leave one of them out" --max-commitment --frontier
idle "a plan" -o p.json --frontier
search="--method milp-ccl and its search of policies"
idle "$search" --log-tree t.jsonl --method history
idle "$search" --window 2 --engine lp
idle "$search" --grain 2 --engine lp
idle "$search" --without local-search --engine lp
idle "$search" --workers 2 --method history
idle "$search" --journal j --method greedy
idle "a plan" --stats --max-commitment
# What only rounding keeps from 0 is 0 in JSON, too: no regret is negative, and none of the values of rewards that cancel.
for seed in 1 2 3 4 5 6 7 8; do
    for kind in "machine-repair -T 4" "random --states 3 --actions 2 --environments 2 -T 4 -p 0.3"; do
        # shellcheck disable=SC2086
        "$vouch" generate $kind --seed $seed -o noise.json
        "$vouch" plan noise.json --method history -q --json >> noise.out
        "$vouch" plan noise.json --method mdps-best -q --json >> noise.out
    done
done
noise=$(grep -oE '"(regret|max_regret|total_regret|value|optimal_value)": (-?[0-9.]+e-1[4-9]|-[0-9.]+e-[0-9]+|-0)' noise.out | head -n 1)
if [ -s noise.out ] && [ -z "$noise" ]; then echo "ok noise"; else echo "not ok noise: $noise"; fi
for option in --merge-actions --fix-deadlocks "--state-limit 5" "--reward r" "--initial x0" "--commit c"; do
    # shellcheck disable=SC2086
    expect "json$option" 1 "is for other formats than JSON" "$vouch" plan maze.json $option
done
idles() { # NEEDS OPTION COMMAND..: the command without the option runs
    needs=$(needs "$1") option=$2
    shift 2
    # shellcheck disable=SC2086
    expect "idle_$1$option" 1 "${option%% *} $needs" "$vouch" "$@" $option
    expect "busy_$1$option" 0 "" "$vouch" "$@"
}
idles "the model" "--horizon 4" show policy.json
idles "the model" "--commit c" show policy.json
idles "--svg or --grid" "--width 400" show maze.json policy.json --dot
idles "t-maze" "--slip 0.5" generate random
idles "random" "--branching 3" generate t-maze
idles "random or random-dense" "--states 3" generate adaptive
idles "random, random-dense or adaptive" "--actions 3" generate machine-repair
idles "random, random-dense, machine-repair or adaptive" "--environments 3" generate t-maze
idles "machine-repair" "--concentration 3" generate random-dense
idles "--inner exact-ccl" "--restarts 3" ccil maze.json
idles "beside --vary L: leave one of them out" "--lookahead 1" sweep maze.json --vary L=0:2
idles "beside --vary T: leave one of them out" "--horizon 4" sweep maze.json --vary T=3
idles "beside --vary p: leave one of them out" "--probability 0.4" sweep maze.json --vary p=0.3
idles "an answer: leave --check out" "--output o.txt" lp diet.lp --check
idles "a search tree" "--log-tree t.jsonl" lp diet.lp --nomip
idles "--ccil" "--guarded" watch maze.json -o w.html
idles "--method exact-ccl" "--certify" watch maze.json -o w.html
idles "a program: a .mps or .lp file" "--primal" watch maze.json -o w.html
idles "a model: the file is a program" "-L 4" watch diet.lp -o w.html
idles "a model: the file is a program" "--probability 0.4" watch diet.lp -o w.html
expect idle_nothing_written 1 "has no effect" "$vouch" plan maze.json -o new.json --certify
[ ! -e new.json ] && echo "ok idle_no_file" || echo "not ok idle_no_file"

# Messages name what a number must be.
expect number_large 1 "-T: 99999999999 is too large; expected a whole number between 1 and 2147483647" "$vouch" plan maze.json -T 99999999999
expect number_endless 1 "999999999999999999999999 is too large" "$vouch" plan maze.json -L 999999999999999999999999
expect number_threads 1 "--threads: 5000 is too large; expected a whole number between 1 and 1024" "$vouch" plan maze.json --threads 5000
expect number_small 1 '"-3" is not a whole number of at least 0' "$vouch" plan maze.json -L -3

# The table and the log of the tree count the same nodes.
for L in 0 1 3; do
    "$vouch" plan maze.json -L $L -p 0.99 --log-tree t.jsonl > out
    logged=$(wc -l < t.jsonl) shown=$(sed -n 's/^nodes \([0-9]*\),.*/\1/p' out)
    if [ "$logged" -eq "$shown" ]; then echo "ok nodes_$L"; else echo "not ok nodes_$L: $logged logged, $shown shown"; fi
done

# What the other methods could promise, where the one asked cannot.
"$vouch" generate random --seed 17 --environments 3 -T 3 -p 0.85 -o random.json > /dev/null
expect others 2 "with exact-ccl, L = 0" "$vouch" plan random.json -L 0
grep -q "^kept by: .*--method history$" out && echo "ok kept_by" || echo "not ok kept_by: $(cat out)"

# Labels and constants outlive a conversion: PRISM to JSON to DRN to JSON, whatever the environment says of them.
sed 's/^label.*/&\nlabel "far" = x>current;\nlabel "never" = false;\nlabel "wrong" = mod(1, x) > 0;/' ferry.prism > labelled.prism
"$vouch" convert labelled.prism --const current=1:2 --commit port -T 8 -p 0.9 -o labelled.json > /dev/null
"$vouch" convert labelled.json -o labelled/ > /dev/null
"$vouch" convert labelled/ --commit commit -T 8 -p 0.9 -o again.json > /dev/null
"$python" - > out 2>&1 <<'END'
import json
first, again = json.load(open("labelled.json")), json.load(open("again.json"))
print(first["labels"] == {"port": ["x=0"], "far": {"current=1": ["x=2", "x=3"], "current=2": ["x=3"]}, "never": []})
print(again["labels"].pop("commit") == ["x=0"])
print(again["labels"]["never"] == [])
print(all(first[key] == again[key] for key in first if key != "name"))
print([e["name"] for e in again["environments"]] == ["current=1", "current=2"])
END
if [ "$(uniq -c out | tr -s ' ')" = " 5 True" ]; then echo "ok labels"; else echo "not ok labels: $(cat out)"; fi
expect label_nowhere 0 '"commitment": { "states": ["x=0", "x=1", "x=2", "x=3"]' "$vouch" convert labelled/ --commit '!never' -T 8 -p 0.9 -o -
expect label_unknown 1 'there is no label "ever"' "$vouch" convert labelled/ --commit '!ever' -T 8 -p 0.9 -o -
expect about_labels 0 "labels        port, far, never" "$vouch" labelled.json
sed 's/"port": \["x=0"\]/"port": ["x=9"]/' labelled.json > wrong.json
expect label_state 1 'labels.port[0]: there is no state "x=9"' "$vouch" wrong.json
sed 's/"port": \["x=0"\]/"a \\" b": ["x=0"]/' labelled.json > quoted.json
expect label_drn 1 "label number 1 has a name that a DRN file cannot hold" "$vouch" convert quoted.json -o quoted/

# On a terminal the plan ends with what one may want next; in a pipe it does not.
if "$python" -c 'import os; os.openpty()' 2> /dev/null; then
    "$python" - "$vouch" > out 2>&1 <<'END'
import os, pty, sys
def shown(*arguments, program=sys.argv[1]):
    child, terminal = pty.fork()
    if child == 0:
        os.execv(program, [program, *arguments])
    said = b""
    try:
        while piece := os.read(terminal, 4096):
            said += piece
    except OSError:  # its end
        pass
    os.waitpid(child, 0)
    return said.decode().replace("\r", "")
text = shown("plan", "maze.json", "-L", "1")
print(text.endswith("next:  vouch plan maze.json -L 1 --method milp-ccl -o policy.json\n       vouch show maze.json policy.json --words\n"))
text = shown("plan", "ferry.prism", "--const", "current=0:1", "--commit", "x = 0", "-T", "8", "-p", "0.9", "-o", "p.json")
print(text.endswith("       vouch evaluate ferry.prism --const current=0:1 --commit 'x = 0' -T 8 -p 0.9 p.json\n"))
text = shown("plan", "corridor.json", "--objective", "weighted", "--weights", "3,1")
print(text.endswith("next:  vouch plan corridor.json -L 0 --method milp-ccl --objective weighted --weights 3,1 -o policy.json\n       vouch show corridor.json policy.json --words\n"))
text = shown("plan", "maze.json", "-L", "2", "-p", "1")
print(text.endswith("next:  vouch plan maze.json -p 1 -L 2 --method milp-ccl --frontier --plot frontier.svg\n       vouch plan maze.json -p 1 --method history\n"))
asked = "vouch plan corridor.json -T 4 -p fetch=1 -p deliver=1 -L 0 --method history"
text = shown(*asked.split()[1:])
print(text.endswith(f"next:  {asked} --max-commitment\n       {asked} --frontier fetch --plot frontier.svg\n"))
# Verdicts are coloured; without colours the text is that of a pipe.
import re, subprocess
broken = ("evaluate", "maze.json", "broken.policy", "-p", "0.99")
subprocess.run([sys.argv[1], "plan", "maze.json", "-L", "1", "-q", "-o", "broken.policy"], stdout=subprocess.DEVNULL)
os.environ["TERM"] = "xterm"
text, kept = shown(*broken), shown("evaluate", "maze.json", "broken.policy")
print("\033[31mthe commitment is NOT kept\033[0m\n" in text and "\033[32mthe commitment is kept" in kept and "\033[32mproved\033[0m optimal" in shown("plan", "maze.json"))
print(re.sub("\033\\[[0-9]+m", "", text) == subprocess.run([sys.argv[1], *broken], stdout=subprocess.PIPE, text=True).stdout)
subprocess.run([sys.argv[1], "plan", "maze.json", "-q", "--proof", "maze.vproof"], stdout=subprocess.DEVNULL)
judged = ("maze.json", "maze.vproof")
print("\033[32mverified\033[0m: maximum regret <= " in shown(*judged, program=sys.argv[1] + "-check"))
print("\033[31mrefuted\033[0m: line " in shown("-p", "0.1", *judged, program=sys.argv[1] + "-check"))
for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
    before = dict(os.environ)
    os.environ[name] = value
    print("\033" not in shown(*broken) + shown(*judged, program=sys.argv[1] + "-check"))
    os.environ.clear()
    os.environ.update(before)
END
    if [ "$(uniq -c out | tr -s ' ')" = " 11 True" ]; then echo "ok next"; else echo "not ok next: $(cat out)"; fi
fi
"$vouch" plan maze.json -L 1 > out
if grep -q '^next' out; then echo "not ok next_in_pipe"; else echo "ok next_in_pipe"; fi
# The exported POMDP: every distribution sums to 1, and doing the first action throughout earns what it earns in each environment of the model.
"$vouch" generate random --seed 5 --states 5 --environments 3 -T 4 -p 0.1 -o random.json > /dev/null
expect export_pomdp 0 "" "$vouch" export random.json --form pomdp -o random.pomdp
expect export_idle 1 "has no effect without a form that is a program" "$vouch" export random.json --form pomdp -L 1
"$python" - > out 2>&1 <<'END'
import json, re
model, T, R, size = json.load(open("random.json")), {}, {}, {}
for line in open("random.pomdp"):
    if m := re.match(r"T: (\d+) : (\d+) : (\d+) (\S+)", line): T.setdefault((int(m[1]), int(m[2])), []).append((int(m[3]), float(m[4])))
    elif m := re.match(r"R: \* : \* : (\d+) : \* (\S+)", line): R[int(m[1])] = float(m[2])
    elif m := re.match(r"(states|actions|observations): (\d+)", line): size[m[1]] = int(m[2])
    elif line.startswith("start:"): start = [float(x) for x in line.split()[1:]]
assert len(T) == size["states"] * size["actions"] and all(abs(sum(p for _, p in row) - 1) < 1e-9 for row in T.values())
assert abs(sum(start) - 1) < 1e-9
for k, own in enumerate(model["environments"]):
    rows, pays = {}, {}
    for s, a, to, p in (model.get("transitions") or []) + own["transitions"]: rows.setdefault((s, a), []).append((to, p))
    for row in (model.get("rewards") or []) + own["rewards"]: pays[tuple(row[:-1])] = row[-1]
    states = model["states"] if isinstance(model["states"], list) else [f"s{i}" for i in range(model["states"])]
    actions = model["actions"] if isinstance(model["actions"], list) else [f"a{i}" for i in range(model["actions"])]
    mass, value, theirs = {model["initial"]: 1.0}, 0, 0
    chain = {i: 1.0 for i, p in enumerate(start) if p > 0 and i // size["observations"] == k}
    for _ in range(4):
        after, later = {}, {}
        for s, p in mass.items():
            a = next(x for x in actions if (s, x) in rows)
            for to, q in rows[s, a]:
                value += p * q * pays.get((s, a, to), pays.get((s, a), 0))
                after[to] = after.get(to, 0) + p * q
        for i, p in chain.items():
            for j, q in T[0, i]:
                theirs += p * q * R.get(j, 0)
                later[j] = later.get(j, 0) + p * q
        mass, chain = after, later
    assert abs(value - theirs) < 1e-9, (k, value, theirs)
print("same")
END
if [ "$(cat out)" = same ]; then echo "ok pomdp_figures"; else echo "not ok pomdp_figures: $(tail -n 2 out)"; fi
finish
