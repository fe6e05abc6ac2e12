"""Wraps torch.nn.Module.__call__.

The function is replaced when torch.nn.modules.module has just been loaded, before Dynamo
and torch.fx remember it, and never again. Global hooks are not used: they are not called
when forward raises, they slow down every call, and torch.compile warns about them.
"""
import _thread
import itertools

from . import dynamo
from .calls import ANNOTATED, OUTSIDE, QUIET, RANGES, local
from .tracebacks import hide_code, hide_frame

# Read by call_module(), which has to be fast: set by install() and later imports.
is_compiling = dynamo.not_compiling
original = None  # torch.nn.Module.__call__ of PyTorch.
entries = None  # Names.entries.
push = None
pop = None
count = itertools.count().__next__  # Outermost module calls of this process.
_watch = None  # The Watch that does what is not needed in every call.


def call_module(self, *args, **kwargs):
    # The profiler of PyTorch finds the module in the local variable `self` of this frame.
    if is_compiling():
        return original(self, *args, **kwargs)
    end = failure = None
    mode = local.state.mode
    if mode == RANGES:
        entry = entries.get(id(self))
        if entry is None or entry.ref() is not self:
            entry = name_unknown(self)
        if entry is not None and entry.handle is not None:
            push(entry.handle)
            end = pop
    elif mode != QUIET:
        end = enter(self)
    try:
        if kwargs or len(args) != 1:
            return original(self, *args, **kwargs)
        return original(self, args[0])  # The same without a new tuple: 100 ns less.
    except BaseException as error:
        failure = type(error).__name__
        hide_frame(error)
        raise
    finally:
        if end is not None:
            if end is pop:
                pop()
            else:
                leave(end, failure)


def name_unknown(module):
    """The Entry of a module without a name; None if it cannot have one."""
    callback = dynamo.suspend()
    try:
        return _watch.names.name_unknown(module, call_module.__code__)
    except Exception as error:
        _watch.failed(error)
        return None
    finally:
        dynamo.resume(callback)


def enter(module):
    """Begins an outermost module call, or one in a profiled call. Returns the function
    that ends it, which takes the name of the exception; None: nothing to end."""
    callback = dynamo.suspend()
    state = local.state
    before = state.save()
    try:
        if state.mode == ANNOTATED:
            return _watch.begin_inner(module)
        return _watch.begin_outermost(module, callback is not None)
    except BaseException as error:
        undo(state, before)
        if not isinstance(error, Exception):
            raise
        _watch.failed(error)
        return None
    finally:
        dynamo.resume(callback)


def undo(state, before):
    """Forgets a call that could not begin, or whose begin a signal interrupted."""
    if before[1] is None:  # No call was active: a profile is of the one that began.
        _watch.calls.abandon()
    state.restore(before)


def leave(end, failure):
    callback = dynamo.suspend()
    try:
        end(failure)
    except Exception as error:
        _watch.failed(error)
    finally:
        dynamo.resume(callback)


def install(module_class, watch):
    """Replaces __call__ of torch.nn.Module."""
    global original, entries, push, pop, _watch
    original = module_class.__call__
    entries = watch.names.entries
    _watch = watch
    if watch.marks.ranges is not None:
        push = watch.marks.ranges.push
        pop = watch.marks.ranges.pop
    # Dynamo decides by __name__ how to wrap a frame; pickle finds the function by the
    # qualified name, which the original has as _call_impl or _wrapped_call_impl.
    for attribute in ("__module__", "__name__", "__doc__", "__annotations__"):
        setattr(call_module, attribute, getattr(original, attribute))
    call_module.__qualname__ = "Module.__call__"
    hide_code(call_module.__code__)
    for function in (call_module, name_unknown, enter, leave, hide_frame):
        dynamo.skip(function)
    for state_class in (type(local), type(local.state)):
        dynamo.skip(state_class.__init__)
    module_class.__call__ = call_module


def compiler_imported(compiler):
    global is_compiling
    is_compiling = dynamo.find_is_compiling(compiler)


def forked():
    global count
    count = itertools.count().__next__
    if _watch is not None:
        _watch.forked()


class Watch:
    """What an outermost module call, or a call in a profile, does besides running."""

    def __init__(self, names, marks, calls, describe, failed, torch):
        self.names = names
        self.marks = marks
        self.calls = calls
        self.failed = failed
        self._compiled = set()  # (Root, path)
        self._describe = describe
        self._torch = torch
        self._inside = QUIET if marks.ranges is None else RANGES
        self.forked()

    def forked(self):
        """The thread that held the lock does not exist in the child."""
        self._naming = _thread.RLock()

    def begin_inner(self, module):
        entry = self.names.find(module)
        if entry is None:
            entry = name_unknown(module)
        if entry is None or not entry.is_marked:
            return None
        self.calls.count_annotation()
        annotation = self.marks.open(entry.label, True)
        return lambda failure: self.marks.close(annotation)

    def begin_outermost(self, module, is_compiled):
        if type(module).__name__ == "OptimizedModule":
            return None  # Calls the module that it wraps, which is the outermost then.
        count()
        torch_c = self._torch._C
        if torch_c._get_tracing_state() is not None:
            return None
        state = local.state
        is_replica = getattr(module, "_is_replica", False)  # Of DataParallel.
        entry = self.names.find(module)
        if entry is None:
            entry = self._add_root(module, is_replica)
        if entry.path is not None and (is_compiled or self._is_captured()):
            self._compiled.add((entry.root, entry.path))
        call = state.call
        own_call = None
        root = entry.root
        is_call = (
            call is None
            and root is not None
            and root.has_tensors
            and not is_replica
            and not _in_backward(torch_c)
            and self.calls.wants("forward")
        )
        if is_call:
            call = own_call = self.calls.begin(
                state, "forward", type(module).__name__ + ".forward"
            )
        if call is not None:
            call.forwards += 1
            if call.root is None and root is not None:
                call.root = root.number
        tokens = state.tokens
        if tokens is not None:
            tokens.forward_begins(module)
        annotate = state.is_profiled
        state.mode = ANNOTATED if annotate else self._inside
        mark = self.marks.open(entry.label, annotate) if entry.is_marked else None
        is_marked = entry.is_marked

        def end(failure):
            state.mode = OUTSIDE
            if is_marked:
                self.marks.close(mark)
            if tokens is not None:
                tokens.forward_ends(module)
            if own_call is not None:
                self.calls.end(state, own_call, failure)
            else:
                self.calls.forward_ended(state)

        return end

    def _is_captured(self):
        """Whether a CUDA graph is being captured: replaying it calls no module."""
        cuda = self._torch.cuda
        return cuda.is_initialized() and cuda.is_current_stream_capturing()

    def _add_root(self, module, is_replica):
        with self._naming:
            entry = self.names.find(module)
            if entry is not None:
                return entry  # Named by another thread.
            root, tree, contained = self.names.add_root(module)
            if root.has_tensors and not is_replica:
                self._describe(root, tree, contained)
            return self.names.find(module)

    def compiled_paths(self):
        """Paths of the outermost modules whose inside was one range: compiled, scripted."""
        script = getattr(getattr(self._torch, "jit", None), "ScriptModule", ())
        found = set(self._compiled)
        for entry in list(self.names.entries.values()):
            module = entry.ref()
            if module is None or entry.path is None:
                continue
            if (
                getattr(module, "_compiled_call_impl", None) is not None
                or isinstance(module, script)
                or type(module).__name__ == "OptimizedModule"
            ):
                found.add((entry.root, entry.path))
        return sorted({path for root, path in found if not _has_ancestor(root, path, found)})


def _has_ancestor(root, path, found):
    parts = path.split(".") if path else []
    return any((root, ".".join(parts[:i])) in found for i in range(len(parts)))


def _in_backward(torch_c):
    """Whether autograd is running: activation checkpoints call modules again."""
    task = getattr(torch_c, "_current_graph_task_id", None)
    return task is not None and task() != -1


def outermost_calls():
    """Outermost module calls so far. Counts one more, so it is asked once, at the end."""
    return count()
