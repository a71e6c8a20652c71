"""Run the quiz on walked apartments, as ``worldquiz tea recall`` does.

A run's folder holds ``manifest.json`` (which names the questions that were too unclear to be
asked), ``rows.jsonl`` (each question that was asked) and ``scores.json``. Questions are asked by
the sheet; the row of a sheet's last question holds the whole reply (``said``) and what it cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from worldquiz.errors import AgentError, KnobError, RecordError, did_you_mean
from worldquiz.facts.answer_text import abstains
from worldquiz.facts.grade import grade
from worldquiz.facts.knowledge import FRACTIONS, counts, share
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.client import Reach
from worldquiz.runs.executor import Done, Waiting, silent
from worldquiz.runs.folder import RunManifest, answered_by, note, read_manifest
from worldquiz.runs.journal import spent, status_of
from worldquiz.runs.life import live
from worldquiz.runs.rows import ItemKey, Rows, about_item, by_item, read_rows
from worldquiz.stats.intervals import RESAMPLES, intervals, ratios
from worldquiz.tea import answering
from worldquiz.tea.answering import Baseline, OwnAnswerer, Who
from worldquiz.tea.recall.answerers import baseline
from worldquiz.tea.recall.questions import KINDS, FlatQuestion, Standing
from worldquiz.tea.recall.quiz import Recall, RecallSheet, Walked

KIND, NOUN = "tea-recall", "run of `worldquiz tea recall`"
ASKED = ("views", "each", "batch", "seed")
"""Settings that a manifest holds."""


@dataclass(frozen=True, kw_only=True)
class RecallManifest(RunManifest):
    """Schema of a run's manifest."""

    asked: Mapping[str, int]
    views: int
    unclear: Mapping[str, Sequence[str]]  # by scene: the ids of questions that were not asked


def run(
    recall: Recall, who: Who, out: Path, done: Done = silent, *, retry_failed: bool = False
) -> dict[str, Any]:
    """Ask every question that was not asked before, and return the scores.

    Raises before `out` is touched `KnobError` for walks after which nothing can be asked,
    `CatalogError` for an unknown answerer or model and an object that is no answerer,
    `MissingExtra`; later `RecordError` where `out` holds anything else, `WorldError` where
    questions could not be asked.
    """
    return live(RecallRun(recall, who), out, done, retry_failed=retry_failed)


class SheetRows(Rows):
    """Rows of questions that are asked by the sheet: a reply to a sheet becomes all of its rows."""

    def __init__(self, run: RecallRun, out: Path, done: Done) -> None:
        self._sheets = run.sheets
        super().__init__(out, done, run.row)

    def find(self, about: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return a line of a sheet whose questions all have one."""
        flat, sheet = self._sheets[about["sheet"]]
        lines = [self.lines.get(key_of(flat, item)) for item in sheet.items]
        return lines[-1] if None not in lines else None

    def keep(self, line: Mapping[str, Any]) -> None:
        """Keep the rows of a sheet's reply, or the row of one question."""
        if "sheet" not in line:
            super().keep(line)
            return
        flat, sheet = self._sheets[line["sheet"]]
        answers = sheet.read(str(line["reply"]))
        for item, answer in zip(sheet.items, answers, strict=True):
            last = item is sheet.items[-1]
            beside = {"usage": line.get("usage"), "said": line["reply"]} if last else {}
            about = about_item(key_of(flat, item))
            super().keep({**about, "reply": answer, "status": line.get("status"), **beside})

    def lose(self, about: Mapping[str, Any], error: BaseException) -> None:
        """Note why a sheet could not be answered."""
        flat, sheet = self._sheets[about["sheet"]]
        for item in sheet.items:
            super().lose(about_item(key_of(flat, item)), error)


class RecallRun:
    """A run of the quiz on walked apartments: its units are questions by the keys of their rows."""

    noun = "questions"

    def __init__(self, recall: Recall, who: Who) -> None:
        self.recall, self.who = recall, who

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The run's manifest: the quiz and its answerer."""
        asked = {name: getattr(self.recall.settings, name) for name in ASKED}
        return answering.manifest(KIND, self.recall.data, self.who, asked=asked)

    @cached_property
    def asked(self) -> dict[ItemKey, tuple[Walked, FlatQuestion]]:
        """The questions that are asked, each with its apartment."""
        flats = self.recall.flats.values()
        return {key_of(flat, item): (flat, item) for flat in flats for item in flat.asked}

    @cached_property
    def sheets(self) -> dict[str, tuple[Walked, RecallSheet]]:
        """All sheets of questions by id, each with its apartment."""
        flats = self.recall.flats.values()
        return {sheet.id: (flat, sheet) for flat in flats for sheet in flat.sheets}

    @cached_property
    def _sheet_of(self) -> dict[str, str]:
        return {item.id: id for id, (_, sheet) in self.sheets.items() for item in sheet.items}

    @property
    def units(self) -> Sequence[ItemKey]:
        """The keys of all questions, in order."""
        return tuple(self.asked)

    def preflight(self) -> None:
        """Check that a model can be asked."""
        if isinstance(self.who, Reach):
            self.who.preflight()

    def require(self) -> None:
        """Check who answers, that something can be asked, and that pictures are there."""
        self.who.require()
        if not self.units:
            raise KnobError(
                f"{self.recall.data}: no question can be asked after these walks; show more views"
            )
        if not isinstance(self.who, Baseline):
            for flat in self.recall.flats.values():
                flat.picture(flat.views[0])

    def begin(self, out: Path) -> None:
        """Note the place of the walks, and which questions they leave unclear."""
        note(self.recall.data, out, **about(self.recall))

    def kept(self, out: Path, done: Done) -> SheetRows:
        """Open the rows."""
        return SheetRows(self, out, done)

    def row(self, line: Mapping[str, Any]) -> Row:
        """Return the row of an answer to a question."""
        flat, item = self.asked[by_item(line)]
        question, reply = item.question, str(line["reply"])
        moment = flat.evidence.earliest(question.requires)
        status = status_of(line.get("status"), readable=bool(reply), abstained=abstains(reply))
        right = reply == question.answer
        if moment is not None:
            right = bool(grade(question, answerable=True, reply=reply))
        said = {"said": line["said"]} if "said" in line else {}
        return Row(
            run="", benchmark="tea", answerer=answered_by(self.manifest), world=flat.scene.id,
            item=item.id, type=item.kind, format=question.kind, prompt=question.text,
            choices=question.choices, gold=question.answer, reply=reply, answer=reply or None,
            status=status, correct=float(right) if status is AnswerStatus.ANSWERED else None,
            shown=moment is not None, episode=moment.episode if moment else None,
            step=moment.step if moment else None, **spent(line),
            unscored=str(line.get("failure")) if status is AnswerStatus.FAILED else None,
            measures={"sheet": self._sheet_of[item.id], **said},
        )  # fmt: skip

    def produce(self, left: Sequence[ItemKey], kept: SheetRows, out: Path) -> None:
        """Have the questions answered that have no answer."""
        match self.who:
            case Baseline() as who:
                answer = baseline(who.name, self.recall, who.error)
                for key in left:
                    kept.keep({**about_item(key), "reply": answer(*self.asked[key])})
            case OwnAnswerer() as who:
                for flat in self.recall.flats.values():
                    self._answer(who, flat, kept)
            case reach:
                from worldquiz.llm.asking import Prompt, ask

                prompts = [
                    Prompt({"sheet": sheet.id}, partial(_messages, flat, sheet))
                    for flat, sheet in self.sheets.values()
                ]
                ask(prompts, reach, kept)

    def _answer(self, who: OwnAnswerer, flat: Walked, kept: SheetRows) -> None:
        """Have a fresh answerer do all sheets of a scene that has any left.

        The scene's answered sheets are asked again, to restore the answerer's state.
        """
        left = [sheet for sheet in flat.sheets if kept.find({"sheet": sheet.id}) is None]
        if not left:
            return
        pictures = [flat.picture(view) for view in flat.views]
        with Waiting() as waiting:
            answer, _ = who.methods(waiting)
            for sheet in flat.sheets:
                prompt = "\n".join((flat.opening(), *flat.captions(), sheet.words()))
                try:
                    told = answer(f"at sheet {sheet.id!r}", prompt, pictures)
                except AgentError as error:
                    if sheet in left:
                        kept.lose({"sheet": sheet.id}, error)
                    continue
                if sheet in left:
                    kept.keep({"sheet": sheet.id, "reply": told})

    def score(self, out: Path, kept: SheetRows) -> dict[str, Any]:
        """Return the shares."""
        return rescored(out)


def key_of(flat: Walked, item: FlatQuestion) -> ItemKey:
    """Return the key of a question's row."""
    return flat.scene.id, item.kind, item.id


def _messages(flat: Walked, sheet: RecallSheet) -> list[Any]:
    """Return a sheet as a model is sent it: the pictures with their captions, then questions.

    Pictures are the same for all sheets of an apartment, so that providers can cache them.
    """
    from worldquiz.llm.model import user
    from worldquiz.tea.exam.show import part

    def text(words: str) -> dict[str, Any]:
        return {"type": "text", "text": words}

    shown = zip(flat.captions(), map(flat.picture, flat.views), strict=True)
    views = [each for caption, png in shown for each in (text(caption), part(png))]
    return [user([text(flat.opening()), *views, text(sheet.words())])]


def about(recall: Recall) -> dict[str, Any]:
    """Return what a manifest tells of the walks: pictures shown, and questions not asked."""
    return {
        "views": sum(len(flat.views) for flat in recall.flats.values()),
        "unclear": {
            flat.scene.id: [
                item.id for item in flat.items if flat.standings[item.id] is Standing.UNCLEAR
            ]
            for flat in recall.flats.values()
        },
    }


def rescored(run: Path) -> dict[str, Any]:
    """Return a finished run's scores from its rows. Raises `RecordError`."""
    manifest = read_manifest(run, KIND, NOUN, RecallManifest)
    return scores(read_rows(run), manifest)


def scores(
    rows: Iterable[Row], manifest: Mapping[str, Any], *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Return Task2Quiz's shares with counts and intervals by scene, and the same of each kind.

    Walks and agents are compared by ``of_quiz``, over unclear questions too: which questions are
    unclear differs from walk to walk. Raises `RecordError` for a kind of question there is not.
    """
    by_flat: dict[str, list[_Asked]] = {scene: [] for scene in manifest["unclear"]}
    for asked in rows:
        by_flat.setdefault(asked.world, []).append((asked.type, asked))
    for scene, ids in manifest["unclear"].items():
        by_flat[scene] += [(id.partition("/")[0], None) for id in ids]
    every = [each for some in by_flat.values() for each in some]
    by_kind, by_type = dict[str, list[_Asked]](), dict[str, list[_Asked]]()
    for each in every:
        kind, _ = each
        if kind not in KINDS:
            raise RecordError(f"no kind of question {kind!r}{did_you_mean(kind, KINDS)}")
        by_kind.setdefault(kind, []).append(each)
        by_type.setdefault(str(KINDS[kind][0]), []).append(each)
    scenes = [_known(some) for some in by_flat.values()]
    seed = manifest["asked"]["seed"]
    found = intervals(ratios(scenes, FRACTIONS), resamples=resamples, seed=seed)
    known, whole = _known(every), _block(every)
    return {
        **whole,
        "of_quiz": {
            "questions": len(every),
            "known": share(known["correct_answerable"], len(every)),
            "coverage": share(known["answerable"], len(every)),
        },
        "counts": {
            **whole["counts"],
            "flats": len(by_flat),
            "views": manifest["views"],
            "unclear": sum(map(len, manifest["unclear"].values())),
            "ill_formed": sum(not row.reply for row in _graded(every)),
        },
        "ci": {name: list(bounds) if bounds else None for name, bounds in found.items()},
        **{
            name: {key: _block(some) for key, some in sorted(groups.items())}
            for name, groups in (("by_kind", by_kind), ("by_type", by_type), ("by_flat", by_flat))
        },
    }


_Asked = tuple[str, Row | None]
"""A question's kind, and its row if it was asked."""


def _graded(some: Iterable[_Asked]) -> list[Row]:
    return [row for _, row in some if row is not None and row.score is not None]


def _known(some: Sequence[_Asked]) -> dict[str, float]:
    """Return the counts of some questions, as Task2Quiz counts them."""
    found = counts(_graded(some))
    claimed = found["non_answerable"] - found["abstained_rightly"]
    return {**found, "overclaimed": claimed, "unscored": len(some) - int(found["questions"])}


def _block(some: Sequence[_Asked]) -> dict[str, Any]:
    """Return the shares of some questions, with their counts."""
    known = _known(some)
    shares = {name: share(known[above], known[below]) for name, (above, below) in FRACTIONS.items()}
    return {**shares, "counts": known}
