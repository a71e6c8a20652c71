"""Text that reaches a terminal: no control character in it, and none that turns lines around."""

from __future__ import annotations

import re

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What a terminal obeys; marks that change the direction of writing; halves of characters."""


def visible(text: str) -> str:
    """Return text whose control characters are shown, not obeyed: a name may hold any."""
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)
