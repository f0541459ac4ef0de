#!/bin/sh
# Names that would act on a terminal or in a page, inputs of 100000 of everything on a small stack, and memory that runs out.
PYTHON=${PYTHON:-python3}
program=$(realpath "$VOUCH")
. tests/expect.sh
check="${VOUCH%vouch}vouch-check"
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1"; fi; }
$PYTHON tests/hostile.py "$(realpath "$VOUCH")" "$dir"

# ---- depth and size: 256 kB of stack, 1 GB of addresses
$PYTHON tests/large.py "$dir/large"
(
    if grep -q __asan_init "$program"; then # the sanitizers need more of both
        ulimit -s 2048
    else
        ulimit -s 256
        ulimit -v 1500000
    fi
    for list in $(seq 1 "$(part 1 2)"); do
        while read -r code words; do
            judged="$program $words"
            case $words in check\ *) judged="${program}-$words" ;; esac
            # shellcheck disable=SC2086
            (cd "$dir/large" && timeout 600 $judged) > "$dir/log" 2>&1
            got=$?
            if [ "$got" = "$code" ]; then echo "ok $words"; else echo "not ok $words: $got, $(tail -c 200 "$dir/log")"; fi
        done < "$dir/large/list$list"
    done
)

# ---- full standard output, and memory that is out
example=$dir/q.json
"$VOUCH" plan "$example" -L 0 --proof "$dir/p.vproof" > /dev/null 2>&1
[ -e "$dir/p.vproof" ]
say "a proof of hostile names" $?
if [ -e "$dir/p.vproof" ]; then
    "$check" -L 0 "$example" "$dir/p.vproof" > /dev/full 2> /dev/null
    [ $? = 1 ]; say "vouch-check on a full disk" $?
    "$check" -L 0 "$example" "$dir/p.vproof" > "$dir/whole" 2>&1
    bad=0
    for kb in 5000 6000 7000 8000 9000 10000 12000 14000 16000; do
        (ulimit -v $kb; "$check" -L 0 "$example" "$dir/p.vproof") > "$dir/said" 2>&1
        code=$?
        case $code in
            0) cmp -s "$dir/said" "$dir/whole" || bad=1 ;;
            3) grep -q 'out of memory' "$dir/said" || bad=1 ;;
            1 | 127) ;; # the loader, or a library, did not start
            *) bad=1; echo "# vouch-check in $kb kB: $code" ;;
        esac
    done
    say "vouch-check where memory is scarce" $bad
fi
echo done
