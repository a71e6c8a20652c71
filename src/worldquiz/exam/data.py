"""Folders of data with questions: runs on them, started from Python or by served agents."""

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
    """A folder of data with questions about it, of any benchmark."""

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
        """Return the work of a run: its questions, the settings, and the answerer."""

    def work(self, answerer: object | None, given: RunSettings) -> ItemsRun:
        """Return the work of a run by an answerer (a name or an object) or by the settings' model.

        Raises `KnobError` for both or neither, `CatalogError` for an unknown name.
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
        """Have the questions answered, or resume such a run; return the finished run.

        Pass an `answerer` (the name of a baseline or of a package's answerer, an object, or a class
        or function that makes one: `exam.answerers`) or a `model`. Settings are fields of the
        benchmark's settings, by name or as an object with `changes`. `progress` is called with the
        name of each answered question. Without `out`, the run's folder is made beside the data and
        printed. With `shard`, such as "2/5", only worlds of that part are asked about. Raises
        `TypeError` for an unknown setting, `KnobError`, `CatalogError`, `MissingExtra` or
        `WorldError` before `out` is touched if the run cannot start, and `RecordError` if `out`
        holds anything else.
        """
        given = self.settings.of(settings, changes)
        work = self.work(answerer, given)
        folder = placed(out, self.path, work.called, given.shard)
        return work.carried(folder, given, progress)

    async def arun(self, answerer: object | None = None, **options: Any) -> Run:
        """Do as `run` does, without blocking the event loop."""
        return await asyncio.to_thread(self.run, answerer, **options)

    def served(self, name: str, told: Mapping[str, str]) -> ServedItems:
        """Return the worlds and tools that ``worldquiz serve`` offers to an agent, called `name`.

        `told` holds settings as texts. Raises `KnobError`.
        """
        from worldquiz.serve.seats import ServedItems, read_settings

        known = dict.fromkeys(self.asks, int)
        given = self.settings.of(None, read_settings(name, self.baselines, told, known))
        return ServedItems(self.place, self.instructions, lambda: self.asked(name, given))
