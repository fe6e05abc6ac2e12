"""Keeps the agent's frames out of the tracebacks of user programs."""
import sys

_OURS = set()  # Code objects of wrappers.


def hide_code(code):
    """Names a wrapper whose frames hide_frame() removes."""
    _OURS.add(code)


if sys.version_info >= (3, 11):

    def hide_frame(error):
        """Called in `except BaseException as error:` before a bare `raise`, which takes the
        traceback from the exception: its first entry is the wrapper's frame."""
        error.__traceback__ = error.__traceback__.tb_next

else:

    def hide_frame(error):
        """Before Python 3.11 a bare `raise` restores the entry of its own frame, but inner
        wrappers can be unlinked: one frame of the agent remains, the outermost."""
        entry = error.__traceback__
        while entry is not None and entry.tb_next is not None:
            if entry.tb_next.tb_frame.f_code in _OURS:
                entry.tb_next = entry.tb_next.tb_next
            else:
                entry = entry.tb_next
