"""Arguments before they go to C: arrays, dense or sparse; and errors that name the argument of the function that was called."""
from __future__ import annotations

import ctypes
import functools
import inspect
import os
from typing import Any, Callable, Iterable, Optional

from . import _abi as abi
from ._library import ArgumentError, ArgumentTypeError, Error, is_masked, real, to_c, whole, wrong


def _holds(values: Any, kind: Callable[[Any], bool]) -> bool:
    """Is it, or is an element of these (nested) lists, of this kind?"""
    listed = isinstance(values, (list, tuple)) or (getattr(getattr(values, "dtype", None), "kind", "") == "O" and values.ndim)
    return kind(values) or (listed and any(type(value) is not float and _holds(value, kind) for value in values))


def unmasked(values: Any, name: str) -> Any:
    """The values, unless they are masked."""
    if _holds(values, is_masked):
        raise ArgumentTypeError(f"{name}: masked arrays are not supported; fill in their values by filled()")
    return values


def numbers(values: Any, name: str) -> Any:
    """An array of doubles."""
    import numpy

    try:
        array = numpy.asarray(unmasked(values, name))
        if array.dtype.kind not in "biufO":
            raise TypeError(f"of type {array.dtype}")
        return array.astype(float, copy=False)
    except ArgumentError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise ArgumentTypeError(f"{name}: expected numbers ({error})") from None


def doubles(values: Iterable[Any], name: str) -> Any:
    """The numbers for C; without numpy."""
    listed = [to_c(value, ctypes.c_double, name) for value in values]
    return (ctypes.c_double * len(listed))(*listed)


# ---- arrays of which most is zero


class Table:
    """An array of numbers, or sparse matrices of scipy in nested lists, by its entries that are not zero: index, an array for each axis, and value."""

    def __init__(self, values: Any, name: str):
        import numpy

        self.sparse = _holds(values, is_sparse)
        if not self.sparse:
            self.array = numbers(values, name)
            self.shape, self.index = self.array.shape, numpy.nonzero(self.array)
            self.value = self.array[self.index]
        elif is_sparse(values):
            matrix = values.tocoo(copy=True)
            matrix.sum_duplicates()
            value = numbers(matrix.data, name)
            self.shape, self.index, self.value = matrix.shape, tuple(x[value != 0] for x in (matrix.row, matrix.col)), value[value != 0]
        else:
            parts = [Table(part, name) for part in values]
            shapes = sorted({part.shape for part in parts})
            if len(shapes) > 1:
                raise ArgumentError(f"{name} has matrices of the shapes {' and '.join(map(str, shapes))}; expected one shape")
            self.shape = (len(parts), *shapes[0])
            first = numpy.repeat(numpy.arange(len(parts)), [len(part.value) for part in parts])
            self.index = (first, *(numpy.concatenate(axis) for axis in zip(*(part.index for part in parts))))
            self.value = numpy.concatenate([part.value for part in parts])

    def at(self, *index: Any) -> Any:
        """The numbers there, zeros among them."""
        import numpy

        if not self.sparse:
            return self.array[index]
        place = numpy.ravel_multi_index(self.index, self.shape)
        order = numpy.argsort(place)
        place, wanted = place[order], numpy.ravel_multi_index(index, self.shape)
        near = numpy.minimum(numpy.searchsorted(place, wanted), max(len(place) - 1, 0))
        return numpy.where(place[near] == wanted, self.value[order][near], 0.0) if len(place) else numpy.zeros(len(wanted))


def is_sparse(values: Any) -> bool:
    return hasattr(values, "tocoo")


# ---- errors that name arguments


def _require(good: Any) -> None:
    if not good:
        raise TypeError


KINDS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "int": (whole, "a whole number"), "bool": (whole, "True or False"), "float": (real, "a number"), "str": (lambda value: _require(isinstance(value, str)), "a string"),
    "Model": (lambda value: _require(isinstance(value._pointer, abi.vouch_model)), "a vouch.Model, as vouch.read, Model.from_gym_p and Model.from_arrays make"),
    "Policy": (lambda value: _require(isinstance(value._pointer, abi.vouch_policy)), "a vouch.Policy"),
    "Path": (os.fspath, "a path"), "Axes": (lambda value: _require(hasattr(value, "plot") and hasattr(value, "annotate")), "axes of matplotlib"), "Name": (lambda value: isinstance(value, str) or whole(value), "a number or a name"), "Callable": (lambda value: _require(callable(value)), "a function"),
    "Sequence": (iter, "several values"), "Iterable": (iter, "several values"), "Mapping": (lambda value: value.items(), "a dictionary"), "dict": (lambda value: value.items(), "a dictionary")}


NAMES = {"file": "Path", "ax": "Axes"}  # of arguments whose annotation is Any


def _expected(name: str, annotation: str, value: Any) -> Optional[str]:
    """The expected kind; None: the value is valid, or the annotation is not in KINDS."""
    if annotation.startswith("Optional["):
        if value is None:
            return None
        annotation = annotation[len("Optional["):]
    kind = KINDS.get(NAMES.get(name) or annotation.partition("[")[0].rstrip("]"))
    try:
        if kind is not None:
            kind[0](value)
    except Exception:
        return kind[1] if kind is not None else None
    return None


def _named(title: str, signature: inspect.Signature, values: tuple[Any, ...], options: dict[str, Any], error: Exception) -> Optional[Exception]:
    """The error that names the invalid argument of the call, or None."""
    known = [name for name in signature.parameters if name not in ("self", "cls")]
    strange = [name for name in options if name not in known]
    if strange and not any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
        return ArgumentTypeError(f"{title} has no argument {', '.join(strange)}; it has {', '.join(known)}")
    try:
        given = signature.bind(*values, **options).arguments
    except TypeError as missing:
        return ArgumentTypeError(f"{title}: {missing}; its arguments are {', '.join(known)}")
    for name, value in given.items():
        expected = _expected(name, str(signature.parameters[name].annotation), value)
        if expected is not None:
            return wrong(name, expected, value)
    if isinstance(error, Error) and error.wrong is not None and error.wrong[0] not in given:
        for name, value in given.items():
            if value is error.wrong[2]:  # C has a name of its own for it
                return wrong(name, *error.wrong[1:], type(error))
    return None


def names_arguments(function: Any, title: str, rest: Any = None) -> Any:
    """The function, whose errors about arguments name them. rest: the function that **options are handed to."""
    signature = inspect.signature(function)
    if rest is not None:
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [p for name, p in inspect.signature(rest).parameters.items() if name not in signature.parameters]
        signature = signature.replace(parameters=own + more)

    @functools.wraps(function)
    def named(*values: Any, **options: Any) -> Any:
        try:
            return function(*values, **options)
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            better = None if isinstance(error, Error) and not isinstance(error, ArgumentError) else _named(title, signature, values, options, error)
            if better is None:
                raise
            raise better from error

    setattr(named, "__signature__", signature)
    return named


def name_methods(kind: Any) -> None:
    """The same for the methods of a class."""
    for name, method in list(vars(kind).items()):
        if name.startswith("_") and name != "__init__":
            continue
        title = kind.__name__ if name == "__init__" else f"{kind.__name__}.{name}"
        if isinstance(method, classmethod):
            setattr(kind, name, classmethod(names_arguments(method.__func__, title)))
        elif inspect.isfunction(method):
            setattr(kind, name, names_arguments(method, title))
