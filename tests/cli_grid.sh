# Every pair of features with every question, answered right or refused with a sentence of src/guide/refusals.md (tests/judge_grid.py); and cells of
# three and more features.
. tests/expect.sh
python=${PYTHON:-/usr/bin/python3}
if ! "$python" -c 'import numpy, scipy' 2> /dev/null; then
    echo "ok grid_has_no_judge"
    finish
    exit
fi
for seed in 1 $(part "" "2 3" ""); do
    judge pairs "$python" tests/judge_grid.py "$VOUCH" --seed $seed --part "$(part 7/40 0/1 7/200)"
    judge drawn "$python" tests/judge_grid.py "$VOUCH" --seed $seed --draw "$(part 150 3000 30)"
done
# Cells that were once wrong: the proof was refused, and the multipliers of its bound were those of a later round.
for first in 3674 9047; do judge "drawn $first" "$python" tests/judge_grid.py "$VOUCH" --seed 401 --draw 1 --first $first; done
finish
