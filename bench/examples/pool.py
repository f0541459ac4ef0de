import concurrent.futures

import vouch

if __name__ == "__main__":
    models = [vouch.Model.t_maze(probability=p) for p in (0.4, 0.5, 0.6)]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for plan in pool.map(vouch.plan, models):
            print(plan.status, plan.policy.evaluate().kept)
