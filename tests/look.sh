#!/bin/sh
# make look: pages of vouch watch, opened by tests/look.py at five moments each, and what notebooks show of the Python package; pictures in BUILD/look.
build=$1 out=$1/look
command -v chromedriver > /dev/null || { echo "look: there is no chromedriver; in Debian it comes with:  sudo apt-get install chromium-driver" >&2; exit 1; }
mkdir -p "$out" && rm -f "$out"/*
watch() { # PAGE ARGUMENTS..
    page=$1
    shift
    "$build/vouch" watch "$@" -o "$out/$page.html" || exit 1
}
"$build/vouch" generate twin-states -o "$out/twin.json"
"$build/vouch" generate t-maze -o "$out/maze.json"
"$build/vouch" generate t-maze --size 4,2,2,3 -o "$out/wide.json"
cat > "$out/grid.prism" <<'END'
mdp
const int WALL;
module robot
  x : [0..4] init 0;
  y : [0..4] init 0;
  [east]  x<4 & !(WALL=1 & x=1 & y<3) & !(WALL=2 & x=2 & y>0) -> 0.9 : (x'=x+1) + 0.1 : true;
  [east]  x<4 & ((WALL=1 & x=1 & y<3) | (WALL=2 & x=2 & y>0)) -> 0.4 : (x'=x+1) + 0.6 : true;
  [west]  x>0 -> (x'=x-1);
  [north] y<4 -> 0.9 : (y'=y+1) + 0.1 : true;
  [south] y>0 -> (y'=y-1);
  [stay]  true -> true;
endmodule
label "target" = x=4 & y=4;
rewards "coins" x=2 & y=2 : 1; x=4 & y=0 : 2; endrewards
END
printf 'max\n obj: 3 x + 2 y\nst\n c1: x + y <= 4\n c2: x + 3 y <= 6\n c3: 2 x + y <= 7\nend\n' > "$out/two.lp"
printf 'max\n obj: 3 x + 2 y + 4 z\nst\n c1: x + y + z <= 4\n c2: x + 3 y + z <= 6\n c3: 2 x + y + 3 z <= 7\nend\n' > "$out/three.lp"
printf 'max\n obj: 5 x + 4 y\nst\n c1: 6 x + 4 y <= 23\n c2: x + 2 y <= 6\ngeneral\n x y\nend\n' > "$out/int.lp"
watch twin "$out/twin.json" -L 1
watch maze "$out/maze.json" -L 3
watch grid "$out/grid.prism" --const WALL=1:2 --commit target -T 11 -p 0.6
watch infeasible "$out/grid.prism" --const WALL=1:2 --commit target -T 11 -p 0.94
watch tight "$out/maze.json" -L 1 -p 0.99
watch history "$out/grid.prism" --const WALL=1:2 --commit target -T 11 -p 0.6 --method history
watch exact "$out/wide.json" --method exact-ccl
watch ccil "$out/maze.json" -L 2 --ccil
watch two "$out/two.lp" --primal
watch three "$out/three.lp"
watch cut "$out/int.lp"
watch branched "$out/int.lp" --no-cuts --no-heuristics
watch knapsack tests/data/lp/knapsack.lp
watch diet tests/data/lp/diet.lp
${MAKE:-make} -s BUILD="$build" PYTHON="${PYTHON:-python3}" python > /dev/null && PYTHONPATH=$build/python "${PYTHON:-python3}" - "$out" <<'END' || exit 1
import sys
import vouch
maze, wide = vouch.Model.t_maze(3, 2, 2, 2, horizon=10, probability=0.6), "n" * 300
long = vouch.Model.from_arrays([[[[1.0]]], [[[1.0]]]], [[[0.0]], [[1.0]]], commitment=[0], horizon=3, states=[wide], actions=[wide], environments=[wide, "<b>"], name=wide)
shown = {"plan": vouch.plan(maze, lookahead=3), "coins": vouch.plan(maze, method="history"), "policy": vouch.plan(maze, lookahead=1).policy, "none": vouch.plan(maze, probability=1.0),
         "long": vouch.plan(long, lookahead=1), "frontier": vouch.frontier(maze, 6, lookahead=1),
         "sweep": vouch.sweep(vouch.Model.twin_states(), lookahead=range(3), horizon=[3, 5], method=["milp-ccl", "history"])}
for name, what in shown.items():
    with open(f"{sys.argv[1]}/notebook_{name}.html", "w") as page:
        page.write('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>notebook</title></head>'
                   f'<body style="font: 14px sans-serif">{what._repr_html_()}</body></html>')
END
"${PYTHON:-python3}" tests/look.py "$out" "$out"/*.html
