"""MANGO's questions, asked of a model server through inspect: three mazes, scored.

The model that reads walkthroughs draws the same map as the contestant without a model, but from the
prompt's text alone; so equal scores mean that prompts tell all that they should. The mazes are
generated; those of the published data are asked about where they are at hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, read_eval_log

import command
import worldquiz as wq
from mango_data import word_tokenizer
from modelserver import Running, Script, serving
from modelserver.faults import overflows
from modelserver.models import reads_walkthroughs

ASKED = ("--per-maze", "12", "--seed", "3")
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
SCORES = ("success", "reasoning", "weighted")
LESS = {"walkthrough": "simplified", "tokens": 300}
"""Options by which other words are asked about less."""


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("mazes") / "mazes"
    odd: dict[str, Any] = {"loops": 0.3, "one_way": 0.2, "non_compass": 0.3, "confusable": 0.3}
    return wq.mango.build(mazes=3, seed=3, size=13, out=out, **odd).path


def worldquiz(*arguments: object) -> str:
    """Give a command in this process, and return what it prints."""
    done = command.worldquiz("mango", *arguments)
    assert done.code == 0, done.err
    return done.out


def run(data: Path, server: Running, out: Path, *more: object) -> list[object]:
    reach = ("--model", "m", "--base-url", server.base_url)
    return ["run", data, "--out", out, *reach, *ASKED, *more]


def ask(data: Path, script: Script, out: Path, *more: object) -> tuple[Any, Running]:
    with serving(script, minimum=NEVER) as server:
        return json.loads(worldquiz(*run(data, server, out, "--json", *more))), server


def macros(told: Any) -> dict[str, Any]:
    return {
        f"{task} {level} {score}": told[task][level][score]["macro"]
        for task in ("df", "rf") for level in ("all", "easy", "hard") for score in SCORES
    }  # fmt: skip


def kept(out: Path) -> dict[str, bytes]:
    files = (out / "rows.jsonl", out / "scores.json", out / "manifest.json")
    return {path.name: path.read_bytes() for path in files}


def rows(out: Path) -> tuple[Any, ...]:
    return tuple(wq.load(out).rows)


Calm = tuple[Any, Path, int]


@pytest.fixture(scope="module")
def calm(mazes: Path, tmp_path_factory: pytest.TempPathFactory) -> Calm:
    """A run that nobody disturbed, of the model that reads."""
    out = tmp_path_factory.mktemp("calm") / "run"
    told, server = ask(mazes, reads_walkthroughs(), out)
    return told, out, len(server.calls)


def test_a_model_that_reads_scores_what_its_map_is_worth(
    calm: Calm, mazes: Path, tmp_path: Path
) -> None:
    told, _, calls = calm
    mapper = worldquiz("run", mazes, "--out", tmp_path / "m", "--answerer", "mapper", *ASKED,
                       "--json")  # fmt: skip
    assert macros(told) == macros(json.loads(mapper))
    assert min(value for value in macros(told).values() if value is not None) < 1
    asked = sum(told[task]["all"]["asked"] for task in ("df", "rf"))
    assert told["usage"]["calls"] == calls == asked
    assert told["usage"]["input"] > 0


def inspected(mazes: Path, home: Path, *words: object) -> tuple[EvalLog, dict[str, Any], int]:
    """Have inspect's own command ask; return its log, the metrics and how many calls were made."""
    with serving(reads_walkthroughs(), minimum=NEVER) as server:
        done = command.inspect(
            "eval", "worldquiz/mango", "-T", f"data={mazes}", "-T", "per_maze=12", "-T", "seed=3",
            *words, "--model", "openai-api/test/m", "--log-dir", home, "--display", "plain",
            env=server.env(),
        )  # fmt: skip
        assert done.exit_code == 0, (done.output, done.exception)
        calls = len(server.calls)
    (path,) = home.glob("*.eval")
    assert path.stat().st_size < 1_000_000
    log = read_eval_log(path)
    assert log.results is not None
    metrics = (each for score in log.results.scores for each in score.metrics.items())
    return log, {name: metric.value for name, metric in metrics}, calls


def shares(told: dict[str, Any]) -> dict[str, Any]:
    """Return the means of scores that are there, by inspect's names of metrics."""
    return {
        name.replace(" ", "_"): value for name, value in macros(told).items() if value is not None
    }


def test_inspects_own_command_asks_the_same_and_finds_the_same(mazes: Path, tmp_path: Path) -> None:
    words = [word for name, value in LESS.items() for word in (f"--{name}", value)]
    told, server = ask(mazes, reads_walkthroughs(), tmp_path / "run", *words)
    options = [word for name, value in LESS.items() for word in ("-T", f"{name}={value}")]
    log, found, calls = inspected(
        mazes, tmp_path, "-T", "only=maze-00,maze-01,maze-02", "-T", "tasks=df,rf", *options
    )
    samples = log.samples or ()
    assert (log.status, len(samples)) == ("success", calls)
    assert calls == len(server.calls)
    assert [each.id for each in samples if each.error or not each.output.completion] == []
    assert found.pop("knowledge") == pytest.approx(told["knowledge"])
    assert found == pytest.approx(shares(told))
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))
    assert log.eval.metadata is not None
    assert log.eval.metadata.items() <= manifest.items()


def test_another_solver_is_shown_the_same_and_finds_the_same(
    calm: Calm, mazes: Path, tmp_path: Path
) -> None:
    told, out, calls = calm
    log, found, made = inspected(mazes, tmp_path, "--solver", "generate")
    samples = log.samples or ()
    assert made == calls
    assert sorted(each.output.completion for each in samples) == sorted(
        row.reply for row in rows(out)
    )
    assert all(len(each.messages[0].text) > 1_000 for each in samples)
    assert {name: found[name] for name in shares(told)} == pytest.approx(shares(told))


def test_with_other_words_and_less_text_a_reader_is_right_all_the_same(
    mazes: Path, tmp_path: Path
) -> None:
    """A simplified walkthrough names every place, so even odd moves that were taken are known."""
    told, _ = ask(mazes, reads_walkthroughs(), tmp_path / "run",
                  "--walkthrough", "simplified", "--tokens", 300,
                  "--tokenizer", "chars/4")  # fmt: skip
    read = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))["read"]
    assert {row.world: row.measures["steps"] for row in rows(tmp_path / "run")} == read
    assert len(set(read.values())) > 1  # as much as fits of each
    for task in ("df", "rf"):
        assert told[task]["easy"]["reasoning"]["macro"] == 1


def test_what_overflows_the_models_window_is_ill_formed(mazes: Path, tmp_path: Path) -> None:
    """As many tokens of walkthrough as the window has room for overflow nothing."""
    tokenizer = word_tokenizer(tmp_path / "tokenizer.json")
    limits = {"fits": ("--tokens", 900, "--tokenizer", f"hf:{tokenizer}"), "not": ("--steps", 70)}
    overflown = {}
    for name, options in limits.items():
        with serving(overflows(reads_walkthroughs(), 1200), minimum=NEVER) as server:
            worldquiz(*run(mazes, server, tmp_path / name, *options))
        overflown[name] = sum(row.status == "overflow" for row in rows(tmp_path / name))
    told = json.loads((tmp_path / "not" / "scores.json").read_text("utf-8"))
    ill = sum(told[task]["all"]["ill_formed"] for task in ("df", "rf"))
    assert ill == overflown["not"] > overflown["fits"] == 0
