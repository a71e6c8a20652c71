"""Lay out the site's pages in build/docs: those of docs/, the files they link to, the Python API.

A page links to files of the repository (``../examples/own_agent.py``), which is right for whoever
reads it in a clone. Each file linked to becomes a page of the site, so that the link stays whole.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

ROOT = Path(__file__).parents[2]
OUT = ROOT / "build" / "docs"
ALWAYS = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md"}
LINK = re.compile(r"\]\(([^)\s#:]+)(#[^)\s]+)?\)")

API = (
    "worldquiz",
    "worldquiz.runs.run",
    "worldquiz.t2q.builder",
    "worldquiz.t2q.front",
    "worldquiz.mango.edge_list",
    "worldquiz.mango.maze_set",
    "worldquiz.tea.api",
    "worldquiz.exam.data",
    "worldquiz.exam.exam",
    "worldquiz.exam.answerers",
    "worldquiz.runs.benchmark",
    "worldquiz.errors",
    "worldquiz.plugins",
    "worldquiz.facts.row",
    "worldquiz.facts.fact",
    "worldquiz.facts.requirement",
    "worldquiz.t2q.question",
    "worldquiz.facts.episode",
    "worldquiz.facts.knowledge",
    "worldquiz.facts.replies",
    "worldquiz.t2q.world.spec",
    "worldquiz.t2q.world.predicates",
    "worldquiz.t2q.compass",
    "worldquiz.t2q.check",
    "worldquiz.memory.base",
    "worldquiz.memory.checks",
    "worldquiz.page.html",
)
"""The modules behind the public names, and those that authors of plug-ins import."""


def main() -> None:
    """Write all pages."""
    shutil.rmtree(OUT, ignore_errors=True)
    own = {page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md")}
    files = own | ALWAYS
    linked = {target for name in files for target in _links(name)}
    files |= {name for name in linked if (ROOT / name).is_file() and "/images/" not in name}
    for name in sorted(files):
        _write(OUT / _address(name), _page(name, files))
    shutil.copytree(ROOT / "docs" / "images", OUT / "images")
    for module in API:
        _write(OUT / "api" / f"{module}.md", f"# {module}\n\n::: {module}\n")
    listed = "".join(f"- [{module}]({module}.md)\n" for module in API)
    _write(OUT / "api" / "index.md", f"# Python API\n\n{listed}")


def _links(name: str) -> set[str]:
    """Return the files that a file links to, from the root."""
    if not name.endswith(".md"):
        return set()
    return {_target(name, link) for link, _ in LINK.findall((ROOT / name).read_text())}


def _target(name: str, link: str) -> str:
    return normpath(f"{PurePosixPath(name).parent}/{link}")


def _address(name: str) -> str:
    """Return where the page of a file stands on the site."""
    if name.startswith("docs/"):
        return name.removeprefix("docs/").replace(".ipynb", ".md")
    return f"repository/{name}" if name.endswith(".md") else f"repository/{name}.md"


def _page(name: str, files: set[str]) -> str:
    """Return a file as a page, its links pointed at the pages of the files linked to."""
    text = (ROOT / name).read_text()
    if name.endswith(".ipynb"):
        text = _notebook(text)
    elif not name.endswith(".md"):
        return f"# {name}\n\n````{Path(name).suffix[1:] or 'text'}\n{text}\n````\n"
    here = str(PurePosixPath(_address(name)).parent)

    def moved(link: re.Match[str]) -> str:
        target = _target(name, link[1])
        known = target in files or target.startswith("docs/images/")
        return f"]({relpath(_address(target), here)}{link[2] or ''})" if known else link[0]

    return LINK.sub(moved, text)


def _notebook(text: str) -> str:
    """Return a notebook's cells as Markdown, with what they printed."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        parts.append(f"```python\n{source}\n```" if cell["cell_type"] == "code" else source)
        said = "".join("".join(each["text"]) for each in cell.get("outputs", ()))
        parts += [f"```text\n{said}```"] if said else []
    return "\n\n".join(parts) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


if __name__ == "__main__":
    main()
