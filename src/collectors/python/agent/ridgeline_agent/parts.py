"""Builds and connects the parts of the agent once PyTorch is being imported."""
import re
import sys

from . import dynamo, modules
from .calls import Calls
from .describe import Describer
from .marks import Marks, load_ranges
from .names import Names
from .regions import Regions


class Parts:
    def __init__(self, agent):
        self._agent = agent
        self._output = agent.output
        request = agent.request
        torch = sys.modules["torch"]
        dynamo.connect(torch._C)
        marks = Marks(self._load_ranges(request.get("ranges")), torch)
        names = Names(self._mark_chooser(request.get("ranges") or {}, marks.ranges))
        self._profiler = None
        if request.get("profile"):
            from .profiling import Profiler

            self._profiler = Profiler(request["profile"], agent.output, torch)
        self._calls = Calls(request, agent.output, marks, self._profiler, torch)
        describer = Describer(agent.output, agent.failed, bool(request.get("describe")))
        self._watch = modules.Watch(
            names, marks, self._calls, describer.describe, agent.failed, torch
        )
        self._regions = Regions(
            request.get("regions") or [], agent.output, marks, self._calls, agent.failed
        )

    def install(self, module):
        finder = self._agent.finder
        modules.install(module.Module, self._watch)
        if hasattr(module.Module, "_compiled_call_impl"):
            finder.watch("torch.compiler", modules.compiler_imported)
        else:  # PyTorch 2.0 has no torch.compiler, 1.13 does not compile.
            modules.compiler_imported(sys.modules.get("torch._utils"))
        if self._agent.request.get("generate"):
            finder.watch("transformers.generation.utils", self._transformers_imported)

    def add_region(self, region, module):
        self._regions.install(region, module)

    def _transformers_imported(self, utils):
        from .generation import Generation

        Generation(self._watch.marks, self._calls, self._agent.failed).install(utils)

    def _load_ranges(self, wanted):
        if wanted is None:
            return None
        try:
            return load_ranges()
        except (OSError, AttributeError) as error:
            self._output.problem("RangesUnavailable", str(error))
            return None

    def _mark_chooser(self, wanted, ranges):
        """Decides which modules are marked: by depth, and by expressions searched in the
        path. The depth of a root is 1, that of `blocks.0.attn` is 4."""
        max_depth = wanted.get("max_depth")
        include = self._expressions(wanted, "include")
        exclude = self._expressions(wanted, "exclude")

        def choose(entry):
            path = entry.label if entry.path is None else entry.path
            depth = 1 + path.count(".") + 1 if path else 1
            entry.is_marked = (
                (max_depth is None or depth <= max_depth)
                and (not include or any(e.search(path) for e in include))
                and not any(e.search(path) for e in exclude)
            )
            if entry.is_marked and ranges is not None:
                entry.handle = ranges.handle(entry.label)

        return choose

    def _expressions(self, wanted, key):
        found = []
        for text in wanted.get(key) or []:
            try:
                found.append(re.compile(text))
            except re.error as error:
                where = "pipeline.workload.python.ranges.%s: '%s'" % (key, text)
                self._output.problem("InvalidExpression", "%s: %s" % (where, error))
        return found

    def forked(self):
        modules.forked()
        self._calls.forked()
        if self._profiler is not None:
            self._profiler.forked()

    def end(self):
        """Writes what is known only at the end; returns fields of the end line."""
        self._regions.report_missing()
        fields = {
            "outermost_calls": modules.outermost_calls(),
            "compiled": self._watch.compiled_paths(),
        }
        if self._calls.unwritten():
            fields["calls_not_written"] = self._calls.unwritten()
        return fields
