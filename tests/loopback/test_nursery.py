"""Tests of the process from which bots are forked."""

import subprocess
import sys

NESTED = """
import os, socket
from tests.loopback import nursery

children, waitpid = {}, os.waitpid

def interrupted(pid, options):
    found = waitpid(pid, options)
    os.waitpid = waitpid
    nursery._tell_ended(children)  # the handler of the next signal
    return found

told = []
for code in (3, 4):
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        os._exit(code)
    children[pid] = theirs
    told.append(ours)
for pid in [*children]:
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
os.waitpid = interrupted
nursery._tell_ended(children)
print(*(each.recv(9).decode() for each in told))
"""


def test_a_bot_that_ends_while_the_end_of_another_is_told_is_told_too() -> None:
    command = [sys.executable, "-c", NESTED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.stdout, done.stderr) == ("3 4\n", "")
