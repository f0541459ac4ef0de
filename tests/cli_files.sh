# Files: written whole or not at all, through links and devices, found unreachable before the work; what ends a command leaves no temporary file.
. tests/expect.sh
"$VOUCH" generate twin-states -T 5 -o "$dir/twin.json"
"$VOUCH" plan "$dir/twin.json" -L 1 -o "$dir/policy.json" --log-tree "$dir/tree.jsonl" > /dev/null
printf 'max: x + y;\n' > "$dir/never"
cat > "$dir/small.lp" <<'END'
Maximize
 obj: x + 2 y
Subject To
 c1: x + y <= 4
 c2: x + 3 y <= 6
Bounds
 x <= 3
End
END
holds() { # NAME FILE TEXT
    if grep -qF -- "$3" "$2"; then echo "ok $1"; else echo "not ok $1: $(head -c 300 "$2")"; fi
}
clean() { # NAME: no temporary file is left
    if find "$dir" -name 'vouch.tmp.*' | grep -q .; then echo "not ok $1: $(find "$dir" -name 'vouch.tmp.*')"; else echo "ok $1"; fi
}

# ---- standard output that takes nothing: never exit status 0
for args in --help --version --manual "--manual plan" --completion "plan --help" "generate t-maze" "plan $dir/twin.json" "plan $dir/twin.json --json" \
    "evaluate $dir/twin.json $dir/policy.json" "show $dir/twin.json $dir/policy.json --svg" "simulate $dir/twin.json $dir/policy.json --episodes 10" \
    "ccil $dir/twin.json -L 1" "sweep $dir/twin.json" "export $dir/twin.json" "convert $dir/twin.json" "lp $dir/small.lp" "tree $dir/tree.jsonl" \
    "act $dir/twin.json -L 1" "reproduce lookahead"; do
    for to in /dev/full closed; do
        # shellcheck disable=SC2086
        if [ $to = closed ]; then "$VOUCH" $args < /dev/null >&- 2> "$dir/message"
        else "$VOUCH" $args < /dev/null > $to 2> "$dir/message"; fi
        code=$?
        if [ $code -ne 0 ] && [ -s "$dir/message" ]; then echo "ok output_${to}_$args"; else echo "not ok output_${to}_$args: exit $code"; fi
    done
done
expect closed_output_spares_file 1 "standard output: cannot write" sh -c '"$1" plan "$2/twin.json" -o "$2/closed.json" >&-' sh "$VOUCH" "$dir"
expect closed_output_file 0 "kept" "$VOUCH" evaluate "$dir/twin.json" "$dir/closed.json"

# ---- places that cannot be written are found before the work: the model is not even read
for option in "plan -o" "plan --log-tree" "plan --log-restarts" "plan --plot" "show -o" "convert -o" "export -o" "sweep --csv" "sweep --plot" "sweep --resume" "lp -o" \
    "lp -w" "lp --wlp" "lp --wmps" "lp --wfreemps" "lp --basis-out" "lp --ranges" "lp --log-tree" "tree -o"; do
    # shellcheck disable=SC2086
    expect "before_$option" 1 "$dir/no/out: cannot create" "$VOUCH" ${option% *} "$dir/absent" ${option#* } "$dir/no/out"
done
expect before_generate 1 "$dir/no/out: cannot create" "$VOUCH" generate t-maze -o "$dir/no/out"
expect before_reproduce 1 "$dir/no/out: cannot create" "$VOUCH" reproduce lookahead -o "$dir/no/out"
expect before_directory 1 "$dir/no/out/: cannot create" "$VOUCH" convert "$dir/absent" -o "$dir/no/out/"
expect before_directory_is_file 1 "there is a file of this name" "$VOUCH" convert "$dir/absent" -o "$dir/twin.json/"
expect file_is_directory 1 "it is a directory" "$VOUCH" plan "$dir/absent" -o "$dir"
expect same_file_twice 1 "its own name" "$VOUCH" plan "$dir/twin.json" -o "$dir/one" --log-tree "$dir/one"
expect no_name 1 "its name is empty" "$VOUCH" generate t-maze -o ""
clean nothing_left_before

# ---- devices and pipes are written in place, errors reported, the answer still given
expect device 1 "/dev/full: cannot write: No space left" "$VOUCH" plan "$dir/twin.json" -o /dev/full
expect device_answer 1 "maximum regret  6" "$VOUCH" plan "$dir/twin.json" -o /dev/full
expect device_policy 1 '"vouch_policy"' "$VOUCH" plan "$dir/twin.json" -o /dev/full
expect device_json 1 '"max_regret": 6' "$VOUCH" plan "$dir/twin.json" --json -o /dev/full
expect device_tree_log 1 "maximum regret  6" "$VOUCH" plan "$dir/twin.json" --log-tree /dev/full
expect device_plot 1 "optimal" "$VOUCH" sweep "$dir/twin.json" --plot /dev/full
expect device_csv 1 "optimal" "$VOUCH" sweep "$dir/twin.json" --csv /dev/full
expect device_frontier 1 "/dev/full: cannot write" "$VOUCH" plan "$dir/twin.json" --frontier --points 2 --plot /dev/full
for option in -o -w --basis-out --ranges; do expect "device_lp$option" 1 "objective   5" "$VOUCH" lp "$dir/small.lp" $option /dev/full; done
if [ -c /dev/full ]; then echo "ok device_stays"; else echo "not ok device_stays"; fi
mkfifo "$dir/pipe"
cat "$dir/pipe" > "$dir/from_pipe" &
expect pipe 0 "" "$VOUCH" show "$dir/twin.json" "$dir/policy.json" --svg -o "$dir/pipe"
wait
holds pipe_content "$dir/from_pipe" "</svg>"
if [ -p "$dir/pipe" ]; then echo "ok pipe_stays"; else echo "not ok pipe_stays"; fi
{ echo before; "$VOUCH" generate t-maze -o /dev/stdout; echo after; } > "$dir/mixed"
if [ "$(head -n 1 "$dir/mixed")" = before ] && [ "$(tail -n 1 "$dir/mixed")" = after ]; then echo "ok standard_output_in_place"; else echo "not ok standard_output_in_place"; fi

# ---- links are followed, a file that cannot be written stays what it was
mkdir "$dir/there"
echo old > "$dir/there/file"
ln -s there/file "$dir/link"
expect link 0 "" "$VOUCH" generate t-maze -o "$dir/link"
if [ -L "$dir/link" ]; then echo "ok link_stays"; else echo "not ok link_stays"; fi
holds link_target "$dir/there/file" "t-maze"
ln -s /dev/full "$dir/full"
expect link_to_device 1 "No space left" "$VOUCH" generate t-maze -o "$dir/full"
ln -s loop "$dir/loop"
expect link_loop 1 "cannot create" "$VOUCH" generate t-maze -o "$dir/loop"
echo old > "$dir/kept"
expect too_large 1 "kept: cannot write: File too large" sh -c 'ulimit -f 1; "$1" generate random --states 300 -o "$2"' sh "$VOUCH" "$dir/kept"
holds too_large_kept "$dir/kept" old
long=$(printf '%0200d' 0).json
expect long_name 0 "" "$VOUCH" generate t-maze -o "$dir/$long"
clean nothing_left_after_failures

# ---- a directory of files: all or none
expect directory 0 "9 environments" "$VOUCH" convert "$dir/twin.json" -o "$dir/drn/"
if [ "$(find "$dir/drn" -type f | wc -l)" = 10 ]; then echo "ok directory_files"; else echo "not ok directory_files: $(ls -a "$dir/drn")"; fi
expect directory_again 0 "9 environments" "$VOUCH" convert "$dir/twin.json" -o "$dir/drn/"
cat > "$dir/next.json" <<'END'
{ "vouch": 1, "states": ["a", "b"], "actions": ["go"], "initial": "a", "horizon": 1, "commitment": {"states": ["b"], "probability": 0},
  "transitions": [["a", "go", "a", 0.5], ["a", "go", "b", 0.5], ["b", "go", "b", 1]], "rewards": [["a", "go", 7]],
  "environments": [{"name": "k1"}, {"name": "k2", "rewards": [["a", "go", "a", 1], ["a", "go", "b", 2]]}] }
END
expect directory_none 1 "which a DRN file cannot say" "$VOUCH" convert "$dir/next.json" -o "$dir/half/"
if [ -e "$dir/half" ]; then echo "not ok directory_none_made: $(ls -a "$dir/half")"; else echo "ok directory_none_made"; fi
mkdir "$dir/half"
echo old > "$dir/half/k1.drn"
expect directory_none_changed 1 "which a DRN file cannot say" "$VOUCH" convert "$dir/next.json" -o "$dir/half/"
holds directory_old "$dir/half/k1.drn" old
clean nothing_left_of_directories

# ---- signals, while the command waits for its model (to open the pipe for writing waits for its reader)
mkfifo "$dir/model"
for signal in TERM HUP INT; do
    # under nohup a hang-up is ignored, by the command too
    if [ $signal = HUP ] && grep -q '^SigIgn:.*[13579bdf]$' /proc/$$/status 2> /dev/null; then continue; fi
    "$VOUCH" plan "$dir/model" -o "$dir/$signal.json" > /dev/null 2>&1 &
    process=$!
    exec 9> "$dir/model"
    kill -$signal $process
    wait $process
    code=$?
    exec 9>&-
    if [ $code -gt 128 ]; then echo "ok killed_$signal"; else echo "not ok killed_$signal: exit $code"; fi
    clean "nothing_left_after_$signal"
    if [ -e "$dir/$signal.json" ]; then echo "not ok nothing_made_$signal"; else echo "ok nothing_made_$signal"; fi
done
# a run that still reads at its time limit ends, and so does one that is interrupted: nobody writes into the pipe
for args in "plan $dir/model -o $dir/late.json" "evaluate $dir/model $dir/policy.json" "lp $dir/model -o $dir/late.json"; do
    # shellcheck disable=SC2086
    expect "late_${args%% *}" 3 "model: the time limit was reached while this file was read" "$VOUCH" $args --time-limit 0.05
    # shellcheck disable=SC2086
    expect "interrupted_${args%% *}" 130 "model: interrupted while this file was read" timeout --preserve-status -s INT 1 "$VOUCH" $args
    clean "nothing_left_after_late_${args%% *}"
done

# ---- little memory: a message and an exit status, never a crash, a loop, or 0 without the answer (the sanitizers need more than any limit leaves)
if ! grep -q __asan_init "$VOUCH"; then
    "$VOUCH" generate t-maze --size 4,2,2,3 -o "$dir/maze.json"
    "$VOUCH" export "$dir/maze.json" -L 1 -o "$dir/maze.mps"
    for kilobytes in 32000 45000 60000 100000 170000; do
        for args in "plan $dir/maze.json -L 1 --engine lp --time-limit 1" "plan $dir/maze.json -L 2" "generate random --states 4000" "ccil $dir/maze.json -L 2" "lp $dir/maze.mps --time-limit 2" \
            "export $dir/maze.json -L 3" "sweep $dir/maze.json --vary L=0:1 --json" "show $dir/twin.json $dir/policy.json --svg" "watch $dir/maze.json -L 1 -o $dir/page.html"; do
            # shellcheck disable=SC2086
            (ulimit -v $kilobytes && exec "$VOUCH" $args > "$dir/out" 2> "$dir/message")
            code=$?
            [ $code -ne 127 ] || continue # the shared libraries do not even load
            if [ $code -le 4 ] && { [ $code != 1 ] || [ -s "$dir/message" ]; } && { [ $code != 0 ] || [ -s "$dir/out" ]; } && ! grep -qx ok "$dir/message"; then echo "ok memory_${kilobytes}_$args"
            else echo "not ok memory_${kilobytes}_$args: exit $code, $(head -c 200 "$dir/message")"; fi
        done
    done
fi

# ---- no thread is started before it is asked for
if [ -d /proc/self/task ]; then
    mkfifo "$dir/in" "$dir/told"
    "$VOUCH" act "$dir/twin.json" -L 1 < "$dir/in" > "$dir/told" 2> /dev/null &
    process=$!
    exec 8> "$dir/in" 9< "$dir/told"
    read -r line <&9
    threads=$(find /proc/$process/task -mindepth 1 -maxdepth 1 | wc -l)
    exec 8>&- 9<&-
    wait $process
    if [ "$threads" = 1 ]; then echo "ok one_thread"; else echo "not ok one_thread: $threads after $line"; fi
fi
finish
