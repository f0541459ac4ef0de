import vouch

model = vouch.read("ferry.prism", constants={"current": "0,3"}, commit="port", horizon=8, probability=0.9)
plan = vouch.plan(model, lookahead=2)
for world in plan.environments:
    print(f"{world.name}: regret {world.regret:.4f}, back in port with probability {world.commitment_probability:.4f}")
plan.policy.write("ferry.policy")
