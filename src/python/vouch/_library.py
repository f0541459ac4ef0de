"""The shared library: loading it, its errors as exceptions, and long calls that can be watched and interrupted.

ctypes lets go of the interpreter's lock during every call. A long call made by the main thread runs in a thread of its own, while the main
thread waits where signals reach it: Ctrl-C raises the library's interrupt flag, the call comes back with what it has, and KeyboardInterrupt
goes on to the caller.
"""
from __future__ import annotations

import _thread
import ctypes
import os
import threading
import time
import weakref
from typing import Any, Callable, Optional

from . import _abi as abi

PROGRESS_SECONDS = 0.1  # between two calls of a progress function: as fast as an eye follows, and nothing beside the search

lib = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libvouch.so"))
for _name, (_result, _parameters) in abi.FUNCTIONS.items():
    _function = getattr(lib, _name)
    _function.restype, _function.argtypes = _result, _parameters

version: str = lib.vouch_version().decode()
if version != abi.VOUCH_VERSION:
    raise ImportError(f"libvouch.so is of version {version}, the package of {abi.VOUCH_VERSION}")


# ---- errors ------------------------------------------------------------------------------------------------------------


class Error(Exception):
    """A call failed; the text is the program's own."""


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
    """Raises what a status other than OK means; `what`: where the library has no text of its own."""
    if status == abi.VOUCH_OK:
        return
    text = error.text.decode(errors="replace") if error is not None else ""
    raise _CLASSES.get(status, Error)(text or what or lib.vouch_status_text(status).decode())


def limit_memory(size: Optional[int] = None) -> None:
    """The most bytes that all the library holds in this process may take. A plan that would take more ends as at any other limit, with the best
    policy found; other calls raise OutOfMemoryError. 0: no limit; None, as at the start: 3/4 of what the machine or its control group has."""
    if size is not None and (not isinstance(size, int) or size < 0):
        raise ArgumentTypeError(f"limit_memory: expected a number of bytes, found {size!r}")
    lib.vouch_set_memory_limit(2 ** (8 * ctypes.sizeof(ctypes.c_size_t)) - 1 if size is None else size)


# ---- objects -----------------------------------------------------------------------------------------------------------


def field(struct: Any, name: str) -> Any:
    """The type of a field of a struct."""
    return {each[0]: each[1] for each in struct._fields_}[name]


class Handle:
    """Owns an object of the library, which is freed with it, or is a part of what its keeper owns."""

    def _own(self, pointer: ctypes.c_void_p, free: Callable[[int], None], keeper: Optional["Handle"] = None) -> None:
        self._pointer = pointer.value
        self._keeper = keeper
        if keeper is None:
            weakref.finalize(self, free, pointer.value or 0)


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode(errors="surrogateescape")


def encode(value: str) -> bytes:
    return value.encode(errors="surrogateescape")


def path(value: Any) -> bytes:
    return os.fsencode(os.fspath(value))


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
    """A call that may take long: its interrupt flag, its callbacks, and what was raised in them."""

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
        """Calls, and returns the status. What a callback or a signal raised is raised when the call has come back. short: the call ends before anyone
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
