#!/bin/sh
# vouch lp and GLPK's own files: its problem format, its plain solutions as starting bases, formats told by content.
. tests/expect.sh
data=tests/data/lp
cat > "$dir/small.glp" <<'EOF'
c a comment
p mip max 3 3 5
n p small
n z profit
i 1 u 10
n i 1 labour
i 2 d -4 8
n j 1 x
j 2 c l -1.5
n j 2 y
j 3 i s 2
a 0 0 0.1
a 0 1 3
a 0 2 2
a 1 1 1
a 1 2 1
a 2 1 1
a 2 2 -1
a 3 3 0
e o f
EOF
sed 's/^a 3 3 0$/a 2 3 1/' "$dir/small.glp" > "$dir/whole.glp"
expect by_name 0 "objective   17.1" "$VOUCH" lp "$dir/whole.glp"
cp "$dir/whole.glp" "$dir/plain"
expect by_content 0 "objective   17.1" "$VOUCH" lp "$dir/plain"
expect by_option 0 "objective   17.1" "$VOUCH" lp "$dir/plain" --glp
expect by_standard_input 0 "objective   17.1" sh -c '"$0" lp - < "$1"' "$VOUCH" "$dir/whole.glp"
expect lp_by_standard_input 0 "objective   29.5" sh -c '"$0" lp - < "$1"' "$VOUCH" $data/knapsack.lp
expect told 0 "a program in GLPK's format" "$VOUCH" "$dir/plain"
expect written 0 "" "$VOUCH" lp "$dir/whole.glp" --check --wglp "$dir/again.glp"
expect written_as_read 0 "" sh -c 'grep -v "^c " "$0" | cmp - "$1"' "$dir/whole.glp" "$dir/again.glp"
# What is wrong is said with its line.
wrong() { # name change message
    sed "$2" "$dir/whole.glp" > "$dir/wrong.glp"
    expect "$1" 1 "$3" "$VOUCH" lp "$dir/wrong.glp"
}
wrong no_head '/^p /d' ":2: expected p lp|mip min|max"
wrong two_heads 's/^n p small/p lp min 1 1 1/' ":3: a second line p"
wrong row_number 's/^i 2 d/i 4 d/' ":7: expected a number between 1 and 3 after"
wrong row_twice 's/^i 2 d/i 1 d/' ":7: this row was described before"
wrong kind 's/^j 2 c/j 2/' ":9: expected c or i after the column"
wrong bounds 's/^i 1 u 10/i 1 d 10/' ":5: expected f, l LOWER"
wrong number 's/^a 1 1 1/a 1 1 one/' ":15: expected a ROW COLUMN VALUE"
wrong entries 's/^a 2 3 1//' "fewer entries than the first line says"
wrong more_entries 's/3 3 5/3 3 4/' ":19: more entries than the first line says"
wrong entry_twice 's/^a 2 3 1/a 2 2 1/' "twice"
wrong name_twice 's/^n j 2 y/n j 2 x/' 'the name "x" stands twice'
wrong cut_off '/^e o f/d' "the file ends in the middle"
wrong letter 's/^n z profit/k z profit/' ":4: expected a line that begins with"
wrong too_many 's/3 3 5/3 1000000000 5/' ":2: more rows or columns than a file of this length"
sed '/^n j 1/d;s/^n j 2 y/n j 2 C1/' "$dir/whole.glp" > "$dir/named.glp"
expect no_name_is_in_the_way 0 "objective   17.1" "$VOUCH" lp "$dir/named.glp"
# A solution of -w is a starting basis.
expect solution 0 "" "$VOUCH" lp $data/diet.lp -w "$dir/diet.sol"
expect ini 0 '"iterations":0' "$VOUCH" lp $data/diet.lp --ini "$dir/diet.sol" --json
expect other_program 1 "the numbers of rows and columns of this program" "$VOUCH" lp "$dir/whole.glp" --nomip --ini "$dir/diet.sol"
sed 's/^\(j 1 \). /\1x /' "$dir/diet.sol" > "$dir/bad.sol"
expect bad_letter 1 "expected b, l, u, f or s" "$VOUCH" lp $data/diet.lp --ini "$dir/bad.sol"
printf 'set I;\nparam c{I};\nvar x{I} >= 0;\nminimize z: sum{i in I} c[i] * x[i];\nend;\n' > "$dir/model.mod"
cp "$dir/model.mod" "$dir/its model.mod"
expect mathprog 1 "glpsol -m '$dir/its model.mod' --check --wfreemps program.mps makes a program of it" "$VOUCH" lp "$dir/its model.mod"
expect mathprog_no_model 1 "glpsol -m '$dir/its model.mod' --check --wfreemps program.mps" "$VOUCH" plan "$dir/its model.mod"
expect mathprog_by_standard_input 1 "-: this looks like a MathProg model; glpsol -m /dev/stdin --check" sh -c '"$0" lp - < "$1"' "$VOUCH" "$dir/model.mod"
# Standard input of every format, plain or packed, is told by content.
for written in wlp wmps wfreemps wglp; do
    "$VOUCH" lp "$dir/whole.glp" --check --$written "$dir/any"
    expect "input_$written" 0 "objective   17.1" sh -c '"$0" lp - < "$1"' "$VOUCH" "$dir/any"
    expect "packed_$written" 0 "objective   17.1" sh -c 'gzip -c "$1" | "$0" lp -' "$VOUCH" "$dir/any"
done
# Families of cuts by name: only these work.
awk 'BEGIN { x = 11; printf "max\n obj:"
    for (j = 0; j < 24; j++) { x = (x * 16807) % 2147483647; printf " + %d x%d", 20 + x % 60, j; if (j % 9 == 8) print "" }
    print "\nst"
    for (i = 0; i < 3; i++) { printf " c%d:", i
        for (j = 0; j < 24; j++) { x = (x * 16807) % 2147483647; printf " + %d x%d", 20 + x % 60, j; if (j % 9 == 8) print "" }
        print " <= 400" }
    print "binaries"; for (j = 0; j < 24; j++) print " x" j; print "end" }' > "$dir/knapsacks.lp"
"$VOUCH" lp "$dir/knapsacks.lp" --json > "$dir/all.json"
best=$(sed 's/.*"objective":\([^,]*\),.*/\1/' "$dir/all.json")
expect covers_only 0 "cuts        implied 0, clique 0, cover " "$VOUCH" lp "$dir/knapsacks.lp" --cover
expect covers_are_there 1 "" grep -q "cover 0" "$dir/out"
expect no_other_than_covers 0 "mir 0, gomory 0" "$VOUCH" lp "$dir/knapsacks.lp" --cover
expect no_other_than_gomory 0 '"cuts":{"implied":0,"clique":0,"cover":0,"path":0,"mir":0,"gomory":' "$VOUCH" lp "$dir/knapsacks.lp" --gomory --json
expect same_optimum 0 "\"objective\":$best," "$VOUCH" lp "$dir/knapsacks.lp" --mir --json
expect no_word_no_counts 1 "" grep -q '"cuts"' "$dir/all.json"
expect none_and_some 1 "--no-cuts and the families of cuts exclude each other" "$VOUCH" lp "$dir/knapsacks.lp" --no-cuts --mir
if command -v glpsol > /dev/null; then
    glpsol --lp $data/diet.lp --check --wglp "$dir/g.glp" > /dev/null
    "$VOUCH" lp $data/diet.lp --check --wglp "$dir/v.glp"
    expect glpsols_bytes 0 "" cmp "$dir/v.glp" "$dir/g.glp"
    glpsol --lp $data/diet.lp -w "$dir/g.sol" > /dev/null
    expect glpsols_basis 0 '"iterations":0' "$VOUCH" lp $data/diet.lp --ini "$dir/g.sol" --json
    { sed '/^end;/d;s/>= 0/>= 2/' "$dir/model.mod"; printf 'data;\nset I := a b;\nparam c := a 1 b 2.5;\nend;\n'; } > "$dir/a model"
    command=$("$VOUCH" lp "$dir/a model" 2>&1 | sed 's/.*; \(glpsol .*\) makes a program.*/\1/')
    (cd "$dir" && sh -c "$command") > /dev/null
    expect mathprog_by_the_command 0 "objective   7" "$VOUCH" lp "$dir/program.mps"
    expect read_by_glpsol 0 "INTEGER OPTIMAL SOLUTION FOUND" glpsol --glp "$dir/again.glp"
fi
finish
