#!/usr/bin/env python3
"""Plays a model against `vouch act` many times and compares with the exact evaluation of `vouch ccil`; and plays it with faults.

    play.py MODEL.json [--vouch build/vouch] [-L 1] [--runs 200] [--faults 100] [--jobs 1] [--seed 1] [-- options of vouch act and ccil]

--runs: in each environment. The frequency of the commitment and the mean reward must lie within 4 standard errors of the exact figures (by
chance alone one figure in 16 000 would not). --faults: runs in all, each with a fault of the list FAULTS before some of its observations. What an
agent may do wrong must be answered with an error, or end the program with exit status 1 and a message, never by a signal and never by
silence; and where the run goes on, every decision must be the one of the same run without faults: so the promise is the same.
"""
import argparse, collections, concurrent.futures, importlib.util, json, math, pathlib, random, subprocess, sys, threading, time

PATIENCE = 600  # seconds after which an answer is missing
Z95 = 1.959963984540054


def example_agent():
    path = pathlib.Path(__file__).resolve().parent.parent / "bench" / "examples" / "agent.py"
    spec = importlib.util.spec_from_file_location("agent", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Broken(Exception):
    pass


class Act:
    """One `vouch act`; every read has a deadline."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.late = False
        self.timer = threading.Timer(PATIENCE, self.give_up)
        self.timer.start()

    def give_up(self):
        self.late = True
        self.process.kill()

    def say(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        if self.late:
            raise Broken("no answer: it hangs")
        if not line.endswith(b"\n"):
            raise Broken(f"no answer: exit {self.process.wait()}, {self.process.stderr.read()[:300]!r}")
        return json.loads(line)

    def end(self):
        """Waits for the end; returns (exit status, standard error)."""
        self.process.stdin.close()
        self.process.stdout.close()
        error = self.process.stderr.read()
        status = self.process.wait()
        if self.late:
            raise Broken("it does not end")
        if status < 0 or b"ERROR: " in error:
            raise Broken(f"exit {status}, {error[-500:]!r}")
        return status, error

    def close(self):
        self.timer.cancel()
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except OSError:
                pass
        self.process.wait()


def junk(dice, state):
    """A line that is no possible observation."""
    return dice.choice([
        b"", b" ", b"garbage", b"{}", b"[1,2]", b"null", b'"', b"{", b'{"reward":0}', b'{"state":"%s"}' % state, b'{"reward":"x","state":"y"}',
        b'{"reward":1e999,"state":"%s"}' % state, b'{"reward":NaN,"state":"%s"}' % state, b'{"reward":0,"state":"%s","more":1}' % state,
        b'{"reward":0,"reward":0,"state":"%s"}' % state, b"\x00", b"\xff\xfe\x80", b'{"reward":0,"state":"\\ud800"}', b"x" * 70000, b"[" * 5000,
        bytes(dice.randrange(256) for _ in range(dice.randrange(1, 200))).replace(b"\n", b"?")])


def impossible(dice, state):
    return dice.choice([b'{"reward":123456.5,"state":"%s"}' % state, b'{"reward":0,"state":"nowhere"}', b'{"reward":-1e-3,"state":"%s"}' % state,
                        b'{"reward":0,"state":"%s","action":"nothing"}' % state])


def fault_junk(act, dice, state):
    act.say(junk(dice, state) + b"\n")
    if "error" not in act.hear():
        raise Broken("junk was taken for an observation")


def fault_impossible(act, dice, state):
    act.say(impossible(dice, state) + b"\n")
    if "error" not in act.hear():
        raise Broken("the impossible was taken for an observation")


def fault_slow_reader(act, dice, state):
    """Says much before it hears anything: the answers fill the pipe, and vouch has to wait for its reader."""
    count = dice.randrange(600, 1200)
    thread = threading.Thread(target=act.say, args=((b"x" * 200 + b"\n") * count,))
    thread.start()
    time.sleep(0.05 * dice.random())
    for _ in range(count):
        if "error" not in act.hear():
            raise Broken("junk was taken for an observation")
    thread.join(PATIENCE)


def fault_slow_writer(act, dice, state):
    for piece in (b'{"rew', b'ard":12345.5,"sta', b'te":"%s"}' % state, b"\n"):
        act.say(piece)
        time.sleep(0.01 * dice.random())
    if "error" not in act.hear():
        raise Broken("the impossible was taken for an observation")


def must_end(act, what):
    status, error = act.end()
    if status != 1 or what not in error:
        raise Broken(f"exit {status}, {error[-500:]!r}; expected 1 and {what!r}")


def fault_eof(act, dice, state):
    must_end(act, b"the input ended with no observation")


def fault_half_line(act, dice, state):
    act.say(b'{"reward":0,"state":"%s"}'[: dice.randrange(1, 20)])
    must_end(act, b"the input ended within a line")


def fault_reader_gone(act, dice, state):
    act.process.stdout.close()
    try:
        act.say(b"anything\n" * 3)
    except BrokenPipeError:
        pass
    must_end(act, b"standard output cannot be written")


FAULTS = {"junk": fault_junk, "impossible": fault_impossible, "slow reader": fault_slow_reader, "slow writer": fault_slow_writer, "end of input": fault_eof,
          "half a line": fault_half_line, "reader gone": fault_reader_gone}
LAST = {"end of input", "half a line", "reader gone"}  # after these nothing goes on


def play(command, model, world, seed, fault=None):
    """One run. Returns (reward, kept, what was said), kept None when a fault ended it."""
    dice, mischief = random.Random(seed), random.Random(seed + 1)
    act = Act(command)
    try:
        said, total = act.hear(), 0
        heard, state = [said], said["state"]
        at = mischief.randrange(model["horizon"])
        while not said.get("done"):
            if fault and (said["time"] == at or (fault not in LAST | {"slow reader"} and mischief.random() < 0.3)):
                FAULTS[fault](act, mischief, state.encode())
                if fault in LAST:
                    return total, None, heard
            u = dice.random()
            for p, following, reward in world[state, said["action"]]:
                u -= p
                if u < 0:
                    break
            total += reward
            state = following
            act.say(json.dumps({"reward": reward, "state": state}).encode() + b"\n")
            said = act.hear()
            if "error" in said:
                raise Broken(said["error"])
            heard.append(said)
        status, error = act.end()
        if status != 0:
            raise Broken(f"exit {status}, {error[-500:]!r}")
        if said["kept"] != (state in model["commitment"]["states"]):
            raise Broken("kept does not say where the run ended")
        return total, said["kept"], heard
    finally:
        act.close()


def wilson(kept, n):
    f, z2 = kept / n, Z95 * Z95 / n
    half = Z95 * math.sqrt(f * (1 - f) / n + z2 / (4 * n)) / (1 + z2)
    return (f + z2 / 2) / (1 + z2) - half, (f + z2 / 2) / (1 + z2) + half


def frequencies(args, pool, model, worlds, command, exact):
    good = True
    for k, world in enumerate(worlds):
        runs = pool.map(lambda i: play(command + ["--seed", str(args.seed + i)], model, world, 1000003 * (k + 1) + args.seed + i)[:2], range(args.runs))
        counts = collections.Counter(runs)
        n, p, U = args.runs, exact[k]["commitment_probability"], exact[k]["value"]
        kept = sum(c for (_, done), c in counts.items() if done)
        mean = sum(total * c for (total, _), c in counts.items()) / n
        deviation = math.sqrt(sum(c * (total - mean) ** 2 for (total, _), c in counts.items()) / max(1, n - 1))
        low, high = wilson(kept, n)
        error_p, error_U = math.sqrt(p * (1 - p) / n), deviation / math.sqrt(n)
        fine = abs(kept / n - p) <= 4 * error_p + 1e-9 and abs(mean - U) <= 4 * error_U + 1e-9
        good = good and fine
        print(f"{exact[k]['name']}: {n} runs; kept {kept / n:.6g}, 95 % interval {low:.6g} .. {high:.6g}, exact {p:.6g} ({(kept / n - p) / (error_p or 1):+.2f} standard errors); "
              f"mean reward {mean:.6g} +- {Z95 * error_U:.2g}, exact {U:.6g} ({(mean - U) / (error_U or 1):+.2f}){'' if fine else '  DISAGREE'}", flush=True)
    return good


def faulty(args, pool, model, worlds, command):
    def one(i):
        fault, k = list(FAULTS)[i % len(FAULTS)], i // len(FAULTS) % len(worlds)
        own = command + ["--seed", str(args.seed + i)]
        try:
            total, kept, heard = play(own, model, worlds[k], 7 * args.seed + i, fault)
            _, as_well, undisturbed = play(own, model, worlds[k], 7 * args.seed + i)
        except Broken as trouble:
            return fault, None, f"run {i}, {fault}, environment {k}: {trouble}"
        if heard != undisturbed[: len(heard)] or kept not in (None, as_well):
            return fault, kept, f"run {i}, {fault}, environment {k}: decided otherwise than without the fault"
        return fault, kept, None

    runs, ended, bad = collections.Counter(), collections.Counter(), []
    for fault, kept, trouble in pool.map(one, range(args.faults)):
        runs[fault] += 1
        ended[fault] += kept is None
        if trouble:
            bad.append(trouble)
    for fault in runs:
        print(f"{fault}: {runs[fault]} runs, {runs[fault] - ended[fault]} went on as without it, {ended[fault]} ended with a message")
    print(f"{args.faults} runs with faults, {len(bad)} wrong")
    for trouble in bad[:10]:
        print("  " + trouble)
    return not bad


def main():
    parser = argparse.ArgumentParser(description="plays a model against vouch act, with statistics and with faults")
    parser.add_argument("model")
    parser.add_argument("--vouch", default="build/vouch")
    parser.add_argument("-L", type=int, default=1)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("options", nargs="*", help="after --: options of vouch act and ccil")
    args = parser.parse_args()
    model, _, worlds = example_agent().load(args.model)
    options = [args.model, "-L", str(args.L)] + args.options
    exact = json.loads(subprocess.run([args.vouch, "ccil", "--json"] + options, check=True, stdout=subprocess.PIPE).stdout)["environments"]
    command = [args.vouch, "act"] + options
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        good = frequencies(args, pool, model, worlds, command, exact) if args.runs else True
        good = (faulty(args, pool, model, worlds, command) if args.faults else True) and good
    sys.exit(not good)


if __name__ == "__main__":
    main()
