"""A walk as a set of tools for an agent, and the pictures and words that the tools return."""

from __future__ import annotations

import json
from typing import Any

from worldquiz.serve.session import Offer, Parameter, Tool, ToolReply, offered
from worldquiz.tea.exam.walk import LONGEST, Walk

MOVE = Tool(
    "move",
    "Turns you, then walks you straight ahead; shows what you see then. Only in walks.",
    (
        Parameter("turn", "Degrees to the left; negative: to the right.", "number"),
        Parameter("walk", f"Metres, 0 to {LONGEST:g}.", "number"),
    ),
)
STOP = Tool("stop", "Ends a walk: you are there, or give it up.")


async def led(walk: Walk, heading: str) -> dict[str, Any]:
    """Return the line of a walk that the agent leads."""
    while not walk.over:
        words = walk.words.partition(" Reply with ")[0]
        reply = ToolReply(f"{heading}\n\n{words}", tuple(walk.pictures))
        call = await offered(Offer(reply, (MOVE.name, STOP.name)))
        told = {"stop": True} if call.tool == STOP.name else dict(call.arguments)
        walk.say(json.dumps(told))
    return walk.line
