"""Signal handlers of the program that raise: their exceptions can arrive in our code."""
import _thread
import sys


def _handlers():
    """(number, handler) of signals with a handler in Python."""
    signal = sys.modules.get("signal")
    if not hasattr(signal, "valid_signals"):  # Not imported; Python 3.7.
        return []
    found = [(number, signal.getsignal(number)) for number in signal.valid_signals()]
    return [(number, handler) for number, handler in found if callable(handler)]


def is_from_signal(error):
    """Whether a signal handler of the program raised this while our code was running: it
    is not an error of ours, and the program waits for it."""
    codes = {getattr(handler, "__code__", None) for _, handler in _handlers()}
    entry = error.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code in codes:
            return True
        entry = entry.tb_next
    return False


class Deferred:
    """Holds back signals with a handler in Python, which run on the main thread: starting
    and stopping PyTorch's profiler must not end halfway."""

    def __enter__(self):
        self._mask = None
        threading = sys.modules.get("threading")
        if threading is None or threading.main_thread().ident != _thread.get_ident():
            return
        numbers = [number for number, _ in _handlers()]
        if numbers:
            signal = sys.modules["signal"]
            self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)

    def __exit__(self, *_):
        if self._mask is not None:
            signal = sys.modules["signal"]
            signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
