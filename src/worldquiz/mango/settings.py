"""Settings of runs on mazes: questions, minigames, and maps that a model draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from worldquiz.runs.settings import MODEL, RunSettings, setting

TEXT = "Walkthrough and prompts"


@dataclass(frozen=True, kw_only=True)
class MazeSettings(RunSettings):
    """Settings of every run on mazes."""

    LACKS: ClassVar[frozenset[str]] = frozenset({"jobs", "on"})

    games: Sequence[str] = setting((), "Take only this game; may be repeated.", option="--game")
    steps: int | None = setting(
        None,
        "Read at most so many steps of each walkthrough. Default: 70; of full maps, all.",
        least=0,
    )


@dataclass(frozen=True, kw_only=True)
class QuizSettings(MazeSettings):
    """Settings of `MazeSet.run` and ``worldquiz mango run``: which questions, in which words."""

    tasks: str | Sequence[str] = setting(
        "df,rf", "df (destination finding), rf (route finding), or both with a comma."
    )
    per_maze: int = setting(50, "Ask at most so many questions of each task about a maze.", least=1)
    rf_easy: str = setting(
        "shortest",
        "Which routes define the easy split of route finding: shortest or any.",
        choices=("any", "shortest"),
    )
    tokens: int | None = setting(
        None, "Show at most so many tokens of each walkthrough.", panel=TEXT, least=1
    )
    window: int | None = setting(
        None,
        "The model's context window in tokens; prompt and answer must fit into it.",
        panel=TEXT, least=1,
    )  # fmt: skip
    reserve: int = setting(
        512,
        "Tokens of the window that are kept for the answer.",
        panel=TEXT, least=0, needs=("window",),
    )  # fmt: skip
    tokenizer: str = setting(
        "chars/3",
        "How tokens are counted: chars/NUMBER (an estimate), tiktoken:NAME, hf:PATH or "
        "hf:OWNER/NAME.",
        panel=TEXT, needs=("tokens", "window"),
    )  # fmt: skip
    walkthrough: str = setting(
        "full",
        "Show the game's full text, or only the name of the place after each step.",
        panel=TEXT, choices=("full", "simplified"),
    )  # fmt: skip
    constrained: bool = setting(
        False,
        "Have the server hold replies to a JSON Schema of the listed places and moves.",
        panel=MODEL,
    )

    def record(self) -> dict[str, Any]:
        """Return what bears on the questions and their prompts, as a manifest tells it."""
        names = ["steps", "per_maze", "seed", "rf_easy", "walkthrough"]
        if self.tokens is not None or self.window is not None:
            names += ["tokens", "window", "reserve", "tokenizer"]
        told = {name: getattr(self, name) for name in names}
        return told | ({"constrained": True} if self.constrained else {})


@dataclass(frozen=True, kw_only=True)
class MapSettings(QuizSettings):
    """Settings of `MazeSet.draw_maps` and ``worldquiz mango map``."""

    LACKS: ClassVar[frozenset[str]] = MazeSettings.LACKS | {
        "shard", "tokens", "window", "reserve", "tokenizer", "walkthrough",
        "constrained",
    }  # fmt: skip

    shots: int = setting(
        5,
        "5: show five examples and ask for a step at a time; 0: show the whole walkthrough at "
        "once.",
    )


@dataclass(frozen=True, kw_only=True)
class MinigameSettings(MazeSettings):
    """Settings of `MazeSet.minigames` and ``worldquiz mango minigames``."""

    per_maze: int = setting(
        50, "Play at most so many minigames of a maze in each setting.", least=1
    )
    local_map: bool | None = setting(
        None,
        "Show the places nearby, or hide them; both settings are played if neither is given.",
        option="--local-map/--no-local-map",
    )
    tokens: int | None = setting(
        None,
        "Play only minigames with at most so many tokens of walkthrough before them; the paper "
        "read 4,000.",
        least=1,
    )
    tokenizer: str = setting(
        "chars/3",
        "How tokens are counted: chars/NUMBER (an estimate), tiktoken:NAME, hf:PATH or "
        "hf:OWNER/NAME.",
        needs=("tokens",),
    )

    def record(self) -> dict[str, Any]:
        """Return which minigames are played, as a manifest tells it."""
        names = ["steps", "per_maze", "seed", "local_map"]
        if self.tokens is not None:
            names += ["tokens", "tokenizer"]
        return {name: getattr(self, name) for name in names}
