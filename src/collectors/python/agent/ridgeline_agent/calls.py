"""Calls: the unit that is timed and profiled.

A call is an invocation of a region with `call: true`; if none of those was found, an
outermost generate(); outside of those, an outermost module call of a thread ("forward").
"""
import _thread
import itertools
import os
import time

MAX_CALL_LINES = 100000

# What a module call does inside the outermost one of its thread.
OUTSIDE = 0  # There is no outermost one: this is it.
QUIET = 1  # Nothing.
RANGES = 2  # An NVTX range.
ANNOTATED = 3  # An annotation in the profile, and a range if ranges are on.


class ThreadState:
    __slots__ = ("mode", "call", "tokens", "generates", "is_profiled")

    def __init__(self):
        self.mode = OUTSIDE
        self.call = None  # The Call that this thread is in.
        self.tokens = None  # Of the generate() that this thread is in.
        self.generates = 0  # Nested generate().
        self.is_profiled = False

    def save(self):
        return self.mode, self.call, self.tokens, self.generates, self.is_profiled

    def restore(self, saved):
        self.mode, self.call, self.tokens, self.generates, self.is_profiled = saved


class _Local(_thread._local):
    def __init__(self):
        self.state = ThreadState()


local = _Local()  # `local.state` is the state of the running thread.


class Call:
    __slots__ = (
        "index",
        "kind",
        "name",
        "root",
        "pid",
        "start_unix_ns",
        "start_ns",
        "profile",
        "forwards",
        "tokens",
        "mark",
        "nests",
        "outer",
    )


class Calls:
    def __init__(self, request, output, marks, profiler, torch):
        self._times_calls = bool(request.get("calls"))
        self._output = output
        self._marks = marks
        self._profiler = profiler
        self._torch = torch
        self._is_observed = self._times_calls or profiler is not None
        if profiler is not None:
            profiler.given_up = self._stop_annotating
        self._has_call_regions = False
        self.forked()

    def region_found(self):
        """A region with `call: true` was wrapped: its invocations are the calls from now
        on, and those before were something else."""
        if not self._has_call_regions:
            self._has_call_regions = True
            if self._profiler is not None:
                self._profiler.restart(self._index)

    def forked(self):
        self._next_index = itertools.count(1).__next__
        self._index = 0  # Of the last call.
        self._unwritten = 0

    def unwritten(self):
        return self._unwritten

    def wants(self, kind):
        """Whether a call of this kind begins, outside of any call."""
        return (kind == "region") == self._has_call_regions

    def begin(self, state, kind, name, nests=True):
        """Begins a call; a call that does not nest (of a coroutine) has no mark."""
        call = Call()
        call.index = self._index = self._next_index()
        call.kind = kind
        call.name = name
        call.root = None
        call.pid = os.getpid()
        call.forwards = 0
        call.tokens = None
        call.profile = None
        call.outer = state.call
        if self._profiler is not None:
            call.profile = self._profiler.begin(call.index)
        state.call = call
        state.is_profiled = call.profile is not None
        if self._is_observed:
            self._synchronize()
        call.start_unix_ns = time.time_ns()
        call.start_ns = time.perf_counter_ns()
        call.nests = nests
        call.mark = self._marks.open(kind, state.is_profiled) if nests else None
        return call

    def abandon(self):
        """Undoes begin() where it, or what came after it, was interrupted."""
        if self._profiler is not None:
            self._profiler.abandon()

    def end(self, state, call, failure):
        try:
            self._end(state, call, failure)
        except BaseException:
            self.abandon()
            raise

    def _end(self, state, call, failure):
        state.call = call.outer
        state.is_profiled = False
        if call.nests:
            self._marks.close(call.mark)
        if call.pid != os.getpid():
            return  # Begun by the parent, which reports it.
        if self._is_observed:
            self._synchronize()
        duration_ns = time.perf_counter_ns() - call.start_ns
        profiled = call.profile is not None and self._profiler.end(call.profile, failure)
        if self._times_calls:
            self._write(call, duration_ns, profiled, failure)

    def count_annotation(self):
        if self._profiler is not None:
            self._profiler.count()

    def forward_ended(self, state):
        """Between two outermost module calls a profile that grew too large is ended."""
        call = state.call
        if call is not None and call.profile is not None and state.is_profiled:
            state.is_profiled = self._profiler.may_go_on(call.profile)

    def _stop_annotating(self):
        """The program's profiler has begun inside of a call: it is to see nothing of us."""
        state = local.state
        state.is_profiled = False
        if state.mode == ANNOTATED:
            state.mode = QUIET if self._marks.ranges is None else RANGES

    def _write(self, call, duration_ns, profiled, failure):
        if call.index > MAX_CALL_LINES:
            self._unwritten += 1
            return
        fields = call.tokens.fields(call.start_ns) if call.tokens is not None else {}
        self._output.write(
            "call",
            index=call.index,
            kind=call.kind,
            name=call.name,
            root=call.root,
            thread=_thread.get_native_id(),
            start_unix_ns=call.start_unix_ns,
            duration_ns=duration_ns,
            profiled=profiled,
            error=failure,
            forwards=call.forwards,
            **fields
        )

    def _synchronize(self):
        cuda = getattr(self._torch, "cuda", None)
        if cuda is None or not cuda.is_initialized():
            return
        if cuda.is_current_stream_capturing():
            return  # It would end the capture with an error.
        try:
            cuda.synchronize()
        except RuntimeError:
            pass  # The program's own error, which its next use of the device raises.
