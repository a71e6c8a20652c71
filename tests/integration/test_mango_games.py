"""Minigames and maps through a model server: two ways each, killed, resumed, scored, set side by
side; and a model that errs in a known share is found to err in that share.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import command
from command import Said
from mango_data import mango_data
from modelserver import Running, Script, serving
from modelserver.minigames import needs_a_map, plays_on, reads_steps
from modelserver.personalities import constant
from process import killed_after
from worldquiz.mango.games.minigames import Games, answerable
from worldquiz.mango.maze.mango import Home, Layout, read
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.paths.walk import taken
from worldquiz.mango.running.run import read_contest

PLAYED = ("library", "loose", "zork1")
DRAWN = ("library", "loose")  # whose text says where one is, in a line of its own
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before


def maze(game: str) -> Maze:
    return read(Home(game, mango_data() / game / "steps70", Layout.STEPS70))


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
    return plays_on([maze(game) for game in PLAYED])


def reading(**more: Any) -> Script:
    return reads_steps({game: maze(game).places for game in DRAWN}, **more)


def kept(out: Path, *names: str) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in ("scores.json", "manifest.json", *names)}


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
    there = {game: len(answerable(maze(game), Games())) for game in PLAYED}
    assert {game: row["answerable"] for game, row in told["games"].items()} == there
    assert told["usage"]["calls"] == calls == 2 * sum(there.values())
    assert {game: row["map"]["successes"] for game, row in told["games"].items()} == there
    assert (told["map"]["share"], told["map"]["clean"]) == (1, sum(there.values()))
    assert (told["plain"]["share"], told["plain"]["ill_formed"]) == (0, sum(there.values()))
    assert told["difference"] == {"value": 1, "low": 1, "high": 1, "p": 0.25}


def test_who_knows_the_walkthrough_needs_no_map_and_several_stand_side_by_side(
    mapless: tuple[Any, Path, int], tmp_path: Path
) -> None:
    told, _ = ask("minigames", knowing(), tmp_path / "knows", "--no-local-map")
    assert told["plain"]["share"] == 1
    assert "map" not in told
    runs = (mapless[1], tmp_path / "knows")
    found = command.worldquiz("score", *runs, "--json").json
    assert found == {str(runs[0]): mapless[0], str(runs[1]): told}
    shown = command.worldquiz("score", *runs).out
    assert "0/20" in shown
    assert "20/20" in shown


def test_killed_minigames_ask_nothing_twice_and_end_with_the_same_bytes(
    mapless: tuple[Any, Path, int], tmp_path: Path
) -> None:
    _, undisturbed, calls = mapless
    out = tmp_path / "run"
    with serving(needs_a_map(knowing()), minimum=NEVER, latency=0.05) as server:
        again = asking("minigames", server, out, "--connections", 2)
        assert killed_after(server, 0.5 * calls, "mango", *again)
        worldquiz(*again)
        asked = server.stats()["arrived"]
    assert calls <= asked <= calls + 2  # those under way are asked again
    assert kept(out, "rows.jsonl") == kept(undisturbed, "rows.jsonl")
    assert not list(out.glob(".*journal"))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path, int]:
    """Maps of a model that reads, a step at a time, undisturbed."""
    out = tmp_path_factory.mktemp("drawn") / "run"
    told, calls = ask("map", reading(), out)
    return told, out, calls


def test_a_model_that_reads_each_step_draws_a_perfect_map(drawn: tuple[Any, Path, int]) -> None:
    told, out, calls = drawn
    steps = sum(min(70, maze(game).steps) - 5 for game in DRAWN)
    assert told["usage"]["calls"] == calls == steps == told["triplets"]["micro"]["asked"]
    for name in ("accuracy", "precision", "recall"):
        assert told["triplets"][name]["macro"] == 1
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


def test_the_map_is_a_contestant_like_any_other(drawn: tuple[Any, Path, int]) -> None:
    _, out, calls = drawn
    (contestant,) = read_contest([out]).contestants
    assert contestant.name == "m, 5-shot map"
    assert contestant.usage["calls"] == calls
    assert all(each.grade.success == 1 for each in contestant.scored)


def test_a_model_that_lists_all_moves_draws_a_perfect_map(tmp_path: Path) -> None:
    told, calls = ask("map", reading(), tmp_path / "run", "--shots", 0)
    moves = sum(len(taken(maze(game), 70)) for game in DRAWN)
    assert calls == len(DRAWN)
    assert told["triplets"]["micro"] == {"accuracy": 1, "right": moves, "asked": moves}
    perfect(told)


def misread(action: str, observation: str) -> bool:
    return len(action + observation) % 5 == 0


def test_a_model_that_errs_in_a_known_share_is_found_to(tmp_path: Path) -> None:
    told, _ = ask("map", reading(wrong=misread), tmp_path / "run", "--tasks", "rf")
    for game in DRAWN:
        steps = maze(game).walkthrough[6:71]
        wrong = sum(misread(step.action, step.observation) for step in steps)
        row = told["triplets"]["games"][game]
        assert (row["right"], row["asked"]) == (len(steps) - wrong, len(steps))
        assert 0 < wrong < len(steps)
        assert row["accuracy"] == (len(steps) - wrong) / len(steps)
    assert told["rf"]["all"]["success"]["macro"] < 1


def test_a_model_that_cannot_list_has_no_map_and_no_answers(tmp_path: Path) -> None:
    told, _ = ask("map", constant("There are many rooms."), tmp_path / "run", "--shots", 0)
    assert told["triplets"]["unread"] == len(DRAWN)
    assert told["triplets"]["accuracy"]["macro"] == 0
    assert told["df"]["all"]["ill_formed"] == told["df"]["all"]["asked"] > 0


def test_a_killed_drawing_asks_nothing_twice_and_ends_with_the_same_bytes(
    drawn: tuple[Any, Path, int], tmp_path: Path
) -> None:
    _, undisturbed, calls = drawn
    out = tmp_path / "run"
    with serving(reading(), minimum=NEVER, latency=0.05) as server:
        again = asking("map", server, out, "--connections", 2)
        assert killed_after(server, 0.5 * calls, "mango", *again)
        worldquiz(*again)
        asked = server.stats()["arrived"]
        worldquiz(*again)  # a finished run asks nothing more
        assert server.stats()["arrived"] == asked
    assert calls <= asked <= calls + 2
    assert kept(out, "rows.jsonl") == kept(undisturbed, "rows.jsonl")
    assert not list(out.glob(".*journal"))


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


def test_other_minigames_need_another_folder(mapless: tuple[Any, Path, int]) -> None:
    with serving(knowing()) as server:
        again = worldquiz(*asking("minigames", server, mapless[1], "--seed", 4), code=2)
    assert "was begun by another command" in again.err
