# The Python package: its declarations are laid out as the compiler lays out the headers' structs, it agrees with the program and with scipy, and its wheel
# installs without a network into an environment of its own, where the examples say the same.
. tests/expect.sh
build=$(dirname "$VOUCH")
package=$(cd "$build" && pwd)/python
python=${PYTHON:-/usr/bin/python3}
if ${MAKE:-make} -s BUILD="$build" PYTHON="$python" python > "$dir/log" 2>&1; then echo "ok make"; else echo "not ok make: $(tail -n 3 "$dir/log")"; fi
wheel=$(cat "$build/python/wheel")
"$python" src/python/abi.py include "${CC:-cc}" --check > "$dir/abi.c"
if grep -q 'sizeof(vouch_plan_options)' "$dir/abi.c" && ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude -c "$dir/abi.c" -o "$dir/abi.o" 2> "$dir/log"
then echo "ok layouts"; else echo "not ok layouts: $(head -n 3 "$dir/log")"; fi
# A library under the sanitizers is loaded after the interpreter, which leaks on purpose.
preload=
if grep -q __asan_init "$package/libvouch.so"; then
    preload="$(${CC:-cc} -print-file-name=libasan.so) $(${CC:-cc} -print-file-name=libstdc++.so)"
    export ASAN_OPTIONS=detect_leaks=0
fi
if "$python" -c 'import numpy, scipy' 2> /dev/null; then
    # The examples of README and guide.
    cp bench/examples/first.py bench/examples/everything.py bench/examples/pool.py bench/examples/ferry.prism "$dir"
    (cd "$dir" && PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" first.py > "$dir/out" 2>&1)
    if [ "$(head -n 1 "$dir/out")" = "current=0: regret 0.6000, back in port with probability 1.0000" ]; then echo "ok first"; else echo "not ok first: $(tail -n 3 "$dir/out")"; fi
    (cd "$dir" && PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" everything.py > "$dir/out" 2>&1)
    if [ "$(sed 's/ .*//' "$dir/out" | tr '\n' '/')" = optimal/kept/ ]; then echo "ok everything"; else echo "not ok everything: $(tail -n 3 "$dir/out")"; fi
    (cd "$dir" && PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" pool.py > "$dir/out" 2>&1)
    if [ "$(tr '\n' '/' < "$dir/out")" = "optimal True/optimal True/optimal True/" ]; then echo "ok pool"; else echo "not ok pool: $(tail -n 3 "$dir/out")"; fi
    expect notebook 0 "" env PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" src/guide/notebook.py bench/examples/tutorial.ipynb --check
    judge python env PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" tests/judge_python.py "$VOUCH" src/python/examples
    judge grid env PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" tests/judge_grid.py "$VOUCH" --only python --part "$(part 3/16 0/1 3/80)"
    judge arguments env PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" tests/judge_arguments.py "$(part 800 20000 400)"
    # A host that has set its user's locale.
    if comma_locale; then
        expect locale 0 "same 4" env PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" -c '
import sys, locale, vouch
def say():
    m = vouch.read(sys.argv[1], constants={"current": [0, 1, 2]}, commit="port", horizon=8, probability=0.5)
    m.write(sys.argv[2])
    with open(sys.argv[2]) as f:
        return vouch.plan(m).max_regret, f.read()
first = say()
locale.setlocale(locale.LC_ALL, sys.argv[3])
assert locale.localeconv()["decimal_point"] == ","
print("same" if say() == first else "differs", vouch.plan(vouch.read(sys.argv[2])).lookahead + 4)' bench/examples/ferry.prism "$dir/there.json" "$locale"
    fi
    judge scipy env PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" tests/judge_scipy.py
else
    echo "numpy or scipy is not there: the package is not tested"
fi
# What py.typed promises, where mypy is there.
if "$python" -m mypy --version > /dev/null 2>&1; then
    if (cd "$dir" && MYPYPATH="$package" "$python" -m mypy --strict --no-warn-unused-ignores -p vouch > "$dir/log" 2>&1); then echo "ok typed"; else echo "not ok typed: $(tail -n 3 "$dir/log")"; fi
fi
# The platform tag is that of the newest symbol of the C library (PEP 600), read by another program than the one that chose it.
"$python" -m zipfile -e "$wheel" "$dir/unpacked"
if [ -z "$preload" ] && command -v readelf > /dev/null && [ "$(uname -s)" = Linux ]; then
    newest=$(readelf -VW "$dir"/unpacked/vouch/*.so* | grep -o 'GLIBC_2\.[0-9]*' | sort -t. -k2n | tail -n 1)
    case $wheel in *-manylinux_2_"${newest#*.}"_*) echo "ok wheel_tag" ;; *) echo "not ok wheel_tag: needs $newest: $wheel" ;; esac
fi
# Neither the source tree nor anything installed is seen from the new environment. Without the venv module the wheel is unpacked.
if "$python" -m venv "$dir/venv" > "$dir/log" 2>&1 && "$dir/venv/bin/python" -m pip install --no-index -q "$wheel" > "$dir/log" 2>&1; then
    echo "ok wheel_installs"
    there="$dir/venv/bin/python" path=
elif "$python" -c 'import ensurepip' 2> /dev/null; then
    echo "not ok wheel_installs: $(tail -n 3 "$dir/log")"
else
    there=$python path=$dir/unpacked
fi
if [ -n "${there-}" ]; then
    cp src/python/examples/frozen_lake.py src/python/examples/maze_agent.py "$dir"
    for example in $(part "frozen_lake maze_agent" "frozen_lake maze_agent" frozen_lake); do
        PYTHONPATH="$package" LD_PRELOAD="$preload" "$python" "$dir/$example.py" > "$dir/here"
        (cd "$dir" && PYTHONPATH="$path" LD_PRELOAD="$preload" "$there" -W error "$example.py" > "$dir/out" 2>&1)
        if [ -s "$dir/here" ] && cmp -s "$dir/here" "$dir/out"; then echo "ok wheel_$example"; else echo "not ok wheel_$example: $(tail -n 3 "$dir/out")"; fi
    done
    if ! "$there" -c 'import numpy' 2> /dev/null; then
        expect without_numpy 1 "No module named 'numpy'" env PYTHONPATH="$path" LD_PRELOAD="$preload" "$there" -c 'import vouch; vouch.lp([1.0])'
    fi
fi
finish
