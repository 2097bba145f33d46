"""Sends signals to whatever runs beside it, as messages to those after it, and looks for such messages."""
import os, signal
from siblings import asked, breach, play, siblings

asked()
if signal.sigpending():
    breach("a signal from another decision")
for other in siblings():
    for number in signal.SIGWINCH, signal.SIGINT, signal.SIGUSR1, signal.SIGRTMIN:
        try:
            os.kill(other, number)
        except OSError:
            pass
play()
