#!/usr/bin/env python3
"""knowledge.py - models whose promise is kept by who finds out where it is, of four families, and how soon a policy is there.

  code      guess a code of n digits of c colours, told how many are right (K = c^n); promise: guessed by T
  group     of n items one is bad, or none; test any of the groups offered (K = n + 1); promise: named at T
  search    something is in one of n cells of a line, one step a move, seen when near; promise: at it by T
  fault     one of n parts fails; probes split the parts, each answer right with probability q; promise: repaired at T with p

    python3 bench/knowledge.py VOUCH [-l SECONDS] [--least K] [--most K]
    python3 bench/knowledge.py --write FAMILY,PARAMETERS > MODEL.json

A row: family, parameters, K, T, p, L, what was found and after how many processor seconds.
"""
import argparse
import itertools
import json
import resource
import subprocess
import sys
import tempfile


class Model:
    def __init__(self, name, states, actions, horizon, promise, environments):
        self.body = {"vouch": 1, "name": name, "states": states, "actions": actions, "initial": states[0],
                     "horizon": horizon, "commitments": [promise], "transitions": [], "environments": []}
        self.names = environments
        self.rows = {k: [] for k in environments}

    def all(self, state, action, successor, probability=1):
        self.body["transitions"].append([state, action, successor, probability])

    def one(self, environment, state, action, successor, probability=1):
        self.rows[environment].append([state, action, successor, probability])

    def text(self):
        self.body["environments"] = [{"name": k, "transitions": self.rows[k]} for k in self.names]
        return json.dumps(self.body)


def code(digits, colours, horizon):
    """The answer to a guess is the next state: how many digits are right."""
    codes = ["".join(c) for c in itertools.product("0123456789"[:colours], repeat=digits)]
    states = ["start"] + [f"right{i}" for i in range(digits + 1)]
    m = Model(f"code-{digits}-{colours}", states, ["g" + c for c in codes], horizon,
              {"name": "guessed", "kind": "by", "states": [states[-1]], "time": horizon, "probability": 1},
              ["c" + c for c in codes])
    for guess in codes:
        m.all(states[-1], "g" + guess, states[-1])
        for secret in codes:
            right = sum(a == b for a, b in zip(guess, secret))
            for s in states[:-1]:
                m.one("c" + secret, s, "g" + guess, f"right{right}")
    return m


def group(items, width, horizon):
    """Tests are runs of at most `width` items, and what is left of a binary search; the last action names the bad one."""
    tests = sorted({(i, min(i + w, items)) for w in range(1, width + 1) for i in range(items)})
    names = [f"bad{i}" for i in range(items)] + ["none"]
    states = ["start", "good", "bad", "right", "wrong"]
    m = Model(f"group-{items}-{width}", states, [f"test{a}-{b}" for a, b in tests] + ["name" + n for n in names], horizon,
              {"name": "named", "kind": "at", "states": ["right"], "time": horizon, "probability": 1}, names)
    for k, name in enumerate(names):
        for s in states[:3]:
            for a, b in tests:
                m.one(name, s, f"test{a}-{b}", "bad" if a <= k < b else "good")
            for other in names:
                m.one(name, s, "name" + other, "right" if other == name else "wrong")
    for s in states[3:]:
        for action in m.body["actions"]:
            m.all(s, action, s)
    return m


def search(cells, sight, horizon):
    """The searcher begins in the middle; what is within `sight` is seen, and on which side."""
    middle = cells // 2
    states = [f"{c}{w}" for c in [middle] + [i for i in range(cells) if i != middle] for w in ("", "<", ">", "!")]
    m = Model(f"search-{cells}-{sight}", states, ["left", "right", "stay"], horizon,
              {"name": "found", "kind": "by", "states": [f"{c}!" for c in range(cells)], "time": horizon, "probability": 1},
              [f"at{c}" for c in range(cells)])
    for k in range(cells):
        for c in range(cells):
            for action, to in (("left", max(c - 1, 0)), ("right", min(c + 1, cells - 1)), ("stay", c)):
                mark = "!" if to == k else "" if abs(to - k) > sight else "<" if k < to else ">"
                for w in ("", "<", ">", "!"):
                    m.one(f"at{k}", f"{c}{w}", action, f"{to}{mark}")
    return m


def fault(parts, right, horizon, probability):
    """A probe asks for one bit of the number of the part that fails; a repair of the wrong part is no harm but takes a step."""
    bits = max(1, (parts - 1).bit_length())
    states = ["start", "yes", "no", "repaired"]
    m = Model(f"fault-{parts}", states, [f"bit{b}" for b in range(bits)] + [f"repair{i}" for i in range(parts)], horizon,
              {"name": "repaired", "kind": "by", "states": ["repaired"], "time": horizon, "probability": probability},
              [f"part{k}" for k in range(parts)])
    for k in range(parts):
        for s in states[:3]:
            for b in range(bits):
                told = "yes" if k >> b & 1 else "no"
                m.one(f"part{k}", s, f"bit{b}", told, right)
                if right < 1:
                    m.one(f"part{k}", s, f"bit{b}", "no" if told == "yes" else "yes", 1 - right)
            for i in range(parts):
                m.one(f"part{k}", s, f"repair{i}", "repaired" if i == k else s)
    for action in m.body["actions"]:
        m.all("repaired", action, "repaired")
    return m


FAMILIES = {"code": code, "group": group, "search": search, "fault": fault}
# family, parameters, can it be kept (None: not known)
LIST = [("code", (2, 3, 3), None), ("code", (3, 3, 4), None), ("code", (2, 5, 5), None), ("code", (3, 3, 2), False),
        ("code", (4, 3, 6), True), ("code", (4, 3, 7), True), ("code", (3, 5, 7), None), ("code", (4, 4, 8), None),
        ("group", (7, 4, 4), True), ("group", (15, 8, 5), True), ("group", (15, 8, 4), False), ("group", (31, 16, 6), True),
        ("group", (31, 16, 5), False), ("group", (63, 32, 7), True), ("group", (80, 64, 8), True), ("group", (127, 64, 8), True),
        ("search", (9, 1, 12), True), ("search", (15, 1, 20), True), ("search", (15, 1, 10), False), ("search", (31, 2, 44), True),
        ("search", (31, 1, 30), False), ("search", (81, 3, 120), True), ("search", (255, 3, 390), True),
        ("fault", (8, 1, 4, 1), True), ("fault", (32, 1, 6, 1), True), ("fault", (32, 1, 5, 1), False),
        ("fault", (81, 1, 8, 1), True), ("fault", (81, .95, 12, .9), True), ("fault", (128, 1, 8, 1), True),
        ("fault", (256, 1, 9, 1), True)]


def seconds(command, limit):
    """Processor seconds, exit status, output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, timeout=20 * limit + 60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("vouch", nargs="?")
    parser.add_argument("--write", metavar="FAMILY,PARAMETERS")
    parser.add_argument("-l", "--limit", type=float, default=10)
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("--most", type=int, default=256)
    parser.add_argument("--lookahead", default="T", help="L, or T: the horizon")
    options = parser.parse_args()
    if options.write:
        family, *numbers = options.write.split(",")
        print(FAMILIES[family](*(float(x) if "." in x else int(x) for x in numbers)).text())
        return 0
    wrong = 0
    for family, numbers, kept in LIST:
        model = FAMILIES[family](*numbers)
        K, T = len(model.names), model.body["horizon"]
        if not options.least <= K <= options.most:
            continue
        L = str(T) if options.lookahead == "T" else options.lookahead
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(model.text())
            file.flush()
            took, status, out = seconds([options.vouch, "plan", file.name, "-L", L, "--json", "--time-limit", str(options.limit)],
                                        options.limit)
        answer = json.loads(out) if out else {}
        found = answer.get("max_regret") is not None and answer.get("status") != "infeasible"
        said = "policy" if found else answer.get("status", f"exit {status}")
        late = kept is not None and said != ("policy" if kept else "infeasible")
        wrong += late
        print(f"{family:7} {','.join(map(str, numbers)):14} K {K:4} T {T:4} L {L:>4}  {said:11} {took:6.2f} s"
              f"{'  expected: ' + ('policy' if kept else 'infeasible') if late else ''}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
