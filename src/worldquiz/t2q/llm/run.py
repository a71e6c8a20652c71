"""Run a model over a suite, world by world, as ``worldquiz t2q run --model`` does.

The work is inspect's (`task`), its eval logs are in ``RUN/logs``. Worlds are written into the run's
folder as they are finished, so a killed run resumes without repeating a call of a finished world:
its records are read, scored with the others, and stand in the last log again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from worldquiz.errors import WorldError, WorldquizError
from worldquiz.llm.calls import made
from worldquiz.llm.client import Reach, evaluate, model_of, only
from worldquiz.llm.records import Purpose, Usage
from worldquiz.llm.usage import taken
from worldquiz.records import read_records
from worldquiz.runs.executor import current_cluster, each, silent
from worldquiz.runs.folder import Worlds, sweep, world_folder
from worldquiz.runs.losses import Passing, passing, reason_of
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.llm.trial import MEMORY_ROLE, Subject
from worldquiz.t2q.memory import catalog as memories
from worldquiz.t2q.memory.base import Embedder
from worldquiz.t2q.run import OnSuite
from worldquiz.t2q.store import write_lost
from worldquiz.t2q.suites import open_suite


@dataclass(frozen=True)
class ModelRun(OnSuite):
    """A run of a language model with a memory."""

    subject: Subject
    reach: Reach
    memory_model: str | None = None  # by which memories call; the same model if absent

    @cached_property
    def embedder(self) -> Embedder | None:
        """The memory's embedder, loaded once."""
        return self.subject.embedding()

    @property
    def manifest(self) -> dict[str, Any]:
        """What is measured, on what."""
        calls = memories.entry(self.subject.memory).calls_model
        return self.stated(
            {
                **self.subject.record(),
                **self.reach.record(),
                "memory_model": str(self._remembering()) if calls else None,
            }
        )

    def require(self) -> None:
        """Check the game, the memory with its embedder, whoever plays beside, then the model."""
        subject = self.subject
        subject.require()
        bundle = self.suite.first_opened()
        brief = Brief(bundle.spec, bundle.tasks, bundle.questions, subject.seed)
        if not subject.acts:
            agents.agent(subject.agent, brief)
        if not subject.answers:
            agents.answerer(subject.answerer, brief)
        self.reach.require()
        self._remembering()
        _ = self.embedder

    def preflight(self) -> None:
        """Check that the models can be asked."""
        self.reach.preflight(self.memory_model)

    def produce(self, left: Sequence[str], kept: Worlds, out: Path) -> None:
        """Have inspect play the worlds: here, or one at a time on the machines of a cluster."""
        if current_cluster() is None:
            self.play([w for w in self.units if w in left or kept.has(w)], kept, out)
            return
        model = self.memory_model
        work = partial(_play_apart, self.suite.path, self.subject, self.reach, model, out)
        for world, fault in each(work, left, jobs=1, places=[self.suite.path, out]):
            if fault is None:
                kept.done(world)
            else:
                kept.lose(world, fault, partial(write_lost, bundle=self.suite.bundle(world)))
        sweep(out)

    def play(self, mine: Sequence[str], kept: Worlds, out: Path) -> None:
        """Have inspect play some worlds; those that stand there already it reads."""
        from worldquiz.t2q.llm.task import keeping, task_of

        with keeping(kept):
            evaluate(
                task_of(self.suite, self.subject, self.embedder, out, self.reach.asks),
                self.reach,
                out,
                noun=self.noun,
                spent=_spent(out),
                model_roles={MEMORY_ROLE: self._remembering()},
                sample_id=only(mine, self.units),
            )

    def _remembering(self) -> Any:
        return model_of(self.memory_model or self.reach.model, self.reach.base_url)


def _play_apart(
    suite: Path, subject: Subject, reach: Reach, memory_model: str | None, out: Path, world: str
) -> WorldquizError | None:
    """Play one world of a run on a machine of a cluster, into the run's folder.

    Returns why it could not be finished, in a form that can be sent: the other worlds go on.
    """
    kept = Worlds(out, silent)
    fault: BaseException | None
    try:
        ModelRun(open_suite(suite), subject, reach, memory_model).play([world], kept, out)
    except WorldError as error:
        fault = error
    else:
        fault = kept.losses.get(world)
    if fault is None:
        return None
    return Passing(reason_of(fault)) if passing(fault) else WorldError(reason_of(fault))


def _spent(out: Path) -> list[Usage]:
    """Return what a run took so far: of its finished worlds, and of the calls of the others."""
    from inspect_ai.model import ModelOutput

    kept = [
        usage
        for path in sorted(out.glob("worlds/[!.]*/usage.jsonl"))
        for usage in read_records(path, "usage", Usage)
    ]
    under_way = [
        taken(Purpose.ACT, ModelOutput.model_validate(call["output"]))
        for world, calls in made(out)
        if not world_folder(out, world).is_dir()
        for call in calls
    ]
    return [*kept, *under_way]
