"""Leaves modules where its interpreter may look for them, to run in whatever is started there next."""
import os, signal, sys
from siblings import asked, breach, play, siblings

asked()
home, ran = os.environ.get("HOME", "."), os.path.abspath("planted-module-ran")
if "croupier-bot" in os.getcwd():
    if os.path.exists(ran):
        breach("a module that was left in its folder")
    site = f"{home}/.local/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    text = f"open({ran!r}, 'w').close()\n"
    try:
        os.makedirs(site, exist_ok=True)
        for place in ".", site:
            for name in "ctypes", "warnings", "time", "os", "usercustomize":
                with open(f"{place}/{name}.py", "w") as module:
                    module.write(text)
        with open(f"{site}/plant.pth", "w") as module:
            module.write(f"import sys; {text}")
    except OSError:
        pass
    for other in siblings():
        try:
            os.kill(other, signal.SIGKILL)
        except OSError:
            pass
play()
