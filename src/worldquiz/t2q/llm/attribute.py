"""Ask a model again where its memory's text cannot be read, as ``worldquiz t2q attribute`` does.

Each question of a finished run whose cause is undecided takes one call of the model that answered,
with the prompt of the quiz and another context:

    the answer was wrong    the verbatim turns that settle the question (`settling_turns`)
    the answer was right    no context at all

`diagnosis` says what follows. Nothing is played, and no memory is asked. The replies are kept in
``RUN/attribution`` as they come: a stopped attribution goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz.errors import KnobError, RecordError
from worldquiz.facts.question import Question, prompt
from worldquiz.llm.client import AT_ONCE, RETRIES, Reach
from worldquiz.llm.price import Price
from worldquiz.llm.records import used
from worldquiz.records import digest
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import ENDPOINT, MODEL, own_name
from worldquiz.runs.journal import Lines
from worldquiz.runs.run import Run
from worldquiz.t2q.diagnosis import SHOWN, diagnose
from worldquiz.t2q.prompts.compose import Options, sheet
from worldquiz.t2q.prompts.schemas import Schema, answers_schema
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.settling_turns import Turns
from worldquiz.t2q.store import (
    ATTRIBUTION,
    Played,
    RunRecord,
    again_key,
    answers_digest,
    read_run,
)
from worldquiz.t2q.trace import Basis, Cause, Shown
from worldquiz.version import own_version

Key = tuple[str, str]
"""A world and a question of it."""


class AskedAgain(NamedTuple):
    """A question that is asked again."""

    about: dict[str, Any]
    text: str
    form: Schema | None  # that the reply is held to, as in the run


@dataclass(frozen=True)
class Attribution:
    """The undecided questions of a run, asked again."""

    run: RunRecord
    reach: Reach
    noun = "questions"

    @cached_property
    def prompts(self) -> dict[Key, AskedAgain]:
        """What each call is about, the text that it sends, and the form of its reply."""
        told = _prompts(self.run)
        return {again_key(each.about): each for each in told}

    @property
    def manifest(self) -> dict[str, Any]:
        """Which answers are asked about, of whom, and with which prompts."""
        return {
            "kind": ATTRIBUTION,
            "answers": answers_digest(self.run.worlds),
            "prompts": digest(*(each.text for each in self.prompts.values())),
            "versions": own_version(),
            **self.reach.record(),
        }

    @property
    def units(self) -> Sequence[Key]:
        """The questions, in the order of worlds and quizzes."""
        return list(self.prompts)

    def require(self) -> None:
        """Check that the model can be reached, unless nothing is to be asked."""
        if self.prompts:
            self.reach.require()

    def preflight(self) -> None:
        """Check that the model can be asked, unless nothing is to be asked."""
        if self.prompts:
            self.reach.preflight()

    def begin(self, out: Path) -> None:
        """Write nothing beside the manifest."""

    def kept(self, out: Path, done: Done) -> Lines[Key]:
        """Open the lines of replies."""
        return Lines(out, again_key, done)

    def produce(self, left: Sequence[Key], kept: Lines[Key], out: Path) -> None:
        """Ask the questions that have no second reply."""
        from worldquiz.llm.asking import ask_prompts

        asked = [self.prompts[key] for key in left]
        ask_prompts(
            [(each.about, each.text) for each in asked], self.reach, out, kept, noun=self.noun,
            forms=[each.form for each in asked],
        )  # fmt: skip

    def score(self, out: Path, kept: Lines[Key]) -> dict[str, Any]:
        """Score the run anew; return its causes as they now stand, and what asking again took."""
        found = Run(self.run.path).score()["attribution"]
        return {"attribution": found, "usage": used(kept.lines.values())}


def attribution(
    path: Path,
    *,
    base_url: str | None = None,
    connections: int = AT_ONCE,
    retries: int = RETRIES,
) -> Attribution:
    """Return what is to be asked again about a finished run, of the model that answered there.

    Raises `RecordError` where no model answered, or the run is not finished, and for a log of
    inspect; `KnobError` where the model's server is not named.
    """
    run = _answered(path)
    model = str(run.manifest["model"])
    if model.startswith(f"{ENDPOINT}/") and base_url is None:
        raise KnobError(f"{path}: {own_name(model)} answered at a server of its own: give its URL")
    price = run.manifest.get("price")
    reach = Reach(
        model, base_url, run.manifest["generate"], connections,
        Price(*price) if price else None, retries,
    )  # fmt: skip
    return Attribution(run, reach)


def _answered(path: Path) -> RunRecord:
    """Return a run in which a model answered."""
    if path.is_file():
        raise RecordError(
            f"{path}: is a log of inspect; only runs in folders of their own are attributed"
        )
    run = read_run(path)
    if run.manifest["answerer"] != MODEL:
        raise RecordError(f"{path}: {run.answerer} answered, no language model: nothing to ask")
    return run


def _prompts(run: RunRecord) -> Iterator[AskedAgain]:
    """Yield what is asked again, one question at a time, with the options of the run."""
    options = replace(Options(**run.manifest["options"]), batch=1)
    for played in run.worlds:
        turns = Turns(played)
        for question, shown in _undecided(played):
            context = (turns.settling(question),) if shown is Shown.TURNS else ()
            about = {"id": question.id, "world": played.bundle.spec.id, "shown": str(shown)}
            asked = prompt(question)
            text = "".join(part.text for part in sheet(options, context, asked))
            yield AskedAgain(about, text, answers_schema(options, [asked]))


def _undecided(played: Played) -> Iterator[tuple[Question, Shown]]:
    """Yield what the records leave undecided, whether or not it was asked again before."""
    graded = results(played)
    for question, finding in zip(
        played.bundle.questions, diagnose(played, graded) or (), strict=True
    ):
        if finding and finding.basis is not Basis.EXACT:
            right = bool({Cause.KNOWN, Cause.GUESSED} & set(finding.causes))
            yield question, SHOWN[right]
