"""Three FrozenLakes whose wind is not known: be on firm ground after 10 steps with probability 0.7, and reach the gift as often as that allows."""
import vouch

LAKE, MOVES = "SFFF" "FHFH" "FFFH" "HFFG", ((0, -1), (1, 0), (0, 1), (-1, 0))  # left, down, right, up: gymnasium's order


def lake(wind):  # P[state][action] = [(probability, next, reward, terminated)], as gymnasium's env.unwrapped.P
    def step(s, a, p):
        row, column = (min(max(x + d, 0), 3) for x, d in zip(divmod(s, 4), MOVES[a % 4]))
        return p, 4 * row + column, float(LAKE[4 * row + column] == "G"), LAKE[4 * row + column] in "GH"

    return {s: {a: [(1.0, s, 0.0, True)] if LAKE[s] in "GH" else [step(s, a, 0.8), step(s, a + wind, 0.2)] for a in range(4)} for s in range(16)}


model = vouch.Model.from_gym_p({"calm": lake(0), "left": lake(1), "right": lake(-1)}, commitment=[s for s in range(16) if LAKE[s] != "H"],
                               horizon=10, probability=0.7, actions=["left", "down", "right", "up"], name="lake")
plan = vouch.plan(model, lookahead=2)
for world in plan.environments:
    print(f"{world.name}: regret {world.regret!r}, on firm ground {world.commitment_probability!r}")
