"""Task2Quiz by tools: the records of a scripted agent, and no way to misuse the door."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import worldquiz as wq
from command import worldquiz
from played import episodes
from serving import Scripted, calls_of, many_rooms, plays, serve, tree, two_rooms
from worldquiz.errors import WorldError
from worldquiz.t2q import T2QSuite
from worldquiz.t2q.settings import T2QSettings

WON: list[str | None] = ["go north", "take lamp"]
COMMANDS = st.sampled_from(["go north", "take lamp", "go south", "look", "a\x00\n\u2028b", "ö" * 9])
MANIFEST, REFUSED = "manifest.json", wq.WorldquizError


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> T2QSuite:
    """Three worlds of two rooms, with two tasks each."""
    return many_rooms(tmp_path_factory.mktemp("rooms") / "suite", 3)


@pytest.fixture
def at_door(rooms: T2QSuite, tmp_path: Path) -> Callable[..., Any]:
    return partial(serve, rooms.path, tmp_path / "run", max_steps="4")


@pytest.fixture
def answers(rooms: T2QSuite) -> list[str]:
    return replies(rooms)


def replies(rooms: T2QSuite) -> list[str]:
    said = ["non-answerable", "yes", "attic", "", "{}"]
    asked = len(rooms.bundle("toy-0").questions)
    return [said[n % len(said)] for n in range(asked)]


def taken(commands: list[str]) -> list[str | None]:
    """Return what of some commands a task of 4 takes: to its end, or until it is given up."""
    room, found = "hall", []
    for command in commands[:4]:
        found.append(command)
        if (room, command) == ("attic", "take lamp"):
            return list(found)
        room = {"go north": "attic", "go south": "hall"}.get(command, room)
    return list(found) if len(found) == 4 else [*found, None]


@settings(max_examples=12)
@given(
    first=st.lists(COMMANDS, max_size=5),
    second=st.lists(COMMANDS, max_size=5),
    cut=st.floats(0, 1),
)
def test_records_are_those_of_a_scripted_agent(
    rooms: T2QSuite,
    tmp_path_factory: pytest.TempPathFactory,
    first: list[str],
    second: list[str],
    cut: float,
) -> None:
    """Whatever is called, and wherever the server is killed, the bytes are the same."""
    out = tmp_path_factory.mktemp("law")
    commands, said = [*taken(first), *taken(second)], replies(rooms)
    calls = calls_of(commands, said)
    before = round(cut * len(calls))

    def then_killed(seats: Any) -> None:
        plays(seats, "a", calls[:before])

    def comes_back(seats: Any) -> None:
        for number in range(seats.left):
            if number:
                seats.call("a", "next", {})
            own = calls[before:] if before < len(calls) and not number else calls
            plays(seats, "a", own)

    told = {"max_steps": "4", "wording": "1", "distractors": "2"}
    serve(rooms.path, out / "served", then_killed, **told)
    assert serve(rooms.path, out / "served", comes_back, **told) is not None
    make = partial(Scripted, commands, said)
    make.name = "claude"  # type: ignore[attr-defined]
    options = T2QSettings(max_steps=4, wording=1, distractors=2)
    rooms.run(agent=make, answerer=make, out=out / "scripted", settings=options)
    served, wanted = tree(out / "served"), tree(out / "scripted")
    assert served.keys() == wanted.keys()
    assert {name for name in wanted if served[name] != wanted[name]} == {MANIFEST}
    mine, theirs = (json.loads(each[MANIFEST]) for each in (served, wanted))
    assert theirs.pop("code")
    assert mine == {**theirs, "served": True}


def test_an_agent_is_told_all_that_its_transcript_holds(
    at_door: Callable[..., Any], tmp_path: Path, answers: list[str]
) -> None:
    """What counts as seen was shown, word for word; and nothing else of the world was."""
    told: list[str] = []

    def door(seats: Any) -> None:
        told.append(seats.call("a", "look", {}).text)
        calls = calls_of([*WON, "go north", None], answers)
        told.extend(seats.call("a", *call).text for call in calls)

    at_door(door)
    played = {row.world for row in wq.Run(tmp_path / "run").rows}
    text = "\n".join(told)
    own = two_rooms()
    assert text.count("Recover the lamp.") == 1
    assert "Fetch the lamp again." in text
    assert told[2].count("Taken.") == 1
    assert "You are in the hall. You see nothing here." in told[2]  # the next task begins
    assert ["Commands left: 4" in each for each in told[:3]] == [True, False, True]
    assert "Commands left: 3" in told[1]
    assert "Task 1 of 2 is won." in told[2]
    assert "Task 2 of 2 is over, and not won: given up." in told[4]
    assert "Question 1 of" in told[4]
    assert "Question 1 of" not in "".join(told[:4])
    assert str(own.SPEC.facts[0]) not in text
    assert "requires" not in text
    assert played == {"toy-0"}


def test_a_task_whose_commands_are_used_up_says_so(at_door: Callable[..., Any]) -> None:
    told: list[str] = []

    def door(seats: Any) -> None:
        seats.call("a", "look", {})
        told.extend(seats.call("a", "act", {"command": "look"}).text for _ in range(8))

    at_door(door)
    assert "Task 1 of 2 is over, and not won: no commands are left." in told[3]
    assert "Task 2 of 2 is over, and not won: no commands are left." in told[7]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (("answer", {"answer": "attic"}), "not now: call `act` or `done`"),
        (("next", {}), "finish this world first"),
        (("fly", {}), "there is no tool 'fly'"),
        (("a" * 10_000, {}), "there is no tool 'aaa"),
        (("act", {}), "act: command: Field required; it takes command"),
        (("act", {"command": [7]}), "act: command: Input should be a valid string"),
        (("act", {"command": "x" * 100_000}), "at most 2000 characters"),
        (("act", {"command": "\ud800"}), "unable to parse raw data as a unicode string"),
        (
            ("act", {"command": "look", "as": "root"}),
            "act: as: Extra inputs are not permitted",
        ),
        (("done", {"all_tasks": "some"}), "all_tasks: Input should be a valid boolean"),
        (("look", {"at": "facts"}), "look: at: Extra inputs are not permitted; it takes nothing"),
    ],
)
def test_a_wrong_call_changes_nothing_and_says_the_way_out(
    at_door: Callable[..., Any], tmp_path: Path, call: tuple[str, dict[str, Any]], words: str
) -> None:
    def door(seats: Any) -> None:
        before = seats.call("a", "look", {}).text
        with pytest.raises(REFUSED) as refused:
            seats.call("a", *call)
        assert words in str(refused.value)
        assert len(str(refused.value)) < 500
        assert seats.call("a", "look", {}).text == before

    assert at_door(door) is None
    [journal] = (tmp_path / "run" / ".calls").iterdir()
    assert [json.loads(line)["tool"] for line in journal.read_text().splitlines()] == ["look"]


def test_nothing_is_answered_twice(at_door: Callable[..., Any], answers: list[str]) -> None:
    def door(seats: Any) -> None:
        end = plays(seats, "a", calls_of([None, None], answers))
        assert end.endswith("`next` begins another world (2 free), or stop here.")
        for call in (("answer", {"answer": "attic"}), ("act", {"command": "look"}), ("look", {})):
            with pytest.raises(REFUSED, match="`next` begins another world"):
                seats.call("a", *call)

    at_door(door)


def test_a_seat_has_a_plain_name(at_door: Callable[..., Any]) -> None:
    def door(seats: Any) -> None:
        for name in ("", "a\n", "a" * 81):
            with pytest.raises(REFUSED, match="printable letters"):
                seats.call(name, "look", {})

    at_door(door)


def test_all_tasks_are_ended_at_once(at_door: Callable[..., Any], answers: list[str]) -> None:
    def door(seats: Any) -> None:
        plays(seats, "a", [("done", {"all_tasks": True})])
        with pytest.raises(REFUSED, match=r"act: not now: call `answer`"):
            seats.call("a", "act", {"command": "look"})

    at_door(door)


def test_who_was_not_told_what_its_call_did_looks_before_it_acts(
    at_door: Callable[..., Any], tmp_path: Path
) -> None:
    """The server was killed before its reply: the line that says that it was shown is not there."""
    at_door(lambda seats: plays(seats, "a", calls_of(["go north"], [])))
    [journal] = (tmp_path / "run" / ".calls").iterdir()
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-1]))

    def door(seats: Any) -> None:
        with pytest.raises(REFUSED, match="call `look` first"):
            seats.call("a", "act", {"command": "take lamp"})
        assert "You are in the attic" in seats.call("a", "look", {}).text
        assert "Task 2" in seats.call("a", "act", {"command": "take lamp"}).text

    at_door(door)


def test_each_agent_has_a_world_of_its_own(
    at_door: Callable[..., Any], tmp_path: Path, answers: list[str]
) -> None:
    """Calls of agents in any order are those of each alone, and one too many is sent away."""

    def door(seats: Any) -> None:
        for seat in "abc":
            seats.call(seat, "look", {})
        with pytest.raises(
            wq.WorldquizError, match="no world is left for you: 3 under way with other"
        ):
            seats.call("d", "look", {})
        for call in calls_of([*WON, "look", None], answers):
            for seat in "cab":
                seats.call(seat, *call)
        assert seats.left == 0

    scores = at_door(door)
    assert scores["counts"]["worlds"] == 3
    rows, played = wq.Run(tmp_path / "run").rows, episodes(tmp_path / "run")
    for world, some in played.items():
        assert [row.reply for row in rows if row.world == world] == answers
        acts = [step["action"] for episode in some for step in episode["steps"]]
        assert acts == [None, *WON, None, "look"]


def test_a_world_that_became_another_starts_over_and_says_so(
    at_door: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_door(lambda seats: plays(seats, "a", calls_of(["go north", "look"], [])))
    rooms = two_rooms().TwoRooms
    monkeypatch.setattr(rooms, "step", lambda self, action: self._seen("Fog.", (), None))

    def door(seats: Any) -> None:
        told = seats.call("a", "look", {}).text
        assert told.startswith("This starts over: what was shown before call 2 has changed.")
        assert "You are in the hall" in told
        assert "Fog" in plays(seats, "a", calls_of(["go north"], []))

    at_door(door)


def test_a_world_that_breaks_is_a_failure_and_the_others_go_on(
    at_door: Callable[..., Any], tmp_path: Path, answers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = two_rooms().TwoRooms
    step = rooms.step

    def broken(self: Any, action: str) -> Any:
        if self.spec.id == "toy-1" and action == "take lamp":
            raise WorldError("the attic burns")
        return step(self, action)

    monkeypatch.setattr(rooms, "step", broken)

    def door(seats: Any) -> None:
        plays(seats, "a", calls_of([*WON, *WON], answers))
        seats.call("a", "next", {})
        with pytest.raises(wq.WorldquizError, match=r"its host is told why\. `next` begins"):
            plays(seats, "a", calls_of(WON, []))
        plays(seats, "a", calls_of([*WON, *WON], answers))

    scores = at_door(door)
    assert scores["failed"]["reasons"] == {"the attic burns": len(answers)}
    assert scores["counts"]["worlds"] == 2


def test_a_full_disk_loses_no_call(
    at_door: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*told: object) -> None:
        raise OSError(28, "No space left on device")

    def door(seats: Any) -> None:
        before = seats.call("a", "look", {}).text
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(REFUSED, match=r"not carried out.*No space left"):
                seats.call("a", "act", {"command": "go north"})
        assert seats.call("a", "look", {}).text == before

    at_door(door)


@pytest.mark.parametrize("name", ["model", "human", "explorer", "", " ", "a:b", "x" * 81, "a\nb"])
def test_an_agent_has_a_name_of_its_own(rooms: T2QSuite, tmp_path: Path, name: str) -> None:
    said = worldquiz("serve", rooms.path, "--agent-name", name, "--out", tmp_path / "run")
    assert (said.code, "agent name" in said.err) == (2, True)


def test_settings_are_those_of_a_run(rooms: T2QSuite, tmp_path: Path) -> None:
    serve(rooms.path, tmp_path / "run", lambda seats: None, budget="2")
    told = json.loads((tmp_path / "run" / MANIFEST).read_text())
    assert (told["budget"], told["max_steps"]) == (2, None)
    for setting, words in (
        ("budge=2", "--set budge=2: no such setting; did you mean 'budget'"),
        ("max_steps=many", "--set max_steps=many: invalid value"),
        ("budget=-1", "budget: expected a finite number above 0, found -1.0"),
    ):
        out = tmp_path / "no"
        said = worldquiz("serve", rooms.path, "--agent-name", "a", "--set", setting, "--out", out)
        assert (said.code, words in said.err) == (2, True), said.err
        assert not out.exists()
