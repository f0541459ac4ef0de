"""Says which argument is of a wrong type, once a call has failed: what can stand for a number or a path is not refused beforehand."""
from __future__ import annotations

import ctypes
import functools
import inspect
import operator
import os
from typing import Any, Callable, Optional, TypeVar, cast

from ._library import ArgumentTypeError, Error

Function = TypeVar("Function", bound=Callable[..., Any])


def numbers(values: Any, name: str) -> Any:
    """An array of doubles."""
    import numpy

    try:
        return numpy.asarray(values, dtype=float)
    except (TypeError, ValueError) as wrong:
        raise ArgumentTypeError(f"{name}: expected numbers ({wrong})") from None


def _number(value: Any) -> Any:
    if isinstance(value, (str, bytes)):
        raise TypeError
    return float(value)


def _text(value: Any) -> Any:
    if not isinstance(value, str):
        raise TypeError


def _function(value: Any) -> Any:
    if not callable(value):
        raise TypeError


def _model(value: Any) -> Any:
    return value._pointer, value.environments


KINDS: dict[str, tuple[Callable[[Any], Any], str]] = {"int": (operator.index, "a whole number"), "float": (_number, "a number"), "str": (_text, "a string"), "Model": (_model, "a vouch.Model"),
         "Path": (os.fspath, "a path"), "Callable": (_function, "a function")}


def _wrong(name: str, annotation: str, value: Any) -> Optional[str]:
    """What is expected in its place; None: nothing is wrong, or the annotation is none of KINDS."""
    if annotation.startswith("Optional["):
        if value is None:
            return None
        annotation = annotation[len("Optional["):]
    kind = KINDS.get("Path" if name == "file" else annotation.partition("[")[0].rstrip("]"))
    try:
        if kind is not None:
            kind[0](value)
    except Exception:
        return kind[1] if kind is not None else None
    return None


def names_arguments(function: Function) -> Function:
    """Where the function fails by a TypeError or its like, and one of the arguments is not of its annotation's type, the error names it."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def named(*values: Any, **options: Any) -> Any:
        try:
            return function(*values, **options)
        except (TypeError, ValueError, AttributeError, ctypes.ArgumentError) as error:
            if isinstance(error, Error):
                raise
            try:
                given = signature.bind(*values, **options).arguments
            except TypeError:
                raise error
            for name, value in given.items():
                expected = _wrong(name, str(signature.parameters[name].annotation), value)
                if expected is not None:
                    raise ArgumentTypeError(f"{name}: expected {expected}, found {value!r}") from error
            raise

    return cast(Function, named)
