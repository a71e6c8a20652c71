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
only, so that knowing which answers are common helps as little as it does without options. Options
stand in a drawn order.
"""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from worldquiz import rng
from worldquiz.errors import RecordError
from worldquiz.records import digest, whole_file
from worldquiz.tea.data import Folder
from worldquiz.tea.exam import show
from worldquiz.tea.export.tasks import ExportedTask, shown
from worldquiz.tea.scoring.grade import everyday, family, named
from worldquiz.tea.taskgraph import Choice, Count, Instance, Word

LETTERS = "ABCDEFGH"
OPTIONS = 4
"""Options of a name or a count."""
_ENDS = ("category", "l2-category", "split", "id", "type", "scene")
OPEN = ("index", "image", "question", "answer", *_ENDS)
CHOICE = ("index", "image", "question", *LETTERS, "answer", *_ENDS)
GROUPS = {
    "classification": "perception",
    "localization": "perception",
    "localization-3d": "perception",
    "depth": "perception",
    "embodied-counting": "counts",
    "mirror-counting": "counts",
    "pattern-counting": "counts",
    "relation": "relations",
    "in-view": "perspective",
}
"""Broad groups of types, as VLMEvalKit's tables want a second level; else "other"."""
_MISSING = {"n/a", "na", "nan", "null", "none", "<na>", "#n/a", "#na", ""}
"""What pandas may take for nothing."""
_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_README = """Put both tables into VLMEvalKit's data folder (`$LMUData`, else `~/LMUData`). It takes
them as custom data sets by their names:

```
python run.py --data {choice} --model MODEL --judge exact_matching
python run.py --data {open} --model MODEL --mode infer
```

The first is multiple choice, and VLMEvalKit scores it. Names and counts stand beside three answers
of other tasks; what is a choice by itself keeps all its choices, up to H. Chance is 1 over the
number of options, not 1 over 4: report it beside a score.

The second asks all tasks, without options; `answer` is JSON. VLMEvalKit asks them, and has no
measure of its own for them.
"""


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """Answer options of a question."""

    texts: tuple[str, ...]
    right: int  # the place of the right one, from 0


def write(
    out: Path,
    key: str,
    scenes: Sequence[tuple[Folder, Sequence[Instance]]],
    seed: int,
    done: Callable[[str], None],
) -> str:
    """Write both tables, named after a digest; return how to use them.

    Raises `RecordError` for an option that a table would lose.
    """
    tasks = [task for _, some in scenes for task in some]
    labels = {thing.label for folder, _ in scenes for thing in folder.scene.things}
    chosen = options(tasks, labels, seed)
    names = [f"WorldQuizTEA_{name}_{key[:8]}" for name in ("open", "choice")]
    with ExitStack() as stack:
        files = [stack.enter_context(whole_file(out / f"{name}.tsv")) for name in names]
        one, two = (_Rows(file, head) for file, head in zip(files, (OPEN, CHOICE), strict=True))
        for folder, some in scenes:
            for each in shown(folder, some):
                one.add(each, [each.prompt, each.answer])
                if told := chosen.get(each.task.id):
                    question, ends, rest = each.question.partition(" Answer with ")
                    plain = " ".join((question, *rest.partition(". ")[2:])).strip()
                    right = LETTERS[told.right : told.right + 1]
                    two.add(each, [plain if ends else question, *_cells(each, told), right])
            done(folder.path.name)
    return _README.format(open=names[0], choice=names[1])


class _Rows:
    """Rows of a table, each with its index; a picture that was there before is referred to."""

    def __init__(self, stream: IO[bytes], head: Sequence[str]) -> None:
        self._stream, self._index = stream, 0
        self._there: dict[str, int] = {}
        self._write(head)

    def add(self, shown: ExportedTask, cells: Sequence[str]) -> None:
        self._index += 1
        task, pictures = shown.task, shown.pictures
        coded = [base64.b64encode(png).decode() for png in pictures]
        image = str(coded) if len(coded) > 1 else coded[0]
        if len(coded) == 1 and (key := digest(pictures[0])) in self._there:
            image = str(self._there[key])
        elif len(coded) == 1:
            self._there[key] = self._index
        name = family(task.type)
        ends = (name, GROUPS.get(name, "other"), "test", task.id, task.type, task.scene)
        self._write((str(self._index), image, *cells, *ends))

    def _write(self, cells: Iterable[str]) -> None:
        text = io.StringIO()
        csv.writer(text, delimiter="\t", lineterminator="\n").writerow(cells)
        self._stream.write(text.getvalue().encode())


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


def options(
    tasks: Iterable[Instance], labels: Iterable[str], seed: int
) -> dict[str, AnswerOptions]:
    """Return the options of every task that can be chosen, by id, in a drawn order.

    `labels` are names that stand in where tasks have too few different answers. A task without a
    second option is left out.
    """
    groups: dict[str, list[Instance]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        if isinstance(task.truth, Word | Choice | Count):
            groups.setdefault(family(task.type), []).append(task)
    found: dict[str, AnswerOptions] = {}
    spare = sorted(set(labels))
    for group in groups.values():
        pool = _pool(group, spare)
        for task in group:
            right, draw = _text(task), rng.child(seed, "options", task.id)
            texts = list(show.choices(task))
            if not texts:
                others = [each for each in pool if everyday(each) != everyday(right)]
                texts = [right, *draw.sample(others, min(OPTIONS - 1, len(others)))]
            draw.shuffle(texts)
            if len(texts) > 1 and right in texts:
                found[task.id] = AnswerOptions(tuple(texts), texts.index(right))
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
