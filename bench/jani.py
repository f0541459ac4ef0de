"""JANI models as vouch reads them: states, environments, a plan, and the same of the PRISM models that lie beside them.

    python3 bench/jani.py build/vouch FOLDER [--values 2,3] [-T 6] [--state-limit 100000]

Each open constant has the values, which span the environments. "states" counts all that can be reached with the first value of each: the horizon
doubles until no more are found; > N where the limit came first. "beside" is the same count for the PRISM model of the same name. The plan is for the
horizon -T, the first label with probability 0, and the first reward. Exit status 1 where a model is not read or planned for, or two counts differ.
"""
import argparse
import json
import os
import re
import subprocess
import sys

SECONDS = 60  # most for a plan


def ask(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr.strip()


def about(vouch, path):
    """Names of the open constants, and the options for the first label and the first reward, as vouch tells them."""
    said = ask(vouch, path)[1]
    listed = lambda what: re.findall(r"[^\s,]+", (re.search(rf"^ *{what} +(.*)$", said, re.M) or ["", ""])[1])
    return listed("environments"), ["--commit", (listed("labels") or ["true"])[0], *[w for r in listed("rewards")[:1] for w in ("--reward", r)]]


def count(vouch, path, constants, limit):
    """All states that can be reached, with one value for each constant."""
    before, steps = 0, 64
    while True:
        code, said, wrong = ask(vouch, "convert", path, *constants, "--commit", "true", "-T", steps, "-p", 0, "--fix-deadlocks", "--merge-actions",
                                "--state-limit", limit, "-o", "/dev/null")
        if code:
            return f"> {limit}" if code == 3 else wrong
        found = int(re.search(r"(\d+) states", said)[1])
        if found == before:
            return found
        before, steps = found, 2 * steps


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vouch")
    arguments.add_argument("folder")
    arguments.add_argument("--values", default="2,3")
    arguments.add_argument("-T", type=int, default=6)
    arguments.add_argument("--state-limit", type=int, default=100000)
    given, bad = arguments.parse_args(), 0
    row = "{:26} {:>9} {:>9} {:>12} {:>7}  {:10} {:>14} {:>10}".format
    print(row("file", "states", "beside", "environments", f"T = {given.T}", "plan", "maximum regret", "kept"))
    for name in sorted(f for f in os.listdir(given.folder) if f.endswith(".jani")):
        path = os.path.join(given.folder, name)
        constants, asked = about(given.vouch, path)
        one = [w for c in constants for w in ("--const", f"{c}={given.values.split(',')[0]}")]
        states, twin = count(given.vouch, path, one, given.state_limit), path[:-len("jani")] + "prism"
        beside = count(given.vouch, twin, one, given.state_limit) if os.path.exists(twin) else ""
        all_values = [w for c in constants for w in ("--const", f"{c}={given.values}")]
        asked = [path, *all_values, *asked, "-T", given.T, "-p", 0, "--fix-deadlocks", "--merge-actions"]
        within = re.search(r"(\d+) states", ask(given.vouch, "convert", *asked, "-o", "/dev/null")[1])
        code, said, wrong = ask(given.vouch, "plan", *asked, "--time-limit", SECONDS, "--json", "-q")
        if code not in (0, 3) or not within:
            print(f"{name}: {wrong}")
            bad += 1
            continue
        plan = json.loads(said)
        found = plan["environments"]
        bad += beside not in ("", states) or plan["max_regret"] is None
        print(row(name, states, beside, len(found), within[1], plan["status"], f"{plan['max_regret']:.6g}", f"{min(f['commitment_probability'] for f in found):.6g}"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
