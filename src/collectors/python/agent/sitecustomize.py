"""Starts Ridgeline's agent in a Python process, then runs the next sitecustomize.

Python imports the first `sitecustomize` on its path; Ridgeline puts this folder in front
(PYTHONPATH). Without RIDGELINE_AGENT in the environment only the chaining happens.
This file is parsed by every Python that inherits PYTHONPATH, so it also has to parse as
Python 2.7.
"""
import os
import sys


def _start():
    version = sys.version_info
    if version[0] < 3 or "RIDGELINE_AGENT" not in os.environ:
        return
    # Some virtual environments run `site` twice.
    if getattr(sys, "_ridgeline_agent_pid", None) == os.getpid():
        return
    sys._ridgeline_agent_pid = os.getpid()
    try:
        import ridgeline_agent

        ridgeline_agent.start()
    except Exception:
        pass  # Nothing of the agent may end the program, and there is no file to report to.


def _is_elsewhere(folder):
    return os.path.abspath(folder or ".") != _HERE


_start()

# Imports the sitecustomize that this one hides, as `site` would have.
_HERE = os.path.dirname(os.path.abspath(__file__))
_PATH = sys.path[:]
_MINE = sys.modules.pop("sitecustomize", None)
sys.path[:] = _SEARCHED = [_folder for _folder in _PATH if _is_elsewhere(_folder)]
try:
    import sitecustomize  # noqa: F401
except BaseException as _error:
    if sys.version_info >= (3, 11):
        _error.__traceback__ = _error.__traceback__.tb_next  # Without our frame.
    # An ImportError of the other's own: `site` reports that, as without the agent.
    _is_absent = getattr(_error, "name", "sitecustomize") == "sitecustomize"
    if not isinstance(_error, ImportError) or not _is_absent:
        raise
finally:
    if sys.path == _SEARCHED:
        sys.path[:] = _PATH
    else:
        sys.path.insert(0, _HERE)  # The other one changed the path.
    if _MINE is not None and "sitecustomize" not in sys.modules:
        sys.modules["sitecustomize"] = _MINE
