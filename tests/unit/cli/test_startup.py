"""Help is quick since it loads nothing that it does not print."""

from __future__ import annotations

import subprocess
import sys


def test_help_loads_no_command_and_no_heavy_library() -> None:
    code = (
        "import sys\nbefore = {*sys.modules}\n"  # a measurement of coverage loads json, too
        "from worldquiz.cli import main\nsys.argv = ['worldquiz', '--help']\n"
        "try: main()\nexcept SystemExit: print(*{*sys.modules} - before, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Task2Quiz" in done.stdout
    loaded = set(done.stderr.split())
    heavy = {
        "pydantic",
        "rich.console",
        "rich.table",
        "typer.rich_utils",
        "importlib.metadata",
        "json",
    }
    assert loaded & heavy == set()
    commands = {name for name in loaded if ".cli." in name and name.startswith("worldquiz.")}
    assert not {name for name in commands if not name.startswith("worldquiz.cli.")}
    assert commands <= {"worldquiz.cli.lazy", "worldquiz.cli.shell", "worldquiz.cli.visible"}
