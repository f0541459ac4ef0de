# Plans for random models, every L, against scipy's milp on both exported programs, and glpsol. VOUCH_TEST_JUDGED_PLANS: how many models.
"${PYTHON:-/usr/bin/python3}" tests/judge.py "$VOUCH" "${VOUCH_TEST_JUDGED_PLANS:-8}" 1 2
