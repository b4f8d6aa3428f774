"""Runs a command in a pseudo terminal: pty.py <command> [argument]...

Keys come from standard input, and what the terminal shows goes to standard output. The first line on standard error is the
process id of the command, the second one says how it ended, and whether it left the terminal as it was.
"""

import fcntl
import json
import os
import select
import subprocess
import sys
import termios

terminal, command_side = os.openpty()
before = termios.tcgetattr(command_side)


def control_terminal():
    os.setsid()
    fcntl.ioctl(command_side, termios.TIOCSCTTY, 0)


def say(text):
    print(text, file=sys.stderr, flush=True)


command = subprocess.Popen(
    sys.argv[1:],
    stdin=command_side,
    stdout=command_side,
    stderr=command_side,
    preexec_fn=control_terminal,
)
say(command.pid)
keyboard = sys.stdin.fileno()
sources = [terminal, keyboard]
while True:
    ready, _, _ = select.select(sources, [], [], 0.05)
    if keyboard in ready:
        keys = os.read(keyboard, 4096)
        if keys:
            os.write(terminal, keys)
        else:
            sources.remove(keyboard)
    if terminal in ready:
        os.write(sys.stdout.fileno(), os.read(terminal, 65536))
    elif command.poll() is not None:
        break
after = termios.tcgetattr(command_side)
say(json.dumps({"code": command.returncode, "restored": after == before}))
