"""Direction: which way to leave, and where a room lies from another after several moves."""

from __future__ import annotations

from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.requirement import Reachable
from worldquiz.t2q.quiz.answerability import barred, chosen, passage
from worldquiz.t2q.quiz.question_builder import Sheet
from worldquiz.t2q.quiz.routes import ends
from worldquiz.t2q.quiz.world_index import Atlas

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
IS = (_GRID + "Does the {other} lie to the {compass} of the {room}?",)
IS_NOT = (_GRID + "Does the {other} lie in a direction other than {compass} from the {room}?",)
COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def ask(sheet: Sheet, *, both_sides: bool) -> None:
    """Ask about each passage from one end or both: the way itself, or beyond it, by turns."""
    kinds = ("way", "lies", "leads", "is", "way", "lies", "elsewhere", "is not")
    for number, (room, way, other) in enumerate(ends(sheet, both_sides)):
        _question(sheet, room, way, other, kinds[number % len(kinds)])


def _question(sheet: Sheet, room: str, way: str, other: str, kind: str) -> None:
    atlas = sheet.atlas
    far = _beyond(sheet, room, other)
    match kind:
        case "way":
            wrong = [d for d in DIRECTIONS if d != way]
            settled = chosen(
                passage(atlas, room, way), *(barred(atlas, room, d, other) for d in wrong)
            )
            sheet.what((way,), WAY, settled, room=room, other=other)
        case "leads":
            _leads(sheet, True, room, way, other)
        case "elsewhere":
            _leads(sheet, False, room, way, _impostor(sheet, room, way))
        case "lies":
            right = atlas.compass(room, far)
            wrong = sheet.sample([c for c in COMPASS if c != right])
            sheet.which(right, wrong, LIES, Reachable(room, far), room=room, other=far)
        case _:
            _orientation(sheet, kind == "is", room, far)


def _leads(sheet: Sheet, truth: bool, room: str, way: str, other: str) -> None:
    atlas = sheet.atlas
    settled = passage(atlas, room, way) if truth else barred(atlas, room, way, other)
    sheet.yes_no(truth, LEADS_TO, LEADS_ELSEWHERE, settled, room=room, way=way, other=other)


def _orientation(sheet: Sheet, truth: bool, room: str, far: str) -> None:
    right = sheet.atlas.compass(room, far)
    asked = right if truth else sheet.sample([c for c in COMPASS if c != right], 1)[0]
    sheet.yes_no(truth, IS, IS_NOT, Reachable(room, far), room=room, other=far, compass=asked)


def _beyond(sheet: Sheet, room: str, other: str) -> str:
    """Return a room two passages away through the other one, or the other one at a dead end."""
    further = sorted(_onward(sheet.atlas, room, other))
    return sheet.sample(further, 1)[0] if further else other


def _onward(atlas: Atlas, room: str, other: str) -> set[str]:
    return atlas.neighbours(other) - {room}


def _impostor(sheet: Sheet, room: str, way: str) -> str:
    """Return a room to which the exit does not lead."""
    atlas = sheet.atlas
    return sheet.sample([r for r in atlas.rooms if r not in (room, atlas.ways[room][way])], 1)[0]
