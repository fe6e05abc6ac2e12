"""Marks parts of the work: NVTX ranges, and annotations in profiled calls.

NVTX comes from libridgeline-ranges.so beside this package. Without it (another machine
type, a build without NVTX's headers) ranges are off and a problem says so.
"""
import os

MAX_LABELS = 10000  # Registered strings are never freed; labels may contain arguments.


class Ranges:
    """NVTX ranges of the default domain, with registered strings."""

    def __init__(self, path):
        import ctypes

        # PyDLL keeps the GIL: a push takes less time than giving it away.
        library = ctypes.PyDLL(path)
        self._register = library.ridgeline_range_register
        self._register.argtypes = [ctypes.c_char_p]
        self._register.restype = ctypes.c_void_p
        self.push = library.ridgeline_range_push
        self.push.argtypes = [ctypes.c_void_p]
        self.push.restype = None
        self.pop = library.ridgeline_range_pop
        self.pop.argtypes = []
        self.pop.restype = None
        self.start = library.ridgeline_range_start
        self.start.argtypes = [ctypes.c_void_p]
        self.start.restype = ctypes.c_uint64
        self.end = library.ridgeline_range_end
        self.end.argtypes = [ctypes.c_uint64]
        self.end.restype = None
        self._handles = {}

    def handle(self, label, short=None):
        """Handle of a label; of `short` where too many labels were registered."""
        handle = self._handles.get(label)
        if handle is None:
            if short is not None and len(self._handles) >= MAX_LABELS:
                return self.handle(short)
            # Not 0 without a tool, too: a handle that is None marks nothing.
            handle = self._register(label.encode("utf-8", "replace")) or 0
            self._handles[label] = handle
        return handle


def load_ranges():
    """Raises OSError if the library is missing or cannot be loaded."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return Ranges(os.path.join(folder, "libridgeline-ranges.so"))


class Marks:
    """Opens and closes nested parts; close in reverse order, on the same thread."""

    def __init__(self, ranges, torch):
        self.ranges = ranges
        self._torch = torch

    def open(self, label, annotate, short=None):
        """Returns what close() needs."""
        if self.ranges is not None:
            self.ranges.push(self.ranges.handle(label, short))
        return self.annotate(label) if annotate else None

    def close(self, annotation):
        self.end_annotation(annotation)
        if self.ranges is not None:
            self.ranges.pop()

    def annotate(self, label):
        """Begins an annotation of torch.profiler (category user_annotation)."""
        torch_c = self._torch._C
        if torch_c._get_tracing_state() is not None:
            return None  # torch.jit.trace would record it as an operator.
        depth = getattr(torch_c, "_len_torch_dispatch_stack", None)
        if depth is not None and depth() > 0:
            return None  # A dispatch mode of the program would see it as an operator.
        annotation = self._torch.autograd.profiler.record_function(label)
        annotation.__enter__()
        return annotation

    @staticmethod
    def end_annotation(annotation):
        if annotation is not None:
            annotation.__exit__(None, None, None)
