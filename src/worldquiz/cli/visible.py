"""Text that reaches a terminal: no control character in it."""

from __future__ import annotations

import re

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """Return text whose control characters are shown, not obeyed: a name may hold any."""
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
