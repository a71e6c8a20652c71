"""Lines of replies to MANGO's questions, as runs keep them (`worldquiz.runs.journal.Lines`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worldquiz.llm.records import Purpose, Usage, kept_usage
from worldquiz.runs.journal import Lines

Key = tuple[str, str, str]
Replies = Lines[Key]
NOTHING = Usage(Purpose.QUIZ)
"""What a reply takes that no model gave."""


def key(line: Mapping[str, Any]) -> Key:
    """Return which question, minigame or step a line replies to."""
    return line["game"], line["task"], line["id"]


def replied(about: Mapping[str, Any], reply: str | None, usage: Usage = NOTHING) -> dict[str, Any]:
    """Return a line: what it is about, the reply, and what the reply took."""
    return {**about, "reply": reply, "status": None, "usage": kept_usage(usage)}
