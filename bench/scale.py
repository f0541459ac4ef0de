"""bench/scale.py VOUCH [--most N] [--latency SECONDS] [--bandwidth BYTES] [--nodes N] [--family WORD] [--whole]

How far would the search go on N processes, N = 1 .. 4096? A discrete-event replay of task times that were recorded on one processor
(VOUCH_TASKS, src/link/tasks.c), for each family of models:

- the first process merges answers strictly in their order; each takes what it took when it was recorded, and each message what it
  takes to send its bytes. It works no tasks out itself;
- a task is given out when as many answers are merged as it knew of when it was recorded, to the worker that is free first;
- where less is with workers than each has at hand, a task that has parts (trials of strong branching) is begun, and its parts are
  given out when its beginning is answered; parts that another one makes needless are taken as not given. --whole: no task has parts;
- what was done before the first task (the model, its graph, the first nodes) is done by one process and counts;
- for N workers the window is 2 N or more: its tree, which may be larger, is recorded and searched anew for each window, to at most --nodes
  nodes, and not seconds, so that what else the machine does changes nothing; of the windows recorded the best one counts.

A line says how many processes, the speed-up, the window, and which share of the time of all workers passes idle before as many tasks
are under way for the first time, or to the end where that never is: what the beginning of a search costs.

Speed-up is against one process with the window of 8. A search that is cut short at --nodes is one that others with more processes would go
on with: its tasks a second are compared instead, marked with *. --nodes 0 cuts none; --family: only those with this word in their name.
"""
import argparse
import heapq
import math
import os
import subprocess
import sys
import tempfile

FAMILIES = [
    ("t-maze", ["t-maze", "--size", "4,2,2,3", "-T", "12"], "2"),
    ("t-maze, long", ["t-maze", "--size", "5,2,2,3", "-T", "13"], "2"),
    ("random, small", ["random", "--states", "15", "--actions", "3", "--environments", "3", "-T", "6", "-p", "0.2", "--seed", "5"], "1"),
    ("random, wide", ["random", "--states", "10", "--actions", "4", "--environments", "4", "-T", "7", "-p", "0.3", "--seed", "4"], "0"),
    ("random, many", ["random", "--states", "12", "--actions", "3", "--environments", "5", "-T", "7", "-p", "0.25", "--seed", "4"], "0"),
]
WINDOWS = [8, 64, 512, 8192]


def record(vouch, model, L, window, nodes, folder):
    """(tasks, seconds before the first, was it cut short): a task is (knows, bytes out, bytes back, work, merge, of its beginning and parts)."""
    path = os.path.join(folder, "times")
    if os.path.exists(path):
        os.remove(path)
    limit = ["--node-limit", str(nodes)] if nodes else []
    before = os.times()
    run = subprocess.run([vouch, "plan", model, "-L", L, "--workers", "0", "--window", str(window), "-q", *limit],
                         env=dict(os.environ, VOUCH_TASKS=path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user - before.children_user
    searches, tasks = [], []
    for line in open(path) if os.path.exists(path) else []:
        if line.startswith("#"):
            tasks = []
            searches.append(tasks)
            continue
        number, knows, out, back, work, merge, rest, *parts = line.split()
        tasks.append((int(knows), int(out), int(back), float(work), float(merge) + float(rest), [float(x) for x in parts]))
    alone = used - sum(t[3] + t[4] for s in searches for t in s)
    return searches, max(alone, 0), run.returncode == 3


def replay(tasks, workers, latency, bandwidth, whole):
    """Seconds of one search, and of those of all its workers how many passed without work before as many tasks were under way for the first time."""
    free, worked, answers, now, given, out, full = [0.0] * workers, [], [], 0.0, 0, 0, None
    left = [1] * len(tasks)  # errands of each whose answers have not come

    def give(number, which, seconds, size):
        nonlocal now, out
        now += size / bandwidth
        start = max(now + latency, heapq.heappop(free))
        heapq.heappush(free, start + seconds)
        worked.append((start, start + seconds))
        heapq.heappush(answers, (start + seconds + latency + tasks[number][2] / bandwidth, number, which))
        out += 1

    for merged, (_, _, _, _, merge, _) in enumerate(tasks):
        while given < len(tasks) and tasks[given][0] <= merged:
            _, size, _, work, _, parts = tasks[given]
            begun = parts and not whole and 1 < workers and out + 1 < 2 * workers
            give(given, -1 if begun else 0, parts[0] if begun else work, size)
            given += 1
            if full is None and given - merged >= workers:
                full = now
        while left[merged]:
            moment, number, which = heapq.heappop(answers)
            now, out = max(now, moment), out - 1
            left[number] -= 1
            if which < 0:
                left[number] = len(tasks[number][5]) - 1
                for i, seconds in enumerate(tasks[number][5][1:]):
                    give(number, i + 1, seconds, tasks[number][1] + tasks[number][2])
        now += merge
    full = now if full is None else full
    return now, workers * full - sum(min(end, full) - start for start, end in worked if start < full)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("--most", type=int, default=4096)
    arguments.add_argument("--latency", type=float, default=5e-6)
    arguments.add_argument("--bandwidth", type=float, default=1e9)
    arguments.add_argument("--nodes", type=int, default=2000)
    arguments.add_argument("--family", default="")
    arguments.add_argument("--whole", action="store_true")
    a = arguments.parse_args()
    sizes = [1 << i for i in range(13) if 1 << i <= a.most]
    print("assumed: %.3g s a message, %.3g bytes a second, the first process gives and merges only; seconds are of a processor" % (a.latency, a.bandwidth))
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.json")
        for name, parameters, L in (f for f in FAMILIES if a.family in f[0]):
            subprocess.run([a.vouch, "generate", *parameters, "-o", model], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            recorded = {w: record(a.vouch, model, L, w, a.nodes, folder) for w in WINDOWS}
            searches, alone, cut = recorded[WINDOWS[0]]
            tasks = [t for s in searches for t in s]
            cut = cut or any(r[2] for r in recorded.values())
            if not tasks:
                print("\n%s: no search of more than 128 nodes" % name)
                continue
            base = alone + sum(t[3] + t[4] for t in tasks)
            count = len(tasks)
            print("\n%s%s: %d tasks in %.2f s with window 8, %.2f s before and between; a task %.3g ms, %.3g us to merge, %.0f bytes out, %.0f back"
                  % (name, " *" if cut else "", count, base, alone, 1e3 * sum(t[3] for t in tasks) / count, 1e6 * sum(t[4] for t in tasks) / count,
                     sum(t[1] for t in tasks) / count, sum(t[2] for t in tasks) / count))
            print("tasks by window: " + ", ".join("%d: %d" % (w, sum(len(s) for s in recorded[w][0])) for w in WINDOWS))
            for n in sizes:
                best, window, idle = 0, 0, 0
                for w, (searches, alone_w, _) in recorded.items():
                    replayed = [replay(s, n, a.latency, a.bandwidth, a.whole) for s in searches]
                    took = alone_w + sum(r[0] for r in replayed)
                    done = sum(len(s) for s in searches)
                    gain = (done / took) / (count / base) if cut else base / took
                    if gain > best:
                        best, window, idle = gain, w, sum(r[1] for r in replayed) / (n * took)
                print("%6d  %8.2f  window %5d  %4.1f %%  %s" % (n, best, window, 100 * idle, "#" * round(6 * math.log2(max(best, 1)))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
