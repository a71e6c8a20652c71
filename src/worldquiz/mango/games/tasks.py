"""The inspect tasks of MANGO's minigames and of drawing maps.

    inspect eval worldquiz/mango_minigames -T data=DIR -T local_map=both --model openai/gpt-5.1
    inspect eval worldquiz/mango_triplets -T data=DIR -T shots=5 --model openai/gpt-5.1

A sample is one thing to decide in one setting, or one step (or whole walkthrough) to read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from worldquiz.errors import KnobError
from worldquiz.llm.inspect_asking import said
from worldquiz.llm.reply_lists import Form
from worldquiz.llm.tokens import ESTIMATE
from worldquiz.mango.asking.ask import PER_MAZE, STEPS
from worldquiz.mango.asking.prompts import I, Prompts
from worldquiz.mango.games import mapping, minigames
from worldquiz.mango.games.mapping import Course, MapReading
from worldquiz.mango.games.minigames import Games, Minigame
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.mazes.selection import chosen
from worldquiz.mango.running.task import item_of, prompted, told
from worldquiz.mango.scoring.minigames import Setting

SETTINGS = {"no": (Setting.PLAIN,), "yes": (Setting.MAP,), "both": tuple(Setting)}
"""What may be said of local maps, and the settings that it stands for."""


@task
def mango_minigames(
    data: str,
    only: str | list[str] = "",
    steps: int = STEPS,
    per_maze: int = PER_MAZE,
    seed: int = 0,
    local_map: str = "both",
    tokens: int | None = None,
    tokenizer: str = ESTIMATE,
) -> Task:
    """MANGO's minigames (arXiv 2403.19913, section 3.5): make the walkthrough's next move.

    Args:
        data: A folder of published mazes (the steps70 layout, or mazes recorded into it).
        only: Games to play in, by name, with commas between; all of the folder if empty.
        steps: Of the walkthrough that are played from.
        per_maze: Minigames of a maze at most, each in every setting.
        seed: Of the sample of minigames, and of the actions to choose from.
        local_map: Whether the places nearby are told: yes, no, or both, one after the other.
        tokens: That the walkthrough before a minigame may have; the paper read 4,000.
        tokenizer: By which tokens are counted: chars/NUMBER, tiktoken:NAME, hf:PATH or
            hf:OWNER/NAME.
    """
    mazes = chosen(Path(data), only)
    games = Games(steps, settings(local_map), per_maze, seed, tokens, tokenizer)
    return minigame_task(mazes, minigames.plan(mazes, games))


def settings(local_map: str | bool) -> tuple[Setting, ...]:
    """Read ``yes``, ``no`` or ``both``; inspect's command line hands over truth values for words.

    Raises `KnobError`.
    """
    name = local_map if isinstance(local_map, str) else "yes" if local_map else "no"
    if name not in SETTINGS:
        raise KnobError(f"local_map {local_map!r}: give {', '.join(SETTINGS)}")
    return SETTINGS[name]


def minigame_task(mazes: Mapping[str, Maze], every: Sequence[Minigame]) -> Task:
    """Return the task that plays some minigames."""
    asked = minigames.prompts(mazes, every)
    return _task("mango_minigames", asked, _decision, next_moves(asked))


def _task(
    name: str, asked: Prompts[I], sample: Callable[[I], dict[str, Any]], score: Scorer
) -> Task:
    """Return the task that asks some prompts, each shown as `sample` says."""
    samples = [Sample(id=each, **sample(item)) for each, item in asked.items.items()]
    return Task(
        dataset=MemoryDataset(samples, name=name),
        setup=prompted(asked),
        solver=told(asked),
        scorer=score,
        fail_on_error=True,
        continue_on_fail=True,
        name=name,
        version=2,
    )


def _decision(game: Minigame) -> dict[str, Any]:
    return {
        "input": f"What next, after step {game.step - 1}?",
        "choices": list(game.actions),
        "target": sorted(game.right),
    }


@metric
def minigame_shares() -> Metric:
    """The share of successes in each setting (Figure 4), and of ill-formed replies."""

    def shares(scores: list[SampleScore]) -> dict[str, float]:
        found: dict[str, float] = {}
        for setting in Setting:
            mine = [
                about
                for each in scores
                if (about := each.score.metadata or {}).get("setting") == setting
            ]
            if mine:
                found[str(setting)] = sum(about["success"] for about in mine) / len(mine)
                bad = sum(about["form"] == Form.ILL_FORMED for about in mine)
                found[f"{setting}_ill_formed"] = bad / len(mine)
        return found

    return shares


@scorer(metrics=[minigame_shares(), accuracy(), stderr()])
def next_moves(asked: Prompts[Minigame]) -> Scorer:
    """Score a reply by whether it chooses a right action."""

    async def score(state: TaskState, target: Target) -> Score:
        game = item_of(asked, state)
        reply = said(state.output)
        found = minigames.played(game, reply)
        about = {
            "game": game.game, "setting": str(game.setting), "form": str(found.form),
            "success": found.success,
        }  # fmt: skip
        return Score(value=float(found.success), answer=reply[:200], metadata=about)

    return score


@task
def mango_triplets(
    data: str, only: str | list[str] = "", steps: int = STEPS, shots: int = 5
) -> Task:
    """MANGO's maps drawn by models (arXiv 2403.19913, appendix C.4): how right their triplets are.

    Args:
        data: A folder of published mazes (the steps70 layout, or mazes recorded into it).
        only: Games to read, by name, with commas between; all of the folder if empty.
        steps: Of the walkthrough that are read.
        shots: 5 (five examples, a step at a time) or 0 (no example, the whole walkthrough at once).
    """
    mazes = chosen(Path(data), only)
    return triplet_task({name: Course(maze, steps) for name, maze in mazes.items()}, shots)


def triplet_task(about: Mapping[str, Course], shots: int) -> Task:
    """Return the task that has some walkthroughs read."""
    asked = mapping.prompts(about, mapping.readings(about, shots), shots)
    return _task(
        "mango_triplets", asked, lambda part: _part(about[part.game], part), triplets(asked, about)
    )


def _part(course: Course, part: MapReading) -> dict[str, Any]:
    if part.step is None:
        asked, target = "Which moves does the walkthrough make?", f"{len(course.moves)} moves"
    else:
        asked, target = f"Where does step {part.step} end?", course.place(part.step) or "None"
    return {"input": asked, "target": target}


@metric
def triplet_accuracy() -> Metric:
    """Accuracy, macro-averaged over mazes (appendix C.4)."""

    def macro(scores: list[SampleScore]) -> float:
        games: dict[str, list[tuple[int, int]]] = {}
        for each in scores:
            about = each.score.metadata or {}
            games.setdefault(about["game"], []).append((about["right"], about["asked"]))
        shares = [
            sum(right for right, _ in each) / asked
            for each in games.values()
            if (asked := sum(asked for _, asked in each))
        ]
        return sum(shares) / len(shares) if shares else 0.0

    return macro


@scorer(metrics=[triplet_accuracy(), accuracy(), stderr()])
def triplets(asked: Prompts[MapReading], about: Mapping[str, Course]) -> Scorer:
    """Score a reply by how much of what it was asked is right."""

    async def score(state: TaskState, target: Target) -> Score:
        reading = item_of(asked, state)
        reply = said(state.output)
        _, found = mapping.read_course(about[reading.game], {reading.step: reply})
        share = found.right / found.asked if found.asked else 0.0
        told = {"game": reading.game, "right": found.right, "asked": found.asked}
        return Score(value=share, answer=reply[:200], metadata=told)

    return score
