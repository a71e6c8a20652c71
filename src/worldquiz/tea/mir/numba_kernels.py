"""Plain loops that numba turns into machine code, and the graphs that they run over.

Nothing is compiled before it is first called; the code is kept on disk for the next process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

from worldquiz.errors import MissingExtra

try:
    import numba
    import numpy as np
    from scipy.sparse import coo_array
except ImportError as error:
    raise MissingExtra(error.name or "numba", "scene") from error

__all__ = ["Array", "Net", "drawn", "fast", "net", "np"]

F = TypeVar("F", bound=Callable[..., Any])
Array = Any
"""A NumPy array."""


def fast(function: F) -> F:
    """Have a function compiled when it is first called; other threads may run meanwhile."""
    return cast("F", numba.njit(cache=True, nogil=True)(function))


class Net(NamedTuple):
    """A graph: the neighbours of vertex v, in order, are ``near[first[v] : first[v + 1]]``."""

    first: Array  # int64, one more than there are vertices
    near: Array  # int32

    @property
    def size(self) -> int:
        """How many vertices there are."""
        return len(self.first) - 1

    @property
    def degrees(self) -> Array:
        """How many neighbours each vertex has."""
        return np.diff(self.first)

    @property
    def matrix(self) -> Any:
        """The graph as a sparse matrix."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.near), "int8")
        return csr_array((ones, self.near, self.first), shape=(self.size, self.size))

    def part(self, start: int, stop: int) -> Net:
        """Return the graph of some vertices in a row whose neighbours are all among them."""
        begin, end = self.first[start], self.first[stop]
        return Net(self.first[start : stop + 1] - begin, self.near[begin:end] - np.int32(start))


def net(left: Array, right: Array, size: int) -> Net:
    """Return the graph of some pairs, whatever is doubled and whoever is paired with itself."""
    apart = left != right
    left, right = left[apart].astype("int32"), right[apart].astype("int32")
    ends = (np.concatenate([left, right]), np.concatenate([right, left]))
    matrix = coo_array((np.ones(len(ends[0]), "bool"), ends), shape=(size, size)).tocsr()
    matrix.sum_duplicates()
    return Net(matrix.indptr.astype("int64"), matrix.indices.astype("int32"))


@fast
def drawn(state: Array, below: int) -> int:
    """Return the next number below a limit of a xorshift generator (Marsaglia 2003)."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    number: int = np.int64((x >> np.uint64(1)) % np.uint64(below))  # type: ignore[assignment]
    return number
