"""The shared library: loading it, its errors as exceptions, and long calls that can be watched and interrupted.

ctypes lets go of the interpreter's lock during every call. A long call made by the main thread runs in a thread of its own, while the main
thread waits where signals reach it: Ctrl-C raises the library's interrupt flag, the call returns its best result, and KeyboardInterrupt
goes on to the caller.
"""
from __future__ import annotations

import _thread
import ctypes
import operator
import os
import tempfile
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, Callable, Container, Optional

from . import _abi as abi

PROGRESS_SECONDS = 0.1  # between two calls of a progress function: as fast as an eye follows, and nothing beside the search

# ---- errors ------------------------------------------------------------------------------------------------------------


class Error(Exception):
    """A call failed; the text is the program's own."""

    wrong: Optional[tuple[str, str, Any]] = None  # of an argument: name, expected value, value

    def __reduce__(self) -> Any:
        return type(self), self.args  # the value may be one that cannot be pickled


class InputError(Error, ValueError):
    """A file or data are wrong; the text names the item."""


class ArgumentError(Error, ValueError):
    """An argument is outside its range."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument is of a wrong type: no number where numbers are expected."""


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class SizeError(Error):
    """The problem is too large for the limits set."""


_CLASSES = {
    abi.VOUCH_ERROR_INPUT: InputError,
    abi.VOUCH_ERROR_ARGUMENT: ArgumentError,
    abi.VOUCH_ERROR_MEMORY: OutOfMemoryError,
    abi.VOUCH_ERROR_IO: FileError,
    abi.VOUCH_ERROR_SIZE: SizeError,
}


def check(status: int, error: Optional[abi.vouch_error] = None, what: str = "") -> None:
    """Raises the exception of a status other than OK; `what`: text if the library has none."""
    if status == abi.VOUCH_OK:
        return
    text = error.text.decode(errors="replace") if error is not None else ""
    raise _CLASSES.get(status, Error)(text or what or lib.vouch_status_text(status).decode())


# ---- arguments ---------------------------------------------------------------------------------------------------------
#
# Every number and every object goes to C through to_c: as an argument of a function, or into a field of a struct.


def _range(kind: Any) -> tuple[int, int]:
    bits = 8 * ctypes.sizeof(kind)
    return (-2**(bits - 1), 2**(bits - 1) - 1) if kind(-1).value < 0 else (0, 2**bits - 1)


_RANGES = {kind: _range(kind) for kind in (ctypes.c_int, ctypes.c_uint, ctypes.c_longlong, ctypes.c_ulonglong, ctypes.c_int64, ctypes.c_uint64, ctypes.c_size_t)}


def shown(value: object) -> str:
    """The value as a message shows it."""
    try:
        long = repr(value)
    except Exception:  # ints of more digits than Python converts, objects half made
        long = f"<{type(value).__name__}>"
    return long if len(long) <= 100 else long[:99] + "\N{HORIZONTAL ELLIPSIS}"


def wrong(name: str, expected: str, value: object, kind: type[Error] = ArgumentTypeError) -> Error:
    error = kind(f"{name}: expected {expected}, found {shown(value)}")
    error.wrong = name, expected, value
    return error


_ELSEWHERE = {"reset": "vouch.Environment(model, name) plays an environment", "step": "vouch.Environment(model, name) plays an environment",
              "predict": "vouch.Agent(model), plan.follow() and plan.action(*history) choose actions", "learn": "vouch.plan(model) plans"}


def no_attribute(x: object, name: str) -> AttributeError:
    """For what gymnasium and libraries of learning have in this place."""
    there = _ELSEWHERE.get(name)
    return AttributeError(f"{type(x).__name__!r} object has no attribute {name!r}" + (f"; {there}" if there else ""))


def is_masked(value: object) -> bool:
    """A masked array of numpy, or an element that is masked: without its mask it is another value."""
    return "numpy.ma" in type(value).__module__


def is_word(value: Any, words: Container[Any]) -> bool:
    """An array compares item by item, so that it may seem to be in any list."""
    return (value is None or isinstance(value, str)) and value in words


def whole(value: Any) -> int:
    """An int, an integer or bool of numpy, or another object with __index__; else TypeError."""
    if is_masked(value):
        raise TypeError("masked")
    return int(value) if type(value).__name__.startswith("bool") else operator.index(value)


def real(value: Any) -> float:
    """A number as a float; else TypeError."""
    if is_masked(value) or isinstance(value, (str, bytes)) or not (hasattr(value, "__float__") or hasattr(value, "__index__")) or getattr(value, "imag", False):
        raise TypeError("not a real number")
    return float(value)


def to_c(value: Any, kind: Any, name: str) -> Any:
    """The value as an argument or field of this type; an error names it."""
    if kind in _RANGES:
        low, high = _RANGES[kind]
        try:
            number = value if type(value) is int else whole(value)
        except Exception:
            raise wrong(name, "a whole number", value) from None
        if not low <= number <= high:
            raise wrong(name, f"a whole number from {low} to {high}", value, ArgumentError)
        return number
    if kind is ctypes.c_double:
        try:
            return value if type(value) is float else real(value)
        except Exception:
            raise wrong(name, "a number", value) from None
    if isinstance(value, Handle):
        value = value._pointer
    if value is not None and not isinstance(value, kind):
        raise wrong(name, f"a {kind.__name__}", value)
    return value


def _is_checked(kind: Any) -> bool:
    return kind in _RANGES or kind is ctypes.c_double or (isinstance(kind, type) and issubclass(kind, ctypes.c_void_p) and kind is not ctypes.c_void_p)


def _checked(function: Any, parameters: list[tuple[str, Any]]) -> Any:
    """The function, with its arguments checked. An object that calls change is used by one call at a time."""
    places = [(i, kind, name) for i, (name, kind) in enumerate(parameters) if _is_checked(kind)]
    if not places:
        return function

    def call(*arguments: Any) -> Any:
        given, held = list(arguments), None
        try:
            for i, kind, name in places:
                owner = given[i]
                given[i] = to_c(owner, kind, name)
                if isinstance(owner, Handle) and owner._busy is not None:
                    if not owner._busy.acquire(blocking=False):
                        raise Error(f"this {type(owner).__name__} is in use by another call; give each thread one of its own")
                    held = owner._busy
            return function(*given)
        finally:
            if held is not None:
                held.release()

    return call


class _Library:
    """The functions of the shared library."""

    def __init__(self, library: ctypes.CDLL) -> None:
        functions: dict[str, Any] = dict(abi.FUNCTIONS)
        for name, (result, parameters) in functions.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, [kind for _, kind in parameters]
            setattr(self, name, _checked(function, parameters))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            ...


def _check_fields(struct: Any) -> None:
    """Enables checks of values assigned to fields of the struct or passed to its constructor."""
    kinds = {name: kind for name, kind in struct._fields_ if _is_checked(kind)}

    def assign(self: Any, name: str, value: Any) -> None:
        ctypes.Structure.__setattr__(self, name, to_c(value, kinds[name], name) if name in kinds else value)

    struct.__setattr__ = assign


for _struct in list(vars(abi).values()):
    if hasattr(_struct, "_fields_"):
        _check_fields(_struct)

lib = _Library(ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libvouch.so")))
version: str = lib.vouch_version().decode()
if version != abi.VOUCH_VERSION:
    raise ImportError(f"libvouch.so is of version {version}, the package of {abi.VOUCH_VERSION}")


def limit_memory(size: Optional[int] = None) -> None:
    """The most bytes that all the library holds in this process may take. A plan that would take more ends as at any other limit, with the best
    policy found; other calls raise OutOfMemoryError. 0: no limit; None, as at the start: 3/4 of the memory of the machine or its control group."""
    lib.vouch_set_memory_limit(_RANGES[ctypes.c_size_t][1] if size is None else size)


# ---- objects -----------------------------------------------------------------------------------------------------------


def field(struct: Any, name: str) -> Any:
    """The type of a field of a struct."""
    return {each[0]: each[1] for each in struct._fields_}[name]


class Handle:
    """Owns an object of the library, which is freed with it, or is a part of its keeper's. Copied and pickled by its file, if there is one."""

    _pointer: Any
    _busy: Optional[threading.Lock] = None  # of an object that calls change
    _instead = "make it anew"

    def _own(self, pointer: ctypes.c_void_p, free: Callable[[Any], None], keeper: Optional["Handle"] = None) -> None:
        self._pointer = pointer
        self._keeper = keeper
        if keeper is None:
            weakref.finalize(self, free, pointer).atexit = False  # a thread that goes on until the process ends may still use it

    def _source(self) -> tuple[Any, ...]:
        """Before the file: the other arguments of read."""
        return ()

    def __reduce__(self) -> Any:
        write = getattr(self, "write", None)
        if write is None:
            raise TypeError(f"a vouch.{type(self).__name__} cannot be pickled or copied; {self._instead}")
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "written.json")
            write(file)
            with open(file, "rb") as written:
                return _read_again, (type(self), self._source(), written.read())


def _read_again(kind: Any, source: tuple[Any, ...], written: bytes) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "written.json")
        with open(file, "wb") as out:
            out.write(written)
        return kind.read(*source, file)


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode(errors="surrogateescape")


def _without_nul(encoded: bytes, value: object, name: str) -> bytes:
    if b"\0" in encoded:  # where C would see its end
        raise wrong(name, "no NUL character", value, ArgumentError)
    return encoded


def encode(value: str, name: str = "a name") -> bytes:
    if not isinstance(value, str):
        raise wrong(name, "a string", value)
    return _without_nul(value.encode(errors="surrogateescape"), value, name)


def path(value: Any) -> bytes:
    return _without_nul(os.fsencode(os.fspath(value)), value, "file")


def array_of(pointer: Any, shape: tuple[Any, ...], owner: object) -> Any:
    """A numpy array over memory of the library, without a copy; it keeps the owner alive. Not to be written to."""
    import numpy

    count = 1
    for n in shape:
        count *= n
    if count == 0:
        return numpy.empty(shape, numpy.dtype(pointer._type_))
    buffer = ctypes.cast(pointer, ctypes.POINTER(pointer._type_ * count)).contents
    buffer.owner = owner
    array = numpy.frombuffer(buffer, numpy.dtype(pointer._type_)).reshape(shape)
    array.flags.writeable = False
    return array


# ---- long calls --------------------------------------------------------------------------------------------------------


class LongCall:
    """A call that may take long: its interrupt flag, its callbacks, and the exceptions raised in them."""

    def __init__(self) -> None:
        self.flag = ctypes.c_int(0)
        self._raised: Optional[BaseException] = None
        self._callbacks: list[Any] = []
        self._next = 0.0

    def limit(self, limits: abi.vouch_limits, seconds: Optional[float], iterations: Optional[int] = None, nodes: Optional[int] = None) -> None:
        """Fills in limits; None: no limit."""
        for name, value in (("seconds", seconds), ("iterations", iterations), ("nodes", nodes)):
            if value is not None and not value > 0:
                raise ArgumentError(f"the limit of {name} is {value}; expected a positive number, or None for no limit")
            setattr(limits, name, 0 if value is None else value)
        limits.interrupt = ctypes.pointer(self.flag)

    def keep(self, array: Any) -> Any:
        """The array, which lives as long as the call."""
        self._callbacks.append(array)
        return array

    def callback(self, kind: Any, function: Callable[..., Any], every: float = 0) -> Any:
        """`function` as a callback of the library of this kind, called at most once in `every` seconds. When it returns True the call ends with
        what it has; when it raises, the call ends and the exception goes on to the caller."""

        def call(context: Any, *arguments: Any) -> None:
            if every:
                now = time.monotonic()
                if now < self._next:
                    return
                self._next = now + every
            try:
                if function(*arguments) is True:
                    self.flag.value = 1
            except BaseException as raised:
                self._raised = self._raised or raised
                self.flag.value = 1

        made = kind(call)
        self._callbacks.append(made)
        return made

    def log(self, log: abi.vouch_log, function: Optional[Callable[[str], Any]]) -> None:
        """Lines of the log go to `function`."""
        if function is not None:
            write: Callable[[str], Any] = function
            log.write = self.callback(field(abi.vouch_log, "write"), lambda level, line: write(text(line)))
            log.level = abi.VOUCH_LOG_INFO

    def run(self, function: Callable[..., int], *arguments: Any, short: bool = False) -> int:
        """Calls, and returns the status. Exceptions of callbacks and signals are re-raised after the call. short: the call ends before anyone
        would interrupt it, and needs no thread of its own, which costs some 60 microseconds."""
        self.flag.value = 0
        self._raised = None
        self._next = 0.0
        if not short and threading.current_thread() is threading.main_thread():
            status = self._run_aside(function, arguments)
        else:
            status = function(*arguments)
        if self._raised is not None:
            raise self._raised
        return status

    def _run_aside(self, function: Callable[..., int], arguments: tuple[Any, ...]) -> int:
        token, done = threading.Lock(), threading.Lock()  # who takes the token first decides whether the call is made
        ended: list[Any] = []
        done.acquire()

        def work() -> None:
            if token.acquire(blocking=False):
                try:
                    ended.append(function(*arguments))
                except BaseException as raised:
                    self._raised = raised
                    ended.append(abi.VOUCH_OK)
                done.release()

        try:
            _thread.start_new_thread(work, ())
            done.acquire()
        except BaseException:
            if not token.acquire(blocking=False):
                self.flag.value = 1
                while not ended:
                    try:
                        done.acquire(timeout=PROGRESS_SECONDS)
                    except KeyboardInterrupt:
                        pass
            raise
        return int(ended[0])
