"""Arguments of callers, as arrays that the library reads in place, or as copies if it cannot.

float32 and float64 are read in place at any stride. Other numbers are copied to one of them, and radii and
casts to float32. With copy=False, arrays that need a copy are refused, as in NumPy 2.
"""

from __future__ import annotations

import ctypes
from typing import Any, Literal, Optional, Protocol, Sequence, SupportsFloat, SupportsIndex, Tuple, Union

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]
Copy = Optional[bool]


class HasArray(Protocol):
    """Objects that NumPy makes arrays of: arrays, columns of pandas, tensors."""

    def __array__(self) -> Any:
        ...


class HasDLPack(Protocol):
    """Arrays of other libraries, on the host."""

    def __dlpack__(self, *, stream: Any = None) -> Any:
        ...

    def __dlpack_device__(self) -> Any:
        ...


# Types of arguments: a number or one for each; the same for integers; and rows of numbers, or columns.
Numbers = Union[SupportsFloat, Sequence[SupportsFloat], HasArray, HasDLPack]
Integers = Union[SupportsIndex, Sequence[SupportsIndex], HasArray, HasDLPack]
Rows = Union[HasArray, HasDLPack, Sequence[Union[SupportsFloat, Sequence[SupportsFloat], HasArray, HasDLPack]]]
# What agents are to a query.
AgentsAs = Literal["boxes", "centres", "circles"]
Halves = Union[Numbers, Rows]
# Rows of lowest and highest, or both as columns or numbers.
Heights = Union[Rows, Tuple[Numbers, Numbers]]
# The ways to round.
NEAREST, UP = "nearest", "up"
_float32 = np.dtype(np.float32)
_float64 = np.dtype(np.float64)


def numbers(name: str, given: Any, copy: Copy) -> Array:
    """`given` as an array of real numbers of any type."""
    if type(given) is np.ndarray:
        array = given
    elif copy is False and not isinstance(given, np.ndarray):
        if not hasattr(given, "__dlpack__"):
            raise refused_copy(name, f"it is a {type(given).__name__}")
        array = np.from_dlpack(given)
    else:
        check_mask(name, given)
        array = plain(given, np.float64)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must hold real numbers, and not {array.dtype}")
    return array


def check_mask(name: str, given: Any) -> None:
    """NumPy would take what lies behind the mask."""
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError(f"{name} is masked: give the elements that count, {name}.compressed()")


def plain(given: Any, dtype: Any) -> Array:
    """To NumPy, columns of pandas that may have missing values are objects. Without missing values they are
    numbers. Arrays of other libraries may be DLPack's alone."""
    if hasattr(given, "__dlpack__") and not hasattr(given, "__array__"):
        given = np.from_dlpack(given)
    array = np.asarray(given)
    to_numpy = getattr(given, "to_numpy", None)
    if array.dtype.kind != "O" or to_numpy is None:
        return array
    try:
        return np.asarray(to_numpy(dtype=dtype))
    except (TypeError, ValueError):
        return array


def real(name: str, array: Array, copy: Copy) -> Array:
    """The numbers as float32 or float64 that the library can read: elements of the first axis at a stride of
    at least one."""
    if array.dtype == _float32 or array.dtype == _float64:
        goes_forward = array.ndim == 0 or array.shape[0] < 2 or array.strides[0] >= array.itemsize
        if goes_forward and array.flags.aligned:
            return array
    if copy is False:
        raise refused_copy(name, f"it is {_description(array)}")
    with np.errstate(over="ignore"):
        return np.array(array, dtype=_float32 if np.can_cast(array.dtype, _float32) else _float64, order="C")


def float32(name: str, array: Array, copy: Copy, rounding: str = NEAREST) -> Floats:
    """The numbers as float32 that the library can read: elements of the first axis at a stride of at least
    one."""
    if array.dtype == _float32:
        goes_forward = array.ndim == 0 or array.shape[0] < 2 or array.strides[0] >= array.itemsize
        if goes_forward and array.flags.aligned:
            return array
        rounding = NEAREST
    if copy is False:
        raise refused_copy(name, f"it is {_description(array)}")
    return rounded(name, array, rounding)


def rounded(name: str, array: Array, rounding: str) -> Floats:
    """A copy in float32."""
    try:
        with np.errstate(over="raise", invalid="ignore"):
            result = np.array(array, dtype=np.float32, order="C")
    except FloatingPointError:
        raise _too_large(name, array) from None
    with np.errstate(over="ignore", invalid="ignore"):
        if rounding == NEAREST:
            return result
        exact = array
        if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
            exact = array.astype(np.longdouble)  # it holds every integer of 64 bits
        np.nextafter(result, np.float32(np.inf), out=result, where=result < exact)
    return result


def _too_large(name: str, array: Array) -> Exception:
    from ._native.codes import Argument, Code
    from ._native.errors import BadValue

    wrong = (np.abs(array) > np.finfo(np.float32).max) & np.isfinite(array)
    index = int(np.argwhere(wrong)[0][0]) if array.ndim else 0
    value = np.asarray(array)[wrong][0]
    argument = {"radius": Argument.RADII, "heights": Argument.HEIGHTS}.get(name, Argument.BOXES)
    text = f"element {index} of {name} is too large for a float32: {value}"
    return BadValue(text, Code.NOT_FINITE, argument, index)


def refused_copy(name: str, why: str) -> ValueError:
    return ValueError(f"{name} would have to be copied, which copy=False forbids: {why}")


def _description(array: Array) -> str:
    if array.dtype == _float32 or array.dtype == _float64:
        odd = "" if array.flags.aligned else ", not aligned"
        return f"{array.dtype} with the strides {array.strides}{odd}"
    return f"{array.dtype}, and not float32"


def address(array: Array) -> int:
    if array.dtype.names is not None:
        # NumPy makes a list of fields in Python, and there loses what the handler of a signal raises.
        array = array.view(f"V{array.itemsize}")
    return int(array.__array_interface__["data"][0])


def stride(array: Array) -> int:
    """The stride of the first axis. With one element it has no meaning."""
    return int(array.strides[0]) if array.shape[0] > 1 else 0


def table(given: Any, width: int) -> Optional[tuple[int, int, int, int]]:
    """For (n, width) float32 or float64 that can be read in place: n, the address, the strides in a row and
    of rows."""
    if type(given) is not np.ndarray or given.ndim != 2 or given.shape[1] != width:
        return None
    if given.dtype != _float32 and given.dtype != _float64:
        return None
    outer, inner = given.strides
    count = len(given)
    if count == 1:
        outer = 0
    elif outer < given.itemsize:
        return None
    return (count, address(given), inner, outer) if given.flags.aligned else None


def close_columns(given: tuple[Any, ...]) -> Optional[list[int]]:
    """The addresses of float32 columns of one length whose elements lie close together."""
    addresses = []
    shape = np.shape(given[0])
    for column in given:
        if type(column) is not np.ndarray or column.dtype is not _float32 or column.shape != shape:
            return None
        flags = column.flags
        if column.ndim != 1 or not flags.c_contiguous or not flags.aligned:
            return None
        addresses.append(address(column))
    return addresses


def is_columns(given: Any, count: int) -> bool:
    """Whether it is a tuple of columns, which are arrays or lists, instead of numbers or points."""
    return (
        type(given) is tuple
        and len(given) == count
        and not any(isinstance(column, (tuple, float, int)) or np.ndim(column) == 0 for column in given)
    )


def columns(name: str, given: Any, width: int, copy: Copy) -> list[Array]:
    """The columns of an (n, width) array, or of a tuple of columns, in float32 or float64. For a single row,
    each column is a number (0 axes)."""
    if is_columns(given, width):
        arrays = [numbers(name, column, copy) for column in given]
        if any(array.ndim != 1 for array in arrays):
            raise ValueError(f"each column of {name} must have one axis")
        if any(array.shape != arrays[0].shape for array in arrays):
            raise ValueError(f"the columns of {name} differ in length: {[len(array) for array in arrays]}")
        return [real(name, array, copy) for array in arrays]
    array = numbers(name, given, copy)
    if array.size == 0 and array.ndim == 1:
        array = array.reshape(0, width)
    if array.ndim not in (1, 2) or array.shape[-1] != width:
        raise ValueError(f"{name} must have the shape (n, {width}), and not {array.shape}")
    array = real(name, array, copy)
    return [array[..., column] for column in range(width)]


def integers(
    name: str, given: Any, copy: Copy, *, negative: bool = False, or_none: bool = False
) -> npt.NDArray[np.int32]:
    """One axis of 32-bit integers that lie close together, signed or unsigned: only their bits matter. Ids
    may not be negative; with `or_none`, -1 is none."""
    check_mask(name, given)
    array = given if type(given) is np.ndarray else plain(given, np.int64)
    is_signed = array.dtype.kind == "i"
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold integers, and not {array.dtype}")
    if array.ndim != 1:
        raise ValueError(f"{name} must have one axis, and not the shape {array.shape}")
    if or_none and array.dtype.kind == "i" and array.size and array.min() < -1:
        _refuse(name, array < -1, "negative, and not -1, which is none")
    negative = negative or or_none
    if array.dtype.kind == "u" and array.dtype.itemsize == 4 and array.dtype.isnative:
        array = array.view(np.int32)
    elif array.dtype.itemsize > 4:
        high = 2**32 if negative else 2**31
        _refuse(name, (array < -(2**31)) | (array >= high), f"less than {-(2**31)}, or not below {high}")
    if array.dtype != np.int32 or not array.flags.c_contiguous or not array.flags.aligned:
        if copy is False:
            raise refused_copy(name, "only 32-bit integers that lie close together are read where they lie")
        array = np.ascontiguousarray(array.astype(np.int64).astype(np.int32))
    elif copy is False and not isinstance(given, np.ndarray):
        raise refused_copy(name, f"it is a {type(given).__name__}")
    if not negative and array.size and array.min() < 0:
        _refuse(name, array < 0, "negative" if is_signed else f"not below {2**31}")
    return array


def _refuse(name: str, wrong: npt.NDArray[np.bool_], why: str) -> None:
    if wrong.any():
        raise ValueError(f"element {int(wrong.argmax())} of {name} is {why}")


def number(name: str, given: Any, rounding: str = NEAREST) -> float:
    """One number, as one that float32 holds."""
    try:
        exact = float(given.__float__())
    except (AttributeError, TypeError):
        raise TypeError(f"{name} must be a number, and not {given!r}") from None
    result = ctypes.c_float(exact).value
    if rounding == UP and result < exact:
        result = float(np.nextafter(np.float32(result), np.float32(np.inf)))
    return result
