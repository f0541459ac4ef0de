#!/usr/bin/env python3
"""Plays a model against `vouch act`: this script is the world, vouch decides.

    agent.py MODEL.json [--vouch PROGRAM] [-L 1] [--runs 10] [--environment K] [--seed 1] [options of vouch act]

Each run starts `vouch act`, draws what happens from one environment of the model and reports it as a JSON line. Prints for each environment
the mean reward and how often the commitment's states were reached.
"""
import argparse, json, random, shutil, subprocess, sys


def load(path):
    """outcomes[k][state][action] = [(probability, next, reward)] of a model file with complete rows."""
    with open(path) as f:
        model = json.load(f)
    names = lambda x, letter: [f"{letter}{i}" for i in range(x)] if isinstance(x, int) else x
    states = names(model["states"], "s")
    worlds = []
    for env in model["environments"]:
        rows, pays = {}, {}
        for source in (model, env):
            own, own_pays = {}, {}
            for s, a, t, p in source.get("transitions", []):
                own.setdefault((s, a), []).append((t, p))
            for row in source.get("rewards", []):
                key, to = (row[0], row[1]), row[2] if len(row) == 4 else None
                own_pays.setdefault(key, {})[to] = row[-1]
            rows.update(own)
            pays.update(own_pays)
        world = {}
        for (s, a), successors in rows.items():
            reward = pays.get((s, a), {})
            world[s, a] = [(p, t, reward.get(t, reward.get(None, 0))) for t, p in successors]
        worlds.append(world)
    return model, states, worlds


class Broken(Exception):
    pass


def play(command, model, world, dice):
    """One run. Returns (reward, kept)."""
    vouch = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    said, total = json.loads(vouch.stdout.readline()), 0
    state = said["state"]
    while not said.get("done"):
        u = dice.random()
        for p, following, reward in world[state, said["action"]]:
            u -= p
            if u < 0:
                break
        total += reward
        state = following
        vouch.stdin.write(json.dumps({"reward": reward, "state": state}) + "\n")
        vouch.stdin.flush()
        said = json.loads(vouch.stdout.readline())
        if "error" in said:
            raise Broken(said["error"])
    vouch.stdin.close()
    if vouch.wait(timeout=20) != 0:
        raise Broken(f"exit {vouch.returncode}")
    if said["kept"] != (state in model["commitment"]["states"]):
        raise Broken("kept does not say where the run ended")
    return total, said["kept"]


def main():
    parser = argparse.ArgumentParser(description="plays a model against vouch act")
    parser.add_argument("model")
    parser.add_argument("--vouch", default=shutil.which("vouch") or "build/vouch", help="the program; vouch of PATH, or build/vouch")
    parser.add_argument("-L", type=int, default=1)
    parser.add_argument("--runs", type=int, default=10, help="at least 1")
    parser.add_argument("--environment", type=int, help="index; default: all")
    parser.add_argument("--seed", type=int, default=1)
    args, options = parser.parse_known_args()
    options = [option for option in options if option != "--"]
    model, states, worlds = load(args.model)
    dice = random.Random(args.seed)
    for k, world in enumerate(worlds):
        if args.environment not in (None, k):
            continue
        total, kept = 0, 0
        for run in range(args.runs):
            command = [args.vouch, "act", args.model, "-L", str(args.L), "--seed", str(dice.randrange(1 << 31))] + options
            reward, done = play(command, model, world, dice)
            total += reward
            kept += done
        print(f"environment {k}: {args.runs} runs, mean reward {total / args.runs:.6g}, kept {kept / args.runs:.6g}")


if __name__ == "__main__":
    try:
        main()
    except Broken as trouble:
        sys.exit(f"broken: {trouble}")
