"""Drawn Boolean formulas of labels and variables: the same states in a PRISM file, in DRN files and in an explicit file of PRISM, by --commit
and as properties, as they are evaluated here.

    judge_formulas.py VOUCH FORMULAS
"""
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

vouch, count = sys.argv[1], int(sys.argv[2])
place = Path(tempfile.mkdtemp())
N = 7
LABELS = {"a": lambda x: x % 2 == 1, "b": lambda x: x > 3, "c": lambda x: x in (0, 5)}
MODEL = f"""mdp
module m
  x : [0..{N - 1}];
  [go] x<{N - 1} -> 0.5 : (x'=x+1) + 0.5 : true;
  [stay] true -> true;
endmodule
label "a" = mod(x,2)=1; label "b" = x>3; label "c" = x=0|x=5;
"""


def draw(r, depth):
    """A formula as text, and as a function of x."""
    if depth == 0 or r.random() < 0.2:
        if r.random() < 0.25:
            k, op = r.randrange(N), r.choice(("=", "!=", "<", "<=", ">", ">="))
            return f"x{op}{k}", lambda x: {"=": x == k, "!=": x != k, "<": x < k, "<=": x <= k, ">": x > k, ">=": x >= k}[op]
        name = r.choice([*LABELS, "init", "true", "false"])
        if name in ("true", "false"):
            return name, lambda x: name == "true"
        return f'"{name}"', (lambda x: x == 0) if name == "init" else LABELS[name]
    op = r.choice(("!", "! ", "&", "|", "=>", "<=>", "?"))
    p, f = draw(r, depth - 1)
    if op[0] == "!":
        return f"{op}({p})" if r.random() < 0.7 or not p.startswith('"') else f"{op}{p}", lambda x: not f(x)
    q, g = draw(r, depth - 1)
    space = r.choice(("", " "))
    if op == "?":
        s, h = draw(r, depth - 1)
        return f"(({p})?({q}):({s}))", lambda x: g(x) if f(x) else h(x)
    does = {"&": lambda x: f(x) and g(x), "|": lambda x: f(x) or g(x), "=>": lambda x: not f(x) or g(x), "<=>": lambda x: f(x) == g(x)}[op]
    return f"(({p}){space}{op}{space}({q}))", does


def states(path, *words):
    done = subprocess.run([vouch, "convert", path, "-T", "9", *words, "-o", "-"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"not ok {path} {words}: {done.stderr}")
    m = json.loads(done.stdout)
    return [m["commitment"]["states"]] if "commitment" in m else [p["states"] for p in m["commitments"]]


(place / "m.prism").write_text(MODEL)
subprocess.run([vouch, "convert", place / "m.prism", "-T", "9", "-o", f"{place}/m/"], check=True, capture_output=True)
rows = [(s, 0, t, p) for s in range(N) for t, p in (((s, 0.5), (s + 1, 0.5)) if s < N - 1 else ((s, 1),))] + [(s, 1, s, 1) for s in range(N - 1)]
(place / "m.tra").write_text(f"{N} {2 * N - 1} {len(rows)}\n" + "".join(f"{s} {a} {t} {p}\n" for s, a, t, p in sorted(rows)))
names = ["init", "deadlock", *LABELS]
held = {s: [i for i, n in enumerate(names) if (n == "init" and s == 0) or (n in LABELS and LABELS[n](s))] for s in range(N)}
(place / "m.lab").write_text(" ".join(f'{i}="{n}"' for i, n in enumerate(names)) + "\n" + "".join(f"{s}: {' '.join(map(str, h))}\n" for s, h in held.items() if h))
(place / "m.sta").write_text("(x)\n" + "".join(f"{s}:({s})\n" for s in range(N)))
r = random.Random(1)
for i in range(count):
    text, holds = draw(r, 3)
    expected = sorted(f"x={x}" for x in range(N) if holds(x))
    if not expected:
        continue
    (place / "p.props").write_text(f'P>=1/4 [ true U<10 ({text}) ]\nP < 3/4 [ G<=T (!({text})) ]\n')
    for path in ("m.prism", "m", "m.tra"):
        found = [sorted(s) for s in states(place / path, "--commit", f"({text})", "-p", "0.1")]
        if found != [expected]:
            sys.exit(f"not ok {path}: {text}: {found}, expected {expected}")
        found = [sorted(s) for s in states(place / path, "--prop", place / "p.props")]
        if found != [expected, expected]:
            sys.exit(f"not ok {path}: property of {text}: {found}, expected {expected}")
print(f"ok formulas # {count}")
