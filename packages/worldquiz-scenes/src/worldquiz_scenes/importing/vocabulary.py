"""Common names of things in eight languages: `labels.csv` has a row for each label.

A word that means one thing in one language and another in the next ("bank": a bench in German, a
sofa in Dutch) names nothing, unless English is one of them: files are mostly in English.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

ENGLISH = "English"
HEAD_FIRST = frozenset({"French", "Italian", "Spanish", "Portuguese"})
"""Languages in which what a thing is comes first: "tavolo rotondo"."""
_JOINED = str.maketrans({"ß": "ss", "œ": "oe", "ø": "o", "æ": "ae", "’": " ", "'": " "})


def fold(text: str) -> str:
    """Return a text in small letters without accents, its words parted by single blanks."""
    parts = unicodedata.normalize("NFKD", text).lower()
    plain = "".join(sign for sign in parts if not unicodedata.combining(sign))
    return " ".join(re.sub(r"[_\-.,()\[\]]+", " ", plain.translate(_JOINED)).split())


@cache
def _table() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return the labels that each word means, with the languages that it means them in."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    text = files(__package__).joinpath("labels.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        label = row.pop("label")
        row[ENGLISH] = f"{label}|{row[ENGLISH]}"
        for language, listed in row.items():
            for word in filter(None, map(fold, listed.split("|"))):
                meant = found.setdefault(word, {})
                meant[label] = meant.get(label, frozenset()) | {language}
    return found


def meanings(text: str) -> Mapping[str, frozenset[str]]:
    """Return the labels that a word means as it stands, each with the languages of that meaning."""
    return _table().get(fold(text), {})


def known(text: str) -> str | None:
    """Return the label that a word means, also in the plural; none where that is not plain."""
    return next((label for form in _forms(text) if (label := _plain(meanings(form)))), None)


def head_first(text: str) -> bool:
    """Tell whether a word is known in languages alone that say first what a thing is."""
    told = [meant for form in _forms(text) for meant in meanings(form).values()]
    return bool(told) and frozenset().union(*told) <= HEAD_FIRST


@cache
def endings() -> tuple[str, ...]:
    """Return the words that may end a longer word ("Kleiderschrank"), longest first."""
    words = (word for word in _table() if " " not in word and known(word) and not head_first(word))
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


def _forms(text: str) -> list[str]:
    return [text, *(text.removesuffix(end) for end in ("es", "s")
                    if text.endswith(end) and not text.endswith("ss"))]  # fmt: skip


def _plain(meant: Mapping[str, frozenset[str]]) -> str | None:
    english = [label for label, languages in meant.items() if ENGLISH in languages]
    chosen = english or list(meant)
    return chosen[0] if len(chosen) == 1 else None
