"""Changes what those after it would inherit of what runs beside it, and looks for what others changed."""
import builtins, gc, os, resource, sys
from siblings import asked, breach, play, siblings

asked()
if resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 0 or os.getpriority(os.PRIO_PROCESS, 0) == 19:
    breach("what another decision has changed")
if hasattr(builtins, "memory") or hasattr(sys, "memory") or "memory" in os.environ:
    breach("what another decision has left in memory")
# The frames below are those of the template, but in memory of our own.
frame, frames = sys._getframe(), []
while frame:
    frames.append(frame)
    frame = frame.f_back
if any("memory" in place for frame in frames for place in (frame.f_globals, frame.f_builtins)):
    breach("what another decision has left in a frame")
frames[-1].f_globals["memory"] = 1
builtins.memory = sys.memory = gc.memory = 1
os.environ["memory"] = "1"
for other in siblings():
    for change in (
        lambda: resource.prlimit(other, resource.RLIMIT_NOFILE, (0, 0)),
        lambda: os.setpriority(os.PRIO_PROCESS, other, 19),
        lambda: os.sched_setaffinity(other, {min(os.sched_getaffinity(0))}),
    ):
        try:
            change()
        except OSError:
            pass
play()
