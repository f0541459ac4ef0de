# The library in a process whose locale has a decimal comma: formats, programs and proofs, by tests that compare exact figures. The programs keep
# to C where a library that they load has set another.
. tests/expect.sh
here=$(dirname "$VOUCH")/tests
if comma_locale; then
    for test in test_base_locale test_exact_decimals "$here"/test_io_* prop_work_io prop_work_lp prop_work_plan; do
        test=${test##*/}
        case $test in *.*) continue ;; esac
        # make asan leaves prop_work_* out
        [ -x "$here/$test" ] && expect "$test" 0 "" env VOUCH_TEST_LOCALE="$locale" "$here/$test"
    done
    echo '#include <locale.h>
__attribute__((constructor)) static void set(void) { setlocale(LC_ALL, ""); }' > "$dir/host.c"
    if ${CC:-cc} -shared -fPIC -o "$dir/host.so" "$dir/host.c" 2> /dev/null; then
        enter
        hosted() { env LC_ALL="$locale" LD_PRELOAD="$dir/host.so" ASAN_OPTIONS="verify_asan_link_order=0:${ASAN_OPTIONS-}" "$@"; }
        "$vouch" generate t-maze -o maze.json && "$vouch" plan maze.json -L 1 --proof plain.vproof --json 2> /dev/null | sed 's/"seconds":[^,}]*//' > plain
        hosted "$vouch" plan maze.json -L 1 --proof other.vproof --json 2> /dev/null | sed 's/"seconds":[^,}]*//; s/other/plain/' > other
        expect program_same 0 "" cmp plain other
        expect proof_same 0 "" cmp plain.vproof other.vproof
        expect checker 0 "maximum regret <= 0." hosted "${vouch%vouch}vouch-check" maze.json other.vproof
        expect text 0 "0.8" hosted "$vouch" convert "$tests/../bench/examples/ferry.prism" --const current=0,1 --commit port -T 2 -p 0.5 -o -
    fi
fi
finish
