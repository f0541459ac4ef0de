# Claims about models whose rewards differ in size, against rational enumeration. VOUCH_TEST_SCALES: how many models.
. tests/expect.sh
judge scales "${PYTHON:-/usr/bin/python3}" tests/judge_scales.py "$VOUCH" "${CHECK:-$(dirname "$VOUCH")/vouch-check}" -n "${VOUCH_TEST_SCALES:-$(part 160 2000 32)}"
# Seed and number of models of which a claim was once wrong, or no plan was proved.
for model in 12:296 12:590 12:2033 401:3774 401:4531 401:7760 401:8302 401:8519 401:9889 401:13886 501:1758 601:9479 701:4223 701:10862 901:10322 901:10327 1001:130 1002:139 3001:12122 4001:9055 4001:1085 4001:10988; do
    judge "scales $model" "${PYTHON:-/usr/bin/python3}" tests/judge_scales.py "$VOUCH" "${CHECK:-$(dirname "$VOUCH")/vouch-check}" -n 1 -s "${model%:*}" -f "${model#*:}"
done
finish
