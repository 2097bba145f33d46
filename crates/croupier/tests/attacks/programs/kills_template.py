"""Kills whatever runs beside it."""
import os, signal
from siblings import asked, play, siblings

asked()
for other in siblings():
    try:
        os.kill(other, signal.SIGKILL)
    except OSError:
        pass
play()
