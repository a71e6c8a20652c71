"""Triplets of source, action and destination that a model reads off a walkthrough, scored.

MANGO (arXiv 2403.19913, appendix C.4) had GPT-3.5 do it in two ways, and reports 70.5 % and 6.3 %.

*Step by step*: the model completes a triplet, that is, it names the place where a step ends, or
"None". Accuracy is the share of steps at which that is what the annotation says: the place if the
step moves one, else none. So a place that is named where nobody moved is an error, as in the
paper's count (the mean of 0.90, 0.60, 0.81, 0.50, 0.66 and 0.76 over its six games is its 70.5 %).
The paper also counts the five steps that its prompt gives away; here they are not asked.

*The whole walkthrough at once*: "any mistake would cause all subsequent steps to be incorrect", so
accuracy is the share of the walkthrough's moves before the first mistake.

Either way the triplets are also compared as sets with those of the moves really taken (precision,
recall): what a search has to go by. Names are compared as in `grade`: case and blanks aside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worldquiz.llm.reply_lists import ToldMove, spoken
from worldquiz.mango.maze.walkthrough import plain
from worldquiz.stats.intervals import Ratio, intervals

NOWHERE = "none"
"""What a model says, in any case, of a step that tells no place."""
_LABEL = "==>LOCATION:"
_AROUND = " \t\"'`*.:"


@dataclass(frozen=True, slots=True)
class ReadMap:
    """The moves that a model read off one walkthrough, beside the true ones."""

    right: int  # steps completed rightly; moves before the first mistake
    asked: int  # steps; moves
    told: frozenset[ToldMove]  # the different moves that it told
    true: frozenset[ToldMove]  # those really taken
    unread: int = 0  # replies that could not be read

    def __post_init__(self) -> None:
        if not 0 <= self.right <= self.asked:
            raise ValueError(f"{self.right} right of {self.asked} asked")

    def record(self) -> dict[str, Any]:
        """Return counts and shares, None where nothing was there to be shared."""
        shared = len(self.told & self.true)
        return {
            "right": self.right, "asked": self.asked, "unread": self.unread,
            "accuracy": _share(self.right, self.asked),
            "told": len(self.told), "true": len(self.true), "told_and_true": shared,
            "precision": _share(shared, len(self.told)),
            "recall": _share(shared, len(self.true)),
        }  # fmt: skip


def read_place(reply: str) -> str | None:
    """Return the place that a reply names, None where it names none.

    The prompt asks for the place and nothing else: its first line counts, marks around it do not.
    """
    lines = [line for line in spoken(reply).splitlines() if line.strip()]
    said = lines[0].strip().removeprefix(_LABEL).strip(_AROUND) if lines else ""
    return None if plain(said) in ("", NOWHERE) else " ".join(said.split())


def chain(
    start: str, actions: Mapping[int, str], places: Mapping[int, str | None]
) -> dict[int, ToldMove]:
    """Return the moves that places tell which were named step by step.

    One is where the last place was named, and at first at `start`; a step that names no place, or
    the same again, moves nobody.
    """
    found, here = {}, start
    for step in sorted(places):
        place = places[step]
        if place is not None and plain(place) != plain(here):
            found[step] = ToldMove(here, actions[step], place)
            here = place
    return found


def of_steps(
    places: Mapping[int, str | None],
    told: Iterable[ToldMove],
    true: Mapping[int, ToldMove],
    *,
    unread: Collection[int] = (),
) -> ReadMap:
    """Score places named step by step; `true` are the moves really taken, by their step.

    A step in `unread` has no reply that says anything, "None" included, and is wrong.
    """
    right = sum(
        plain(place or "") == plain(true[step].target if step in true else "")
        for step, place in places.items()
        if step not in unread
    )
    taken = (move for step, move in true.items() if step in places)
    return ReadMap(right, len(places), _plain(told), _plain(taken), len(unread))


def of_whole(told: Sequence[ToldMove], true: Sequence[ToldMove], *, unread: bool) -> ReadMap:
    """Score the moves that were told of a whole walkthrough, against those taken in order."""
    right = 0
    for ours, theirs in zip(told, true, strict=False):
        if _named(ours) != _named(theirs):
            break
        right += 1
    return ReadMap(right, len(true), _plain(told), _plain(true), int(unread))


def table(read: Mapping[str, ReadMap]) -> dict[str, Any]:
    """Return accuracy, precision and recall: of each maze, and their means over mazes.

    A mean is over the mazes that have the share, which it counts; its 95 % interval draws mazes
    again. Raises `MissingExtra` without numpy.
    """
    games = {game: read[game].record() for game in sorted(read)}
    means = {
        name: _mean([row[name] for row in games.values() if row[name] is not None])
        for name in ("accuracy", "precision", "recall")
    }
    right, asked = (sum(row[name] for row in games.values()) for name in ("right", "asked"))
    return {
        **means,
        "micro": {"accuracy": _share(right, asked), "right": right, "asked": asked},
        "unread": sum(each.unread for each in read.values()),
        "games": games,
    }


def _mean(shares: Sequence[float]) -> dict[str, Any]:
    ratio = Ratio(tuple(shares), (1.0,) * len(shares))
    bounds = intervals({"mean": ratio})["mean"]
    return {"macro": ratio.value, "interval": bounds, "mazes": len(shares)}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _plain(moves: Iterable[ToldMove]) -> frozenset[ToldMove]:
    return frozenset(map(_named, moves))


def _named(move: ToldMove) -> ToldMove:
    return ToldMove(*map(plain, move))
