"""verifiers' own evaluation command plays worlds of Task2Quiz with a scripted model."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from modelserver import Text, Use, Uses, serving
from modelserver.protocol import Reply, Request
from trainers import FOLDER, answers_of, commands_of, earned, example
from worldquiz.t2q.gym import built

vf: Any = pytest.importorskip("verifiers.v1", reason="verifiers is missing: run `just trainers`")


def evaluated(url: str, out: Path, *options: str) -> list[dict[str, Any]]:
    """Run ``vf-eval`` and return the traces of its rollouts, in the order of their tasks."""
    command = Path(sys.executable).with_name("vf-eval")
    seat = ("--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess")
    said = subprocess.run(
        [
            command, "verifiers-t2q", "-m", "scripted", "--client.base-url", url, *seat, *options,
            "-o", out, "--no-push", "--no-rich",
        ],
        env={**os.environ, "PYTHONPATH": str(FOLDER)}, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    (file,) = out.glob("*/traces.jsonl")
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    traces = [trace for line in lines for trace in line["traces"]]
    return sorted(traces, key=lambda trace: trace["task"]["data"]["idx"])


def test_its_evaluation_earns_what_scores_say(tmp_path: Path) -> None:
    """Two worlds at once, each played to its end by tools over MCP."""
    plans = {
        number: [
            Use("look", {}),
            *(Use("act", {"command": command}) for command in commands_of(number)),
            *(Use("answer", {"answer": answer}) for answer in answers_of(number)),
        ]
        for number in (3, 4)
    }
    objectives = {n: built("easy", "train", n).tasks[0].objective for n in plans}

    def script(request: Request) -> Reply:
        assert set(request.tools) == {"look", "act", "answer"}
        told = [message.text for message in request.messages if message.role == "tool"]
        if not told:
            return Uses((Use("look", {}),))
        number = next(n for n in plans if objectives[n] in told[0])
        left = plans[number][len(told) :]
        return Uses((left[0],)) if left else Text("Finished.")

    with serving(script) as server:
        options = ("--env.taskset.first", "3", "-n", "2")
        traces = evaluated(server.base_url, tmp_path / "out", *options)
    assert [trace["task"]["data"]["number"] for trace in traces] == [3, 4]
    for number, trace in zip(plans, traces, strict=True):
        assert trace["ok"], trace["errors"]
        wanted = earned(number)[-1]
        assert trace["rewards"]["earned"]["score"] == sum(wanted.values())
        assert wanted["task"] == 1
        assert wanted["quiz"] != 0


def test_a_model_that_goes_on_after_the_end_is_stopped(tmp_path: Path) -> None:
    after = []

    def script(request: Request) -> Reply:
        last = request.messages[-1].text
        if "finished: stop here" in str(request.messages):
            after.append(request)
        return Uses(
            (
                Use("answer", {"answer": "x"})
                if "Question" in last
                else Use("act", {"command": "look"}),
            )
        )

    with serving(script) as server:
        (trace,) = evaluated(server.base_url, tmp_path / "out", "-n", "1",
                             "--env.taskset.questions", "2")  # fmt: skip
    assert trace["ok"], trace["errors"]
    assert len(after) <= 3


def test_tasks_have_no_end_and_make_no_world() -> None:
    t2q = example("verifiers_t2q")
    taskset = t2q.T2QTaskset(t2q.T2QConfig(level="hard", split="test", first=7, questions=5))
    assert not taskset.bounded
    found = [task.data for task in itertools.islice(taskset, 2)]
    assert [(data.number, data.name, data.idx) for data in found] == [
        (7, "hard-test-7", 0),
        (8, "hard-test-8", 1),
    ]
    assert all("text game" in data.prompt for data in found)
