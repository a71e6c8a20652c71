"""The sheet on which one world's questions are written.

A question may be read by somebody who saw nothing of the world but all of the sheet. Four rules
keep the sheet from answering itself:

- wrong answers are the right answers of others (`dealt`): four things that were in four places are
  asked about with these places as choices;
- as many yes/no questions of a sort are about something true as about something false, and either
  is affirmed and denied by turns (`yes_no`), so the wording does not tell;
- no pair of rooms is asked about twice, so what one question takes for granted answers no other,
  and each room and each key stands in as many true claims as false ones;
- what the first screen and the task list settle is asked apart from what they leave open
  (`settled`): else the start would settle more claims that are false than true ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from worldquiz import rng
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.question import Description, Question, Type, What, Where, Which, YesNo
from worldquiz.facts.requirement import Requirement
from worldquiz.t2q.wordings import Wording
from worldquiz.t2q.world.game import first_screen
from worldquiz.t2q.world.spec import Task, WorldSpec

CHOICES = 4
"""How many choices a `which` question has, in every world; where there are fewer, none is asked."""
DRAWS = 200
"""How often a group is drawn before a question is put in another format."""
SIZES = (2, 1, CHOICES, 1, 2, 1)
"""How many are asked about together, by turns: by yes or no, openly, among four."""
K = TypeVar("K", bound=Hashable)
_ENTITY_ROLES = ("thing", "spot", "room", "other", "key", "lock", "holder")


class Sheet:
    """Collects the questions of one world, type by type."""

    def __init__(self, spec: WorldSpec, tasks: Iterable[Task] = ()) -> None:
        self.spec = spec
        tasks = tuple(tasks)
        self.goals = frozenset(fact for task in tasks for fact in task.goal)
        """What the task list says is not so at the start."""
        told = [fact for task in tasks for fact in task.discloses]
        self._start = Evidence.of_steps([[*first_screen(spec), *told]])
        self.questions: list[Question] = []

    def settled(self, requirement: Requirement) -> bool:
        """Tell whether the first screen and the task list are enough to know something."""
        return self._start.earliest(requirement) is not None

    def by_start(
        self, items: Iterable[str], known: Callable[[str], Requirement]
    ) -> tuple[list[str], list[str]]:
        """Return the items that the start settles, and those that it leaves open."""
        parts: tuple[list[str], list[str]] = ([], [])
        for item in items:
            parts[not self.settled(known(item))].append(item)
        return parts

    def turn(self, type: Type) -> None:
        """Begin the questions of a type, with a random stream of their own."""
        self.type = type
        self.rng = rng.child(self.spec.seed, "quiz", type)
        self._straight = {truth: self.rng.random() < 0.5 for truth in (True, False)}

    def yes_no(self, truth: bool, wording: Wording, requires: Requirement, **names: str) -> None:
        """Ask whether something is so, affirmed or denied by turns among what has this truth."""
        straight = self._straight[truth]
        self._straight[truth] = not straight
        answer = truth if straight else not truth
        forms = wording.forms if straight else wording.denials
        self._add(YesNo, forms, (answer,), requires, names)

    def which(
        self,
        right: str,
        choices: Sequence[str],
        wording: Wording,
        requires: Requirement,
        **names: str,
    ) -> None:
        """Offer choices, one of which is right, in an order drawn by seed."""
        answer = tuple(self.shuffled(choices)), right
        self._add(Which, wording.forms, answer, requires, names)

    def openly(
        self,
        kind: type[Where | What | Description],
        answers: Sequence[str],
        wording: Wording,
        requires: Requirement,
        **names: str,
    ) -> None:
        """Ask for a place, a name, a direction or categories, with nothing to choose from.

        Any answer is right of a place or name; of categories all are wanted.
        """
        self._add(kind, wording.forms, (tuple(answers),), requires, names)

    def shuffled(self, items: Iterable[K]) -> list[K]:
        """Return items, which come in a fixed order, in one drawn by seed."""
        order = list(items)
        self.rng.shuffle(order)
        return order

    def dealt(
        self, answers: Mapping[K, str], open_format: str
    ) -> Iterator[tuple[str, K, tuple[str, ...]]]:
        """Yield each key once: the format, the key, and the answers that its question names.

        Four keys with four answers are asked by ``which`` among these four; of two keys with two
        answers, one is asked about its own answer (``yes``) and the other about the same (``no``).
        So an answerer that knows only the names of the answers is right by chance, whatever else is
        asked. The other keys are asked in the open format, and no answer is named.
        """
        left = self.shuffled(answers)
        turn = self.rng.randrange(len(SIZES))
        while left:
            size = SIZES[turn % len(SIZES)]
            turn += 1
            group = self._different(left, answers, size) or left[:1]
            left = [key for key in left if key not in group]
            named = tuple(answers[key] for key in group)
            if len(group) == 1:
                yield open_format, group[0], ()
            elif len(group) == 2:
                yield "yes", group[0], named[:1]
                yield "no", group[1], named[:1]
            else:
                yield from (("which", key, named) for key in group)

    def _different(self, keys: Sequence[K], answers: Mapping[K, str], size: int) -> list[K]:
        """Return some keys whose answers all differ, each such set as likely; none if not found."""
        for _ in range(DRAWS if len(keys) >= size else 0):
            drawn = self.rng.sample(keys, size)
            if len({answers[key] for key in drawn}) == size:
                return drawn
        return []

    def _add(
        self,
        kind: Callable[..., Question],
        forms: Sequence[str],
        answer: tuple[object, ...],
        requires: Requirement,
        names: Mapping[str, str],
    ) -> None:
        """Ask a question in one of several wordings, filled in and with a capital first letter.

        It is about the entities that it names, in the order of their roles. `ask` gives it its id,
        once its place in the quiz is known.
        """
        words = self.rng.choice(forms).format(**names)
        text = words[0].upper() + words[1:]
        about = tuple(name for role, name in sorted(names.items()) if role in _ENTITY_ROLES)
        self.questions.append(kind("", self.type, text, *answer, requires, about))
