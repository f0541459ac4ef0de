"""Runs a program with standard error on a terminal, and prints what it writes there: terminal.py TEXT PROGRAM ARGUMENTS..

Once TEXT (as grep reads it) has appeared, or after SECONDS, the program gets SIGINT."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

SECONDS = 120
want = re.compile(sys.argv[1].replace("(", r"\(").replace(")", r"\)"))
end = time.monotonic() + SECONDS
ours, theirs = pty.openpty()
run = subprocess.Popen(sys.argv[2:], stderr=theirs, stdout=subprocess.DEVNULL)
os.close(theirs)
sent, shown = False, ""
while True:
    if not sent and (time.monotonic() > end or want.search(shown)):
        run.send_signal(signal.SIGINT)
        sent = True
    if select.select([ours], [], [], 0.1)[0]:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the program has ended
            break
        if not more:
            break
        shown += more.decode(errors="replace").replace("\r", "\n")
run.wait()
sys.stdout.write(shown)
