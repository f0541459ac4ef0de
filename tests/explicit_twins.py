"""A directory of DRN files, written by vouch, as PRISM's explicit files: explicit_twins.py DRN_DIR OUT_DIR."""
import pathlib
import re
import sys

out = pathlib.Path(sys.argv[2])
out.mkdir(exist_ok=True)
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.drn")):
    lines, states, steps, labels, chosen = path.read_text().splitlines(), [], [], {"init": [], "deadlock": []}, []
    body = lines[lines.index("@model") + 1:]
    for line in body:
        word = line.split()
        if line.startswith("state"):
            reward = re.search(r"\[(.*?)\]", line)
            states.append([float(reward.group(1)) if reward else 0, None, -1])
            for label in re.sub(r"\[.*?\]", "", line).split()[2:]:
                labels.setdefault(label.strip('"'), []).append(len(states) - 1)
        elif line.strip().startswith("//["):
            states[-1][1] = line.strip()[3:-1]
        elif word[0] == "action":
            states[-1][2] += 1
            reward = re.search(r"\[(.*?)\]", line)
            chosen.append((len(states) - 1, states[-1][2], float(reward.group(1)) if reward else 0, word[1]))
        else:
            steps.append((chosen[-1][0], chosen[-1][1], int(word[0]), word[2], chosen[-1][3], chosen[-1][2]))
    base = str(out / path.stem)
    with open(base + ".tra", "w") as f:
        print(len(states), len(chosen), len(steps), file=f)
        for s, choice, to, p, name, _ in steps:
            print(s, choice, to, p, name, file=f)
    for line in lines:
        if line.startswith("// labels that hold in no state:"):
            for name in re.findall('"(.*?)"', line):
                labels.setdefault(name, [])
    numbers = list(labels)
    with open(base + ".lab", "w") as f:
        print(*[f'{i}="{name}"' for i, name in enumerate(numbers)], file=f)
        for s in range(len(states)):
            held = [str(i) for i, name in enumerate(numbers) if s in labels[name]]
            if held:
                print(f"{s}: {' '.join(held)}", file=f)
    if not all("=" in (state[1] or "") for state in states):  # names without variables: both are aligned by number
        path.write_text("\n".join(line for line in lines if not line.strip().startswith("//[")) + "\n")
    else:
        variables = [part.split("=")[0].strip() for part in states[0][1].replace("&", ",").split(",")]
        with open(base + ".sta", "w") as f:
            print("(" + ",".join(variables) + ")", file=f)
            for s, state in enumerate(states):
                print(f"{s}:(" + ",".join(part.split("=")[1].strip() for part in state[1].replace("&", ",").split(",")) + ")", file=f)
    with open(base + ".srew", "w") as f:
        print('# Reward structure "time"\n# State rewards', file=f)
        print(len(states), sum(1 for state in states if state[0]), file=f)
        for s, state in enumerate(states):
            if state[0]:
                print(s, repr(state[0]), file=f)
    with open(base + ".trew", "w") as f:
        print('# Reward structure "time"\n# Transition rewards', file=f)
        print(len(states), len(chosen), sum(1 for step in steps if step[5]), file=f)
        for s, choice, to, _, _, reward in steps:
            if reward:
                print(s, choice, to, repr(reward), file=f)
