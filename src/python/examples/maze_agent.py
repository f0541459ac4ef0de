"""An agent in the Slippery T-Maze: it replans at every step given its observations, and keeps its promise in every maze."""
import vouch

model = vouch.Model.t_maze(3, 2, 2, 2, horizon=10, probability=0.6)
agent = vouch.Agent(model, lookahead=1)
exact = vouch.ccil(model, lookahead=1)
for k, figures in enumerate(exact.environments):
    world, total, kept, runs = vouch.Environment(model, k, seed=k), 0.0, 0, 500
    for _ in range(runs):
        agent.reset()
        world.reset()
        while not agent.done:
            state, reward, *_ = world.step(agent.act())
            agent.observe(state, reward)
            total += reward
        kept += agent.kept
    print(f"{figures.name}: mean reward {total / runs:.3f} (exactly {figures.value!r}), "
          f"promise kept {kept / runs:.3f} (exactly {figures.commitment_probability!r})")
