#!/bin/sh
# make fuzz [SECONDS=60] [ONLY="fuzz_csv .."]: builds every tests/fuzz_*.c with libFuzzer and the sanitizers and runs one after the other,
# each for SECONDS. A finding is what crashes, leaks, takes over 10 s, or 1 GB of memory. The corpus grows in BUILD/corpus/NAME; it starts from
# tests/data/fuzz/NAME, seeds and minimised findings, with the words of tests/data/fuzz/NAME.dict. Stops at the first finding.
build=$1
seconds=${SECONDS_EACH:-60}
clang=${CLANG:-clang}
flags=$(${MAKE:-make} -s ask-CPPFLAGS) libs=$(${MAKE:-make} -s ask-LDLIBS)
command -v "$clang" >/dev/null || { echo "make fuzz needs clang" >&2; exit 1; }
compile() { # source, object, further options
    [ "$2" -nt "$1" ] && [ "$2" -nt "$build/newest" ] && return 0
    # shellcheck disable=SC2086
    "$clang" $3 -std=c11 -O1 -g $flags -DVOUCH_DEBUG -Itests -ffp-contract=off \
        -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -c "$1" -o "$2"
}
mkdir -p "$build/obj"
# Objects older than any header are made anew.
touch -t 197001010000 "$build/newest"
find include src tests -name '*.h' | while read -r header; do [ "$build/newest" -nt "$header" ] || touch -r "$header" "$build/newest"; done
objects=
for source in src/*/*.c src/*/*/*.c; do
    case $source in src/cli/* | src/check/* | src/link/mpi.c) continue ;; esac
    object=$build/obj/$(echo "$source" | sed 's|^src/||; s|/|-|g; s|c$|o|')
    objects="$objects $object"
    compile "$source" "$object" || exit 1
done
# vouch-check shares no object with vouch. What asks for memory in the place of malloc is the sanitizer's here.
check=
for source in src/check/*.c; do
    [ "$source" = src/check/memory.c ] && continue
    object=$build/obj/check-$(basename "$source" .c).o
    check="$check $object"
    compile "$source" "$object" '-frounding-math -Dmain=check_main' || exit 1
done
for target in tests/fuzz_*.c; do
    name=$(basename "$target" .c)
    case " ${ONLY:-$name} " in *" $name "*) ;; *) continue ;; esac
    corpus=$build/corpus/$name words=tests/data/fuzz/$name.dict
    mkdir -p "$corpus"
    [ -d "tests/data/fuzz/$name" ] && cp "tests/data/fuzz/$name"/* "$corpus"/
    [ -e "$words" ] || words=
    compile "$target" "$build/obj/$name.o" || exit 1
    judged=$objects
    [ "$name" = fuzz_vproof ] && judged=$check
    # shellcheck disable=SC2086
    "$clang" -fsanitize=fuzzer,address,undefined -o "$build/$name" "$build/obj/$name.o" $judged $libs -ljson-c || exit 1
    echo "$name: $seconds s"
    "$build/$name" ${words:+"-dict=$words"} -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=100000 -print_final_stats=1 \
        -artifact_prefix="$build/$name-" "$corpus" > "$build/$name.log" 2>&1 || { tail -40 "$build/$name.log"; exit 1; }
    grep -E 'number_of_executed_units|peak_rss' "$build/$name.log"
done
