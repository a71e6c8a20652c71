"""The recorder on games of ours whose maps are known: each map exact, nothing made up."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from deep import some
from mapped_games import Game, Room, compiled, truth
from worldquiz.mango.mazes import shown_as
from worldquiz.mango.recorder.record import record, record_all

GAMES = {
    "boat": Game(
        {"beach": Room({"north": "jungle", "west": "bay"}), "jungle": Room({"south": "beach"}),
         "bay": Room({"east": "beach", "west": "lighthouse", "north": "island"}),
         "lighthouse": Room({"east": "bay", "up": "lantern"}),
         "lantern": Room({"down": "lighthouse"}), "island": Room({"south": "bay"})},
        "n s enter-boat w w exit u d enter-boat e n exit enter-boat s e exit n",
        vehicles={"boat": ("beach", "bay", "lighthouse", "island")},
    ),
    "hedges alike, an object each": Game(
        {"gate": Room({"north": "a"}), "a": Room({"south": "gate", "east": "b"}, "Maze", "Alike."),
         "b": Room({"west": "a", "north": "c"}, "Maze", "Alike."),
         "c": Room({"south": "b", "west": "a"}, "Maze", "Alike.")},
        "n e n w e n s w s",
    ),
    "a house that is one object": Game(
        {"lane": Room({"north": "parlour"}),
         "parlour": Room({"south": "lane", "east": "kitchen", "up": "a"}, within="house"),
         "kitchen": Room({"west": "parlour", "north": "yard"}, within="house"),
         "a": Room({"down": "parlour", "east": "b"}, "Bedroom", "Dusty.", "house"),
         "b": Room({"west": "a", "down": "kitchen"}, "Attic", "Dusty.", "house"),
         "yard": Room({"south": "kitchen"})},
        "n e n s w u e d n s w s",
    ),
    "a cellar that is lit later": Game(
        {"hall": Room({"down": "cellar"}),
         "cellar": Room({"up": "hall", "north": "vault"}, dark=True),
         "vault": Room({"south": "cellar"}, dark=True)},
        "d n light s u",
    ),
    "dark rooms, an object each": Game(
        {"adit": Room({"east": "a"}), "a": Room({"west": "adit", "north": "b"}, dark=True),
         "b": Room({"south": "a", "east": "c"}, dark=True),
         "c": Room({"west": "b", "up": "field"}, dark=True), "field": Room({"down": "c"})},
        "e n e u d w s w",
    ),
    "chutes": Game(
        {"roof": Room({"down": "attic", "east": "tree"}), "attic": Room({"down": "cellar"}),
         "cellar": Room({"north": "garden"}), "garden": Room({"south": "cellar", "up": "tree"}),
         "tree": Room({"down": "garden", "west": "roof"})},
        "d d n s n u d u w e",
    ),
    "deadly ways back": Game(
        {"hall": Room({"north": "bridge", "east": "lair"}),
         "bridge": Room({"south": "death", "north": "tower"}),
         "tower": Room({"south": "bridge", "down": "hall"}), "lair": Room({"west": "hall death"})},
        "n n d e w look",
    ),
    "a prompt after death": Game(
        {"park": Room({"east": "pond"}), "pond": Room({"west": "park"})},
        "e w e curse look z", loses={"curse": "The woman looks up. So the world ends."},
        ends="[Type RESTART, RESTORE or QUIT.]", answers="[Please type RESTART, RESTORE or QUIT.]",
    ),
    "doors that close": Game(
        {"lobby": Room({"north": "safe grate", "east": "study hatch"}),
         "safe": Room({"south": "lobby grate", "up": "loft"}), "loft": Room({"down": "safe"}),
         "study": Room({"west": "lobby hatch"})},
        "n open-grate n u d s open-grate s open-hatch e w open-hatch w", slams=True,
    ),
    "a lift": Game(
        {"lift": Room({"south": "lobby"}), "lobby": Room({"north": "lift", "west": "street"}),
         "roof": Room({"north": "lift"}), "street": Room({"east": "lobby"})},
        "s w e n press s n press s", lift=("lift", "south", "lobby", "roof"),
    ),
    "all of it": Game(
        {"pier": Room({"north": "cave", "west": "hut latch"}), "hut": Room({"east": "pier latch"}),
         "cave": Room({"south": "pier", "north": "grotto"}, dark=True),
         "grotto": Room({"south": "cave", "east": "a"}),
         "a": Room({"west": "grotto", "south": "b"}, "Warren", "Alike."),
         "b": Room({"north": "a", "east": "c"}, "Warren", "Alike."),
         "c": Room({"west": "b", "up": "hill"}, "Warren", "Alike."),
         "hill": Room({"down": "pier", "east": "death"}, "Hut")},
        "open-latch w open-latch e enter-skiff n n exit e s e u d u enter-skiff n exit n e",
        vehicles={"skiff": ("pier", "cave", "grotto")}, slams=True,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All games, compiled."""
    folder = tmp_path_factory.mktemp("mapped")
    for name in {"boat", *some(GAMES, 8)}:
        story = folder / f"{[*GAMES].index(name)}.z5"
        compiled(GAMES[name], story)
        story.with_suffix(".walkthrough_acts").write_text("\n".join(GAMES[name].typed))
    return folder


@pytest.mark.parametrize("name", some(GAMES, 8))
def test_a_recorded_map_is_the_true_one(stories: Path, name: str) -> None:
    found = record(stories / f"{[*GAMES].index(name)}.z5")
    where, taken, imputed = truth(GAMES[name])
    walk = shown_as(found, "simplified").walkthrough  # places follow from the moves
    told = zip(where, walk, strict=True)
    names = {(place, step.observation) for place, step in told if place is not None}
    called = dict(names)
    moved = {place for source, _, target in taken for place in (source, target)}
    assert len(called) == len(names), "one place has two names"
    assert len(set(called.values())) == len(called), "two places have one name"
    edges = {
        sort: {(e.source, e.action, e.target) for e in found.edges if e.imputed is sort}
        for sort in (False, True)
    }
    assert edges == {
        sort: {(called[source], action, called[target]) for source, action, target in moves}
        for sort, moves in ((False, taken), (True, imputed))
    }
    assert set(found.places) == {called[place] for place in moved}


def test_a_game_whose_code_is_scrambled_is_an_error_and_leaves_no_folder(
    stories: Path, tmp_path: Path
) -> None:
    story = bytearray((stories / "0.z5").read_bytes())
    head = (story[0x08] << 8 | story[0x09]) + story[story[0x08] << 8 | story[0x09]] + 1
    size, count = story[head], story[head + 1] << 8 | story[head + 2]  # of the dictionary's entries
    words = story[head + 3 : head + 3 + size * count]
    Random(7).shuffle(words)  # the sum of all bytes stays the same
    story[head + 3 : head + 3 + size * count] = words
    path = tmp_path / "roms" / "boat.z5"
    path.parent.mkdir()
    path.write_bytes(story)
    path.with_suffix(".walkthrough_acts").write_text("\n".join(GAMES["boat"].typed))
    found = record_all([path], tmp_path / "out")
    assert found["games"] == {}
    assert "no command leads from one place to another" in found["failed"]["boat"]
    assert not (tmp_path / "out").exists()
