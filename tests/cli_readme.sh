# The commands of README.md, in its order, print what it shows ("..": any lines; seconds may differ). What they need and README does not make is made here.
. tests/expect.sh
python=${PYTHON:-/usr/bin/python3}
mkdir "$dir/readme"
sed -n '/^mdp$/,/^label/p; /^label/q' README.md > "$dir/readme/ferry.prism"
cp tests/data/errand.prism "$dir/readme/errand.prism"
cat > "$dir/readme/grid.prism" <<'END'
mdp
const int N = 4;
const int OBSTACLE;
module robot
    x : [0..N-1] init 0;
    y : [0..N-1] init 0;
    [right] x<N-1 -> (y=OBSTACLE-3 ? 0.1 : 0.9) : (x'=x+1) + (y=OBSTACLE-3 ? 0.9 : 0.1) : true;
    [up] y<N-1 -> 0.9 : (y'=y+1) + 0.1 : true;
    [stay] true -> true;
endmodule
label "target" = x=1 & y=1;
END
cat > "$dir/readme/sketch.templ" <<'END'
mdp
hole int way in {0, 1};
module m
    x : [0..2] init 0;
    [go] x=0 -> 0.95 : (x'=1+way) + 0.05 : true;
    [swap] x>0 -> (x'=3-x);
    [stay] x>0 -> true;
endmodule
label "goal" = x=2;
END
"$VOUCH" generate random --seed 3 --environments 2 -T 6 -p 0.2 -o "$dir/readme/some.json" > /dev/null
"$VOUCH" convert "$dir/readme/some.json" -o "$dir/readme/models.csv" > /dev/null
cp tests/data/lp/diet.lp "$dir/readme/program.lp"
cp tests/data/fuzz/fuzz_pomdp/tiger "$dir/readme/tiger.pomdp"
mkdir "$dir/readme/family"
for k in 1 2; do
    printf '@type: MDP\n@parameters\n\n@reward_models\ncost\n@nr_states\n2\n@nr_choices\n3\n@model\nstate 0 [-1] init\n\taction a [0]\n\t\t0 : 0.%d\n\t\t1 : 0.%d\n\taction b [-1]\n\t\t1 : 1\nstate 1 [0] goal\n\taction a [0]\n\t\t1 : 1\n' $k $((10 - k)) > "$dir/readme/family/k$k.drn"
done
judge readme "$python" - "$VOUCH" README.md "$dir/readme" <<'END'
import os, re, subprocess, sys
vouch, readme, place = os.path.abspath(sys.argv[1]), open(sys.argv[2]).read().splitlines(), sys.argv[3]
os.makedirs(place + "/bin", exist_ok=True)
os.symlink(vouch, place + "/bin/vouch")
environment = dict(os.environ, PATH=place + "/bin:" + os.environ["PATH"])
def plain(line): return re.sub(r"\d+\.\d+ s\b", "S s", line.strip())
def shown(wanted, said):
    """Are the lines wanted there, in their order, '...' standing for any?"""
    at, anywhere = 0, False
    for line in wanted:
        if line == "...":
            anywhere = True
            continue
        while anywhere and at < len(said) and said[at] != line: at += 1
        if at >= len(said) or said[at] != line: return line
        at, anywhere = at + 1, False
    return None
count = 0
for i, line in enumerate(readme):
    if not line.startswith("    $ vouch "): continue
    command, wanted = line[6:], []
    for follow in readme[i + 1:]:
        if follow.startswith("    $ ") or (follow.strip() and not follow.startswith("    ")): break
        wanted.append(plain(follow))
    while wanted and not wanted[-1]: wanted.pop()
    done = subprocess.run(command, shell=True, cwd=place, env=environment, capture_output=True, text=True)
    said = [plain(x) for x in done.stdout.splitlines()]
    missing = shown(wanted, said) if wanted else None
    count += 1
    proved = done.returncode == 2 and "infeasible (proved)" in done.stdout  # an answer, too
    if (done.returncode and not proved) or missing is not None:
        print(f"not ok readme_{count}: {command}: exit {done.returncode}, missing: {missing}, said: {(done.stderr or done.stdout)[:400]}")
    else: print(f"ok readme_{count}")
END
finish
