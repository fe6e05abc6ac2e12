"""The description of a root module: its tree, its tensors, its configuration."""
from .names import unwrapped
from .signals import is_from_signal

MAX_MODELS = 64
MAX_CONFIG_VALUES = 5000
MAX_TEXT = 2000


class Describer:
    def __init__(self, output, failed, is_wanted):
        self._output = output
        self._failed = failed
        self._left = MAX_MODELS if is_wanted else 0

    def describe(self, root, tree, contained):
        """Writes the model line of a root; `contained`: roots that are parts of it."""
        if self._left == 0:
            return
        self._left -= 1
        try:
            model = unwrapped(root.ref())
            self._output.write(
                "model",
                root=root.number,
                contains=contained,
                **{"class": type(model).__name__},
                module=type(model).__module__,
                config=_config(model),
                modules=[
                    {"path": path, "class": type(module).__name__, "aliases": aliases}
                    for path, module, is_wrapper, aliases in tree
                    if not is_wrapper
                ],
                tensors=_tensors(tree)
            )
        except Exception as error:
            self._failed(error)


def _tensors(tree):
    found = []
    names = {}  # id(tensor) to the first name.
    for path, module, _, _ in tree:
        for kind, table in (("parameter", "_parameters"), ("buffer", "_buffers")):
            for key, tensor in list((getattr(module, table, None) or {}).items()):
                if tensor is None:
                    continue
                name = path + "." + key if path else key
                row = {"name": name, "kind": kind}
                row.update(_tensor_fields(tensor))
                row["tied_to"] = names.setdefault(id(tensor), name)
                if row["tied_to"] == name:
                    row["tied_to"] = None
                found.append(row)
    return found


def _tensor_fields(tensor):
    device = str(tensor.device)
    try:
        shape = [int(size) for size in tensor.shape]
        numel = int(tensor.numel())
        size = numel * int(tensor.element_size())
    except (RuntimeError, ValueError, AttributeError):  # UninitializedParameter.
        shape, numel, size = None, 0, 0
    return {
        "shape": shape,
        "dtype": str(tensor.dtype).replace("torch.", ""),
        "device": device,
        "numel": numel,
        "bytes": 0 if device == "meta" else size,
        "requires_grad": bool(tensor.requires_grad),
    }


def _config(model):
    config = getattr(model, "config", None)
    if config is None:
        return None
    to_dict = getattr(config, "to_dict", None)
    try:
        if callable(to_dict):
            config = to_dict()
        elif not isinstance(config, dict):
            config = dict(vars(config))
    except Exception as error:
        if is_from_signal(error):
            raise
        return None  # A `config` that is something else.
    return _plain(config, [MAX_CONFIG_VALUES]) if isinstance(config, dict) else None


def _plain(value, left, depth=0):
    """The value in JSON's types, cut at limits that no configuration of a model reaches."""
    left[0] -= 1
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return value[:MAX_TEXT]
    if depth > 8 or left[0] < 0:
        return None
    if isinstance(value, dict):
        return {str(k): _plain(v, left, depth + 1) for k, v in list(value.items())}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item, left, depth + 1) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return _plain(dict(vars(value)), left, depth + 1)
    return str(value)[:MAX_TEXT]
