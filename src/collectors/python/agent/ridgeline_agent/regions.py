"""Regions: functions of the request, each a range `name` and, if wanted, a call."""
import sys

from .calls import local
from .wrapping import guarded, wrap

MAX_VALUE_TEXT = 40
_MAX_DECORATORS = 20


class Regions:
    def __init__(self, wanted, output, marks, calls, failed):
        self._wanted = wanted
        self._output = output
        self._marks = marks
        self._calls = calls
        self._failed = failed
        self._wrapped = set()  # Targets.

    def report_missing(self):
        for region in self._wanted:
            target = region["target"]
            if target in self._wrapped or region.get("optional"):
                continue
            module_name, _, path = target.partition(":")
            if module_name == "__main__":
                why = "functions of the program's main file cannot be wrapped"
            elif module_name in sys.modules:
                why = "module %s has no function %s" % (module_name, path)
            else:
                why = "module %s was not imported" % module_name
            self._output.problem("RegionNotFound", "%s: %s" % (target, why))
        wanted = {region["target"] for region in self._wanted if region.get("call")}
        if wanted and not wanted & self._wrapped:
            self._output.problem(
                "RegionNotFound",
                "no function with call: true was found; calls are those of generate() and "
                "of the outermost forward()",
            )

    def install(self, region, module):
        """Wraps the function of a region in its module, which has just been imported."""
        owner = module
        *parents, name = region["target"].partition(":")[2].split(".")
        for parent in parents:
            owner = getattr(owner, parent, None)
        attribute = getattr(owner, "__dict__", {}).get(name)
        if attribute is None:
            attribute = getattr(owner, name, None)  # Inherited.
        kind = type(attribute) if isinstance(attribute, (staticmethod, classmethod)) else None
        function = attribute.__func__ if kind is not None else attribute
        if not callable(function) or isinstance(function, type):
            return
        begin = guarded(_Region(region, function, self._marks, self._calls).begin, self._failed)
        wrapper = wrap(function, begin)
        setattr(owner, name, wrapper if kind is None else kind(wrapper))
        self._wrapped.add(region["target"])
        if region.get("call"):
            self._calls.region_found()


class _Region:
    def __init__(self, region, function, marks, calls):
        self._name = region["name"]
        self._is_call = bool(region.get("call"))
        self._marks = marks
        self._calls = calls
        code = getattr(function, "__code__", None)
        positions = _positions(function)
        # As "batch" or "scheduler_output.total_num_scheduled_tokens".
        self._arguments = [
            (text, text.split("."), _index(positions, text.split(".")[0]))
            for text in region.get("arguments") or []
        ]
        # These give the thread to others before they end: their ranges do not nest.
        flags = code.co_flags if code is not None else 0
        self._nests = not flags & (_CO_GENERATOR | _CO_COROUTINE | _CO_ASYNC_GENERATOR)

    def begin(self, args, kwargs):
        state = local.state
        own_call = None
        if self._is_call and state.call is None:
            own_call = self._calls.begin(state, "region", self._name, self._nests)
        label = self._label(args, kwargs)
        if self._nests:
            end_range = self._open(state, label)
        else:
            end_range = self._start(label)

        def end(failure, result):
            end_range()
            if own_call is not None:
                self._calls.end(state, own_call, failure)

        return end

    def _open(self, state, label):
        tokens = state.tokens
        depth = tokens.depth() if tokens is not None else 0
        mark = self._marks.open(label, state.is_profiled, self._name)

        def end():
            if tokens is not None:
                tokens.close(depth)  # Phases that began inside end inside.
            self._marks.close(mark)

        return end

    def _start(self, label):
        ranges = self._marks.ranges
        if ranges is None:
            return lambda: None
        started = ranges.start(ranges.handle(label, self._name))
        return lambda: ranges.end(started)

    def _label(self, args, kwargs):
        values = []
        for text, path, index in self._arguments:
            value = kwargs.get(path[0])
            if value is None and index is not None and index < len(args):
                value = args[index]
            for name in path[1:]:
                value = getattr(value, name, None)
            value = _short(value)
            if value is not None:
                values.append("%s=%s" % (text, value))
        return "%s(%s)" % (self._name, ", ".join(values)) if values else self._name


_CO_GENERATOR, _CO_COROUTINE, _CO_ASYNC_GENERATOR = 0x20, 0x80, 0x200


def _positions(function):
    """Names of the positional parameters; of a decorated function, those of the function
    that it wraps."""
    for _ in range(_MAX_DECORATORS):
        function = getattr(function, "__wrapped__", function)
    code = getattr(function, "__code__", None)
    return code.co_varnames[: code.co_argcount] if code is not None else ()


def _index(positions, name):
    return positions.index(name) if name in positions else None


def _short(value):
    """Numbers, short strings, names of enumerators, shapes of tensors; else None."""
    if value is None:
        return None
    name = getattr(value, "name", None)
    if isinstance(name, str) and hasattr(type(value), "__members__"):
        return name
    if isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str):
        return repr(value) if len(value) <= MAX_VALUE_TEXT else None
    shape = getattr(value, "shape", None)
    if shape is not None:
        text = "[%s]" % ", ".join(str(size) for size in shape)
        return text if len(text) <= MAX_VALUE_TEXT else None
    return None
