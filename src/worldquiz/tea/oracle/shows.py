"""How plainly a view shows a thing, a reflection, a pattern: the definitions, with their margins.

They are written from docs/explanation/tea.md and not taken from what generates tasks, so the two
can disagree. Rays and a renderer differ by a pixel along an edge; so what is counted in pixels has
a margin: counts of pixels 10 % and at least 6 px, shares 0.03, angles 0.2 degrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.extras import later
from worldquiz.tea.oracle.eye import Eye
from worldquiz.tea.oracle.solids import meet, turn

if TYPE_CHECKING:
    import numpy as np

    from worldquiz.tea.oracle.eye import Stage
    from worldquiz.tea.oracle.solids import Floats
else:
    np = later("numpy", extra="scene")

CLEAR, HIDDEN, HALF = 400 / (640 * 480), 40 / (640 * 480), 0.5
"""Shares of a picture from which on a thing is clear, and below which it is hidden; share of a
thing that must be seen for it to be clear, directly or in a mirror."""
EDGE, SLACK, FEW, SHARE, TURNED = 2, 0.10, 6, 0.03, 0.2
"""Margins: px of a box's side; share and number of pixels counted; share of a thing seen; degrees
of an angle."""
STRIP = 36 / 480
"""Share of a picture's height: a mirror image that is narrower is a mere strip."""
AHEAD, FIELD = 30.0, 100.0
"""Degrees off a camera's axis within which its person surely sees what the camera shows; degrees
off where a person looks beyond which they surely see nothing."""
SQUARE = 32 / 480
"""Share of a picture's height: the side of a square that a pattern must fill to be told."""
COVERS, PARTLY = 0.6, 0.02
"""Shares of a thing's surface: from which on it wears a pattern, and below which it shows none."""
ABOUT = 0.12
"""By how much such a share may differ: patterns are on round parts, too."""
LOOKS_LIKE = {
    "stripes": (
        "basket", "curtain", "floor lamp", "piano", "radiator", "shoe rack", "table lamp",
    ),
    "checks": ("picture",),
}  # fmt: skip
"""Labels of things that look as if they had a pattern."""
RAYS = 24
"""Rays along each edge of a side of a thing."""


def pixels(eye: Eye, share: float) -> float:
    """Return a share of a picture in pixels."""
    return share * float(eye.wide * eye.high)


def margin(number: float) -> float:
    """Return by how many pixels two counts of pixels may differ."""
    return max(SLACK * number, FEW)


def maybe_clear(eye: Eye, id: str) -> bool:
    """Tell whether a view shows a thing clearly, within the margins."""
    return _maybe(eye, eye.mask(id).pixels, eye.alone(id))


def surely_clear(eye: Eye, id: str) -> bool:
    """Tell whether a view shows a thing clearly, beyond the margins."""
    return _surely(eye, eye.mask(id).pixels, eye.alone(id))


def maybe_hidden(eye: Eye, id: str) -> bool:
    """Tell whether a view hides a thing, within the margins."""
    return _few(eye, eye.mask(id).pixels)


def maybe_reflected(eye: Eye, id: str) -> bool:
    """Tell whether some mirror of a view shows a thing clearly, within the margins."""
    side = STRIP * eye.high - EDGE
    return any(
        each.side >= side and _maybe(eye, each.pixels, each.whole) for each in eye.mirrored(id)
    )


def surely_reflected(eye: Eye, id: str) -> bool:
    """Tell whether some mirror of a view shows a thing clearly, beyond the margins."""
    side = STRIP * eye.high + EDGE
    return any(
        each.side >= side and _surely(eye, each.pixels, each.whole) for each in eye.mirrored(id)
    )


def surely_mirrors(eye: Eye, id: str) -> int:
    """Return how many mirrors of a view show something of a thing, beyond the margins."""
    least = pixels(eye, HIDDEN)
    return sum(each.pixels >= least + margin(least) for each in eye.mirrored(id))


def maybe_unreflected(eye: Eye, id: str) -> bool:
    """Tell whether no mirror of a view shows a thing, within the margins."""
    return all(_few(eye, each.pixels) for each in eye.mirrored(id))


def in_mirrors(eye: Eye, id: str) -> int:
    """Return how many pixels of a view's mirrors show a thing."""
    return sum(each.pixels for each in eye.mirrored(id))


def _maybe(eye: Eye, count: int, whole: int) -> bool:
    least = pixels(eye, CLEAR)
    return count >= least - margin(least) and count >= (HALF - SHARE) * whole


def _surely(eye: Eye, count: int, whole: int) -> bool:
    least = pixels(eye, CLEAR)
    return count >= least + margin(least) and count >= (HALF + SHARE) * whole


def _few(eye: Eye, count: int) -> bool:
    most = pixels(eye, HIDDEN)
    return count < most + margin(most)


def fills_square(eye: Eye, id: str, slack: float) -> bool:
    """Tell whether a thing fills a square large enough for its pattern, its sides px shorter."""
    mask, side = eye.mask(id), SQUARE * eye.high - slack
    if mask.box is None:
        return False
    x0, y0, x1, y1 = mask.box
    return bool(min(x1 - x0, y1 - y0) >= side and mask.pixels >= side**2)


def covered(stage: Stage, id: str, pattern: str) -> float:
    """Return the share of a thing's surface that shows a pattern, from above and four sides."""
    thing = stage.things[id]
    if all(part["paint"]["pattern"] != pattern for part in thing["parts"]):
        return 0.0
    whole = own = 0.0
    for axis, sign in ((2, 1), (0, 1), (0, -1), (1, 1), (1, -1)):
        area, share = _side(stage, id, pattern, axis, sign)
        whole, own = whole + area, own + share
    return own / whole if whole else 0.0


def _side(stage: Stage, id: str, pattern: str, axis: int, sign: int) -> tuple[float, float]:
    """Return the area of a thing's side, and how much of it shows a pattern, by parallel rays."""
    thing, half = stage.things[id], np.array(stage.things[id]["half"], float)
    steps = (np.arange(RAYS) + 0.5) / RAYS * 2 - 1
    spread = np.zeros((RAYS**2, 3))
    across, up = (each for each in range(3) if each != axis)
    spread[:, across], spread[:, up] = (each.ravel() for each in np.meshgrid(steps, steps))
    spread[:, axis] = sign * 1.5
    axes = turn(thing["rotation"])
    starts = np.array(thing["position"]) + (spread * half) @ axes.T
    fan = np.tile(-sign * axes[:, axis] * half[axis], (len(starts), 1))
    parts = thing["parts"]
    when = np.stack([meet(each, starts, fan, least=0.0)
                     for each in stage.bodies[id][: len(parts)]])  # fmt: skip
    bears = np.array([part["paint"]["pattern"] == pattern for part in parts])
    hit = np.isfinite(when.min(axis=0))
    cell = 4 * half[across] * half[up] / RAYS**2
    return cell * float(hit.sum()), cell * float(bears[when.argmin(axis=0)][hit].sum())


def off(eye: Eye, ahead: Floats, point: Floats) -> float:
    """Return the angle between a direction and the way from an eye to a point, in degrees."""
    way = point - eye.at
    cosine = float(way @ ahead) / max(float(np.linalg.norm(way) * np.linalg.norm(ahead)), 1e-9)
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))))
