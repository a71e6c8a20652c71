"""Prompts: templates, pieces that a provider can cache, JSON Schemas of replies, token counts.

A template is a file ``NAME.md`` in a package of prompts. Its ``{fields}`` are filled by name and
nothing else is touched, since JSON is full of braces.

A prompt may come in pieces, which say how far a provider's cache can reach. Those that stay from
call to call come first: optional texts, then the memory's text, then the last turns, and last the
question. Pieces are joined without anything between them.

Tokens are counted by a tokenizer's name:

    chars/3                    an estimate: so many characters a token, rounded up
    tiktoken:cl100k_base       an encoding of tiktoken's, or a model that it knows
    hf:PATH                    a tokenizer.json, or a folder with one
    hf:OWNER/NAME              a tokenizer of the Hugging Face hub, from the cache or the network

MANGO's paper counts by each model's own tokenizer (arXiv 2403.19913, section 3.1); its programs by
``tiktoken:cl100k_base`` for every model behind an interface. In the 53 published walkthroughs a
token of that one has 3.3 characters or more, so the estimate by default counts rather too many.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from worldquiz.errors import KnobError
from worldquiz.plugins import need

if TYPE_CHECKING:
    from worldquiz.llm.model import Model

_FIELD = re.compile(r"\{([a-z_]+)\}")


@cache
def template(package: str, name: str) -> str:
    """Return a template of a package without its final line break. Raises `FileNotFoundError`."""
    return (files(package) / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def filling(package: str) -> Callable[..., str]:
    """Return a function that returns a template of a package with its fields filled in.

    It takes the name, and a value by name for each field. Raises `KeyError` for a field without a
    value; a value's own braces stay as they are.
    """

    def filled(name: str, **values: str) -> str:
        return _FIELD.sub(lambda field: values[field[1]], template(package, name))

    return filled


_BOUNDARIES = 3
"""Cache boundaries a prompt has at most; providers allow four."""


class Chunk(NamedTuple):
    """Part of a prompt."""

    text: str
    stable: bool  # all up to its end stays as it is from call to call


def in_context(before: str, parts: Sequence[str], recent: str, after: str) -> list[Chunk]:
    """Return a prompt in pieces; its ``Context:`` is left out where there is none."""
    kept = [part for part in parts if part]
    if not kept and not recent:
        return [Chunk(before + after, stable=False)]
    opening = f"{before}Context:\n"
    if not kept:
        return [Chunk(f"{opening}{recent}\n{after}", stable=False)]
    kept[0] = opening + kept[0]
    return [*(Chunk(part, stable=True) for part in kept), Chunk(f"{recent}\n{after}", stable=False)]


def content(model: Model, pieces: Sequence[Chunk]) -> str | list[dict[str, Any]]:
    """Return pieces as they are sent, with cache boundaries where the provider takes them."""
    if not model.marks:
        return "".join(piece.text for piece in pieces)
    stable = [place for place, piece in enumerate(pieces) if piece.stable][-_BOUNDARIES:]
    return [
        {"type": "text", "text": piece.text, "cache_breakpoint": place in stable or None}
        for place, piece in enumerate(pieces)
    ]


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has these properties, and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


Count = Callable[[str], int]
"""Counts the tokens of a text."""
_CHARS = re.compile(r"chars/(\d{1,4}(?:\.\d{1,4})?)")
_FORMS = "chars/NUMBER, tiktoken:NAME, hf:PATH or hf:OWNER/NAME"


@cache
def counter(name: str) -> Count:
    """Return a counter of tokens. Raises `KnobError` for a tokenizer that is not to be had."""
    kind, _, which = name.partition(":")
    match = _CHARS.fullmatch(name)
    if match is not None and float(match[1]):
        per_token = float(match[1])
        return lambda text: math.ceil(len(text) / per_token)
    if kind not in ("tiktoken", "hf") or not which:
        raise KnobError(f"tokenizer {name!r}: no such tokenizer; give {_FORMS}")
    library = need("tiktoken" if kind == "tiktoken" else "tokenizers", extra="llm")
    try:
        if kind == "tiktoken":
            named = which in library.list_encoding_names()
            encoding = which if named else library.encoding_name_for_model(which)
            encoder = library.get_encoding(encoding)
            return lambda text: len(encoder.encode(text, disallowed_special=()))
        path = Path(which).expanduser()
        file = path / "tokenizer.json" if path.is_dir() else path
        made = library.Tokenizer
        found = made.from_file(str(file)) if file.is_file() else made.from_pretrained(which)
        found.no_truncation()
        found.no_padding()
        return lambda text: len(found.encode(text).ids)
    except Exception as error:  # whatever these libraries raise
        brief = (str(error).strip().splitlines() or [type(error).__name__])[0][:120]
        raise KnobError(
            f"tokenizer {name!r}: cannot be had ({brief}); give {_FORMS}; without a network, a "
            "file by hf:PATH, or a folder that has it by TIKTOKEN_CACHE_DIR"
        ) from error
