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
    """Holds back handlers of signals until the end of a `with` block: starting and
    stopping PyTorch's profiler must not end halfway. Handlers run on the main thread,
    whichever thread gets the signal, so blocking signals would not do."""

    def __enter__(self):
        self._replaced = []  # (number, handler)
        self._held = []  # (number, frame)
        threading = sys.modules.get("threading")
        if threading is None or threading.main_thread().ident != _thread.get_ident():
            return
        try:
            for number, handler in _handlers():
                sys.modules["signal"].signal(number, self._hold)
                self._replaced.append((number, handler))
        except BaseException:
            self._put_back()
            raise

    def __exit__(self, *_):
        self._put_back()
        handlers = dict(self._replaced)
        for number, frame in self._held:
            handlers[number](number, frame)

    def _hold(self, number, frame):
        self._held.append((number, frame))

    def _put_back(self):
        for number, handler in self._replaced:
            sys.modules["signal"].signal(number, handler)
