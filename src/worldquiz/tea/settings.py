"""Settings of runs on apartments: TEA-Test, the quiz after a walk, and the writing of tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from worldquiz.errors import KnobError
from worldquiz.runs.settings import RunSettings, setting

UNUSED = frozenset({"jobs", "on"})
"""Settings that runs on apartments do not use."""


@dataclass(frozen=True, kw_only=True)
class TeaSettings(RunSettings):
    """Settings of `TaskFolder.run` and ``worldquiz tea run``."""

    LACKS: ClassVar[frozenset[str]] = UNUSED

    tasks: int = setting(848, "Number of tasks in the test.", least=0)
    walks: int = setting(100, "Number of walks in the test, each of at most ten moves.", least=0)

    def __post_init__(self) -> None:
        """Check the settings; raise `KnobError` if the test would be empty."""
        super().__post_init__()
        if not self.tasks + self.walks:
            raise KnobError("the test is empty: set tasks or walks above 0")


@dataclass(frozen=True, kw_only=True)
class RatingSettings(TeaSettings):
    """Settings of ``worldquiz tea rate``."""

    share: float = setting(0.1, "Share of the test to rate, from each type.", least=0, most=1)


@dataclass(frozen=True, kw_only=True)
class TeaRecallSettings(RunSettings):
    """Settings of `TaskFolder.recall` and ``worldquiz tea recall``."""

    LACKS: ClassVar[frozenset[str]] = UNUSED | {"shard"}

    views: int = setting(32, "Number of pictures to show, from the start of the walk.", least=1)
    each: int = setting(8, "Maximum number of questions of each kind about a scene.", least=1)


@dataclass(frozen=True, kw_only=True)
class TeaWritingSettings(RunSettings):
    """Settings of ``worldquiz tea write``."""

    LACKS: ClassVar[frozenset[str]] = frozenset(
        {"max_tokens", "timeout", "shard",
         "retry_failed", "jobs", "on", "label", "fresh"}
    )  # fmt: skip

    tasks: int = setting(
        100, "Number of tasks in each set: without TEA, first loop, second loop.", least=1
    )
