# Inputs that can be read once, and outputs that are inputs.
. tests/expect.sh
check=$(cd "$(dirname "$VOUCH")" && pwd)/vouch-check
examples=$(cd bench/examples && pwd)
enter
"$vouch" generate t-maze -o maze.json
"$vouch" plan maze.json -L 1 -q -o policy.json --proof maze.vproof > log 2>&1 || echo "not ok plan: $(cat log)"
"$vouch" plan maze.json -L 1 -q > plain 2> log
ferry="--const current=0,1 --commit port -T 8 -p 0.5"
"$vouch" plan "$examples/ferry.prism" $ferry -q | sed '/s$/d; s/ferry/model/' > ferry
mkfifo fifo
# feed FILE COMMAND..: the file into the FIFO, once.
feed() { cat "$1" > fifo & shift; timeout 200 "$@"; code=$?; kill $! 2> /dev/null; return $code; }
# pipe FILE COMMAND..: the file on standard input.
pipe() { from=$1; shift; cat "$from" | "$@"; }

# ---- read once, recognised by content
feed maze.json "$vouch" plan fifo -L 1 -q > got 2> log; sed -i '/ s$/d' plain got
expect fifo 0 "" cmp plain got
pipe maze.json "$vouch" plan /dev/stdin -L 1 -q 2> log | sed '/ s$/d' > got
expect dev_stdin 0 "" cmp plain got
pipe "$examples/ferry.prism" "$vouch" plan - $ferry -q 2> log | sed '/s$/d; s/^-:/model:/' > got
expect prism_on_standard_input 0 "" cmp ferry got
feed "$examples/ferry.prism" "$vouch" plan fifo $ferry -q 2> log | sed '/s$/d; s/fifo/model/' > got
expect prism_from_fifo 0 "" cmp ferry got
gzip -c maze.json > packed
expect packed 0 "regret" feed packed "$vouch" plan fifo -L 1
expect proof 0 "verified by vouch-check" feed maze.json "$vouch" plan fifo -L 1 --proof fifo.vproof
expect proof_same 0 "" cmp fifo.vproof maze.vproof
expect checked 0 "verified: maximum regret" pipe maze.json "$check" - maze.vproof
expect proof_piped 0 "verified: maximum regret" pipe maze.vproof "$check" maze.json /dev/stdin
expect policy 0 "regret" pipe policy.json "$vouch" evaluate maze.json -
expect both 0 "From" feed maze.json sh -c "cat policy.json | $vouch show fifo /dev/stdin --words"
expect about_standard_input 0 "-: a model" pipe maze.json "$vouch" -
expect about 0 "fifo: a model" feed maze.json "$vouch" fifo
expect pomdp 0 '"name": "model"' pipe "$examples/listen.pomdp" "$vouch" convert /dev/stdin --commit hear-left -T 3 -p 0 -o -
expect csv 0 '"vouch": 1' pipe "$examples/models.csv" "$vouch" convert - --commit 1 -T 3 -p 0 -o -
expect lp 0 "1.927421875" pipe "$examples/diet.lp" "$vouch" lp -
expect sweep_threads 0 "0.776128" pipe maze.json "$vouch" sweep - --vary L=0:1 --threads 2
expect sweep_of_constants 0 "optimal" pipe "$examples/ferry.prism" "$vouch" sweep - --vary T=4:6 --const current=0,1 --commit port -p 0.5
expect workers 0 "0.776128" pipe maze.json "$vouch" plan - -L 1 --workers 2
expect journal 0 "" pipe maze.json "$vouch" plan - --journal j
expect resumed 0 "0.776128" feed maze.json "$vouch" plan fifo --resume j
if command -v glpsol > log; then
    echo 'var x >= 0; maximize z: x; c: 2*x <= 4; solve; display x; end;' > m.mod
    expect mathprog 0 "x.val = 2" pipe m.mod "$vouch" lp --math -
fi
# A FIFO that nobody writes: a signal and the time limit end the command.
for command in "plan fifo" "plan fifo --prove" "show fifo" "lp fifo"; do
    "$vouch" $command > out 2>&1 & process=$!
    tries=0
    while [ $tries -lt 100 ] && ! grep -q fifo_open /proc/$process/wchan 2> /dev/null && ! grep -q wait_for_partner /proc/$process/wchan 2> /dev/null; do tries=$((tries + 1)); sleep 0.02; done
    kill -INT $process
    wait $process
    code=$?
    if [ $code = 130 ]; then echo "ok interrupt_$(echo "$command" | tr ' ' _)"; else echo "not ok interrupt $command: exit $code, $(cat out)"; fi
done
expect late 3 "the time limit was reached while this file was read" "$vouch" plan fifo --time-limit 0.2
# One limit for what is packed.
head -c 100000000 /dev/zero | gzip -9 > zeros.gz
expect packed_model 3 "packed file of its length" "$vouch" plan zeros.gz
expect packed_model_checked 3 "packed file of its length" "$check" zeros.gz maze.vproof
expect packed_proof_checked 3 "packed file of its length" "$check" maze.json zeros.gz

# ---- no output is an input
mkdir family && cp "$examples"/family/* family/ && mkdir other && cp maze.json other/index.json
cp "$examples/diet.lp" "$examples/ferry.prism" .
ln -s maze.json link.json && ln maze.json hard.json && ln -s . here
printf 'a\n' > data
sum() { find . -type f ! -name out ! -name log ! -name sums ! -name now -exec cksum {} + | sort; }
sum > sums
refused() { expect "$1" 1 "is an input of this command" env -C "$dir" "$vouch" $2; }
refused self "plan maze.json -o maze.json"
refused proof "plan maze.json --proof maze.json"
refused tree "plan maze.json --log-tree maze.json"
refused plot "plan maze.json --frontier --plot ./maze.json"
refused symbolic_link "plan link.json -o maze.json"
refused to_symbolic_link "plan maze.json -o link.json"
refused hard_link "plan maze.json -o hard.json"
refused folder "plan maze.json -o here/here/maze.json"
refused start "plan maze.json --start policy.json -o policy.json"
refused journal "plan maze.json --journal maze.json"
refused resume "plan maze.json --resume maze.json"
refused evaluate "evaluate maze.json policy.json -o policy.json"
refused show "show maze.json policy.json --words -o policy.json"
refused convert "convert maze.json -o hard.json"
refused convert_folder "convert family/ --commit goal -T 3 -p 0 -o family/"
refused convert_member "convert family/ --commit goal -T 3 -p 0 -o $(ls family/*.drn | head -n 1)"
refused convert_into_its_folder "convert $(ls family/*.drn | head -n 1) --commit goal -T 3 -p 0 -o family/"
refused convert_index "convert other/index.json -o other/"
refused watch "watch maze.json -o maze.json"
refused export "export maze.json -o maze.json"
refused lp "lp diet.lp -o diet.lp"
refused lp_write "lp diet.lp -w ./diet.lp"
refused lp_log "lp diet.lp --log diet.lp"
refused lp_problem "lp diet.lp --wlp diet.lp"
refused lp_data "lp --math diet.lp -d data --ranges data"
refused prop "plan ferry.prism --const current=0 --prop data -T 2 -o data"
refused merge "sweep --merge data data --csv data"
expect standard_output 1 "standard output is an input of this command (maze.json)" sh -c "$vouch convert maze.json -o - 2>&1 >> maze.json"
expect standard_input 1 "is an input of this command" sh -c "$vouch plan - -o maze.json < maze.json"
expect two_outputs 1 "already another output" "$vouch" plan maze.json -o here/new.json --proof new.json
sum > now
expect untouched 0 "" cmp sums now
expect journal_resumed 0 "" "$vouch" plan maze.json --resume j --journal j
expect kind_is_no_file 0 "" sh -c ": > lookahead; $vouch generate lookahead -o lookahead"
finish
