"""Keeps the agent out of torch.compile.

The agent's wrapper is the outermost frame of `torch.compile(module)`. Dynamo would trace
into it: a graph break, or an error with fullgraph=True. So the wrappers' code is marked
as skipped (frames inside still compile), their first statement returns the original call
while Dynamo traces, and our other code runs with Dynamo's callback suspended.
"""
import sys

_eval_frame = None  # torch._C._dynamo.eval_frame, in PyTorch 2.0 and later.


def not_compiling():
    return False


def connect(torch_c):
    """Remembers the C functions; torch._dynamo need not be imported for them."""
    global _eval_frame
    _eval_frame = getattr(getattr(torch_c, "_dynamo", None), "eval_frame", None)
    skip(suspend)
    skip(resume)


def find_is_compiling(compiler):
    """The function that Dynamo folds to True while it traces, of torch.compiler (2.3 and
    later) or torch._utils (2.0 to 2.2)."""
    for name in ("is_dynamo_compiling", "is_compiling"):
        function = getattr(compiler, name, None)
        if function is not None:
            return function
    return not_compiling


def skip(function):
    """Tells Dynamo not to compile the frames of a function of ours."""
    if _eval_frame is None:
        return
    code = function.__code__
    if hasattr(_eval_frame, "set_code_exec_strategy"):  # 2.7 and later.
        action = _eval_frame._FrameAction
        strategy = _eval_frame._FrameExecStrategy(action.SKIP, action.DEFAULT)
        _eval_frame.set_code_exec_strategy(code, strategy)
    elif hasattr(_eval_frame, "skip_code"):
        _eval_frame.skip_code(code)


def suspend():
    """Switches Dynamo off for this thread until resume(), and returns its callback."""
    if _eval_frame is None or "torch._dynamo" not in sys.modules:
        return None
    return _eval_frame.set_eval_frame(None)


def resume(callback):
    if callback is not None:
        _eval_frame.set_eval_frame(callback)
