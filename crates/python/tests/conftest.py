import signal
import subprocess
import sys
import time

import croupier
import pytest

DECIDED = [game["name"] for game in croupier.games() if game["decisions"]]


@pytest.fixture(params=DECIDED)
def decided(request):
    """Each game in which something is decided."""
    return request.param


@pytest.fixture(params=[game["name"] for game in croupier.games()])
def name(request):
    """Each game."""
    return request.param


def interrupted(code):
    """What a program says that is interrupted (Ctrl-C) soon after it has said "ready"."""
    # Whoever runs the tests in the background may have had this signal ignored.
    code = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n{code}"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout.readline() == "ready\n"
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            return child.communicate(timeout=300)[0]
        finally:
            child.kill()
