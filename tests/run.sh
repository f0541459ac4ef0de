#!/bin/sh
# Runs the given test programs (cmocka) and shell tests tests/cli_*.sh (or those in $SHELL_TESTS), one more at a time than there are processors, as
# some wait ($TEST_JOBS: another number), and closes with "N passed, N failed".
# A shell test prints lines "ok NAME" / "not ok NAME" and at its end "done"; a program of cmocka says how many tests it ran. What stops before that,
# or runs no test, has failed.
# As tests/expect.sh has it.
export LC_ALL=C
# What is allocated and not set is not 0 (glibc).
export MALLOC_PERTURB_=${MALLOC_PERTURB_-85}
log=$BUILD/tests/log
if [ "$1" = --one ]; then # the line of one test, and what it printed where it failed, at once; its two counts go to a file beside its log
    name=$(basename "$2") from=$(date +%s) ended=no
    case $2 in
        *.sh)
            # Where the sanitizers look for what is left takes half a short run's time. main asks the same of every block of ours (base/memory.h): what
            # other libraries take they look for where files are read and proofs are checked.
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
        times > "$log/$name.times" # not through a pipe: its child has used none
        cpu=$(awk 'NR == 2 { split($1 "m" $2, part, "[ms]+"); printf "%.1f", 60 * (part[1] + part[3]) + part[2] + part[4] }' "$log/$name.times")
        printf '%-32s %4d passed %4d failed %5d s %7s s of processor\n' "$name" "$p" "$f" $(($(date +%s) - from)) "$cpu"
        [ "$f" -eq 0 ] || cat "$log/$name"
    } > "$log/$name.said"
    echo "$p $f" > "$log/$name.counts"
    cat "$log/$name.said"
    exit 0
fi
rm -rf "$log" && mkdir -p "$log" || exit 1
# Those that take minutes come first, so that none is left alone at the end.
first='cli_proof.sh cli_python.sh cli_scarce.sh cli_readme.sh cli_spread.sh prop_campaign prop_campaign_proofs'
for turn in 1 2; do
    for test in "$@" ${SHELL_TESTS-tests/cli_*.sh}; do
        case " $first " in *" $(basename "$test") "*) its=1 ;; *) its=2 ;; esac
        [ $its = $turn ] && [ -e "$test" ] && printf '%s\0' "$test"
    done
done > "$log/.list"
xargs -0 -n 1 -P "${TEST_JOBS:-$(($(nproc) + 1))}" sh "$0" --one < "$log/.list"
tr '\0' '\n' < "$log/.list" | {
    passed=0 failed=0
    while read -r test; do # one that left no counts was killed
        p=0 f=1
        read -r p f < "$log/$(basename "$test").counts"
        passed=$((passed + p)) failed=$((failed + f))
    done
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
