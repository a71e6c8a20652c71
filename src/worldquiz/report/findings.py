"""First sentences of a page: who knows more than whom and why, with intervals.

Runs are compared two by two on the same worlds. A difference is called clear only where its 95 %
interval, which draws whole worlds, lies on one side of 0, and its p-value, which exchanges whole
worlds, is below `ALPHA`: of few worlds an interval may be too narrow, and no p-value is that low.
Where a difference in knowing has parts that add up to it (what the agent was shown, what the
answerer made of that), the larger is named.

Doing and knowing are two things: a pair of runs of which one does clearly more and the other
clearly knows more comes right behind the first sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from worldquiz.report import canvas
from worldquiz.report.labels import decimal
from worldquiz.stats.intervals import Difference, Interval

MEASURED = "agent"
LOWER = "lower-bound"
ALPHA = 0.05
"""Below it a p-value is called low."""
_FEW = 4
"""Runs of one kind that a sentence names; of more it tells the number."""


@dataclass(frozen=True, slots=True)
class Share:
    """A score of a run with its 95 % interval."""

    value: float
    interval: Interval | None = None
    count: str = ""  # "6 of 46", empty where there is none
    unit: str = ""  # "tasks"

    def __str__(self) -> str:
        return f"{_number(self.value)}{bounds(self.interval)}"


@dataclass(frozen=True, slots=True)
class Side:
    """A run as the first screen knows it."""

    tag: str  # its letter
    name: str
    place: int  # among the runs of the page
    role: str = MEASURED  # or "lower-bound", "upper-bound", "reference"
    knowing: Share | None = None
    doing: Share | None = None
    shown: Share | None = None  # the most that could be known of what was shown

    @property
    def colour(self) -> str:
        """The CSS variable of its colour."""
        return canvas.colour(self.place)

    def __str__(self) -> str:
        return f"{self.tag} {self.name}"


@dataclass(frozen=True, slots=True)
class Gaps:
    """Differences between two runs: left minus right over the worlds of both."""

    knowing: Difference | None = None
    doing: Difference | None = None
    parts: Mapping[str, Difference | None] = field(default_factory=dict)
    """What `knowing` is the sum of, by what the part is called: "exploration"."""
    types: Mapping[str, Difference | None] = field(default_factory=dict)
    """`knowing` by type of question, where it was taken apart."""
    why: str = "not the same worlds"  # where `knowing` is None


Compare = Callable[[Side, Side], Gaps]
Sentence = tuple[str | Side, ...]
"""Words and runs in turn; a page draws a run as its letter and its name."""


@dataclass(frozen=True, slots=True)
class Terms:
    """A benchmark's names for its two scores, as they stand in sentences and tables."""

    knowing: str = "knowledge"
    doing: str = "success"
    knows: str = "knows"  # B ... more than A
    does: str = "does"
    corrected: bool = True  # for guessing: who only guesses has 0 at most


def findings(sides: Sequence[Side], compare: Compare, terms: Terms) -> list[Sentence]:
    """Return what there is to say about some runs, the most important first."""
    told = [side for side in sides if side.knowing]
    shown = [side for side in told if side.role == MEASURED] or told
    if not shown:
        return [("No question has a grade.",)]
    if len(shown) == 1:
        rest = [_of_others(shown[0], told, compare, terms), _ahead(shown[0], told, terms)]
        return [_alone(shown[0], terms), *filter(None, rest), *_guessing(shown, terms)]
    first = _leader(shown, compare, terms)
    return [*first, *_two_things(shown, compare, terms), *_guessing(shown, terms)]


def text(sentence: Sentence) -> str:
    """Return a sentence as plain text."""
    return "".join(map(str, sentence))


def bounds(interval: Interval | None) -> str:
    """Return an interval behind a blank, nothing where there is none."""
    return f" [{_number(interval[0])}, {_number(interval[1])}]" if interval else ""


def gap(found: Difference, *, sign: str = "+") -> str:
    """Return a difference with its interval."""
    return f"{_number(found.value, sign)}{bounds((found.low, found.high))}"


def clear(found: Difference | None) -> bool:
    """Tell whether the left side is clearly above the right one."""
    return found is not None and found.low > 0 and found.p < ALPHA


def _even(found: Difference | None) -> bool:
    """Tell whether two sides had the same of every world."""
    return found is not None and found.value == found.low == found.high == 0


def behind(found: Difference | None) -> bool:
    """Tell whether the left side is clearly below the right one."""
    return found is not None and found.high < 0 and found.p < ALPHA


def _number(value: float, sign: str = "") -> str:
    told = decimal(value, sign=sign)
    return "0.00" if told in ("-0.00", "+0.00") and not sign else told.replace("-", "−")


def ranked(sides: Iterable[Side], score: str) -> list[Side]:
    """Return the runs that have a score, the highest first, equal ones by their place."""
    having = [side for side in sides if getattr(side, score)]
    return sorted(having, key=lambda side: (-getattr(side, score).value, side.place))


def _alone(side: Side, terms: Terms) -> Sentence:
    """Say what a run does and what it knows."""
    assert side.knowing
    words: list[str | Side] = [side, f" {terms.knows} {side.knowing}" + _counted(side.knowing)]
    if side.shown:
        words.append(f", of at most {side.shown} that it was shown")
    if side.doing:
        words.append(f", and {terms.does} {side.doing}{_counted(side.doing)}")
    return (*words, ".")


def _counted(share: Share) -> str:
    return f" ({f'{share.count} {share.unit}'.strip()})" if share.count else ""


def _of_others(side: Side, told: Sequence[Side], compare: Compare, terms: Terms) -> Sentence | None:
    """Set the only measured run against the best lower bound on the page."""
    floors = ranked((each for each in told if each.role == LOWER), "knowing")
    found = compare(side, floors[0]).knowing if floors else None
    if found is None:
        return None
    doubt = "" if clear(found) else "not clearly "
    return ("That is ", f"{doubt}more than the best lower bound, ", floors[0], f": {gap(found)}.")


def _ahead(side: Side, told: Sequence[Side], terms: Terms) -> Sentence | None:
    """Name the run with most knowledge beside the only measured one, where it has more."""
    most = ranked(told, "knowing")[0]
    if most is side:
        return None
    return ("More than that has ", most, f": {terms.knowing} {most.knowing}.")


def _leader(shown: Sequence[Side], compare: Compare, terms: Terms) -> list[Sentence]:
    """Compare the run that knows most with each other one, the next best first."""
    first, *others = ranked(shown, "knowing")
    found = {side.place: compare(first, side) for side in others}
    even = [side for side in others if _even(found[side.place].knowing)]
    if even and len(even) == len(others):
        names = _joined([(side,) for side in shown])
        return [(*names, f" have the same {terms.knowing} of the same worlds: {first.knowing}.")]
    doubtful = [side for side in others if not clear(found[side.place].knowing)]
    if not doubtful:
        return _clear_lead(first, others, found, terms)
    doubts = [_doubt(side, found[side.place]) for side in doubtful[:_FEW]]
    more = len(doubtful) - len(doubts)
    words = [*_joined(doubts), f" and {more} more" if more else ""]
    rest = [side for side in others if side not in doubtful]
    leads = (found[side.place].knowing for side in doubtful)
    few = any(lead and lead.low > 0 for lead in leads)  # whose interval is of one side: p is high
    sentences: list[Sentence] = [
        (f"No run clearly {terms.knows} most. ", first, f" has the highest {terms.knowing}, "
         f"{first.knowing}, but its lead over ", *words, " is not clear",
         ": there is too little to compare." if few else ".")
    ]  # fmt: skip
    if rest:
        sentences.append(_more(first, rest[0], found[rest[0].place], terms))
    return sentences


def _clear_lead(
    first: Side, others: Sequence[Side], found: Mapping[int, Gaps], terms: Terms
) -> list[Sentence]:
    second = others[0]
    sentences = [_more(first, second, found[second.place], terms)]
    if len(others) > 1:
        few = _joined([(side,) for side in others[1:]])
        names = ["every other run"] if len(others) > _FEW else few
        sentences.append((f"It {terms.knows} clearly more than ", *names, " too."))
    return sentences + _by_type(found[second.place])


def _more(first: Side, second: Side, found: Gaps, terms: Terms) -> Sentence:
    """Say how much more a run knows than another, and name the larger part of that."""
    assert found.knowing
    told = f" of the same worlds: {gap(found.knowing)}"
    return (first, f" {terms.knows} more than ", second, told, _mostly(found), ".")


def _mostly(found: Gaps) -> str:
    """Name the part that makes most of a difference, nothing where there are no parts."""
    parts = {name: each for name, each in found.parts.items() if each}
    whole = found.knowing.value if found.knowing else 0.0
    if not parts or not whole:
        return ""
    name = max(parts, key=lambda each: parts[each].value / whole)
    if parts[name].value / whole <= 0.5:  # parts may be of either sign: none need be most
        return f"; {', '.join(f'{name} {gap(each)}' for name, each in parts.items())}"
    much = "all" if abs(parts[name].value - whole) < 0.005 else "most"
    return f"; {much} of the difference is {name} ({gap(parts[name])})"


def _by_type(found: Gaps) -> list[Sentence]:
    if len(found.types) < 2:
        return []
    ahead = [name for name, each in found.types.items() if clear(each)]
    back = [name for name, each in found.types.items() if behind(each)]
    rest = [name for name in found.types if name not in ahead and name not in back]
    parts = [
        f"clear on {_names(ahead)}" if ahead else "clear on no single type",
        f"not clear on {_names(rest)}" if rest and ahead else "",
        f"reversed on {_names(back)}" if back else "",
    ]
    return [(f"The lead is {'; '.join(part for part in parts if part)}.",)]


def _doubt(side: Side, found: Gaps) -> Sentence:
    """Say why a lead over a run is not clear."""
    if found.knowing is None:
        return (side, f" ({found.why})")
    p = f", p {found.knowing.p:.2f}" if found.knowing.low > 0 else ""
    return (side, f" ({gap(found.knowing)}{p})")


def _two_things(shown: Sequence[Side], compare: Compare, terms: Terms) -> list[Sentence]:
    """Say where doing and knowing part, by the pair in which they do so most."""
    both = [side for side in shown if side.doing]
    best = (ranked(both, "doing")[:1], ranked(both, "knowing")[:1])
    pairs = [
        _Pair(does, knows, found.doing, found.knowing)
        for does, knows in (*product(best[0], both), *product(both, best[1]))
        if knows is not does and (found := compare(does, knows)).doing and found.knowing
    ]
    for how_far in (_Pair.reversed, _Pair.even):
        widest = max(pairs, key=how_far, default=None)
        if widest and how_far(widest) > 0:
            return [widest.parted(terms)]
    return []


@dataclass(frozen=True, slots=True)
class _Pair:
    """A run that may do more than another, and by how much it does and knows more."""

    does: Side
    knows: Side
    doing: Difference
    knowing: Difference

    def reversed(self) -> float:
        """Return how far a run that clearly does more clearly knows less, else 0."""
        parts = clear(self.doing) and behind(self.knowing)
        return self.doing.value - self.knowing.value if parts else 0.0

    def even(self) -> float:
        """Return how much more a run clearly does that does not clearly know more, else 0."""
        return self.doing.value if clear(self.doing) and not clear(self.knowing) else 0.0

    def parted(self, terms: Terms) -> Sentence:
        """Say it."""
        less = "and knows less" if behind(self.knowing) else "and does not clearly know more"
        return (
            "Doing and knowing part: ", self.does, " does more than ", self.knows,
            f" ({terms.doing} {gap(self.doing)}) {less} ({terms.knowing} {gap(self.knowing)}).",
        )  # fmt: skip


def _guessing(shown: Sequence[Side], terms: Terms) -> list[Sentence]:
    """Name measured runs whose knowledge may be guessing."""
    if not terms.corrected:
        return []
    poor = [
        side for side in shown
        if side.role == MEASURED and side.knowing and side.knowing.interval
        and side.knowing.interval[0] <= 0
    ]  # fmt: skip
    if not poor:
        return []
    names = [(side, f" ({side.knowing})") for side in poor[:_FEW]]
    more = f" and {len(poor) - _FEW} more" if len(poor) > _FEW else ""
    return [("Not clearly above guessing: ", *_joined(names), f"{more}.")]


def _joined(parts: Sequence[Sequence[str | Side]]) -> list[str | Side]:
    """Return parts of sentences with commas between them, and "and" before the last."""
    found: list[str | Side] = []
    for place, part in enumerate(parts):
        if place:
            found.append(" and " if place == len(parts) - 1 else ", ")
        found += part
    return found


def _names(names: Sequence[str]) -> str:
    return text(tuple(_joined([(name,) for name in names])))
