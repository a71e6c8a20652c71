"""A language model that explores a game, and answers from what its memory recalls.

It is shown what the game says, and the last turns beside its memory (`memory.player`). A question
is asked in the words of `worldquiz mango run`, with what the memory recalls in the walkthrough's
place.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from worldquiz.facts.episode import Observation
from worldquiz.llm.chunks import Chunk, in_context
from worldquiz.mango.prompts import filled, template
from worldquiz.mango.running.replies import replied
from worldquiz.memory.base import Memory, Recalled, Wiring, told_beside
from worldquiz.memory.player import Player, Said, Seen
from worldquiz.runs.losses import FAILED, reason_of

if TYPE_CHECKING:
    from inspect_ai.model import Model


class Asking(NamedTuple):
    """A question as a model is asked it: texts, and what the line of its reply says of it."""

    about: Mapping[str, Any]
    query: str  # the question alone: what memory is asked with
    before: str
    after: str  # behind what memory recalls
    form: Mapping[str, Any] | None = None


class ModelExplorer(Player):
    """Explores one game."""

    def __init__(
        self,
        model: Model,
        memory: Memory,
        wiring: Wiring,
        steps: int,
        at_once: int = 1,
        *,
        constrained: bool = False,
    ) -> None:
        """Take what `Player` takes, and how many commands there are."""
        super().__init__(model, memory, wiring, at_once, constrained=constrained)
        self._steps = steps

    def query(self, observation: Observation) -> str:
        """Return what the game says."""
        return observation.text

    def scene(self, now: Seen, recent: Sequence[Seen], recalled: Recalled) -> list[Chunk]:
        """Return the prompt for a command."""
        moment, turn = now
        left = str(self._steps - moment.step)
        asked = filled("mango_explore_command", left=left, obs=turn.observation.text.strip())
        before = f"{template('mango_explore')}\n\n"
        return in_context(before, recalled.parts, told_beside(recent, now), asked)

    async def answers(self, asked: Sequence[Asking]) -> list[dict[str, Any]]:
        """Ask all questions, and return the lines of their replies; of some it is why they failed.

        Raises what says nothing of a question (`runs.losses.passing`).
        """

        async def prepare(one: Asking) -> Awaitable[Said]:
            return await self.call(
                one.query,
                lambda recalled: in_context(one.before, recalled.parts, "", one.after),
                one.form,
            )

        said = await self.quiz(asked, prepare)
        return [self._line(one.about, each) for one, each in zip(asked, said, strict=True)]

    def _line(self, about: Mapping[str, Any], said: Said | Exception) -> dict[str, Any]:
        if isinstance(said, Exception):
            return {**replied(about, ""), "status": FAILED, "failure": reason_of(said)}
        status = None if said.status is None else str(said.status)
        reply = said.reply if said.status is None else ""
        return {**replied(about, reply), "status": status, "context": self.note(said)}


def seen(text: str) -> Observation:
    """Return what a game says as an observation."""
    return Observation(text, inventory="", score=0, done=False, objective="")
