"""Leaves a process beside itself and not below, which lives on, and looks for the one of before."""
import ctypes, os, platform, time
from siblings import asked, breach, play, siblings

CLONE_PARENT, SIGCHLD = 0x8000, 17
MARK = "left-behind"
clone = {"x86_64": 56, "aarch64": 220}[platform.machine()]

asked()
for other in siblings():
    try:
        with open(f"/proc/{other}/comm") as name:
            if name.read().strip() == MARK:
                breach("what another decision has left behind")
    except OSError:
        pass
library = ctypes.PyDLL(None)
if library.syscall(clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0:
    os.setsid()
    library.prctl(15, MARK.encode(), 0, 0, 0)
    os.closerange(0, 3)
    while True:
        time.sleep(1000)
play()
