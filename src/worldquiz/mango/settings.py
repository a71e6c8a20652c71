"""Settings of generated mazes, and of runs on mazes: questions, minigames, drawn maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from worldquiz.runs.settings import MODEL, RunSettings, declared, setting

TEXT = "Walkthrough and prompts"


@dataclass(frozen=True, kw_only=True)
class Knobs(RunSettings):
    """Parameters of a generated maze. Shares are from 0 to 1."""

    LACKS: ClassVar[frozenset[str]] = frozenset(declared(RunSettings))

    size: int = setting(20, "Number of places in each maze.", least=2, most=20_000)
    branching: int = setting(3, "Passages at a place, without loops.", least=2, most=10)
    loops: float = setting(
        0.2, "Passages that close loops, as a share of the places.", least=0, most=1
    )
    one_way: float = setting(
        0.0, "Share of passages with no way back, as far as all stays reachable.", least=0, most=1
    )
    confusable: float = setting(
        0.0, "Share of places whose names differ by one word only.", least=0, most=1
    )
    non_compass: float = setting(
        0.0, "Share of passages that no compass direction names.", least=0, most=1
    )


@dataclass(frozen=True, kw_only=True)
class MazeSettings(RunSettings):
    """Settings of every run on mazes."""

    LACKS: ClassVar[frozenset[str]] = frozenset({"jobs", "on", "questions_at_once"})
    ASKED: ClassVar[tuple[str, ...]] = ("steps", "per_maze", "seed")
    """Settings that bear on what is asked."""

    games: Sequence[str] = setting((), "Take only this game; may be repeated.", option="--game")
    steps: int | None = setting(
        None,
        "Read at most so many steps of each walkthrough. Default: 70; of full maps, all.",
        least=0,
    )
    tokens: int | None = setting(
        None,
        "Read at most so many tokens of each walkthrough; the paper's minigames read 4,000.",
        panel=TEXT, least=1,
    )  # fmt: skip
    tokenizer: str = setting(
        "chars/3",
        "How tokens are counted: chars/NUMBER (an estimate), tiktoken:NAME, hf:PATH or "
        "hf:OWNER/NAME.",
        panel=TEXT, needs=("tokens",),
    )  # fmt: skip

    def record(self) -> dict[str, Any]:
        """Return what bears on what is asked, as a manifest tells it."""
        limits = ("tokens", "tokenizer") if self.tokens is not None else ()
        return {name: getattr(self, name) for name in (*self.ASKED, *limits)}


@dataclass(frozen=True, kw_only=True)
class QuizSettings(MazeSettings):
    """Settings of `MazeSet.run` and ``worldquiz mango run``: which questions, in which words."""

    ASKED: ClassVar[tuple[str, ...]] = (*MazeSettings.ASKED, "rf_easy", "walkthrough")

    tasks: str | Sequence[str] = setting(
        "df,rf", "df (destination finding), rf (route finding), or both with a comma."
    )
    per_maze: int = setting(50, "Ask at most so many questions of each task about a maze.", least=1)
    rf_easy: str = setting(
        "shortest",
        "Which routes define the easy split of route finding: shortest or any.",
        choices=("any", "shortest"),
    )
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
        return super().record() | ({"constrained": True} if self.constrained else {})


@dataclass(frozen=True, kw_only=True)
class MapSettings(QuizSettings):
    """Settings of `MazeSet.draw_maps` and ``worldquiz mango map``."""

    LACKS: ClassVar[frozenset[str]] = MazeSettings.LACKS | {
        "shard", "tokens", "tokenizer", "walkthrough", "constrained",
    }  # fmt: skip

    shots: int = setting(
        5,
        "5: show five examples and ask for a step at a time; 0: show the whole walkthrough at "
        "once.",
    )


@dataclass(frozen=True, kw_only=True)
class MinigameSettings(MazeSettings):
    """Settings of `MazeSet.minigames` and ``worldquiz mango minigames``."""

    ASKED: ClassVar[tuple[str, ...]] = (*MazeSettings.ASKED, "local_map")

    per_maze: int = setting(
        50, "Play at most so many minigames of a maze in each setting.", least=1
    )
    local_map: bool | None = setting(
        None,
        "Show the places nearby, or hide them; both settings are played if neither is given.",
        option="--local-map/--no-local-map",
    )
