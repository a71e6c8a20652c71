"""Suites that are built when they are first asked for, and kept in the user's cache folder."""

from __future__ import annotations

import os
from pathlib import Path

from worldquiz.records import digest, dumps
from worldquiz.t2q.builder import build
from worldquiz.t2q.suites import Plan, Suite


def cache_folder() -> Path:
    """Return ``$XDG_CACHE_HOME/worldquiz``, else ``~/.cache/worldquiz``."""
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "worldquiz"


def built(plan: Plan) -> Suite:
    """Return the suite of a plan, built or finished if need be."""
    name = f"{plan.preset}-{plan.seed}-{digest(dumps(plan, Plan))[:12]}"
    return build(plan, cache_folder() / "suites" / name)
