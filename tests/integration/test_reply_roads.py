"""A reply is read alike whoever gives it: a model, or an object of the user's own."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

import worldquiz as wq
from modelserver import Reply, Request, Text, serving
from worldquiz.t2q.question import Prompt

STYLES = Path(__file__).parents[1] / "unit" / "facts" / "styles.txt"


class Says:
    """Answers by the words of a question."""

    name = "says"

    def __init__(self, replies: dict[str, str]) -> None:
        self.replies = replies

    def study(self, transcripts: object) -> None:
        """Need nothing."""

    def answer(self, prompt: Prompt) -> str:
        return self.replies[prompt.text]


@pytest.mark.slow
def test_styles_are_read_alike_from_a_model_and_from_an_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    suite = wq.t2q.build(preset="easy", worlds=16, seed=3, out=tmp_path / "suite")
    questions = [each for world in suite.worlds for each in suite.bundle(world).questions]
    styles = [
        line.removeprefix("? ").replace("\\n", "\n") for line in STYLES.read_text().splitlines()
    ]
    assert len(questions) >= len(styles) >= 200
    replies = {
        each.text: style.replace("QUESTION", each.text).replace("ANSWERED", each.gold)
        for each, style in zip(questions, cycle(styles), strict=False)
    }

    def model(request: Request) -> Reply:
        asked = request.text.rpartition("Context:")[2]
        return Text(next(reply for text, reply in replies.items() if f"\n{text}\n" in asked))

    with serving(model) as server:
        one = suite.run(
            agent="explorer", model="m", base_url=server.base_url, out=tmp_path / "model"
        )
    two = suite.run(agent="explorer", answerer=Says(replies), out=tmp_path / "object")
    read = [[(row.answer, row.status, row.correct) for row in run.rows] for run in (one, two)]
    assert read[0] == read[1]
    assert {row.status for row in one.rows} >= {"answered", "unreadable"}
