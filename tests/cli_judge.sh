# Plans for random models, every L, against scipy's milp on both exported programs, and glpsol; and the largest commitment of infeasible
# ones against programs over all histories. VOUCH_TEST_JUDGED_PLANS, VOUCH_TEST_JUDGED_COMMITMENTS: how many models.
. tests/expect.sh
if ! command -v glpsol > /dev/null || ! "${PYTHON:-/usr/bin/python3}" -c 'import numpy, scipy' 2> /dev/null; then
    echo "ok judge_is_not_there"
    finish
    exit
fi
judge judge "${PYTHON:-/usr/bin/python3}" tests/judge.py "$VOUCH" "${VOUCH_TEST_JUDGED_PLANS:-$(part 2 8 2)}" 1 2
judge judge_explain "${PYTHON:-/usr/bin/python3}" tests/judge_explain.py "$VOUCH" "${VOUCH_TEST_JUDGED_COMMITMENTS:-$(part 3 10 3)}"
finish
