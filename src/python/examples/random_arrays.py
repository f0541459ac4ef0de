"""A model from numpy arrays: four guesses about a random walk, and the cost of a promise."""
import numpy as np

import vouch

dice = np.random.default_rng(5)
K, A, S = 4, 3, 6
P = dice.dirichlet(np.full(S, 0.3), size=(K, A, S))  # [K, A, S, S']
R = dice.integers(0, 10, size=(S, A)).astype(float)  # the same in every environment
for p in (0.0, 0.2, 0.4, 0.6):
    model = vouch.Model.from_arrays(P, R, commitment=[0, 1], horizon=4, probability=p)
    plan = vouch.plan(model, "history")
    print(f"p = {p}: {plan.status}, maximum regret {plan.max_regret!r}")
