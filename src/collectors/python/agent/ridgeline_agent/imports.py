"""Calls a function when a module has been imported, without importing it.

A finder in front of `sys.meta_path` recognizes the watched names, lets the other finders
find them, and hands out a loader that calls back after the module has run. The module
gets its own loader back before it runs, so that importlib.resources, reload() and
pickles see nothing of this. Nothing is imported inside the finder (import locks).
"""
import sys

from .tracebacks import hide_frame


class _Loader:
    def __init__(self, loader, finder):
        self._loader = loader
        self._finder = finder

    def create_module(self, spec):
        create = getattr(self._loader, "create_module", None)
        return create(spec) if create is not None else None

    def exec_module(self, module):
        module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        try:
            self._loader.exec_module(module)
        except BaseException as error:
            hide_frame(error)
            raise
        self._finder.imported(module.__name__, module)


class Finder:
    def __init__(self, failed):
        self._watched = {}  # Name of a module to the functions that want it.
        self._failed = failed

    def watch(self, name, callback):
        """Calls callback(module) once: now if `name` has been imported, or else then."""
        module = sys.modules.get(name)
        spec = getattr(module, "__spec__", None)
        if module is not None and not getattr(spec, "_initializing", False):
            self._call(callback, module)
            return
        self._watched.setdefault(name, []).append(callback)
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def find_spec(self, name, path=None, target=None):
        if name not in self._watched:
            return None
        for finder in list(sys.meta_path):
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None else None
            if spec is not None:
                break
        else:
            return None
        if hasattr(spec.loader, "exec_module"):
            spec.loader = _Loader(spec.loader, self)
        return spec

    def imported(self, name, module):
        callbacks = self._watched.pop(name, [])
        if not self._watched:
            try:
                sys.meta_path.remove(self)
            except ValueError:
                pass  # The program replaced sys.meta_path.
        for callback in callbacks:
            self._call(callback, module)

    def _call(self, callback, module):
        try:
            callback(module)
        except Exception as error:
            self._failed(error)
