"""Reports (-o) and plain solutions (-w) of `vouch lp` beside glpsol's, line by line.

usage: judge_report.py VOUCH FILE...     prints every line that differs; exits 1 when one differs that must not

A linear program has one optimum when no nonbasic variable has dual 0 and no basic one stands at a bound; then every line must be
the same but for those that quote rounding errors (KKT.xx: max.abs.err, max.rel.err). glpsol reads a bound of -1e30 in an LP file as
a number, vouch as none: such bounds are blanked in its report. Where the optimum is not unique, and in integer programs, only
the heads (sizes, status, objective) must agree; the number of other lines that differ is printed.
"""
import os
import re
import subprocess
import sys
import tempfile

LAST_PRINTED = 1.01e-5  # one in the last of six digits; the plain solution tells whether more than that is wrong


def solve(command):
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("report", "plain")]
        subprocess.run([*command, "-o", names[0], "-w", names[1]], capture_output=True)
        return [open(name).read().split("\n") if os.path.exists(name) else [""] for name in names]


def glpsol(path):
    formats = ["--lp"] if re.search(r"\.lp(\.gz)?$", path) else ["--freemps", "--mps"]
    for f in formats:
        report, plain = solve(["glpsol", f, path])
        if len(report) > 2:
            break
    return report, plain, f


def close(a, b, digits):
    """The same words, numbers up to `digits`; near zero is zero."""
    if a == b:
        return True
    x, y = a.split(), b.split()
    if len(x) != len(y):
        return False
    for s, t in zip(x, y):
        if s == t:
            continue
        try:
            u, v = float(s), float(t)
        except ValueError:
            return False
        if not abs(u - v) <= digits * max(1, abs(u), abs(v)):
            return False
    return True


def bounds_of(report):
    """name order -> (lower, upper) as printed: fields at fixed columns behind the activity."""
    out = {"i": [], "j": []}
    kind = None
    for line in report:
        if line.startswith("   No.   Row"):
            kind = "i"
        elif line.startswith("   No. Column"):
            kind = "j"
        elif line.startswith("Karush"):
            break
        elif kind and len(line) > 36 and re.match(r" *\d+ \S| {20}", line) and line[20:23].strip():
            out[kind].append((line[37:50].strip(), line[51:64].strip()))
    return out


def unique(report, plain):
    at = bounds_of(report)
    for line in plain:
        part = line.split()
        if not part or part[0] not in "ij":
            continue
        value, dual = float(part[3]), float(part[4])
        lower, upper = at[part[0]][int(part[1]) - 1]
        if part[2] in "luf" and abs(dual) <= 1e-9:
            return False
        if part[2] == "b":
            for bound in (lower, lower if upper == "=" else upper):
                if bound and abs(value - float(bound)) <= 1e-6 * max(1, abs(value)):
                    return False
    return True


def main():
    binary, failed, ones, same = sys.argv[1], 0, 0, 0
    for path in sys.argv[2:]:
        theirs, their_plain, f = glpsol(path)
        ours, our_plain = solve([binary, "lp", path, f])
        theirs = [re.sub(r"( +)-1e\+30 ", lambda m: " " * (len(m.group(1)) + 7), line) for line in theirs]
        mip = any("INTEGER" in line for line in theirs)
        optimal = any(line.endswith("OPTIMAL") for line in theirs[:8])
        one = optimal and not mip and unique(theirs, their_plain)
        ones += one
        bad, elsewhere, shown, digits = [], 0, [], [0, 0]
        if len(ours) != len(theirs) or len(our_plain) != len(their_plain):
            bad.append(("%d and %d lines" % (len(theirs), len(their_plain)), "%d and %d" % (len(ours), len(our_plain))))
        for k, (a, b) in enumerate([*zip(theirs, ours), *zip(their_plain, our_plain)]):
            if a == b:
                continue
            rounding = "max.abs.err" in a or "max.rel.err" in a
            head = k < 6 or k >= len(theirs) and (a.startswith("c ") or a.startswith("s "))
            if rounding or close(a, b, 1e-9 if k >= len(theirs) else LAST_PRINTED):
                shown.append((a, b))
                digits[k >= len(theirs)] += 1
            elif one or (head and optimal):
                bad.append((a, b))
            else:
                elsewhere += 1
        exact = not bad and not elsewhere and not shown
        same += exact
        kind = "integer program" if mip else "one optimum" if one else "several optima" if optimal else "no optimum"
        print(f"{path.split('/')[-1]}: {kind}; {len(bad)} lines wrong, "
              f"rounding differs in {digits[0]} of {len(theirs)} lines of the report, {digits[1]} of {len(their_plain)} of the "
              f"plain solution; {elsewhere} of another optimum")
        for a, b in bad + (shown if one or mip else [])[:12]:
            print(f"    glpsol |{a}\n    vouch  |{b}")
        failed += bool(bad)
    print(f"{len(sys.argv) - 2} files, {ones} of them linear with one optimum, {same} the same to the byte, {failed} with lines that must not differ")
    print("not ok judge_report" if failed else "ok judge_report")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
