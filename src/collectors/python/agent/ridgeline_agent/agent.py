"""The agent of one process: what was requested, and the parts that do it."""
import atexit
import os
import sys
import time

from .imports import Finder
from .signals import is_from_signal

OLDEST_TORCH = (1, 13)


class Agent:
    """Until PyTorch is imported this is all there is: no part has been loaded."""

    def __init__(self, request, output):
        self.request = request
        self.output = output
        self.finder = Finder(self.failed)
        self.parts = None
        self._regions = []  # (region, module) imported before PyTorch.
        self._ended_pid = None

    def watch(self):
        atexit.register(self._end, "atexit")
        os.register_at_fork(after_in_child=self._forked)
        self.finder.watch("multiprocessing.util", self._multiprocessing_imported)
        for region in self.request.get("regions") or []:
            self._watch_region(region)
        self.finder.watch("torch.nn.modules.module", self._torch_imported)

    def _watch_region(self, region):
        def imported(module):
            if self.parts is None:
                self._regions.append((region, module))
            else:
                self.parts.add_region(region, module)

        self.finder.watch(region["target"].partition(":")[0], imported)

    def failed(self, error):
        """Reports the error being handled; the program goes on without what failed."""
        if is_from_signal(error):
            raise
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
        import torch.version  # Has no imports: `torch` itself is still being imported.

        version_module = sys.modules["torch.version"]
        version = str(version_module.__version__)
        cuda = getattr(version_module, "cuda", None)
        reason = _unsupported(version, module)
        is_hooked = reason is None and not self._is_idle()
        self.output.write(
            "torch", version=version, cuda=cuda, hooked=is_hooked, reason=reason
        )
        if reason is not None:
            self.output.problem("UnsupportedTorch", reason)
        if not is_hooked:
            return
        from .parts import Parts

        self.parts = Parts(self)
        self.parts.install(module)
        for region, region_module in self._regions:
            self.parts.add_region(region, region_module)

    def _is_idle(self):
        """Whether PyTorch is not to be touched. `generate` only says how calls, ranges and
        profiles are divided."""
        wanted = self.request.get
        parts = (wanted("calls"), wanted("describe"), wanted("regions"), wanted("profile"))
        return wanted("ranges") is None and not any(parts)

    def _forked(self):
        """In a new child: nothing of the parent's calls is ours to report."""
        try:
            if self.parts is not None:
                self.parts.forked()
        except Exception as error:
            self.failed(error)

    def _multiprocessing_imported(self, util):
        """Its forked children end with os._exit, after finalizers of their own."""

        def begin_child(agent):
            util.Finalize(None, agent._end, args=("multiprocessing",), exitpriority=-1000)

        util.register_after_fork(self, begin_child)

    def _end(self, how):
        if self._ended_pid == os.getpid():
            return
        self._ended_pid = os.getpid()
        try:
            fields = {"outermost_calls": 0, "compiled": []}
            if self.parts is not None:
                fields = self.parts.end()
            self.output.write("end", time_unix_ns=time.time_ns(), exit=how, **fields)
        except Exception as error:
            self.failed(error)


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
