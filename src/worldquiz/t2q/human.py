"""T2Q's quiz for a person, who reads what the player of a run saw in each world.

The run that comes of it has the same worlds, tasks and episodes; only the answers are the person's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, assert_never

from worldquiz.facts.question import ABSTAIN, CATEGORIES, LAWS, Answer, Format, Question, prompt
from worldquiz.facts.row import Row
from worldquiz.human.sheet import Item, Key, Line, Sheet, Shown, by_world, one_of, text_of
from worldquiz.report.labels import decimal
from worldquiz.runs.executor import silent
from worldquiz.runs.folder import FOLDER, MANIFEST, begin, by_person, note
from worldquiz.runs.rows import read_rows
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.rows import played_by
from worldquiz.t2q.run_folder import PlayedWorlds, episodes_of, manifest_of, suite_of
from worldquiz.t2q.store import Played
from worldquiz.version import own_version

NOTHING = "nothing"


class WorldsSheet(Sheet):
    """The quiz of a Task2Quiz run."""

    def __init__(self, run: Path, name: str, data: Path | None = None) -> None:
        """Read what a run asked; `data` is its suite, if moved. Raises `RecordError`."""
        self.name, self.manifest = name, manifest_of(run)
        self.suite, self._episodes = suite_of(run, data), episodes_of(run)
        self._rows: dict[str, list[Row]] = {}
        for row in read_rows(run):
            if row.unscored is None:
                self._rows.setdefault(row.world, []).append(row)
        self._asked: dict[Key, Question] = {
            (world, question.id): question
            for world in self._rows
            for question in self.suite.bundle(world).questions
        }
        self.parts, self.items = by_world(self._asked)
        self.order = tuple(self._asked)

    title = "Task2Quiz"
    passing = "I was not shown this"
    about = (
        "Somebody played a text game, with a few tasks in each of its worlds. You read all that "
        "this player saw, then answer questions about how the world was before anything was moved.",
        "Some questions ask about things that the player never came upon. There, “I was not shown "
        "this” is the right answer; a guess is not.",
    )

    def key(self, line: Mapping[str, Any]) -> Key:
        """Return which question a line answers."""
        return line["world"], line["id"]

    def begin(self, out: Path) -> None:
        """Begin or resume a run: the run's manifest, but for who answers."""
        told = by_person(self.manifest, self.name, without={"code", FOLDER})
        told["versions"] = {**told.get("versions", {}), **own_version()}
        begin(out, MANIFEST, {**told, "kind": "run"})
        note(self.suite.path, out)

    def reading(self, part: int) -> str:
        """Return the transcripts of a world, and the laws that every answerer may know."""
        texts = ["# What holds in every world", "\n".join(LAWS)]
        for number, episode in enumerate(self._episodes(self.parts[part].name), start=1):
            turns = episode.transcript
            texts += [f"# Task {number}", turns[0].observation.objective if turns else ""]
            for turn in turns:
                seen = turn.observation
                acts = [] if turn.action is None else [f"> {turn.action}"]
                texts += [*acts, seen.text.strip(), seen.inventory]
        return "\n\n".join(filter(None, texts))

    def shown(self, item: Item) -> Shown:
        """Return a question without its answer."""
        asked = prompt(self._asked[item.key])
        match asked.format:
            case Format.YES_NO:
                form: Shown = {"form": "choice", "choices": ["yes", "no"]}
            case Format.WHICH:
                form = {"form": "choice", "choices": list(asked.choices)}
            case Format.DESCRIPTION:
                form = {"form": "set", "choices": [*CATEGORIES, NOTHING], "alone": NOTHING}
            case Format.WHERE:
                form = {"form": "text", "hint": "a place"}
            case Format.WHAT:
                form = {"form": "text", "hint": "a name or a direction"}
            case _:
                assert_never(asked.format)
        return {"words": asked.text, **form}

    def line(self, item: Item, said: Any, seconds: float) -> Line:
        """Return an answer as a line."""
        world, id = item.key
        return {
            "world": world, "id": id, "reply": self._reply(item, said), "said": said,
            "seconds": seconds,
        }  # fmt: skip

    def _reply(self, item: Item, said: Any) -> str:
        if said is None:
            return ABSTAIN
        form = self.shown(item)
        if form["form"] == "choice":
            return one_of(said, tuple(form["choices"]))
        if form["form"] == "text":
            return text_of(said)
        if not isinstance(said, list) or not said:
            raise ValueError("choose all that there was, or nothing")
        chosen = {one_of(each, (*CATEGORIES, NOTHING)) for each in said}
        if NOTHING in chosen and len(chosen) > 1:
            raise ValueError("nothing, and something, is not one answer")
        return ", ".join(each for each in (*CATEGORIES, NOTHING) if each in chosen)

    def finish(self, out: Path, lines: Mapping[Key, Line]) -> dict[str, Any]:
        """Write the worlds with the person's answers, and score them."""
        kept = PlayedWorlds(out, silent)
        for world, rows in self._rows.items():
            bundle = self.suite.bundle(world)
            answers = tuple(
                Answer(question.id, lines[world, question.id]["reply"])
                for question in bundle.questions
            )
            kept.keep_played(Played(bundle, self._episodes(world), answers, played_by(rows)))
        kept.settle(tuple(self._rows))
        return scores(read_rows(out))

    def headline(self, scores: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return knowledge, EUS and what was known."""
        return [
            ("corrected for guessing, at most 1 (knowledge)", decimal(scores["knowledge"])),
            ("right answers, “not shown” among them (EUS)", decimal(scores["eus"])),
            ("right answers to what was shown / all (known)", decimal(scores["known"])),
        ]
