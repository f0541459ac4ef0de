"""What looking ahead is worth in Twin-States, as arrays: maximum regret by method and L."""
import vouch

found = vouch.sweep(vouch.Model.twin_states(), lookahead=range(3), horizon=[3, 5], method=["milp-ccl", "milp-ccil", "history"])
for name, regret in zip(found.method, found.max_regret[:, :, 0, :]):  # [T, L]
    print(name, regret.round(6).tolist())
