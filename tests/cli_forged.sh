# vouch-check and proofs whose lines stand where their lemma does not hold (src/check/FORMAT.md): each is refuted. FORGED_CC=COMPILER shows, in a minute, that one test refuses each.
. tests/expect.sh
CHECK=${CHECK:-$(dirname "$VOUCH")/vouch-check}
judge forged "${PYTHON:-/usr/bin/python3}" tests/judge_forged.py "$CHECK" "$dir" ${FORGED_CC:+"$FORGED_CC"}
finish
