"""Wraps functions other than Module.__call__: regions, and those of generate().

A wrapper has the name, the signature and the kind (coroutine, generator) of the function,
calls it exactly once, lets every exception pass, and leaves no frame in tracebacks.
`begin(args, kwargs)` returns the function that ends the part, end(failure, result), or
None; neither raises.
"""
import functools
import inspect

from . import dynamo, modules
from .calls import local
from .tracebacks import hide_code, hide_frame


def wrap(function, begin):
    if inspect.isasyncgenfunction(function):
        wrapper = _async_generator(function, begin)
    elif inspect.iscoroutinefunction(function):
        wrapper = _coroutine(function, begin)
    elif inspect.isgeneratorfunction(function):
        wrapper = _generator(function, begin)
    else:
        wrapper = _plain(function, begin)
    functools.update_wrapper(wrapper, function)
    hide_code(wrapper.__code__)
    for ours in (wrapper, _Part.__init__, _Part.__enter__, _Part.__exit__):
        dynamo.skip(ours)
    return wrapper


def _plain(function, begin):
    def wrapper(*args, **kwargs):
        if modules.is_compiling():
            return function(*args, **kwargs)
        end = begin(args, kwargs)
        failure = result = None
        try:
            result = function(*args, **kwargs)
            return result
        except BaseException as error:
            failure = type(error).__name__
            hide_frame(error)
            raise
        finally:
            if end is not None:
                end(failure, result)

    return wrapper


class _Part:
    """What the wrapper of a plain function does, for the others: they take longer."""

    def __init__(self, end):
        self._end = end
        self.result = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is not None:
            hide_frame(error)
        if self._end is not None:
            self._end(kind.__name__ if kind is not None else None, self.result)


def _coroutine(function, begin):
    async def wrapper(*args, **kwargs):
        with _Part(begin(args, kwargs)) as part:
            part.result = await function(*args, **kwargs)
            return part.result

    return wrapper


def _generator(function, begin):
    def wrapper(*args, **kwargs):
        with _Part(begin(args, kwargs)):
            return (yield from function(*args, **kwargs))

    return wrapper


def _async_generator(function, begin):
    async def wrapper(*args, **kwargs):
        with _Part(begin(args, kwargs)):
            values = function(*args, **kwargs)
            step = values.__anext__()
            while True:
                try:
                    value = await step
                except StopAsyncIteration:
                    return
                try:
                    sent = yield value
                except GeneratorExit:
                    await values.aclose()
                    raise
                except BaseException as error:
                    step = values.athrow(error)
                else:
                    step = values.asend(sent)

    return wrapper


def guarded(begin, failed):
    """`begin` and the function it returns, with their errors reported, and out of sight
    of torch.compile."""

    def end_guarded(end, failure, result):
        callback = dynamo.suspend()
        try:
            end(failure, result)
        except Exception as error:
            failed(error)
        finally:
            dynamo.resume(callback)

    def begin_guarded(args, kwargs):
        callback = dynamo.suspend()
        state = local.state
        before = state.save()
        try:
            end = begin(args, kwargs)
            return functools.partial(end_guarded, end) if end is not None else None
        except BaseException as error:
            modules.undo(state, before)
            if not isinstance(error, Exception):
                raise
            failed(error)
            return None
        finally:
            dynamo.resume(callback)

    dynamo.skip(end_guarded)
    dynamo.skip(begin_guarded)
    return begin_guarded
