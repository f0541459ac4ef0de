# Constructs of the PRISM language, a small file for each: functions in their old spelling, and several initial states. What is read is held against
# Python's own evaluation of the same expressions.
. tests/expect.sh
judge prism "${PYTHON:-/usr/bin/python3}" - "$VOUCH" "$dir" <<'END'
import itertools, json, os, resource, subprocess, sys
vouch, place = sys.argv[1:]

def read(name, text, *options):
    path = os.path.join(place, name + ".prism")
    open(path, "w").write(text)
    done = subprocess.run([vouch, "convert", path, *options, "-o", "-"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr

def check(name, got, want):
    print(f"ok {name}" if got == want else f"not ok {name}: {got}, wanted {want}")

# ---- func(f, ..): where x goes in three steps from 0
functions = [
    ("mod", "func(mod, x+3, 8)", [0, 3, 6, 1]),
    ("floor", "func(floor, x/2)+3", [0, 3, 4, 5]),
    ("ceil", "func(ceil, x/2)+1", [0, 1, 2]),
    ("round", "func(round, x/2)+2", [0, 2, 3, 4]),
    ("min", "func(min, x+2, 5)", [0, 2, 4, 5]),
    ("max", "func(max, x-1, 3)", [0, 3]),
    ("pow", "func(pow, 2, x)", [0, 1, 2, 4]),
    ("log", "func(floor, func(log, 4*(x+1), 2))", [0, 2, 3, 4]),
]
for name, update, states in functions:
    model = read("func_" + name, f"mdp module m x : [0..16]; [a] true -> (x'={update}); endmodule\n", "-T", "3")
    check("func_" + name, sorted(int(s[2:]) for s in model["states"]) if isinstance(model, dict) else model, sorted(states))
model = read("func_guard", "mdp module m x : [0..7]; [a] func(mod, x, 2)=0 -> (x'=x+1); [a] func(mod, x, 2)=1 -> (x'=func(min, x+2, 7)); endmodule\n", "-T", "3")
check("func_guard", sorted(model["states"]), ["x=0", "x=1", "x=3", "x=5"])
model = read("func_everywhere", """mdp
const int N = func(max, 2, 3);
formula next = func(min, x+1, N);
module m x : [0..func(pow, 2, N)]; [a] true -> 1/N : (x'=next) + func(max, 0.1, 1-1/N) : true; endmodule
rewards func(mod, x, 2)=1 : func(pow, x, 2); endrewards
label "goal" = func(min, x, N)=N;
""", "-T", "4", "--commit", "goal", "-p", "0")
third = 1 / 3
check("func_everywhere", (model["commitment"]["states"], [r for r in model["rewards"] if r[2] != 0],
                          all(abs(p - (third if a[0] != c else 1 - third)) < 1e-15 or a[0] == "x=3" for a, c, p in [((r[0], r[1]), r[2], r[3]) for r in model["transitions"]])),
      (["x=3"], [["x=1", "a", 1], ["x=3", "a", 9]], True))

# ---- init .. endinit: each state that the expression holds in, as likely as the others
initial = [
    ("all", "true", "True"), ("either", "x=0 | x=3", "x in (0, 3)"), ("above", "x>1", "x > 1"), ("both", "x<=1 & y=1", "x <= 1 and y == 1"), ("bool", "b", "b"),
    ("not", "!b & x=1", "not b and x == 1"), ("equal", "x=y", "x == y"), ("sum", "x+y=2", "x + y == 2"), ("unequal", "x!=2 & b", "x != 2 and b"),
    ("implies", "b => x=0", "not b or x == 0"), ("iff", "b <=> y=1", "b == (y == 1)"), ("if", "(x=1 ? b : y=1)", "b if x == 1 else y == 1"),
    ("max", "max(x,y)=1", "max(x, y) == 1"), ("min", "min(x,y)=0 & x>0", "min(x, y) == 0 and x > 0"), ("mod", "mod(x,2)=0", "x % 2 == 0"),
    ("func", "func(mod,x,2)=1", "x % 2 == 1"), ("floor", "floor(x/2)=1", "x // 2 == 1"), ("product", "x*y=2", "x * y == 2"), ("negative", "x-y<0", "x - y < 0"),
    ("constant", "x=N+1 & !(y=1)", "x == 2 and y != 1"), ("formula", "near & b", "x <= 1 and b"),
]
for name, prism, python in initial:
    model = read("init_" + name, f"mdp\nconst int N = 1;\nformula near = x<=1;\nmodule m\n  x : [0..3]; y : [0..1]; b : bool;\n  [a] true -> true;\nendmodule\ninit {prism} endinit\n",
                 "-T", "2")
    want = {f"x={x},y={y},b={'true' if b else 'false'}" for x, y, b in itertools.product(range(4), range(2), (False, True)) if eval(python)}
    got = model["initial"] if isinstance(model, dict) else model
    got = {got: 1} if isinstance(got, str) else got
    check("init_" + name, (set(got) if isinstance(got, dict) else got, all(abs(p - 1 / len(want)) < 1e-15 for p in got.values())), (want, True))
    check("init_states_" + name, set(model["states"]), want)
two = "mdp\nglobal g : [0..2];\nmodule one x : [0..1]; [a] true -> true; endmodule\nmodule two = one [ x=z ] endmodule\ninit %s endinit\n"
for name, prism, want in [("global", "g=1 & x=0 & z=0", {"g=1,x=0,z=0"}), ("renamed", "x=1 & z!=x & g=0", {"g=0,x=1,z=0"}),
                          ("joined", "x+z=1 & g=2", {"g=2,x=0,z=1", "g=2,x=1,z=0"})]:
    model = read("init_" + name, two % prism, "-T", "2")
    got = model["initial"] if isinstance(model, dict) else model
    check("init_" + name, {got} if isinstance(got, str) else set(got), want)

# What is planned from several first states: from each as if it were the only one, weighed by how likely it is.
walk = "mdp\nmodule m\n  x : [0..4];\n  [up] x<4 -> 0.5 : (x'=x+1) + 0.5 : true;\n  [stay] true -> true;\nendmodule\nrewards x=4 : 1; endrewards\ninit %s endinit\n"
def value(x, T):
    if T == 0: return 0
    stay = value(x, T - 1)
    return (x == 4) + (stay if x == 4 else max(stay, 0.5 * value(x + 1, T - 1) + 0.5 * stay))
for name, prism, first in [("two", "x=1|x=3", (1, 3)), ("three", "x>1", (2, 3, 4)), ("five", "true", range(5))]:
    path = os.path.join(place, f"walk_{name}.prism")
    open(path, "w").write(walk % prism)
    plan = json.loads(subprocess.run([vouch, "plan", path, "-T", "5", "--json", "-q"], capture_output=True, text=True).stdout)
    want = sum(value(x, 5) for x in first) / len(first)
    check("plan_" + name, abs(plan["environments"][0]["value"] - want) < 1e-12 and plan["max_regret"] == 0, True)

# Models of millions of states, or without end, of which few lie within four steps: these are read, and 200 MB are enough.
counters = """mdp const double up;
module first x : int init 0; [step] true -> up : (x'=x+1) + 1-up : (x'=x-1); [jump] true -> (x'=2*x+3); [wait] true -> true; endmodule
module second y : int init 0; [step] true -> 0.5 : (y'=y+x) + 0.5 : true; [jump] true -> (y'=y+1); [wait] true -> true; endmodule
rewards y>0 : 1; endrewards label "goal" = mod(x+y,2)=0;
"""
# a coin that six processes toss by a random walk of a counter they share
coin = """mdp const int bias; const int N = 6; const int K = 1000; const int range = 2*(K+1)*N; global counter : [0..range] init (K+1)*N;
module process1 pc1 : [0..3] init 0; coin1 : [0..1] init 0;
  [] pc1=0 -> 0.5+bias*0.1 : (coin1'=0) & (pc1'=1) + 0.5-bias*0.1 : (coin1'=1) & (pc1'=1);
  [] pc1=1 & coin1=0 & counter>0 -> (counter'=counter-1) & (pc1'=2) & (coin1'=0);
  [] pc1=1 & coin1=1 & counter<range -> (counter'=counter+1) & (pc1'=2) & (coin1'=0);
  [] pc1=2 & counter<=N -> (pc1'=3) & (coin1'=0);
  [] pc1=2 & counter>=range-N -> (pc1'=3) & (coin1'=1);
  [] pc1=2 & counter>N & counter<range-N -> (pc1'=0);
  [done] pc1=3 -> true;
endmodule
""" + "".join(f"module process{i} = process1 [ pc1=pc{i}, coin1=coin{i} ] endmodule\n" for i in range(2, 7)) + """
rewards counter != (K+1)*N : 1; endrewards label "goal" = counter >= (K+1)*N;
"""
roomy = b"__asan_init" in open(vouch, "rb").read() # the sanitizers need more
for name, text, constant, states in [("counters", counters, "up=0.4,0.6", 173), ("coin", coin, "bias=0:1", 1156)]:
    path = os.path.join(place, name + ".nm")
    open(path, "w").write(text)
    done = subprocess.run([vouch, "plan", path, "--const", constant, "--commit", "goal", "-T", "4", "-p", "0.3", "-L", "1"], capture_output=True, text=True)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    check("within_" + name, (done.returncode, done.stdout.partition("\n")[2].split(", ")[0], roomy or most < 200000), (0, f"{name}: {states} states", True))

# --initial: states by name or expression, each part with its probability or as likely as the others.
two = "mdp\nconst int k = 0;\nmodule m\n  x : [0..3]; y : [0..1];\n  [a] true -> true;\nendmodule\nlabel \"top\" = x=3;\n"
for name, given, want in [("likely", ["x=1,y=0=0.25", "x=0,y=1=0.75"], {"x=1,y=0": 0.25, "x=0,y=1": 0.75}), ("one", ["x=2,y=1"], {"x=2,y=1": 1}),
                          ("shared", ["x=1=0.5", "x>2=0.5"], {"x=1,y=0": 0.25, "x=1,y=1": 0.25, "x=3,y=0": 0.25, "x=3,y=1": 0.25}),
                          ("twice", ["x=1&y=0=0.5", "x<=1&y=0=0.5"], {"x=0,y=0": 0.25, "x=1,y=0": 0.75}), ("equal", ["x=1,y=0", "x=2,y=0"], {"x=1,y=0": 0.5, "x=2,y=0": 0.5}),
                          ("label", ['"top"=0.5', "x+y=0=0.5"], {"x=3,y=0": 0.25, "x=3,y=1": 0.25, "x=0,y=0": 0.5}), ("certain", ["x=1,y=1=1"], {"x=1,y=1": 1})]:
    model = read("initial_" + name, two, "-T", "2", *(word for g in given for word in ("--initial", g)))
    got = model["initial"] if isinstance(model, dict) else model
    check("initial_" + name, {got: 1} if isinstance(model, dict) and isinstance(got, str) else got, want)
for name, given, want in [("sum", ["x=1=0.25", "x=0=0.7"], "the probabilities sum to 0.95; expected 1"), ("nowhere", ["x=1=0.5", "x=9=0.5"], "has no initial state x=9"),
                          ("unknown", ["z=1=0.5", "x=0=0.5"], 'there is no constant, variable or formula "z"')]:
    said = read("initial_" + name, two, "-T", "2", *(word for g in given for word in ("--initial", g)))
    check("initial_" + name, want in said, True)
END
# A byte-order mark is skipped, and places are those behind it.
for letter in x z; do printf '\357\273\277mdp module m x : [0..1]; [a] %s=0 -> true; endmodule' $letter > "$dir/mark_$letter.prism"; done
expect mark 0 "1 state" "$VOUCH" convert "$dir/mark_x.prism" -T 2 -o "$dir/mark.json"
expect mark_place 1 'mark_z.prism:1:30: there is no constant, variable or formula "z"' "$VOUCH" convert "$dir/mark_z.prism" -T 2
# A Markov chain is a model with one action in each state: what --induced prism writes is read back, with the policy's own figures. Then system .. endsystem.
"$VOUCH" convert bench/examples/ferry.prism --const current=0,3 --commit port -T 8 -p 0.9 -o "$dir/chained.json" > /dev/null
"$VOUCH" plan "$dir/chained.json" -L 2 -q -o "$dir/chained.policy" > /dev/null
"$VOUCH" show "$dir/chained.json" "$dir/chained.policy" --induced prism -o "$dir/chain.prism"
expect chain 0 "environment=1  -0.446016  -0.446016       0    0.901696" "$VOUCH" plan "$dir/chain.prism" --const environment=0:1 --commit commit -T 8 -p 0.9
printf 'dtmc\nmodule m\n x : [0..2];\n [] x=0 -> (x%s=1);\n [] x=0 -> 0.5 : (x%s=1) + 0.5 : (x%s=2);\n [] x>0 -> true;\nendmodule\nlabel "one" = x=1;\n' "'" "'" "'" > "$dir/both.prism"
expect chain_both 0 "k1            0  0       0        0.75" "$VOUCH" plan "$dir/both.prism" --commit one -T 1 -p 0.7
both() { printf 'mdp\nmodule a\n x : [0..1];\n [go] x=0 -> (x%s=1);\n [stay] x=1 -> true;\nendmodule\nmodule b = a [x=y] endmodule\nlabel "up" = x=1;\nsystem %s endsystem\n' "'" "$1" > "$dir/system.prism"; }
both 'a || b'
expect system 0 "total regret    0" "$VOUCH" plan "$dir/system.prism" --commit up -T 2 -p 1
both '(b || a)'
expect system_brackets 0 "total regret    0" "$VOUCH" plan "$dir/system.prism" --commit up -T 2 -p 1
for wrong in 'a' 'a || c' 'a || a' 'a || b |' 'a |[go| b' '(a || b' 'a || b / go' 'a || b {go <- }' '||'; do
    both "$wrong"
    expect "system_$wrong" 1 "system.prism:9:" "$VOUCH" plan "$dir/system.prism" --commit up -T 2 -p 1
done
both 'a || b endsystem system a || b'
expect system_twice 1 "there is one already" "$VOUCH" plan "$dir/system.prism" --commit up -T 2 -p 1
# The whole process algebra: random expressions, and the same models without them.
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
    "$PYTHON" tests/system_twins.py $seed "$dir/with.prism" "$dir/without.prism"
    for side in with without; do "$VOUCH" convert "$dir/$side.prism" -T 8 --commit x0=1 -p 0 --fix-deadlocks -o "$dir/$side.json" > /dev/null 2>&1; done
    if "$PYTHON" tests/system_twins.py same "$dir/with.json" "$dir/without.json"; then echo "ok system $seed"; else echo "not ok system $seed"; fi
done
printf 'mdp\nmodule m\n x : [0..1];\n [go] x=0 -> [0.2,0.4]:(x%s=1) + [0.6,0.8]:true;\n [go] x=1 -> true;\nendmodule\n' "'" > "$dir/interval.prism"
expect interval 0 "probabilities within limits; their nominal row is low + c (high - low)" "$VOUCH" plan "$dir/interval.prism" --commit x=1 -T 2 -p 0
# The first value of a whole variable may be written as a real number, if it is whole.
for first in '6/3' '2.0' 'floor(q*4.5)'; do
    printf 'mdp\nconst double q = 0.5;\nmodule m\n x : [0..3] init %s;\n [a] x<3 -> q:(x%s=x+1)+1-q:true;\n [b] true -> true;\nendmodule\nlabel "end" = x=3;\n' "$first" "'" > "$dir/real.prism"
    expect "init_$first" 0 "2 states" "$VOUCH" convert "$dir/real.prism" --commit end -T 4 -p 0 -o "$dir/real.json"
done
# Renamed modules share their expressions, may be renamed again, and take constants and formulas along.
{
    printf 'mdp\nmodule m0\n x0 : [0..3] init 0;\n [] '
    i=0
    while [ $i -lt 1500 ]; do printf '(x0!=%d | x0>%d) & ' $((i % 50)) $((i % 7)); i=$((i + 1)); done
    printf 'true -> true;\n [] true -> true;\nendmodule\n'
    while [ $i -lt 3500 ]; do printf 'module m%d = m0 [x0=x%d] endmodule\n' $i $i; i=$((i + 1)); done
    echo 'label "g" = x0=0;'
} > "$dir/renamed.prism"
printf 'mdp\nmodule a\n x : [0..2] init 0;\n [go] x<2 -> (x%s=x+1);\n [] x=2 -> true;\nendmodule\nmodule b = a [x=y, go=gob] endmodule\nmodule c = b [y=z, gob=goc] endmodule\nlabel "goal" = x=2&z=2;\n' "'" > "$dir/again.prism"
expect renamed_again 0 "proved optimal" "$VOUCH" plan "$dir/again.prism" -T 5 --commit goal -p 0.5
expect renamed_memory 0 "proved optimal" "$VOUCH" plan "$dir/renamed.prism" -T 1 --commit g -p 0 --memory-limit 60M
cat > "$dir/chain.prism" << 'END'
mdp
const int c = 1; const int d = 2; formula ahead = x+c; formula back = x-1;
module a
    x : [0..9] init 0;
    [go] x<7 -> (x'=ahead);
    [end] x>=7 -> (x'=back);
endmodule
module b = a [x=y, c=d, go=gob] endmodule
module e = b [y=z, gob=goc, d=c, back=c, end=over] endmodule
label "goal" = x=2 & y=4 & z=1;
label "over" = y=7;
END
expect chain 0 "k1            0  0       0           1" "$VOUCH" plan "$dir/chain.prism" -T 5 --commit goal -p 1 -q
sed 's/y=z, gob/y=z, y=x, gob/' "$dir/chain.prism" > "$dir/twice.prism"
expect renamed_twice 1 'the name "y" is replaced twice' "$VOUCH" plan "$dir/twice.prism" -T 5 --commit goal -p 1
sed 's/c=d/c=nothing/' "$dir/chain.prism" > "$dir/nothing.prism"
expect renamed_to_nothing 1 'nothing.prism:8:20: there is no constant, variable or formula "nothing"' "$VOUCH" plan "$dir/nothing.prism" -T 5 --commit goal -p 1
finish
