"""Tasks as VLMEvalKit's tables: one of open answers, one of multiple choice.

    OUT/WorldQuizTEA_open_DIGEST.tsv      all tasks that are answered, asked as `tea run` asks them
    OUT/WorldQuizTEA_choice_DIGEST.tsv    those with a word or a count for an answer, with options

VLMEvalKit (docs/en/Development.md and `dataset/image_base.py`) takes any table in its data folder
with columns `index` and `question` for one of its custom data sets: of multiple choice where there
are `A` and `B`, else of open answers. It keeps pictures by a table's name and a row's index, hence
the digest in the name. `image` holds a picture in base64, or a list of them as Python writes it,
or, where it is shorter than 65 letters, the index of the row that holds the same picture.

Options: a task that chooses anyway keeps its choices, all of them. For a name or a count, three
other answers of tasks that ask the same stand beside the right one: no option is there as a decoy
only, so that knowing which answers are common helps as little as it does without options. The right
answer stands in each place equally often, as nearly as numbers allow.
"""

from __future__ import annotations

import base64
import csv
import io
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from worldquiz import rng
from worldquiz.errors import RecordError
from worldquiz.records import digest, whole_file
from worldquiz.tea.export.source import ExportedTask, truth
from worldquiz.tea.scoring.grade import everyday, family, named
from worldquiz.tea.taskgraph import Choice, Count, Instance, Word

LETTERS = "ABCDEFGH"
OPTIONS = 4
"""Options of a name or a count."""
SPLIT = "test"
_ENDS = ("category", "l2-category", "split", "id", "type", "scene")
OPEN = ("index", "image", "question", "answer", *_ENDS)
CHOICE = ("index", "image", "question", *LETTERS, "answer", *_ENDS)
_MISSING = {"n/a", "na", "nan", "null", "none", "<na>", "#n/a", "#na", ""}
"""What pandas may take for nothing."""
_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
Choices = Callable[[Instance], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """Answer options of a question."""

    texts: tuple[str, ...]
    right: int  # the place of the right one, from 0

    @property
    def letter(self) -> str:
        """The letter of the right one."""
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[self.right]


@dataclass(frozen=True, slots=True)
class Places:
    """The indices of the first rows of some tasks, and the options of those that have any."""

    open: int
    choice: int
    options: Mapping[str, AnswerOptions]


def names(key: str) -> tuple[str, str]:
    """Return the files' names, open and choice, of an export with a digest."""
    return f"WorldQuizTEA_open_{key[:8]}.tsv", f"WorldQuizTEA_choice_{key[:8]}.tsv"


def parts(folder: Path, number: int) -> tuple[Path, Path]:
    """Return where the rows of some tasks are until all are put together."""
    return folder / f".open-{number:06}", folder / f".choice-{number:06}"


def write_rows(folder: Path, number: int, shown: Iterable[ExportedTask], places: Places) -> None:
    """Write the rows of some tasks. Raises `RecordError` for an option that a table would lose."""
    one, two = parts(folder, number)
    with whole_file(one) as opened, whole_file(two) as chosen:
        open_rows, choice_rows = _Rows(opened, places.open), _Rows(chosen, places.choice)
        for each in shown:
            options = places.options.get(each.task.id)
            open_rows.add(each, [each.prompt], truth(each.task))
            if options is not None:
                choice_rows.add(each, [_question(each), *_cells(each, options)], options.letter)


class _Rows:
    """Rows of a table, each with its index; a picture that was there before is referred to."""

    def __init__(self, stream: IO[bytes], first: int) -> None:
        self._stream, self._index = stream, first
        self._there: dict[str, int] = {}

    def add(self, shown: ExportedTask, cells: Sequence[str], answer: str) -> None:
        task = shown.task
        image = self._image(shown.pictures)
        ends = (family(task.type), group(task), SPLIT, task.id, task.type, task.scene)
        self._stream.write(line((str(self._index), image, *cells, answer, *ends)))
        self._index += 1

    def _image(self, pictures: Sequence[bytes]) -> str:
        if len(pictures) > 1:
            return str([base64.b64encode(png).decode() for png in pictures])
        key = digest(pictures[0])
        if key in self._there:
            return str(self._there[key])
        self._there[key] = self._index
        return base64.b64encode(pictures[0]).decode()


def line(cells: Iterable[str]) -> bytes:
    """Return a row of a table."""
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerow(cells)
    return text.getvalue().encode()


def gather(folder: Path, count: int, key: str) -> tuple[str, str]:
    """Put so many parts together, and return the tables' names."""
    both = names(key)
    for which, (name, columns) in enumerate(zip(both, (OPEN, CHOICE), strict=True)):
        with whole_file(folder / name) as stream:
            stream.write(line(columns))
            for number in range(count):
                part = parts(folder, number)[which]
                with part.open("rb") as rows:
                    shutil.copyfileobj(rows, stream)
                part.unlink()
    return both


def _question(shown: ExportedTask) -> str:
    """Return the question, without the instruction how to answer."""
    asked, ends, rest = shown.question.partition(" Answer with ")
    return " ".join((asked, *rest.partition(". ")[2:])).strip() if ends else asked


def _cells(shown: ExportedTask, options: AnswerOptions) -> list[str]:
    if len(options.texts) > len(LETTERS):
        raise RecordError(
            f"task {shown.task.id!r} has {len(options.texts)} options; a table has room for "
            f"{len(LETTERS)}"
        )
    for text in options.texts:
        if text.lower() in _MISSING:
            raise RecordError(
                f"task {shown.task.id!r}: a table cannot hold the option {text!r}: pandas reads it "
                "as nothing; call the thing otherwise"
            )
    return [*options.texts, *[""] * (len(LETTERS) - len(options.texts))]


def group(task: Instance) -> str:
    """Return the broad group of a type of task, as VLMEvalKit's tables want a second level."""
    return {
        "classification": "perception",
        "localization": "perception",
        "localization-3d": "perception",
        "depth": "perception",
        "embodied-counting": "counts",
        "mirror-counting": "counts",
        "pattern-counting": "counts",
        "relation": "relations",
        "in-view": "perspective",
        "navigation": "action",
    }.get(family(task.type), "other")


def options(
    tasks: Iterable[Instance], choices: Choices, labels: Iterable[str], seed: int
) -> dict[str, AnswerOptions]:
    """Return the options of every task that can be chosen, by id.

    `choices` gives what a task chooses from by itself; `labels` are names that stand in where tasks
    have too few different answers. A task without a second option is left out.
    """
    groups: dict[str, list[Instance]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        if isinstance(task.truth, Word | Choice | Count):
            groups.setdefault(family(task.type), []).append(task)
    found: dict[str, AnswerOptions] = {}
    spare = sorted(set(labels))
    for name, group in sorted(groups.items()):
        pool = _pool(group, spare)
        sets = {task.id: choices(task) or _drawn(task, pool, seed) for task in group}
        found |= _placed(name, group, sets, seed)
    return found


def _text(task: Instance) -> str:
    """Return the right answer as an option; counts in words, so that no table takes them for less.

    (A column of numbers with gaps is read as fractions: 2.0.)
    """
    assert isinstance(task.truth, Word | Choice | Count)
    return _number(task.truth.value) if isinstance(task.truth, Count) else task.truth.value


def _number(value: int) -> str:
    return _NUMBERS[value] if value < len(_NUMBERS) else f"{value} of them"


def _pool(group: Sequence[Instance], labels: Sequence[str]) -> list[str]:
    """Return answers that tasks of a group have, then those that stand in, no two of one name.

    Those that stand in come last and fill up to `OPTIONS` with different everyday words.
    """
    truths = {task.truth for task in group}
    counts = sorted(truth.value for truth in truths if isinstance(truth, Count))
    if counts:
        more = [value for value in range(max(counts) + OPTIONS) if value not in counts]
        return [_number(value) for value in (*counts, *more[: max(OPTIONS - len(counts), 0)])]
    words = sorted(truth.value for truth in truths if isinstance(truth, Word | Choice))
    different = {named(word): word for word in reversed(words)}
    meant = {everyday(word) for word in words}
    for label in labels:
        if len(meant) < OPTIONS and everyday(label) not in meant:
            meant.add(everyday(label))
            different[named(label)] = label
    return sorted(different.values())


def _drawn(task: Instance, pool: Sequence[str], seed: int) -> tuple[str, ...]:
    right = _text(task)
    others = [each for each in pool if everyday(each) != everyday(right)]
    draw = rng.child(seed, "options", task.id)
    return (right, *draw.sample(others, min(OPTIONS - 1, len(others))))


def _placed(
    name: str, group: Sequence[Instance], sets: dict[str, tuple[str, ...]], seed: int
) -> dict[str, AnswerOptions]:
    """Put each right answer in a place: in turn through shuffled places."""
    left: dict[int, list[int]] = {}
    found = {}
    for task in group:
        right, size = _text(task), len(sets[task.id])
        if size < 2 or right not in sets[task.id]:
            continue
        draw = rng.child(seed, "places", name, task.id)
        if not left.get(size):
            left[size] = draw.sample(range(size), size)
        place = left[size].pop()
        others = [each for each in sets[task.id] if each != right]
        draw.shuffle(others)
        found[task.id] = AnswerOptions((*others[:place], right, *others[place:]), place)
    return found
