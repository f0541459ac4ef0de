import vouch

model = vouch.Model.t_maze()                                  # or read("maze.json"), from_arrays(P, R, ..), from_gym_p([env.P, ..], ..)
plan = vouch.plan(model, lookahead=3)
print(plan.status, plan.max_regret, plan.environments[0].commitment_probability)
plan.policy.write("policy.json")                              # for vouch evaluate, show, simulate

agent = vouch.Agent(model, lookahead=1)                       # replans while acting
world = vouch.Environment(model, "k2", seed=1)                # reset and step as in gymnasium, and a gymnasium.Env if that is installed
while not agent.done:
    state, reward, *_ = world.step(agent.act())
    agent.observe(state, reward)
print("kept" if agent.kept else "broken", vouch.simulate(plan, 1000)[0].kept)

regret = vouch.sweep(model, lookahead=range(3), method=["milp-ccl", "history"]).max_regret   # [methods, T, p, L]
best = vouch.lp([-1, -2], [[1, 1]], [4], bounds=(0, 3)).x     # as scipy's linprog; vouch.milp as scipy's milp
