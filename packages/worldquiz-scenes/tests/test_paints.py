from __future__ import annotations

from worldquiz_scenes.paints import BRIGHT, COLOURS, STYLES, Draw, paint, pale, shaded
from worldquiz_scenes.rng import child
from worldquiz_scenes.scene import Pattern


def test_styles_choose_among_named_colours() -> None:
    for style in STYLES.values():
        for names in (style.woods, style.fabrics, style.fronts, style.metals, style.walls,
                      style.floors):  # fmt: skip
            assert names
            assert set(names) <= set(COLOURS)
    assert set(BRIGHT) <= set(COLOURS)


def test_colours_can_be_told_apart() -> None:
    values = list(COLOURS.values())
    gaps = [
        sum((a - b) ** 2 for a, b in zip(one, two, strict=True)) ** 0.5
        for index, one in enumerate(values)
        for two in values[index + 1 :]
    ]
    assert min(gaps) > 0.1


def test_a_shade_keeps_its_name_and_stays_a_colour() -> None:
    light = shaded(paint("yellow", "fabric"), 1.5)
    assert light.colour == "yellow"
    assert max(light.rgb) == 1.0


def test_walls_are_paler_than_things_of_their_colour() -> None:
    wall = pale(paint("blue", "paper"))
    assert wall.colour == "blue"
    assert all(a < b < 1 for a, b in zip(COLOURS["blue"], wall.rgb, strict=True))


def test_patterns_come_as_often_as_asked() -> None:
    draw = Draw(child(1, "patterns"), STYLES["lively"])
    drawn = [draw.bright("fabric", 0.5) for _ in range(400)]
    patterned = [each for each in drawn if each.pattern is not Pattern.PLAIN]
    assert 150 < len(patterned) < 250
    assert {each.pattern for each in patterned} == set(Pattern) - {Pattern.PLAIN}
    assert all(each.rgb2 is not None and each.rgb2 != each.rgb for each in patterned)
    assert all(each.rgb2 is None for each in drawn if each.pattern is Pattern.PLAIN)
