"""Bounds by linear programs whose rows are cliques, and proofs by integer ones.

Of the vertices of a clique at most one is chosen. With every edge in a clique of the program, its
solutions in whole numbers are the independent sets, and its relaxation bounds them well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from worldquiz.tea.mir.cover import edges, grown
from worldquiz.tea.mir.numba_kernels import Array, Net, np

NODES = 200
"""Nodes that the solver may branch on for one part. No time: a slow machine finds the same."""
SURE = 1e-6
"""What a bound may be below a whole number and still be that number: solvers round."""


def rows(graph: Net, covers: Iterable[Array], most: int) -> Any:
    """Return cliques as the rows of a sparse matrix; None where they have above `most` members."""
    from scipy.sparse import csr_array, vstack

    members, starts = edges(graph, most)
    if len(members) > most:
        return None
    parts = [(members, starts), *(grown(graph, cover) for cover in covers)]
    made = [
        csr_array(
            (np.ones(len(inner)), inner.astype("int32"), begins.astype("int32")),
            shape=(len(begins) - 1, graph.size),
        )
        for inner, begins in parts
    ]
    return vstack(made, format="csr")


def relaxed(matrix: Any) -> int:
    """Return a bound by the program's relaxation.

    It holds however badly the solver did: its prices of cliques are a fractional cover, and a
    vertex whose cliques cost less than 1 adds what it lacks.
    """
    from scipy.optimize import linprog

    cliques, size = matrix.shape
    answer: Any = linprog(
        -np.ones(size), A_ub=matrix, b_ub=np.ones(cliques), bounds=(0, 1), method="highs"
    )
    prices = np.maximum(0, -answer.ineqlin.marginals) if answer.status == 0 else np.zeros(cliques)
    lacking = np.maximum(0, 1 - matrix.T @ prices)
    return int(prices.sum() + lacking.sum() + SURE)


def proven(matrix: Any) -> tuple[Array | None, int]:
    """Return a largest set as truths, None if none was found, and the solver's bound."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    size = matrix.shape[1]
    answer: Any = milp(
        -np.ones(size),
        integrality=np.ones(size),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, ub=1),
        options={"node_limit": NODES},
    )
    bound = size if answer.mip_dual_bound is None else int(-answer.mip_dual_bound + SURE)
    return (None if answer.x is None else answer.x > 0.5), bound
