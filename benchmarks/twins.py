"""How many non-answerable questions have a twin world: ``python benchmarks/twins.py --worlds 4``.

Samples questions that no episode of a player made answerable and looks for a twin of each (see
``tests/twinning.py``): a world that prints the same to the same commands and answers otherwise.
Printed are the questions without one, or with none that is solvable, and how twins were told apart.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from twinning import Search, prove
from worldquiz import rng
from worldquiz.facts.episode import Episode
from worldquiz.facts.question import ABSTAIN, Answer, Question, Type
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.rollout import play
from worldquiz.t2q.rows import results
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.generate import generate

PLAYERS = {"random": 30, "explorer": 15, "idle": 0}
"""Players and how many steps each of their three episodes has: few, so that much stays unseen."""
EPISODES = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One question and what came of it."""

    world: str
    player: str
    question: Question
    sort: str  # of its twin; "none" where none was found
    refuted: tuple[str, ...]


def open_questions(bundle: Bundle, episodes: Sequence[Episode]) -> Iterator[Question]:
    """Yield the questions that a run made not answerable."""
    answers = tuple(Answer(question.id, ABSTAIN) for question in bundle.questions)
    found = results(Played(bundle, tuple(episodes), answers))
    for question, result in zip(bundle.questions, found, strict=True):
        if result.answerable is None:
            yield question


def sampled(questions: Sequence[Question], each: int, seed: int, *names: str) -> list[Question]:
    """Return up to `each` questions of every type."""
    chosen: list[Question] = []
    for type in Type:
        pool = [question for question in questions if question.type is type]
        chosen += rng.child(seed, "sample", type, *names).sample(pool, min(each, len(pool)))
    return chosen


def world_lines(level: str, seed: int, each: int) -> list[Line]:
    """Return what came of a sample of one world's questions, for every player."""
    spec = generate(PRESETS[level], seed, id=f"{level}-{seed}", level=level)
    tasks = tasks_of(spec)[:EPISODES]
    bundle = Bundle(spec, tasks, ask(spec))
    lines = []
    for name, steps in PLAYERS.items():
        agent = catalog.agent(name, Brief(spec, tasks, bundle.questions, seed))
        episodes = play(Game(spec), agent, tasks, seed=seed, name=name, budget=PerTask(steps))
        search = Search(spec, tasks, episodes)
        for question in sampled([*open_questions(bundle, episodes)], each, seed, name):
            verdict = prove(search, question, tasks, episodes)
            sort = verdict.twin.sort if verdict.twin else "none"
            lines.append(Line(spec.id, name, question, str(sort), verdict.refuted))
    return lines


def table(lines: Sequence[Line]) -> Iterator[str]:
    """Yield a table: per type how many were asked, and the sorts of the twins found."""
    sorts = ("plain", "bent", "larger", "cut off", "none")
    count = Counter((line.question.type, line.sort) for line in lines)
    yield f"{'type':14}{'asked':>8}" + "".join(f"{sort:>8}" for sort in sorts)
    for type in Type:
        row = [count[type, sort] for sort in sorts]
        yield f"{type:14}{sum(row):8}" + "".join(f"{number:8}" for number in row)
    total = [sum(count[type, sort] for type in Type) for sort in sorts]
    yield f"{'all':14}{sum(total):8}" + "".join(f"{number:8}" for number in total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0] if __doc__ else None)
    parser.add_argument("--worlds", type=int, default=4, help="worlds per level")
    parser.add_argument("--each", type=int, default=1, help="questions per type, player and world")
    parser.add_argument("--seed", type=int, default=600, help="seed of the first world")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    jobs = [(level, given.seed + n) for level in PRESETS for n in range(given.worlds)]
    lines: list[Line] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for found in pool.map(world_lines, *zip(*jobs, strict=True), [given.each] * len(jobs)):
            lines += found
            for line in found:
                for how in line.refuted:
                    print(f"REFUTED {line.world} {line.player} {line.question.id}: {how}")
                if line.sort in ("cut off", "none"):
                    told = f"{line.question.id} {line.question.text!r}"
                    print(f"{line.sort.upper()} {line.world} {line.player} {told}")
    print(*table(lines), sep="\n")


if __name__ == "__main__":
    main()
