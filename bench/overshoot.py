#!/usr/bin/env python3
"""overshoot.py - do limits hold on large models? Forty of seven families, each planned with a time limit.

usage: overshoot.py VOUCH [--limit SECONDS,..] [--only WORD,..] [--folder DIR] [--memory SIZE] [--busy] [--list] [-- OPTIONS OF PLAN]

  grid    an n x n grid (S to 202 500) whose wind blows from one of K sides; the goal is to be reached, or ditches avoided
  lamps   2^b settings of b hidden switches (K to 4096), one asked for at a time; the right code is to be entered by T
  arms    A arms (to 10 000) that pay otherwise in each environment, in few states
  wear    machines that wear, K (to 4096) ways; shared names, all rows of each environment its own
  web     a sparse random graph of S states, transitions shared or not, rewards told apart or not
  noise   every row of every environment its own, dense: what is known never becomes certain
  levels  a graph of layers of w states, where each environment pays one of ten rewards: the sets of what is possible are many

A row: model, L, seconds of the processor for reading, limit, seconds of the wall and of the processor from start to exit, seconds beyond what is allowed, peak of
memory, outcome. Allowed are the limit, .3 s and 5 %, and the memory of --memory and 5 %. At the end, how many pass at each limit.
--busy: others use the machine, so the processor seconds of the process are the clock: of the program, whose calls of the clock a small library answers that is
compiled for this, and of the judgement. One thread only. Reading is measured as `vouch evaluate` of a policy file without rules, which ends after it.
Models are functions of their parameters, written into the folder (default: beside VOUCH, overshoot) when missing.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time


SPARE, SHARE = .3, .05


class Writer:
    """A model file, row by row: what is large is not kept."""

    def __init__(self, path, states, actions, environments, horizon, promises):
        self.file = open(path, "w")
        head = {"vouch": 1, "name": os.path.basename(path)[:-5], "states": states, "actions": actions, "initial": "s0", "horizon": horizon}
        head["commitments"] = promises or [{"name": "anywhere", "kind": "at", "states": ["s%d" % s for s in range(states)], "time": horizon, "probability": 0}]
        self.file.write(json.dumps(head)[:-1])
        self.count = environments

    def rows(self, name, rows):
        self.file.write('"%s":[' % name)
        self.file.write(",".join('["s%d","a%d",%s]' % (s, a, '"s%d",%.9g' % tuple(rest) if len(rest) == 2 else "%.6g" % rest[0]) for s, a, *rest in rows))
        self.file.write("]")

    def shared(self, transitions, rewards):
        for name, rows in (("transitions", transitions), ("rewards", rewards)):
            self.file.write(",")
            self.rows(name, rows)

    def environments(self, transitions, rewards):
        self.file.write(',"environments":[')
        for k in range(self.count):
            self.file.write('%s{"name":"k%d",' % ("," if k else "", k))
            self.rows("transitions", transitions(k))
            self.file.write(",")
            self.rows("rewards", rewards(k))
            self.file.write("}")
        self.file.write("]}\n")
        self.file.close()


def promise(kind, states, horizon, p):
    return {"name": kind, "kind": kind, "states": ["s%d" % s for s in states], "probability": p, **({"time": horizon} if kind in ("at", "by") else {})}


def grid(path, n, K, horizon, kind):
    """Actions east, south, west, north; in the windy band the wind of the environment takes over with .3."""
    def to(s, a):
        x, y = s % n, s // n
        return min(max(x + (1, 0, -1, 0)[a], 0), n - 1) + n * min(max(y + (0, 1, 0, -1)[a], 0), n - 1)
    band = [x + n * y for y in range(n) for x in range(1, min(5, n))]
    windy = set(band)
    goal = [x + n * y for x in range(2, 6) for y in range(2, 6)] if kind == "by" else [x + n * y for x in range(n) for y in range(n) if x % 7 == 3 and y % 5 == 2]
    m = Writer(path, n * n, 4, K, horizon, [promise(kind, goal, horizon, .3)])
    m.shared(((s, a, t, p) for s in range(n * n) if s not in windy for a in range(4) for t, p in ((to(s, a), .9), (s, .1))),
             ((s, a, (s % 5) / 5) for s in range(0, n * n, 3) for a in range(4)))
    def blown(k):
        strength = .05 + .5 * ((k // 4) + 1) / (K // 4 + 2)
        return ((s, a, t, p) for s in band for a in range(4) for t, p in ((to(s, a), 1 - strength), (to(s, k % 4), strength)))
    m.environments(blown, lambda k: ())


def lamps(path, bits, horizon, codes, p):
    """Actions: ask for a switch, answered by the next state; or enter one of some codes."""
    K, S = 2 ** bits, 5
    m = Writer(path, S, bits + codes, K, horizon, [promise("by", [3], horizon, p)])
    asked = [(s, a) for s in range(3) for a in range(bits)]
    m.shared(((s, a, s, 1) for s in (3, 4) for a in range(bits + codes)), ((s, a, -.1) for s, a in asked))
    m.environments(lambda k: [(s, a, 1 + (k >> a & 1), 1) for s, a in asked] +
                   [(s, bits + c, 3 if k % codes == c else 4, 1) for s in range(3) for c in range(codes)],
                   lambda k: ((s, bits + c, (k * 7 + c) % 5) for s in range(3) for c in range(codes)))


def arms(path, A, S, K, horizon):
    m = Writer(path, S, A, K, horizon, [promise("at", range((S + 1) // 2), horizon, .4)])
    m.shared(((s, a, t, p) for s in range(S) for a in range(A) for t, p in (((s + a) % S, .7), ((s + 1) % S, .3))), ())
    def paid(k):
        draw = random.Random(k)
        return ((s, a, draw.randint(0, 20) / 20) for s in range(S) for a in range(A))
    m.environments(lambda k: (), paid)


def spread(draw, targets):
    shares = [draw.uniform(.05, 1) for _ in targets]
    total = sum(shares)
    return [(t, x / total) for t, x in zip(targets, shares)]


def wear(path, S, A, K, horizon, p):
    """Action 0 wears, the others repair, by as much as they cost."""
    m = Writer(path, S, A, K, horizon, [promise("at", range(2 * S // 3), horizon, p)] if p else None)
    m.shared((), ((s, a, -a / A - (2 if s == S - 1 else 0)) for s in range(S) for a in range(A)))
    def worn(k):
        draw = random.Random(k)
        return ((s, a, t, x) for s in range(S) for a in range(A)
                for t, x in spread(draw, sorted({s, min(s + 1, S - 1), min(s + 2, S - 1)} if a == 0 else {max(s - a, 0), s, S - 1})))
    m.environments(worn, lambda k: ())


def web(path, S, A, K, horizon, branching, own):
    """own: t transitions, r rewards, tr both are the environment's own."""
    def moves(seed):
        draw = random.Random(seed)
        return ((s, a, t, x) for s in range(S) for a in range(A) for t, x in spread(draw, sorted({draw.randrange(S) for _ in range(branching)})))
    def pays(seed):
        draw = random.Random(seed)
        return ((s, a, draw.randint(0, 9)) for s in range(S) for a in range(A))
    m = Writer(path, S, A, K, horizon, [promise("at", range(0, S, 2), horizon, .35)])
    m.shared(() if "t" in own else moves(-1), () if "r" in own else pays(-1))
    m.environments((lambda k: moves(k)) if "t" in own else (lambda k: ()), (lambda k: pays(k)) if "r" in own else (lambda k: ()))


def noise(path, S, A, K, horizon):
    m = Writer(path, S, A, K, horizon, None)
    draw = random.Random(1)
    m.shared((), [(s, a, draw.uniform(0, 10)) for s in range(S) for a in range(A)])
    m.environments(lambda k: ((s, a, t, x) for one in [random.Random(k)] for s in range(S) for a in range(A) for t, x in spread(one, range(S))), lambda k: ())


def levels(path, width, A, K, horizon):
    S = width * (horizon + 1)
    m = Writer(path, S, A, K, horizon, None)
    def moves():
        draw = random.Random(5)
        for s in range(S):
            for a in range(A):
                layer = min(s // width + 1, horizon)
                yield from ((s, a, t, x) for t, x in spread(draw, sorted({layer * width + draw.randrange(width) for _ in range(3)})))
    def pays(k):
        draw = random.Random(k)
        return ((s, a, draw.randint(0, 9)) for s in range(S) for a in range(A))
    m.shared(moves(), ())
    m.environments(lambda k: (), pays)


MODELS = [  # family, parameters, L
    (grid, (100, 4, 30, "by"), 0), (grid, (150, 8, 40, "by"), 1), (grid, (250, 4, 20, "avoid"), 0), (grid, (300, 4, 60, "by"), 2), (grid, (450, 2, 25, "by"), 0), (grid, (60, 256, 20, "by"), 0), (grid, (40, 64, 40, "avoid"), 40),
    (lamps, (6, 8, 8, .9), 8), (lamps, (8, 10, 16, .5), 3), (lamps, (10, 12, 32, .2), 12), (lamps, (12, 6, 16, .2), 2), (lamps, (12, 14, 64, .3), 14), (lamps, (12, 20, 8, 1), 0),
    (arms, (1000, 3, 10, 20), 0), (arms, (10000, 2, 5, 8), 1), (arms, (10000, 4, 4, 30), 0), (arms, (3000, 6, 16, 6), 6), (arms, (200, 20, 100, 15), 3),
    (wear, (10, 4, 1000, 20, 0), 0), (wear, (10, 4, 4096, 10, .5), 0), (wear, (30, 10, 300, 30, .3), 1), (wear, (200, 6, 100, 50, .4), 0), (wear, (8, 3, 4096, 8, 0), 8),
    (web, (10000, 3, 3, 12, 3, "t"), 0), (web, (50000, 4, 2, 20, 3, "r"), 1), (web, (200000, 2, 2, 12, 3, "r"), 0), (web, (200000, 2, 3, 60, 2, "t"), 0), (web, (3000, 8, 20, 10, 4, "tr"), 4), (web, (400, 4, 128, 25, 3, "tr"), 25), (web, (20000, 5, 10, 15, 2, "r"), 15),
    (noise, (60, 4, 8, 12), 0), (noise, (150, 5, 5, 10), 1), (noise, (400, 3, 3, 8), 0), (noise, (20, 4, 200, 20), 2), (noise, (100, 20, 4, 6), 6),
    (levels, (10, 5, 20, 12), 12), (levels, (30, 10, 64, 8), 4), (levels, (100, 4, 256, 15), 15), (levels, (1000, 6, 8, 30), 2), (levels, (5, 3, 1024, 20), 20),
]


PROCESSOR_CLOCK = """
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *t)
{
    return (int)syscall(SYS_clock_gettime, clock == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : clock, t);
}
int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
    static timer_t timer;
    static int made;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec when = {.it_value = {new->it_value.tv_sec, new->it_value.tv_usec * 1000}};
    (void)which, (void)old;
    if (!made && timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer)) return -1;
    made = 1;
    return timer_settime(timer, 0, &when, NULL);
}
"""


def processor_clock(folder):
    """The path of the library whose clock is that of the processor."""
    source, library = os.path.join(folder, "clock.c"), os.path.join(folder, "clock.so")
    with open(source, "w") as file:
        file.write(PROCESSOR_CLOCK)
    subprocess.run([os.environ.get("CC", "cc").split()[-1], "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def run(command, preload=None):
    """Seconds of the wall, of the processor, peak of memory in MB, exit status and output."""
    before = time.monotonic()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=dict(os.environ, LD_PRELOAD=preload) if preload else None)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return time.monotonic() - before, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode, out.read()


def outcome(code, output):
    """Status, value and bound, or how it ended without an answer."""
    try:
        r = json.loads(output)
    except ValueError:
        return "exit %d" % code
    return "%s %s %s" % (r["status"], *("-" if r.get(x) is None else "%.5g" % r[x] for x in ("max_regret", "bound")))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vouch")
    arguments.add_argument("--limit", default="1,5")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--folder")
    arguments.add_argument("--memory", type=int, help="in MB")
    arguments.add_argument("--busy", action="store_true", help="others use the machine: let processor seconds be the clock")
    arguments.add_argument("--list", action="store_true", help="only write the models")
    arguments.add_argument("options", nargs="*", help="of plan")
    a = arguments.parse_args()
    folder = a.folder or os.path.join(os.path.dirname(os.path.abspath(a.vouch)), "overshoot")
    os.makedirs(folder, exist_ok=True)
    empty = os.path.join(folder, "empty.policy")
    with open(empty, "w") as file:
        file.write('{"vouch_policy": 1, "rules": []}\n')
    preload = processor_clock(folder) if a.busy else None
    limits = list(map(float, a.limit.split(",")))
    passed, worst, most, count = {x: 0 for x in limits}, 0, 0, 0
    print("%-28s %3s %8s %5s %8s %8s %8s %7s  %s" % ("model", "L", "reading", "limit", "wall", "cpu", "beyond", "MB", "status, value, bound"))
    for family, parameters, L in MODELS:
        name = "-".join([family.__name__, *map(str, parameters)])
        if a.only and not any(word in name for word in a.only.split(",")):
            continue
        path = os.path.join(folder, name + ".json")
        if not os.path.exists(path):
            family(path + ".new", *parameters)
            os.replace(path + ".new", path)
        if a.list:
            continue
        reading, count = run([a.vouch, "evaluate", path, empty])[1], count + 1
        for limit in limits:
            wall, cpu, mb, code, output = run([a.vouch, "plan", path, "-L", str(L), "--time-limit", str(limit), "-q", "--json",
                                               *(["--memory-limit", "%dM" % a.memory] if a.memory else []), *a.options], preload)
            over = max(0, (cpu if a.busy else wall) - limit * (1 + SHARE) - SPARE)
            passed[limit] += over == 0 and (not a.memory or mb <= a.memory * (1 + SHARE))
            worst, most = max(worst, over), max(most, mb)
            print("%-28s %3d %8.2f %5g %8.2f %8.2f %8s %7.0f  %s" % (name, L, reading, limit, wall, cpu, "%.2f" % over if over else "", mb, outcome(code, output)), flush=True)
    for limit in limits:
        print("limit %g s: %d of %d models pass" % (limit, passed[limit], count))
    print("beyond it by %.2f s at most; most memory %.0f MB" % (worst, most))
    return 0


sys.exit(main())
