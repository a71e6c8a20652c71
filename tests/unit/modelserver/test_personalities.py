"""The personalities, playing and answering through worldquiz's own agent."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from modelserver import (
    HARMLESS,
    REPAIRABLE,
    UNREADABLE,
    Call,
    Reply,
    Script,
    Text,
    abstainer,
    breaks_json,
    liar,
    loops,
    overflows,
    perfect,
    serving,
)
from modelserver.prompts import read_scene, read_sheet
from modelserver.protocol import Request, read_chat
from worldquiz.facts.episode import Observation, Outcome, Turn
from worldquiz.facts.question import Answer, Format, Prompt, Result, prompt
from worldquiz.facts.requirement import Moment
from worldquiz.llm.client import Reach
from worldquiz.llm.json_replies import read_text
from worldquiz.llm.records import Status
from worldquiz.memory.base import Services, Wiring
from worldquiz.memory.catalog import memory
from worldquiz.t2q.agents.llm import LLM
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.prompts import compose
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.rollout import play_through
from worldquiz.t2q.store import Played
from worldquiz.t2q.suites import Suite

STEPS = 12


@dataclass(frozen=True)
class Sat:
    """A world played and its quiz taken."""

    played: Played
    results: tuple[Result, ...]
    agent: LLM
    calls: list[Call]

    @property
    def share(self) -> float:
        return sum(getattr(r.score, "value", 0.0) for r in self.results) / len(self.results)


Sit = Callable[..., Sat]


@pytest.fixture
def sit(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Return a way to let a model of a script play one world and take its quiz."""

    def run(
        script: Script, method: str = "in-context", options: compose.Options | None = None
    ) -> Sat:
        with serving(script) as server:
            for name, value in server.env().items():
                monkeypatch.setenv(name, value)
            return asyncio.run(_sit(suite, method, options, server.calls))

    return run


async def _sit(
    suite: Suite, method: str, options: compose.Options | None, calls: list[Call]
) -> Sat:
    model = Reach("openai-api/test/m").made()
    bundle = suite.bundle(suite.worlds[0])
    held = memory(method, Services(model, None, bundle.spec.id, Wiring()))
    agent = LLM(model, held, Wiring(), options or compose.Options())
    with suite.opened(bundle) as world:
        episodes = await play_through(
            world, agent, bundle.tasks, seed=0, name="llm", budget=PerTask(STEPS)
        )
    replies = await agent.answers([prompt(question) for question in bundle.questions])
    await model.close()
    answers = tuple(
        Answer(question.id, reply)
        for question, reply in zip(bundle.questions, replies, strict=True)
    )
    played = Played(bundle, episodes, answers)
    return Sat(played, results(played), agent, calls)


class TestPerfect:
    def test_with_the_whole_history_every_answer_is_right(self, sit: Sit) -> None:
        sat = sit(perfect())
        assert sat.share == 1
        assert Outcome.WON in {episode.outcome for episode in sat.played.episodes}
        assert {call.role for call in sat.calls} == {"act", "quiz"}

    def test_without_any_context_it_abstains(self, sit: Sit) -> None:
        sat = sit(perfect(), "none")
        assert all(result.abstained for result in sat.results)

    def test_a_map_in_the_context_is_read_as_well(self, sit: Sit) -> None:
        assert sit(perfect(), "worldgraph").share == 1

    def test_batches_confidence_and_the_laws_are_understood(self, sit: Sit) -> None:
        assert sit(perfect(), options=compose.Options(batch=5, laws=True)).share == 1
        sat = sit(perfect(), options=compose.Options(confidence=True, explore=True, bonus=True))
        assert sat.share == 1
        assert {reply.confidence for reply in sat.agent.replies if reply} <= {0.6, 0.9}

    def test_replies_do_not_depend_on_the_order_of_calls(self, sit: Sit) -> None:
        calls = sit(perfect()).calls
        for order in (calls[::-1], calls[::2] + calls[1::2]):
            fresh = perfect()
            assert [said(fresh, call.prompt) for call in order] == [call.reply for call in order]

    def test_the_window_can_be_too_small(self, sit: Sit) -> None:
        sat = sit(overflows(perfect(), 700))
        full = [call for call in sat.calls if call.note == "overflow"]
        assert full
        assert {call.status for call in full} == {400}
        assert max(context.left_out for context in sat.agent.contexts.values()) > 0


class TestOthers:
    def test_the_liar_has_no_answer_right_nor_unreadable(self, sit: Sit) -> None:
        sat = sit(liar())
        assert sat.share == 0
        assert not any(result.abstained for result in sat.results)
        assert {reply.status for reply in sat.agent.replies if reply} == {Status.CLEAN}

    def test_the_abstainer_abstains_from_all(self, sit: Sit) -> None:
        assert all(result.abstained for result in sit(abstainer()).results)

    def test_the_looper_wins_nothing(self, sit: Sit) -> None:
        sat = sit(loops())
        assert {episode.outcome for episode in sat.played.episodes} == {Outcome.STEP_LIMIT}
        assert {step.action for episode in sat.played.episodes for step in episode.steps[1:]} == {
            "look"
        }

    def test_broken_json_is_broken_as_noted(self, sit: Sit) -> None:
        sat = sit(breaks_json(perfect(), 0.6, seed=3))
        notes = Counter(call.note for call in sat.calls)
        statuses = Counter(
            told.status for part in (sat.agent.moves, sat.agent.replies) for told in part if told
        )
        lost = statuses.pop(Status.UNREADABLE) + statuses.pop(Status.PROSE, 0)
        assert statuses | {Status.UNREADABLE: lost} == Counter(
            {
                Status.CLEAN: sum(notes[kind] for kind in ("", *HARMLESS)),
                Status.REPAIRED: sum(notes[kind] for kind in REPAIRABLE),
                Status.UNREADABLE: sum(notes[kind] for kind in UNREADABLE),
            }
        )
        assert set(notes) <= {"", *REPAIRABLE, *UNREADABLE, *HARMLESS}
        assert len(notes) > 5


def said(script: Script, text: str) -> str:
    reply = script(request_of(text))
    assert isinstance(reply, Text)
    return reply.text


def request_of(text: str) -> Request:
    return read_chat({"model": "m", "messages": [{"role": "user", "content": text}]})


ANSWER = '{"answer": "it\'s the red box", "reason": "the context"}'
MOVE = '{"reason": "why not", "command": "open red box"}'


@pytest.mark.parametrize("kind", [*REPAIRABLE, *UNREADABLE])
@pytest.mark.parametrize(("reply", "field"), [(ANSWER, "answer"), (MOVE, "command")])
def test_each_way_to_break_json_leaves_all_or_nothing_to_read(
    kind: str, reply: str, field: str
) -> None:
    def whole(request: Request) -> Reply:
        return Text(reply)

    broken = said(breaks_json(whole, kinds=[kind], roles=["other"]), "hello")
    wanted, _ = read_text(reply, field)
    found = (wanted, Status.REPAIRED) if kind in REPAIRABLE else ("", Status.UNREADABLE)
    assert read_text(broken, field) == found


LOOK = Observation("-= Attic =-\nDusty.", "You are carrying nothing.", 0, False, "Go.")
LATER = (Moment(1, 3), Turn("wait", LOOK))


class TestReadingPrompts:
    @pytest.mark.parametrize(
        "options",
        [
            compose.Options(),
            compose.Options(laws=True, confidence=True),
            compose.Options(explore=True, bonus=True),
        ],
    )
    @pytest.mark.parametrize("parts", [(), ("a\n", "b\n"), ("no line break at the end",)])
    @pytest.mark.parametrize(
        "asked",
        [
            Prompt("Where was the hat at the start?", Format.WHERE),
            Prompt("Which of these was open at the start?", Format.WHICH, ("box", "old gate")),
            Prompt("Was the hat in the box at the start?", Format.YES_NO),
            Prompt("What does the key unlock?", Format.WHAT),
            Prompt("What kinds of things were in the box at the start?", Format.DESCRIPTION),
        ],
    )
    def test_a_question_is_read_as_it_was_asked(
        self, options: compose.Options, parts: tuple[str, ...], asked: Prompt
    ) -> None:
        sheet = read_sheet("".join(p.text for p in compose.sheet(options, parts, asked)))
        assert sheet is not None
        assert sheet.prompts == (asked,)
        assert sheet.context.strip() == "".join(parts).strip()
        assert sheet.confidence is options.confidence

    def test_a_batch_is_read_as_it_was_asked(self) -> None:
        asked = [
            Prompt("Where was the hat at the start?", Format.WHERE),
            Prompt("Which of these was open at the start?", Format.WHICH, ("box", "old gate")),
        ]
        text = "".join(p.text for p in compose.batch_sheet(compose.Options(), ("a\n",), asked))
        sheet = read_sheet(text)
        assert sheet is not None
        assert (sheet.prompts, sheet.context.strip(), sheet.batch) == (tuple(asked), "a", True)

    @pytest.mark.parametrize("whole", [True, False])
    @pytest.mark.parametrize("parts", [(), ("known\n",)])
    def test_a_moment_is_read_as_it_was_shown(self, whole: bool, parts: tuple[str, ...]) -> None:
        pieces = compose.scene(compose.Options(), parts, [], LATER, whole=whole)
        scene = read_scene("".join(piece.text for piece in pieces))
        assert scene is not None
        assert scene.text == LOOK.text
        assert scene.inventory == "You are carrying nothing."
        assert scene.context.startswith("".join(parts))
        assert scene.context.rstrip().endswith("[task 2, step 3] > wait")

    def test_other_texts_are_neither(self) -> None:
        assert read_sheet("hello") is None
        assert read_scene("hello") is None
        assert said(perfect(), "hello") == "ok"
