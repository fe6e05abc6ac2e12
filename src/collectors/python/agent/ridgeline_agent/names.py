"""Paths of modules, as `blocks.0.attn`, by identity.

The module that is called first, outside of any other, is a root: its tree is walked once.
Nothing is stored on modules (they are pickled, copied and guarded by Dynamo) and they are
not hashed (a class with __eq__ has no hash).
"""
import sys
import weakref

# Children through which a wrapper calls what it wraps; not part of a path.
_WRAPPED_NAMES = {
    "_orig_mod",
    "_fsdp_wrapped_module",
    "_fpw_module",
    "_checkpoint_wrapped_module",
}
_WRAPPER_CLASSES = {"DataParallel", "DistributedDataParallel", "DeepSpeedEngine"}
_MAX_SEARCHES = 3  # Of one parent's tree for modules that are not in it.


class Root:
    """A module that was called outside of any other."""

    __slots__ = ("number", "ref", "class_name", "has_tensors")

    def __init__(self, number, module, has_tensors):
        self.number = number
        self.ref = weakref.ref(module)
        self.class_name = type(unwrapped(module)).__name__
        self.has_tensors = has_tensors


class Entry:
    """The name of one module. `handle` is its range; None: it is not marked."""

    __slots__ = ("ref", "path", "label", "root", "handle", "is_marked", "searches")

    def __init__(self, ref, path, label, root):
        self.ref = ref
        self.path = path
        self.label = label
        self.root = root
        self.handle = None
        self.is_marked = True
        self.searches = 0


class _Reference(weakref.ref):
    __slots__ = ("key",)


def children_of(module):
    children = getattr(module, "_modules", None)
    return list(children.items()) if children is not None else []


def wrapped_by(module):
    """The module that a wrapper (DataParallel, FSDP, torch.compile) calls; else None."""
    for key, child in children_of(module):
        if child is None:
            continue
        if key in _WRAPPED_NAMES:
            return child
        if key == "module" and type(module).__name__ in _WRAPPER_CLASSES:
            return child
    return None


def unwrapped(module):
    inner = wrapped_by(module)
    while inner is not None:
        module, inner = inner, wrapped_by(inner)
    return module


def walk(module):
    """(path, module, is wrapper, aliases) of a tree, parents first, each module once."""
    found = []
    aliases_of = {}
    pending = [("", module)]
    while pending:
        path, current = pending.pop()
        aliases = aliases_of.get(id(current))
        if aliases is not None:
            aliases.append(path)
            continue
        inner = wrapped_by(current)
        aliases = aliases_of[id(current)] = []
        found.append((path, current, inner is not None, aliases))
        for key, child in reversed(children_of(current)):
            if child is not None:
                below = path if child is inner else path + "." + key if path else key
                pending.append((below, child))
    return found


class Names:
    def __init__(self, choose_mark):
        self.entries = {}  # id(module) to Entry.
        self._choose_mark = choose_mark  # Sets handle and is_marked of an Entry.
        self._roots = 0

    def find(self, module):
        entry = self.entries.get(id(module))
        return entry if entry is not None and entry.ref() is module else None

    def add_root(self, module):
        """Names the tree of a root. Returns (Root, its tree, numbers of former roots that
        it contains and whose modules now have longer paths)."""
        tree = walk(module)
        inside = {id(current) for _, current, _, _ in tree}
        former = {}
        for _, current, _, _ in tree:
            entry = self.find(current)
            if entry is not None and entry.root is not None:
                former[entry.root] = id(entry.root.ref()) in inside
        has_tensors = any(_has_tensors(current) for _, current, _, _ in tree)
        if has_tensors:
            self._roots += 1
        root = Root(self._roots if has_tensors else None, module, has_tensors)
        for path, current, is_wrapper, _ in tree:
            entry = self.find(current)
            # A part shared with a root that is not inside keeps its name.
            if entry is None or entry.root is None or former[entry.root]:
                self._add(current, path, root, is_wrapper)
        contained = sorted(r.number for r, is_in in former.items() if is_in and r.number)
        return root, tree, contained

    def name_unknown(self, module, call_code):
        """Names a module that was added after its root was walked, by the module that is
        calling it; a module that belongs to none is named by its class."""
        parent = _calling_module(call_code)
        entry = self.find(parent) if parent is not None else None
        path = None
        if entry is not None and entry.searches < _MAX_SEARCHES:
            path = next((p for p, m, _, _ in walk(parent) if m is module), None)
            if path is None:
                entry.searches += 1  # nn.ReLU()(x) in forward: new in every call.
            elif entry.path:
                path = entry.path + "." + path
        root = entry.root if entry is not None else None
        return self._add(module, path, root, wrapped_by(module) is not None)

    def _add(self, module, path, root, is_wrapper):
        key = id(module)
        reference = _Reference(module, self._forget)
        reference.key = key
        entry = Entry(reference, path, path or type(module).__name__, root)
        if is_wrapper:
            entry.is_marked = False
        else:
            self._choose_mark(entry)
        self.entries[key] = entry
        return entry

    def _forget(self, reference):
        entry = self.entries.get(reference.key)
        if entry is not None and entry.ref is reference:
            self.entries.pop(reference.key, None)


def _has_tensors(module):
    for table in ("_parameters", "_buffers"):
        for _, tensor in list((getattr(module, table, None) or {}).items()):
            if tensor is not None:
                return True
    return False


def _calling_module(call_code):
    """`self` of the nearest call of a module above the one being entered."""
    frame = sys._getframe(1)
    seen = 0
    while frame is not None:
        if frame.f_code is call_code:
            seen += 1
            if seen == 2:
                return frame.f_locals.get("self")
        frame = frame.f_back
    return None
