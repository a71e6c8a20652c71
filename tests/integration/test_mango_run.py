"""MANGO's questions, asked of a model server through inspect: three games, killed, resumed, scored.

The model that reads walkthroughs draws the same map as the contestant without a model, but from the
prompt's text alone; so equal scores mean that prompts tell all that they should.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log

from mango_data import mango_data
from modelserver import Running, Script, serving
from modelserver.walks import lost, reads_walkthroughs

GAMES = ("huntdark", "library", "loose")
ASKED = ("--per-maze", "12", "--seed", "3", *(word for game in GAMES for word in ("--game", game)))
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
SCORES = ("success", "reasoning", "weighted")


def worldquiz(*arguments: object, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "worldquiz", "mango", *map(str, arguments)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert not check or done.returncode == 0, done.stderr
    return done


def run(server: Running, out: Path, *more: object) -> list[object]:
    reach = ("--model", "m", "--base-url", server.base_url)
    return ["run", mango_data(), "--out", out, *reach, *ASKED, *more]


def ask(script: Script, out: Path) -> tuple[Any, Running]:
    with serving(script, minimum=NEVER) as server:
        done = worldquiz(*run(server, out, "--json"))
        return json.loads(done.stdout), server


def macros(told: Any) -> dict[str, Any]:
    return {
        f"{task} {level} {score}": told[task][level][score]["macro"]
        for task in ("df", "rf") for level in ("all", "easy", "hard") for score in SCORES
    }  # fmt: skip


def kept(out: Path) -> dict[str, bytes]:
    files = (out / "answers.jsonl", out / "scores.json", out / "manifest.json")
    return {path.name: path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path, int]:
    """A run that nobody disturbed, of the model that reads."""
    out = tmp_path_factory.mktemp("calm") / "run"
    told, server = ask(reads_walkthroughs(), out)
    return told, out, len(server.calls)


def test_a_model_that_reads_scores_what_its_map_is_worth(
    calm: tuple[Any, Path, int], tmp_path: Path
) -> None:
    told, _, calls = calm
    mapper = worldquiz("run", mango_data(), "--out", tmp_path / "m", "--reader", "mapper",
                       *ASKED, "--json")  # fmt: skip
    assert macros(told) == macros(json.loads(mapper.stdout))
    for game in ("library", "loose"):  # whose text says where one is, in a line of its own
        sums = {told["games"][game][task]["all"]["success"] for task in ("df", "rf")}
        asked = {told["games"][game][task]["all"]["asked"] for task in ("df", "rf")}
        assert sums in (asked, {1.0})
    assert (
        told["usage"]["calls"] == calls == sum(told[task]["all"]["asked"] for task in ("df", "rf"))
    )
    assert told["usage"]["input"] > 0


def test_a_killed_run_asks_nothing_twice_and_ends_with_the_same_bytes(
    calm: tuple[Any, Path, int], tmp_path: Path
) -> None:
    _, undisturbed, calls = calm
    out, kills = tmp_path / "run", 0
    with serving(reads_walkthroughs(), minimum=NEVER, latency=0.05) as server:
        command = [sys.executable, "-m", "worldquiz", "mango",
                   *map(str, run(server, out, "--connections", 2))]  # fmt: skip
        for share in (0.2, 0.5, 0.8):
            process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
            deadline = time.monotonic() + 120
            while process.poll() is None and server.stats()["ended"] < share * calls:
                assert time.monotonic() < deadline, "the run does not get on"
                time.sleep(0.005)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                kills += 1
            process.communicate()
        worldquiz(*run(server, out, "--connections", 2))
        asked = server.stats()["arrived"]
    assert kills == 3
    assert calls <= asked <= calls + kills * 2  # those under way are asked again
    assert kept(out) == kept(undisturbed)
    assert not (out / ".answers.journal").exists()


def test_two_personalities_are_compared_on_what_both_were_asked(
    calm: tuple[Any, Path, int], tmp_path: Path
) -> None:
    _, reader, _ = calm
    told, _ = ask(lost(), tmp_path / "lost")
    assert told["rf"]["all"]["success"]["macro"] < 1
    found = worldquiz("score", reader / "answers.jsonl", tmp_path / "lost" / "answers.jsonl",
                      "--maze", mango_data(), "--json")  # fmt: skip
    (pair,) = (right for rights in json.loads(found.stdout)["pairs"].values()
               for right in rights.values())  # fmt: skip
    assert pair["shared"] == told["df"]["all"]["asked"] + told["rf"]["all"]["asked"]
    for task in ("df", "rf"):
        cell = pair[task]["all"]["success"]
        assert cell["left"] > cell["right"]


def test_inspects_own_command_asks_the_same_and_finds_the_same(
    calm: tuple[Any, Path, int], tmp_path: Path
) -> None:
    told, _, calls = calm
    with serving(reads_walkthroughs(), minimum=NEVER) as server:
        done = subprocess.run(
            [Path(sys.executable).with_name("inspect"), "eval", "worldquiz/mango",
             "-T", f"data={mango_data()}", "-T", f"only={','.join(GAMES)}", "-T", "tasks=df,rf",
             "-T", "per_maze=12", "-T", "seed=3", "--model", "openai-api/test/m",
             "--log-dir", tmp_path, "--display", "none"],
            env={**os.environ, **server.env()}, capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert server.stats()["ended"] == calls
    (path,) = tmp_path.glob("*.eval")
    log = read_eval_log(path, header_only=True)
    assert log.results is not None
    found = {
        name: each.value for score in log.results.scores for name, each in score.metrics.items()
    }
    expected = {key.replace(" ", "_"): value for key, value in macros(told).items()}
    assert found == pytest.approx(
        {key: value for key, value in expected.items() if value is not None}
    )


def test_another_run_in_the_same_folder_is_refused(calm: tuple[Any, Path, int]) -> None:
    _, out, _ = calm
    done = worldquiz("run", mango_data(), "--out", out, "--reader", "mapper", check=False)
    assert done.returncode == 2
    assert "model was 'openai-api/endpoint/m'" in done.stderr


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((), "give either --model or --reader mapper"),
        (("--reader", "map"), "no such reader"),
        (("--reader", "mapper", "--game", "libary"), "did you mean 'library'"),
        (("--reader", "mapper", "--tasks", "df,fr"), "no task 'fr'"),
    ],
)
def test_mistakes_are_told_in_a_line(
    options: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    done = worldquiz("run", mango_data(), "--out", tmp_path / "run", *options, check=False)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
