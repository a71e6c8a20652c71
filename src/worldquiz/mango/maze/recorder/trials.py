"""Probes that tell places apart: the game is played again, and commands are tried in forks.

The commands are the walk's own: from each stay the directions that led it to another place, and the
reverses of those that had led it there. Each is tried at the start of every stay that may be in the
same place. Where that tells places apart, the commands are tried once more at the ends of the
stays, and at their starts after waiting: a change by chance, time or the player is no place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from worldquiz.mango.maze.recorder.places import Spot, Visit, plain_spots, spots, visits
from worldquiz.mango.maze.recorder.trace import GameTrace, Word, trace
from worldquiz.mango.maze.recorder.words import AGAIN, WAIT, bearing, reverses, typed

_LONGEST = 8
"""No word has more commands: a longer row of rooms alike is told apart by memory, if at all."""


def tested(played: GameTrace, patience: float) -> GameTrace:
    """Return a trace with what words did at each stay whose place was visited more than once."""
    found = visits(played)
    words = _tries(played, found, plain_spots(found))
    if not words:
        return played
    played = _tried(played, words, patience)
    found = visits(played)
    again: dict[int, list[Word]] = defaultdict(list)
    for visit, spot in zip(found, spots(found), strict=True):
        if spot.kind:
            again[visit.came] += [(WAIT, *word) for word in words[visit.came]]
            again[visit.left] += words[visit.came]
    return _tried(played, again, patience) if again else played


def _tried(played: GameTrace, words: Mapping[int, Sequence[Word]], patience: float) -> GameTrace:
    """Return a trace with where words lead; one that begins by waiting tells of the rest of it."""
    commands = played.commands[: played.seen[-1].step]
    again = trace(
        played.game, commands, probe=False, patience=patience, words=words, player=played.player
    )
    told = {
        seen.step: tuple((word[word[0] == WAIT :], end) for word, end in seen.ends)
        for seen in again.seen
    }
    seen = tuple(replace(one, ends=one.ends + told.get(one.step, ())) for one in played.seen)
    return replace(played, seen=seen)


def _tries(
    played: GameTrace, found: Sequence[Visit], places: Sequence[Spot]
) -> dict[int, list[Word]]:
    """Return the words to be tried after the first step of each visit to a place of several."""
    words: dict[Spot, dict[Word, None]] = defaultdict(dict)
    for number, spot in enumerate(places):
        for back in (False, True):
            if word := _word(played, found, places, number, back=back):
                words[spot][word] = None
    counts = Counter(places)
    return {
        visit.came: list(words[spot])
        for visit, spot in zip(found, places, strict=True)
        if counts[spot] > 1 and words[spot]
    }


def _word(
    played: GameTrace, found: Sequence[Visit], places: Sequence[Spot], start: int, *, back: bool
) -> Word | None:
    """Return the directions that led from a visit to another place, as they were typed.

    Or, `back`, the reverses of those that had led to it from another place.
    """
    word: list[str] = []
    ahead = range(start + 1, min(start + 1 + _LONGEST, len(found)))
    for number in range(start, max(start - _LONGEST, 0), -1) if back else ahead:
        visit = found[number]
        if not visit.follows(found[number - 1]) or not bearing(visit.action):
            return None
        command = played.commands[visit.came - 1]
        command = visit.action if command.lower() in AGAIN else command
        word.append(typed(reverses(visit.action)[0], command) if back else command)
        if places[number - back] != places[start]:
            return tuple(word)
    return None
