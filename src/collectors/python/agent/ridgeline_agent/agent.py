"""The agent of one process: what was requested, and the parts that do it."""
import atexit
import os
import sys

from .imports import Finder

OLDEST_TORCH = (1, 13)


class Agent:
    """Until PyTorch is imported this is all there is: no part has been loaded."""

    def __init__(self, request, output):
        self.request = request
        self.output = output
        self.finder = Finder(self.failed)
        self.parts = None

    def watch(self):
        atexit.register(self._end)
        os.register_at_fork(after_in_child=self._forked)
        self.finder.watch("torch.nn.modules.module", self._torch_imported)

    def failed(self, error):
        """Reports an error of ours; the program goes on without what failed."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = ""
        if trace is not None:
            code = trace.tb_frame.f_code
            place = " (%s:%d)" % (os.path.basename(code.co_filename), trace.tb_lineno)
        text = "%s: %s%s" % (type(error).__name__, error, place)
        self.output.problem("AgentFailed", text)

    def _torch_imported(self, module):
        version_module = sys.modules.get("torch.version")
        version = str(getattr(version_module, "__version__", "unknown"))
        cuda = getattr(version_module, "cuda", None)
        reason = _unsupported(version, module)
        self.output.write(
            "torch", version=version, cuda=cuda, hooked=reason is None, reason=reason
        )
        if reason is not None:
            self.output.problem("UnsupportedTorch", reason)
            return
        from .parts import Parts

        self.parts = Parts(self)
        self.parts.install(module)

    def _forked(self):
        """In a new child: nothing of the parent's calls is ours to report."""
        try:
            if self.parts is not None:
                self.parts.forked()
        except Exception as error:
            self.failed(error)

    def _end(self):
        try:
            if self.parts is not None:
                self.parts.end()
            else:
                self._never_imported()
        except Exception as error:
            self.failed(error)

    def _never_imported(self):
        import time

        self.output.write(
            "end", time_unix_ns=time.time_ns(), exit="atexit", module_calls=0, compiled=[]
        )


def _unsupported(version, module):
    """Why this PyTorch cannot be observed; None if it can."""
    numbers = []
    for word in version.split("+")[0].split(".")[:2]:
        if not word.isdigit():
            return "not a version of PyTorch: " + version
        numbers.append(int(word))
    if tuple(numbers) < OLDEST_TORCH:
        return "PyTorch %s: the agent needs %d.%d or newer" % ((version,) + OLDEST_TORCH)
    call = getattr(getattr(module, "Module", None), "__call__", None)
    if getattr(call, "__code__", None) is None:
        return "PyTorch %s: torch.nn.Module.__call__ is not a Python function" % version
    return None
