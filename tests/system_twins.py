"""A random PRISM model with system .. endsystem, and the same without: each synchronisation of the expression has a label of its own, and every
module that takes part a copy of its commands with that label.

    python3 tests/system_twins.py SEED WITH.prism WITHOUT.prism     writes both
    python3 tests/system_twins.py same A.json B.json                exit 0: the choices of each state are the same, names of actions left out
"""
import collections
import json
import random
import sys

LABELS = "abcd"


def module(rng, m):
    """Commands as (label, guard, update); the variable is x{m} in 0..2."""
    commands = []
    for label in ["", *rng.sample(LABELS, rng.randint(1, 3))]:
        for _ in range(rng.choice((1, 1, 2))):
            p, to = rng.choice(("0.25", "0.5")), rng.choices(range(3), k=2)
            commands.append((label, f"x{m}{rng.choice(('<2', '>0', '=1', '>=0'))}", f"{p}:(x{m}'={to[0]}) + 1-{p}:(x{m}'={to[1]})"))
    return commands


def leaf(modules, m):
    labels = list(dict.fromkeys(label for label, _, _ in modules[m] if label))
    return f"M{m}", [(label, ((m, label),)) for label in labels], set(labels)


def joined(first, second, together):
    vectors = [v for v in first[1] if v[0] not in together] + [v for v in second[1] if v[0] not in together]
    vectors += [(a, x + y) for a, x in first[1] if a in together for b, y in second[1] if a == b]
    return vectors, first[2] | second[2]


def changed(rng, expression):
    text, vectors, alphabet = expression
    if rng.random() < 0.25:
        hidden = rng.sample(LABELS, rng.randint(1, 2))
        return f"{text} / {{{','.join(hidden)}}}", [("" if a in hidden else a, v) for a, v in vectors], alphabet - set(hidden)
    if rng.random() < 0.3:
        become = dict(zip(rng.sample(LABELS, 2), rng.choices(LABELS, k=2)))
        named = lambda a: become.get(a, a)
        return (f"{text}{{{','.join(f'{a}<-{b}' for a, b in become.items())}}}", [(named(a), v) for a, v in vectors], {named(a) for a in alphabet})
    return expression


def composition(rng, modules, numbers):
    if len(numbers) == 1:
        return changed(rng, leaf(modules, numbers[0]))
    cut = rng.randint(1, len(numbers) - 1)
    first, second = composition(rng, modules, numbers[:cut]), composition(rng, modules, numbers[cut:])
    kind = rng.choice(("||", "|||", "list"))
    listed = rng.sample(LABELS, rng.randint(0, 3))
    together = {"||": first[2] & second[2], "|||": set(), "list": set(listed)}[kind]
    vectors, alphabet = joined(first, second, together)
    sign = f"|[{','.join(listed)}]|" if kind == "list" else kind
    return changed(rng, (f"({first[0]} {sign} {second[0]})", vectors, alphabet))


def write(path, modules, commands, rewards, system=""):
    with open(path, "w") as f:
        f.write("mdp\n" + (system if len(system) % 2 else ""))  # before the modules, or behind them
        for m in range(len(modules)):
            f.write(f"module M{m}\n x{m} : [0..2];\n" + "".join(f" [{a}] {g} -> {u};\n" for a, g, u in commands(m)) + "endmodule\n")
        f.write("rewards\n" + "".join(f" [{a}] x0<2 : {r};\n" for a, r in rewards) + "endrewards\n" + (system if len(system) % 2 == 0 else ""))


def make(seed, with_system, without):
    rng = random.Random(seed)
    modules = [module(rng, m) for m in range(3)]
    text, vectors, _ = composition(rng, modules, rng.sample(range(3), 3))
    pay = {a: rng.randint(1, 9) for a in ["", *LABELS]}
    write(with_system, modules, lambda m: modules[m], pay.items(), f"system {text} endsystem\n")
    own = [(f"s{i}", a, dict(v)) for i, (a, v) in enumerate(vectors)]

    def copies(m):
        plain = [c for c in modules[m] if not c[0]]
        return plain + [(name, g, u) for name, _, sides in own if m in sides for a, g, u in modules[m] if a and a == sides[m]]
    write(without, modules, copies, [("", pay[""])] + [(name, pay[a]) for name, a, _ in own])


def choices(path):
    model = json.load(open(path))
    found, paid = collections.defaultdict(list), {(r[0], r[1]): r[2] for r in model["rewards"]}
    for s, a, to, p in model["transitions"]:
        found[s, a].append((to, p))
    return collections.Counter((s, paid.get((s, a), 0), tuple(sorted(steps))) for (s, a), steps in found.items())


if __name__ == "__main__":
    if sys.argv[1] == "same":
        sys.exit(choices(sys.argv[2]) != choices(sys.argv[3]))
    make(int(sys.argv[1]), sys.argv[2], sys.argv[3])
