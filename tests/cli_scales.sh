# Claims about models whose rewards differ in size, against rational enumeration. VOUCH_TEST_SCALES: how many models.
. tests/expect.sh
judge scales "${PYTHON:-/usr/bin/python3}" tests/judge_scales.py "$VOUCH" "${CHECK:-$(dirname "$VOUCH")/vouch-check}" -n "${VOUCH_TEST_SCALES:-$(part 160 2000 32)}"
finish
