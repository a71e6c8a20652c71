"""Prompts: templates, JSON Schemas of replies, token counts.

A template is a file ``NAME.md`` in a package of prompts. Its ``{fields}`` are filled in by name,
and other braces are left alone, since JSON is full of them.

A tokenizer is named in one of these forms:

    chars/3                    an estimate: this many characters per token, rounded up
    tiktoken:cl100k_base       an encoding of tiktoken's, or a model that it knows
    hf:PATH                    a tokenizer.json, or a folder with one
    hf:OWNER/NAME              a tokenizer of the Hugging Face hub, from the cache or the network

MANGO's paper counts with each model's own tokenizer (arXiv 2403.19913, section 3.1); its programs
count with ``tiktoken:cl100k_base`` for every model behind an API. In the 53 published walkthroughs,
a token of cl100k_base has 3.3 characters or more, so the default estimate is on the high side.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.plugins import need

_FIELD = re.compile(r"\{([a-z_]+)\}")


@cache
def template(package: str, name: str) -> str:
    """Return a template of a package without its final line break. Raises `FileNotFoundError`."""
    return (files(package) / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def filling(package: str) -> Callable[..., str]:
    """Return a function that fills in templates of a package. It gets a template's name and a value
    for each field, and raises `KeyError` for a field without a value. Braces in values are left as
    they are.
    """

    def filled(name: str, **values: str) -> str:
        return _FIELD.sub(lambda field: values[field[1]], template(package, name))

    return filled


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties."""
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
    """Return a tokenizer's counting function. Raises `KnobError` if it cannot be loaded."""
    kind, _, which = name.partition(":")
    match = _CHARS.fullmatch(name)
    if match is not None and float(match[1]):
        per_token = float(match[1])
        return lambda text: math.ceil(len(text) / per_token)
    if kind not in ("tiktoken", "hf") or not which:
        raise KnobError(f"tokenizer {name!r}: no such tokenizer; use {_FORMS}")
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
            f"tokenizer {name!r}: cannot be loaded ({brief}): use {_FORMS}. Without a network, "
            "use hf:PATH, or set TIKTOKEN_CACHE_DIR to a folder with tiktoken's files"
        ) from error
