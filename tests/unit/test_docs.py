"""The documentation says what is: links resolve, commands parse, numbers are the code's."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

import worldquiz
from synthetic import model_run
from synthetic import run as synthetic_run
from worldquiz.cli import app
from worldquiz.page.tables import LOST
from worldquiz.records import SCHEMA_VERSION
from worldquiz.runs.benchmark import benchmarks
from worldquiz.t2q.question import MIX
from worldquiz.t2q.tables import TABLE_1, stats
from worldquiz.t2q.world.config import PRESETS, Knobs

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
RECORDS = sorted((DOCS / "decisions").glob("*.md"))
CODE = ROOT / "src" / "worldquiz"
T2Q = DOCS / "explanation" / "t2q.md"
FILES = DOCS / "reference" / "files-and-folders.md"
SCORES = DOCS / "reference" / "scores.md"

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SPAN = re.compile(r"`([^`\n]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

VERBS = ("run", "show")
"""Verbs whose options are those of a command of the folder's benchmark."""


def prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return _FENCE.sub("", page.read_text())


def blocks(page: Path, *languages: str) -> list[str]:
    return [body for language, body in _FENCE.findall(page.read_text()) if language in languages]


def anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings have."""
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(prose(page)))
    return {heading.strip().replace(" ", "-") for heading in plain}


def section(page: Path, heading: str) -> str:
    """Return the text below a heading, up to the next."""
    found = re.search(
        rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", page.read_text(), re.MULTILINE | re.DOTALL
    )
    assert found, f"{page} has no heading {heading!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """Return the cells of a table's rows, heading and rule left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def broken_links(page: Path) -> Iterator[str]:
    for link in _LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            yield f"{link}: no such file"
        elif anchor and anchor not in anchors(target):
            yield f"{link}: no such heading"


def command_lines(page: Path) -> list[str]:
    """Return what a page's code blocks would have a shell run."""
    return [
        line.strip()
        for body in blocks(page, "", "sh", "bash", "console")
        for line in body.splitlines()
        if "worldquiz " in line and "[OPTIONS]" not in line  # a form, not a command
    ]


def parse(line: str) -> None:
    """Raise what the command line would raise for a command, without running it."""
    words = shlex.split(line)
    words = words[words.index("worldquiz") + 1 :]
    ctx = click.Context(app, info_name="worldquiz")
    if words[0] in VERBS and len(words) > 1:
        _parse_verb(ctx, words)
        return
    command: Any = app
    while isinstance(command, click.Group):
        command = command.resolve_command(ctx, words)[1]
        words.pop(0)
    command.make_context(str(command.name), words)


def _parse_verb(ctx: click.Context, words: list[str]) -> None:
    """Parse a verb by the first benchmark whose own command takes the words.

    Raises what that of the last one raises if none does.
    """
    verb, *rest = words
    groups = [each.commands() for each in benchmarks().values() if each.commands]
    offered = [command for group in groups if (command := group.get_command(ctx, verb))]
    for number, command in enumerate(offered, start=1):
        try:
            command.make_context(verb, rest.copy())
            return
        except Exception:
            if number == len(offered):
                raise


def missing(page: Path) -> Iterator[str]:
    """Yield what a page names that is not there: commands, files, scripts."""
    for span in _SPAN.findall(prose(page)):
        words = span.split()
        if re.fullmatch(r"[\w/.]+/[\w.]+\.py", span):
            if not (ROOT / span).exists() and not (CODE / span).exists():
                yield span
        elif words[0] == "worldquiz" and len(words) > 1 and "." not in words[1]:
            command: Any = app
            for word in words[1:]:
                if word.startswith("-") or not isinstance(command, click.Group):
                    break
                command = command.get_command(click.Context(app), word)
                if command is None:
                    yield span
    for script in re.findall(r"\bpython (\S+\.py)", "".join(blocks(page, ""))):
        if not (ROOT / script).exists():
            yield script


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_links_and_names_what_is_there_and_its_commands_parse(page: Path) -> None:
    assert [*broken_links(page), *missing(page)] == []
    for line in command_lines(page):
        parse(line)
    assert not re.search(r"(?<![\w.])/(work|home|root|tmp|dev|Users)\b", page.read_text())


def test_the_readme_has_commands_to_parse_and_wrong_ones_are_found_out() -> None:
    assert len(command_lines(ROOT / "README.md")) > 5
    for wrong in (
        "worldquiz demoo",
        "worldquiz t2q build --preset paper",
        "worldquiz demo --ot x",
        "worldquiz run suite --agnt idle --out run",
    ):
        with pytest.raises(Exception, match=r"(?i)demoo|missing|no such option"):
            parse(wrong)


def test_what_tests_the_readme_gives_is_what_the_machine_runs() -> None:
    lines = [line for body in blocks(ROOT / "README.md", "") for line in body.splitlines()]
    first, second = lines[:2]
    assert first.startswith("uv run --frozen --no-default-groups --extra t2q --extra mango")
    assert second in (ROOT / ".ci" / "run").read_text().splitlines()


def test_decisions_are_numbered_once_and_listed() -> None:
    numbers = [int(record.name[:4]) for record in RECORDS]
    assert numbers == sorted(set(numbers))
    listed = re.findall(
        r"^(\d+)\. \[(\d{4}) (.+)\]\((.+)\)$", (DOCS / "index.md").read_text(), re.M
    )
    assert [int(number) for number, *_ in listed] == numbers
    for record, (_, number, title, link) in zip(RECORDS, listed, strict=True):
        assert (DOCS / link).resolve() == record
        lines = record.read_text().splitlines()
        assert lines[0] == f"# {number} {title}"
        assert lines[2].startswith("Status: ")
        parts = ["Context", "Decision", "Price"]
        assert _HEADING.findall(record.read_text())[1:] == parts, record


def test_the_changelog_has_this_version() -> None:
    assert f"## [{worldquiz.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


# The reference: the JSON contract.


def test_every_key_of_the_scores_is_explained() -> None:
    text = section(SCORES, "Scores of a run")
    explained = [row[0].strip("`") for row in rows(text)]
    assert sorted(explained) == sorted(synthetic_run().scores)


def test_every_key_of_a_models_scores_and_every_cause_is_explained() -> None:
    table = rows(section(SCORES, "Scores of a run with a language model"))
    explained = [row[0].strip("`") for row in table if row[0].startswith("`")]
    assert set(explained) == set(model_run().scores) - set(synthetic_run().scores)
    causes = rows(section(SCORES, "Where the points went"))
    assert {row[0].strip("`"): row[1] for row in causes} == LOST


def test_the_keys_of_build_and_stats_stand_in_the_table(tmp_path: Path) -> None:
    suite = worldquiz.t2q.build("easy", seed=1, worlds=1, out=tmp_path / "suite")
    told = {row[0].strip("`"): row[1] for row in rows(section(FILES, "JSON that commands print"))}
    keys = [*stats(suite), *stats(suite)["levels"]["easy"]]
    assert re.findall(r"`(\w+)`", told["worldquiz t2q stats"]) == keys
    assert re.findall(r"`(\w+)`", told["worldquiz t2q build"]) == ["manifest", "worlds", "digest"]


def test_the_schema_table_is_that_of_the_files() -> None:
    written = (CODE / "t2q" / "suites.py").read_text()
    wanted = set(re.findall(r'write_records\(folder / "([\w.]+)", "(\w+)"', written))
    table = rows(section(FILES, "Records"))
    shown = {(row[3].strip("`"), row[0].strip("`").removeprefix("worldquiz/")) for row in table}
    assert shown == wanted
    assert {int(row[1]) for row in table} == {SCHEMA_VERSION}


# Task2Quiz: the rules and the numbers.


def test_the_knobs_are_those_of_the_presets() -> None:
    shown = {row[0].strip("`"): row[2:] for row in rows(section(T2Q, "Worlds (section 2.1)"))}
    wanted = {
        field.name: [_plain(getattr(knobs, field.name)) for knobs in PRESETS.values()]
        for field in fields(Knobs)
    }
    assert shown == wanted


def _plain(value: object) -> str:
    match value:
        case tuple():
            return "..".join(map(str, value))
        case bool():
            return str(value).lower()
        case None:
            return "none"
    return str(value)


def test_the_paper_stands_as_the_code_has_it() -> None:
    text = section(T2Q, "Beside Table 1")
    shown = {row[0].replace(" ", "_"): row[2::2] for row in rows(text)}
    for name in ("worlds", "rooms", "objects", "tasks", "walkthrough_length", "questions"):
        values = [level[name] for level in TABLE_1.values()]
        assert shown[name] == [
            "-".join(map(str, v)) if isinstance(v, tuple) else str(v) for v in values
        ]
    total = sum(MIX.values())
    for type, count in MIX.items():
        assert f"{100 * count / total:.1f} %" in next(
            line for line in text.splitlines() if f"| {type} " in line
        )
    assert ", ".join(map(str, list(MIX.values())[:4])) in T2Q.read_text()
