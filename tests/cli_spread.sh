#!/bin/sh
# Work spread over processes: the same bytes for every number of them, workers and whole runs killed at random moments, journals
# cut off and damaged. SPREAD_KILLS=100 SPREAD_STOPS=30 SPREAD_WORKERS="1 2 3 5" make it many; by default they are few.
. tests/expect.sh
kills=${SPREAD_KILLS-3} stops=${SPREAD_STOPS-2} workers=${SPREAD_WORKERS-1 3}
random() { awk -v seed="$1" -v most="$2" 'BEGIN { srand(seed); print int(rand() * most) }'; }
same() { # NAME FILE FILE
    if cmp -s "$2" "$3"; then echo "ok $1"; else echo "not ok $1: $(cmp "$2" "$3" 2>&1)"; fi
}
# Processes whose parent is $1, where the system tells.
children() { awk -v parent="$1" '{ sub(/.*\) /, ""); if ($2 == parent) { split(FILENAME, part, "/"); print part[3] } }' /proc/[0-9]*/stat 2> /dev/null; }
# kill_workers COUNT COMMAND..: SIGKILL to one worker after the other while the command runs, again and again until COUNT are dead.
kill_workers() {
    left=$1 runs=0
    shift
    while [ "$left" -gt 0 ] && [ $runs -lt 200 ]; do
        runs=$((runs + 1))
        "$@" > "$dir/out" 2> "$dir/err" &
        process=$!
        while kill -0 $process 2> /dev/null && [ "$left" -gt 0 ]; do
            sleep "0.${soon-}$(random "$left$runs" 9)"
            victims=$(children $process)
            [ -n "$victims" ] || continue
            victim=$(echo "$victims" | awk -v n="$(random "$left" 97)" '{ line[NR] = $0 } END { print line[n % NR + 1] }')
            kill -KILL "$victim" 2> /dev/null && left=$((left - 1))
        done
        wait $process
        code=$?
    done
    [ "$left" = 0 ] || echo "not ok kill_workers: $left more in $runs runs"
}
# stop_and_resume NAME COUNT JOURNAL RESUME..: the command is killed COUNT times at random moments, each time gone on with, and ends.
# Where it has ended before it was killed so often it begins anew.
stop_and_resume() {
    name=$1 left=$2 journal=$3 runs=0
    shift 3
    rm -f "$journal"
    while [ "$left" -gt 0 ] && [ $runs -lt 400 ]; do
        runs=$((runs + 1))
        "$@" --resume "$journal" > "$dir/out" 2>&1 &
        process=$!
        sleep "0.$(random "$left$runs" 4)$(random "$left$runs" 99)"
        kill -KILL $process 2> /dev/null
        wait $process 2> /dev/null
        if [ $? = 137 ]; then left=$((left - 1)); else rm -f "$journal"; fi
    done
    if [ "$left" = 0 ]; then echo "ok $name"; else echo "not ok $name: $left more in $runs runs"; fi
    "$@" --resume "$journal" > "$dir/out" 2>&1
    code=$?
}

# ---- sweeps ----
"$VOUCH" generate t-maze -o "$dir/maze.json"
sweep() { "$VOUCH" sweep "$dir/maze.json" --vary L=0:3 --vary "p=${probabilities-0.3,0.5,0.6}" -m milp-ccl,milp-ccil,greedy "$@"; }
sweep --workers 0 --csv "$dir/0.csv" > "$dir/0.txt"
for n in $workers; do
    sweep --workers $n --csv "$dir/$n.csv" > "$dir/$n.txt"
    same sweep_rows_$n "$dir/0.csv" "$dir/$n.csv"
    same sweep_table_$n "$dir/0.txt" "$dir/$n.txt"
done
for i in 1 2 3; do sweep --shard $i/3 --csv "$dir/shard$i.csv" > /dev/null; done
expect merge 0 "milp-ccil  3" sweep --merge "$dir/shard1.csv" "$dir/shard3.csv" "$dir/shard2.csv" --csv "$dir/merged.csv"
same merged "$dir/0.csv" "$dir/merged.csv"
expect merge_alone 0 "milp-ccil  3" "$VOUCH" sweep --merge "$dir/shard1.csv" "$dir/shard2.csv" "$dir/shard3.csv" --csv "$dir/alone.csv"
same merged_alone "$dir/0.csv" "$dir/alone.csv"
expect merge_short 3 "cells are in none of the files" sweep --merge "$dir/shard1.csv" "$dir/shard2.csv"
sweep --shard 0/3 --csv "$dir/shard0.csv" > /dev/null
same shard_from_0 "$dir/shard0.csv" "$dir/shard3.csv"
expect shard_wrong 1 'expected I/N with I' sweep --shard 4/3
expect shard_half 1 'expected I/N with I' sweep --shard 4
expect merge_nothing 1 "not a file that vouch sweep writes" sweep --merge "$dir/maze.json"
expect merge_other 1 "made with another model" sweep --seed 2 --merge "$dir/shard1.csv"
expect operands 1 "expected MODEL" "$VOUCH" sweep
expect journal_and_other 1 "give one file" sweep --journal "$dir/j1" --resume "$dir/0.csv" --csv "$dir/x.csv"
# A cell that fails says so wherever it is worked out.
cat > "$dir/short.json" <<'END'
{ "vouch": 1, "states": ["a", "end"], "actions": ["go"], "initial": "a", "horizon": 1, "commitment": {"states": ["end"], "probability": 1},
  "transitions": [["a", "go", "end", 1]], "rewards": [], "environments": [{"name": "k1"}] }
END
expect failed_cell 3 "-T 2: a state without actions can be reached before that time" "$VOUCH" sweep "$dir/short.json" --vary T=1,2 --workers 2
# ---- journals of sweeps ----
sweep --journal "$dir/whole" --csv "$dir/j.csv" > /dev/null
same journal_rows "$dir/0.csv" "$dir/j.csv"
size=$(wc -c < "$dir/whole")
for i in 1 3; do
    head -c "$(random "$i" "$size")" "$dir/whole" > "$dir/cut"
    sweep --resume "$dir/cut" --workers $((i - 1)) --csv "$dir/j.csv" > /dev/null 2>&1
    same cut_rows_$i "$dir/0.csv" "$dir/j.csv"
    same cut_journal_$i "$dir/whole" "$dir/cut"
done
{ head -c $((size / 2)) "$dir/whole"; printf 'X'; tail -c +$((size / 2 + 2)) "$dir/whole"; } > "$dir/cut"
expect damaged 0 "damaged or truncated at byte" sweep --resume "$dir/cut" --csv "$dir/j.csv"
same damaged_rows "$dir/0.csv" "$dir/j.csv"
same damaged_journal "$dir/whole" "$dir/cut"
expect journal_other_grid 1 "made with another model" "$VOUCH" sweep "$dir/maze.json" --vary L=0:2 --resume "$dir/cut" --csv "$dir/j.csv"
expect journal_other_seed 1 "made with another model" sweep --seed 2 --resume "$dir/cut" --csv "$dir/j.csv"
# ---- searches of more nodes than are searched alone ----
"$VOUCH" generate t-maze --size 4,2,2,3 -T 12 -p 0.08 -o "$dir/long.json" > /dev/null
search() { "$VOUCH" plan "$dir/long.json" -L 1 --tie-break none "$@"; }
search --workers 0 -o "$dir/0.json" --log-tree "$dir/0.tree" --journal "$dir/search" > "$dir/0.txt"
# one with its proof
"$VOUCH" generate random --states 12 --actions 3 --environments 4 -T 6 -p 0.25 --seed 1 -o "$dir/proved.json" > /dev/null
prove() { "$VOUCH" plan "$dir/proved.json" --tie-break none "$@"; }
prove --workers 0 --proof "$dir/0.vproof" --journal "$dir/proved" > "$dir/0.proved"
for n in $workers; do
    search --workers $n -o "$dir/$n.json" --log-tree "$dir/$n.tree" --journal "$dir/$n.journal" > "$dir/$n.txt"
    prove --workers $n --proof "$dir/$n.vproof" --journal "$dir/$n.proving" > "$dir/$n.proved"
    for kind in json tree txt vproof proved; do same search_${kind}_$n "$dir/0.$kind" "$dir/$n.$kind"; done
    same search_journal_$n "$dir/search" "$dir/$n.journal"
    same proof_journal_$n "$dir/proved" "$dir/$n.proving"
done
search --threads 2 -o "$dir/2.json" --log-tree "$dir/2.tree" > /dev/null
prove --threads 2 --proof "$dir/2.vproof" > /dev/null
for kind in json tree vproof; do same search_threads_$kind "$dir/0.$kind" "$dir/2.$kind"; done
# Trials of a node are divided into parts where workers are many.
"$VOUCH" generate t-maze --size 4,2,2,3 -T 12 -o "$dir/parted.json" > /dev/null
parted() { "$VOUCH" plan "$dir/parted.json" -L 2 "$@"; }
parted --workers 0 -o "$dir/p0.json" --log-tree "$dir/p0.tree" --journal "$dir/p0.journal" > "$dir/p0.txt"
for n in 2 5 threads; do
    case $n in
    threads) options="--threads 4";;
    *) options="--workers $n";;
    esac
    rm -f "$dir/p.journal"
    parted $options -v -o "$dir/p.json" --log-tree "$dir/p.tree" --journal "$dir/p.journal" > "$dir/p.txt" 2> "$dir/p.$n"
    for kind in json tree journal; do same "parts_${kind}_$n" "$dir/p0.$kind" "$dir/p.$kind"; done
    [ $n = threads ] || same parts_txt_$n "$dir/p0.txt" "$dir/p.txt"
    prove $options --proof "$dir/p.vproof" > /dev/null
    same parts_proof_$n "$dir/0.vproof" "$dir/p.vproof"
done
if grep -q "tasks and [0-9]* parts in" "$dir/p.5"; then echo "ok parts_given"; else echo "not ok parts_given"; fi
# Tasks of several nodes: fewer of them, and the same bytes for every number of workers.
coarse() { prove --window 4 --grain 8 "$@"; }
coarse --workers 0 -o "$dir/c0.json" --log-tree "$dir/c0.tree" --proof "$dir/c0.vproof" --journal "$dir/c0.journal" > "$dir/c0.txt"
same_coarse() { # NAME KIND..
    what=$1
    shift
    for kind in "$@"; do same "grain_${kind}_$what" "$dir/c0.$kind" "$dir/c.$kind"; done
}
for n in $workers; do
    coarse --workers $n -o "$dir/c.json" --log-tree "$dir/c.tree" --proof "$dir/c.vproof" > "$dir/c.txt"
    same_coarse $n json tree txt vproof
done
coarse --threads 2 -o "$dir/c.json" --log-tree "$dir/c.tree" --proof "$dir/c.vproof" > "$dir/c.txt"
same_coarse threads json tree vproof
expect grain_proof 0 "verified" "$VOUCH-check" "$dir/proved.json" "$dir/c0.vproof"
coarse --grain 1 --workers 0 --proof "$dir/c.vproof" --journal "$dir/c1.journal" > /dev/null
records() { grep -ao vuhlink1 "$1" | wc -l; }
tasks() { echo $(($(records "$dir/$1.journal") - 128)); } # nodes that are worked out one by one, while the search is short, are records too
if [ $((3 * $(tasks c0))) -lt $((2 * $(tasks c1))) ]; then echo "ok grain_fewer"; else echo "not ok grain_fewer: $(tasks c0), $(tasks c1)"; fi
head -c $(($(wc -c < "$dir/c0.journal") / 2)) "$dir/c0.journal" > "$dir/cut"
coarse --resume "$dir/cut" --workers 2 -o "$dir/c.json" --log-tree "$dir/c.tree" --proof "$dir/c.vproof" > "$dir/c.txt" 2> /dev/null
same_coarse cut json tree txt vproof
same grain_cut_journal "$dir/c0.journal" "$dir/cut"
expect grain_other 1 "made with another model" coarse --grain 1 --proof "$dir/c.vproof" --resume "$dir/cut"
expect proof_holds 0 "verified" "$VOUCH-check" "$dir/proved.json" "$dir/0.vproof"
expect search_waits 0 " % waiting" search --workers 1 -v
expect search_threads_wait 0 "worker 2: " search --threads 2 -v
for n in 0 2; do search --workers $n --node-limit 200 --log-tree "$dir/limit$n.tree" > "$dir/limit$n.txt"; done
for kind in tree txt; do same "search_limit_$kind" "$dir/limit0.$kind" "$dir/limit2.$kind"; done
# A root that is a task must not write what stays with its worker: the regret of determinism.
"$VOUCH" generate t-maze --size 4,2,2,3 -T 12 -p 0.68 -o "$dir/restarted.json" > /dev/null
for n in 0 1; do "$VOUCH" plan "$dir/restarted.json" -L 1 --tie-break none --node-limit 160 --workers $n -o "$dir/restarted$n" > /dev/null; done
same search_restarted "$dir/restarted0" "$dir/restarted1"
expect search_limit 3 "not proved optimal" search --workers 2 --node-limit 200
expect search_json 0 '"seconds": null' search --workers 1 --json
search --window 3 --log-tree "$dir/3.tree" > /dev/null
if cmp -s "$dir/0.tree" "$dir/3.tree"; then echo "not ok window_matters"; else echo "ok window_matters"; fi
expect search_journal_stays 1 "exists already; a journal needs a new file, and --resume continues" search --journal "$dir/search"
cp "$dir/long.json" "$dir/model.json"
expect search_journal_model 1 "is an input of this command" "$VOUCH" plan "$dir/model.json" --journal "$dir/model.json"
same search_model_stays "$dir/long.json" "$dir/model.json"
size=$(wc -c < "$dir/search")
for i in 1 3; do
    head -c "$(random "$i" "$size")" "$dir/search" > "$dir/cut"
    search --resume "$dir/cut" --workers $((i - 1)) -o "$dir/cut.json" --log-tree "$dir/cut.tree" > "$dir/cut.txt" 2> /dev/null
    for kind in json tree txt; do same search_cut_${kind}_$i "$dir/0.$kind" "$dir/cut.$kind"; done
    same search_cut_journal_$i "$dir/search" "$dir/cut"
done
expect search_other_gap 1 "made with another model" search --gap 0.5 --resume "$dir/cut"
expect search_other_lookahead 1 "made with another model" search -L 0 --resume "$dir/cut"
expect search_no_journal 1 "not a journal of vouch" search --resume "$dir/model.json"
expect search_stays 0 '"vouch"' cat "$dir/model.json"
expect frontier_journal 1 "has no effect without" search --frontier --journal "$dir/x"
# ---- planning again: the plans of one time ----
replan() { "$VOUCH" ccil "$dir/maze.json" -L 1 "$@"; }
replan --workers 0 --journal "$dir/ccil" > "$dir/0.ccil"
for n in $workers; do
    replan --workers $n > "$dir/$n.ccil"
    same ccil_$n "$dir/0.ccil" "$dir/$n.ccil"
done
replan --threads 2 | sed 's/, [0-9.]* s$//' > "$dir/2.ccil"
same ccil_threads "$dir/0.ccil" "$dir/2.ccil"
size=$(wc -c < "$dir/ccil")
head -c $((size / 2)) "$dir/ccil" > "$dir/cut"
replan --resume "$dir/cut" --workers 2 > "$dir/cut.ccil" 2> /dev/null
same ccil_cut "$dir/0.ccil" "$dir/cut.ccil"
same ccil_cut_journal "$dir/ccil" "$dir/cut"
expect ccil_other 1 "made with another model" replan --guarded --resume "$dir/cut"
expect ccil_simulated 0 "plans made for the episodes" replan --episodes 50 --workers 2
# ---- journals of races, whose rounds limits of work end: every record that is there is used, wherever the journal is cut off ----
"$VOUCH" generate machine-repair --environments 10 -T 10 --seed 1 -o "$dir/race.json" > /dev/null
race() { "$VOUCH" plan "$dir/race.json" -L 0 --tie-break none --node-limit 600 "$@"; }
race --workers 0 -o "$dir/r0.json" --log-tree "$dir/r0.tree" > "$dir/r0.txt"
race --workers 2 -o "$dir/r.json" --log-tree "$dir/r.tree" --journal "$dir/race" > "$dir/r.txt"
for kind in json tree txt; do same race_journal_$kind "$dir/r0.$kind" "$dir/r.$kind"; done
raced=$(records "$dir/race") size=$(wc -c < "$dir/race")
if [ "$raced" -gt 300 ]; then echo "ok race_records"; else echo "not ok race_records: $raced"; fi
race_from() { # NAME OPTIONS..: goes on from cut
    what=$1
    shift
    left=$(records "$dir/cut")
    race "$@" -o "$dir/r.json" --log-tree "$dir/r.tree" --resume "$dir/cut" > "$dir/r.txt" 2> "$dir/r.err"
    for kind in json tree txt; do same race_${what}_$kind "$dir/r0.$kind" "$dir/r.$kind"; done
    same race_${what}_journal "$dir/race" "$dir/cut" # so that no record was worked out again
    if grep -q "^$left answers reused" "$dir/r.err"; then echo "ok race_${what}_kept"; else echo "not ok race_${what}_kept: of $left $(cat "$dir/r.err")"; fi
}
cp "$dir/race" "$dir/cut"
race_from whole --threads 2
for i in 1 4 7; do # between two records
    head -c $((size * i / 8)) "$dir/race" > "$dir/torn"
    at=$(grep -abo vuhlink1 "$dir/torn" | tail -n 1 | cut -d: -f1)
    head -c "$at" "$dir/torn" > "$dir/cut"
    race_from at_$i --workers $((i % 3))
done
{
    printf X # in the title
    tail -c +2 "$dir/race"
} > "$dir/cut"
race_from damaged_head --workers 2
printf 'vouch journal of my travels' > "$dir/cut"
cp "$dir/cut" "$dir/notes"
expect race_notes 1 "not a journal of vouch" race --resume "$dir/cut"
same race_notes_stay "$dir/notes" "$dir/cut"
cp "$dir/race" "$dir/cut"
expect race_other 1 "made with another model" race --gap 0.5 --resume "$dir/cut"
same race_other_stays "$dir/race" "$dir/cut"
# ---- workers and whole runs that are killed ----
probabilities=0.3:0.6:0.1
sweep --workers 0 --csv "$dir/long.csv" > "$dir/long.txt"
if [ -n "$(children $$)" ] || [ -r /proc/self/stat ]; then
    kill_workers "$kills" "$VOUCH" sweep "$dir/maze.json" --vary L=0:3 --vary p=$probabilities -m milp-ccl,milp-ccil,greedy --workers 2 --csv "$dir/killed.csv"
    same "killed_workers_$kills" "$dir/long.csv" "$dir/killed.csv"
    same killed_workers_table "$dir/long.txt" "$dir/out"
    kill_workers "$kills" "$VOUCH" plan "$dir/long.json" -L 1 --tie-break none --workers 2 -o "$dir/k.json" --log-tree "$dir/k.tree"
    for kind in json tree; do same "killed_search_$kind" "$dir/0.$kind" "$dir/k.$kind"; done
    soon=0 # while the search begins
    kill_workers "$kills" "$VOUCH" plan "$dir/parted.json" -L 2 --workers 5 -o "$dir/k.json" --log-tree "$dir/k.tree"
    for kind in json tree; do same "killed_beginning_$kind" "$dir/p0.$kind" "$dir/k.$kind"; done
    unset soon
fi
stop_and_resume stop_search_$stops "$stops" "$dir/journal" "$VOUCH" plan "$dir/long.json" -L 1 --tie-break none --workers 2 -o "$dir/s.json" --log-tree "$dir/s.tree"
for kind in json tree; do same "stopped_search_$kind" "$dir/0.$kind" "$dir/s.$kind"; done
stop_and_resume stop_sweep_$stops "$stops" "$dir/journal" "$VOUCH" sweep "$dir/maze.json" --vary L=0:3 --vary p=$probabilities -m milp-ccl,milp-ccil,greedy --workers 2 --csv "$dir/stopped.csv"
same "stopped_$stops" "$dir/long.csv" "$dir/stopped.csv"
finish
