"""T2Q's quiz for a person, who reads what the player of a run saw in each world.

The resulting run has the same worlds, tasks and episodes; only the answers are the person's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from worldquiz.facts.episode import Outcome
from worldquiz.human.quiz import Asked, Line, Quiz
from worldquiz.runs.executor import silent
from worldquiz.runs.folder import FOLDER, by_person, note
from worldquiz.runs.rows import read_rows
from worldquiz.t2q.prompts import KINDS
from worldquiz.t2q.question import LAWS, Answer
from worldquiz.t2q.rollout import Played
from worldquiz.t2q.run_folder import PlayedWorlds, asked_in, episodes_of, manifest_of, suite_of

HINTS = {"where": "a place", "what": "a name, a number or a direction", "description": KINDS}

ENDS = {
    Outcome.WON: "won",
    Outcome.STEP_LIMIT: "not won, no commands were left",
    Outcome.GAVE_UP: "given up",
}


class WorldsQuiz(Quiz):
    """The quiz of a Task2Quiz run."""

    title = "Task2Quiz"
    passing = "I was not shown this"
    about = (
        "Somebody played a text game, with a few tasks in each of its worlds. You read all that "
        "this player saw, then answer questions about how the world was at the start, or "
        "at another time that a question names.",
        "Some questions ask about things that the player never came upon. There, “I was not shown "
        "this” is the right answer; a guess is not.",
    )

    def __init__(self, run: Path, name: str, data: Path | None = None) -> None:
        """Read the questions of a run; `data` is its suite if that moved. Raises `RecordError`."""
        told = by_person(manifest_of(run), name, without={"code", FOLDER})
        self.manifest = {**told, "kind": "run"}
        self._suite, self._episodes = suite_of(run, data), episodes_of(run)
        self._asked = asked_in(run, self._suite)
        rows = list(read_rows(run))
        self._worlds = tuple(dict.fromkeys(row.world for row in rows if row.unscored is None))
        self.asked = [
            Asked(
                key=(row.world, row.type, row.item), part=row.world, words=row.prompt,
                choices=("yes", "no") if row.format == "yes_no" else row.choices,
                hint=HINTS.get(row.format, ""),
            ) for row in rows if row.asked and row.world in self._worlds
        ]  # fmt: skip

    def begin(self, out: Path) -> None:
        """Begin or resume a run on the same suite."""
        super().begin(out)
        note(self._suite.path, out)

    def reading(self, part: str) -> str:
        """Return the text to read: laws that hold in every world, then this one's transcripts."""
        texts = ["# What holds in every world", "\n".join(LAWS)]
        episodes = self._episodes(part)
        for number, episode in enumerate(episodes, start=1):
            turns, heading = episode.transcript, f"# Task {number} of {len(episodes)}"
            texts += [f"{heading}: {ENDS[episode.outcome]}"]
            texts += [turns[0].observation.objective if turns else ""]
            for turn in turns:
                seen = turn.observation
                acts = [] if turn.action is None else [f"> {turn.action}"]
                texts += [*acts, seen.text.strip(), seen.inventory]
        return "\n\n".join(filter(None, texts))

    def keep(self, out: Path, lines: Sequence[Line]) -> None:
        """Write the worlds with the person's answers."""
        kept = PlayedWorlds(out, silent, self._suite.bundle)
        for world in self._worlds:
            bundle, lived = self._asked(world)
            said = {line["item"]: line["reply"] for line in lines if line["world"] == world}
            answers = tuple(Answer(said.get(question.id)) for question in bundle.questions)
            kept.keep_played(Played(bundle, self._episodes(world), answers, lived=lived))
        kept.settle(self._worlds)
