"""What a page embeds: JSON that cannot close its element, and texts kept once."""

from __future__ import annotations

import json


class Texts:
    """Numbers texts in the order in which they first occur."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """Return the number of a text."""
        return self._numbers.setdefault(text, len(self._numbers))

    def paragraphs(self, text: str) -> list[int]:
        """Return the numbers of a text's paragraphs."""
        parts = (part.strip("\n") for part in text.split("\n\n"))
        return [self(part) for part in parts if part.strip()]

    @property
    def table(self) -> list[str]:
        """All texts, by number."""
        return list(self._numbers)


def embed(value: object) -> str:
    """Return JSON that may stand inside a script element: no text in it can close the element."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c")
