"""Passages: which rooms they join, which way to leave, and where a room lies from another.

A visible exit proves only an exit; walking tells where it leads.
"""

from __future__ import annotations

from worldquiz.facts.fact import DIRECTIONS, OPPOSITE
from worldquiz.facts.requirement import Reachable
from worldquiz.t2q.quiz.answerability import apart, barred, chosen, passage
from worldquiz.t2q.quiz.question_builder import Sheet
from worldquiz.t2q.world.spec import WorldSpec

JOINED = (
    "Does a passage lead straight from the {room} to the {other}?",
    "Are the {room} and the {other} joined by a direct passage?",
)
JOINED_NOT = (
    "Is it true that no passage leads straight from the {room} to the {other}?",
    "Are the {room} and the {other} without a direct passage between them?",
)
JOINED_WHICH = (
    "Which of these rooms does a passage join directly to the {room}?",
    "From the {room}, which of these rooms is one passage away?",
)
BEHIND = (
    "Which room do you enter when you leave the {room} to the {way}?",
    "Where does the {way} exit of the {room} lead?",
)

WAY = (
    "In which direction do you leave the {room} to get straight to the {other}?",
    "Which way leads directly from the {room} to the {other}?",
)
LEADS_TO = (
    "Does the {way} exit of the {room} lead to the {other}?",
    "Do you come to the {other} when you go {way} from the {room}?",
)
LEADS_ELSEWHERE = (
    "Does the {way} exit of the {room} lead to a room other than the {other}?",
    "Do you come to a room other than the {other} when you go {way} from the {room}?",
)
_GRID = "Take every passage to be one step straight in its direction. "
LIES = (
    _GRID + "In which direction does the {other} lie from the {room}?",
    _GRID + "As seen from the {room}, where is the {other}?",
)
LIES_TO = (_GRID + "Does the {other} lie to the {compass} of the {room}?",)
LIES_NOT_TO = (_GRID + "Does the {other} lie in a direction other than {compass} from the {room}?",)
COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def ask_connectivity(sheet: Sheet, *, both_sides: bool) -> None:
    """Ask about each passage from one end, or from both."""
    for room, way, other in _ends(sheet, both_sides):
        _passage(sheet, room, way, other, _kind(sheet))


def _ends(sheet: Sheet, both_sides: bool) -> list[tuple[str, str, str]]:
    """Return each passage from one end drawn by seed, then, if wanted, from the other."""
    spec = sheet.spec
    first = []
    for room, way, other, _ in spec.passages:
        turned = sheet.rng.random() < 0.5
        first.append((other, OPPOSITE[way], room) if turned else (room, way, other))
    second = [(other, OPPOSITE[way], room) for room, way, other in first]
    return first + (second if both_sides else [])


def _kind(sheet: Sheet) -> str:
    kinds = ("yes", "no", "which", "where")
    return kinds[len(sheet.questions) % len(kinds)]


def _passage(sheet: Sheet, room: str, way: str, other: str, kind: str) -> None:
    spec = sheet.spec
    joined = set(spec.ways[room].values())
    strangers = [r for r in spec.of_kind("room") if r != room and r not in joined]
    settled = passage(spec, room, way)
    if kind == "no" and strangers:
        far = sheet.sample(strangers, 1)[0]
        sheet.yes_no(False, JOINED, JOINED_NOT, apart(spec, room, far), room=room, other=far)
    elif kind == "which" and strangers:
        wrong = sheet.sample(strangers)
        settled = chosen(settled, *(apart(spec, room, w) for w in wrong))
        sheet.which(other, wrong, JOINED_WHICH, settled, room=room)
    elif kind == "where":
        sheet.where((other,), BEHIND, settled, room=room, way=way)
    else:
        sheet.yes_no(True, JOINED, JOINED_NOT, settled, room=room, other=other)


def ask_direction(sheet: Sheet, *, both_sides: bool) -> None:
    """Ask about each passage from one end or both: the way itself, or beyond it, by turns."""
    kinds = ("way", "lies", "leads", "is", "way", "lies", "elsewhere", "is not")
    for number, (room, way, other) in enumerate(_ends(sheet, both_sides)):
        _question(sheet, room, way, other, kinds[number % len(kinds)])


def _question(sheet: Sheet, room: str, way: str, other: str, kind: str) -> None:
    spec = sheet.spec
    far = _beyond(sheet, room, other)
    match kind:
        case "way":
            wrong = [d for d in DIRECTIONS if d != way]
            settled = chosen(
                passage(spec, room, way), *(barred(spec, room, d, other) for d in wrong)
            )
            sheet.what((way,), WAY, settled, room=room, other=other)
        case "leads":
            _leads(sheet, True, room, way, other)
        case "elsewhere":
            _leads(sheet, False, room, way, _impostor(sheet, room, way))
        case "lies":
            right = _compass(spec, room, far)
            wrong = sheet.sample([c for c in COMPASS if c != right])
            sheet.which(right, wrong, LIES, Reachable(room, far), room=room, other=far)
        case _:
            _orientation(sheet, kind == "is", room, far)


def _leads(sheet: Sheet, truth: bool, room: str, way: str, other: str) -> None:
    spec = sheet.spec
    settled = passage(spec, room, way) if truth else barred(spec, room, way, other)
    sheet.yes_no(truth, LEADS_TO, LEADS_ELSEWHERE, settled, room=room, way=way, other=other)


def _orientation(sheet: Sheet, truth: bool, room: str, far: str) -> None:
    right = _compass(sheet.spec, room, far)
    asked = right if truth else sheet.sample([c for c in COMPASS if c != right], 1)[0]
    sheet.yes_no(
        truth, LIES_TO, LIES_NOT_TO, Reachable(room, far), room=room, other=far, compass=asked
    )


def _beyond(sheet: Sheet, room: str, other: str) -> str:
    """Return a room two passages away through the other one, or the other one at a dead end."""
    further = sorted(set(sheet.spec.ways[other].values()) - {room})
    return sheet.sample(further, 1)[0] if further else other


def _compass(spec: WorldSpec, room: str, other: str) -> str:
    """Return where the other room lies as seen from a room, as one of eight directions."""
    cells = {each.name: (each.x, each.y) for each in spec.rooms}
    (x0, y0), (x1, y1) = cells[room], cells[other]
    north_south = "north" if y1 > y0 else "south" if y1 < y0 else ""
    east_west = "east" if x1 > x0 else "west" if x1 < x0 else ""
    return "-".join(part for part in (north_south, east_west) if part)


def _impostor(sheet: Sheet, room: str, way: str) -> str:
    """Return a room to which the exit does not lead."""
    spec = sheet.spec
    return sheet.sample(
        [r for r in spec.of_kind("room") if r not in (room, spec.ways[room][way])], 1
    )[0]
