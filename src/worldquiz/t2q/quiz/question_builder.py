"""The sheet on which one world's questions are written, in order and in balance.

Every yes/no question can be put two ways round ("locked?", "unlocked?"). The sheet alternates the
two within each type and truth, so that yes is right for half of the questions whatever the world is
like and whatever an agent happened to see: neither constant answer pays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from worldquiz import rng
from worldquiz.facts.question import Description, Question, Type, What, Where, Which, YesNo
from worldquiz.facts.requirement import Requirement
from worldquiz.t2q.world.spec import WorldSpec

CHOICES = 4
"""How many choices a `which` question has, where the world offers that many."""
_ENTITY_ROLES = ("thing", "spot", "room", "other", "key", "lock", "holder")


class Sheet:
    """Collects the questions of one type of one world."""

    def __init__(self, spec: WorldSpec, type: Type) -> None:
        self.spec = spec
        self.type = type
        self.rng = rng.child(spec.seed, "quiz", type)
        self.questions: list[Question] = []
        self._turn = {truth: self.rng.random() < 0.5 for truth in (True, False)}

    def yes_no(
        self,
        truth: bool,
        positive: Sequence[str],
        negative: Sequence[str],
        requires: Requirement,
        **names: str,
    ) -> None:
        """Ask whether something is so, the right way round or the other by turns."""
        straight = self._turn[truth]
        self._turn[truth] = not straight
        answer = truth if straight else not truth
        self._add(YesNo, positive if straight else negative, (answer,), requires, names)

    def which(
        self,
        right: str,
        wrong: Sequence[str],
        forms: Sequence[str],
        requires: Requirement,
        **names: str,
    ) -> None:
        """Offer the right choice among wrong ones, shuffled."""
        choices = [right, *wrong]
        self.rng.shuffle(choices)
        self._add(Which, forms, (tuple(choices), right), requires, names)

    def where(
        self, answers: Sequence[str], forms: Sequence[str], requires: Requirement, **names: str
    ) -> None:
        """Ask for a place; any of the answers is right."""
        self._add(Where, forms, (tuple(answers),), requires, names)

    def what(
        self, answers: Sequence[str], forms: Sequence[str], requires: Requirement, **names: str
    ) -> None:
        """Ask for a name or a direction; any of the answers is right."""
        self._add(What, forms, (tuple(answers),), requires, names)

    def description(
        self, categories: Sequence[str], forms: Sequence[str], requires: Requirement, **names: str
    ) -> None:
        """Ask for the categories of what is there."""
        self._add(Description, forms, (tuple(categories),), requires, names)

    def sample(self, pool: Sequence[str], count: int = CHOICES - 1) -> list[str]:
        """Return up to `count` members of a sorted pool, drawn by seed."""
        return self.rng.sample(list(pool), min(count, len(pool)))

    def deal(self, items: Sequence[str], kinds: Sequence[str]) -> list[tuple[str, str]]:
        """Give each item one of the kinds, evenly and in an order drawn by seed."""
        start = self.rng.randrange(len(kinds))
        order = list(items)
        self.rng.shuffle(order)
        dealt = {item: kinds[(start + n) % len(kinds)] for n, item in enumerate(order)}
        return [(item, dealt[item]) for item in items]

    def _add(
        self,
        kind: Callable[..., Question],
        forms: Sequence[str],
        answer: tuple[object, ...],
        requires: Requirement,
        names: Mapping[str, str],
    ) -> None:
        """Ask a question in one of several wordings, filled in and with a capital first letter.

        It is about the entities that it names, in the order of their roles.
        """
        words = self.rng.choice(forms).format(**names)
        id, text = f"{self.type}-{len(self.questions) + 1:03}", words[0].upper() + words[1:]
        about = tuple(name for role, name in sorted(names.items()) if role in _ENTITY_ROLES)
        self.questions.append(kind(id, self.type, text, *answer, requires, about))
