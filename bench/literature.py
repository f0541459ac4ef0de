"""bench/literature.py dense K,S,A | repair K,C  [-T N] [-p P] [--seed N] > MODEL.json

Random models of two families of the literature on several models of one decision problem.

    dense     rewards uniform on [0, 10], rows of S uniform numbers, normalised; every state promised with -p 0, else the first third of them
              (P. Buchholz, D. Scheftelowitsch, Computation of weighted sums of rewards for concurrent MDPs, 2019)
    repair    machine repair: 10 states, 4 actions; each environment draws its rows from Dirichlet(C times the nominal row)
              (E. Delage, S. Mannor, Percentile optimization for Markov decision processes, Operations Research 58, 2010)
"""
import argparse
import json
import random


def normalised(row):
    total = sum(row)
    return [x / total for x in row]


def dense(numbers, draw):
    K, S, A = numbers
    rows = [[[normalised([draw.random() for _ in range(S)]) for _ in range(A)] for _ in range(S)] for _ in range(K)]
    pays = [[[10 * draw.random() for _ in range(A)] for _ in range(S)] for _ in range(K)]
    return rows, pays, max(1, S // 3)


def nominal_repair():
    """Rows {next: probability} of states 0..9 and actions 0..3; 8 and 9 are states 9 and 10 of the source: repair under way, out of order."""
    repaired, broken = (0.6, 0.576, 0.6286), (0.1, 0.124, 0.0714)
    rows = []
    for s in range(10):
        if s < 7:
            wait = {s: 0.2, s + 1: 0.8}
        else:
            wait = {7: {7: 1.0}, 8: {0: 0.8, 8: 0.2}, 9: {9: 1.0}}[s]
        rows.append([wait])
        for a in range(3):
            if s < 8:
                row = {min(s + 1, 7): 0.3, 8: repaired[a], 9: broken[a]}
            else:
                row = {8: 1.0} if s == 8 else {8: repaired[a], 9: 1 - repaired[a]}
            rows[s].append(row)
    return rows


def repair(numbers, draw):
    K, concentration = numbers
    nominal, rows = nominal_repair(), []
    for _ in range(K):
        rows.append([])
        for s in range(10):
            rows[-1].append([])
            for row in nominal[s]:
                weight = {n: draw.gammavariate(concentration * p, 1) for n, p in row.items()}
                total = sum(weight.values())
                rows[-1][s].append([weight.get(n, 0) / total for n in range(10)])
    pay = [0] * 7 + [-10, -2, -20]
    return rows, [[[x] * 4 for x in pay]] * K, 3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=["dense", "repair"])
    parser.add_argument("numbers", type=lambda text: [int(x) for x in text.split(",")])
    parser.add_argument("-T", type=int, default=4)
    parser.add_argument("-p", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows, pays, third = {"dense": dense, "repair": repair}[args.family](args.numbers, random.Random(args.seed))
    K, S, A = len(rows), len(rows[0]), len(rows[0][0])
    states, actions = [f"s{s}" for s in range(S)], [f"a{a}" for a in range(A)]
    environments = [
        {
            "name": f"k{k + 1}",
            "transitions": [[states[s], actions[a], states[n], p] for s in range(S) for a in range(A) for n, p in enumerate(rows[k][s][a]) if p > 0],
            "rewards": [[states[s], actions[a], pays[k][s][a]] for s in range(S) for a in range(A)],
        }
        for k in range(K)
    ]
    promised = states if args.p <= 0 else states[:third]
    print(json.dumps({
        "vouch": 1, "name": f"{args.family}-{args.seed}", "states": states, "actions": actions, "initial": states[0], "horizon": args.T,
        "commitment": {"states": promised, "probability": args.p}, "transitions": [], "rewards": [], "environments": environments,
    }))


if __name__ == "__main__":
    main()
