# Plans for random models against scipy's milp and glpsol on the exported programs. VOUCH_TEST_JUDGED_PLANS: how many models.
"${PYTHON:-/usr/bin/python3}" tests/judge.py "$VOUCH" "${VOUCH_TEST_JUDGED_PLANS:-30}"
