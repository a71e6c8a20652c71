"""Settings of generated mazes, and of runs on mazes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from worldquiz.runs.settings import RunSettings, declared, setting

TEXT = "Walkthrough and prompts"


@dataclass(frozen=True, kw_only=True)
class Knobs(RunSettings):
    """Parameters of a generated maze. Shares are from 0 to 1."""

    LACKS: ClassVar[frozenset[str]] = frozenset(declared(RunSettings))

    size: int = setting(20, "Number of places in each maze.", least=2, most=20_000)
    branching: int = setting(3, "Most passages at a place, loops not counted.", least=2, most=10)
    loops: float = setting(
        0.2, "Passages that close loops, as a share of the places.", least=0, most=1
    )
    one_way: float = setting(
        0.0, "Share of one-way passages; fewer where a place would be cut off.", least=0, most=1
    )
    confusable: float = setting(
        0.0, "Share of places with names that differ in one word only.", least=0, most=1
    )
    non_compass: float = setting(
        0.0, "Share of passages whose actions are not compass directions.", least=0, most=1
    )


@dataclass(frozen=True, kw_only=True)
class QuizSettings(RunSettings):
    """Settings of `MazeSet.run` and ``worldquiz mango run``: the questions and their wording."""

    LACKS: ClassVar[frozenset[str]] = frozenset({"jobs", "on"})

    games: Sequence[str] = setting((), "Use only this game; may be repeated.", option="--game")
    tasks: str | Sequence[str] = setting(
        "df,rf",
        "df (destination finding), rf (route finding), minigame (the walkthrough's next move), or "
        "several with commas.",
    )
    choice: str = setting(
        "paired",
        "paired: about half of the lists of moves cannot be made, so that the questions do not "
        "reveal the map; published: as in the published data, whose questions do reveal it.",
        choices=("paired", "published"),
    )
    per_maze: int = setting(
        50,
        "Maximum number of questions per task and maze; with paired questions, at least 4.",
        least=1,
    )
    rf_easy: str = setting(
        "shortest",
        "Which routes define the easy split of route finding: shortest or any.",
        choices=("any", "shortest"),
    )
    steps: int | None = setting(
        None,
        "Maximum number of steps to read of each walkthrough. Default: 70; for full maps, all.",
        least=0,
    )
    tokens: int | None = setting(
        None,
        "Maximum number of tokens to read of each walkthrough; 4,000 in the paper's minigames.",
        panel=TEXT, least=1,
    )  # fmt: skip
    tokenizer: str = setting(
        "chars/3",
        "How tokens are counted: chars/NUMBER (an estimate), tiktoken:NAME, hf:PATH or "
        "hf:OWNER/NAME.",
        panel=TEXT, needs="tokens",
    )  # fmt: skip
    walkthrough: str = setting(
        "full",
        "Show the game's full text, or only the name of the place after each step.",
        panel=TEXT, choices=("full", "simplified"),
    )  # fmt: skip
    local_map: bool | None = setting(
        None,
        "Show or hide nearby places in minigames; without this option, every minigame is played "
        "both ways.",
        panel=TEXT, option="--local-map/--no-local-map",
    )  # fmt: skip
    shots: int | None = setting(
        None,
        "Have the model draw a map, then search it for the answers. 5: five examples, then one "
        "step at a time; 0: the whole walkthrough at once.",
        panel=TEXT,
    )  # fmt: skip

    def record(self) -> dict[str, Any]:
        """Return the settings that affect questions and prompts, for the manifest."""
        names = ["steps", "per_maze", "seed", "rf_easy", "walkthrough", "choice"]
        names += ["tokens", "tokenizer"] if self.tokens is not None else []
        names += [name for name in ("local_map", "shots") if getattr(self, name) is not None]
        return {name: getattr(self, name) for name in names}
