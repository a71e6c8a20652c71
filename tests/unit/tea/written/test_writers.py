"""The test server's writers: what they say of a prompt, and that they know nothing but it."""

from __future__ import annotations

from collections import Counter

from modelserver import Request, Script, Text, diverse, verbose
from modelserver.protocol import Message
from views import view
from worldquiz.llm.records import Status
from worldquiz.tea.written.marks import Mark, prompt
from worldquiz.tea.written.parts import Drop, read

MARKS = tuple(
    Mark(number, f"{label}-1", label, (number, 0, number + 9, 9))
    for number, label in enumerate(("mug", "desk", "floor lamp", "sofa", "plant", "rug"), start=1)
)


def said(script: Script, number: int, digest: str = "") -> str:
    words = prompt(MARKS, view().camera, number, 5)
    reply = script(Request("m", (Message("user", words),), digest=digest or f"digest {number}"))
    assert isinstance(reply, Text)
    return reply.text


def test_the_diverse_one_writes_of_many_things_in_the_form_that_is_asked_for() -> None:
    told = [read(said(diverse(), number), MARKS, 5) for number in range(1, 21)]
    assert {each.status for each in told} == {Status.CLEAN}
    assert all(len(each.commands) == 5 and not each.dropped for each in told)
    assert all(len({command.object for command in each.commands}) == 5 for each in told)
    texts = [command.text for each in told for command in each.commands]
    assert len(set(texts)) > 60
    assert all(c.object.label in c.text for each in told for c in each.commands)


def test_the_verbose_one_repeats_itself_and_wraps_and_errs() -> None:
    told = [read(said(verbose(), number), MARKS, 5) for number in range(1, 41)]
    assert {each.status for each in told} == {Status.REPAIRED}
    dropped = sum((each.dropped for each in told), Counter[Drop]())
    assert set(dropped) == {Drop.UNBOUND}
    assert 0 < dropped[Drop.UNBOUND] < 30
    texts = [command.text for each in told for command in each.commands]
    assert len(set(texts)) <= 6
    assert min(len(text.split()) for text in texts) > 40


def test_a_writer_knows_the_request_and_nothing_else() -> None:
    for script in (diverse(), verbose()):
        assert said(script, 3) == said(script, 3)
        assert said(script, 3, "of one picture") != said(script, 3, "of another")


def test_other_requests_get_no_tasks() -> None:
    for script in (diverse(), verbose()):
        reply = script(Request("m", (Message("user", "What is the capital of France?"),)))
        assert isinstance(reply, Text)
        assert not read(reply.text, MARKS, 5).commands
