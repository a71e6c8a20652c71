"""Agents and answerers by name, and those that a user passes as objects.

Other packages add theirs under the entry point group ``worldquiz.agents``. An agent of another
package may ask for a ``seed``; only our own references ever see walkthroughs, evidence or answers.

Any object with the right methods will do: an agent needs ``act(observation)``, an answerer
``answer(prompt)``; ``begin``, ``end``, ``study`` and ``preview`` are called where there are such
methods. Each may be plain or `async`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worldquiz.errors import CatalogError
from worldquiz.facts.episode import Episode, Observation, Transcript
from worldquiz.plugins import Catalogue
from worldquiz.runs.folder import HUMAN, MODEL
from worldquiz.runs.given import blamed, check_name, fresh, name_of, settled, summary_of, text_of
from worldquiz.t2q.question import Answer, Prompt
from worldquiz.t2q.suites import Bundle

ROLES: Mapping[str, str] = {
    "walkthrough": "reference",
    **dict.fromkeys(("explorer", "oracle", "worldgraph"), "upper-bound"),
    **dict.fromkeys(("random", "idle", "constant", "sheet", "abstainer"), "lower-bound"),
}
"""Roles of the baselines; all others are measured agents. No agent can beat an upper bound; one
that beats a lower bound has learnt something; a reference is a fixed point to compare with.
"""
PRIVILEGED = ("walkthrough", "oracle")
"""References that are offered the tasks, the questions, and evidence of what was shown.

No model and no memory is ever given these."""
_SCRIPTED = "worldquiz.t2q.agents.scripted"


@dataclass(frozen=True)
class Part(Catalogue):
    """A role in a world (agent or answerer), with all that can take it."""

    method: str  # of whoever takes the part
    lacking: str  # what others do not do

    def summaries(self) -> dict[str, str]:
        """Return what each name stands for, in a line: ours, then those of other packages.

        Raises `CatalogError` if a name means two things.
        """
        found = {}
        for name in dict.fromkeys((*self.ours, *self.names())):
            try:
                thing = self.load(name)
            except CatalogError:
                found[name] = "of another package; cannot be imported"
                continue
            if name in self.ours or not isinstance(thing, type) or hasattr(thing, self.method):
                found[name] = summary_of(thing) or "of another package"
        return found

    def own(self, who: object) -> object:
        """Return who takes the part if their code may change: an object, or another package's.

        None for ours, a model, a person and served agents.
        """
        if not isinstance(who, str):
            return who
        place = self.places().get(who, who)
        return None if who in self.ours or ":" not in place else self.load(who)

    def made(
        self, who: object, bundle: Bundle, seed: int, episodes: Sequence[Episode] = ()
    ) -> Seated:
        """Return a new agent or answerer for one world, by its name or from an object.

        The world, and evidence of the episodes, reach privileged references only; everyone else
        gets observations or transcripts. Raises `CatalogError` if there is none of that name, if it
        means two things, or if what it stands for cannot be imported or does not take the part.
        """
        offered: dict[str, Any] = {"seed": seed}
        if isinstance(who, str) and who in PRIVILEGED:
            evidence = bundle.evidence(episodes)
            told = {"tasks": bundle.tasks, "questions": bundle.questions, "evidence": evidence}
            offered |= told
        make = self.load(who) if isinstance(who, str) else who
        return self.seated(fresh(make, self.noun, **offered), who, bundle.spec.id)

    def seated(self, made: object, who: object, world: str) -> Seated:
        """Return an object as an agent and answerer of a world. Raises `CatalogError` if it lacks
        the method, or has the name of another.
        """
        check_name(who, self.noun, (*self.names(), HUMAN, MODEL))
        name = f"{self.noun} {name_of(who)!r}"
        if not hasattr(made, self.method):
            kind = type(made).__name__
            raise CatalogError(f"{name} {self.lacking}: {kind} has no {self.method!r}")
        return Seated(made, name, world)


AGENTS = Part(
    "agent",
    "worldquiz.agents",
    {
        "walkthrough": f"{_SCRIPTED}:Walkthrough",
        "explorer": "worldquiz.t2q.agents.explorer:Explorer",
        "random": f"{_SCRIPTED}:Random",
        "idle": f"{_SCRIPTED}:Idle",
    },
    method="act",
    lacking="plays no worlds",
)
ANSWERERS = Part(
    "answerer",
    "worldquiz.agents",
    {
        "oracle": f"{_SCRIPTED}:Oracle",
        "worldgraph": f"{_SCRIPTED}:WorldGraph",
        "constant": f"{_SCRIPTED}:Constant",
        "sheet": f"{_SCRIPTED}:SheetReader",
        "abstainer": f"{_SCRIPTED}:Abstainer",
    },
    method="answer",
    lacking="takes no quiz",
)


class Seated:
    """An agent and answerer made of any object that acts, answers or does both.

    Raises `AgentError` for what the object raises, and for what is no command or text.
    """

    def __init__(self, made: Any, who: str, world: str) -> None:
        self._made, self._who, self._where = made, who, f"in world {world!r}"

    async def _told(self, method: str, value: object, where: str = "") -> Any:
        """Call a method of the object, if it has it."""
        call = getattr(self._made, method, None)
        if call is None:
            return None
        with blamed(self._who, where or self._where):
            return await settled(call(value))

    async def begin(self, observation: Observation) -> None:
        """Tell the object, if it has the method."""
        await self._told("begin", observation)

    async def act(self, observation: Observation) -> str | None:
        """Return the object's command."""
        command = await self._told("act", observation)
        return None if command is None else self._text(command, "act", self._where)

    async def end(self, observation: Observation) -> None:
        """Tell the object, if it has the method."""
        await self._told("end", observation)

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Hand the transcripts to the object, if it wants them."""
        await self._told("study", transcripts)

    async def answers(self, prompts: Sequence[Prompt]) -> list[Answer]:
        """Show the sheet to the object, if it wants it, and return its replies."""
        await self._told("preview", prompts)
        found = []
        for prompt in prompts:
            where = f"when asked {prompt.text!r} {self._where}"
            reply = self._text(await self._told("answer", prompt, where), "answer", where)
            found.append(Answer(reply))
        return found

    def _text(self, reply: object, method: str, where: str) -> str:
        return text_of(reply, getattr(self._made, method), self._who, where)
