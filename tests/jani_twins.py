"""Random JANI models with arrays, and the same models with a variable for each element: jani_twins.py SEED FILE FILE.

The twins have the same names, so that vouch makes the same bytes of both. Arrays are of one or two levels, read and assigned by
indices that are numbers, constants, variables and sums; functions take arrays, "ac" makes them, and assignments have indices."""
import json
import random
import sys


def op(o, left, right):
    return {"op": o, "left": left, "right": right}


def ite(condition, yes, no):
    return {"op": "ite", "if": condition, "then": yes, "else": no}


def access(array, index):
    return {"op": "aa", "exp": array, "index": index}


def clamp(x, most):
    """An expression between 0 and most."""
    return op("max", 0, op("min", most, x))


class Twins:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.n = self.random.randint(2, 3)
        self.m = self.random.randint(2, 3)
        self.values = [self.random.randint(0, 2) for _ in range(self.n)]
        self.table = [[self.random.randint(0, 2) for _ in range(self.m)] for _ in range(self.n)]

    def row(self, i):
        """An element of a: with arrays, without. i is a number or (with arrays, without) an expression."""
        if isinstance(i, int):
            return access("a", i), f"a_{i}"
        expanded = f"a_{self.n - 1}"
        for k in range(self.n - 1):
            expanded = ite(op("=", i[1], k), f"a_{k}", expanded)
        return access("a", i[0]), expanded

    def cell(self, i, j):
        expanded = 0
        for x in range(self.n):
            for y in range(self.m):
                expanded = ite(op("∧", op("=", i[1], x), op("=", j[1], y)), f"b_{x}_{y}", expanded)
        return access(access("b", i[0]), j[0]), expanded

    def index(self, most):
        kind = self.random.randrange(5)
        if kind == 0:
            i = self.random.randint(0, most)
            return i, i
        if kind == 1:
            return clamp("x", most), clamp("x", most)
        if kind == 2:
            return clamp(op("+", "x", "one"), most), clamp(op("+", "x", "one"), most)
        if kind == 3:
            one = self.row(self.random.randrange(self.n))
            return clamp(one[0], most), clamp(one[1], most)
        return op("-", "one", 1), 0

    def number(self, depth=2):
        kind = self.random.randrange(6 if depth else 2)
        if kind == 0:
            return "x", "x"
        if kind == 1:
            i = self.random.randint(0, 2)
            return i, i
        if kind == 2:
            return self.row(self.index(self.n - 1))
        if kind == 3:
            return self.cell(self.index(self.n - 1), self.index(self.m - 1))
        if kind == 4:  # the sum of an array that is made on the way
            k = self.random.randrange(self.n)
            made = {"op": "ac", "var": "i", "length": self.n, "exp": op("+", access("a", "i"), op("*", "i", "one"))}
            return {"op": "call", "function": "first", "args": [made, k]}, op("+", f"a_{k}", k)
        a, b = self.number(depth - 1), self.number(depth - 1)
        o = self.random.choice("+-")
        return op(o, a[0], b[0]), op(o, a[1], b[1])

    def assignments(self):
        """Of one destination: with arrays, without."""
        with_arrays, without = [], []
        for index, ref in enumerate(self.random.sample(["x", "a", "b", "whole"], self.random.randint(1, 3))):
            value = [clamp(v, 2) for v in self.number()]
            if ref == "x":
                pairs = [("x", value[0], "x", value[1])]
            elif ref == "whole":
                a, b = self.number(1), self.number(1)
                values = [(clamp(v[0], 2), clamp(v[1], 2)) for v in [a, b, a][:self.n]]
                with_arrays.append({"ref": "a", "value": {"op": "av", "elements": [v[0] for v in values]}, "index": index})
                without += [{"ref": f"a_{k}", "value": v[1], "index": index} for k, v in enumerate(values)]
                continue
            elif ref == "a":
                i = self.index(self.n - 1)
                with_arrays.append({"ref": access("a", i[0]), "value": value[0], "index": index})
                without += [{"ref": f"a_{k}", "value": ite(op("=", i[1], k), value[1], f"a_{k}"), "index": index}
                            for k in range(self.n)]
                continue
            else:
                i, j = self.index(self.n - 1), self.index(self.m - 1)
                with_arrays.append({"ref": access(access("b", i[0]), j[0]), "value": value[0], "index": index})
                without += [{"ref": f"b_{k}_{l}", "index": index,
                             "value": ite(op("∧", op("=", i[1], k), op("=", j[1], l)), value[1], f"b_{k}_{l}")}
                            for k in range(self.n) for l in range(self.m)]
                continue
            for ref_a, value_a, ref_b, value_b in pairs:
                with_arrays.append({"ref": ref_a, "value": value_a, "index": index})
                without.append({"ref": ref_b, "value": value_b, "index": index})
        return with_arrays, without

    def models(self):
        bounded = {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": 2}
        x = {"name": "x", "type": bounded, "initial-value": 1}
        array = {"kind": "array", "base": bounded}
        variables = [x, {"name": "a", "type": array, "initial-value": {"op": "av", "elements": self.values}},
                     {"name": "b", "type": {"kind": "array", "base": array},
                      "initial-value": {"op": "av", "elements": [{"op": "av", "elements": row} for row in self.table]}}]
        scalars = [x] + [{"name": f"a_{k}", "type": bounded, "initial-value": v} for k, v in enumerate(self.values)]
        scalars += [{"name": f"b_{k}_{l}", "type": bounded, "initial-value": v}
                    for k, row in enumerate(self.table) for l, v in enumerate(row)]
        edges = ([], [])
        for _ in range(3):
            guard = self.number(1)
            destinations = ([], [])
            for p in (0.25, 0.75):
                for side, a in enumerate(self.assignments()):
                    destinations[side].append({"location": "l", "probability": {"exp": p}, "assignments": a})
            for side in range(2):
                edges[side].append({"location": "l", "guard": {"exp": op("≥", guard[side], -4)}, "destinations": destinations[side]})
        first = {"name": "first", "type": "int", "body": access("list", "k"),
                 "parameters": [{"name": "list", "type": {"kind": "array", "base": "int"}}, {"name": "k", "type": "int"}]}
        for side in range(2):
            yield {"jani-version": 1, "name": "twin", "type": "mdp", "x-maker": {"any": 1}, "features": ["arrays", "functions"],
                   "constants": [{"name": "one", "type": "int", "value": 1}], "functions": [first] if side == 0 else [],
                   "variables": (variables, scalars)[side],
                   "automata": [{"name": "it", "locations": [{"name": "l"}], "initial-locations": ["l"], "edges": edges[side]}],
                   "system": {"elements": [{"automaton": "it"}]}}


for path, model in zip(sys.argv[2:], Twins(int(sys.argv[1])).models()):
    with open(path, "w") as f:
        json.dump(model, f)
