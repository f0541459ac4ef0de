#!/bin/sh
# run.sh TEST..: runs test programs (cmocka) and shell tests tests/cli_*.sh (or $SHELL_TESTS), one more at a time than there are processors, as
# some wait ($TEST_JOBS: another number), the longest first, and closes with "N passed, N failed".
# run.sh --announce: how long make check takes on an idle machine, by tests/data/seconds: processor seconds to build and of each test. A run leaves
# its own in BUILD/tests/log/seconds.
# A shell test prints lines "ok NAME" / "not ok NAME" and at its end "done"; a cmocka program prints the number of tests run. A test that stops
# before, or runs no test, has failed.
export LC_ALL=C # as tests/expect.sh
# Memory that is allocated and not set is not 0 (glibc).
export MALLOC_PERTURB_=${MALLOC_PERTURB_-85}
# One thread, where OpenBLAS is the kind that begins with more: they would count as processes, and wait for memory that a test refuses.
export OPENBLAS_NUM_THREADS=1
log=$BUILD/tests/log
known=tests/data/seconds
if [ "$1" = --announce ]; then # 1.1: processors idle at times
    awk -v cores="$(nproc)" '{ all += $2; if ($1 == "build") build = $2 }
        END { printf "make check: about %.1f minutes on %d idle processors, %.1f of these to build all\n", 1.1 * all / 60 / cores, cores, build / 60 / cores }' $known
    exit
fi
if [ "$1" = --one ]; then # prints the line of one test, and its output if it failed; its counts go to a file beside its log
    name=$(basename "$2") from=$(date +%s) ended=no
    case $2 in
        *.sh)
            # The leak sanitizer takes half the time of a short run. main itself checks that no block of ours is left (base/memory.h); leaks of
            # other libraries are looked for where files are read and proofs are checked.
            case $name in cli_bad_input.sh | cli_crafted.sh | cli_files.sh | cli_forged.sh | cli_jani.sh | cli_prism.sh | cli_proof.sh) ;;
                *) export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}" ;;
            esac
            VOUCH=$BUILD/vouch sh "$2" > "$log/$name" 2>&1 && [ "$(tail -n 1 "$log/$name")" = "done" ] && ended=yes
            p=$(grep -c '^ok ' "$log/$name") f=$(grep -c '^not ok ' "$log/$name") ;;
        *)
            CMOCKA_MESSAGE_OUTPUT=stdout "$2" > "$log/$name" 2>&1 && grep -q 'test(s) run\.$' "$log/$name" && ended=yes
            p=$(grep -c '^\[       OK \]' "$log/$name") f=$(grep -c '^\[  FAILED  \] [a-zA-Z_0-9]*$' "$log/$name") ;;
    esac
    {
        if [ "$f" -eq 0 ] && { [ $ended = no ] || { [ "$p" -eq 0 ] && ! grep -q '^\[  SKIPPED \]' "$log/$name"; }; }; then f=1 && echo "$name stopped before its end"; fi
        times > "$log/$name.times" # a pipe would have the times of another process
        cpu=$(awk 'NR == 2 { split($1 "m" $2, part, "[ms]+"); printf "%.1f", 60 * (part[1] + part[3]) + part[2] + part[4] }' "$log/$name.times")
        printf '%-32s %4d passed %4d failed %5d s %7s s of processor\n' "$name" "$p" "$f" $(($(date +%s) - from)) "$cpu"
        [ "$f" -eq 0 ] || cat "$log/$name"
    } > "$log/$name.said"
    echo "$p $f" > "$log/$name.counts"
    echo "$name $cpu" >> "$log/seconds"
    cat "$log/$name.said"
    exit 0
fi
rm -rf "$log" && mkdir -p "$log" || exit 1
# The longest come first, new ones before them, so that none is left alone at the end.
for test in "$@" ${SHELL_TESTS-tests/cli_*.sh}; do
    [ -e "$test" ] && echo "$(basename "$test") $test"
done | awk 'NR == FNR { seconds[$1] = $2; next } { print ($1 in seconds ? seconds[$1] : 1e6), $2 }' $known - | sort -k1,1rn | sed 's/[^ ]* //' | tr '\n' '\0' > "$log/.list"
from=$(date +%s)
xargs -0 -n 1 -P "${TEST_JOBS:-$(($(nproc) + 1))}" sh "$0" --one < "$log/.list"
tr '\0' '\n' < "$log/.list" | {
    passed=0 failed=0
    while read -r test; do # without counts: it was killed
        p=0 f=1
        read -r p f < "$log/$(basename "$test").counts"
        passed=$((passed + p)) failed=$((failed + f))
    done
    echo "$(($(date +%s) - from)) s by the clock, $(awk '{ all += $2 } END { printf "%d", all }' "$log/seconds") s of processor"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
