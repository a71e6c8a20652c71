"""A benchmark as items and a grade: whoever has these has a run, a page, a person's quiz, a server.

    class Houses(Exam):                      # a folder of data, opened
        def items(self): ...                 # its questions, with their truth
        def reading(self, world): ...        # the text that is read before a world's questions
        def grade(self, item, reply): ...    # what a reply says, and how right that is

    BENCHMARK = benchmark("Rooms", "Read a trail, then answer.", Houses)

A run asks a baseline, an object of the user's own or a model every item, and keeps the rows
(`runs.rows`). An answerer sees a reading, a prompt and its choices, and nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

from worldquiz.errors import (
    AgentError,
    CatalogError,
    KnobError,
    RecordError,
    ReplyTypeError,
    check_share,
    did_you_mean,
)
from worldquiz.facts.answer_text import declined
from worldquiz.facts.knowledge import guess_among
from worldquiz.facts.replies import claim
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.calls import Prompt, ask
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message, user
from worldquiz.records import read_json
from worldquiz.runs.benchmark import Benchmark, DataKind, RunKind
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, answered_by, data_folder, note, read_manifest
from worldquiz.runs.given import blamed, code_of, name_of, text_of
from worldquiz.runs.life import live
from worldquiz.runs.losses import unit_name
from worldquiz.runs.rows import ItemKey, Rows, about_item, by_item, row_fields
from worldquiz.runs.run import Run
from worldquiz.runs.settings import RunSettings
from worldquiz.version import own_version

Answerer = Callable[[str, str, tuple[str, ...]], str]
"""Answers by a reading, a prompt and its choices. Its ``name`` is how records call it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question with its truth. Ids are unique within a world and type."""

    world: str
    id: str
    type: str  # what is asked about: "location"
    format: str  # how it is answered: "yes_no"
    prompt: str  # the question in full, with the form of its answer
    gold: str
    choices: tuple[str, ...] = ()
    moment: Moment | None  # when the reading settles it; None: it never does
    guess: float | None = None
    """The share that a guesser gets right who was shown nothing, 0..1: with k answers to choose
    from, 1 / k, which is also what None means where there are `choices`. Without a guess a question
    does not count in the knowledge score."""
    level: str | None = None

    @property
    def key(self) -> ItemKey:
        """Its world, type and id."""
        return self.world, self.type, self.id


@dataclass(frozen=True, slots=True)
class ItemGrade:
    """The answer that a reply holds, and how right it is."""

    answer: str | None  # None: nothing of the form that was asked for
    correct: float = 0.0  # 0..1
    measures: Mapping[str, Any] = field(default_factory=dict)  # what else a paper's tables need


class Exam(ABC):
    """A folder of data with questions about it."""

    name: ClassVar[str]  # of the benchmark: "rooms"
    kind: ClassVar[str]  # as the manifest of the data says
    noun: ClassVar[str]  # "folder of houses"
    baselines: ClassVar[Mapping[str, Answerer]] = {}

    def __init__(self, path: Path | str) -> None:
        """Open a folder. Raises `RecordError` where it is not finished, or another kind."""
        self.path = Path(path)
        self.manifest = read_manifest(self.path, self.kind, self.noun)

    @property
    def digest(self) -> str:
        """The digest of the data, as their manifest tells it."""
        return str(self.manifest["digest"])

    def __repr__(self) -> str:
        """Return what `worldquiz show` says of the folder."""
        items = list(self.items())
        worlds = len({item.world for item in items})
        return f"{self.path}: {len(items):,} questions about {worlds:,} worlds"

    @abstractmethod
    def items(self) -> Iterable[Item]:
        """Return the questions, in order."""

    @abstractmethod
    def grade(self, item: Item, reply: str) -> ItemGrade:
        """Grade a reply that does not abstain."""

    def reading(self, world: str) -> str:
        """Return the text that is read before the questions of a world."""
        return ""

    def rows(self, lines: Iterable[Mapping[str, Any]], answerer: str) -> Iterator[Row]:
        """Grade somebody's replies, kept as lines ``{"world", "type", "item", "reply", ...}``."""
        items = {item.key: item for item in self.items()}
        for line in lines:
            yield graded(self, items[by_item(line)], line, answerer)

    def run(
        self,
        answerer: str | Answerer | None = None,
        *,
        out: Path | str,
        settings: RunSettings | None = None,
        done: Done = silent,
        **changes: Any,
    ) -> Run:
        """Ask a baseline by its name, an object of yours, or a model; finish a stopped run.

        Settings are the fields of `RunSettings`, by name or as an object with `changes`; `done` is
        told the name of each question that is answered. Raises `KnobError` for an answerer and a
        model or neither, `CatalogError` for a baseline that there is not, `RecordError` where `out`
        holds anything else.
        """
        given = RunSettings.of(settings, changes)
        if (answerer is None) == (given.model is None):
            raise KnobError("give --answerer or --model: one of them answers")
        who = answerer
        if isinstance(answerer, str):
            if answerer not in self.baselines:
                close = did_you_mean(answerer, self.baselines)
                raise CatalogError(f"no answerer {answerer!r}{close}")
            who = self.baselines[answerer]
        live(ExamRun(self, who, Reach.of(given)), Path(out), done, given)
        return Run(out, self._benchmark)

    _benchmark: ClassVar[Benchmark | None] = None  # as `benchmark` makes it


class ExamRun:
    """A run of an exam, as `runs.life.live` carries it from its first question to its scores."""

    noun = "questions"

    def __init__(self, exam: Exam, answerer: Any, reach: Reach | None) -> None:
        self.exam, self.answerer, self.reach = exam, answerer, reach
        self.benchmark = exam._benchmark

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The settings of the run: equal manifests, equal runs."""
        who = {"answerer": "model" if self.reach else name_of(self.answerer)}
        own = {} if self.reach else code_of(answerer=self.answerer)
        model = self.reach.record() if self.reach else {}
        about = {"kind": run_kind(self.exam), "data": self.exam.digest, "versions": own_version()}
        return {**about, **who, **own, **model}

    @cached_property
    def items(self) -> dict[ItemKey, Item]:
        """The questions by their keys. Raises `RecordError` where two have one key."""
        every = tuple(self.exam.items())
        found = {each.key: each for each in every}
        if len(found) < len(every):
            raise RecordError(f"{self.exam.path}: two questions of one world, type and id")
        for item in every:
            check_share(f"{self.exam.path}: {unit_name(item.key)}: guess", item.guess)
        return found

    @property
    def units(self) -> Sequence[ItemKey]:
        """The keys of the questions, in the order of their rows."""
        return tuple(self.items)

    def require(self) -> None:
        """Raise what the model lacks (an extra, a key), before the run's folder is touched."""
        if self.reach:
            self.reach.require()

    def preflight(self) -> None:
        """Raise what says that the model cannot be asked; not called for a finished run."""
        if self.reach:
            self.reach.preflight()

    def begin(self, out: Path) -> None:
        """Note where the data are: they may move before the run is resumed."""
        note(self.exam.path, out)

    def kept(self, out: Path, done: Done) -> Rows:
        """Open the rows."""
        return Rows(out, done, self.row)

    def row(self, line: Mapping[str, Any]) -> Row:
        """Return the row of a reply."""
        who = answered_by(self.manifest)
        return graded(self.exam, self.items[by_item(line)], line, who)

    def produce(self, left: Sequence[ItemKey], kept: Rows, out: Path) -> None:
        """Have the rest of the questions answered; each row is kept as its reply comes."""
        if self.reach:
            items = ((key, self.items[key]) for key in left)
            prompts = (Prompt(about_item(key), partial(self.asked, item)) for key, item in items)
            ask(prompts, self.reach, kept)
            return
        for key in left:
            item, answerer = self.items[key], deepcopy(self.answerer)  # no state goes on
            who, where = f"answerer {name_of(self.answerer)!r}", f"at question {unit_name(key)}"
            try:
                with blamed(who, where):
                    said = answerer(self.exam.reading(item.world), item.prompt, item.choices)
                reply = text_of(said, answerer, who, where)
            except AgentError as error:
                kept.lose(about_item(key), error)
            else:
                kept.keep({**about_item(key), "reply": reply})

    def asked(self, item: Item) -> list[Message]:
        """Return a question as a model is asked it: the reading, then the prompt."""
        return [user("\n\n".join(filter(None, (self.exam.reading(item.world), item.prompt))))]


def graded(exam: Exam, item: Item, line: Mapping[str, Any], answerer: str) -> Row:
    """Return the row of a reply to an item; `line` as `Rows` takes it."""
    reply, moment = str(line.get("reply") or ""), item.moment
    said = claim(reply) or reply
    answered = line.get("status") is None and not declined(said)
    guess = guess_among(item.choices) if item.guess is None else item.guess
    found = exam.grade(item, said) if answered else ItemGrade(None)
    check_share(f"{exam.name}: grade of {unit_name(item.key)}", found.correct, ReplyTypeError)
    told = row_fields({**line, "reply": reply}, found.answer)
    return Row(
        run="", benchmark=exam.name, answerer=answerer,
        world=item.world, level=item.level, item=item.id, type=item.type, format=item.format,
        prompt=item.prompt, choices=item.choices, gold=item.gold, guess=guess,
        shown=moment is not None, episode=moment.episode if moment else None,
        step=moment.step if moment else None, measures=found.measures,
        correct=float(found.correct) if told["status"] is AnswerStatus.ANSWERED else None, **told,
    )  # fmt: skip


def run_kind(exam: Exam | type[Exam]) -> str:
    """Return what the manifests of an exam's runs say."""
    return f"{exam.kind}-run"


def exam_of(run: Path, opened: Callable[[Path], Exam], data: Path | None = None) -> Exam:
    """Open the data that a run was made on; `data` is where they are, if they were moved.

    Raises `RecordError` where they are not there, or others.
    """
    place = data_folder(run, data)
    exam = opened(place)
    if exam.digest != read_json(run / MANIFEST).get("data"):
        raise RecordError(f"{place}: is not the data that {run} was made on: give them by --data")
    return exam


def _grader(exam: Exam) -> Callable[[Row, Mapping[str, Any]], Row]:
    items = {item.key: item for item in exam.items()}
    return lambda row, line: graded(exam, items[by_item(line)], line, row.answerer)


def benchmark(
    title: str,
    summary: str,
    opened: type[Exam],
    *,
    commands: Callable[[], Any] | None = None,
) -> Benchmark:
    """Return what worldquiz knows of a benchmark that is an exam."""
    made = Benchmark(
        name=opened.name, title=title, summary=summary, commands=commands,
        data=(DataKind(
            kind=opened.kind, noun=opened.noun, open=opened,
            serve=partial(_served, opened),
        ),),
        runs=(RunKind(
            kind=run_kind(opened), noun=f"run of {title}", command="worldquiz run",
            exam=lambda run, data: exam_of(run, opened, data),
            grader=lambda run, data: _grader(exam_of(run, opened, data)),
        ),),
    )  # fmt: skip
    opened._benchmark = made
    return made


def _served(opened: type[Exam], folder: Path, name: str, settings: Mapping[str, str]) -> Any:
    """Serve a folder of data to an agent of some name, with ``worldquiz serve``."""
    from worldquiz.serve.seats import ReadingPlace, ServedReading, read_settings

    read_settings(name, tuple(opened.baselines), settings, {})  # there are none

    def make() -> tuple[ExamRun, dict[str, ReadingPlace]]:
        work = ExamRun(opened(folder), name, None)
        worlds: dict[str, dict[ItemKey, str]] = {}
        for key, item in work.items.items():
            worlds.setdefault(item.world, {})[key] = item.prompt
        return work, {
            world: ReadingPlace(work.exam.reading(world), asked) for world, asked in worlds.items()
        }

    return ServedReading("world", f"You take {opened.noun}.", make)
