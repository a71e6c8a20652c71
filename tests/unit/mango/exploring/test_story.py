"""Z-machine games, explored: beside what a player of their descriptions would find."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

import worldquiz as wq
from exploring import Typing, through
from mapped_games import Game, Room, compiled, truth
from worldquiz.errors import WorldError
from worldquiz.mango.exploring.explorers import Frontier
from worldquiz.mango.exploring.story import StoryGame
from worldquiz.mango.maze.recorder.live import LiveGame, told_score

pytest.importorskip("jericho")
HOUSE = Game(
    {
        "Hall": Room({"north": "Kitchen", "east": "Yard gate"}),
        "Kitchen": Room({"south": "Hall", "up": "Attic"}),
        "Attic": Room({"down": "Kitchen", "west": "death"}),
        "Yard": Room({"west": "Hall gate"}),
    },
    commands="n u d s open-gate e",
)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(HOUSE, tmp_path_factory.mktemp("story") / "house.z5")


@pytest.mark.slow
def test_the_trajectory_is_what_a_player_of_the_description_finds(story: Path) -> None:
    commands = ["north", "UP", "go down", "xyzzy", "s"]
    with closing(StoryGame("house", story, HOUSE.typed)) as game:
        reached, own = through(game, Typing(commands))
    walked = Game(HOUSE.rooms, "n u d xyzzy s")
    _, taken, back = truth(walked)
    names = {(s[0].lower(), way, t[0].lower()) for s, way, t in taken | back}
    assert {edge.key for edge in own.edges} == names
    assert [step.action for step in own.walkthrough] == ["Init", "north", "up", "down", "xyzzy",
                                                         "south"]  # fmt: skip
    assert reached.coverage is not None
    assert tuple(reached.coverage.places) == (3, 4)
    assert tuple(reached.coverage.moves) == (4, 6)
    assert tuple(reached.coverage.routes) == (6, 12)
    assert (reached.over, reached.score) == (False, None)


@pytest.mark.slow
def test_a_game_may_end_and_a_walk_may_lead_nowhere(story: Path, tmp_path: Path) -> None:
    with closing(StoryGame("house", story, HOUSE.typed)) as game:
        reached, own = through(game, Typing(["n", "u", "w", "look"]))
        assert (reached.over, reached.commands) == (True, 3)
        assert len(own.edges) == 4
        reached, own = through(game, Typing(["south", "look"]))
    assert (own.edges, own.steps, reached.commands) == ((), 2, 2)
    acts = story.with_suffix(".walkthrough_acts")
    acts.write_text("\n".join(HOUSE.typed))
    run = wq.mango.explore(story, agent=Frontier, answerer="keeper", out=tmp_path / "r", steps=40)
    assert 0 < run.scores["knowledge"] == run.scores["knowledge_ceiling"] < 1


@pytest.mark.slow
def test_a_live_game_that_is_gone_is_named(story: Path) -> None:
    with closing(LiveGame(story, patience=5)) as game:
        assert "Hall" in game.first
        game._process.kill()
        said = r"house\.z5: step 1 after 'north': its process has ended"
        with pytest.raises(WorldError, match=said):
            game.send("north")


def test_what_is_no_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.z5"
    path.write_bytes(b"no game")
    with pytest.raises(WorldError, match="no Z-machine game"):
        LiveGame(path)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Your score is 10 (total of 350 points), in 3 moves.", (10, 350)),
        ("You have so far scored 5 out of a possible\n30, in 6 turns.", (5, 30)),
        ("Your score is -5 (total of 100 points)", (-5, 100)),
        ("You have so far scored 0 out of a possible 0, in 6 turns.", None),
        ("There is no score in this story.", None),
    ],
)
def test_a_score_is_read_where_a_game_tells_one(text: str, score: tuple[int, int] | None) -> None:
    assert told_score(text) == score
