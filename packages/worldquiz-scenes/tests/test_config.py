from __future__ import annotations

import pytest

from worldquiz_scenes.config import PRESETS, Knobs, checked, preset, turned
from worldquiz_scenes.errors import ParameterError


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_can_be_met(name: str) -> None:
    assert checked(preset(name).knobs) == PRESETS[name].knobs


def test_an_unknown_preset_is_named_with_the_nearest() -> None:
    with pytest.raises(ParameterError, match="no preset 'papper'; did you mean 'paper'"):
        preset("papper")


def test_settings_are_read_by_the_kind_of_their_knob() -> None:
    knobs = turned(
        Knobs(),
        {"rooms": "2..4", "loops": "1", "furniture": "0.5", "most": "30", "style": "classic"},
    )
    assert knobs == Knobs(rooms=(2, 4), loops=(1, 1), furniture=0.5, most=30, style="classic")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"rooms": "0..2"}, r"parameter rooms: 0..2 is not a range within 1..24"),
        ({"rooms": "3..25"}, r"parameter rooms: 3..25 is not a range within 1..24"),
        ({"rooms": "5..3"}, r"parameter rooms: 5..3 is not a range"),
        ({"rooms": "many"}, r"parameter rooms: 'many' is not LOW..HIGH"),
        ({"furniture": "1.2"}, r"parameter furniture: 1.2 is not a share"),
        ({"furniture": "nan"}, r"parameter furniture: nan is not a share"),
        ({"furniture": "lots"}, r"parameter furniture: 'lots' is not a number"),
        ({"most": "0"}, r"parameter most: 0 is below 1"),
        ({"most": "2.5"}, r"parameter most: '2.5' is not a whole number"),
        ({"mirrors": "-1..2"}, r"parameter mirrors: -1..2 is not a range"),
        ({"style": "modren"}, r"no style 'modren'; did you mean 'modern'"),
        ({"room": "3"}, r"no parameter 'room'; did you mean 'rooms'"),
    ],
)
def test_what_no_flat_can_meet_is_refused(setting: dict[str, str], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        turned(Knobs(), setting)
