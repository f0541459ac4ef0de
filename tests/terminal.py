"""Runs a program with standard error on a terminal, and prints what it writes there: terminal.py SECONDS PROGRAM ARGUMENTS..

After SECONDS the program gets SIGINT."""
import os
import pty
import select
import signal
import subprocess
import sys
import time

end = time.monotonic() + float(sys.argv[1])
ours, theirs = pty.openpty()
run = subprocess.Popen(sys.argv[2:], stderr=theirs, stdout=subprocess.DEVNULL)
os.close(theirs)
sent = False
while True:
    if not sent and time.monotonic() > end:
        run.send_signal(signal.SIGINT)
        sent = True
    if select.select([ours], [], [], 0.1)[0]:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the program has ended
            break
        if not more:
            break
        sys.stdout.write(more.decode(errors="replace").replace("\r", "\n"))
run.wait()
