"""A prose linter with a few rules of our own, kept in prose_rules.toml.

Run it on pages to see what it finds: ``python tests/prose.py README.md``. (Vale's packages on PyPI
and npm fetch the program from elsewhere when they run, so they cannot be used offline.)
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RULES_FILE = Path(__file__).with_name("prose_rules.toml")

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


def load() -> tuple[tuple[Rule, ...], dict[str, int]]:
    """Return the rules, and the findings that pages not rewritten yet may have."""
    read = tomllib.loads(RULES_FILE.read_text())
    rules = (Rule(**{**rule, **_tuples(rule)}) for rule in read["rule"])
    return tuple(rules), read["unwritten"]


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


def main(pages: list[str]) -> int:
    """Print what pages break; return 1 if anything."""
    rules, _ = load()
    paths = {page: Path(page).resolve().relative_to(ROOT).as_posix() for page in pages}
    found = [f for page, name in paths.items() for f in check(name, Path(page).read_text(), rules)]
    print("\n".join(map(str, found)) or "nothing found")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
