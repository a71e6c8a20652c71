"""Laws of minigames and of maps drawn by models, on mazes, walks and replies drawn at random."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.facts.replies import Form
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.mapping import Course, read_course
from worldquiz.mango.maze import Maze
from worldquiz.mango.minigames import Setting, minigames, prompt, read_choice
from worldquiz.mango.settings import MinigameSettings

ACTIONS = ("north", "go north", "take lamp", "say 'xyzzy'", "N.E.", "ask troll, hello", "up")
WRAPPINGS = ("{}", " {}\n", "{}.", "`{}`", "**{}**", "Action: {}", "<think>up</think>\n{}",
             "I looked around.\n\n{}", "The list is long; `{}` it is.")  # fmt: skip


def drawn(seed: int) -> Maze:
    return generate(Knobs(size=9, loops=0.4, one_way=0.2, non_compass=0.3), seed, name=f"m{seed}")


@given(st.sampled_from(ACTIONS), st.sampled_from(WRAPPINGS), st.permutations(ACTIONS))
def test_an_action_is_found_in_any_wrapping_and_order(
    action: str, wrapping: str, actions: list[str]
) -> None:
    assert read_choice(wrapping.format(action), actions).action == action


@given(st.text(), st.lists(st.text(), max_size=5))
def test_whatever_is_said_the_choice_is_on_the_list_or_none(said: str, actions: list[str]) -> None:
    found = read_choice(said, actions)
    assert found.action in (*actions, None)
    assert (found.action is None) == (found.form is Form.ILL_FORMED)


@given(st.integers(0, 200), st.integers(0, 10**6))
def test_a_minigame_lists_its_move_and_the_map_tells_it(seed: int, draw: int) -> None:
    maze = drawn(seed)
    for game in minigames(maze, MinigameSettings(steps=maze.steps, seed=draw)):
        best = maze.walkthrough[game.step].action
        assert best in game.right <= set(game.actions)
        assert len(set(game.actions)) == len(game.actions)
        assert read_choice(best, game.actions).action == best
        told = f"you should go {best}"
        assert (told in prompt(maze, game)) == (game.setting is Setting.MAP)
        assert f"==>STEP NUM: {game.step}\n" not in prompt(maze, game)


@given(st.integers(0, 200), st.data())
def test_as_many_steps_are_wrong_as_are_misread(seed: int, data: st.DataObject) -> None:
    maze = drawn(seed)
    course = Course(maze, maze.steps)
    truth: dict[int | None, str] = {
        step.number: course.place(step.number) or "None" for step in course.walk[6:]
    }
    wrong = data.draw(st.sets(st.sampled_from(list(truth)))) if truth else set()
    replies = {step: "Nowhere land" if step in wrong else said for step, said in truth.items()}
    if not replies:
        return
    read = read_course(course, replies)
    assert (read.right, read.asked) == (len(truth) - len(wrong), len(truth))
    if not wrong:
        for edge in course.moves.values():
            (leg,) = read.drawn.destination(edge.source, [edge.action])
            assert leg.target == edge.target


@given(st.integers(0, 200), st.data())
def test_of_a_list_only_what_comes_before_the_first_mistake_is_right(
    seed: int, data: st.DataObject
) -> None:
    maze = drawn(seed)
    course = Course(maze, maze.steps)
    moves = [
        {"location_before": e.source, "action": e.action, "location_after": e.target}
        for e in course.moves.values()
    ]
    place = data.draw(st.integers(0, len(moves)))
    broken = [dict(move) for move in moves]
    if place < len(moves):
        broken[place]["location_after"] = "Nowhere land"
    read = read_course(course, {None: str(broken)})
    assert (read.right, read.asked) == (place, len(moves))
