"""The agent's output: one file of JSON lines per process, `process-<pid>.jsonl`.

Every line is written with open, one write(2) and close. No descriptor stays open that a
fork could share or that a program which closes all descriptors could replace by its own.
Only modules that the interpreter has loaded anyway are imported here (`_json` is built
in): a process that never imports PyTorch must not pay for the agent.
"""
import _json
import os
import sys
import time

from .signals import is_from_signal

SCHEMA_VERSION = 1
MAX_PROBLEMS = 50
_LINE_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)


def _quote(text):
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # Undecodable bytes of a path, kept as lone surrogates.
        text = text.encode("utf-8", "replace").decode("utf-8")
    return _json.encode_basestring_ascii(text)


def to_json(value):
    """JSON of None, bool, int, float, str, dict, list and tuple; others by their str()."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        text = float.__repr__(value)
        return _quote(text) if text in ("nan", "inf", "-inf") else text
    if isinstance(value, dict):
        items = [_quote(str(key)) + ": " + to_json(item) for key, item in value.items()]
        return "{" + ", ".join(items) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([to_json(item) for item in value]) + "]"
    return _quote(str(value))


class _Decoder:
    """What `_json.make_scanner` asks of its context."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo = {}


def read_json(path):
    # Not TextIOWrapper: it would import the locale's codec.
    file = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        chunks = []
        while True:
            chunk = os.read(file, 1 << 16)
            if not chunk:
                break
            chunks.append(chunk)
    finally:
        os.close(file)
    text = b"".join(chunks).decode("utf-8").strip()
    return _json.make_scanner(_Decoder())(text, 0)[0]


class Output:
    """Writes events; a failure to write is ignored, because the program goes on."""

    def __init__(self, folder):
        self._folder = folder
        self._pid = None  # Of the process whose file has a start line.
        self._ends_in_line = False  # A full disk cut the last line short.
        self._ranks = None  # That were written last.
        self._problems = set()

    def trace_path(self):
        return os.path.join(self._folder, "trace-%d.json" % os.getpid())

    def write(self, event, **fields):
        if self._pid != os.getpid():
            self.start()
        ranks = _ranks()
        if ranks != self._ranks and ranks["rank"] is not None:
            self._ranks = ranks
            self._write_line("rank", ranks)
        self._write_line(event, fields)

    def problem(self, name, text):
        """Writes a problem once; a program that has it in every call is not to blame."""
        if (name, text) in self._problems or len(self._problems) >= MAX_PROBLEMS:
            return
        self._problems.add((name, text))
        self.write("problem", name=name, text=text)

    def start(self):
        """Writes the start line; after a fork, write() does so before the first line."""
        self._pid = os.getpid()
        self._ends_in_line = False
        self._problems.clear()
        self._ranks = _ranks()
        line = {
            "schema_version": SCHEMA_VERSION,
            "pid": self._pid,
            "ppid": os.getppid(),
            "time_unix_ns": int(time.time() * 1e9),  # No time_ns() in Python 3.6.
            "python": "%d.%d.%d" % sys.version_info[:3],
            "implementation": sys.implementation.name,
            "executable": sys.executable,
            "argv": list(getattr(sys, "argv", None) or _arguments()),
        }
        line.update(self._ranks)
        self._write_line("start", line)

    def _write_line(self, event, fields):
        try:
            line = {"event": event}
            line.update(fields)
            data = to_json(line).encode("ascii") + b"\n"
            if self._ends_in_line:
                data = b"\n" + data
            path = os.path.join(self._folder, "process-%d.jsonl" % self._pid)
            file = os.open(path, _LINE_FLAGS, 0o644)
            try:
                while data:
                    written = os.write(file, data)
                    data = data[written:]
                    self._ends_in_line = bool(data)
            finally:
                os.close(file)
        except OSError as error:
            # Full disk, read-only directory, no free descriptor.
            if is_from_signal(error):
                raise


def _ranks():
    """Of a distributed program; None where it is none, or is not yet. Workers that were
    spawned learn theirs after Python has started, by a variable or an argument."""
    environ = os.environ
    ranks = {
        "rank": _number(environ.get("RANK")),
        "local_rank": _number(environ.get("LOCAL_RANK")),
        "world_size": _number(environ.get("WORLD_SIZE")),
    }
    distributed = sys.modules.get("torch.distributed")
    is_initialized = getattr(distributed, "is_initialized", None)
    try:
        if is_initialized is not None and is_initialized():
            ranks["rank"] = distributed.get_rank()
            ranks["world_size"] = distributed.get_world_size()
    except (AttributeError, RuntimeError, ValueError):
        pass  # Being imported, or shut down by another thread.
    return ranks


def _number(text):
    return int(text) if text and text.isdigit() else None


def _arguments():
    """The arguments of the process; sys.argv does not exist yet in sitecustomize."""
    original = getattr(sys, "orig_argv", None)  # Python 3.10 and later.
    if original:
        return original[1:]
    try:
        file = os.open("/proc/self/cmdline", os.O_RDONLY)
        try:
            data = os.read(file, 1 << 16)
        finally:
            os.close(file)
        return [os.fsdecode(word) for word in data.split(b"\0")[1:-1]]
    except OSError:
        return []
