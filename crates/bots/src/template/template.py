# Run by the interpreter in place of a program in Python: compiles it, waits, and forks for every start
# that is asked for. The protocol is in minder/template.rs. What is imported here is forgotten again, so
# that the program finds what it would find after an ordinary start.
def serve():
    import sys
    known = set(sys.modules)
    # The folder in which we are started. What the program has left there is not to be imported.
    sys.path.remove("")
    import _signal, atexit, ctypes, gc, os, posix, warnings
    library, path = sys.argv[1:3]
    # Whoever is warned by the compiler is to be warned in every process.
    with open(path, "rb") as source, warnings.catch_warnings():
        warnings.simplefilter("error", SyntaxWarning)
        code = compile(source.read(), path, "exec", dont_inherit=True)

    # The functions are called without giving up the interpreter's lock, as fork is.
    interpreter, address = ctypes.PyDLL(None), ctypes.c_void_p
    hooks = "PyOS_BeforeFork", "PyOS_AfterFork_Parent", "PyOS_AfterFork_Child"
    hooks = (address * 3)(*(ctypes.cast(interpreter[hook], address) for hook in hooks))
    is_started = ctypes.PyDLL(library).croupier_template

    def forget():
        # What an ordinary start would not have imported.
        for name in set(sys.modules) - known:
            del sys.modules[name]
        sys.argv[:] = sys.argv[2:]
        sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
        if hasattr(sys, "orig_argv"):
            sys.orig_argv[1:4] = []
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
    if not is_started(hooks):
        posix._exit(1)
    status = run(module)
    try:
        finish(module)
    except BaseException:
        # The interpreter finds the same, and tells of it.
        sys.exit(status)
    posix._exit(status & 0xFF)


serve()
