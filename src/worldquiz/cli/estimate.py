"""``worldquiz estimate`` for data whose benchmark has no command of its own for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.shell import Json, emit, err, out, waiting
from worldquiz.cli.tables import plain


def estimate(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder to run a model on.")],
    model: Annotated[str, typer.Option(help="Model, as inspect names it.")],
    price: Annotated[
        str | None,
        typer.Option(
            metavar="INPUT,CACHED,OUTPUT", help="US dollars a million tokens; else the known price."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Print the calls, tokens and cost that a model's run on a folder would take."""
    from worldquiz.llm import estimate as estimates
    from worldquiz.llm.price import Price

    with waiting("counting the prompts"):
        found = estimates.estimate(folder, model, Price.read(price) if price else None)
    if json:
        emit(found)
        return
    cost = "–" if found["cost"] is None else f"{found['cost']:,.2f}"
    rows = [
        ("calls", f"{found['calls']:,}"),
        ("tokens of prompts", f"{found['input']:,}"),
        ("tokens of replies", f"{found['output']:,}"),
        ("US dollars", cost),
    ]
    out().print(plain(rows, model, "about"))
    if found["note"]:
        err().print(found["note"], markup=False, soft_wrap=True)
