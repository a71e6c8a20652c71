"""Models that play MANGO's minigames and draw its maps: they read, they err in a known share.

What they know beyond their prompt is what they were made of: whole walkthroughs, names of places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from modelserver.protocol import Request, Script, Text
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import WalkStep

_STEP = re.compile(
    r"==>STEP NUM: (\d+)\n==>ACT: ([^\n]*)\n==>OBSERVATION: ?(.*?)(?=\n={3,}\n|\n\n!! |\n\nSmall "
    r"local|\n\nConsider )",
    re.DOTALL,
)
_EXIT = re.compile(r"you should go ([^;\n]*?)(?=[;.])")
_GIVEN = re.compile(r"^==>LOCATION: (.*)$", re.MULTILINE)
_ASKED = re.compile(
    r"otherwise, reply with 'None':\n\n==>ACT: ([^\n]*)\n==>OBSERVATION: (.*)\n==>LOCATION:\Z",
    re.DOTALL,
)

Wrong = Callable[[str, str], bool]  # from an action and what came of it


def steps_of(prompt: str) -> list[WalkStep]:
    """Return the walkthrough that a prompt shows."""
    return [WalkStep(int(number), act, text) for number, act, text in _STEP.findall(prompt)]


def plays_on(mazes: Iterable[Maze]) -> Script:
    """Choose what the walkthrough does next, known by how it begins."""
    every = list(mazes)

    def reply(request: Request) -> Text:
        shown = steps_of(request.text)
        follows = [
            maze.walkthrough[len(shown)].action
            for maze in every
            if [_told(step) for step in maze.walkthrough[: len(shown)]] == list(map(_told, shown))
        ]
        return Text(follows[0])

    return reply


def needs_a_map(script: Script) -> Script:
    """Answer as a script does where the prompt tells of that move; else give up."""

    def reply(request: Request) -> Text:
        told = script(request)
        known = isinstance(told, Text) and told.text in _EXIT.findall(request.text)
        return told if isinstance(told, Text) and known else Text("I cannot tell.")

    return reply


def reads_steps(places: Mapping[str, Iterable[str]], *, wrong: Wrong | None = None) -> Script:
    """Name the place that a step's text names in a line of its own, or list a walkthrough's moves.

    `places` are those of each maze. Steps for which `wrong` is true are misread.
    """
    readers = {game: {_plain(name): name for name in names} for game, names in places.items()}

    def reply(request: Request) -> Text:
        asked = _ASKED.search(request.text)
        if asked is None:
            every = (_moves(request.text, each) for each in readers.values())
            return Text(str(max(every, key=len)))
        if wrong is not None and wrong(asked[1], asked[2]):
            return Text("Nowhere land")
        given = set(map(_plain, _GIVEN.findall(request.text[: asked.start()]))) - {"none"}
        reader = next(each for each in readers.values() if given <= each.keys())
        return Text(named(asked[2], reader) or "None")

    return reply


def named(observation: str, names: Mapping[str, str]) -> str | None:
    """Return the place that a text names in a line of its own, the last one if many."""
    found = [names[line] for line in map(_plain, observation.splitlines()) if line in names]
    return found[-1] if found else None


def _moves(prompt: str, names: Mapping[str, str]) -> list[dict[str, str]]:
    moves, here = [], None
    for step in steps_of(prompt):
        there = named(step.observation, names)
        if there and here and there != here:
            moves.append({"location_before": here, "action": step.action, "location_after": there})
        here = there or here
    return moves


def _told(step: WalkStep) -> tuple[int, str, str]:
    return step.number, step.action, step.observation.strip()


def _plain(line: str) -> str:
    return " ".join(line.casefold().strip(" .:!-<>").split())
