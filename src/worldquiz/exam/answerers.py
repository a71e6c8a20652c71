"""Answerers of a run: a model, a named baseline, or a user's own object.

    class Mine:
        def answer(self, prompt: str) -> str: ...                              # or, with PNG files,
        def answer(self, prompt: str, pictures: Sequence[bytes]) -> str: ...
        def act(self, observation: Observation) -> str | None: ...             # for walks, optional

`act` answers walks, which are questions with several turns. It gets text and pictures, and returns
its next reply, or None to give up. Methods may be coroutines. A reply must have the form that the
prompt asks for. On the command line, name an answerer as ``module:Mine``, or by an entry point that
a package has under ``worldquiz.BENCHMARK.answerers``.
"""

from __future__ import annotations

import inspect
from asyncio import Runner
from collections.abc import Callable, Collection, Sequence
from typing import Any

from worldquiz.errors import CatalogError, KnobError
from worldquiz.facts.episode import Observation
from worldquiz.llm.client import Reach
from worldquiz.plugins import Catalogue
from worldquiz.runs.given import (
    blamed,
    check_name,
    code_of,
    fresh,
    name_of,
    settled,
    text_of,
)
from worldquiz.runs.items import RunItem, Turns
from worldquiz.runs.losses import unit_name
from worldquiz.runs.settings import RunSettings

NOBODY = "nobody"
"""Answerer of items that are made to be shown, not asked in a run."""
STOP = '{"stop": true}'
"""The reply that gives up a walk."""


class Own:
    """A user's own answerer: an object, or a class or function that makes such an object.

    Each world gets a new object, which is asked the questions about this world in order.
    """

    def __init__(self, thing: Any, name: str) -> None:
        self.thing, self.name = thing, name

    def record(self) -> dict[str, Any]:
        """Return the answerer's entries in a manifest."""
        return {"answerer": self.name, **code_of(answerer=self.thing)}

    def require(self) -> None:
        """Raise `CatalogError` if the answerer cannot be made, or has no method `answer`."""
        self._fresh()

    def walks(self) -> bool:
        """Return whether the answerer has a method `act`."""
        return callable(getattr(self._fresh(), "act", None))

    def _fresh(self) -> Any:
        """Return a new answerer, which has not been asked anything."""
        made = fresh(self.thing, "answerer")
        if not callable(getattr(made, "answer", None)):
            raise CatalogError(f"answerer {self.name!r}: missing method 'answer'")
        return made

    def seated(self, runner: Runner) -> Seated:
        """Return a new answerer for the items of one world; `runner` runs its coroutines."""
        return Seated(self._fresh(), f"answerer {self.name!r}", runner)


class Seated:
    """A user's own answerer while it answers the questions about one world.

    Methods raise `AgentError` if the answerer fails, `ReplyTypeError` if it does not return text.
    """

    def __init__(self, made: Any, who: str, runner: Runner) -> None:
        self._made, self._who, self._runner = made, who, runner
        self._sees = _positional(made.answer)

    def answer(self, item: RunItem) -> str:
        """Return the answerer's reply to a question."""
        shown = item.shown()
        return self._said(item, self._made.answer, (shown.words, shown.pictures)[: self._sees])

    def walk(self, item: RunItem, steps: Turns) -> None:
        """Let the answerer answer a question that has several turns."""
        while not steps.over:
            seen = Observation(steps.words, pictures=tuple(steps.pictures))
            steps.say(self._said(item, self._made.act, (seen,), giving_up=STOP))

    def _said(
        self,
        item: RunItem,
        method: Callable[..., Any],
        seen: Sequence[object],
        giving_up: str | None = None,
    ) -> str:
        """Return a method's reply, awaited in the world's event loop if it is a coroutine."""
        where = f"at question {unit_name(item.key)}"
        with blamed(self._who, where):
            said = method(*seen)
            if inspect.isawaitable(said):
                said = self._runner.run(settled(said))
        return text_of(giving_up if said is None else said, method, self._who, where)


def _positional(call: Callable[..., Any]) -> int:
    """Return how many positional arguments a method accepts: the prompt, and perhaps pictures."""
    kinds = [each.kind for each in inspect.signature(call).parameters.values()]
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return 2
    named = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return max(1, sum(kind in named for kind in kinds))


Who = Reach | Own | str
"""An answerer; a text names a baseline, or an agent that connects by itself."""


def chosen(benchmark: str, names: Collection[str], answerer: Any, given: RunSettings) -> Who:
    """Return the answerer: a baseline in `names`, a registered answerer, an object, or a model.

    Raises `KnobError` unless exactly one of a model and an `answerer` is given; `CatalogError` for
    an unknown or ambiguous name, and for an object that has a baseline's name.
    """
    if (given.model is None) == (answerer is None):
        known = f" ({', '.join(names)})" if names else ""
        raise KnobError(f"choose who answers: give either --model or --answerer{known}")
    if given.model is not None:
        return Reach(given)
    if not isinstance(answerer, str):
        check_name(answerer, "answerer", names)
        return Own(answerer, name_of(answerer))
    ours = dict.fromkeys(names, f"{__name__}:NOBODY")
    found = Catalogue("answerer", f"worldquiz.{benchmark}.answerers", ours).load(answerer)
    return answerer if answerer in names else Own(found, answerer)
