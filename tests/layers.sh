#!/bin/sh
# make layers: every #include "dir/..." under src/ must follow an arrow of the house. Public headers <vouch/...> are
# allowed everywhere; a directory may include itself.
allowed() {
    case $1 in
    base) echo base ;;
    la) echo base la ;;
    exact) echo base la exact ;;  # rational linear programs and proofs in the format VIPR
    lp) echo base la exact lp ;;
    mip) echo base la exact lp mip ;;
    nlp) echo base la lp nlp ;;
    link) echo base link ;;  # tasks for other processes; what they are about is their caller's
    mdp) echo base mdp ;;
    know) echo base mdp know ;;
    policy) echo base exact mdp know policy ;;
    program) echo base lp mip nlp mdp know program ;;  # the only place where the two towers meet
    plan) echo base exact mdp know policy program plan ;;
    plan/call) echo base mdp know policy plan/call ;;  # what every stage is given
    plan/colgen) echo base know policy program plan/colgen ;;
    plan/heuristic) echo base mdp know policy plan/heuristic ;;
    plan/bound) echo base know policy plan/colgen plan/bound ;;
    plan/reduce) echo base know policy plan/bound plan/reduce ;;
    plan/node) echo base know policy plan/bound plan/colgen plan/heuristic plan/reduce plan/node ;;
    plan/branch) echo base know policy plan/colgen plan/node plan/branch ;;
    plan/outcomes) echo base know policy plan/bound plan/heuristic plan/outcomes ;;
    plan/reach) echo base mdp know policy plan/heuristic plan/search plan/reach ;;
    plan/stage) echo base know policy program plan/colgen plan/heuristic plan/stage ;;
    plan/search) echo base link mdp know policy plan/bound plan/branch plan/colgen plan/heuristic plan/node plan/outcomes plan/reduce plan/search ;;
    plan/relax) echo base mdp know policy program plan/call plan/colgen plan/heuristic plan/search plan/relax ;;
    plan/spatial) echo base nlp mdp know policy program plan/heuristic plan/stage plan/spatial ;;  # nlp: by program/bilinear.h
    plan/groups) echo base mdp policy plan/groups ;;
    plan/ccil) echo base link mdp know policy plan plan/ccil ;;
    io) echo base lp mip mdp know policy io ;;
    check) echo check ;;  # a judge: no line in common with the rest
    python | python/*) ;; # no C: it calls the public functions through ctypes
    draw) echo base io draw ;;
    rules) echo base draw io mdp know policy rules ;;
    cli) echo base draw link io cli ;;  # of the library only the public headers: what the program can do, a user of the library can
    esac
}
# Rooms within plan: the methods (plan/) use the searches and relaxations below them; ccil/ plans by the methods.
also() {
    case $1 in
    plan) echo plan/call plan/colgen plan/heuristic plan/search plan/reach plan/stage plan/relax plan/spatial ;;
    esac
}
bad=0
for dir in src/*/ src/*/*/; do
    here=${dir#src/}; here=${here%/}
    ok=" $(allowed "$here") $(also "$here") "
    for file in "$dir"*.[ch]; do
        [ -e "$file" ] || continue
        for target in $(sed -n 's/^#include "\([a-z_/]*\)\/[a-z_0-9]*\.h".*/\1/p' "$file" | sort -u); do
            case $ok in
            *" $target "*) ;;
            *) echo "$file: $here/ must not include $target/"; bad=1 ;;
            esac
        done
        if grep -nE '#include [<"](cblas|lapacke)' "$file" /dev/null | grep -v '^src/la/dense\.c:'; then
            echo "$file: only la/dense.c includes BLAS and LAPACKE"; bad=1
        fi
        if grep -nE '#include [<"]gmp' "$file" /dev/null | grep -vE '^src/(exact|check)/[a-z_]*\.[ch]:'; then
            echo "$file: only exact/ and check/ include GMP"; bad=1
        fi
        if grep -nE '#include [<"]mpi\.h' "$file" /dev/null | grep -v '^src/link/mpi\.c:'; then
            echo "$file: only link/mpi.c includes MPI"; bad=1
        fi
        if grep -nE '#include "[^/"]*"' "$file" /dev/null; then
            echo "$file: includes name their directory"; bad=1
        fi
    done
done
for file in $(find src/python -name '*.[ch]'); do
    echo "$file: src/python holds no C"
    bad=1
done
[ $bad = 0 ] && echo "layers: every include follows an arrow"
exit $bad
