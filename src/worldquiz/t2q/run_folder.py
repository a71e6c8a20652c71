"""The folder of a Task2Quiz run.

    RUN/manifest.json    written first: the suite's digest and folder, agent, answerer, settings
    RUN/rows.jsonl       each task and each question of each world, graded (`t2q.rollout`)
    RUN/episodes.jsonl   commands, observations and facts of each task
    RUN/contexts.jsonl   for a model only: each text that its memory recalled, once
    RUN/scores.json      written last; computed from the rows alone

During a run, each finished world has its own folder with its part of these files. The folder is
written whole or not at all, so a killed run resumes with the missing worlds, and several processes
can write at once. At the end the parts are joined, in the order of the worlds. A finished run that
is resumed keeps its joined files until the new parts are joined with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.facts.episode import Episode
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import TASK, AnswerStatus, Row, Usage
from worldquiz.records import (
    check,
    dumps,
    plain_names,
    read_bytes,
    read_record,
    remove_folder,
    whole_file,
    write_text,
)
from worldquiz.runs.folder import (
    MANIFEST,
    MODEL,
    WORLDS,
    RunManifest,
    Worlds,
    answered_by,
    data_folder,
    read_manifest,
    world_folder,
)
from worldquiz.runs.losses import reason_of
from worldquiz.runs.rows import ROWS, finished_file, read_rows, rows_in, write_rows
from worldquiz.t2q.question import Context
from worldquiz.t2q.quiz.own_play import asked_of
from worldquiz.t2q.rollout import Played, WorldRow, regraded, rows_of
from worldquiz.t2q.suites import Bundle, Suite

EPISODES, CONTEXTS = "episodes.jsonl", "contexts.jsonl"
_JOINED = (EPISODES, CONTEXTS, ROWS)
"""The files of a finished run; the rows are written last, to show that all are complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldContext(Context):
    """A line of ``contexts.jsonl``."""

    world: str


@dataclass(frozen=True, kw_only=True)
class WorldsManifest(RunManifest):
    """Fields of a run's manifest; fields that do not apply to a run may be missing."""

    agent: str
    answerer: str
    worlds: Sequence[str]
    folder: str = ""
    seed: int = 0
    max_steps: int | None = None
    budget: float | None = None
    memory: str | None = None
    wiring: Mapping[str, Any] | None = None
    options: Mapping[str, Any] | None = None
    wording: int = 0
    distractors: int = 0
    own_play: int | None = None
    horizon: int | None = None
    embedder: str | None = None


def manifest_of(run: Path) -> dict[str, Any]:
    """Read a run's manifest. Raises `RecordError`."""
    manifest = read_manifest(run, "run", "run", WorldsManifest)
    plain_names(manifest["worlds"], run / MANIFEST)
    return manifest


def names_of(manifest: Mapping[str, Any]) -> tuple[str, str]:
    """Return the names of a run's agent and answerer, as tables show them. A model has its own name
    as agent. As answerer it has its memory's name, after its own name if another agent acted.
    """
    agent, answerer = str(manifest["agent"]), answered_by(manifest)
    if manifest["answerer"] == MODEL:
        memory = str(manifest["memory"])
        answerer = memory if agent == MODEL else f"{manifest['model']}, {memory}"
    return str(manifest["model"]) if agent == MODEL else agent, answerer


@dataclass(frozen=True)
class WorldLine:
    """The field that every line of a run's files has."""

    world: str


class WorldLines:
    """The lines of a file by world, read from disk when they are needed."""

    def __init__(self, path: Path) -> None:
        """Index a file; a missing file has no lines. Raises `RecordError`."""
        self._path = path
        self.places: dict[str, list[tuple[int, int]]] = {}  # by world: a line's offset and length
        if not path.is_file():
            return
        with path.open("rb") as stream:
            at = 0
            for number, line in enumerate(stream, start=1):
                told = check(line, WorldLine, f"{path}:{number}")
                self.places.setdefault(told["world"], []).append((at, len(line)))
                at += len(line)

    def of(self, world: str) -> Iterator[bytes]:
        """Yield the lines about a world."""
        if world in self.places:
            with self._path.open("rb") as stream:
                for at, length in self.places[world]:
                    stream.seek(at)
                    yield stream.read(length)


class PlayedWorlds(Worlds):
    """Store of a run's worlds: each is graded and stored when finished, and joined at the end."""

    def __init__(
        self, out: Path, done: Callable[[str], None], bundle: Callable[[str], Bundle]
    ) -> None:
        super().__init__(out, done)
        self.losses: dict[str, BaseException] = {}  # errors of worlds that could not be finished
        self._bundle = bundle  # reads a world

    @cached_property
    def _settled(self) -> set[str]:
        """The worlds that were joined before."""
        return set(WorldLines(self.out / ROWS).places)

    @cached_property
    def _names(self) -> tuple[str, str]:
        return names_of(manifest_of(self.out))

    def has(self, world: str) -> bool:
        """Return whether a world is finished."""
        return world in self._settled or super().has(world)

    def keep_played(self, played: Played) -> None:
        """Grade a finished world; store its rows, its episodes, and the contexts from memory."""
        world = played.bundle.spec.id
        episodes = [dumps(each, Episode) for each in played.episodes]
        shown = {each.context.id: each.context for each in played.answers if each.context}
        contexts = [
            dumps(WorldContext(world=world, **asdict(shown[id])), WorldContext)
            for id in sorted(shown)
        ]

        def fill(folder: Path) -> None:
            write_rows(folder, rows_of(played, *self._names))
            for name, lines in ((EPISODES, episodes), (CONTEXTS, contexts)):
                if lines:
                    write_text(folder / name, "".join(f"{line}\n" for line in lines))

        self.keep(world, fill)

    def fail(self, world: str) -> None:
        """Record that a world failed, and why."""
        why = reason_of(self.losses.pop(world))
        self.keep_played(Played(self._bundle(world), (), (), lost=why))

    def spent(self) -> list[Usage]:
        """Return a model's usage so far, in finished worlds and in calls of unfinished worlds."""
        from worldquiz.llm.calls import made

        used = [row.measures["usage"] for row in self._rows() if "usage" in row.measures]
        finished = [Usage(**told) for each in used for told in each.values()]
        others = (under_way for world, under_way in made(self.out) if not self.has(world))
        return [*finished, *chain.from_iterable(others)]

    def _rows(self) -> Iterator[Row]:
        if self._settled:
            rows = rows_in(self.out / ROWS, WorldRow)
            yield from (row for row in rows if row.world in self._settled)
        for path in sorted(self.out.glob(f"{WORLDS}/[!.]*/{ROWS}")):
            yield from rows_in(path, WorldRow)

    def settle(self, worlds: Sequence[str]) -> None:
        """Join the files of all worlds in order, new worlds with those that were joined before."""
        if (self.out / ROWS).is_file() and not (self.out / WORLDS).is_dir():
            return
        for name in _JOINED:
            before = WorldLines(self.out / name)
            parts = {world: world_folder(self.out, world) / name for world in worlds}
            if before.places or any(path.is_file() for path in parts.values()):
                with whole_file(self.out / name) as stream:
                    for world, path in parts.items():
                        if path.is_file():
                            stream.write(read_bytes(path))
                        elif not path.parent.is_dir():
                            stream.writelines(before.of(world))
        remove_folder(self.out / WORLDS)

    def reopen(self, *, failed: bool) -> None:
        """Reopen a finished run; with `failed`, drop worlds with failures, to play them again."""
        if failed:
            lost = {row.world for row in self._rows() if row.status is AnswerStatus.FAILED}
            self._settled.difference_update(lost)


def episodes_of(run: Path) -> Callable[[str], tuple[Episode, ...]]:
    """Return a function that reads the episodes of a world of a run. Raises `RecordError`."""
    lines = WorldLines(finished_file(run, ROWS).with_name(EPISODES))
    return lambda world: tuple(
        read_record(line, Episode, run / EPISODES) for line in lines.of(world)
    )


def suite_of(run: Path, data: Path | None = None) -> Suite:
    """Open the suite of a run: in the folder `data`, else where the run's manifest says.

    Raises `RecordError` if that suite is missing.
    """
    return Suite.load(data_folder(run, data))


def asked_in(run: Path, suite: Suite) -> Callable[[str], tuple[Bundle, Mapping[str, Moment]]]:
    """Return a function that reads a world with the questions that a run asked, in its wording.

    The function also returns when each question about the agent's own play was answerable.
    """
    manifest = manifest_of(run)
    wording, own = manifest.get("wording", 0), manifest.get("own_play")
    episodes = episodes_of(run) if own else lambda _: ()  # which may be a large file

    def asked(world: str) -> tuple[Bundle, Mapping[str, Moment]]:
        return asked_of(suite.bundle(world), episodes(world), wording, own, manifest.get("horizon"))

    return asked


def grader(run: Path, data: Path | None) -> Callable[[Row, Mapping[str, Any]], Row]:
    """Return a function that regrades a row. Raises `RecordError` if the suite is missing."""
    asked = lru_cache(1)(asked_in(run, suite_of(run, data)))

    def again(row: Row, line: Mapping[str, Any]) -> Row:
        bundle, _ = asked(row.world)
        (question,) = (each for each in bundle.questions if each.id == row.item)
        return regraded(row, question, bundle.spec.kinds)

    return again


def check_run(run: Path) -> None:
    """Check a finished run by reading all its files. Raises `RecordError` if they disagree."""
    manifest = manifest_of(run)
    rows, episodes = list(read_rows(run, WorldRow)), episodes_of(run)
    strange = {row.world for row in rows} - {*manifest["worlds"]}
    if strange:
        raise RecordError(f"{run / ROWS}: world {min(strange)!r} is not in the run's {MANIFEST}")
    played = Counter(row.world for row in rows if row.type == TASK and row.unscored is None)
    for world, tasks in played.items():
        if (number := len(episodes(world))) != tasks:
            raise RecordError(f"{run / EPISODES}: {world!r} has {number} episodes, not {tasks}")
    contexts = read_bytes(run / CONTEXTS).splitlines() if (run / CONTEXTS).is_file() else []
    for number, line in enumerate(contexts, start=1):
        read_record(line, WorldContext, f"{run / CONTEXTS}:{number}")
