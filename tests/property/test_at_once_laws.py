"""Laws of questions asked at once: neither their number nor the order of replies decides anything.

The model's replies take any number of turns of the event loop. What they say depends on the prompt
alone: an answer, a window that is full, an error that costs the question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembering import told
from worldquiz.facts.question import Format, Prompt
from worldquiz.llm.calls import Calls, Counter, asked_at_once, made
from worldquiz.llm.model import OVERFLOW, Completion, Message, Model, user
from worldquiz.memory.base import Recalled, Wiring
from worldquiz.memory.baselines import InContext
from worldquiz.runs.losses import LimitReached
from worldquiz.t2q.agents.llm import LLM
from worldquiz.t2q.prompts.compose import Options

TURNS = 12
DELAYS = st.lists(st.integers(0, 6), min_size=1, max_size=9)


class Late:
    """A model whose replies come late, each after its own time, and depend on the prompt alone."""

    def __init__(self, delays: Sequence[int], window: int, failing: int | None) -> None:
        self._delays, self._window, self._failing = delays, window, failing
        self.under_way = self.most = self.asked = 0

    marks = False

    async def generate(self, messages: Sequence[Message], form: object = None) -> Completion:
        (message,) = messages
        delay = self._delays[self.asked % len(self._delays)]
        self.asked += 1
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        for _ in range(delay):
            await asyncio.sleep(0)
        self.under_way -= 1
        number = int(message["content"].rpartition("asked no. ")[2].split("?")[0])
        if number == self._failing:
            raise ValueError("the server fell over")
        size = len(message["content"])
        if size > self._window:
            return Completion("too long", OVERFLOW)
        text = f'{{"answer": "room {number}"}}'
        return Completion(text, input=size, output=1, cost=0.1 / (number + 3))


class Paged(InContext):
    """A history that is asked for by calls of the model: at each recall, one."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._model = model

    async def recall(self, query: str) -> Recalled:
        await self._model.generate([user(f"{query} Recall asked no. 0?")])
        return await super().recall(query)


def quiz(
    out: Path, asks: int, at_once: int, model: Late, options: Options, *, calling: bool
) -> dict[str, Any]:
    """Return all that a run keeps of a quiz."""

    async def sit() -> dict[str, Any]:
        counter = Counter(Calls(out, "w"))
        counting = counter.counting(cast("Model", model))
        memory = Paged(counting) if calling else InContext()
        for step in range(TURNS):
            await memory.add(told(step, f"Room {step}. " + "x" * 40))
        llm = LLM(counting, memory, Wiring(), options, at_once)
        prompts = [Prompt(f"Is it asked no. {n}? {'y' * (17 * n % 90)}", Format.YES_NO)
                   for n in range(asks)]  # fmt: skip
        texts = await llm.answers(prompts)
        return {
            "texts": texts,
            "replies": [reply and asdict(reply) for reply in llm.replies],
            "failures": llm.failures,
            "contexts": {id: asdict(context) for id, context in llm.contexts.items()},
            "usage": counter.usage(),
        }

    found = asyncio.run(sit())
    calls = sorted(reply.text for _, some in made(out) for reply in some)
    return {**found, "calls": calls}


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 9), st.integers(2, 12), DELAYS, st.sampled_from([10**6, 1500, 1150, 400]),
    st.none() | st.integers(0, 8), st.sampled_from([1, 3]), st.booleans(),
)  # fmt: skip
def test_a_quiz_has_the_records_of_one_whose_questions_were_asked_in_turn(
    tmp_path_factory: pytest.TempPathFactory,
    asks: int,
    at_once: int,
    delays: list[int],
    window: int,
    failing: int | None,
    batch: int,
    calling: bool,
) -> None:
    calling = calling and failing != 0
    failing = failing if batch == 1 and failing != 0 else None
    options = Options(batch=batch)
    folder = tmp_path_factory.mktemp("calls")
    one = quiz(folder / "1", asks, 1, Late([0], window, failing), options, calling=calling)
    late = Late(delays, window, failing)
    assert quiz(folder / "2", asks, at_once, late, options, calling=calling) == one
    assert late.most <= at_once + calling


def test_the_windows_of_these_laws_overflow_some_questions_and_all(tmp_path: Path) -> None:
    """Else the law above would say nothing of the waves."""
    left_out = []
    for number, window in enumerate((10**6, 1500, 1150, 400)):
        found = quiz(
            tmp_path / str(number), 9, 4, Late([1], window, None), Options(), calling=False
        )
        left_out.append({context["left_out"] for context in found["contexts"].values()})
    assert left_out[0] == {0}
    assert any(len(each) > 1 for each in left_out), left_out
    assert left_out[-1] == {TURNS}, left_out


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 5), max_size=12), st.integers(1, 5), st.data())
def test_a_fatal_error_begins_no_further_call_and_cuts_off_none(
    delays: list[int], most: int, data: st.DataObject
) -> None:
    fatal = data.draw(st.sets(st.integers(0, 11)))
    begun: list[int] = []
    ended: list[int] = []

    async def call(place: int) -> int:
        for _ in range(delays[place]):
            await asyncio.sleep(0)
        ended.append(place)
        if place in fatal:
            raise LimitReached(str(place))
        return place

    async def prepare(place: int) -> Any:
        begun.append(place)
        return call(place)

    struck = sorted(fatal & set(range(len(delays))))
    expected = pytest.raises(LimitReached) if struck else nullcontext()
    with expected as raised:
        assert asyncio.run(asked_at_once(prepare, range(len(delays)), most)) == list(
            range(len(delays))
        )
    assert sorted(ended) == begun == list(range(len(begun)))
    if struck:
        assert str(raised.value) == str(min(fatal & set(begun)))  # type: ignore[union-attr]
