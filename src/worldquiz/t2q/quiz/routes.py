"""Connectivity: which rooms a passage joins. A visible exit proves only an exit; walking tells."""

from __future__ import annotations

from worldquiz.t2q.quiz.answerability import apart, chosen, passage
from worldquiz.t2q.quiz.question_builder import Sheet

IS = (
    "Does a passage lead straight from the {room} to the {other}?",
    "Are the {room} and the {other} joined by a direct passage?",
)
IS_NOT = (
    "Is it true that no passage leads straight from the {room} to the {other}?",
    "Are the {room} and the {other} without a direct passage between them?",
)
WHICH = (
    "Which of these rooms does a passage join directly to the {room}?",
    "From the {room}, which of these rooms is one passage away?",
)
BEHIND = (
    "Which room do you enter when you leave the {room} to the {way}?",
    "Where does the {way} exit of the {room} lead?",
)


def ask(sheet: Sheet, *, both_sides: bool) -> None:
    """Ask about each passage from one end, or from both."""
    for room, way, other in ends(sheet, both_sides):
        _passage(sheet, room, way, other, _kind(sheet))


def ends(sheet: Sheet, both_sides: bool) -> list[tuple[str, str, str]]:
    """Return each passage from one end drawn by seed, then, if wanted, from the other."""
    atlas = sheet.atlas
    first = []
    for room, way, other in atlas.passages:
        turned = sheet.rng.random() < 0.5
        first.append((other, atlas.back(way), room) if turned else (room, way, other))
    second = [(other, atlas.back(way), room) for room, way, other in first]
    return first + (second if both_sides else [])


def _kind(sheet: Sheet) -> str:
    kinds = ("yes", "no", "which", "where")
    return kinds[len(sheet.questions) % len(kinds)]


def _passage(sheet: Sheet, room: str, way: str, other: str, kind: str) -> None:
    atlas = sheet.atlas
    strangers = [r for r in atlas.rooms if r != room and r not in atlas.neighbours(room)]
    settled = passage(atlas, room, way)
    if kind == "no" and strangers:
        far = sheet.sample(strangers, 1)[0]
        sheet.yes_no(False, IS, IS_NOT, apart(atlas, room, far), room=room, other=far)
    elif kind == "which" and strangers:
        wrong = sheet.sample(strangers)
        settled = chosen(settled, *(apart(atlas, room, w) for w in wrong))
        sheet.which(other, wrong, WHICH, settled, room=room)
    elif kind == "where":
        sheet.where((other,), BEHIND, settled, room=room, way=way)
    else:
        sheet.yes_no(True, IS, IS_NOT, settled, room=room, other=other)
