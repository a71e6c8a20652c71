"""The documentation and the help of commands are written in plain words (tests/prose.py)."""

from __future__ import annotations

from collections import Counter

import pytest

import prose

RULES, UNWRITTEN, DOCSTRINGS = prose.load()
PACKAGE = prose.ROOT / "src" / "worldquiz"
PAGES = sorted(
    path.relative_to(prose.ROOT).as_posix()
    for path in [*prose.ROOT.glob("*.md"), *(prose.ROOT / "docs").rglob("*.md")]
    if path.parent.name != "decisions"
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_breaks_no_rule(page: str) -> None:
    """docs/cli.md holds the help of every command, and is compared with it elsewhere."""
    found = list(prose.check(page, (prose.ROOT / page).read_text(), RULES))
    assert len(found) <= UNWRITTEN.get(page, 0), "\n".join(map(str, found))


def test_docstrings_break_as_many_rules_as_the_list_says() -> None:
    """The list only shrinks: write the lower number, and take off a room that has none left."""
    found: Counter[str] = Counter()
    for path in sorted(PACKAGE.rglob("*.py")):
        room, page = path.relative_to(PACKAGE).parts[0], path.relative_to(prose.ROOT).as_posix()
        found[room] += len(list(prose.check_docstrings(page, path.read_text(), RULES)))
    assert {room: count for room, count in found.items() if count} == DOCSTRINGS


def test_the_list_of_unwritten_pages_only_shrinks() -> None:
    for page in UNWRITTEN:
        text = (prose.ROOT / page).read_text()
        assert list(prose.check(page, text, RULES)), f"take {page} off the list"


@pytest.mark.parametrize(
    ("rule", "bad", "good"),
    [
        ("archaism", "Counts of nought.", "Counts of 0."),
        ("subject", "It ends. What is seen counts.", "Who reads it? What comes out"),
        ("fragment", "* `--seed <int>`: Of the sample.", "* `--seed <int>`: The seed."),
        ("taker", "The quiz taker abstains.", "The answerer abstains; a taxi."),
        ("floor", "between floors and a ceiling", "on the floor of the attic"),
        ("flat", "A flat from a seed.", "A flat file."),
    ],
)
def test_a_rule_finds_what_it_is_for(rule: str, bad: str, good: str) -> None:
    def found(text: str) -> set[str]:
        return {finding.rule.name for finding in prose.check("docs/cli.md", text, RULES)}

    assert rule in found(bad)
    assert rule not in found(good)


def test_a_docstring_is_read_by_paragraphs_and_its_first_one_begins_with_a_noun_or_verb() -> None:
    bad = '"""What a run\\nhas.\\n\\nWhat it has."""\ndef f():\n    "Return `nought`, or a knob."\n'
    found = [each.rule.name for each in prose.check_docstrings("x.py", bad, RULES)]
    assert found == ["subject", "headline", "subject", "knob"]


def test_code_and_links_are_not_read() -> None:
    text = "```\nnought\n```\n`nought` [plain](nought.md) <!-- nought -->\nnought\n"
    assert [finding.line for finding in prose.check("docs/x.md", text, RULES)] == [5]
