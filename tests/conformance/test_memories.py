"""Every memory in the catalogue keeps the protocol, and the kit that says so can say no."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from importlib.metadata import distributions
from typing import Any, ClassVar

import pytest

from modelserver import perfect
from remembering import services, with_model
from worldquiz.memory import Entry, Memory, check_memory, memories, memory

LINES = {line.name: line for line in memories()}
INSTALLED = {dist.name for dist in distributions()}
NAMES = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            line.library is not None and line.library not in INSTALLED, reason="not installed"
        ),
    )
    for name, line in LINES.items()
]


def made(name: str, world: str, model: Any, k: int = 10) -> Memory:
    """Return a memory that is given what its line in the catalogue says it needs, nothing else."""
    line = LINES[name]
    needed = model if line.calls_model else None
    return memory(name, services(world, needed, k=k, embeds=line.embeds))


@pytest.mark.parametrize("k", [1, 10])
@pytest.mark.parametrize("name", NAMES)
def test_memories_of_the_catalogue_keep_the_protocol(name: str, k: int) -> None:
    with_model(perfect(), lambda model: check_memory(lambda world: made(name, world, model, k)))


class Keeps:
    """A memory that keeps all laws, to be broken one at a time."""

    def __init__(self, world: str) -> None:
        self.world = world
        self.texts: list[str] = []

    async def add(self, entry: Entry) -> None:
        self.texts.append(entry.text)

    async def recall(self, query: str) -> str:
        return "".join(self.texts)


class Silent(Keeps):
    """Hands over nothing, and that not as it should be."""

    async def recall(self, query: str) -> Any:
        return None


class Diary(Keeps):
    """Remembers that it was asked."""

    async def recall(self, query: str) -> str:
        self.texts.append(query)
        return await super().recall(query)


class Dated(Keeps):
    """Writes down when something was added."""

    clock: ClassVar[itertools.count[int]] = itertools.count()

    async def add(self, entry: Entry) -> None:
        await super().add(entry)
        self.texts.append(f"at {next(self.clock)}\n")


class Shared(Keeps):
    """All worlds write into one list."""

    shared: ClassVar[list[str]] = []

    def __init__(self, world: str) -> None:
        super().__init__(world)
        self.shared.clear()
        self.texts = self.shared


class Mixed(Keeps):
    """Keeps worlds apart, unless they add at the same time."""

    now = ""

    async def add(self, entry: Entry) -> None:
        type(self).now = entry.text
        await asyncio.sleep(0)
        self.texts.append(self.now)


class Lasting(Keeps):
    """Finds what an earlier memory of its world has left."""

    left: ClassVar[dict[str, list[str]]] = {}

    def __init__(self, world: str) -> None:
        super().__init__(world)
        self.texts = list(self.left.get(world, [])) if world == "right" else []

    async def add(self, entry: Entry) -> None:
        await super().add(entry)
        self.left[self.world] = self.texts


class Braggart(Keeps):
    """Says that it hands over all, and leaves out what is carried."""

    whole = True

    async def recall(self, query: str) -> str:
        return "".join(self.texts).replace("carrying", "holding")


class Filling(Keeps):
    """Fills templates without looking."""

    async def add(self, entry: Entry) -> None:
        self.texts.append(entry.text.format())


class Endless(Keeps):
    """Says that it left something out, and has not."""

    def shrink(self) -> int:
        return 1


class Regrowing(Keeps):
    """Shows again what it left out."""

    hidden = 0

    async def add(self, entry: Entry) -> None:
        await super().add(entry)
        self.hidden = 0

    async def recall(self, query: str) -> str:
        return "".join(self.texts[self.hidden :])

    def shrink(self) -> int:
        left = len(self.texts) > self.hidden
        self.hidden += left
        return int(left)


class Once(Keeps):
    """Cannot be closed twice."""

    closed = False

    def close(self) -> None:
        if self.closed:
            raise RuntimeError("closed already")
        self.closed = True


class Sweeping(Keeps):
    """Closes everybody's."""

    everybody: ClassVar[list[Keeps]] = []

    def __init__(self, world: str) -> None:
        super().__init__(world)
        self.everybody.append(self)

    def close(self) -> None:
        for each in self.everybody:
            each.texts.clear()


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Silent, r"law 1: memory 'Silent' returned None, .* see Silent.recall \(.*.py:\d"),
        (Diary, "law 2: .* asked twice"),
        (Dated, "law 3: "),
        (Shared, "law 4: a memory returned another world's text"),
        (Mixed, "law 4: a memory returned another world's text"),
        (Lasting, "law 4: a new memory of 'right' is not empty"),
        (Braggart, "law 5: "),
        (Filling, "law 6: '{turns}.* raised"),
        (Endless, "law 7: .* the text is not shorter"),
        (Regrowing, "law 7: what was left out is back"),
        (Once, "law 8: closing raised RuntimeError"),
        (Sweeping, "law 8: closing one memory changed another"),
    ],
)
def test_the_kit_names_the_law_that_is_broken(broken: Callable[[str], Memory], law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        asyncio.run(check_memory(broken))


class Plain:
    """Keeps all laws by plain methods, and recalls a text."""

    def __init__(self, world: str) -> None:
        self.texts: list[str] = []

    def add(self, entry: Entry) -> None:
        self.texts.append(entry.text)

    def recall(self, query: str) -> str:
        return "".join(self.texts)


@pytest.mark.parametrize("kept", [Keeps, Plain])
def test_the_kit_has_nothing_against_a_memory_that_keeps_the_laws(
    kept: Callable[[str], Any],
) -> None:
    asyncio.run(check_memory(kept))
