"""Settings of runs on apartments: TEA-Test, and the quiz after the pictures of a walk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from worldquiz.runs.settings import RunSettings, setting


@dataclass(frozen=True, kw_only=True)
class ApartmentSettings(RunSettings):
    """Settings of every run on apartments."""

    LACKS: ClassVar[frozenset[str]] = frozenset(
        {"jobs", "on", "questions_at_once", "price", "max_cost"}
    )

    error: float = setting(0.2, "How often the noisy baseline is wrong.", least=0, most=1)


@dataclass(frozen=True, kw_only=True)
class TeaSettings(ApartmentSettings):
    """Settings of `TaskFolder.run` and ``worldquiz tea run``."""

    tasks: int = setting(848, "Number of tasks in the test.", least=0)
    walks: int = setting(100, "Number of walks in the test, of ten moves at most.", least=0)


@dataclass(frozen=True, kw_only=True)
class TeaRecallSettings(ApartmentSettings):
    """Settings of `TaskFolder.recall` and ``worldquiz tea recall``."""

    LACKS: ClassVar[frozenset[str]] = ApartmentSettings.LACKS | {"shard"}

    views: int = setting(32, "Number of pictures to show, from the start of the walk.", least=1)
    loop: int | None = setting(
        None, "Show pictures of this loop only; loop 1 is a random walk.", least=1
    )
    batch: int = setting(60, "Most questions in one prompt.", least=1)
    each: int = setting(8, "Most questions of each kind about a scene.", least=1)
