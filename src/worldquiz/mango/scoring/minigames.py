"""MANGO's minigames, scored: the next move, with and without being told the places nearby.

A minigame (arXiv 2403.19913, section 3.5) shows a walkthrough up to a step and a list of actions;
the best one is the move that the walkthrough makes next. A reply succeeds if it chooses that move,
or another on the list that leads to the same places and no others:

    clean       the reply is an action on the list; case, blanks, quotes and full stops aside
    repaired    its last line is one, or one only stands in a line or in quotes of its own
    ill-formed  neither: it names no action on the list, or cannot decide

An ill-formed reply fails and stays in the denominator. Table 14 counts successes by maze, and the
share of Figure 4 is that of all minigames; its 95 % interval draws whole mazes again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from math import fsum
from typing import Any, NamedTuple

from worldquiz.llm.reply_lists import Form, spoken
from worldquiz.mango.maze.walkthrough import plain
from worldquiz.stats.intervals import RESAMPLES, Ratio, differences, intervals

_EDGES = " \t\"'`*.,:;!?-[](){}<>“”‘’"
"""What may stand around an action that a reply names."""
_QUOTED = tuple(
    re.compile(rf"{left}([^{left}{right}\n]{{1,200}}){right}")
    for left, right in ('""', "''", "``", (r"\*", r"\*"), (r"\[", r"\]"), "“”", "‘’")
)
_LABEL = re.compile(r"^[^:\n]{1,40}:")


class Setting(StrEnum):
    """Information that a player has besides the walkthrough."""

    PLAIN = "plain"  # nothing: "W/O MAPS" in Table 14
    MAP = "map"  # where one can go from here: "W/ MAPS"


class Choice(NamedTuple):
    """Choice in a reply."""

    action: str | None  # as it stands on the list; None where the reply is ill-formed
    form: Form


@dataclass(frozen=True, slots=True)
class PlayedMinigame:
    """One reply to a minigame."""

    game: str
    step: int  # of the walkthrough that is to come
    setting: Setting
    form: Form
    success: bool
    chance: float  # of succeeding by choosing at random, 0..1

    def __post_init__(self) -> None:
        if self.success and self.form is Form.ILL_FORMED:
            raise ValueError("an ill-formed reply succeeds at nothing")


def read_choice(reply: str, actions: Sequence[str]) -> Choice:
    """Return which of some actions a reply chooses."""
    known = {_bare(action): action for action in reversed(actions)}
    if action := known.get(_bare(reply)):
        return Choice(action, Form.CLEAN)
    text = spoken(reply)
    lines = [line for line in text.splitlines() if line.strip()]
    last = list(_named(lines[-1:], known))
    quoted = (piece for quotes in _QUOTED for piece in quotes.findall(text))
    named = last[:1] or list(dict.fromkeys(_named([*lines, *quoted], known)))
    return Choice(named[0], Form.REPAIRED) if len(named) == 1 else Choice(None, Form.ILL_FORMED)


def _named(texts: Iterable[str], known: Mapping[str, str]) -> Iterator[str]:
    """Yield the actions that texts are, whole or behind a label ("Action: north")."""
    for text in texts:
        for part in (text, _LABEL.sub("", text)):
            if action := known.get(_bare(part)):
                yield action
                break


def _bare(text: str) -> str:
    return plain(text.strip().strip(_EDGES))


def table(
    played: Sequence[PlayedMinigame], answerable: Mapping[str, int], *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Return Table 14 of one contestant: by maze and setting, in total, and what a map is worth.

    `answerable` is how many minigames each maze has, asked or not. Raises `MissingExtra` without
    numpy unless ``resamples`` is 0.
    """
    settings = [each for each in Setting if any(one.setting is each for one in played)]
    cells = {setting: _by_game(played, setting) for setting in settings}
    games = {
        game: {
            "answerable": answerable[game],
            **{str(setting): _counts(cells[setting].get(game, ())) for setting in settings},
        }
        for game in sorted(answerable)
    }
    totals = {str(setting): _total(cells[setting], resamples) for setting in settings}
    return {"games": games, **totals, "difference": _difference(played, resamples)}


def _by_game(played: Iterable[PlayedMinigame], setting: Setting) -> dict[str, list[PlayedMinigame]]:
    found: dict[str, list[PlayedMinigame]] = {}
    for each in played:
        if each.setting is setting:
            found.setdefault(each.game, []).append(each)
    return {game: found[game] for game in sorted(found)}


def _counts(played: Sequence[PlayedMinigame]) -> dict[str, int]:
    forms = [each.form for each in played]
    return {
        "successes": sum(each.success for each in played),
        "asked": len(played),
        "clean": forms.count(Form.CLEAN),
        "repaired": forms.count(Form.REPAIRED),
        "ill_formed": forms.count(Form.ILL_FORMED),
    }


def _total(games: Mapping[str, Sequence[PlayedMinigame]], resamples: int) -> dict[str, Any]:
    every = [each for played in games.values() for each in played]
    ratio = _ratio(games)
    return {
        **_counts(every),
        "mazes": len(games),
        "share": ratio.value,
        "interval": intervals({"share": ratio}, resamples=resamples)["share"],
        "chance": fsum(each.chance for each in every) / len(every),
    }


def _ratio(games: Mapping[str, Sequence[PlayedMinigame]]) -> Ratio:
    return Ratio(
        tuple(float(sum(each.success for each in played)) for played in games.values()),
        tuple(float(len(played)) for played in games.values()),
    )


def _difference(played: Sequence[PlayedMinigame], resamples: int) -> dict[str, float] | None:
    """Return what a map adds to the share, on the minigames that were played both ways."""
    told, untold = (
        {(each.game, each.step) for each in played if each.setting is setting}
        for setting in (Setting.MAP, Setting.PLAIN)
    )
    both = [each for each in played if (each.game, each.step) in told & untold]
    if not both or not resamples:
        return None
    sides = _ratio(_by_game(both, Setting.MAP)), _ratio(_by_game(both, Setting.PLAIN))
    gap = differences({"share": sides}, resamples=resamples)["share"]
    return asdict(gap) if gap else None
