"""Places that an observation may name.

A *heading* is a line that is a place's name, perhaps in brackets, or before a comma or bracket
(``Kitchen, on the chair``). MANGO tells places that share a name apart by a mark: ``hall (3rd
floor)``; such a heading names all of them, and the words of the marks tell which of them the rest
of the text fits. Where there is no heading, the words of a name may stand in the text itself: *You
are in the flower garden*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from worldquiz.mango.maze.walkthrough import heading

_WORD = re.compile(r"[a-z0-9]+")
_MARK = re.compile(r"[(（]")
_SMALL = frozenset(
    ("a", "an", "and", "at", "by", "for", "from", "in", "into", "is", "it", "its", "of", "off",
     "on", "or", "the", "to", "you", "your")
)  # fmt: skip
_NUMBERS = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th",
}  # fmt: skip
STEM = 5
"""Letters by which two words are taken for one: *pass* and *passage* are two, *building* and
*buildings* one."""
ENOUGH = 0.6
"""Share of a name's words, by weight, that a text without a heading must have."""
_DARK = frozenset(("dark", "pitch"))


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """Places that an observation names or fits."""

    heading: str | None  # its last line that names a place, plain; None: no line does
    fits: dict[str, float]  # by place: how well the text fits it, 0..1
    text: frozenset[str]  # the words of what follows the heading
    sure: bool  # whether its heading can be no other place's
    title: bool  # whether it seems to be of some place: headed, or too dark to tell


class Names:
    """The names of a maze's places."""

    def __init__(self, places: Iterable[str]) -> None:
        self.places = tuple(places)
        shared: dict[str, tuple[str, ...]] = {}
        whole: dict[str, tuple[str, ...]] = {}
        for place in self.places:
            bare = heading(_MARK.split(place)[0])
            shared[bare] = (*shared.get(bare, ()), place)
            whole[heading(place)] = (*whole.get(heading(place), ()), place)
        self.headed = {name: some for name, some in (shared | whole).items() if name}
        self._sure = {name for name, some in self.headed.items()
                      if {*some, *shared.get(name, ())} == {some[0]}}  # fmt: skip
        self._words = {place: words(place) for place in self.places}
        every = [word for some in self._words.values() for word in some]
        self._weight = {word: 1 / every.count(word) for word in every}

    def read(self, observation: str) -> PlaceReading:
        """Return what an observation says."""
        lines = observation.strip().splitlines()
        headings = [(at, name) for at, line in enumerate(lines) if (name := self._heading(line))]
        title = bool(lines) and _titled(lines[0])
        if not headings:
            text = words(" ".join(lines))
            fits = {place: self._fit(place, text, frozenset()) for place in self.places}
            near = {place: fit for place, fit in fits.items() if fit >= ENOUGH}
            return PlaceReading(None, near, text, sure=False, title=title or bool(text & _DARK))
        at, name = headings[-1]
        text = words(" ".join(lines[at + 1 :]))
        said = words(name)
        fits = {place: self._fit(place, text, said) for place in self.headed[name]}
        return PlaceReading(name, fits, text, sure=name in self._sure, title=True)

    def _heading(self, line: str) -> str | None:
        """Return the name that a line is, if it is one."""
        for part in (line, *_beginnings(line)):
            if heading(part) in self.headed:
                return heading(part)
        return None

    def _fit(self, place: str, text: frozenset[str], said: frozenset[str]) -> float:
        """Return what share of a place's own words a text has, those said already left out."""
        own = self._words[place] - said
        if not own:
            return 0.5
        there = fsum(self._weight[word] for word in own if word in text)
        return there / fsum(self._weight[word] for word in own)


def words(text: str) -> frozenset[str]:
    """Return the words of a text that tell something, as their beginnings."""
    found = (_NUMBERS.get(word, word) for word in _WORD.findall(text.casefold()))
    return frozenset(word[:STEM] for word in found if word not in _SMALL)


def _beginnings(line: str) -> list[str]:
    """Return what of a line without a full stop stands before a comma or bracket."""
    if line.rstrip().endswith((".", "!", "?", '"')):
        return []
    return [line.partition(mark)[0] for mark in (",", "(", " - ", "  ") if mark in line.strip()]


def _titled(line: str) -> bool:
    """Tell whether a line looks like a heading: short, begun with a capital, not a sentence."""
    bare = line.strip(" <>()[]*")
    return bool(bare) and bare[0].isupper() and len(bare.split()) <= 6 and bare[-1].isalnum()
