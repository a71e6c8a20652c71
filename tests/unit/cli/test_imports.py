"""What is loaded when: help must be quick, and the light core must do without the extras."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "textworld", "jericho", "ortools", "matplotlib", "numpy", "scipy", "pyarrow", "jinja2", "tatsu",
    "inspect_ai",
}  # fmt: skip


def loaded(code: str) -> set[str]:
    """Return which top-level modules are loaded after some code has run in a fresh process."""
    script = f"import sys\n{code}\nprint(*(name for name in sys.modules if '.' not in name))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize("module", ["worldquiz", "worldquiz.cli", "worldquiz.t2q.builder"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    assert loaded(f"import {module}") & HEAVY == set()


@pytest.mark.slow
def test_the_package_alone_loads_next_to_nothing() -> None:
    assert not {"pydantic", "click", "rich"} & loaded("import worldquiz")


@pytest.mark.slow
def test_listing_agents_loads_nothing_heavy() -> None:
    code = (
        "from contextlib import suppress, redirect_stdout\nimport io\n"
        "from worldquiz.cli import app\n"
        "with suppress(SystemExit), redirect_stdout(io.StringIO()):\n"
        "    app(['t2q', 'agents', '--json'])"
    )
    assert loaded(code) & HEAVY == set()
