"""Minigames and maps through a model server: two ways each, killed, resumed, scored, set side by
side; and a model that errs in a known share is found to err in that share.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import command
from command import Said
from mango_data import mango_data
from modelserver import Request, Running, Script, Text, serving

_STEP = re.compile(
    r"==>STEP NUM: (\d+)\n==>ACT: ([^\n]*)\n==>OBSERVATION: ?(.*?)(?=\n={3,}\n|\n\n!! |\n\nSmall "
    r"local|\n\nConsider )",
    re.DOTALL,
)
_EXIT = re.compile(r"you should go ([^;\n]*?)(?=[;.])")
_GIVEN = re.compile(r"^==>LOCATION: (.*)$", re.MULTILINE)
_ASKED = re.compile(
    r"otherwise, reply with 'None':\n\n==>ACT: ([^\n]*)\n==>OBSERVATION: (.*)\n==>LOCATION:\Z",
    re.DOTALL,
)

Wrong = Callable[[str, str], bool]  # from an action and what came of it


def steps_of(text: str) -> list[tuple[str, str]]:
    """Return the walkthrough that a text shows: acts, and what came of them."""
    return [(act, told.strip()) for _, act, told in _STEP.findall(text)]


def walk(game: str) -> list[tuple[str, str]]:
    """Return a game's published walkthrough."""
    path = mango_data() / game / "steps70" / f"{game}.walkthrough"
    return steps_of(path.read_text("utf-8"))


def places(game: str) -> list[str]:
    path = mango_data() / game / "steps70" / f"{game}.locations.json"
    return list(json.loads(path.read_text("utf-8")))


def plays_on(games: Iterable[str]) -> Script:
    """Choose what the walkthrough does next, known by how it begins."""
    every = list(map(walk, games))

    def reply(request: Request) -> Text:
        shown = steps_of(request.text)
        follows = (steps[len(shown)][0] for steps in every if steps[: len(shown)] == shown)
        return Text(next(follows))

    return reply


def needs_a_map(script: Script) -> Script:
    """Answer as a script does where the prompt tells of that move; else give up."""

    def reply(request: Request) -> Text:
        told = script(request)
        known = isinstance(told, Text) and told.text in _EXIT.findall(request.text)
        return told if isinstance(told, Text) and known else Text("I cannot tell.")

    return reply


def reads_steps(places: Mapping[str, Iterable[str]], *, wrong: Wrong | None = None) -> Script:
    """Name the place that a step's text names in a line of its own, or list a walkthrough's moves.

    `places` are those of each maze. Steps for which `wrong` is true are misread.
    """
    readers = {game: {_plain(name): name for name in names} for game, names in places.items()}

    def reply(request: Request) -> Text:
        asked = _ASKED.search(request.text)
        if asked is None:
            every = (_moves(request.text, each) for each in readers.values())
            return Text(str(max(every, key=len)))
        if wrong is not None and wrong(asked[1], asked[2]):
            return Text("Nowhere land")
        given = set(map(_plain, _GIVEN.findall(request.text[: asked.start()]))) - {"none"}
        reader = next(each for each in readers.values() if given <= each.keys())
        return Text(named(asked[2], reader) or "None")

    return reply


def named(observation: str, names: Mapping[str, str]) -> str | None:
    """Return the place that a text names in a line of its own, the last one if many."""
    found = [names[line] for line in map(_plain, observation.splitlines()) if line in names]
    return found[-1] if found else None


def _moves(prompt: str, names: Mapping[str, str]) -> list[dict[str, str]]:
    moves, here = [], None
    for act, text in steps_of(prompt):
        there = named(text, names)
        if there and here and there != here:
            moves.append({"location_before": here, "action": act, "location_after": there})
        here = there or here
    return moves


def _plain(line: str) -> str:
    return " ".join(line.casefold().strip(" .:!-<>").split())


PLAYED = ("library", "loose", "zork1")
DRAWN = ("library", "loose")  # whose text says where one is, in a line of its own
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before


def worldquiz(*arguments: object, code: int = 0) -> Said:
    done = command.worldquiz("mango", *arguments)
    assert done.code == code, done.err
    return done


def asking(command: str, server: Running, out: Path, *more: object) -> list[object]:
    games = (word for game in (PLAYED if command == "minigames" else DRAWN)
             for word in ("--game", game))  # fmt: skip
    reach = ("--model", "m", "--base-url", server.base_url)
    return [command, mango_data(), "--out", out, *reach, *games, *more]


def ask(command: str, script: Script, out: Path, *more: object) -> tuple[Any, int]:
    """Return what a command finds, and the calls that it took."""
    with serving(script, minimum=NEVER) as server:
        done = worldquiz(*asking(command, server, out, "--json", *more))
        return done.json, server.stats()["ended"]


def knowing() -> Script:
    return plays_on(PLAYED)


def reading(**more: Any) -> Script:
    return reads_steps({game: places(game) for game in DRAWN}, **more)


@pytest.fixture(scope="module")
def mapless(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path, int]:
    """Minigames of a model that is lost without a map, both ways, undisturbed."""
    out = tmp_path_factory.mktemp("mapless") / "run"
    told, calls = ask("minigames", needs_a_map(knowing()), out)
    return told, out, calls


def test_a_map_is_worth_all_to_a_model_that_is_lost_without_one(
    mapless: tuple[Any, Path, int],
) -> None:
    told, _, calls = mapless
    there = {game: row["answerable"] for game, row in told["games"].items()}
    assert there == {"library": 8, "loose": 14, "zork1": 20}  # as tests/fidelity has them
    assert told["usage"]["calls"] == calls == 2 * sum(there.values())
    assert {game: row["map"]["successes"] for game, row in told["games"].items()} == there
    assert (told["map"]["share"], told["map"]["clean"]) == (1, sum(there.values()))
    assert (told["plain"]["share"], told["plain"]["ill_formed"]) == (0, sum(there.values()))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path, int]:
    """Maps of a model that reads, a step at a time, undisturbed."""
    out = tmp_path_factory.mktemp("drawn") / "run"
    told, calls = ask("map", reading(), out)
    return told, out, calls


def test_a_model_that_reads_each_step_draws_a_perfect_map(drawn: tuple[Any, Path, int]) -> None:
    told, out, calls = drawn
    steps = sum(min(70, len(walk(game)) - 1) - 5 for game in DRAWN)
    assert told["usage"]["calls"] == calls == steps == told["triplets"]["micro"]["asked"]
    assert told["triplets"]["accuracy"]["macro"] == 1
    perfect(told)
    again = worldquiz("score", out / "rows.jsonl", "--maze", mango_data(), "--json")
    assert {task: again.json[task] for task in ("df", "rf")} == {
        task: told[task] for task in ("df", "rf")
    }


def perfect(told: Any) -> None:
    for task in ("df", "rf"):
        for level in ("easy", "hard"):
            cell = told[task][level]
            assert cell["asked"] > 0
            assert cell["success"]["macro"] == cell["reasoning"]["macro"] == 1


def test_a_model_that_lists_all_moves_draws_a_perfect_map(tmp_path: Path) -> None:
    told, calls = ask("map", reading(), tmp_path / "run", "--shots", 0)
    assert calls == len(DRAWN)
    micro = told["triplets"]["micro"]
    assert micro["accuracy"] == 1
    assert micro["right"] == micro["asked"] > 20
    perfect(told)


def misread(action: str, observation: str) -> bool:
    return len(action + observation.strip()) % 5 == 0


def test_a_model_that_errs_in_a_known_share_is_found_to(tmp_path: Path) -> None:
    told, _ = ask("map", reading(wrong=misread), tmp_path / "run", "--tasks", "rf")
    for game in DRAWN:
        steps = walk(game)[6:71]
        wrong = sum(misread(act, text) for act, text in steps)
        row = told["triplets"]["games"][game]
        assert (row["right"], row["asked"]) == (len(steps) - wrong, len(steps))
        assert 0 < wrong < len(steps)
        assert row["accuracy"] == (len(steps) - wrong) / len(steps)
    assert told["rf"]["all"]["success"]["macro"] < 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("minigames", "DATA"), "give one of --model and --answerer: it answers"),
        (("minigames", "DATA", "--model", "m", "--game", "libary"), "did you mean 'library'"),
        (("minigames", "DATA", "--model", "m", "--game", "huntdark"), "no minigame in huntdark"),
        (("minigames", "DATA", "--model", "m", "--steps", "-1"), "Invalid value for '--steps'"),
        (("minigames", "DATA", "--model", "m", "--tokens", "9"), "step 0 alone has"),
        (("map", "DATA", "--model", "m", "--shots", "3"), "shots 3: give 5"),
        (("map", "DATA", "--model", "m", "--tasks", "fd"), "no task 'fd'"),
        (("map", "DATA", "--model", "m", "--game", "loose", "--steps", "5"), "read more"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(
    arguments: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    told = (mango_data() if word == "DATA" else word for word in arguments)
    done = worldquiz(*told, "--out", tmp_path / "run", code=2)
    assert complaint in done.err
    assert not (tmp_path / "run").exists()
