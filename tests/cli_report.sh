# Reports and plain solutions beside glpsol's, line by line.
. tests/expect.sh
if command -v glpsol > /dev/null; then
    judge judge_report "${PYTHON:-/usr/bin/python3}" tests/judge_report.py "$VOUCH" tests/data/lp/diet.lp tests/data/lp/knapsack_no_constant.lp
fi
finish
