"""Drawing of a world for a page: one SVG, and the steps that first showed an agent its parts.

A part of the SVG that a step shows carries ``data-part="N"``, several numbers where any of several
steps shows it. Until the slider stands at such a step, the page shows the part as not seen. A part
with the class ``only`` is hidden until a question about it is chosen. Colours are the page's
variables: ``var(--ink)``, ``var(--soft)``, ``var(--line)``, ``var(--accent)``, ``var(--mark)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPicture:
    """A picture that was shown."""

    uri: str  # "data:image/jpeg;base64,..."
    width: int  # in the pixels that `lines` counts in
    height: int
    lines: str = ""  # SVG over the picture


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnStep:
    """One step of an agent in a world, or of what an answerer was shown."""

    episode: int = 0
    step: int  # as a row counts it
    text: str  # the command, and what came of it
    shows: tuple[int, ...] = ()  # parts that no step before showed
    at: tuple[float, float] | None = None  # where the agent stands then, in units of the SVG
    picture: DrawnPicture | None = None  # that was shown then


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A world as one run knew it."""

    svg: str  # one element with a view box
    steps: tuple[DrawnStep, ...] = ()  # empty where nobody acted: all parts are shown
    about: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Parts that a question is about, by the question's id."""
    pictures: Mapping[str, tuple[DrawnPicture, ...]] = field(default_factory=dict)
    """Pictures by the question's id."""
    legend: str = ""  # what lines and colours mean, in a sentence
