"""Agents and answerers, found by name or passed as objects.

Other packages add their own under the entry point group ``worldquiz.agents``; their constructors
may have a parameter ``seed``. Only our baselines in `PRIVILEGED` get walkthroughs or answers.

Any object with the right methods will do: an agent needs ``act(observation)``, an answerer
``answer(prompt)``. The methods ``begin``, ``end``, ``study`` and ``preview`` are called if they
exist. Each method may be plain or `async`.
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
"""Roles of the baselines; all other agents are measured. No agent can beat an upper bound, an agent
that beats a lower bound has learnt something, and a reference is a fixed point of comparison.
"""
PRIVILEGED = ("walkthrough", "oracle")
"""Names of the references that get the tasks, the questions, and evidence of what was shown.

No model or memory ever gets these."""
_SCRIPTED = "worldquiz.t2q.agents.scripted"


@dataclass(frozen=True)
class Part(Catalogue):
    """Catalogue of all agents, or of all answerers."""

    method: str  # that fills the role
    lacking: str  # how an error describes an object without the method

    def summaries(self) -> dict[str, str]:
        """Return a one-line summary of each name: ours, then those from other packages.

        Raises `CatalogError` if two packages use the same name.
        """
        found = {}
        for name in dict.fromkeys((*self.ours, *self.names())):
            try:
                thing = self.load(name)
            except CatalogError:
                found[name] = "from another package; cannot be imported"
                continue
            if name in self.ours or not isinstance(thing, type) or hasattr(thing, self.method):
                found[name] = summary_of(thing) or "from another package"
        return found

    def own(self, who: object) -> object:
        """Return the agent or answerer if its code is a user's or another package's, else None.

        A run records a digest of such code, since it may change between runs.
        """
        if not isinstance(who, str):
            return who
        place = self.places().get(who, who)
        return None if who in self.ours or ":" not in place else self.load(who)

    def made(
        self, who: object, bundle: Bundle, seed: int, episodes: Sequence[Episode] = ()
    ) -> Seated:
        """Return a new agent or answerer for one world, by its name or from an object.

        Only the `PRIVILEGED` baselines get tasks, questions and evidence of what episodes showed.
        Raises `CatalogError` if the name is unknown or ambiguous, or if the object cannot be
        imported or lacks the method `act` or `answer`.
        """
        offered: dict[str, Any] = {"seed": seed}
        if isinstance(who, str) and who in PRIVILEGED:
            evidence = bundle.evidence(episodes)
            told = {"tasks": bundle.tasks, "questions": bundle.questions, "evidence": evidence}
            offered |= told
        make = self.load(who) if isinstance(who, str) else who
        return self.seated(fresh(make, self.noun, **offered), who, bundle.spec.id)

    def seated(self, made: object, who: object, world: str) -> Seated:
        """Return an adapter that lets an object play or answer in a world. Raises `CatalogError` if
        the object lacks the method `act` or `answer`, or has the name of a catalogue entry.
        """
        check_name(who, self.noun, (*self.names(), HUMAN, MODEL))
        name = f"{self.noun} {name_of(who)!r}"
        if not hasattr(made, self.method):
            kind = type(made).__name__
            raise CatalogError(f"{name} {self.lacking}: {kind} has no method {self.method!r}")
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
    lacking="cannot play worlds",
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
    lacking="cannot take a quiz",
)


class Seated:
    """Adapter that turns an object with a method `act` or `answer` into an agent and answerer.

    Raises `AgentError` if the object raises an error, or if a command or answer is not text.
    """

    def __init__(self, made: Any, who: str, world: str) -> None:
        self._made, self._who, self._where = made, who, f"in world {world!r}"

    async def _told(self, method: str, value: object, where: str = "") -> Any:
        """Call a method of the object, if the object has it."""
        call = getattr(self._made, method, None)
        if call is None:
            return None
        with blamed(self._who, where or self._where):
            return await settled(call(value))

    async def begin(self, observation: Observation) -> None:
        """Call the object's method `begin`, if it has one."""
        await self._told("begin", observation)

    async def act(self, observation: Observation) -> str | None:
        """Return the object's command."""
        command = await self._told("act", observation)
        return None if command is None else self._text(command, "act", self._where)

    async def end(self, observation: Observation) -> None:
        """Call the object's method `end`, if it has one."""
        await self._told("end", observation)

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Give the transcripts to the object's method `study`, if it has one."""
        await self._told("study", transcripts)

    async def answers(self, prompts: Sequence[Prompt]) -> list[Answer]:
        """Show all prompts to the object, if it has `preview`, and return its replies."""
        await self._told("preview", prompts)
        found = []
        for prompt in prompts:
            where = f"when asked {prompt.text!r} {self._where}"
            reply = self._text(await self._told("answer", prompt, where), "answer", where)
            found.append(Answer(reply))
        return found

    def _text(self, reply: object, method: str, where: str) -> str:
        return text_of(reply, getattr(self._made, method), self._who, where)
