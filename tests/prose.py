"""A prose linter with a few rules of our own, kept in prose_rules.toml.

Run it on pages or modules to see what it finds: ``python tests/prose.py README.md``. It reads a
module's docstrings. (Vale's packages on PyPI and npm fetch the program from elsewhere when they
run, so they cannot be used offline.)
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RULES_FILE = Path(__file__).with_name("prose_rules.toml")
DOCSTRINGS = "docstrings"
"""How rules name all docstrings, as they name a page."""

_UNREAD = (
    re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"\]\([^)\s]+\)"),
    re.compile(r"<[^>\n]+>"),
)
_CODE = re.compile(r"`[^`\n]+`")


@dataclass(frozen=True, slots=True)
class Rule:
    """What is not to be written, and what to write instead."""

    name: str
    pattern: str
    say: str
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()

    def reads(self, page: str) -> bool:
        """Tell whether the rule concerns a page, named from the root."""
        return page not in self.skip and (not self.only or page in self.only)


@dataclass(frozen=True, slots=True)
class Finding:
    """One place that breaks a rule."""

    page: str
    line: int  # from 1
    rule: Rule
    words: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.rule.name}: {self.words!r}: {self.rule.say}"


def load() -> tuple[tuple[Rule, ...], dict[str, int], dict[str, int]]:
    """Return the rules, and the findings that pages and rooms not rewritten yet may have."""
    read = tomllib.loads(RULES_FILE.read_text())
    rules = (Rule(**{**rule, **_tuples(rule)}) for rule in read["rule"])
    return tuple(rules), read["unwritten"], read["docstrings"]


def _tuples(rule: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) for key, value in rule.items() if isinstance(value, list)}


def prose(text: str) -> list[str]:
    """Return a page's lines, blank where a reader sees code; links lose their targets."""
    for unread in _UNREAD:
        text = unread.sub(lambda found: "\n" * found[0].count("\n"), text)
    return text.splitlines()


def check(page: str, text: str, rules: tuple[Rule, ...]) -> Iterator[Finding]:
    """Yield what a page breaks, line after line. Code within a line reads as `x`."""
    for number, line in enumerate(prose(text), 1):
        plain = _CODE.sub("`x`", line)
        for rule in rules:
            if rule.reads(page):
                for found in re.finditer(rule.pattern, plain, re.IGNORECASE):
                    yield Finding(page, number, rule, found[0].strip())


def check_docstrings(page: str, text: str, rules: tuple[Rule, ...]) -> Iterator[Finding]:
    """Yield what a module's docstrings break; the rule "headline" reads first paragraphs alone."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        told = ast.get_docstring(node)
        if not told:
            continue
        paragraphs = [part.replace("\n", " ") for part in _CODE.sub("`x`", told).split("\n\n")]
        for number, paragraph in enumerate(paragraphs):
            for rule in rules:
                if not rule.reads(DOCSTRINGS) or (number and rule.name == "headline"):
                    continue
                for found in re.finditer(rule.pattern, paragraph, re.IGNORECASE):
                    yield Finding(page, node.body[0].lineno, rule, found[0].strip())


def main(pages: list[str]) -> int:
    """Print what pages break; return 1 if anything."""
    rules, *_ = load()
    found: list[Finding] = []
    for page in pages:
        name, text = Path(page).resolve().relative_to(ROOT).as_posix(), Path(page).read_text()
        found += (check_docstrings if page.endswith(".py") else check)(name, text, rules)
    print("\n".join(map(str, found)) or "nothing found")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
