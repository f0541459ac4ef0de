#!/bin/sh
# vouch lp with every switch of glpsol, and in its place: by a link of that name, with PuLP's tests where python3-pulp is there.
. tests/expect.sh
data=tests/data/lp
case $VOUCH in /*) program=$VOUCH ;; *) program=$PWD/$VOUCH ;; esac
mkdir "$dir/bin"
ln -s "$program" "$dir/bin/glpsol"
ln -s "$program" "$dir/bin/vouch-glpsol"
# ---- switches taken without effect, singly
for switch in presol scale noscale adv bib std ft steep nosteep relax norelax first last mostf drtom pcost dfs bfs bestp bestb intopt nointopt \
    binarize fpump proxy interior simplex primal dual nopresol clique cover mir gomory cuts; do
    expect "taken_$switch" 0 "objective   29.5" "$VOUCH" lp $data/knapsack.lp --$switch
done
expect taken_proxy_seconds 0 "objective   29.5" "$VOUCH" lp --proxy 10 $data/knapsack.lp
expect taken_together 0 "objective   29.5" "$VOUCH" lp --cpxlp $data/knapsack.lp --noscale --std --nosteep --norelax --mostf --bfs --nointopt --tmlim 9 --mipgap 0
# ---- refused, with what they do there
for switch in luf btf cbg cgr flip nord qmd amd symamd minisat mincost maxflow cnf "data F" "display F" "read F" "objbnd 3" "wcnf F"; do
    word=${switch%% *}
    # shellcheck disable=SC2086 # the value is a word of its own
    expect "refused_$word" 1 "--$word makes glpsol " "$VOUCH" lp $data/knapsack.lp --$switch
done
expect refused_d 1 "--data makes glpsol read the data of a MathProg model" "$VOUCH" lp $data/knapsack.lp -d F
expect unknown_switch 1 "unknown option" "$VOUCH" lp $data/knapsack.lp --sparse-switch
# ---- those that do something
expect interior_says_so 0 "--interior: the simplex method solves it" "$VOUCH" lp $data/knapsack.lp --interior
expect version 0 "vouch " "$VOUCH" lp --version
expect name 0 "" "$VOUCH" lp $data/knapsack.lp --name sack --hide --check --wglp "$dir/hidden.glp"
expect names_are_gone 1 "" grep "^n" "$dir/hidden.glp"
expect named 0 "" "$VOUCH" lp $data/knapsack.lp --name sack --check --wglp "$dir/named.glp"
expect has_the_name 0 "n p sack" cat "$dir/named.glp"
grep -q __asan_init "$VOUCH" || expect memlim 0 "objective   29.5" "$VOUCH" lp $data/knapsack.lp --memlim 4000
expect log 0 "" sh -c '"$0" lp "$1" --interior --log "$2/log" > "$2/both" 2>&1 && cmp "$2/both" "$2/log"' "$VOUCH" $data/knapsack.lp "$dir"
printf 'min x\nst\n c1: x >=\nend\n' > "$dir/bad.lp"
expect log_of_a_mistake 1 "" "$VOUCH" lp "$dir/bad.lp" --log "$dir/log"
expect mistake_is_logged 0 "bad.lp:4: " cat "$dir/log"
printf 'set I := 1..3;\nvar x{I} >= 0;\nminimize z: sum{i in I} i * x[i];\ns.t. c: sum{i in I} x[i] >= 4;\nend;\n' > "$dir/m.mod"
if command -v glpsol > /dev/null; then
    expect math 0 "objective   4" "$VOUCH" lp --math "$dir/m.mod"
    expect model 0 "objective   4" "$VOUCH" lp -m "$dir/m.mod"
    expect link_translates 0 "objective   4" env PATH="$dir/bin:$PATH" glpsol -m "$dir/m.mod"
    printf 'var x >= 0\nend;\n' > "$dir/bad.mod"
    expect math_mistake 1 "glpsol has not translated it" "$VOUCH" lp --math "$dir/bad.mod"
fi
expect no_translator 1 "which is not installed" env PATH="$dir/bin" glpsol -m "$dir/m.mod"
# ---- exit statuses: ours, and glpsol's by a link
printf 'min x\nst\n c1: x >= 5\n c2: x <= 3\nend\n' > "$dir/inf.lp"
printf 'max x + y\nst\n c1: x - y <= 3\nend\n' > "$dir/unb.lp"
for link in glpsol vouch-glpsol; do
    expect ${link}_solved 0 "objective   29.5" "$dir/bin/$link" --lp $data/knapsack.lp
    expect ${link}_infeasible 0 "status      infeasible" "$dir/bin/$link" --cpxlp "$dir/inf.lp" -o "$dir/inf.out"
    expect ${link}_unbounded 0 "status      unbounded" "$dir/bin/$link" --lp "$dir/unb.lp"
    expect ${link}_mistake 1 "bad.lp:4: " "$dir/bin/$link" --lp "$dir/bad.lp"
    expect ${link}_bad_option 1 "unknown option" "$dir/bin/$link" --sparse-switch
    expect ${link}_version 0 "GLPK LP/MIP Solver, v5.0" "$dir/bin/$link" -v
done
expect infeasible_is_undefined_there 0 "Status:     UNDEFINED" cat "$dir/inf.out"
expect infeasible_without_presolve 0 "" "$dir/bin/glpsol" --nopresol --lp "$dir/inf.lp" -o "$dir/inf.out"
expect infeasible_is_said 0 "Status:     INFEASIBLE (FINAL)" cat "$dir/inf.out"
expect ours_infeasible 2 "" "$VOUCH" lp "$dir/inf.lp"
expect help_tells_exit 0 "glpsol's exit status is 0" sh -c '"$0" lp --help | tr "\n" " "' "$VOUCH"
# ---- PuLP: what passes with glpsol itself passes here
real=$(command -v glpsol || :)
judge judge_pulp "${PYTHON:-/usr/bin/python3}" tests/judge_pulp.py "$dir/bin" "${real%/glpsol}" "$dir"
finish
