"""Data folders with questions, which can be run from Python or served to agents."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from worldquiz.exam.answerers import Who, chosen
from worldquiz.exam.asking import ItemsRun
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import placed, read_manifest
from worldquiz.runs.run import Run
from worldquiz.runs.settings import RunSettings

if TYPE_CHECKING:
    from worldquiz.serve.seats import ServedItems


class QuizData(ABC):
    """A data folder of any benchmark, with questions about the data."""

    name: ClassVar[str]  # of the benchmark: "rooms"
    kind: ClassVar[str]  # as the data's manifest says
    noun: ClassVar[str]  # "folder of houses"
    settings: ClassVar[type[RunSettings]] = RunSettings
    baselines: ClassVar[Collection[str]] = ()
    """Names of the benchmark's own answerers."""
    place: ClassVar[str] = "world"  # what served agents call a world
    instructions: ClassVar[str]  # first text for served agents
    asks: ClassVar[tuple[str, ...]] = ()
    """Names of settings, all whole numbers, that a served run may have."""

    def __init__(self, path: Path | str) -> None:
        """Open a folder. Raises `RecordError` if it is not finished, or of another kind."""
        self.path = Path(path)
        self.manifest = read_manifest(self.path, self.kind, self.noun)

    @abstractmethod
    def asked(self, who: Who, given: Any) -> ItemsRun:
        """Return a run by the answerer `who` with the settings `given`, ready to be executed."""

    def work(self, answerer: object | None, given: RunSettings) -> ItemsRun:
        """Return a run, not yet begun, by an answerer (name or object) or by the settings' model.

        Raises `KnobError` for both or neither of the two, `CatalogError` for an unknown name.
        """
        return self.asked(chosen(self.name, self.baselines, answerer, given), given)

    def run(
        self,
        answerer: object | None = None,
        *,
        out: Path | str | None = None,
        settings: RunSettings | None = None,
        progress: Done = silent,
        **changes: Any,
    ) -> Run:
        """Ask an answerer the questions, or continue a stopped run; return the finished run.

        Pass either an `answerer` (a name, an object, or a class or function that makes an object;
        see `exam.answerers`) or, as a setting, a `model`. `changes` are fields of the benchmark's
        settings, and take precedence over `settings`. `progress` is called with the name of each
        answered question. Without `out`, the run's folder is made beside the data, and its path is
        printed. With `shard`, such as "2/5", only that part of the worlds is asked about. Raises
        `TypeError` for an unknown setting; `KnobError`, `CatalogError`, `MissingExtra` or
        `WorldError`, before `out` is changed, if the run cannot start; `RecordError` if `out` holds
        anything but this run.
        """
        given = self.settings.of(settings, changes)
        work = self.work(answerer, given)
        folder = placed(out, self.path, work.called, given.shard)
        return work.carried(folder, given, progress)

    async def arun(self, answerer: object | None = None, **options: Any) -> Run:
        """Do the same as `run`, without blocking the event loop."""
        return await asyncio.to_thread(self.run, answerer, **options)

    def served(self, name: str, told: Mapping[str, str]) -> ServedItems:
        """Return the worlds and tools that ``worldquiz serve`` offers to the agent `name`.

        `told` holds the agent's settings as strings. Raises `KnobError` for an invalid one.
        """
        from worldquiz.serve.seats import ServedItems, read_settings

        known = dict.fromkeys(self.asks, int)
        given = self.settings.of(None, read_settings(name, self.baselines, told, known))
        return ServedItems(self.place, self.instructions, lambda: self.asked(name, given))
