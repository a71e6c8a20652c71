"""Take the quiz on what was seen, as ``worldquiz tea recall`` does.

A run's folder holds ``manifest.json``, ``answers.jsonl`` (each sheet's reply as it was given),
``questions.jsonl`` (each question, how it stands, and the views that show its answer),
``results.jsonl`` (each question's grade), ``scores.json``, and inspect's logs in ``logs`` where a
model was asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import worldquiz
from worldquiz.errors import KnobError, WorldError
from worldquiz.facts import knowledge
from worldquiz.facts.knowledge import FRACTIONS
from worldquiz.facts.question import ABSTAIN, Result, gold, prompt
from worldquiz.llm.client import Reach
from worldquiz.records import read_json, write_json, write_records, write_text
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed
from worldquiz.runs.journal import Lines, by_id
from worldquiz.stats.intervals import RESAMPLES
from worldquiz.t2q.scoring import scores_schema
from worldquiz.t2q.scoring.sitting import Sitting
from worldquiz.tea.exam.run import Scripted
from worldquiz.tea.recall.quiz.catalog import CATALOGUE
from worldquiz.tea.recall.quiz.exam import LEVEL, UNCLEAR, results
from worldquiz.tea.recall.quiz.proof import proof
from worldquiz.tea.recall.takers import taker
from worldquiz.tea.recall.walked import Recall
from worldquiz.tea.recall.words import NOT_SHOWN, read, reply

SCORES, RESULTS, QUESTIONS = "scores.json", "results.jsonl", "questions.jsonl"


def run(recall: Recall, who: Scripted | Reach, out: Path, done: Done = silent) -> dict[str, Any]:
    """Ask every sheet that was not asked before, and return the scores.

    Raises `RecordError` where `out` holds anything else, `KnobError` for a loop there is not,
    `CatalogError` for an unknown taker or model, `WorldError` where questions could not be asked,
    `MissingExtra`.
    """
    sheets = list(recall.sheets)
    if not sheets:
        raise KnobError(
            f"{recall.data}: no question can be asked after these walks; show more views"
        )
    with claimed(out):
        begin(out, MANIFEST, _manifest(recall, who))
        kept = Lines(out, by_id, done)
        if isinstance(who, Scripted):
            _take(recall, who, kept)
        else:
            _ask(recall, who, out, kept)
        kept.settle(sheets)
        graded = grades(recall, kept.lines)
        every = [result for some in graded.values() for result in some]
        write_text(out / QUESTIONS, "".join(_lines(recall)))
        write_records(out / RESULTS, "result", Result, every)
        found = scores(recall, graded)
        write_json(out / SCORES, found)
    return found


def grades(recall: Recall, lines: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[Result, ...]]:
    """Return what each question of each flat is worth, by the sheets' replies."""
    found = {}
    for name, flat in recall.flats.items():
        replies: dict[str, str] = {}
        for sheet in flat.sheets:
            if sheet.id in lines:
                replies |= read(sheet, str(lines[sheet.id]["reply"]))
        found[name] = results(flat.scene.id, flat.items, flat.evidence, replies)
    return found


def scores(
    recall: Recall, graded: Mapping[str, Sequence[Result]], *, resamples: int = RESAMPLES
) -> dict[str, Any]:
    """Return Task2Quiz's shares with counts and intervals by flat, and the same of each kind."""
    sittings = [Sitting(name, LEVEL, tuple(some), ()) for name, some in graded.items()]
    every = [result for some in graded.values() for result in some]
    told = scores_schema.scores(sittings, resamples=resamples, seed=recall.asked.seed)
    counted = [result for result in every if result.score.kind == "graded"]
    return {
        **{name: told[name] for name in FRACTIONS},
        "of_quiz": _of_quiz(every),
        "counts": {
            **{name: told["counts"][name] for name in knowledge.of(every).counts()},
            "flats": len(sittings),
            "views": sum(len(flat.views) for flat in recall.flats.values()),
            "unclear": sum(getattr(result.score, "reason", "") == UNCLEAR for result in every),
            "ill_formed": sum(not result.reply for result in counted),
        },
        "ci": {name: told["ci"][name] for name in FRACTIONS},
        "by_kind": _by(every, lambda result: result.question.partition("/")[0]),
        "by_type": _by(every, lambda result: str(result.type)),
        "by_flat": _by(every, lambda result: result.world),
    }


def _of_quiz(every: Sequence[Result]) -> dict[str, Any]:
    """Return known and coverage over the whole quiz, unclear questions too: for any walk the same.

    Walks and agents are compared by these: what is unclear differs from walk to walk.
    """
    known = knowledge.of(every)
    return {
        "questions": len(every),
        "known": knowledge.share(known.correct_answerable, len(every)),
        "coverage": knowledge.share(known.answerable, len(every)),
    }


def _lines(recall: Recall) -> Iterator[str]:
    """Yield each question as a line of JSON, with its evidence."""
    for flat in recall.flats.values():
        for item in flat.items:
            asked = prompt(item.question)
            line = {
                "id": item.question.id,
                "kind": item.kind,
                "text": asked.text,
                "choices": asked.choices,
                "answer": gold(item.question),
                "standing": flat.standings[item.question.id].value,
                "evidence": [asdict(each) for each in proof(item, flat.evidence, flat.views)],
            }
            yield json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n"


def _by(every: Sequence[Result], name: Any) -> dict[str, Any]:
    groups: dict[str, list[Result]] = {}
    for result in every:
        groups.setdefault(name(result), []).append(result)
    return {key: block(some) for key, some in sorted(groups.items())}


def block(some: Sequence[Result]) -> dict[str, Any]:
    """Return the shares of some results, with their counts."""
    known = knowledge.of(some)
    return {**{name: known.share(name) for name in FRACTIONS}, "counts": known.counts()}


def _take(recall: Recall, who: Scripted, kept: Lines[str]) -> None:
    take = taker(who.name, recall, who.error)
    for flat, sheet in recall.sheets.values():
        if sheet.id not in kept.lines:
            answers = [take(flat, item) for item in sheet.items]
            plain = [NOT_SHOWN if each == ABSTAIN else each for each in answers]
            kept.keep({"id": sheet.id, "reply": reply(plain)})


def _ask(recall: Recall, reach: Reach, out: Path, kept: Lines[str]) -> None:
    from worldquiz.llm.client import check_settings
    from worldquiz.tea.asking import ask
    from worldquiz.tea.recall.task import asked

    check_settings(reach.generate)
    if any(id not in kept.lines for id in recall.sheets):
        ask(asked(recall), reach, out, kept, noun="sheets")
    left = [id for id in recall.sheets if id not in kept.lines]
    if left:
        raise WorldError(f"{len(left)} sheets have no reply; give the command again")


def _manifest(recall: Recall, who: Scripted | Reach) -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": "tea-recall",
        "data": str(read_json(recall.data / MANIFEST).get("digest")),
        "asked": asdict(recall.asked),
        "kinds": list(CATALOGUE.names()),
        "versions": {"worldquiz": worldquiz.__version__},
    }
    if isinstance(who, Scripted):
        error = {"error": who.error} if who.name == "noisy" else {}
        return record | {"taker": who.name, **error}
    from worldquiz.llm.client import model_of

    name = str(model_of(who.model, who.base_url))
    return record | {"model": name, "generate": json.loads(json.dumps(dict(who.generate)))}
