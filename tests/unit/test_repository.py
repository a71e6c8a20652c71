"""The repository keeps its own promises: targets exist, versions agree, outputs stay out of it."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

import worldquiz

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CALLERS = [*WORKFLOWS, ROOT / "CONTRIBUTING.md", ROOT / ".pre-commit-config.yaml", ROOT / ".ci/run"]
REGISTER = ROOT / "docs" / "inspect" / "register.yaml"
PAPERS = ["2601.09503", "2403.19913", "2602.05249", "1806.11532", "1909.05398"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def targets() -> set[str]:
    """Return the names of the targets of the justfile."""
    return set(re.findall(r"^([a-z][\w-]*)(?: [^:\n]*)?:", (ROOT / "justfile").read_text(), re.M))


def called(text: str) -> Iterator[str]:
    """Yield each target that a text has `just` run."""
    for span in re.findall(r"(?:`|--frozen )just ([\w-]+|\$\{\{ matrix\.target \}\})", text):
        yield from re.findall(r"target: \[(.+)\]", text)[0].split(", ") if "$" in span else [span]


@pytest.mark.parametrize("caller", CALLERS, ids=lambda path: path.name)
def test_every_target_that_is_called_exists(caller: Path) -> None:
    found = set(called(caller.read_text()))
    assert found
    assert found <= targets()


def test_the_workflow_runs_every_python_that_the_package_names() -> None:
    named = [c.rsplit(" ", 1)[1] for c in PROJECT["project"]["classifiers"] if ":: 3." in c]
    text = (ROOT / ".github" / "workflows" / "check.yml").read_text()
    assert re.findall(r"python: \[(.+)\]", text) == [", ".join(f'"{v}"' for v in named)]


def test_the_citation_has_this_version_and_the_five_sources() -> None:
    text = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {worldquiz.__version__}\n" in text
    assert re.findall(r'"arXiv:(.+)"', text) == PAPERS


def outputs() -> set[str]:
    """Return what the commands of the README and the tutorials write, relative to the clone."""
    pages = [ROOT / "README.md", *(ROOT / "docs" / "tutorials").glob("*.md")]
    return set(re.findall(r"(?:--out |out=f?\"|--json > )([\w./-]+)", "".join(map(_code, pages))))


def _code(page: Path) -> str:
    return "".join(re.findall(r"^```\w*\n(.*?)^```$", page.read_text(), re.M | re.S))


def ignored(*paths: str) -> set[str]:
    """Return those of some paths that git ignores."""
    command = ["git", "check-ignore", "--no-index", *paths]
    return set(subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.split())


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone")
def test_git_ignores_what_the_readme_and_the_tutorials_write_and_no_source() -> None:
    written = {f"{path}/x" if "." not in path else path for path in outputs()}
    assert len(written) > 10
    assert ignored(*written) == written
    sources = [str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.py")]
    assert ignored(*sources) == set()


def test_the_source_distribution_holds_sources_only() -> None:
    sdist = pytest.importorskip("hatchling.builders.sdist")
    names = {
        Path(f.distribution_path) for f in sdist.SdistBuilder(str(ROOT)).recurse_included_files()
    }
    outside = {str(name) for name in names if name.parts[0] != "src"}
    assert outside <= {"README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", ".gitignore"}
    assert {Path("src/worldquiz/py.typed"), Path("README.md")} <= names


def test_the_text_on_pypi_has_no_link_into_the_repository_and_says_the_rest() -> None:
    text = (ROOT / "README.md").read_text()
    hook = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    for change in hook["substitutions"]:
        text = re.sub(change["pattern"], change["replacement"], text)
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) >= 5
    assert all(link.startswith("https://") for link in links)
    assert "pip install" in text
    assert "MIT licence." in text


def test_entries_of_the_inspect_register_point_to_tasks_and_name_their_placeholders() -> None:
    entries = [each for each in yaml.safe_load_all(REGISTER.read_text()) if each]
    assert {each["common_title"] for each in entries} == {"Task2Quiz", "MANGO", "TEA"}
    for entry in entries:
        (task,) = entry["tasks"]
        text = (ROOT / task["task_path"]).read_text()
        assert f"@task\ndef {task['name']}(" in text
        assert entry["source"] == {
            "repository_url": "https://github.com/OWNER/REPOSITORY",
            "repository_commit": "COMMIT",
            "maintainers": ["OWNER"],
        }
