# tests/run.sh itself: what dies, stops half-way or tests nothing has failed.
. tests/expect.sh
mkdir "$dir/build"
try() { # NAME STATUS CLOSING-LINE: the shell test in $dir/one.sh
    BUILD=$dir/build SHELL_TESTS=$dir/one.sh sh tests/run.sh > "$dir/out" 2>&1
    code=$?
    if [ $code = "$2" ] && [ "$(tail -n 1 "$dir/out")" = "$3" ]; then echo "ok $1"; else echo "not ok $1: exit $code, $(tail -n 3 "$dir/out")"; fi
}
printf '. tests/expect.sh\necho "ok a"\nfinish\n' > "$dir/one.sh"
try run_good 0 "1 passed, 0 failed"
printf '. tests/expect.sh\necho "ok a"\necho "not ok b"\nfinish\n' > "$dir/one.sh"
try run_failed 1 "1 passed, 1 failed"
printf 'echo "ok a"\nexit 0\necho "not ok b"\necho "done"\n' > "$dir/one.sh"
try run_stopped 1 "1 passed, 1 failed"
printf 'echo "ok a"\nexec sleep\n' > "$dir/one.sh"
try run_died 1 "1 passed, 1 failed"
printf '. tests/expect.sh\njudge lawyer sh -c "echo ok a; kill -9 \\$\\$"\nfinish\n' > "$dir/one.sh"
try run_judge_died 1 "1 passed, 1 failed"
printf 'echo "done"\n' > "$dir/one.sh"
try run_nothing 1 "0 passed, 1 failed"
printf '#!/bin/sh\necho "[       OK ] a"\nexit 0\n' > "$dir/silent"
chmod +x "$dir/silent"
if BUILD=$dir/build SHELL_TESTS='' sh tests/run.sh "$dir/silent" > "$dir/out" 2>&1; then echo "not ok run_program_stopped"; else echo "ok run_program_stopped"; fi
finish
