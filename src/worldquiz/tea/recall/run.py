"""Run the quiz on walked apartments, as ``worldquiz tea recall`` does.

A run's folder holds ``manifest.json``, ``answers.jsonl`` (each sheet's reply as it was given),
``questions.jsonl`` (each question, and how it stands),
``results.jsonl`` (each question's grade) and ``scores.json``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from worldquiz.errors import AgentError, KnobError
from worldquiz.facts import knowledge
from worldquiz.facts.knowledge import FRACTIONS
from worldquiz.facts.question import ABSTAIN, Result, gold, prompt
from worldquiz.llm.client import Reach
from worldquiz.records import read_records, write_records, write_text
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, RunManifest, read_manifest
from worldquiz.runs.journal import Lines, by_id, finished, finished_file
from worldquiz.runs.life import live
from worldquiz.runs.losses import FAILED, read_losses
from worldquiz.runs.sync import Waiting
from worldquiz.stats.intervals import RESAMPLES, Ratio, intervals, ratios
from worldquiz.tea import answering
from worldquiz.tea.answering import Baseline, OwnAnswerer, Who, chosen, note
from worldquiz.tea.data import picture
from worldquiz.tea.own_kinds import require_known
from worldquiz.tea.recall.baselines import NAMES, baseline
from worldquiz.tea.recall.quiz.exam import UNCLEAR, results
from worldquiz.tea.recall.quiz.kinds import CATALOGUE, record
from worldquiz.tea.recall.walked import Recall, RecallSettings, RecallSheet, Walked
from worldquiz.tea.recall.words import NOT_SHOWN, caption, message, opening, questions, read, reply


@dataclass(frozen=True, kw_only=True)
class RecallManifest(RunManifest):
    """Schema of a run's manifest."""

    asked: RecallSettings
    views: int


@dataclass(frozen=True)
class QuestionLine:
    """Schema of a line about a question."""

    id: str
    kind: str
    sheet: str | None
    text: str
    choices: Sequence[str]
    answer: str


Line = Mapping[str, Any]
KIND, NOUN = "tea-recall", "run of `worldquiz tea recall`"
RESULTS, QUESTIONS = "results.jsonl", "questions.jsonl"


def run(
    recall: Recall, who: Who, out: Path, done: Done = silent, *, retry_failed: bool = False
) -> dict[str, Any]:
    """Ask every sheet that was not asked before, and return the scores.

    Raises before `out` is touched `KnobError` for a loop there is not and for walks after which
    nothing can be asked, `CatalogError` for an unknown answerer or model, kinds of one name, and an
    object that is no answerer or kind, `MissingExtra`, `RecordError` where `out`
    was begun with kinds that are not known; later `RecordError` where `out` holds anything else,
    `WorldError` where questions could not be asked.
    """
    require_known(out / MANIFEST, [kind.name for kind in recall.kinds], CATALOGUE.noun)
    return live(RecallWork(recall, who), out, done, retry_failed=retry_failed)


class RecallWork:
    """A run of the quiz on walked apartments: its units are sheets of questions by their ids."""

    noun = "sheets"

    def __init__(self, recall: Recall, who: Who) -> None:
        self.recall, self.who = recall, who

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The run's manifest: the quiz and its answerer."""
        asked = {"asked": asdict(self.recall.asked), **record(self.recall.own)}
        told = answering.manifest(KIND, self.recall.data, self.who, **asked)
        code = {**told.get("code", {}), **asked.get("code", {})}  # the answerer's, and the kinds'
        return {**told, "code": code} if code else told

    @cached_property
    def units(self) -> list[str]:
        """The ids of all sheets."""
        return list(self.recall.sheets)

    def preflight(self) -> None:
        """Check that a model can be asked."""
        if isinstance(self.who, Reach):
            self.who.preflight()

    def require(self) -> None:
        """Check who answers, that something can be asked, and that pictures are there."""
        self.who.require()
        if isinstance(self.who, Baseline):
            chosen(NAMES, self.who.name)
        if not self.units:
            raise KnobError(
                f"{self.recall.data}: no question can be asked after these walks; show more views"
            )
        intervals({"none": Ratio((0.0, 0.0), (1.0, 1.0))}, resamples=1)
        if not isinstance(self.who, Baseline):
            for name, walked in self.recall.flats.items():
                picture(self.recall.folders[name], walked.views[0])

    def begin(self, out: Path) -> None:
        """Write down where the walks are, and how many of their pictures are shown."""
        note(self.recall.data, out, views=_views(self.recall))

    def kept(self, out: Path, done: Done) -> Lines[str]:
        """Open the lines of replies."""
        return Lines(out, by_id, done)

    def produce(self, left: Sequence[str], kept: Lines[str], out: Path) -> None:
        """Have the sheets answered that have no reply."""
        match self.who:
            case Baseline() as who:
                self._guess(who, left, kept)
            case OwnAnswerer() as who:
                self._answer(who, left, kept)
            case reach:
                self._ask(reach, kept)

    def score(self, out: Path, kept: Lines[str]) -> dict[str, Any]:
        """Grade all replies, write each question's grade, and return the shares."""
        graded = grades(self.recall, kept.lines)
        every = [result for some in graded.values() for result in some]
        write_text(out / QUESTIONS, "".join(_lines(self.recall)))
        write_records(out / RESULTS, "result", Result, every)
        return scores(self.recall, graded)

    def _guess(self, who: Baseline, left: Sequence[str], kept: Lines[str]) -> None:
        answer = baseline(who.name, self.recall, who.error)
        for id in left:
            walked, sheet = self.recall.sheets[id]
            answers = [answer(walked, item) for item in sheet.items]
            plain = [NOT_SHOWN if each == ABSTAIN else each for each in answers]
            kept.keep({"id": id, "reply": reply(plain)})

    def _answer(self, who: OwnAnswerer, left: Sequence[str], kept: Lines[str]) -> None:
        """Have a fresh answerer do all sheets of a scene that has any left.

        The scene's answered sheets are asked again, to restore the answerer's state.
        """
        with Waiting() as waiting:
            for scene, group in groupby(self.recall.sheets.values(), key=lambda two: two[1].scene):
                some = list(group)
                if not {sheet.id for _, sheet in some} & set(left):
                    continue
                answer, _ = who.methods(waiting)
                pictures = self._pictures(scene, some[0][0])
                for walked, sheet in some:
                    try:
                        told = answer(f"at sheet {sheet.id!r}", words(walked, sheet), pictures)
                    except AgentError as error:
                        if sheet.id in left:
                            kept.lose({"id": sheet.id}, error)
                        continue
                    if sheet.id in left:
                        kept.keep({"id": sheet.id, "reply": told})

    def _pictures(self, scene: str, walked: Walked) -> list[bytes]:
        folder = self.recall.folders[scene]
        return [picture(folder, view) for view in walked.views]

    def _ask(self, reach: Reach, kept: Lines[str]) -> None:
        from worldquiz.llm.asking import Prompt, ask

        def prompt(id: str) -> Prompt:
            return Prompt({"id": id}, lambda: [message(self.recall, id)])

        ask(map(prompt, self.recall.sheets), reach, kept)


def words(walked: Walked, sheet: RecallSheet) -> str:
    """Return a sheet as one text, for an answerer that is given the pictures apart."""
    captions = (caption(walked, number) for number in range(1, len(walked.views) + 1))
    return "\n".join((opening(walked), *captions, questions(sheet)))


def grades(recall: Recall, lines: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[Result, ...]]:
    """Return the grades of each scene's questions, by the sheets' replies."""
    found = {}
    for name, walked in recall.flats.items():
        replies: dict[str, str] = {}
        for sheet in walked.sheets:
            if sheet.id in lines and lines[sheet.id].get("status") != FAILED:
                replies |= read(sheet, str(lines[sheet.id]["reply"]))
        found[name] = tuple(results(walked.scene.id, walked.items, walked.evidence, replies))
    return found


def scores(
    recall: Recall, graded: Mapping[str, Sequence[Result]], *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Return Task2Quiz's shares with counts and intervals by scene, and the same of each kind."""
    return _scores(graded, _views(recall), recall.asked.seed, resamples)


def rescored(run: Path) -> dict[str, Any]:
    """Return a finished run's scores from its own records. Raises `RecordError`."""
    manifest = manifest_of(run)
    every = [result for result, _, _ in graded(run)]
    by_scene = {scene: [result for result in every if result.world == scene]
                for scene in dict.fromkeys(result.world for result in every)}  # fmt: skip
    return _scores(by_scene, int(manifest["views"]), int(manifest["asked"]["seed"]), RESAMPLES)


def manifest_of(run: Path) -> dict[str, Any]:
    """Return a run's manifest. Raises `RecordError` where that is none, or damaged."""
    return read_manifest(run, KIND, NOUN, RecallManifest)


def graded(run: Path) -> Sequence[tuple[Result, Line, Line | None]]:
    """Return each question of a finished run: its grade, itself, its sheet's reply.

    A question whose answer the walk only hinted at was not asked and has no reply. Raises
    `RecordError`, also if a question or a reply is missing.
    """
    every = read_records(finished_file(run, RESULTS), "result", Result)
    questions, replies = finished(run, by_id, QUESTIONS, QuestionLine), finished(run, by_id)
    found, left = [], read_losses(run).unfinished
    for result in every:
        question = questions[result.question]
        sheet = question["sheet"]
        if sheet not in left:
            found.append((result, question, None if sheet is None else replies[sheet]))
    return found


def _views(recall: Recall) -> int:
    return sum(len(walked.views) for walked in recall.flats.values())


def _scores(
    graded: Mapping[str, Sequence[Result]], views: int, seed: int, resamples: int
) -> dict[str, Any]:
    every = [result for some in graded.values() for result in some]
    counted = [result for result in every if result.score.kind == "graded"]
    scenes = [knowledge.of(some).counts() for some in graded.values()]
    found = intervals(ratios(scenes, FRACTIONS), resamples=resamples, seed=seed)
    whole = block(every)
    return {
        **whole,
        "of_quiz": _of_quiz(every),
        "counts": {
            **whole["counts"],
            "flats": len(graded),
            "views": views,
            "unclear": sum(getattr(result.score, "reason", "") == UNCLEAR for result in every),
            "ill_formed": sum(not result.reply for result in counted),
        },
        "ci": {name: list(bounds) if bounds else None for name, bounds in found.items()},
        "by_kind": _by(every, lambda result: result.question.partition("/")[0]),
        "by_type": _by(every, lambda result: str(result.type)),
        "by_flat": _by(every, lambda result: result.world),
    }


def _of_quiz(every: Sequence[Result]) -> dict[str, Any]:
    """Return known and coverage over the whole quiz, unclear questions too: for any walk the same.

    Walks and agents are compared by these: the unclear questions differ from walk to walk.
    """
    known = knowledge.of(every)
    return {
        "questions": len(every),
        "known": knowledge.share(known.correct_answerable, len(every)),
        "coverage": knowledge.share(known.answerable, len(every)),
    }


def _lines(recall: Recall) -> Iterator[str]:
    """Yield each question as a line of JSON."""
    for walked in recall.flats.values():
        sheets = {item.question.id: sheet.id for sheet in walked.sheets for item in sheet.items}
        for item in walked.items:
            asked = prompt(item.question)
            line = {
                "id": item.question.id,
                "kind": item.kind,
                "sheet": sheets.get(item.question.id),
                "text": asked.text,
                "choices": asked.choices,
                "answer": gold(item.question),
                "standing": walked.standings[item.question.id].value,
            }
            yield json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n"


def _by(every: Sequence[Result], name: Callable[[Result], str]) -> dict[str, Any]:
    groups: dict[str, list[Result]] = {}
    for result in every:
        groups.setdefault(name(result), []).append(result)
    return {key: block(some) for key, some in sorted(groups.items())}


def block(some: Sequence[Result]) -> dict[str, Any]:
    """Return the shares of some results, with their counts."""
    known = knowledge.of(some)
    return {**known.shares(), "counts": known.counts()}
