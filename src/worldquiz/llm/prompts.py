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

import logging
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz.errors import KnobError, did_you_mean
from worldquiz.llm.model import Model
from worldquiz.plugins import need
from worldquiz.records import read_bytes

_FIELD = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of one package."""

    package: str  # "worldquiz.t2q.prompts"

    def text(self, name: str) -> str:
        """Return a template without its final line break. Raises `FileNotFoundError`."""
        return _read(self.package, name)

    def filled(self, name: str, **values: str) -> str:
        """Return a template with its fields filled in.

        Raises `KeyError` for a field without a value; a value's own braces stay as they are.
        """
        return _FIELD.sub(lambda field: values[field[1]], self.text(name))

    def lines(self, name: str) -> dict[str, str]:
        """Return a template that is a list of ``key: text`` lines as a mapping."""
        pairs = (line.partition(": ") for line in self.text(name).splitlines())
        return {key: text for key, _, text in pairs}


@cache
def _read(package: str, name: str) -> str:
    return (files(package) / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


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


def command_form() -> dict[str, Any]:
    """Return the schema of a command with its reason."""
    return object_of({"reason": {"type": "string"}, "command": {"type": "string"}})


Count = Callable[[str], int]
"""Counts the tokens of a text."""
ESTIMATE = "chars/3"
_CHARS = re.compile(r"chars/(\d{1,4}(?:\.\d{1,4})?)")
_FORMS = "chars/NUMBER, tiktoken:NAME, hf:PATH or hf:OWNER/NAME"
_FILE = "tokenizer.json"


@cache
def counter(name: str) -> Count:
    """Return a counter of tokens. Raises `KnobError` for a tokenizer that is not to be had."""
    kind, colon, which = name.partition(":")
    if kind == "tiktoken" and colon:
        return _tiktoken(name, which)
    if kind == "hf" and colon:
        return _hugging_face(name, which)
    match = _CHARS.fullmatch(name)
    if match is None or not float(match[1]):
        raise KnobError(f"tokenizer {name!r}: no such tokenizer; give {_FORMS}")
    per_token = float(match[1])
    return lambda text: math.ceil(len(text) / per_token)


def _tiktoken(name: str, which: str) -> Count:
    tiktoken = need("tiktoken", extra="llm")
    known = tiktoken.list_encoding_names()
    encoding = which if which in known else _encoding_of(name, which, known)
    try:
        found = tiktoken.get_encoding(encoding)
    except (OSError, ValueError) as error:
        raise KnobError(
            f"tokenizer {name!r}: its file cannot be fetched ({_brief(error)}); set "
            "TIKTOKEN_CACHE_DIR to a folder that has it, or give hf:PATH or chars/NUMBER"
        ) from error
    return lambda text: len(found.encode(text, disallowed_special=()))


def _encoding_of(name: str, model: str, known: list[str]) -> str:
    tiktoken = need("tiktoken", extra="llm")
    try:
        return str(tiktoken.encoding_name_for_model(model))
    except KeyError as error:
        raise KnobError(
            f"tokenizer {name!r}: tiktoken has no such encoding or model"
            f"{did_you_mean(model, known)}; encodings: {', '.join(sorted(known))}"
        ) from error


def _hugging_face(name: str, which: str) -> Count:
    tokenizers = need("tokenizers", extra="llm")
    path = _found(name, which)
    try:
        tokenizer: Any = tokenizers.Tokenizer.from_buffer(read_bytes(path))
    except ValueError as error:
        raise KnobError(
            f"tokenizer {name!r}: {path} is no {_FILE}: {_brief(error)}; give {_FORMS}"
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text).ids)


def _found(name: str, which: str) -> Path:
    """Return the file of a tokenizer: one given, one in a folder given, or one of the hub's."""
    path = Path(which).expanduser()
    if path.is_file():
        return path
    if (path / _FILE).is_file():
        return path / _FILE
    if path.is_dir() or path.is_absolute() or which.count("/") > 1 or not which:
        raise KnobError(f"tokenizer {name!r}: no {_FILE} there; give {_FORMS}")
    hub = need("huggingface_hub", extra="llm")
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)  # it tells of every attempt
    try:
        return Path(hub.hf_hub_download(which, _FILE))
    except (OSError, ValueError) as error:
        raise KnobError(
            f"tokenizer {name!r}: no such file here, and the hub gives none ({_brief(error)}); "
            f"give {_FORMS}"
        ) from error


def _brief(error: Exception) -> str:
    """Return the beginning of an error's first line, which others write at length."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:120]
