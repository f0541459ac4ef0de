#!/bin/sh
# make fuzz: builds every tests/fuzz_*.c with libFuzzer and the sanitizers and runs each for SECONDS_EACH (default 60).
# The corpus grows in BUILD/corpus/NAME, starting from tests/data/fuzz/NAME, with the words of tests/data/fuzz/NAME.dict. Stops at the
# first finding. ONLY="fuzz_csv .." runs just these.
build=$1
seconds=${SECONDS_EACH:-60}
clang=${CLANG:-clang}
command -v "$clang" >/dev/null || { echo "make fuzz needs clang" >&2; exit 1; }
compile() {
    "$clang" -std=c11 -O1 -g -D_POSIX_C_SOURCE=200809L -DVOUCH_DEBUG -Iinclude -Isrc -Itests -ffp-contract=off \
        -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -c "$1" -o "$2"
}
mkdir -p "$build/obj"
objects=
for source in src/*/*.c src/*/*/*.c; do
    case $source in src/cli/* | src/check/* | src/link/mpi.c) continue ;; esac
    object=$build/obj/$(echo "$source" | sed 's|^src/||; s|/|-|g; s|c$|o|')
    objects="$objects $object"
    compile "$source" "$object" || exit 1
done
for target in tests/fuzz_*.c; do
    name=$(basename "$target" .c)
    case " ${ONLY:-$name} " in *" $name "*) ;; *) continue ;; esac
    corpus=$build/corpus/$name words=tests/data/fuzz/$name.dict
    mkdir -p "$corpus"
    [ -d "tests/data/fuzz/$name" ] && cp -n tests/data/fuzz/"$name"/* "$corpus"/
    [ -e "$words" ] || words=
    compile "$target" "$build/obj/$name.o" || exit 1
    # shellcheck disable=SC2086
    "$clang" -fsanitize=fuzzer,address,undefined -o "$build/$name" "$build/obj/$name.o" $objects -llapacke -lopenblas -lgmp -lz -lm -pthread || exit 1
    echo "$name: $seconds s"
    "$build/$name" ${words:+"-dict=$words"} -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=20000 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$corpus" 2>"$build/$name.log" || { tail -40 "$build/$name.log"; exit 1; }
    grep -E 'number_of_executed_units|peak_rss' "$build/$name.log"
done
