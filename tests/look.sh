#!/bin/sh
# make look: every kind of picture and page that vouch makes, opened by tests/look.py: pages of vouch watch at five moments each, policies, grids, plots, search
# trees, the report of vouch reproduce, the guide, and what notebooks show of the Python package; pictures in BUILD/look.
build=$1 out=$1/look
command -v chromedriver > /dev/null || { echo "look: there is no chromedriver; in Debian it comes with:  sudo apt-get install chromium-driver" >&2; exit 1; }
mkdir -p "$out" && rm -rf "$out"/*
watch() { # PAGE ARGUMENTS..
    page=$1
    shift
    "$build/vouch" watch "$@" -o "$out/$page.html" || exit 1
}
"$build/vouch" generate twin-states -o "$out/twin.json"
"$build/vouch" generate t-maze -o "$out/maze.json"
"$build/vouch" generate t-maze --size 4,2,2,3 -o "$out/wide.json"
"$build/vouch" generate random --states 6 --actions 3 --environments 4 -T 6 --seed 3 -o "$out/six.json"
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
watch random "$out/six.json" -L 1
watch gap "$out/six.json" -L 1 --method exact-ccl
watch program "$out/wide.json" -L 1 --engine lp --presolve --node-limit 20
cat > "$out/pump.prism" <<'END'
mdp
const double gust; const int wearing;
module pump
  wear : [0..3] init 0;
  demand : [0..1] init 0;
  [slow] wear<3 -> 0.5-gust : (demand'=0) + 0.5 : (demand'=1) + gust : (wear'=min(3,wear+wearing)) & (demand'=1);
  [fast] wear<3 -> 0.5-2*gust : (demand'=0) + 0.5-2*gust : (demand'=1) + 4*gust : (wear'=min(3,wear+wearing)) & (demand'=0);
  [repair] wear>0 -> 0.9 : (wear'=0) + 0.1 : true;
endmodule
rewards "water" [slow] true : 1; [fast] demand=1 : 3; [fast] demand=0 : 1; [repair] true : -1; endrewards
END
watch pump "$out/pump.prism" --const gust=0.02,0.12 --const wearing=1:3 --commit wear=0 -T 8 -p 0.8 -L 1 --node-limit 60
"$build/vouch" generate machine-repair --environments 3 -T 20 -p 0.5 -o "$out/machine.json"
watch machine "$out/machine.json" -L 1 --node-limit 40
watch two "$out/two.lp" --primal
watch three "$out/three.lp"
watch cut "$out/int.lp"
watch branched "$out/int.lp" --no-cuts --no-heuristics
watch knapsack tests/data/lp/knapsack.lp
watch diet tests/data/lp/diet.lp

# Pictures: each kind, made for a window of 1280 pixels and for one of 400 where it can be told which.
page() { # NAME: standard input, an SVG, as a page
    { echo '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>picture</title>'
      echo '<style>body { margin: 0; } svg { max-width: 100%; height: auto; }</style></head><body>'; cat; echo '</body></html>'; } > "$out/$1.html"
}
shown() { # NAME HOW MODEL POLICY ARGUMENTS..: vouch show --HOW
    name=$1 how=$2
    shift 2
    for width in 1280 400; do "$build/vouch" show "$@" -q "$how" --width $width > "$out/$name.svg" && page "${name}_$width" < "$out/$name.svg" || exit 1; done
}
planned() { # POLICY MODEL ARGUMENTS..: whatever is proved of it
    policy=$1
    shift
    "$build/vouch" plan "$@" -q -o "$out/$policy.policy" > /dev/null
}
WALLS="--const WALL=1:2 --commit target -T 11 -p 0.6"
THREE="bench/examples/ferry.prism --const current=0,3 --commit home:at:port@8>=0.8 --commit seen:by:x=3@4>=0.1 --commit dry:avoid:x=2@6..7>=0.2 -T 8"
"$build/vouch" convert bench/examples/ferry.prism --const current=0,3 --commit port -T 8 -p 0.9 -q -o "$out/ferry.json" > /dev/null
"$build/vouch" generate machine-repair --environments 3 -T 6 -o "$out/repair.json"
"$build/vouch" generate corridor -o "$out/corridor.json"
planned ferry "$out/ferry.json" -L 2 && shown ferry --svg "$out/ferry.json" "$out/ferry.policy"
planned coin "$out/maze.json" --method history && shown coin --svg "$out/maze.json" "$out/coin.policy"
shown rules --svg "$out/maze.json" "$out/coin.policy" --rules && shown rare --svg "$out/maze.json" "$out/coin.policy" --least-probability 0.1
planned six "$out/six.json" -L 1 --method exact-ccl && shown six --svg "$out/six.json" "$out/six.policy"
planned repair "$out/repair.json" --method history && shown repair --svg "$out/repair.json" "$out/repair.policy"
planned three $THREE -L 2 && shown three --svg $THREE "$out/three.policy"
planned walls "$out/grid.prism" $WALLS -L 4 && shown moves --grid "$out/grid.prism" "$out/walls.policy" $WALLS && shown walls --svg "$out/grid.prism" "$out/walls.policy" $WALLS
planned coins "$out/grid.prism" $WALLS --method history && shown coins --grid "$out/grid.prism" "$out/coins.policy" $WALLS
"$build/vouch" generate adaptive --environments 3 -T 2 --seed 2 -o "$out/adaptive.json" && shown plans --svg "$out/adaptive.json" tests/data/plans.json
"$build/vouch" plan "$out/corridor.json" --frontier safe --points 6 -q --plot "$out/frontier.svg" > /dev/null && page frontier < "$out/frontier.svg"
"$build/vouch" plan "$out/maze.json" -L 1 --frontier -q --plot "$out/frontier.svg" > /dev/null && page stairs < "$out/frontier.svg"
"$build/vouch" plan "$out/six.json" -L 1 --frontier --points 6 -q --time-limit 1 --plot "$out/frontier.svg" > /dev/null; page limited < "$out/frontier.svg"
"$build/vouch" sweep t-maze --vary slip=0.5:0.9:0.1 --vary K=1,2 --vary L=0:1 --method milp-ccl,history -q --plot "$out/sweep.svg" > /dev/null && page sweep < "$out/sweep.svg"
"$build/vouch" plan "$out/maze.json" -L 1 -p 0.99 -q --log-tree "$out/tree.jsonl" > /dev/null && "$build/vouch" tree "$out/tree.jsonl" --svg | page tree
"$build/vouch" plan "$out/grid.prism" $WALLS -q --log-tree "$out/tree.jsonl" > /dev/null && "$build/vouch" tree "$out/tree.jsonl" --svg | page forest
# Every kind of picture of models of 4, 200 and more than 5 000 states.
rover() { # NAME SIZE ARGUMENTS..: to reach the base again with what was found, by fuel, in a storm of unknown direction
    name=$1 size=$2
    shift 2
    sed "s/SIZE/$size/g" > "$out/$name.prism" <<'END'
mdp
const int storm;
const double slip;
module rover
  x : [0..SIZE] init 0;
  y : [0..SIZE] init 0;
  fuel : [0..2*SIZE] init 2*SIZE;
  found : bool init false;
  [east]  x<SIZE & fuel>0 -> 1-slip : (x'=x+1) & (fuel'=fuel-1) + slip : (y'=max(0,min(SIZE,y+storm))) & (fuel'=fuel-1);
  [west]  x>0 & fuel>0 -> 1-slip : (x'=x-1) & (fuel'=fuel-1) + slip : (fuel'=fuel-1);
  [north] y<SIZE & fuel>0 -> 1-slip : (y'=y+1) & (fuel'=fuel-1) + slip : (x'=max(0,min(SIZE,x-storm))) & (fuel'=fuel-1);
  [south] y>0 & fuel>0 -> (y'=y-1) & (fuel'=fuel-1);
  [dig]   x+y=SIZE & !found & fuel>0 -> 0.7 : (found'=true) & (fuel'=fuel-1) + 0.3 : (fuel'=fuel-1);
  [rest]  true -> true;
endmodule
rewards "finds" [dig] true : 5; [rest] true : 0.1; endrewards
END
    "$build/vouch" convert "$out/$name.prism" --const storm=1:2 --const slip=0.1,0.3 "$@" -q -o "$out/$name.json" > /dev/null
}
"$build/vouch" generate random --states 4 --environments 3 -T 5 --seed 9 -o "$out/few.json"
rover middle 4 --commit 'x=0 & y=0' -p 0.6 -T 10
rover large 14 --commit 'home:at:x=0 & y=0@24>=0.3' --commit 'rock:avoid:x=2 & y=1@8>=0.5' -T 24
"$build/vouch" generate random --states 5000 --branching 4 --environments 3 -T 6 --seed 5 -o "$out/many.json"
for model in few middle large many; do
    planned $model "$out/$model.json" --node-limit 30 --log-tree "$out/tree.jsonl"
    "$build/vouch" tree "$out/tree.jsonl" --svg | page tree_$model
    [ $model = large ] || planned ${model}_history "$out/$model.json" --method history --node-limit 30
    for policy in $model ${model}_history; do
        [ -s "$out/$policy.policy" ] || continue
        shown $policy --svg "$out/$model.json" "$out/$policy.policy" 2> /dev/null
        [ $model = few ] || [ $model = many ] || shown ${policy}_grid --grid "$out/$model.json" "$out/$policy.policy"
    done
done
watch middle "$out/middle.json" --node-limit 30
"$build/vouch" plan "$out/few.json" -L 1 --frontier --points 6 -q --plot "$out/frontier.svg" > /dev/null && page frontier_few < "$out/frontier.svg"
"$build/vouch" sweep "$out/few.json" --vary L=0:2 --vary p=0.1:0.4:0.1 -q --plot "$out/sweep.svg" > /dev/null && page sweep_few < "$out/sweep.svg"
for picture in "$out"/*_1280.html; do # all but grids whose cells need more
    high=$(sed -n 's/^<svg.* height="\([0-9]*\).*/\1/p' "$picture")
    [ "$high" -le 1600 ] || { echo "$picture: $high pixels high"; exit 1; }
done
"$build/vouch" reproduce all -q --episodes 500 -o "$out/report.html" > /dev/null || exit 1
sh src/guide/html.sh "$build/vouch" "$out/guide" > /dev/null && for file in README pictures lp models promises speed index vouch.1 vouch-plan.1; do cp "$out/guide/$file.html" "$out/guide_$file.html"; done && cp "$out"/guide/*.svg "$out"
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
