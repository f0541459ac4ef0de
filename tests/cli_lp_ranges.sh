#!/bin/sh
# vouch lp --ranges: the sensitivity report in glpsol's layout, and glpsol's own beside it where it is there.
. tests/expect.sh
data=tests/data/lp
cat > "$dir/small.lp" <<'END'
Minimize
 cost: 0.6 bread + 0.35 milk + 1.1 a_cheese_with_a_name - 2000000 gold
Subject To
 energy: 2.5 bread + 3 milk + 8 a_cheese_with_a_name >= 12.3
 weight: bread + milk + a_cheese_with_a_name <= 9
 mint: gold - milk = 0.5
Bounds
 bread <= 4
 milk <= 2.5
 gold <= 3.25
End
END
cat > "$dir/expected" <<'END'
vouch     - SENSITIVITY ANALYSIS REPORT                                                                         Page   1

Problem:    
Objective:  cost = -5999998.465 (MINimum)

   No. Row name     St      Activity         Slack   Lower bound       Activity      Obj coef  Obj value at Limiting
                                          Marginal   Upper bound          range         range   break point variable
------ ------------ -- ------------- ------------- -------------  ------------- ------------- ------------- ------------
     1 energy       NL      12.30000        .           12.30000        7.50000       -.13750        -6e+06 a_cheese_with_a_name
                                            .13750          +Inf       59.50000          +Inf  -5.99999e+06 weight

     2 weight       BS       3.10000       5.90000          -Inf        4.42000       -.37273        -6e+06 bread
                                            .            9.00000        1.22500       3.2e+06      3.92e+06 milk

     3 mint         NS        .50000        .             .50000       -2.50000          -Inf       1.53500 gold
                                            -2e+06        .50000         .75000          +Inf      -6.5e+06 gold

vouch     - SENSITIVITY ANALYSIS REPORT                                                                         Page   2

Problem:    
Objective:  cost = -5999998.465 (MINimum)

   No. Column name  St      Activity      Obj coef   Lower bound       Activity      Obj coef  Obj value at Limiting
                                          Marginal   Upper bound          range         range   break point variable
------ ------------ -- ------------- ------------- -------------  ------------- ------------- ------------- ------------
     1 bread        NL        .             .60000        .                -Inf        .34375          -Inf
                                            .25625       4.00000        1.92000          +Inf        -6e+06 a_cheese_with_a_name

     2 milk         NU       2.50000        .35000        .             -.50000          -Inf       1.72250 gold
                                            -2e+06       2.50000        2.75000         2e+06      -6.5e+06 gold

     3 a_cheese_with_a_name
                    BS        .60000       1.10000        .             6.50000        .             -6e+06 energy
                                            .               +Inf       -2.08182       1.92000        -6e+06 bread

     4 gold         BS       3.00000        -2e+06        .             3.00000          -Inf          -Inf
                                            .            3.25000           -Inf        .06250       1.72250 milk

End of report
END
"$VOUCH" lp "$dir/small.lp" --ranges "$dir/small.txt" -q > /dev/null
expect layout 0 "" cmp "$dir/small.txt" "$dir/expected"
# What has no sensitivity.
printf 'min x\nst\n c1: x >= 5\n c2: x <= 3\nend\n' > "$dir/none.lp"
expect infeasible 2 "--ranges: $dir/never is not written, as there is no optimum" "$VOUCH" lp "$dir/none.lp" --ranges "$dir/never"
expect integers 1 "--ranges: an integer program has no basis; see --nomip" "$VOUCH" lp $data/knapsack.lp --ranges "$dir/never"
expect nothing_written 1 "" test -e "$dir/never"
expect relaxation 0 "" "$VOUCH" lp $data/knapsack.lp --nomip --ranges "$dir/relaxation"
# Thirty programs of real numbers, whose bases are unique: glpsol's lines but for the one that names the program, as long as they are, and its
# numbers up to a unit of their last digit (five decimals, or six digits), since what is printed may lie half-way between two.
same_report() { awk -v theirs="$2" '
    function differ() { print FILENAME ":" FNR ": " $0 "\n" theirs ": " line; bad = 1; exit }
    function is_number(word) { return word == "." || word ~ /^-?[0-9]*[.]?[0-9]*(e[-+][0-9]+)?$/ && word ~ /[0-9]/ }
    function size(x) { return x < 0 ? -x : x }
    { if ((getline line < theirs) < 1) { line = "ends"; differ() }
      if (line == $0) next
      if (length(line) != length($0) || split(line, word, " ") != NF) differ()
      for (k = 1; k <= NF; k++) {
          if (word[k] == $k) continue
          unit = $k word[k] ~ /e/ ? 1e-5 * size(word[k] + 0) : 1e-5
          if (!is_number($k) || !is_number(word[k]) || size($k - word[k]) > 1.01 * unit) differ() } }
    END { if (!bad && (getline line < theirs) > 0) { print theirs ": " line; bad = 1 }
          exit bad }' "$1"; }
draw_program() { awk -v seed="$1" 'function draw() { x = (x * 16807) % 2147483647; return x / 2147483647 }
    BEGIN { x = 104729 * seed; for (i = 0; i < 9; i++) draw()
        m = 3 + int(9 * draw()); n = 3 + int(12 * draw())
        for (j = 1; j <= n; j++) { at[j] = 9 * draw() - 3; cost = cost sprintf("a 0 %d %.4f\n", j, (18 * draw() - 9) * (draw() < 0.2 ? 100000 : 1))
            t = draw(); columns = columns sprintf(t < 0.4 ? "j %d l %.6f\n" : t < 0.85 ? "j %d d %.6f %.6f\n" : "j %d u %.6f\n", j, at[j] + (t < 0.85 ? -3 : 4) * draw(), at[j] + 4 * draw())
            columns = columns sprintf("n j %d %s%d\n", j, draw() < 0.9 ? "x" : "a_column_of_long_name_", j) }
        for (i = 1; i <= m; i++) { activity = 0
            for (j = 1; j <= n; j++) if (draw() < 0.7) { v = int(14000 * draw() - 5000) / 1000; activity += v * at[j]; matrix = matrix sprintf("a %d %d %.3f\n", i, j, v); entries++ }
            t = draw(); low = activity - 5 * draw(); high = activity + 8 * draw()
            if (t < 0.35) rows = rows sprintf("i %d u %.6f\n", i, high); else if (t < 0.6) rows = rows sprintf("i %d l %.6f\n", i, low)
            else if (t < 0.8) rows = rows sprintf("i %d d %.6f %.6f\n", i, low, high); else if (t < 0.9 && i < n / 2) rows = rows sprintf("i %d s %.6f\n", i, activity); else rows = rows "i " i " f\n"
            rows = rows "n i " i " row" i "\n" }
        printf "p lp %s %d %d %d\nn p drawn%d\nn z cost\n%s%s%s%se o f\n", seed % 2 ? "min" : "max", m, n, entries, seed, rows, columns, cost, matrix }'; }
if command -v glpsol > /dev/null; then
    seed=0 compared=0
    while [ $compared -lt 30 ] && [ $seed -lt 60 ]; do
        seed=$((seed + 1))
        draw_program $seed > "$dir/drawn.glp"
        rm -f "$dir/theirs"
        glpsol --glp "$dir/drawn.glp" --ranges "$dir/theirs" > /dev/null 2>&1
        [ -s "$dir/theirs" ] || continue # unbounded
        compared=$((compared + 1))
        "$VOUCH" lp "$dir/drawn.glp" --ranges "$dir/ours" -q > /dev/null
        for side in ours theirs; do grep -v 'SENSITIVITY ANALYSIS REPORT' "$dir/$side" > "$dir/$side.rest"; done
        expect "glpsols_report_$seed" 0 "" same_report "$dir/ours.rest" "$dir/theirs.rest"
    done
    expect thirty_compared 0 "" test $compared = 30
fi
finish
