"""Programs in forks of a process that has imported PyTorch, which takes over a second.

A fork sees what a new interpreter would: its own environment, path, working directory,
standard streams and `__main__`; only PyTorch is loaded already, which the agent supports.
What happens while Python starts or imports PyTorch needs a new interpreter.

As a program: reads one job per line from standard input, and answers each with the process
ID and the exit status of the fork.
"""
import json
import os
import select
import subprocess
import sys
import types

LONGEST_S = 500


class WarmPython:
    """Starts the jobs of one test process, one after the other."""

    def __init__(self, environment):
        self._server = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
        )

    def run(self, program, environment, folder):
        """Runs a program to its end; the server's death is an error of the test."""
        job = {"program": program, "environment": environment, "folder": folder}
        self._server.stdin.write(json.dumps(job) + "\n")
        self._server.stdin.flush()
        if not select.select([self._server.stdout], [], [], LONGEST_S)[0]:
            self._server.kill()
            raise TimeoutError("%s still runs after %d s" % (program, LONGEST_S))
        pid, status = self._server.stdout.readline().split()
        return Finished(int(pid), int(status))

    def stop(self):
        self._server.stdin.close()
        self._server.stdout.close()
        self._server.wait()


class Finished:
    """A process that has ended, as subprocess.Popen describes it."""

    def __init__(self, pid, status):
        self.pid = pid
        self.returncode = os.waitstatus_to_exitcode(status)


def _become(job):
    """Turns this fork into a process of Python that is about to run a program."""
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    streams = (os.open(os.devnull, os.O_RDONLY), os.open("stdout", flags), os.open("stderr", flags))
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    added = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:] = [job["folder"]] + added + sys.path[1:]
    sys.argv[:] = [job["program"]]
    sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError:
        pass


def _run(program):
    """Runs a program as `python PROGRAM` does."""
    with open(program, encoding="utf-8") as file:
        code = compile(file.read(), program, "exec")
    main = types.ModuleType("__main__")
    main.__file__ = program
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    exec(code, main.__dict__)


def _serve():
    """Answers jobs; in a fork, returns the job to become."""
    import torch.profiler  # noqa: F401

    # Out of the way of the descriptors that programs open and close.
    jobs = os.fdopen(os.dup2(0, 200, inheritable=False))
    answers = os.dup2(1, 201, inheritable=False)
    for line in jobs:
        pid = os.fork()
        if pid == 0:
            jobs.close()
            os.close(answers)
            return json.loads(line)
        os.write(answers, b"%d %d\n" % os.waitpid(pid, 0))
    return None


if __name__ == "__main__":
    _this = sys.modules["__main__"]  # Kept alive: _run() replaces it.
    _job = _serve()
    if _job is not None:
        _become(_job)
        _run(_job["program"])
