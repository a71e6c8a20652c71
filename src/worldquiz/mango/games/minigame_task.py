"""The inspect task of MANGO's minigames: one sample is one thing to decide, in one setting.

inspect eval worldquiz/mango_minigames -T data=DIR -T local_map=both --model openai/gpt-5.1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from worldquiz.errors import KnobError
from worldquiz.llm.asking import said
from worldquiz.llm.reply_lists import Form
from worldquiz.mango.asking.ask import PER_MAZE, STEPS
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.asking.tokens import ESTIMATE
from worldquiz.mango.games.minigames import Games, Minigame, plan, played, prompts
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.mazes.selection import chosen
from worldquiz.mango.running.task import item_of, told
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
    return task_of(mazes, plan(mazes, games))


def settings(local_map: str | bool) -> tuple[Setting, ...]:
    """Read ``yes``, ``no`` or ``both``; inspect's command line hands over truth values for words.

    Raises `KnobError`.
    """
    name = local_map if isinstance(local_map, str) else "yes" if local_map else "no"
    if name not in SETTINGS:
        raise KnobError(f"local_map {local_map!r}: give {', '.join(SETTINGS)}")
    return SETTINGS[name]


def task_of(mazes: Mapping[str, Maze], every: Sequence[Minigame]) -> Task:
    """Return the task that plays some minigames."""
    asked = prompts(mazes, every)
    samples = [
        Sample(
            id=name,
            input=f"What next, after step {game.step - 1}?",
            choices=list(game.actions),
            target=sorted(game.right),
        )
        for name, game in asked.items.items()
    ]
    return Task(
        dataset=MemoryDataset(samples, name="mango_minigames"),
        solver=told(asked),
        scorer=next_moves(asked),
        fail_on_error=True,
        continue_on_fail=True,
        name="mango_minigames",
        version=1,
    )


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


@scorer(metrics=[minigame_shares()])
def next_moves(asked: Prompts[Minigame]) -> Scorer:
    """Score a reply by whether it chooses a right action."""

    async def score(state: TaskState, target: Target) -> Score:
        game = item_of(asked, state)
        reply, _ = said(state.output)
        found = played(game, reply)
        about = {
            "game": game.game, "setting": str(game.setting), "form": str(found.form),
            "success": found.success,
        }  # fmt: skip
        return Score(value=float(found.success), answer=reply[:200], metadata=about)

    return score
