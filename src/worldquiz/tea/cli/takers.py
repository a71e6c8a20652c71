"""Who answers TEA's questions: the options --taker and --model, of which one is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from worldquiz.cli import model_options
from worldquiz.errors import CatalogError, KnobError, did_you_mean
from worldquiz.llm.client import Reach
from worldquiz.tea.exam.run import Scripted

Error = Annotated[
    float, typer.Option(min=0, max=1, help="How often the noisy taker perceives amiss.")
]


def who(
    names: Sequence[str],
    taker: str | None,
    error: float,
    model: str | None,
    base_url: str | None,
    generate: list[str] | None,
    connections: int,
    retries: int,
) -> Scripted | Reach:
    """Return who answers. Raises `KnobError` for both or neither, `CatalogError` for no name."""
    if (model is None) == (taker is None):
        raise KnobError(f"who answers? give either --model or --taker ({', '.join(names)})")
    if model is not None:
        return Reach(
            model, base_url, model_options.settings(generate), connections, retries=retries
        )
    if taker is None or taker not in names:
        raise CatalogError(f"--taker {taker!r}: no such taker{did_you_mean(str(taker), names)}")
    return Scripted(taker, error)
