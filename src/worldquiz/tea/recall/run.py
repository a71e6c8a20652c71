"""Run the quiz on walked apartments, as ``worldquiz tea recall`` does.

A run's folder holds ``manifest.json`` (which names the questions that were too unclear to be
asked), ``rows.jsonl`` (each question that was asked) and ``scores.json``. While it goes on, it
keeps the reply to each sheet of questions; of a finished run, a sheet's first row holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from worldquiz.errors import AgentError, KnobError
from worldquiz.facts import knowledge
from worldquiz.facts.answer_text import abstains
from worldquiz.facts.grade import grade
from worldquiz.facts.knowledge import FRACTIONS
from worldquiz.facts.question import (
    ABSTAIN,
    Format,
    Graded,
    Result,
    Type,
    Unscored,
    gold,
    prompt,
)
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.client import Reach
from worldquiz.runs.executor import Done, Waiting, silent
from worldquiz.runs.folder import RunManifest, answered_by, note, read_manifest
from worldquiz.runs.journal import AnswerLine, Lines, by_id, status_of
from worldquiz.runs.life import live
from worldquiz.runs.rows import RowLine, RowLines, read_rows
from worldquiz.stats.intervals import RESAMPLES, Ratio, intervals, ratios
from worldquiz.tea import answering
from worldquiz.tea.answering import Baseline, OwnAnswerer, Who, chosen
from worldquiz.tea.data import picture
from worldquiz.tea.recall.baselines import NAMES, baseline
from worldquiz.tea.recall.quiz.exam import Standing
from worldquiz.tea.recall.quiz.kinds import record
from worldquiz.tea.recall.walked import Recall, RecallSettings, RecallSheet, Walked
from worldquiz.tea.recall.words import NOT_SHOWN, caption, message, opening, questions, read, reply


@dataclass(frozen=True, kw_only=True)
class RecallManifest(RunManifest):
    """Schema of a run's manifest."""

    asked: RecallSettings
    views: int
    unclear: Mapping[str, Mapping[str, Type]]  # by scene: questions that were not asked


@dataclass(frozen=True)
class RecallMeasures:
    """Measures of a question, and the reply to its sheet."""

    sheet: str  # the sheet that the question was asked on
    type: Type
    line: AnswerLine | None = None  # of the sheet's reply, in its first row


@dataclass(frozen=True, kw_only=True)
class RecallRow(RowLine):
    """A line of ``rows.jsonl``."""

    measures: RecallMeasures  # type: ignore[assignment]  # of keys that are known


Line = Mapping[str, Any]
KIND, NOUN = "tea-recall", "run of `worldquiz tea recall`"


def run(
    recall: Recall, who: Who, out: Path, done: Done = silent, *, retry_failed: bool = False
) -> dict[str, Any]:
    """Ask every sheet that was not asked before, and return the scores.

    Raises before `out` is touched `KnobError` for a loop there is not and for walks after which
    nothing can be asked, `CatalogError` for an unknown answerer or model, kinds of one name, and an
    object that is no answerer or kind, `MissingExtra`; later `RecordError` where `out` holds
    anything else, `WorldError` where questions could not be asked.
    """
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
        """Note the place of the walks, and which questions they leave unclear."""
        note(self.recall.data, out, **about(self.recall))

    def kept(self, out: Path, done: Done) -> Lines[str]:
        """Open the lines of replies."""
        who = answered_by(self.manifest)
        return RowLines(out, by_id, done, lambda lines: rows(self.recall, lines, who), _line_of)

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
        """Return the shares."""
        return rescored(out)

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


def about(recall: Recall) -> dict[str, Any]:
    """Return what a manifest tells of the walks: pictures shown, and questions not asked."""
    return {
        "views": sum(len(walked.views) for walked in recall.flats.values()),
        "unclear": {
            walked.scene.id: {
                item.question.id: str(item.question.type)
                for item in walked.items
                if walked.standings[item.question.id] is Standing.UNCLEAR
            }
            for walked in recall.flats.values()
        },
    }


def rows(recall: Recall, lines: Mapping[str, Line], who: str) -> Iterator[Row]:
    """Yield the questions of the sheets that have a line, in the order of the quiz."""
    for walked in recall.flats.values():
        found = {
            row.item: row
            for sheet in walked.sheets
            if sheet.id in lines
            for row in _of_sheet(walked, sheet, lines[sheet.id], who)
        }
        yield from (found[each] for each in walked.standings if each in found)


def _of_sheet(walked: Walked, sheet: RecallSheet, line: Line, who: str) -> Iterator[Row]:
    replies = read(sheet, str(line["reply"]))
    kept = {"line": {name: value for name, value in line.items() if name != "id"}}
    for item in sheet.items:
        question, reply = item.question, replies[item.question.id]
        asked, moment = prompt(question), walked.evidence.earliest(question.requires)
        status = status_of(line.get("status"), readable=bool(reply), abstained=abstains(reply))
        right = reply == gold(question)
        if moment is not None:
            right = bool(grade(question, answerable=True, reply=reply).value)
        yield Row(
            run="", benchmark="tea", answerer=who, world=sheet.scene, item=question.id,
            type=item.kind, format=str(asked.format), prompt=asked.text, choices=asked.choices,
            gold=gold(question), reply=reply, answer=reply or None, status=status,
            correct=float(right) if status is AnswerStatus.ANSWERED else None,
            shown=moment is not None, episode=moment.episode if moment else None,
            step=moment.step if moment else None,
            unscored=str(line.get("failure")) if status is AnswerStatus.FAILED else None,
            measures={"sheet": sheet.id, "type": str(question.type),
                      **(kept if item is sheet.items[0] else {})},
        )  # fmt: skip


def _line_of(row: Line) -> dict[str, Any] | None:
    """Return the line of a sheet's reply, which its first row holds."""
    told = row["measures"]
    return {"id": told["sheet"], **told["line"]} if "line" in told else None


def rescored(run: Path) -> dict[str, Any]:
    """Return a finished run's scores from its rows. Raises `RecordError`."""
    manifest = read_manifest(run, KIND, NOUN, RecallManifest)
    return scores(read_rows(run, RecallRow), manifest)


def scores(
    rows: Iterable[Row], manifest: Mapping[str, Any], *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Return Task2Quiz's shares with counts and intervals by scene, and the same of each kind."""
    graded: dict[str, list[Result]] = {scene: [] for scene in manifest["unclear"]}
    for row in rows:
        graded.setdefault(row.world, []).append(_result(row))
    for scene, ids in manifest["unclear"].items():
        graded[scene] += [
            Result(scene, "scene", id, Type(type), Format.WHICH, None, "", False, Unscored(""))
            for id, type in ids.items()
        ]
    every = [result for some in graded.values() for result in some]
    counted = [result for result in every if result.score.kind == "graded"]
    scenes = [knowledge.of(some).counts() for some in graded.values()]
    seed = manifest["asked"]["seed"]
    found = intervals(ratios(scenes, FRACTIONS), resamples=resamples, seed=seed)
    whole = block(every)
    return {
        **whole,
        "of_quiz": _of_quiz(every),
        "counts": {
            **whole["counts"],
            "flats": len(graded),
            "views": manifest["views"],
            "unclear": sum(map(len, manifest["unclear"].values())),
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


def _result(row: Row) -> Result:
    """Return a row as Task2Quiz counts it."""
    return Result(
        row.world, "scene", row.item, Type(row.measures["type"]), Format(row.format),
        Moment(row.episode or 0, row.step or 0) if row.shown else None, row.reply,
        row.status is AnswerStatus.ABSTAINED,
        Unscored(str(row.unscored)) if row.score is None else Graded(row.score),
    )  # fmt: skip


def _by(every: Sequence[Result], name: Callable[[Result], str]) -> dict[str, Any]:
    groups: dict[str, list[Result]] = {}
    for result in every:
        groups.setdefault(name(result), []).append(result)
    return {key: block(some) for key, some in sorted(groups.items())}


def block(some: Sequence[Result]) -> dict[str, Any]:
    """Return the shares of some results, with their counts."""
    known = knowledge.of(some)
    return {**known.shares(), "counts": known.counts()}
