"""A share under the names by which inspect's tools look for it: ``accuracy`` and ``stderr``."""

from __future__ import annotations

from worldquiz.stats.intervals import Ratio, standard_error


def as_accuracy(ratio: Ratio) -> dict[str, float]:
    """Return a share as `accuracy`, with its standard error clustered by world as `stderr`.

    Without what is undefined.
    """
    told = {"accuracy": ratio.value, "stderr": standard_error(ratio)}
    return {name: value for name, value in told.items() if value is not None}
