"""How much of a walkthrough is read, and how it is shown.

A prefix of steps is `Maze.prefix`. Here tokens become steps; who counts the tokens is the caller's
choice, as is how a walkthrough is shown: as published, as the released programs show it, and each
with the name of a place instead of the game's text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from worldquiz.errors import KnobError
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.paths.walk import taken

Count = Callable[[str], int]
Show = Callable[[Sequence[WalkStep]], str]


def published(walkthrough: Sequence[WalkStep]) -> str:
    """Return steps as the published files show them."""
    return "\n".join(
        f"===========\n==>STEP NUM: {step.number}\n==>ACT: {step.action}\n"
        f"==>OBSERVATION: {step.observation}\n"
        for step in walkthrough
    )


def released(walkthrough: Sequence[WalkStep], *, last: int) -> str:
    """Return steps as the released programs show them: without rules, and cut as they cut.

    `last` is the number of the walkthrough's last step, behind which they leave one line less.
    """
    blocks = (
        f"==>STEP NUM: {step.number}\n==>ACT: {step.action}\n==>OBSERVATION: {step.observation}"
        for step in walkthrough
    )
    whole = bool(walkthrough) and walkthrough[-1].number == last
    return "\n" + "\n\n\n".join(blocks) + ("\n" if whole else "\n\n")


def simplified(maze: Maze) -> Maze:
    """Return a maze whose walkthrough tells nothing but the name of the place after each step.

    Names are the maze's own, as its questions use them. Where they are is known as far as the
    maze's moves go. Raises `KnobError` for a maze without its walkthrough's text.
    """
    moves = taken(maze)
    here = moves[min(moves)].source if moves else ""
    steps = []
    for step in maze.walkthrough:
        here = moves[step.number].target if step.number in moves else here
        steps.append(replace(step, observation=here))
    return replace(maze, walkthrough=tuple(steps))


def steps_within(maze: Maze, tokens: int, count: Count, *, show: Show = published) -> int:
    """Return the last step up to which a maze's walkthrough fits into so many tokens.

    More text is taken to have no fewer tokens. Raises `KnobError` where not even step 0 fits, or
    where there is no walkthrough to count.
    """
    walkthrough = maze.walkthrough
    if not walkthrough:
        raise KnobError(f"maze {maze.name!r} has no walkthrough text here, so no tokens to count")
    low, high = 0, len(walkthrough)  # `low` steps fit, more than `high` do not
    while low < high:
        middle = (low + high + 1) // 2
        if count(show(walkthrough[:middle])) <= tokens:
            low = middle
        else:
            high = middle - 1
    if not low:
        raise KnobError(
            f"maze {maze.name!r}: step 0 alone has {count(show(walkthrough[:1]))} tokens, "
            f"{tokens} are allowed"
        )
    return walkthrough[low - 1].number
