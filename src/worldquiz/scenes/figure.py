"""The agent's figure, as rooms' cameras and mirrors show it: a person in teal who wears a visor."""

from __future__ import annotations

from worldquiz.scenes.cameras import EYES
from worldquiz.scenes.scene import Paint, Shape

SHIRT = Paint("teal", (0.1, 0.5, 0.5), "fabric")
TROUSERS = Paint("grey", (0.2, 0.2, 0.25), "fabric")
SKIN = Paint("beige", (0.87, 0.67, 0.53), "paper")
VISOR = Paint("black", (0.08, 0.08, 0.1), "plastic")
FIGURE = (
    (Shape.CAPSULE, (0.0, 0.09, 0.42), (0.075, 0.34, 0.0), TROUSERS),
    (Shape.CAPSULE, (0.0, -0.09, 0.42), (0.075, 0.34, 0.0), TROUSERS),
    (Shape.ELLIPSOID, (0.0, 0.0, 1.07), (0.13, 0.19, 0.31), SHIRT),
    (Shape.CAPSULE, (0.02, 0.22, 1.0), (0.045, 0.24, 0.0), SHIRT),
    (Shape.CAPSULE, (0.02, -0.22, 1.0), (0.045, 0.24, 0.0), SHIRT),
    (Shape.SPHERE, (0.0, 0.0, EYES), (0.12, 0.0, 0.0), SKIN),
    (Shape.BOX, (0.1, 0.0, EYES + 0.02), (0.03, 0.09, 0.025), VISOR),
)
"""The agent as others see it, looking along x."""
