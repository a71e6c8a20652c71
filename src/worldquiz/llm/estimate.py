"""What a model's run on a folder will take, before it is paid for: calls, tokens and cost.

The benchmark gives the prompts (`DataKind.prompts`), one a call. Prompts are counted at
`CHARACTERS` a token, their pictures at `PIXELS` a token, and replies at `REPLY` tokens; nothing is
taken to be cached.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.llm.price import Price, known_price
from worldquiz.llm.records import Purpose, Usage
from worldquiz.runs.benchmark import ModelInput, kind_of_data

CHARACTERS = 4.0
"""Characters of English a token, about."""
PIXELS = 750.0
"""Pixels a token, as one provider states it (a picture of 640 by 480 has 410); others differ."""
REPLY = 60
"""Tokens of a reply with a reason; models that think take many more."""
ENDS = ("low", "likely", "high")
"""Estimates of what is not known beforehand."""


def estimate(
    folder: Path | str, model: str, price: Price | None = None, *, reply: int = REPLY
) -> dict[str, Any]:
    """Return what a run of a model on a folder takes: tokens, and US dollars.

        {"model", "calls", "input", "pictures", "output", "cost", "note", "assumes": {...}}

    ``pictures`` is the part of ``input`` that pictures take.

    Without a `price` that of the model is looked up. Where none is known, ``cost`` is None and
    ``note`` says what to give; else ``note`` is None. Raises `RecordError` for runs and data whose
    benchmark tells no prompts.
    """
    _, kind = kind_of_data(Path(folder))
    if kind.prompts is None:
        raise RecordError(f"{folder}: the prompts about a {kind.noun} are not known beforehand")
    sizes = [_size(each) for each in kind.prompts(Path(folder))]
    text = round(sum(characters for characters, _ in sizes) / CHARACTERS)
    pictures = round(sum(pixels for _, pixels in sizes) / PIXELS)
    used = Usage(Purpose.QUIZ, calls=len(sizes), input=text + pictures, output=reply * len(sizes))
    found = price or known_price(model)
    return {
        "model": model,
        "calls": used.calls,
        "input": used.input,
        "pictures": pictures,
        "output": used.output,
        "cost": found.of(used) if found else None,
        "note": None if found else no_price(model),
        "assumes": {
            "characters_per_token": CHARACTERS,
            "pixels_per_token": PIXELS,
            "tokens_per_reply": reply,
        },
    }


def _size(sent: str | ModelInput) -> tuple[int, int]:
    """Return the characters of what one call sends, and the pixels of its pictures."""
    return (len(sent), 0) if isinstance(sent, str) else (len(sent.text), sent.pixels)


def no_price(model: str) -> str:
    """Return the line that says what to give where no price is known."""
    return f"no price is known for {model}: give --price INPUT,CACHED,OUTPUT"
