"""The verbatim turns that settle a question: what a memory should have kept of an agent's play.

The turns are those at which the facts were first shown that the question requires. A turn without
the turns before it may leave open what these changed, so turns are added until the text, read line
by line, settles the question: first the beginnings of their tasks, then all that was played before.
Questions in a world's own words cannot be read: for these all that was played before is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.question import Question
from worldquiz.facts.requirement import START, Moment, shown_at
from worldquiz.memory.base import rendered
from worldquiz.t2q.diagnosis import settles
from worldquiz.t2q.store import Played


class Turns:
    """The turns of one world of a run."""

    def __init__(self, played: Played) -> None:
        self._evidence = Evidence.of(played.episodes, played.bundle.spec.initial)
        self._texts = {
            moment: rendered(moment, turn)
            for number, episode in enumerate(played.episodes)
            for step, turn in enumerate(episode.transcript)
            for moment in [Moment(number, step)]
        }

    def settling(self, question: Question) -> str:
        """Return the turns that settle an answerable question, as memories are given them."""
        needed = shown_at(question.requires, self._evidence.first_seen) or {START}
        text = ""
        for wanted in _wider(needed):
            text = "".join(self._texts[moment] for moment in self._texts if wanted(moment))
            if settles(text, question):
                break
        return text


def _wider(needed: Set[Moment]) -> Iterator[Callable[[Moment], bool]]:
    """Yield which turns to take, each time more: the last takes all up to the last needed."""
    ends = {moment.episode: moment for moment in sorted(needed)}
    yield lambda moment: moment in needed
    yield lambda moment: moment.episode in ends and moment <= ends[moment.episode]
    yield lambda moment: moment <= max(needed)
