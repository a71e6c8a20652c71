"""Answerers of questions about apartments: a baseline, a model, or an object of the user's own.

    class Mine:
        def answer(self, prompt: str, pictures: Sequence[bytes]) -> str: ...   # PNG files
        def act(self, observation: Observation) -> str | None: ...   # on walks, optional

`act` is that of agents in text worlds: it gets text and pictures, and gives up by None. Both
methods may be coroutines. Replies are parsed like a model's: the prompt states the form. The
command line takes an answerer as ``module:Mine``, or by the name of a package's entry point under
``worldquiz.tea.answerers``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from worldquiz.errors import CatalogError, KnobError
from worldquiz.facts.episode import Observation
from worldquiz.llm.client import Reach
from worldquiz.plugins import Catalogue
from worldquiz.runs.executor import Waiting
from worldquiz.runs.given import blamed, check_name, code_of, fresh, name_of, text_of
from worldquiz.runs.settings import RunSettings

Reply = Callable[[str, str, Sequence[bytes]], str]
"""Gives a reply to a prompt with pictures; the first text says where, in case that fails."""


class OwnAnswerer:
    """An answerer of the user's own: an object, or a class or function that makes one."""

    def __init__(self, thing: Any, name: str) -> None:
        self.thing, self.name = thing, name

    def require(self) -> None:
        """Raise `CatalogError` where none can be made, or it has no method `answer`."""
        if not (isinstance(self.thing, type) and hasattr(self.thing, "answer")):
            self.fresh()

    def record(self) -> dict[str, Any]:
        """Return the answerer's entries in a manifest."""
        return {"answerer": self.name, **code_of(answerer=self.thing)}

    def walks(self) -> bool:
        """Tell whether it has a method `act`."""
        known = self.thing if hasattr(self.thing, "answer") else self.fresh()
        return callable(getattr(known, "act", None))

    def fresh(self) -> Any:
        """Return one that has seen nothing yet."""
        made = fresh(self.thing, "answerer")
        if not callable(getattr(made, "answer", None)):
            raise CatalogError(f"{self.name!r} is not an answerer: missing method 'answer'")
        return made

    def methods(self, waiting: Waiting) -> tuple[Reply, Reply]:
        """Return how a fresh one answers, and how it acts on a walk.

        Both raise `AgentError` where its method fails or returns no text.
        """
        made, who = self.fresh(), f"answerer {self.name!r}"

        def told(method: str, where: str, *seen: Any, giving_up: str | None = None) -> str:
            call = getattr(made, method)
            with blamed(who, where):
                said = waiting.call(call, *seen)
            return text_of(giving_up if said is None else said, call, who, where)

        def act(where: str, text: str, pictures: Sequence[bytes]) -> str:
            seen = Observation(text, pictures=tuple(pictures))
            return told("act", where, seen, giving_up='{"stop": true}')

        return partial(told, "answer"), act


Who = str | Reach | OwnAnswerer
"""Who answers; a text is the name of a baseline."""
NOBODY = "nobody"
"""Who answers what is drawn to be shown, not to be asked in a run."""


def chosen(names: Sequence[str], answerer: Any, given: RunSettings) -> Who:
    """Return who answers: a baseline of some `names`, an answerer by name, an object, or a model.

    Raises `KnobError` for both or neither, `CatalogError` for a name that nobody has or two have,
    and for an object that is called like a baseline.
    """
    if (given.model is None) == (answerer is None):
        raise KnobError(
            f"give one of --model and --answerer ({', '.join(names)}): it answers the questions"
        )
    if (reach := Reach.of(given)) is not None:
        return reach
    if not isinstance(answerer, str):
        check_name(answerer, "answerer", names)
        return OwnAnswerer(answerer, name_of(answerer))
    baselines = dict.fromkeys(names, f"{__name__}:NOBODY")
    found = Catalogue("answerer", "worldquiz.tea.answerers", baselines).load(answerer)
    return answerer if answerer in names else OwnAnswerer(found, answerer)
