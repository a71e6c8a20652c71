"""How much of a walkthrough is read: so many steps, or what fits into so many tokens.

A prefix of steps is `Maze.prefix`. Here tokens become steps; who counts the tokens is the caller's
choice, as is how a walkthrough is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from worldquiz.errors import KnobError
from worldquiz.model.maze import Maze, WalkStep

Count = Callable[[str], int]
Show = Callable[[Sequence[WalkStep]], str]


def published(walkthrough: Sequence[WalkStep]) -> str:
    """Return steps as the published files show them."""
    return "\n".join(
        f"===========\n==>STEP NUM: {step.number}\n==>ACT: {step.action}\n"
        f"==>OBSERVATION: {step.observation}\n"
        for step in walkthrough
    )


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
