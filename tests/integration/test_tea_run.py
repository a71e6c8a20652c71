"""TEA-Test end to end: scripted takers and a model with pictures, killed and resumed."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import degrees, dist
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log
from PIL import Image

import worldquiz as wq
from command import inspect, worldquiz
from modelserver import Reply, Request, Running, Script, Text, serving
from process import killed_amid
from serving import serve
from worldquiz.serve.seats import Seats
from worldquiz.serve.session import ToolError

TASKS, WALKS, SEED = 24, 2, 3
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before


@pytest.fixture(scope="module")
def data(flats: Path) -> Path:
    return flats


def options(data: Path, out: Path, *more: object) -> list[str]:
    """Return what `worldquiz tea run` is given; later options win."""
    plain = (data, "--out", out, "--tasks", TASKS, "--walks", WALKS, "--seed", SEED, *more)
    return list(map(str, plain))


def take(data: Path, out: Path, *more: object) -> Any:
    """Run the command in this process and return what it prints."""
    done = worldquiz("tea", "run", *options(data, out, *more), "--json")
    assert done.code == 0, done.err
    return done.json


def kept(out: Path) -> dict[str, bytes]:
    return {name: (out / name).read_bytes() for name in ("rows.jsonl", "scores.json")}


class Sees:
    """Keeps what it is shown: of each task all, of each walk what comes first."""

    def __init__(self) -> None:
        self.tasks, self.walks = list[tuple[str, tuple[str, ...]]](), list[Any]()

    def __deepcopy__(self, memo: Any) -> Sees:
        return self

    def answer(self, prompt: str, pictures: Sequence[bytes]) -> str:
        self.tasks.append((prompt, tuple(map(address, pictures))))
        return ""

    def act(self, observation: Any) -> str:
        self.walks.append((observation.text, tuple(map(address, observation.pictures))))
        return '{"stop": true}'


def address(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()


@pytest.fixture(scope="module")
def oracle(data: Path, tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    out = tmp_path_factory.mktemp("oracle") / "run"
    return wq.tea.load(data).run("oracle", tasks=TASKS, walks=WALKS, seed=SEED, out=out)


@pytest.fixture(scope="module")
def knows(data: Path, oracle: wq.Run, tmp_path_factory: pytest.TempPathFactory) -> Script:
    """A model that knows what to say to these very words and pictures, and to no others."""
    seen, out = Sees(), tmp_path_factory.mktemp("seen") / "run"
    wq.tea.load(data).run(seen, tasks=TASKS, walks=WALKS, seed=SEED, out=out)
    rows = sorted(oracle.rows, key=lambda row: row.world)  # a scene at a time
    tasks, walks = ([row for row in rows if (row.format == "walk") is walked]
                    for walked in (False, True))  # fmt: skip
    heart = {shown: [row.reply] for shown, row in zip(seen.tasks, tasks, strict=True)}
    for shown, row in zip(seen.walks, walks, strict=True):
        heart[shown] = [
            json.dumps({"turn": (degrees(b[2] - a[2]) + 180) % 360 - 180,
                        "walk": dist(a[:2], b[:2])})
            for a, b in pairwise(json.loads(row.reply))
        ]  # fmt: skip

    def script(request: Request) -> Reply:
        first, move = request.messages[0], len(request.messages) // 2
        known = heart.get((first.text, first.images), [])
        return Text(known[move] if move < len(known) else "I never saw this.")

    return script


@pytest.fixture(scope="module")
def calm(
    data: Path, knows: Script, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Any, Path, Running]:
    """A run of the model that knows, which nobody disturbed."""
    out = tmp_path_factory.mktemp("calm") / "run"
    with serving(knows, minimum=NEVER) as server:
        return take(data, out, "--model", "m", "--base-url", server.base_url), out, server


def test_the_oracle_is_right_everywhere_and_arrives_everywhere(oracle: wq.Run) -> None:
    told = oracle.scores
    assert {cell["mean"] for cell in told["types"].values()} == {1.0}
    assert (told["all"]["asked"], told["all"]["ill_formed"]) == (TASKS, 0)
    assert told["navigation"]["success"] == {"rate": 1.0, "of": WALKS, "count": WALKS}
    assert told["navigation"]["gain"] == 1.0
    assert told["navigation"]["neglect"]["count"] == 0


def test_who_sees_nothing_earns_little(data: Path, tmp_path: Path) -> None:
    prior = take(data, tmp_path / "prior", "--answerer", "prior")
    noisy = take(data, tmp_path / "noisy", "--answerer", "noisy")
    for cell in prior["types"].values():
        assert cell["mean"] <= cell["guess"] + 0.1
    assert prior["all"]["macro"] < 0.5 < noisy["all"]["macro"] < 1.0


def test_a_model_is_shown_the_pictures_that_its_task_is_about(
    calm: tuple[Any, Path, Running],
) -> None:
    told, _, server = calm
    assert told["all"] | {"macro": 1.0} == told["all"]
    assert told["all"]["asked"] == TASKS
    assert all(call.images >= 1 for call in server.calls)


def test_a_model_walks_by_what_it_is_shown(calm: tuple[Any, Path, Running]) -> None:
    told, out, server = calm
    assert told["navigation"]["success"] == {"rate": 1.0, "of": WALKS, "count": WALKS}
    assert len(server.calls) == TASKS + told["navigation"]["steps"] * WALKS
    trips = [row.measures for row in wq.load(out).rows[TASKS:]]
    assert all(len(trip["replies"]) == len(trip["stands"]) - 1 for trip in trips)


def test_a_solver_of_inspect_is_shown_the_pictures_of_tasks(data: Path, tmp_path: Path) -> None:
    seen = list[int]()

    def says(request: Request) -> Reply:
        seen.append(request.images)
        return Text('{"answer": "lamp"}')

    with serving(says) as server:
        done = inspect(
            "eval", "worldquiz/tea", "-T", f"data={data}", "-T", f"seed={SEED}", "-T", "tasks=8",
            "--limit", 3, "--solver", "generate", "--model", "openai-api/test/m",
            "--log-dir", tmp_path, "--display", "none", env=server.env(),
        )  # fmt: skip
    assert done.exit_code == 0, (done.output, done.exception)
    log = read_eval_log(next(tmp_path.glob("*.eval")))
    assert log.status == "success"
    assert min(seen) > 0
    assert log.results
    means = {name: each.value for name, each in log.results.scores[0].metrics.items()}
    others = ("macro", "accuracy", "stderr", "knowledge", "false_answers")
    types = [value for name, value in means.items() if name not in others]
    assert means["macro"] == sum(types) / len(types)


def test_a_killed_run_asks_nothing_twice_and_ends_with_the_same_bytes(
    data: Path, knows: Script, calm: tuple[Any, Path, Running], tmp_path: Path
) -> None:
    _, undisturbed, once = calm
    out = tmp_path / "run"
    with serving(knows, minimum=NEVER, latency=0.2) as server:
        more = ("--model", "m", "--base-url", server.base_url, "--connections", 2)
        killed_amid(out / ".rows.journal", 10, "tea", "run", *options(data, out, *more))
        assert not (out / "rows.jsonl").exists()
        take(data, out, "--model", "m", "--base-url", server.base_url)
        assert len(server.calls) <= len(once.calls) + 2  # those that were under way
    assert kept(out) == kept(undisturbed)


class Fixed:
    """Says the same to every task, and leads every walk alike."""

    name = "claude"

    def __init__(self) -> None:
        self._turns = 0

    def answer(self, prompt: str, pictures: Any) -> str:
        return '{"answer": "lamp"}'

    def act(self, observation: Any) -> str:
        self._turns += 1
        moves = {"turn": 30.0, "walk": 1.5}
        return json.dumps({"stop": True} if self._turns % 3 == 0 else moves)


def test_agents_at_a_door_have_the_records_of_an_answerer_in_python(
    data: Path, tmp_path: Path
) -> None:
    """Two scenes in turn, through an end of the server amid a walk; pictures are a client's."""
    seen: list[bytes] = []
    turns = {"a": 0, "b": 0}

    def called(seats: Seats, seat: str) -> str:
        """Do as `Fixed` does at what is before a seat; return what it was told."""
        before = seats.call(seat, "look", {})
        seen.extend(before.pictures)
        if ", a walk" not in before.text:
            return seats.call(seat, "answer", {"answer": {"answer": "lamp"}}).text
        turns[seat] += 1
        with pytest.raises(ToolError, match=r"answer: not now: call `move` or `stop`"):
            seats.call(seat, "answer", {"answer": "lamp"})
        if turns[seat] % 3 == 0:
            return seats.call(seat, "stop", {}).text
        return seats.call(seat, "move", {"turn": 30, "walk": 1.5}).text

    def amid_walks(seats: Seats) -> None:
        with pytest.raises(ToolError, match="turn: Input should be a valid number"):
            seats.call("a", "move", {"turn": "left", "walk": 1})
        seats.call("a", "look", {})
        with pytest.raises(ToolError, match=r"move: not now: call `answer`"):
            seats.call("a", "move", {"turn": 0, "walk": 1})
        while not all(turns.values()):
            for seat in turns:
                if not turns[seat]:
                    called(seats, seat)

    def to_the_end(seats: Seats) -> None:
        left = set(turns)
        while left:
            left -= {seat for seat in sorted(left) if "is finished" in called(seats, seat)}

    served_at = partial(serve, data, tmp_path / "served", tasks="8", walks="4", seed=str(SEED))
    assert served_at(amid_walks) is None
    scores = served_at(to_the_end)
    wq.tea.load(data).run(Fixed, tasks=8, walks=4, seed=SEED, out=tmp_path / "own")
    served, own = kept(tmp_path / "served"), kept(tmp_path / "own")
    assert scores == json.loads(own["scores.json"])
    assert served == own
    assert {Image.open(io.BytesIO(each)).format for each in seen} == {"PNG"}
