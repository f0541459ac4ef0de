"""The solvers alone, called as scipy's: a knapsack and its relaxation."""
import vouch

weight, worth = [[12.0, 2.0, 1.0, 1.0, 4.0]], [-4.0, -2.0, -2.0, -1.0, -10.0]
packed = vouch.milp(worth, integrality=1, bounds=(0, 1), constraints=(weight, 0, 15))
relaxed = vouch.lp(worth, weight, [15.0], bounds=(0, 1))
print("packed", packed.x.tolist(), "worth", -packed.fun)
print("relaxed", relaxed.x.tolist(), "worth", -relaxed.fun, "price of room", -float(relaxed.ineqlin.marginals[0]))
