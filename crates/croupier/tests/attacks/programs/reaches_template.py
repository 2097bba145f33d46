"""Tries to get into the processes beside it: by tracing, through their memory, through their files."""
import ctypes, os
from siblings import asked, breach, play, siblings

library = ctypes.CDLL(None, use_errno=True)
library.ptrace.argtypes = [ctypes.c_long] * 4
mine = ctypes.create_string_buffer(b"mine")
part = (ctypes.c_size_t * 2)(ctypes.addressof(mine), 1)
ATTACH, SEIZE, PIDFD_OPEN, PIDFD_GETFD = 16, 0x4206, 434, 438


def opens(path, flags):
    try:
        return os.open(path, flags) >= 0
    except OSError:
        return False


asked()
for other in siblings():
    if library.ptrace(SEIZE, other, 0, 0) == 0 or library.ptrace(ATTACH, other, 0, 0) == 0:
        breach("tracing the template")
    if library.process_vm_readv(other, part, 1, part, 1, 0) > 0:
        breach("reading the template")
    if library.process_vm_writev(other, part, 1, part, 1, 0) > 0:
        breach("writing to the template")
    if opens(f"/proc/{other}/mem", os.O_RDWR) or opens(f"/proc/{other}/mem", os.O_RDONLY):
        breach("the memory of the template")
    if opens(f"/proc/{other}/fd/3", os.O_RDWR):
        breach("a file of the template")
    process = library.syscall(PIDFD_OPEN, other, 0)
    for file in range(16):
        if process >= 0 and library.syscall(PIDFD_GETFD, process, file, 0) >= 0:
            breach("a descriptor of the template")
    if process >= 0:
        os.close(process)
for file in range(3, 1024):
    try:
        os.fstat(file)
        breach("a descriptor that is not its own")
    except OSError:
        pass
try:
    with open("/proc/self/maps") as maps:
        if any(line.split()[1][1::2] == "ws" for line in maps):
            breach("shared memory")
except OSError:
    pass
play()
