"""Base class of benchmarks that consist of questions and a method that grades replies.

    class Houses(Exam):                      # a folder of data, opened
        def items(self): ...                 # its questions, with the right answers
        def reading(self, world): ...        # the text that is read before a world's questions
        def grade(self, item, reply): ...    # the answer that a reply contains, and its score

    BENCHMARK = benchmark("Rooms", "Read a trail, then answer.", Houses)

A run puts every question to a model, a baseline or a user's own object, and keeps the graded rows
(`runs.rows`). An answerer sees only the reading, the prompt and its choices.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from worldquiz.errors import RecordError, ReplyTypeError, check_share
from worldquiz.exam.answerers import NOBODY, Who
from worldquiz.exam.asking import ItemsRun
from worldquiz.exam.data import QuizData
from worldquiz.facts.answer_text import declined
from worldquiz.facts.knowledge import guess_among
from worldquiz.facts.replies import claim
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import ABSTAIN, AnswerStatus, Row
from worldquiz.records import digest, read_json, write_json
from worldquiz.runs.benchmark import PLAN, Benchmark, DataKind, RunKind
from worldquiz.runs.folder import MANIFEST, begin, claimed, data_folder, note
from worldquiz.runs.given import code_of
from worldquiz.runs.items import Line, RunItem, Shown
from worldquiz.runs.losses import unit_name
from worldquiz.runs.rows import ItemKey, row_fields
from worldquiz.runs.settings import RunSettings

if TYPE_CHECKING:
    import click

Baseline = Callable[[str, str, tuple[str, ...]], str]
"""Returns an answer to a reading, a prompt and its choices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question with its right answer. Ids are unique within a world and type."""

    world: str
    id: str
    type: str  # what is asked about: "location"
    format: str  # form of the answer: "yes_no"
    prompt: str  # the full question, with the form of its answer
    gold: str
    choices: tuple[str, ...] = ()
    moment: Moment | None  # when the reading shows the answer; None: never
    guess: float | None = None
    """The probability, 0..1, of a right guess by an answerer who was shown nothing; None means 1 /
    k with k `choices`. Without choices, the question then does not count in the knowledge score."""
    level: str | None = None

    @property
    def key(self) -> ItemKey:
        """The item's world, type and id."""
        return self.world, self.type, self.id


@dataclass(frozen=True, slots=True)
class ItemGrade:
    """The answer that a reply contains, and its score."""

    answer: str | None  # None: nothing in the required form
    correct: float = 0.0  # 0..1
    measures: Mapping[str, Any] = field(default_factory=dict)  # further values for a paper's tables


class Exam(QuizData):
    """A folder of data with questions about it."""

    baselines: ClassVar[Mapping[str, Baseline]] = {}
    instructions: ClassVar[str] = "You read about a world, then answer questions about it."
    parameters: ClassVar[Mapping[str, Any]] = {}
    """Parameters with defaults, from which `build` generates the data; empty if there are none."""

    @classmethod
    def build(cls, out: Path | str, **changes: Any) -> Self:
        """Write a data folder from the parameters, the defaults with `changes`, and open it.

        The folder holds only the parameters, so equal parameters give equal bytes. Raises
        `TypeError` for an unknown parameter, `RecordError` if the folder holds anything else.
        """
        folder, plan = Path(out), {"kind": cls.kind, **cls.parameters, **changes}
        if strange := changes.keys() - cls.parameters.keys():
            raise TypeError(f"{cls.__name__} has no parameter {min(strange)!r}")
        with claimed(folder):
            begin(folder, PLAN, plan)
            write_json(folder / MANIFEST, {**plan, "digest": digest(json.dumps(plan))})
        return cls(folder)

    @property
    def digest(self) -> str:
        """The digest of the data, read from their manifest."""
        return str(self.manifest["digest"])

    def __repr__(self) -> str:
        """Return the line that `worldquiz show` prints."""
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
        """Return the text that an answerer reads before the questions about a world."""
        return ""

    def asked(self, who: Who, given: RunSettings) -> ItemsRun:
        """Return a run by an answerer, ready to be executed."""
        return ExamRun(self, who)

    _benchmark: ClassVar[Benchmark | None] = None  # set by `benchmark`


def abstainer(reading: str, prompt: str, choices: tuple[str, ...]) -> str:
    """Baseline that abstains on every question: a lower bound for any exam."""
    return ABSTAIN


class ExamRun(ItemsRun):
    """A run of an exam."""

    def __init__(self, exam: Exam, who: Who = NOBODY) -> None:
        self.exam, self.who, self.benchmark = exam, who, exam._benchmark
        self.kind = f"{exam.kind}-run"

    @property
    def about(self) -> dict[str, Any]:
        """Digests of the data and of the code that makes the questions, for the manifest."""
        return {"data": self.exam.digest, **code_of(benchmark=type(self.exam))}

    @cached_property
    def items(self) -> dict[ItemKey, RunItem]:
        """The questions by their keys.

        Raises `RecordError` if two have the same key, or if a gold answer is not among the choices.
        """
        every = tuple(self.exam.items())
        for item in every:
            where = f"{self.exam.path}: {unit_name(item.key)}"
            check_share(f"{where}: guess", item.guess)
            if item.choices and item.gold not in item.choices:
                raise RecordError(f"{where}: answer {item.gold!r} is not among {item.choices}")
        found = {item.key: self._item(item) for item in every}
        if len(found) < len(every):
            raise RecordError(f"{self.exam.path}: two questions have the same world, type and id")
        return found

    def _item(self, item: Item) -> RunItem:
        def shown() -> Shown:
            return Shown(question=item.prompt, reading=self.exam.reading(item.world))

        row = partial(graded, self.exam, item)
        return RunItem(key=item.key, shown=shown, row=row, choices=item.choices)

    def baseline(self, keys: Sequence[ItemKey]) -> Iterator[tuple[ItemKey, Line]]:
        """Yield a baseline's replies."""
        for key in keys:
            shown, choices = self.items[key].shown(), self.items[key].choices
            said = self.exam.baselines[str(self.who)](shown.reading, shown.question, choices)
            yield key, {"reply": said}

    def begin(self, out: Path) -> None:
        """Write the path of the data into the run's manifest."""
        note(self.exam.path, out)


def graded(exam: Exam, item: Item, line: Line, answerer: str) -> Row:
    """Return the graded row of a reply to an item; `line` is the reply's line (`runs.rows`)."""
    reply, moment = str(line.get("reply") or ""), item.moment
    said = claim(reply) or reply
    answered = line.get("status") is None and not declined(said)
    guess = guess_among(item.choices) if item.guess is None else item.guess
    found = exam.grade(item, said) if answered else ItemGrade(None)
    where = f"{exam.name}: grade of {unit_name(item.key)}"
    if not isinstance(found, ItemGrade):
        raise ReplyTypeError(f"{where}: expected an ItemGrade, found a {type(found).__name__}")
    check_share(where, found.correct, ReplyTypeError)
    told = row_fields({**line, "reply": reply}, found.answer)
    return Row(
        run="", benchmark=exam.name, answerer=answerer,
        world=item.world, level=item.level, item=item.id, type=item.type, format=item.format,
        prompt=item.prompt, choices=item.choices, gold=item.gold, guess=guess,
        shown=moment is not None, episode=moment.episode if moment else None,
        step=moment.step if moment else None, measures=found.measures,
        correct=float(found.correct) if told["status"] is AnswerStatus.ANSWERED else None, **told,
    )  # fmt: skip


def benchmark(
    title: str,
    summary: str,
    opened: type[Exam],
    *,
    commands: Callable[[], Any] | None = None,
) -> Benchmark:
    """Return the `Benchmark` of an exam.

    Without `commands`, the benchmark has the command ``build`` if the exam has `parameters`.
    """
    made = Benchmark(
        name=opened.name, title=title, summary=summary,
        commands=commands or (partial(_commands, opened, summary) if opened.parameters else None),
        data=(DataKind(kind=opened.kind, noun=opened.noun, open=opened),),
        runs=(RunKind(
            kind=f"{opened.kind}-run", noun=f"run of {title}",
            exam=lambda run, data: ExamRun(opened(data_folder(run, data))),
            sheet=partial(_sheet, opened),
        ),),
    )  # fmt: skip
    opened._benchmark = made
    return made


def _commands(opened: type[Exam], summary: str) -> click.Group:
    """Return the commands of an exam: ``build``, with one option per parameter."""
    import click

    def build(out: Path, **parameters: Any) -> None:
        click.echo(json.dumps({opened.kind: str(opened.build(out, **parameters).path)}))

    place = click.Path(path_type=Path)
    options: list[click.Parameter] = [
        click.Option(["--out"], type=place, required=True, help="Folder to write."),
        *(
            click.Option([f"--{name.replace('_', '-')}"], default=usual, show_default=True)
            for name, usual in opened.parameters.items()
        ),
    ]
    command = click.Command("build", callback=build, params=options, help=f"Build a {opened.noun}.")
    return click.Group(opened.name, {"build": command}, help=summary, no_args_is_help=True)


def _sheet(opened: type[Exam], run: Path, name: str, data: Path | None) -> Any:
    """Return the quiz in which the person `name` answers the questions of a run."""
    from worldquiz.human.quiz import ItemsQuiz

    return ItemsQuiz(ExamRun(opened(data_folder(run, data))), read_json(run / MANIFEST), name)
