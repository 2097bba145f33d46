"""The processes beside a program, among which its template is if it has one; and a player of Austerity."""
import os
import sys


def siblings():
    """All that have the same parent; where that cannot be seen, all numbers below the own one but the first."""
    parent = os.getppid()
    try:
        with open(f"/proc/{parent}/task/{parent}/children") as children:
            return [int(pid) for pid in children.read().split() if int(pid) != os.getpid()]
    except OSError:
        return range(2, os.getpid()) if parent == 0 else []


def asked():
    return any(line.startswith("dowhat") for line in sys.stdin)


def breach(what):
    print(f"breach: {what}")


def play():
    print("wild")
