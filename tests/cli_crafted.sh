# vouch-check, proofs written by hand and models that say more than it knows: what it says of each.
. tests/expect.sh
CHECK=${CHECK:-$(dirname "$VOUCH")/vouch-check}
judge crafted "${PYTHON:-/usr/bin/python3}" tests/judge_crafted.py "$CHECK" "$dir"
finish
