"""Multiple choice out of tasks that are answered with a word or a count.

A task that chooses anyway keeps its choices, all of them. For a name or a count, three other
answers of tasks that ask the same stand beside the right one: no option is there as a decoy only,
so that knowing which answers are common helps as little as it does without options. The right
answer stands in each place equally often, as nearly as numbers allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from worldquiz import rng
from worldquiz.tea.scoring.grade import family, named
from worldquiz.tea.taskgraph import Count, Instance, Word

OPTIONS = 4
"""Options of a name or a count."""
_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
Choices = Callable[[Instance], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Options:
    """What one may choose from."""

    texts: tuple[str, ...]
    right: int  # the place of the right one, from 0

    @property
    def letter(self) -> str:
        """The letter of the right one."""
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[self.right]


def options(
    tasks: Iterable[Instance], choices: Choices, labels: Iterable[str], seed: int
) -> dict[str, Options]:
    """Return the options of every task that can be chosen, by id.

    `choices` gives what a task chooses from by itself; `labels` are names that stand in where tasks
    have too few different answers. A task without a second option is left out.
    """
    groups: dict[str, list[Instance]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        if isinstance(task.truth, Word | Count):
            groups.setdefault(family(task.type), []).append(task)
    found: dict[str, Options] = {}
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
    assert isinstance(task.truth, Word | Count)
    return task.truth.value if isinstance(task.truth, Word) else _number(task.truth.value)


def _number(value: int) -> str:
    return _NUMBERS[value] if value < len(_NUMBERS) else f"{value} of them"


def _pool(group: Sequence[Instance], labels: Sequence[str]) -> list[str]:
    """Return answers that tasks of a group have, then those that stand in, no two meaning the same.

    Those that stand in come last and fill up to `OPTIONS`.
    """
    truths = {task.truth for task in group}
    counts = sorted(truth.value for truth in truths if isinstance(truth, Count))
    if counts:
        more = [value for value in range(max(counts) + OPTIONS) if value not in counts]
        return [_number(value) for value in (*counts, *more[: max(OPTIONS - len(counts), 0)])]
    words = sorted(truth.value for truth in truths if isinstance(truth, Word))
    different = {named(word): word for word in reversed(words)}
    for label in labels:
        if len(different) < OPTIONS:
            different.setdefault(named(label), label)
    return sorted(different.values())


def _drawn(task: Instance, pool: Sequence[str], seed: int) -> tuple[str, ...]:
    right = _text(task)
    others = [each for each in pool if named(each) != named(right)]
    draw = rng.child(seed, "options", task.id)
    return (right, *draw.sample(others, min(OPTIONS - 1, len(others))))


def _placed(
    name: str, group: Sequence[Instance], sets: dict[str, tuple[str, ...]], seed: int
) -> dict[str, Options]:
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
        found[task.id] = Options((*others[:place], right, *others[place:]), place)
    return found
