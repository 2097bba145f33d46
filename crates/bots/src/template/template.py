# Run by the interpreter in place of a program in Python: compiles it, waits, and forks for every start
# that is asked for. The protocol is in minder/template.rs. What is imported here is forgotten again, so
# that the program finds what it would find after an ordinary start.
def serve():
    import sys
    known = set(sys.modules)
    # The folder in which we are started. What the program has left there is not to be imported.
    sys.path.remove("")
    import _signal, atexit, ctypes, gc, os, posix, time, warnings
    path, control, size, integer = sys.argv[1], 3, ctypes.c_size_t, ctypes.c_int
    magic = b"croupier-template-1\0"
    # The functions are called without giving up the interpreter's lock, as fork is.
    library = ctypes.PyDLL(None, use_errno=True)
    call, error = library.syscall, ctypes.get_errno
    call.restype = ctypes.c_long

    def numbers():
        # gettid, clone, close_range, get_robust_list, set_robust_list
        machine = posix.uname().machine
        return {"x86_64": (186, 56, 436, 274, 273), "aarch64": (178, 220, 436, 100, 99)}[machine]

    gettid, clone, close_range, get_robust_list, set_robust_list = numbers()
    hello = ctypes.create_string_buffer(len(magic) + 4097)
    length = library.recv(control, hello, size(len(hello) - 1), 0x40)
    if length < len(magic) or hello.raw[: len(magic)] != magic:
        posix._exit(1)
    folder = hello.raw[len(magic) :].split(b"\0")[0]
    number, robust, robust_size = ctypes.POINTER(integer)(), ctypes.c_void_p(), size()
    get_tid_address, set_dumpable = 40, 4
    if (
        library.prctl(get_tid_address, ctypes.byref(number), size(0), size(0), size(0))
        or number[0] != call(gettid)
        or call(get_robust_list, 0, ctypes.byref(robust), ctypes.byref(robust_size))
        or library.prctl(set_dumpable, size(0), size(0), size(0), size(0))
    ):
        posix._exit(1)
    # Whoever is warned by the compiler is to be warned in every process.
    with open(path, "rb") as source, warnings.catch_warnings():
        warnings.simplefilter("error", SyntaxWarning)
        code = compile(source.read(), path, "exec", dont_inherit=True)

    byte, room = ctypes.create_string_buffer(1), ctypes.create_string_buffer(64)
    part = (size * 2)(ctypes.addressof(byte), 1)
    files = ctypes.cast(ctypes.addressof(room) + 16, ctypes.POINTER(integer))
    request = (size * 7)()

    def tell(what, wrong):
        said = bytes([ord(what), wrong, 0, 0, 0, 0, 0, 0])
        said += time.monotonic_ns().to_bytes(8, sys.byteorder)
        library.send(control, said, size(16), 0x4000)

    def begin():
        # The child that was asked for becomes like a process that has just been started.
        try:
            posix.setpgid(0, 0)
            for file in range(3):
                posix.dup2(files[file], file)
            if call(set_robust_list, robust, robust_size) or library.prctl(set_dumpable, size(1)):
                raise OSError(error(), "")
        except OSError as wrong:
            tell("f", wrong.errno)
            posix._exit(127)
        try:
            posix.chdir(folder)
        except OSError as wrong:
            tell("d", wrong.errno)
            posix._exit(127)
        tell("s", 0)
        call(close_range, control, 0xFFFFFFFF, 0)

    def wait_for_a_start():
        before, after = library.PyOS_BeforeFork, library.PyOS_AfterFork_Parent
        before.restype = after.restype = library.PyOS_AfterFork_Child.restype = None
        address = ctypes.cast(number, ctypes.c_void_p)
        tid = (size(0), address, size(0)) if clone == 56 else (size(0), size(0), address)
        tell("r", 0)
        while True:
            request[:] = [0, 0, ctypes.addressof(part), 1, ctypes.addressof(room), 32, 0]
            got = library.recvmsg(control, request, 0x40000000)
            if got < 0 and error() == 4:
                continue
            if got <= 0:
                posix._exit(0)
            child = -24
            if request[5] >= 28 and not request[6] & 8:
                before()
                # CLONE_PARENT, CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID, SIGCHLD
                child = call(clone, size(0x8000 | 0x1000000 | 0x200000 | 17), size(0), *tid)
                if child == 0:
                    library.PyOS_AfterFork_Child()
                    return begin()
                after()
            if child < 0:
                tell("f", error() if child == -1 else 24)
            call(close_range, control + 1, 0xFFFFFFFF, 0)

    def forget():
        # What an ordinary start would not have imported.
        for name in set(sys.modules) - known:
            del sys.modules[name]
        sys.argv[:] = sys.argv[1:]
        sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
        if hasattr(sys, "orig_argv"):
            sys.orig_argv[1:3] = []
        module = sys.modules["__main__"]
        del module.serve
        module.__file__, module.__cached__ = path, None
        loaders = sys.modules["_frozen_importlib_external"]
        module.__loader__ = loaders.SourceFileLoader("__main__", path)
        # What there is now is never looked at again for what can be freed, so that it is not copied.
        gc.collect()
        gc.freeze()
        return module

    def tell_of(wrong):
        # As the interpreter tells of what nobody has caught, without our own frame.
        trace = wrong.__traceback__ = wrong.__traceback__.tb_next
        sys.last_type, sys.last_value, sys.last_traceback = type(wrong), wrong, trace
        if sys.version_info >= (3, 12):
            sys.last_exc = wrong
        sys.excepthook(type(wrong), wrong, trace)

    def clear(module):
        # Private names first, as the interpreter does.
        for private in True, False:
            for name in list(module):
                is_private = name[:1] == "_" and name[:2] != "__"
                if is_private if private else name != "__builtins__":
                    module[name] = None

    def finish(module):
        # As the interpreter ends, but without freeing what is not the program's own.
        threading = sys.modules.get("threading")
        if threading is not None:
            threading._shutdown()
        atexit._run_exitfuncs()
        folder = os.path.dirname(path) + "/"
        # The new ones come last. To look at the others would copy the memory in which they are.
        new = zip(reversed(sys.modules), range(len(sys.modules) - len(known)))
        modules = [sys.modules[name] for name, _ in new]
        clear(module.__dict__)
        for found in modules:
            if (getattr(found, "__file__", None) or "").startswith(folder):
                clear(found.__dict__)
        # After a freeze all that is young is the program's.
        gc.collect(2 if any(gc.get_count()[1:]) else 0)
        for stream in sys.stdout, sys.stderr:
            if stream is not None and not stream.closed:
                stream.flush()

    def run(module):
        try:
            exec(code, module.__dict__)
        except SystemExit as stop:
            status = stop.code
        except BaseException as wrong:
            status = 1
            interrupted = isinstance(wrong, KeyboardInterrupt)
            try:
                tell_of(wrong)
            except SystemExit as stop:
                status, interrupted = stop.code, False
            del wrong
            if interrupted:
                status = None
                _signal.signal(2, _signal.SIG_DFL)
                atexit.register(posix.kill, posix.getpid(), 2)
        else:
            status = 0
        if status is None:
            status = 0
        elif not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
        return status

    module = forget()
    wait_for_a_start()
    status = run(module)
    try:
        finish(module)
    except BaseException:
        # The interpreter finds the same, and tells of it.
        sys.exit(status)
    posix._exit(status & 0xFF)


serve()
