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


def _is_this_folder(folder, here):
    return os.path.abspath(folder or ".") == here


def _run_next():
    """Imports the sitecustomize that this one hides, as `site` would have."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.path[:]
    mine = sys.modules.pop("sitecustomize", None)
    sys.path[:] = [folder for folder in path if not _is_this_folder(folder, here)]
    searched = sys.path[:]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise  # Its own import failed: `site` reports that, as without the agent.
    finally:
        # Keeps what the other one changed, or else all of the former path.
        if sys.path == searched:
            sys.path[:] = path
        else:
            sys.path.insert(0, here)
        if mine is not None and "sitecustomize" not in sys.modules:
            sys.modules["sitecustomize"] = mine


_start()
_run_next()
