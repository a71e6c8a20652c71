"""The thesis plot: one accessible SVG element, its letters apart, nothing drawn outside."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.report.findings import Share, Side, Terms
from worldquiz.report.first_screen import HEIGHT, WIDTH, plot

SVG = "{http://www.w3.org/2000/svg}"
TERMS = Terms(doing="tasks won <b>")
ROLES = ("agent", "lower-bound", "upper-bound", "reference")
shares = st.builds(
    lambda value, low, high: Share(value, (min(value, low), max(value, high))),
    st.floats(0, 1), st.floats(0, 1), st.floats(0, 1),
)  # fmt: skip
signed = st.builds(
    lambda value, low: Share(value, (min(value, low), value)), st.floats(-2, 1), st.floats(-2, 1)
)


def sides(points: Sequence[tuple[Share | None, Share | None]]) -> list[Side]:
    return [
        Side(chr(65 + n), f"run {n} <img>", n, ROLES[n % 4], knowing=knowing, doing=doing)
        for n, (doing, knowing) in enumerate(points)
    ]


def numbers(root: ET.Element, name: str, attribute: str) -> list[float]:
    return [float(e.attrib[attribute]) for e in root.iter(SVG + name) if attribute in e.attrib]


@given(st.lists(st.tuples(shares, signed), min_size=1, max_size=12))
def test_is_well_formed_told_in_words_and_within_its_frame(
    points: list[tuple[Share, Share]],
) -> None:
    root = ET.fromstring(plot(sides(points), TERMS))
    assert root.attrib["role"] == "img"
    names = root.attrib["aria-labelledby"].split()
    told = {e.attrib["id"]: e.text or "" for e in root if e.tag in (SVG + "title", SVG + "desc")}
    assert set(names) == set(told)
    assert all(f"run {n} <img>" in told["thesis-desc"] for n in range(len(points)))
    xs, ys = numbers(root, "text", "x"), numbers(root, "text", "y")
    assert all(0 <= x <= WIDTH for x in xs)
    assert all(0 <= y <= HEIGHT for y in ys)
    moved = re.findall(r"translate\(([\d.-]+) ([\d.-]+)\)", ET.tostring(root, "unicode"))
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in moved)
    assert len(root.findall(f"{SVG}g[@data-run]")) == len(points)


def test_letters_of_crowded_marks_stand_apart() -> None:
    share = Share(0.5, None)
    root = ET.fromstring(plot(sides([(share, share)] * 6), TERMS))
    letters = [e for e in root.iter(SVG + "text") if e.attrib.get("class") == "letter"]
    spots = [(float(e.attrib["x"]), float(e.attrib["y"])) for e in letters]
    assert len(spots) == 6
    for n, a in enumerate(spots):
        for b in spots[n + 1 :]:
            assert max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= 11


def test_runs_without_both_scores_are_left_out_and_none_gives_no_plot() -> None:
    share = Share(0.5, None)
    assert plot(sides([(None, share), (share, None)]), TERMS) == ""
    assert plot(sides([(None, share), (share, share)]), TERMS).count("data-run") == 1


def test_equal_sides_equal_bytes() -> None:
    some = sides([(Share(0.2, (0.1, 0.4)), Share(-0.3, (-0.4, 0.0)))])
    assert plot(some, TERMS) == plot(some, TERMS)
    assert "#" not in plot(some, TERMS)  # colours are the page's
