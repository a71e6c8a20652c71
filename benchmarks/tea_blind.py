"""Measure TEA-Test scores of answerers that see no picture but learn from other apartments.

    uv run python benchmarks/tea_blind.py TASKS [--seed 0] [--json]

Each contestant answers the tasks of one apartment and learns from all other apartments:

    random, prior, blind   the package's baselines, which learn from tasks of other apartments
    words                  the commonest answer of tasks with the same words
    sheet                  the same, from the other apartments' part of the test alone
    against                the rarest answer there, which would be right if pairs were split
    logistic, forest       words, numbers of things in the apartment, and its size

Except for the package's baselines, contestants only answer types whose answers are words or counts.
Prints the mean minus the type's guess with its 95 % interval, which resamples apartments. The exit
status is 1 if an interval is above 0.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from worldquiz.tea.data import folders
from worldquiz.tea.exam.baselines import baseline
from worldquiz.tea.exam.grade import family, read, shape, worth
from worldquiz.tea.exam.sample import TASKS, chance, plain, sample, told
from worldquiz.tea.exam.show import choices, reply
from worldquiz.tea.kinds.kinds import Instance, Truth, Word
from worldquiz_scenes.scene import Scene

Taught = Callable[[Sequence[Instance], Sequence[Instance], Sequence[Instance]], list[Truth]]
"""Answers tasks, given the rest of the test and all tasks from other apartments."""


def common(known: Sequence[Instance], asked: Sequence[Instance], sign: int = 1) -> list[Truth]:
    """Return for each task the commonest (or rarest) answer to tasks with the same words."""
    by: dict[object, Counter[Truth]] = defaultdict(Counter)
    for task in known:
        for words in (told(task), told(task)[1:], ()):
            by[words][task.truth] += 1

    def best(task: Instance) -> Truth:
        found = next(by[words] for words in (told(task), told(task)[1:], ()) if by[words])
        offered = found if sign > 0 else by[()]
        return min(offered, key=lambda said: (-sign * found[said], -by[()][said], repr(said)))

    return [best(task) for task in asked]


def features(task: Instance, scene: Scene) -> dict[str, float]:
    """Return features from a task's words and the apartment's list of things."""
    labels = Counter(thing.label for thing in scene.things)
    found = {task.type: 1.0, "rooms": len(scene.rooms), "things": len(scene.things)}
    for name, given in task.given.items():
        if isinstance(given, Word):
            found |= {f"{name} {given.value}": 1.0, f"{name} count": labels[given.value]}
    return found


def fitted(model: Any, scenes: dict[str, Scene]) -> Taught:
    """Return a contestant that fits a scikit-learn model to the rest of the test."""

    def taught(
        rest: Sequence[Instance], every: Sequence[Instance], asked: Sequence[Instance]
    ) -> list[Truth]:
        vectors, truths = DictVectorizer(), {repr(task.truth): task.truth for task in rest}
        rows = vectors.fit_transform([features(task, scenes[task.scene]) for task in rest])
        model.fit(rows, [repr(task.truth) for task in rest])
        new = vectors.transform([features(task, scenes[task.scene]) for task in asked])
        return [truths[said] for said in model.predict(new)]

    return taught


def interval(by_scene: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the 95 % interval of a mean, by resampling apartments."""
    draw, means = np.random.default_rng(0), []
    for _ in range(1000):
        some = [by_scene[index] for index in draw.integers(0, len(by_scene), len(by_scene))]
        means.append(float(np.mean([value for values in some for value in values])))
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def contests(every: Sequence[Instance], seed: int, scenes: dict[str, Scene]) -> Iterator[Any]:
    """Yield type, contestant, number of tasks, guess, mean minus guess, and interval."""
    test = sample(every, TASKS, seed)
    guesses, asked = chance(test), frozenset(task.id for task in test)
    ready = {name: baseline(name, every, seed, asked) for name in ("random", "prior", "blind")}
    taught: dict[str, Taught] = {
        "words": lambda rest, every, some: common(every, some),
        "sheet": lambda rest, every, some: common(rest, some),
        "against": lambda rest, every, some: common(rest, some, -1),
        "logistic": fitted(make_pipeline(MaxAbsScaler(), LogisticRegression(C=0.3)), scenes),
        "forest": fitted(RandomForestClassifier(60, min_samples_leaf=2, random_state=0), scenes),
    }
    for name, guess in guesses.items():
        mine, others = ([task for task in tasks if family(task.type) == name]
                        for tasks in (test, every))  # fmt: skip
        earned: dict[str, list[list[float]]] = defaultdict(list)
        for scene in sorted({task.scene for task in mine}):
            some = [task for task in mine if task.scene == scene]
            said = {who: [answers(task) for task in some] for who, answers in ready.items()}
            if plain(mine):
                rest = [task for task in mine if task.scene != scene]
                far = [task for task in others if task.scene != scene]
                said |= {
                    who: [*map(reply, learn(rest, far, some))] for who, learn in taught.items()
                }
            for who, replies in said.items():
                earned[who].append([
                    worth(task.truth, read(each, shape(task), choices(task), task.command)) - guess
                    for task, each in zip(some, replies, strict=True)
                ])  # fmt: skip
        for who, values in earned.items():
            mean = float(np.mean([value for part in values for value in part]))
            yield name, who, len(mine), guess, mean, interval(values)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tasks", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    opened = folders(options.tasks)
    scenes = {folder.path.name: folder.scene for folder in opened}
    every = [task for folder in opened for task in folder.tasks]
    found = list(contests(every, options.seed, scenes))
    if options.json:
        print(json.dumps(found))
    else:
        table = Table("type", "contestant", "tasks", "guess", "mean less guess", "95 %")
        for name, who, count, guess, mean, (low, high) in found:
            table.add_row(name, who, str(count), f"{guess:.2f}", f"{mean:+.3f}",
                          f"[{low:+.3f}, {high:+.3f}]")  # fmt: skip
        Console().print(table)
    return 1 if any(low > 0 for *_, (low, _) in found) else 0


if __name__ == "__main__":
    sys.exit(main())
