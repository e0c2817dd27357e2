"""What is said of compiling: that it takes a while and, once, if it will be so at every start."""

from collections.abc import Callable

from schmier_sim.kernel.jit import cache_folder

COMPILING = "compiling the simulator, once for this version (about a minute) …"


def say_compiling(say: Callable[[str], None]) -> None:
    """Say, in one line, that kernels will be compiled now; nothing more if it was said that they cannot be kept."""
    folder = cache_folder()
    if folder.told:
        return
    if folder.probe():
        folder.told = True
        say(f"compiling the simulator, as at every start (about a minute): {folder.trouble} …")
    else:
        say(COMPILING)


def lost() -> str:
    """What to say in the end, in one line, if what was compiled could not be kept; nothing if that was said before."""
    folder = cache_folder()
    if folder.told or not folder.problem:
        return ""
    folder.told = True
    return f"the next start will compile the simulator again: {folder.trouble}"
