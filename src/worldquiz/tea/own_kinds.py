"""Kinds of task and of question that a user passes as values, beside those of a catalogue.

What is begun holds the names of its kinds and digests of the user's own: it is finished with equal
ones or not at all (`runs.folder.begin`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields, is_dataclass
from typing import Any, Protocol, TypeVar

from worldquiz.errors import CatalogError
from worldquiz.plugins import Catalogue
from worldquiz.records import checked, digest
from worldquiz.runs.given import blamed, code_of, name_of

KINDS = "kinds"
"""Where a plan or manifest holds the names of kinds."""
_NAME = re.compile(r"(?!.*-by-)[a-z0-9][a-z0-9-]*")


class Named(Protocol):
    """A dataclass whose values have a name."""

    @property
    def name(self) -> str:
        """Unique name."""
        ...


K = TypeVar("K", bound=Named)


def joined(catalogue: Catalogue, made: type[K], own: Sequence[object]) -> dict[str, K]:
    """Return a catalogue's kinds and a user's own, sorted by name.

    Raises `CatalogError` for two of one name, and for what is no kind.
    """
    found = {name: _kind(catalogue, made, thing) for name, thing in catalogue.every().items()}
    for thing in own:
        kind = _kind(catalogue, made, thing)
        told = f"{catalogue.noun} {kind.name!r}"
        if not _NAME.fullmatch(kind.name):
            raise CatalogError(
                f"{told}: a name is of small letters, digits and hyphens, without '-by-'"
            )
        if kind.name in {*found, *(each.name for each in found.values())}:
            raise CatalogError(f"{told}: there is one of that name: give yours another")
        found[kind.name] = kind
    return dict(sorted(found.items()))


def codes(catalogue: Catalogue, made: type[K], own: Sequence[object]) -> dict[str, str]:
    """Return a digest of each of a user's own kinds, of its source as far as it can be found."""
    found = {}
    kinds: list[Any] = [_kind(catalogue, made, thing) for thing in own]
    for kind in kinds:
        values = {each.name: getattr(kind, each.name) for each in fields(kind)
                  if getattr(kind, each.name) is not each.default}  # fmt: skip
        code = code_of(**{name: value for name, value in values.items() if callable(value)})
        plain = [_text(value) for _, value in sorted(values.items()) if not callable(value)]
        found[f"kind {kind.name}"] = digest(repr(sorted(code.items())), *plain)
    return found


def blaming(catalogue: Catalogue, kind: str, where: str) -> AbstractContextManager[None]:
    """Blame a user's own kind for the errors that it raises, by `AgentError`."""
    return nullcontext() if kind in catalogue.ours else blamed(f"{catalogue.noun} {kind!r}", where)


def _kind(catalogue: Catalogue, made: type[K], thing: object) -> K:
    try:
        return checked(thing, made)
    except TypeError as error:
        raise CatalogError(f"{name_of(thing)!r} is not a {catalogue.noun}: {error}") from error


def _text(value: object) -> str:
    """Return a value as text: equal values, equal texts, also in another process."""
    if isinstance(value, frozenset):
        return repr(sorted(map(_text, value)))
    if is_dataclass(value):
        return repr([_text(getattr(value, each.name)) for each in fields(value)])
    return repr(value)
