#!/usr/bin/env python3
"""Checks proofs of mixed-integer programs in the format VIPR 1.0 by its published rules (K. K. H. Cheung, A. Gleixner, D. E. Steffy, Verifying
integer programming results, IPCO 2017; the format's specification), in fractions; it knows nothing of the program that wrote them.

usage: check_vipr.py FILE [OPTIMUM | infeasible]     the optimum that the file is expected to claim
Prints "verified: ..", exit status 0, or "refuted: ..", 2.
"""
import sys
from fractions import Fraction
from math import ceil, floor


class Refuted(Exception):
    pass


class Tokens:
    def __init__(self, path):
        self.source = self.read(path)
        self.ahead = None

    @staticmethod
    def read(path):
        with open(path) as file:
            comments = True
            for line in file:
                if comments and line.startswith("%"):
                    continue
                comments = False
                yield from line.split()

    def word(self):
        if self.ahead is not None:
            token, self.ahead = self.ahead, None
            return token
        try:
            return next(self.source)
        except StopIteration:
            raise Refuted("the file ends in the middle") from None

    def expect(self, *words):
        token = self.word()
        if token not in words:
            raise Refuted(f'"{token}" where {" or ".join(words)} should be')
        return token

    def number(self):
        try:
            return Fraction(self.word())
        except (ValueError, ZeroDivisionError):
            raise Refuted("a number was expected") from None

    def whole(self):
        value = self.number()
        if value.denominator != 1:
            raise Refuted(f"{value} is no whole number")
        return int(value)

    def vector(self, length):
        terms = {}
        for _ in range(self.whole()):
            i, value = self.whole(), self.number()
            if not 0 <= i < length or i in terms:
                raise Refuted(f"index {i} is out of range or doubled")
            if value:
                terms[i] = value
        return terms


class Constraint:
    """lhs sense rhs, sense one of E, L, G; assumptions: numbers of the constraints that it rests on."""

    def __init__(self, lhs, sense, rhs, assumptions=frozenset(), is_assumption=False):
        self.lhs, self.sense, self.rhs = lhs, sense, rhs
        self.assumptions, self.is_assumption, self.last = assumptions, is_assumption, -1

    def absurd(self):
        return not self.lhs and (self.sense in "EG" and self.rhs > 0 or self.sense in "EL" and self.rhs < 0)

    def dominates(self, other):
        if self.absurd():
            return True
        if self.lhs != other.lhs or self.sense not in (other.sense, "E"):
            return False
        return self.rhs == other.rhs if other.sense == "E" else self.rhs >= other.rhs if other.sense == "G" else self.rhs <= other.rhs

    def holds(self, point):
        value = sum(c * point.get(i, 0) for i, c in self.lhs.items())
        return value == self.rhs if self.sense == "E" else value >= self.rhs if self.sense == "G" else value <= self.rhs


class Checker:
    def __init__(self, path):
        self.in_ = Tokens(path)
        self.constraints = []

    def read_constraint(self):
        self.in_.word()
        sense, rhs = self.in_.expect("E", "L", "G"), self.in_.number()
        token = self.in_.word()
        if token == "OBJ":
            return Constraint(self.objective, sense, rhs)
        self.in_.ahead = token
        return Constraint(self.in_.vector(self.n), sense, rhs)

    def program(self):
        t = self.in_
        t.expect("VER")
        t.expect("1.0")
        t.expect("VAR")
        self.n = t.whole()
        for _ in range(self.n):
            t.word()
        t.expect("INT")
        self.integer = {t.whole() for _ in range(t.whole())}
        t.expect("OBJ")
        self.minimize = t.expect("min", "max") == "min"
        self.objective = t.vector(self.n)
        t.expect("CON")
        count = t.whole()
        t.whole()
        self.constraints = [self.read_constraint() for _ in range(count)]

    def claim(self):
        t = self.in_
        t.expect("RTP")
        self.infeasible = t.expect("infeas", "range") == "infeas"
        if not self.infeasible:
            ends = [t.word(), t.word()]
            self.lower, self.upper = (None if e in ("inf", "-inf") else Fraction(e) for e in ends)
        t.expect("SOL")
        self.values = []
        for _ in range(t.whole()):
            t.word()
            point = t.vector(self.n)
            if not all(c.holds(point) for c in self.constraints):
                raise Refuted("a solution breaks a constraint")
            if any(point[i].denominator != 1 for i in point if i in self.integer):
                raise Refuted("a solution is not integer")
            self.values.append(sum(c * point.get(i, 0) for i, c in self.objective.items()))
        if self.infeasible and self.values:
            raise Refuted("a solution of an infeasible program")
        primal = None if self.infeasible else self.upper if self.minimize else self.lower
        if primal is not None and not any(v <= primal if self.minimize else v >= primal for v in self.values):
            raise Refuted("no solution reaches the primal bound")

    def refer(self, number):
        here = len(self.constraints)
        if not 0 <= number < here:
            raise Refuted(f"constraint {number} is not there yet")
        c = self.constraints[number]
        if c is None or c.last not in (-1,) and c.last < here:
            raise Refuted(f"constraint {number} was last needed before")
        return c

    def combination(self):
        lhs, rhs, sense, assumptions = {}, Fraction(0), "E", set()
        for _ in range(self.in_.whole()):
            c, factor = self.refer(self.in_.whole()), self.in_.number()
            if factor == 0:
                continue
            kind = c.sense if c.sense == "E" or factor > 0 else "L" if c.sense == "G" else "G"
            if "E" not in (kind, sense) and kind != sense:
                raise Refuted("the terms of a combination pull in different directions")
            sense = kind if sense == "E" else sense
            for i, value in c.lhs.items():
                lhs[i] = lhs.get(i, 0) + factor * value
            rhs += factor * c.rhs
            assumptions |= c.assumptions
        return Constraint({i: v for i, v in lhs.items() if v}, sense, rhs, frozenset(assumptions))

    def rounded(self, c):
        if any(i not in self.integer or v.denominator != 1 for i, v in c.lhs.items()) or c.sense == "E":
            raise Refuted("only an inequality of integers on integer variables may be rounded")
        c.rhs = Fraction(ceil(c.rhs) if c.sense == "G" else floor(c.rhs))
        return c

    def discharged(self, derived):
        numbers = [self.in_.whole() for _ in range(4)]
        first, one, second, two = (self.refer(k) for k in numbers)
        if not (one.is_assumption and two.is_assumption and first.dominates(derived) and second.dominates(derived)):
            raise Refuted("uns: not assumptions, or a side that does not dominate")
        low, high = (one, two) if one.sense == "L" else (two, one)
        if low.sense != "L" or high.sense != "G" or low.lhs != high.lhs or high.rhs != low.rhs + 1 or low.rhs.denominator != 1 \
                or any(i not in self.integer or v.denominator != 1 for i, v in low.lhs.items()):
            raise Refuted("uns: the assumptions leave something between them")
        derived.assumptions = (first.assumptions - {numbers[1]}) | (second.assumptions - {numbers[3]})

    def derive(self):
        number, derived = len(self.constraints), self.read_constraint()
        self.in_.expect("{")
        reason = self.in_.word()
        if reason == "asm":
            derived.assumptions, derived.is_assumption = frozenset({number}), True
        elif reason in ("lin", "rnd"):
            made = self.combination()
            made = self.rounded(made) if reason == "rnd" else made
            if not made.dominates(derived):
                raise Refuted(f"constraint {number} does not follow by {reason}")
            derived.assumptions = made.assumptions
        elif reason == "uns":
            self.discharged(derived)
        elif reason == "sol":
            best = min(self.values) if self.minimize else max(self.values)
            if not Constraint(self.objective, "L" if self.minimize else "G", best).dominates(derived):
                raise Refuted("no solution is that good")
        else:
            raise Refuted(f'"{reason}" is no reason')
        self.in_.expect("}")
        derived.last = self.in_.whole()
        self.constraints.append(derived)

    def run(self):
        self.program()
        self.claim()
        self.in_.expect("DER")
        for _ in range(self.in_.whole()):
            self.derive()
        last = self.constraints[-1] if self.constraints else Constraint({}, "E", 0)
        if last.assumptions:
            raise Refuted("the last constraint rests on an assumption")
        if self.infeasible:
            if not last.absurd():
                raise Refuted("the last constraint is no absurdity")
            return "infeasible"
        dual = self.lower if self.minimize else self.upper
        if dual is not None and not last.dominates(Constraint(self.objective, "G" if self.minimize else "L", dual)):
            raise Refuted("the last constraint does not imply the dual bound")
        return f"optimal value range [{self.lower}, {self.upper}]"


def main():
    sys.set_int_max_str_digits(0) if hasattr(sys, "set_int_max_str_digits") else None
    checker = Checker(sys.argv[1])
    try:
        verdict = checker.run()
        if len(sys.argv) > 2:
            optimum = sys.argv[2]
            if (optimum == "infeasible") != checker.infeasible:
                raise Refuted(f"the file claims {verdict}")
            if not checker.infeasible and not (checker.lower == checker.upper and abs(checker.lower - Fraction(optimum)) <= abs(checker.lower) / 10**8):
                raise Refuted(f"the file claims {verdict}, not {optimum}")
    except Refuted as why:
        print(f"refuted: {why}")
        return 2
    print(f"verified: {verdict}, {len(checker.constraints)} constraints")
    return 0


if __name__ == "__main__":
    sys.exit(main())
