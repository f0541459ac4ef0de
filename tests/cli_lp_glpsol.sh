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
for switch in luf btf cbg cgr flip nord qmd amd symamd minisat mincost maxflow cnf "display F" "objbnd 3" "wcnf F"; do
    word=${switch%% *}
    # shellcheck disable=SC2086 # the value is a word of its own
    expect "refused_$word" 1 "--$word makes glpsol " "$VOUCH" lp $data/knapsack.lp --$switch
done
expect idle_data 1 "-d has no effect without a MathProg model" "$VOUCH" lp $data/knapsack.lp -d F
expect unknown_switch 1 "unknown option" "$VOUCH" lp $data/knapsack.lp --sparse-switch
# ---- those that do something
expect interior_says_so 0 "--interior: the simplex method is used" "$VOUCH" lp $data/knapsack.lp --interior
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
    printf 'param p;\nparam q;\nvar x >= p;\nminimize z: q * x;\nsolve;\nprintf "z is %%g\\n", z;\nend;\n' > "$dir/open.mod"
    printf 'data;\nparam p := 3;\nend;\n' > "$dir/p.dat"
    printf 'data;\nparam q := 7;\nend;\n' > "$dir/q.dat"
    expect data 0 "objective   21" "$VOUCH" lp -m "$dir/open.mod" -d "$dir/p.dat" --data "$dir/q.dat"
    expect data_displays 0 "z is 21" "$VOUCH" lp -m "$dir/open.mod" -d "$dir/p.dat" -d "$dir/q.dat"
    expect data_is_missing 1 "glpsol has not translated it" "$VOUCH" lp -m "$dir/open.mod" -d "$dir/p.dat"
    printf 'var x >= 0\nend;\n' > "$dir/bad.mod"
    expect math_mistake 1 "glpsol has not translated it" "$VOUCH" lp --math "$dir/bad.mod"
fi
if command -v glpsol > /dev/null; then
    # What stands behind solve sees the solution found here; what stands in front is printed once.
    printf 'printf "front\\n";\nvar x >= 0, integer;\nminimize z: 3 * x;\ns.t. c: 2 * x >= 7;\nsolve;\ndisplay x;\nprintf "z is %%g\\n", z;\nend;\n' > "$dir/shows.mod"
    expect math_displays 0 "x.val = 4 z is 12" sh -c '"$0" lp -m "$1" | tr "\n" " "' "$VOUCH" "$dir/shows.mod"
    expect math_displays_once 0 "1" sh -c '"$0" lp -m "$1" | grep -c front' "$VOUCH" "$dir/shows.mod"
    expect math_displays_relaxed 0 "z is 10.5" "$VOUCH" lp --nomip --math "$dir/shows.mod"
    expect math_displays_beside_json 0 "z is 12" sh -c '"$0" lp --json -m "$1" 2>&1 > "$2/out.json"' "$VOUCH" "$dir/shows.mod" "$dir"
    expect json_is_alone 0 "1" sh -c 'grep -c . "$0"' "$dir/out.json"
    expect math_of_a_pipe 0 "z is 12" sh -c '"$0" lp --math - < "$1"' "$VOUCH" "$dir/shows.mod"
    printf 's mip 2 1 o 15\ni 1 15\ni 2 10\nj 1 5\ne o f\n' > "$dir/five.sol"
    expect math_displays_what_is_read 0 "z is 15" "$VOUCH" lp -m "$dir/shows.mod" -r "$dir/five.sol"
    printf 'var x >= 0;\nminimize z: x;\nsolve;\nprintf "%%d\\n", 1 / 0;\nend;\n' > "$dir/breaks.mod"
    expect math_breaks_behind_solve 1 "glpsol has not run the statements after solve" "$VOUCH" lp -m "$dir/breaks.mod"
fi
# ---- a solution from a file
for of in diet:--nomip knapsack: knapsack:--nomip; do
    file=$data/${of%:*}.lp relaxed=${of#*:}
    # shellcheck disable=SC2086 # no word where there is no option
    expect "written_${of%:*}$relaxed" 0 "" "$VOUCH" lp "$file" $relaxed -w "$dir/a.sol" -o "$dir/a.out"
    # shellcheck disable=SC2086
    expect "read_${of%:*}$relaxed" 0 "status      read" "$VOUCH" lp "$file" $relaxed -r "$dir/a.sol" -w "$dir/b.sol" -o "$dir/b.out"
    expect "same_${of%:*}$relaxed" 0 "" cmp "$dir/a.sol" "$dir/b.sol"
    expect "report_${of%:*}$relaxed" 0 "" sh -c 'sed "/^KKT/,\$d" "$0" > "$0.head" && sed "/^KKT/,\$d" "$1" | cmp - "$0.head"' "$dir/a.out" "$dir/b.out"
done
expect read_proves_nothing 0 "the file calls it optimal; nothing was solved or proved" "$VOUCH" lp --nomip $data/knapsack.lp --read "$dir/a.sol"
expect read_says_so_in_json 0 '{"status":"read"' "$VOUCH" lp --nomip $data/knapsack.lp --read "$dir/a.sol" --json
expect read_other_kind 1 "expected mip, a solution of an integer program (--nomip: of its relaxation)" "$VOUCH" lp $data/knapsack.lp -r "$dir/a.sol"
expect read_no_ranges 1 "--ranges has no effect without a program that is solved" "$VOUCH" lp --nomip $data/knapsack.lp -r "$dir/a.sol" --ranges "$dir/r"
expect read_nothing 1 "cannot open" "$VOUCH" lp $data/knapsack.lp -r "$dir/none.sol"
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
expect help_tells_exit 0 "glpsol exits with 0" sh -c '"$0" lp --help | tr "\n" " "' "$VOUCH"
# ---- PuLP: what passes with glpsol itself passes here
real=$(command -v glpsol || :)
judge judge_pulp "${PYTHON:-/usr/bin/python3}" tests/judge_pulp.py "$dir/bin" "${real%/glpsol}" "$dir"
finish
