"""torch.profiler around the first calls of a process.

Each of the calls 1 to warmup_calls + 1 gets a profiler of its own. A completed one
replaces the trace of the former, so the last one is kept however the process ends. A call
that raised an exception is not counted; its trace is kept until a later call has one.
The program's own profiler has priority: there can be only one.
"""
import _thread
import os
import sys
import time

from . import plain_trace
from .signals import Deferred, is_from_signal

# Records per module call, assumed until a first profile has been counted.
_EVENTS_PER_MODULE_CALL = 20
_WAIT_FOR_OTHER_THREAD_S = 2.0
_MAX_FAILED_CALLS = 100  # More are counted.


class Profile:
    __slots__ = ("call", "profiler", "thread", "module_calls", "is_truncated")


class Profiler:
    def __init__(self, request, output, torch):
        self._output = output
        self._torch = torch
        self._activities = request.get("activities") or ["cpu"]
        self._record_shapes = bool(request.get("record_shapes"))
        self._profile_memory = bool(request.get("profile_memory"))
        self._with_stack = bool(request.get("with_stack"))
        self._warmup_calls = int(request.get("warmup_calls") or 0)
        self._max_events = int(request.get("max_events") or 5000000)
        self._events_per_module_call = _EVENTS_PER_MODULE_CALL
        self._calls_before = 0  # That are not counted.
        self._failed_calls = 0  # After those; not counted either.
        self._has_trace = False  # Of a call after those.
        self._active = None  # The Profile being recorded.
        # Two profilers at once crash. Held from begin() to the end of end().
        self._one_at_a_time = _thread.allocate_lock()
        self._replaced = []  # (module, name, function) while ours is active.
        self._is_stop_requested = False
        self._is_over = False
        self._end_children_early = None
        self.given_up = None  # Called on the thread of a profile that is dropped.

    def forked(self):
        """A profiler of the parent does not record the child."""
        self._put_back()
        self._active = None
        self._one_at_a_time = _thread.allocate_lock()
        self.restart(0)
        if self._end_children_early is not None:
            self._end_children_early()
            self._end_children_early = None  # What it did holds for grandchildren, too.

    def restart(self, index):
        """Counts calls from the one after `index`."""
        self._calls_before = index
        self._failed_calls = 0
        self._has_trace = False

    def _number(self, index):
        return index - self._calls_before - self._failed_calls

    def begin(self, index):
        """Starts a profiler for a call; None if this call is not profiled."""
        if self._is_over or self._number(index) > self._warmup_calls + 1:
            return None
        if not self._one_at_a_time.acquire(False):
            return None
        profile = None
        try:
            profile = self._start(index)
        finally:
            if profile is None:
                self._release()
        return profile

    def _release(self):
        try:
            self._one_at_a_time.release()
        except RuntimeError:
            pass  # Interrupted by a signal, and released before.

    def _start(self, index):
        if self._is_busy():
            self._output.problem(
                "ProfilerBusy",
                "call %d: another profiler of the program (torch.profiler, emit_nvtx) is on"
                % index,
            )
            return None
        profile = Profile()
        profile.call = index
        profile.thread = _thread.get_ident()
        profile.module_calls = 0
        profile.is_truncated = False
        profile.profiler = None
        try:
            with Deferred():
                # PyTorch 2.13 imports it with the first annotation, and swallows all
                # exceptions meanwhile, also those of signal handlers.
                getattr(self._torch.autograd.profiler, "_maybe_cupti_monitor", lambda: None)()
                profile.profiler = self._make()
                _start_silently(profile.profiler)
                if self._end_children_early is None and not plain_trace.is_needed(self._torch):
                    self._end_children_early = _make_end_early()
                self._active = profile
                self._is_stop_requested = False
                self._yield_to_others()
        except BaseException as error:
            self._abandon(profile)
            if not isinstance(error, Exception):
                raise
            self._fail("call %d: cannot start torch.profiler" % index, error)
            return None
        return profile

    def abandon(self):
        """Drops the profile that this thread is recording: its call ends halfway."""
        profile = self._active
        if profile is not None and profile.thread == _thread.get_ident():
            with Deferred():
                self._abandon(profile)
                self._release()

    def _abandon(self, profile):
        self._put_back()
        self._active = None
        if profile.profiler is not None and self._is_busy():
            profile.profiler.stop()
            profile.profiler = None

    def may_go_on(self, profile):
        """Called after each outermost module call; stops a profile that is too large."""
        if self._active is not profile:
            return False
        if self._is_stop_requested:
            self._give_up(profile)
            return False
        if profile.module_calls * self._events_per_module_call > self._max_events:
            profile.is_truncated = True
            self._stop(profile)
            return False
        return True

    def count(self):
        """Called for each annotated module call."""
        if self._active is not None:
            self._active.module_calls += 1

    def end(self, profile, failure):
        """Ends the profile of a call and exports it. Returns whether there is a trace."""
        with Deferred():
            try:
                if self._active is profile and self._is_stop_requested:
                    self._give_up(profile)
                if self._active is profile:
                    self._stop(profile)
                if failure is not None and self._has_trace:
                    profile.profiler = None
                return profile.profiler is not None and self._export(profile)
            finally:
                if failure is not None and self._failed_calls < _MAX_FAILED_CALLS:
                    self._failed_calls += 1
                self._release()

    def _is_busy(self):
        autograd = self._torch.autograd
        enabled = getattr(autograd, "_profiler_enabled", None)
        if enabled is not None and enabled():
            return True
        return bool(getattr(autograd.profiler, "_is_profiler_enabled", False))

    def _make(self):
        import torch.profiler as profiler

        activities = []
        if "cpu" in self._activities:
            activities.append(profiler.ProfilerActivity.CPU)
        if "cuda" in self._activities and self._torch.cuda.is_available():
            activities.append(profiler.ProfilerActivity.CUDA)
        # Stacks take the interpreter's one profile function, and clear it at the end.
        with_stack = self._with_stack and sys.getprofile() is None
        if with_stack != self._with_stack:
            self._output.problem(
                "ProfilerBusy", "no stacks: the program uses sys.setprofile"
            )
        return profiler.profile(
            activities=activities,
            record_shapes=self._record_shapes,
            profile_memory=self._profile_memory,
            with_stack=with_stack,
        )

    def _yield_to_others(self):
        """Until ours stops, another profiler that starts stops ours first."""
        module = self._torch.autograd.profiler
        for name in ("_prepare_profiler", "_enable_profiler"):
            function = getattr(module, name, None)
            if function is None:
                continue
            self._replaced.append((module, name, function))
            setattr(module, name, self._yielding(function))

    def _yielding(self, function):
        def start_other(*args, **kwargs):
            try:
                self._make_way()
            except Exception as error:
                self._fail("cannot stop torch.profiler", error)
            return function(*args, **kwargs)

        return start_other

    def _make_way(self):
        profile = self._active
        if profile is None:
            return
        if profile.thread == _thread.get_ident():
            self._give_up(profile)
            return
        # Only its own thread can stop it, at the end of a module call. Two profilers at
        # once crash.
        self._is_stop_requested = True
        give_up = time.monotonic() + _WAIT_FOR_OTHER_THREAD_S
        while self._active is profile and time.monotonic() < give_up:
            time.sleep(0.005)

    def _give_up(self, profile):
        self._stop(profile)
        profile.profiler = None
        if self.given_up is not None:
            self.given_up()
        self._output.problem(
            "ProfilerBusy",
            "call %d: stopped because the program started its own profiler" % profile.call,
        )

    def _put_back(self):
        for module, name, function in self._replaced:
            setattr(module, name, function)
        del self._replaced[:]

    def _stop(self, profile):
        self._put_back()
        self._active = None
        start_ns = time.perf_counter_ns()
        try:
            profile.profiler.stop()
        except Exception as error:
            profile.profiler = None
            self._fail("call %d: cannot stop torch.profiler" % profile.call, error)
        self._stop_ns = time.perf_counter_ns() - start_ns

    def _export(self, profile):
        path = self._output.trace_path()
        temporary = path + ".tmp"
        events = self._count_events(profile.profiler)
        if events is not None:
            calls = max(profile.module_calls, 1)
            self._events_per_module_call = max(events / calls, 1)
        try:
            with open(temporary, "wb"):
                pass  # PyTorch prints to stderr where it cannot write.
            if plain_trace.is_needed(self._torch):
                plain_trace.write(profile.profiler, temporary)
            else:
                profile.profiler.export_chrome_trace(temporary)
            size = os.stat(temporary).st_size
            os.replace(temporary, path)
        except Exception as error:
            self._fail("call %d: cannot write the trace" % profile.call, error)
            try:
                os.unlink(temporary)
            except OSError:
                pass
            return False
        finally:
            profile.profiler = None
        self._has_trace = True
        self._output.write(
            "profile",
            call=profile.call,
            trace=os.path.basename(path),
            trace_bytes=size,
            warmup_calls=self._number(profile.call) - 1,
            stop_ns=self._stop_ns,
            events=events,
            truncated=profile.is_truncated,
        )
        return True

    @staticmethod
    def _count_events(profiler):
        results = getattr(getattr(profiler, "profiler", None), "kineto_results", None)
        try:
            return len(results.events())
        except (AttributeError, RuntimeError, TypeError):
            return None

    def _fail(self, what, error):
        if is_from_signal(error):
            raise
        self._is_over = True  # What failed once would fail in each call.
        self._output.problem(
            "ProfilerFailed", "%s: %s: %s" % (what, type(error).__name__, error)
        )


def _make_end_early():
    """A function for forked children of a process that has started Kineto: when they exit,
    Kineto's destructor would wait for a thread that only the parent has. So they end before
    destructors run, with their exit status and with stdio flushed. None: not with glibc."""
    import ctypes

    libc = ctypes.PyDLL(None)
    try:
        handlers = [ctypes.cast(libc[name], ctypes.c_void_p) for name in ("_exit", "fcloseall")]
        on_exit = libc.on_exit  # Calls the last one first, with the exit status.
    except AttributeError:
        return None

    def end_early():
        for handler in handlers:
            on_exit(handler, None)

    return end_early


def _start_silently(profiler):
    """Kineto reads its log level when it is first used; by default it writes to stderr."""
    name = "KINETO_LOG_LEVEL"
    is_set = name in os.environ
    if not is_set:
        os.environ[name] = "99"
    try:
        profiler.start()
    finally:
        if not is_set:
            os.environ.pop(name, None)
