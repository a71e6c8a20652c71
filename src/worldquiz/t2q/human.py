"""T2Q's quiz for a person, who reads what the player of a run saw in each world.

The run that comes of it has the same worlds, tasks and episodes; only the answers are the person's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from worldquiz.facts.question import CATEGORIES, LAWS, Answer, Format, prompt
from worldquiz.human.quiz import Asked, Line, Quiz
from worldquiz.llm.records import Purpose
from worldquiz.records import write_folder
from worldquiz.runs.folder import MODEL, by_person, world_folder
from worldquiz.t2q.store import Played, RunRecord, write_played
from worldquiz.t2q.trace import Trace

HINTS = {
    Format.WHERE: "a place",
    Format.WHAT: "a name or a direction",
    Format.DESCRIPTION: f"all that there were of {', '.join(CATEGORIES)}; or nothing",
}


class WorldsQuiz(Quiz):
    """The quiz of a Task2Quiz run."""

    title = "Task2Quiz"
    passing = "I was not shown this"
    about = (
        "Somebody played a text game, with a few tasks in each of its worlds. You read all that "
        "this player saw, then answer questions about how the world was before anything was moved.",
        "Some questions ask about things that the player never came upon. There, “I was not shown "
        "this” is the right answer; a guess is not.",
    )

    def __init__(self, run: RunRecord, name: str) -> None:
        self.run = run
        told = by_person(run.manifest, name, without={"code"})
        self.manifest = {**told, "kind": "run"}
        self._worlds = {played.bundle.spec.id: played for played in run.worlds}
        self.asked = []
        for world, played in self._worlds.items():
            for question in played.bundle.questions:
                shown = prompt(question)
                yes_no = shown.format is Format.YES_NO
                self.asked.append(Asked(
                    key=(world, str(question.type), question.id), part=world, words=shown.text,
                    choices=("yes", "no") if yes_no else shown.choices,
                    hint=HINTS.get(shown.format, ""),
                ))  # fmt: skip

    def reading(self, part: str) -> str:
        """Return the transcripts of a world, and the laws that every answerer may know."""
        texts = ["# What holds in every world", "\n".join(LAWS)]
        for number, episode in enumerate(self._worlds[part].episodes, start=1):
            turns = episode.transcript
            texts += [f"# Task {number}", turns[0].observation.objective if turns else ""]
            for turn in turns:
                seen = turn.observation
                acts = [] if turn.action is None else [f"> {turn.action}"]
                texts += [*acts, seen.text.strip(), seen.inventory]
        return "\n\n".join(filter(None, texts))

    def keep(self, out: Path, lines: Sequence[Line]) -> None:
        """Write the worlds with the person's answers, and what a model that played left."""
        for world, played in self._worlds.items():
            answers = tuple(
                Answer(line["item"], line["reply"]) for line in lines if line["world"] == world
            )
            trace = Trace()
            if self.run.manifest["agent"] == MODEL:
                used = [each for each in played.trace.usage if each.purpose is Purpose.ACT]
                trace = Trace(moves=played.trace.moves, usage=tuple(used))
            mine = Played(played.bundle, played.episodes, answers, trace)
            write_folder(world_folder(out, world), partial(write_played, played=mine))
