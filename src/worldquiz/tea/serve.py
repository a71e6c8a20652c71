"""TEA-Test for agents that call tools (``worldquiz serve``).

An agent opens a scene and gets its tasks one at a time, with their pictures. On a walk, it makes
moves, and after each sees a picture of what is in front of it. Several scenes may be open at once;
each has its own drawing context, all on one thread.
"""

from __future__ import annotations

import json

from worldquiz.exam.answerers import STOP as GIVE_UP
from worldquiz.runs.items import Line, Turns
from worldquiz.serve.seats import ANSWER, ServedItems
from worldquiz.serve.session import NUMBER, Offer, Parameter, Tool, ToolReply, offered
from worldquiz.tea.exam import walk

MOVE = Tool(
    "move",
    "Turns you, then walks you straight ahead; shows what you see then. Only in walks.",
    (
        Parameter("turn", "Degrees to the left; negative: to the right.", NUMBER),
        Parameter("walk", f"Metres, 0 to {walk.LONGEST:g}.", NUMBER),
    ),
)
STOP = Tool("stop", "Ends a walk: you are there, or give it up.")


class ServedScenes(ServedItems):
    """The scenes of a TEA-Test, each offered as a place that agents can open."""

    tools = (ANSWER, MOVE, STOP)

    async def led(self, steps: Turns, heading: str) -> Line:
        """Let the agent walk by calling tools, and return the walk as recorded in a run."""
        while not steps.over:
            words = steps.words.partition(" Reply with ")[0]
            reply = ToolReply(f"{heading}\n\n{words}", tuple(steps.pictures))
            call = await offered(Offer(reply, (MOVE.name, STOP.name)))
            steps.say(GIVE_UP if call.tool == STOP.name else json.dumps(dict(call.arguments)))
        return steps.line
