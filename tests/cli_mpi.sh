#!/bin/sh
# vouch-mpi under mpirun, where it is there: the same bytes for every number of processes, the same as workers on this machine.
. tests/expect.sh
workers=${SPREAD_WORKERS-1 3}
if [ ! -x "$VOUCH-mpi" ] || ! command -v mpirun > /dev/null; then
    echo "ok mpi_not_here"
    finish
    exit 0
fi
# More processes than processors, as root and not; sockets and memory of this machine alone.
# What the libraries of MPI keep to the end of the process is unloaded before leaks are looked for, so that it cannot be told by its name.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
export OMPI_MCA_btl=self,vader OMPI_MCA_plm_rsh_agent=false OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpi() {
    n=$1
    shift
    mpirun --oversubscribe -n "$n" "$VOUCH-mpi" "$@"
}
same() { # NAME FILE FILE
    if cmp -s "$2" "$3"; then echo "ok $1"; else echo "not ok $1: $(cmp "$2" "$3" 2>&1)"; fi
}
"$VOUCH" generate t-maze --size 4,2,2,3 -T 12 -p 0.08 -o "$dir/long.json" > /dev/null
"$VOUCH" generate random --states 12 --actions 3 --environments 4 -T 6 -p 0.25 --seed 1 -o "$dir/proved.json" > /dev/null
"$VOUCH" generate t-maze -o "$dir/maze.json"
search="plan $dir/long.json -L 1 --tie-break none" prove="plan $dir/proved.json"
sweep="sweep $dir/maze.json --vary L=0:3 --vary p=0.3:0.6:0.1 -m milp-ccl,milp-ccil,greedy"
"$VOUCH" $search --workers 0 -o "$dir/0.json" --log-tree "$dir/0.tree" --journal "$dir/whole" > "$dir/0.txt"
"$VOUCH" $prove --workers 0 --proof "$dir/0.vproof" > "$dir/0.proved"
"$VOUCH" $sweep --workers 0 --csv "$dir/0.csv" > "$dir/0.table"
"$VOUCH" ccil "$dir/maze.json" --workers 0 > "$dir/0.ccil"
for n in $workers; do
    mpi $n ccil "$dir/maze.json" > "$dir/$n.ccil" 2> "$dir/err" || cat "$dir/err"
    mpi $n $search -o "$dir/$n.json" --log-tree "$dir/$n.tree" > "$dir/$n.txt" 2> "$dir/err" || cat "$dir/err"
    mpi $n $prove --proof "$dir/$n.vproof" > "$dir/$n.proved" 2> "$dir/err" || cat "$dir/err"
    mpi $n $sweep --csv "$dir/$n.csv" > "$dir/$n.table" 2> "$dir/err" || cat "$dir/err"
    for kind in json tree txt vproof proved csv table ccil; do same mpi_${kind}_$n "$dir/0.$kind" "$dir/$n.$kind"; done
done
# A journal goes from one to the other.
head -c $(($(wc -c < "$dir/whole") / 2)) "$dir/whole" > "$dir/cut"
mpi 2 $search --resume "$dir/cut" -o "$dir/cut.json" > "$dir/cut.txt" 2> /dev/null
same mpi_resumed "$dir/0.txt" "$dir/cut.txt"
same mpi_resumed_journal "$dir/whole" "$dir/cut"
expect mpi_wrong 1 "expected MODEL" mpi 2 plan
expect mpi_no_file 1 "cannot open" mpi 2 plan "$dir/nothing.json"
expect mpi_standard_input 0 "proved optimal" sh -c "cat '$dir/maze.json' | mpirun --oversubscribe -n 2 '$VOUCH-mpi' plan - -L 1"
# Workers where the files are not: the first process reads them for all.
case $VOUCH in /*) program=$VOUCH-mpi ;; *) program=$(pwd)/$VOUCH-mpi ;; esac
mkdir "$dir/here" "$dir/there" "$dir/here/out"
"$VOUCH" convert "$dir/long.json" -o "$dir/here/drn/" > /dev/null
cp "$dir/long.json" "$dir/here"
apart() { (cd "$dir/here" && mpirun --oversubscribe -n 1 -wdir "$dir/here" "$program" "$@" : -n 2 -wdir "$dir/there" "$program" "$@"); }
worked() { # NAME: did both workers, as -v told? (a search that was restarted tells it again)
    if grep -q '^worker 1: [1-9][0-9]* tasks' "$dir/err" && grep -q '^worker 2: [1-9][0-9]* tasks' "$dir/err"; then
        echo "ok $1"
    else
        echo "not ok $1: $(tail -2 "$dir/err")"
    fi
}
apart plan long.json -L 1 --tie-break none -v -o away.json --log-tree away.tree > "$dir/away.txt" 2> "$dir/err"
worked mpi_away
for kind in json tree; do same mpi_away_$kind "$dir/0.$kind" "$dir/here/away.$kind"; done
same mpi_away_txt "$dir/0.txt" "$dir/away.txt"
[ -z "$(ls "$dir/there")" ] || echo "not ok mpi_away_leaves: $(ls "$dir/there")"
apart plan drn --commit commit -T 12 -p 0.08 -L 1 --tie-break none -v > "$dir/away.txt" 2> "$dir/err"
worked mpi_away_directory
"$VOUCH" plan "$dir/here/drn" --commit commit -T 12 -p 0.08 -L 1 --tie-break none --workers 0 > "$dir/0.drn"
sed 1d "$dir/0.drn" > "$dir/0.drn1" && sed 1d "$dir/away.txt" > "$dir/away.drn1" # the first line names the model
same mpi_away_directory_txt "$dir/0.drn1" "$dir/away.drn1"
# What can be read once is enough for all, and for the journal's mark.
mkfifo "$dir/once.json"
cat "$dir/long.json" > "$dir/once.json" &
expect mpi_read_once 0 "proved optimal" timeout 300 mpirun --oversubscribe -n 2 "$VOUCH-mpi" plan "$dir/once.json" -L 1 --tie-break none --journal "$dir/once"
wait
same mpi_read_once_journal "$dir/whole" "$dir/once"
expect mpi_other_command 0 "maximum regret" mpi 2 evaluate "$dir/long.json" "$dir/0.json"
finish
