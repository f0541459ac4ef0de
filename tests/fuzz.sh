#!/bin/sh
# make fuzz: builds every tests/fuzz_*.c with libFuzzer and the sanitizers and runs each for SECONDS (default 60).
# The corpus grows in BUILD/corpus/NAME, starting from tests/data/fuzz/NAME. Stops at the first finding.
build=$1
seconds=${SECONDS_EACH:-60}
clang=${CLANG:-clang}
command -v "$clang" >/dev/null || { echo "make fuzz needs clang" >&2; exit 1; }
mkdir -p "$build"
sources=$(ls src/*/*.c | grep -v '^src/cli/')
for target in tests/fuzz_*.c; do
    name=$(basename "$target" .c)
    corpus=$build/corpus/$name
    mkdir -p "$corpus"
    [ -d "tests/data/fuzz/$name" ] && cp -n tests/data/fuzz/"$name"/* "$corpus"/
    echo "$name: building"
    # shellcheck disable=SC2086
    "$clang" -std=c11 -O1 -g -D_POSIX_C_SOURCE=200809L -DVOUCH_DEBUG -Iinclude -Isrc -Itests -ffp-contract=off \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -o "$build/$name" "$target" $sources \
        -llapacke -lopenblas -lz -lm -pthread || exit 1
    echo "$name: $seconds s"
    "$build/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=20000 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$corpus" 2>"$build/$name.log" || { tail -40 "$build/$name.log"; exit 1; }
    grep -E 'number_of_executed_units|peak_rss' "$build/$name.log"
done
