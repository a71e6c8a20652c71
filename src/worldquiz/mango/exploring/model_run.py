"""Runs in which a language model explores, game by game through inspect, with its logs.

Each call is kept as it comes (`llm.calls`): a killed run plays a game again without making a call
twice, and ends with the bytes of an undisturbed one. Games are explored at the same time, as many
as there are connections.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.llm.calls import Calls, gone_on
from worldquiz.llm.client import Reach, evaluate
from worldquiz.llm.records import Purpose
from worldquiz.llm.usage import Counter, spent_of
from worldquiz.mango.asking.plan import AskingPlan, require_libraries
from worldquiz.mango.exploring.explore import ExploringWork, explored, lose
from worldquiz.mango.exploring.game import Game, canonical
from worldquiz.mango.exploring.model import Asking, ModelExplorer, seen
from worldquiz.mango.exploring.records import Exploration, ModelTrace
from worldquiz.mango.maze.maze import Maze
from worldquiz.memory.base import Embedder, free
from worldquiz.memory.setup import MEMORY_ROLE, Setup, remembering
from worldquiz.runs.folder import MODEL, Worlds, own_name
from worldquiz.version import own_version

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.model import Model

DONE = "done"
"""The command by which a model ends its exploring."""


@dataclass(frozen=True, kw_only=True)
class ModelExploring(ExploringWork):
    """Which model explores, and what it remembers by."""

    reach: Reach
    setup: Setup = field(default_factory=Setup)
    memory_model: str | None = None  # by which memories call; the same model if absent

    @property
    def name(self) -> str:
        """What progress calls the model."""
        return f"{own_name(self.reach.model)} + {self.setup.record()['memory']}"

    @cached_property
    def embedder(self) -> Embedder | None:
        """The memory's embedder, loaded once."""
        return self.setup.embedding()

    @property
    def explorer(self) -> dict[str, Any]:
        """What a manifest says of the model and its memory."""
        return {
            "agent": MODEL,
            **self.reach.record(),
            **self.setup.record(),
            "memory_model": self.setup.calls(self.reach, self.memory_model),
            "versions": own_version() | self.setup.versions(),
        }

    @property
    def itself(self) -> dict[str, Any]:
        """What a manifest says of the model as its own answerer."""
        return {"answerer": MODEL, **self.reach.record(), "memory": self.setup.record()["memory"]}

    def require(self) -> None:
        """Check the answerer, the memory with its embedder, then the models."""
        require_libraries()
        self._answerer(AskingPlan(self.asked, {}, {}, ())).require()
        self.setup.require()
        self.reach.require()
        remembering(self.reach, self.memory_model)
        _ = self.embedder

    def preflight(self) -> None:
        """Check that the models can be asked."""
        self.reach.preflight(self.memory_model)

    def produce(self, left: Sequence[str], kept: Worlds, out: Path) -> None:
        """Have inspect explore the games that are left."""
        evaluate(
            self._task(left, kept), self.reach, out, noun=self.noun, spent=spent_of(out),
            model_roles={MEMORY_ROLE: remembering(self.reach, self.memory_model)},
        )  # fmt: skip

    def _task(self, left: Sequence[str], kept: Worlds) -> Task:
        """Return the task of exploring some games: a sample is a game."""
        from inspect_ai import Task
        from inspect_ai.dataset import MemoryDataset, Sample
        from inspect_ai.model import get_model
        from inspect_ai.solver import Generate, Solver, TaskState, solver

        @solver
        def explores() -> Solver:
            async def solve(state: TaskState, generate: Generate) -> TaskState:
                name = str(state.sample_id)
                calls = Calls(kept.out, name, kept.done)
                try:
                    found = await gone_on(
                        f"game {name}", calls, lambda: self._played(name, get_model(), calls)
                    )
                except Exception as error:  # whatever a provider's library raises
                    lose(name, error, kept)
                    raise
                kept.keep(name, found.write)
                if not found.failures:  # else what was replied beside them is not paid twice
                    calls.forget()
                return state

            return solve

        samples = [Sample(id=name, input=f"Explore {name}.") for name in left]
        return Task(
            dataset=MemoryDataset(samples, name="explore"), solver=explores(), name="mango-explore",
            fail_on_error=True, continue_on_fail=True,
        )  # fmt: skip

    async def _played(self, name: str, model: Model, calls: Calls) -> Exploration:
        """Explore a game, and answer where nobody else does."""
        counter = Counter(calls)
        memory = self.setup.made(counter, model, self.embedder, name)
        try:
            with closing(self.games[name].opened()) as game:
                explorer = ModelExplorer(
                    counter.counting(model), memory, self.setup.wiring, self.steps,
                    self.reach.asks, constrained=self.asked.constrained,
                )  # fmt: skip
                found = await self._through(name, game, explorer, counter)
        finally:
            free(memory)
        trace = ModelTrace(explorer.moves, _by_id(explorer), counter.usage())
        return replace(found, trace=trace)

    async def _through(
        self, name: str, game: Game, explorer: ModelExplorer, counter: Counter
    ) -> Exploration:
        reached, maze = await explored(name, game, _Acting(explorer), self.steps)
        last = seen(maze.walkthrough[-1].observation)
        if not explorer.moves:
            await explorer.begin(last)
        if reached.commands == len(explorer.moves):  # else it ended the exploring itself
            await explorer.end(last)
        counter.purpose = Purpose.QUIZ
        replies = [] if self.chosen else await explorer.answers(self._asked(maze))
        return Exploration(reached, maze, replies)

    def _asked(self, maze: Maze) -> list[Asking]:
        """Return what is asked of a trajectory."""
        plan = self.plan({maze.name: maze})
        return [
            Asking(
                plan.prompts.about(each), reading.question(each), before, after.lstrip("\n"),
                plan.prompts.form(each),
            )
            for each in plan.questions
            for reading in [plan.readings[each.game]]
            for before, after in [reading.around(each)]
        ]  # fmt: skip


class _Acting:
    """A model as `explored` asks it: text comes in, and a command goes out, or None."""

    def __init__(self, explorer: ModelExplorer) -> None:
        self._explorer = explorer

    async def act(self, text: str) -> str | None:
        if not self._explorer.moves:
            await self._explorer.begin(seen(text))
        command = await self._explorer.act(seen(text))
        return None if canonical(command).lower() == DONE else command


def _by_id(explorer: ModelExplorer) -> list[Any]:
    return [explorer.contexts[id] for id in sorted(explorer.contexts)]
