"""Settings of runs on apartments: TEA-Test, the quiz after a walk, and the writing of tasks."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar

from worldquiz.errors import KnobError
from worldquiz.runs.settings import RunSettings, setting


@dataclass(frozen=True, kw_only=True)
class ApartmentSettings(RunSettings):
    """Settings of every run on apartments."""

    LACKS: ClassVar[frozenset[str]] = frozenset({"jobs", "on", "price", "max_cost"})

    error: float = setting(0.2, "How often the noisy baseline is wrong.", least=0, most=1)


@dataclass(frozen=True, kw_only=True)
class TeaSettings(ApartmentSettings):
    """Settings of `TaskFolder.run` and ``worldquiz tea run``."""

    tasks: int = setting(848, "Number of tasks in the test.", least=0)
    walks: int = setting(100, "Number of walks in the test, of ten moves at most.", least=0)

    def __post_init__(self) -> None:
        """Raise `KnobError` also for a test of nothing."""
        super().__post_init__()
        if not self.tasks + self.walks:
            raise KnobError("0 tasks and 0 walks: give numbers from 1")


@dataclass(frozen=True, kw_only=True)
class TeaRecallSettings(ApartmentSettings):
    """Settings of `TaskFolder.recall` and ``worldquiz tea recall``."""

    LACKS: ClassVar[frozenset[str]] = ApartmentSettings.LACKS | {"shard"}

    views: int = setting(32, "Number of pictures to show, from the start of the walk.", least=1)
    each: int = setting(8, "Most questions of each kind about a scene.", least=1)


@dataclass(frozen=True, kw_only=True)
class TeaWritingSettings(RunSettings):
    """Settings of ``worldquiz tea write``."""

    LACKS: ClassVar[frozenset[str]] = frozenset(
        {"price", "max_cost", "max_tokens", "timeout", "shard",
         "retry_failed", "jobs", "on", "label", "fresh"}
    )  # fmt: skip

    tasks: int = setting(
        100, "Number of tasks in each set: without TEA, first loop, second loop.", least=1
    )
    batch: int = setting(5, "Number of tasks in one request.", least=1)
    around: int = setting(4, "Number of views at the start, all that is seen without TEA.", least=1)
    chosen: int = setting(5, "Number of tasks of the first loop that the second executes.", least=1)
    epsilon: float = setting(
        0.2, "Probability that a walk of the second loop is random.", least=0, most=1
    )

    @property
    def requests(self) -> int:
        """Requests of one scene if no reply is of no use."""
        part = ceil(ceil(self.tasks / self.chosen) / self.batch)
        return 2 * ceil(self.tasks / self.batch) + self.chosen * part
