#!/usr/bin/env python3
"""Plays a model against `vouch act`: this script is the world, vouch decides.

    agent.py MODEL.json [--vouch build/vouch] [-L 1] [--runs 10] [--environment K] [--faults] [--seed 1] [-- options of vouch act]

Each run starts `vouch act`, draws what happens from one environment of the model and reports it as a JSON line. Prints for each environment
the mean reward and how often the commitment's states were reached. With --faults the world misbehaves: garbage, half lines, impossible
observations, a slow reader, an input that ends early; every answer is checked, and the promise with it: an error changes nothing.
"""
import argparse, json, random, subprocess, sys, time


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


def play(command, model, states, world, dice, faults):
    """One run. Returns (reward, kept), or None when the input was made to end early."""
    vouch = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    say = lambda text: (vouch.stdin.write(text), vouch.stdin.flush())
    total, ends_at = 0, dice.randrange(model["horizon"] * 3) if faults else None
    said = json.loads(vouch.stdout.readline())
    state = said["state"]
    while not said.get("done"):
        if faults:
            if said["time"] == ends_at:
                say('{"reward": 1, "st' if dice.random() < 0.5 else "")
                _, err = vouch.communicate(timeout=20)
                if vouch.returncode != 1 or "the input ended" not in err:
                    raise Broken(f"after EOF: exit {vouch.returncode}, {err!r}")
                return None
            for _ in range(dice.randrange(3)):
                say(dice.choice(["", "garbage", "{}", "[1,2]", '{"reward": "x", "state": "y"}', '{"reward": 1e999, "state": "%s"}' % state, "\x01\x02",
                                 '{"reward": 123456.5, "state": "%s"}' % state, '{"reward": 0, "state": "nowhere"}', "x" * 70000, "[" * 5000]) + "\n")
                answer = json.loads(vouch.stdout.readline())
                if "error" not in answer:
                    raise Broken(f"a fault was taken for an observation: {answer}")
            if dice.random() < 0.02:
                time.sleep(0.05)
        u = dice.random()
        for p, following, reward in world[state, said["action"]]:
            u -= p
            if u < 0:
                break
        total += reward
        state = following
        say(json.dumps({"reward": reward, "state": state}) + "\n")
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
    parser.add_argument("--vouch", default="build/vouch")
    parser.add_argument("-L", type=int, default=1)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--environment", type=int, help="index; default: all")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("options", nargs="*", help="after --: options of vouch act")
    args = parser.parse_args()
    model, states, worlds = load(args.model)
    dice = random.Random(args.seed)
    for k, world in enumerate(worlds):
        if args.environment not in (None, k):
            continue
        rewards, kept, cut = [], 0, 0
        for run in range(args.runs):
            command = [args.vouch, "act", args.model, "-L", str(args.L), "--seed", str(dice.randrange(1 << 31))] + args.options
            result = play(command, model, states, world, dice, args.faults)
            if result is None:
                cut += 1
                continue
            rewards.append(result[0])
            kept += result[1]
        n = len(rewards)
        mean = sum(rewards) / n if n else float("nan")
        print(f"environment {k}: {n} runs, {cut} cut short, mean reward {mean:.6g}, kept {kept / n if n else float('nan'):.6g}")


if __name__ == "__main__":
    try:
        main()
    except Broken as trouble:
        sys.exit(f"broken: {trouble}")
