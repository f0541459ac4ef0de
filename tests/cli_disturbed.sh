#!/bin/sh
# Runs that are killed, full disks, read-only folders and many writers of one file: tests/disturbed.py.
. tests/expect.sh
chmod 755 "$dir"
judge disturbed "${PYTHON:-/usr/bin/python3}" tests/disturbed.py "$(realpath "$VOUCH")" "$dir/runs" "$(part 20 300)" "$(part 10 30)" "$(part 10 20)" "$(part 4 20)"
finish
