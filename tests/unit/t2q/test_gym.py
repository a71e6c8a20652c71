"""Task2Quiz in Gymnasium: its own checker, laws of the rewards, and worlds that are kept apart."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import worldquiz as wq
from worldquiz.errors import KnobError
from worldquiz.t2q.world.config import PRESETS

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

gymnasium.register_envs(wq.gym)
NAME = "worldquiz/T2Q-easy-v0"
GAME = "worldquiz.t2q.world.game:Game"
STEPS = 5
"""Commands a task, in the laws."""


def made(**options: Any) -> Any:
    """Return an environment of one easy world."""
    return gymnasium.make(NAME, **{"worlds": 1, **options}).unwrapped


Play = Callable[..., wq.Run]


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Return a function by which a scripted agent gives commands in an environment's world."""
    env, suites = made(), tmp_path_factory.mktemp("suites")
    env.reset()
    suite = wq.t2q.suite([env.bundle], out=suites / "suite", opened_by=GAME)

    def played(commands: Sequence[str], answerer: str, most: int) -> wq.Run:
        class Replay:
            name = "gym"

            def __init__(self) -> None:
                self._commands = iter(commands)

            def act(self, observation: Any) -> str | None:
                return next(self._commands, None)

        out = tmp_path_factory.mktemp("run")
        return suite.run(agent=Replay, answerer=answerer, max_steps=most, out=out)

    return played


@pytest.fixture(scope="module")
def env() -> Any:
    """Return an environment that rewards knowledge, of short tasks."""
    return made(reward="knowledge", max_steps=STEPS)


@pytest.fixture(scope="module")
def words(env: Any) -> list[str]:
    """Return commands that do something in its world, and some that are refused."""
    env.reset()
    plans = [task.walkthrough.commands for task in env.bundle.tasks]
    moves = [f"go {way}" for way in ("north", "south", "east", "west")]
    return sorted({*chain(*plans), *moves, "look", "inventory", "xyzzy", "go ünder\n"})


def through(env: Any, commands: Sequence[str]) -> list[tuple[Any, ...]]:
    """Give commands as long as the episode lasts; return what came of the reset and of each."""
    seen, info = env.reset()
    found: list[tuple[Any, ...]] = [(seen, 0.0, False, False, info)]
    for command in commands:
        if not (found[-1][2] or found[-1][3]):
            found.append(env.step(command))
    return found


def plan(env: Any) -> list[str]:
    env.reset()
    return [command for task in env.bundle.tasks for command in task.walkthrough.commands]


def test_gymnasiums_checker_passes() -> None:
    env = gymnasium.make(NAME, worlds=1, reward="both", admissible=True)
    check_env(env.unwrapped)
    env.close()


def test_importing_names_nothing_to_gymnasium_and_its_module_names_every_environment() -> None:
    code = (
        "import sys; finders = [*sys.meta_path]\n"
        "import worldquiz; assert 'gymnasium' not in sys.modules; assert sys.meta_path == finders\n"
        "import gymnasium\n"
        "def ids(): return {name for name in gymnasium.registry if name.startswith('worldquiz/')}\n"
        "assert not ids(); gymnasium.register_envs(worldquiz.gym)\n"
        "assert 'worldquiz.t2q' not in sys.modules; print(*ids())"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    mine = {name for name in said.stdout.split() if name.startswith("worldquiz/T2Q-")}
    assert mine == {f"worldquiz/T2Q-{level}-v0" for level in PRESETS}


def test_the_walkthroughs_win_the_whole_task_reward() -> None:
    env = made()
    steps = through(env, plan(env))
    assert sum(step[1] for step in steps) == pytest.approx(1)
    assert steps[-1][2:4] == (True, False)
    assert steps[-1][4]["won"] == steps[-1][4]["tasks"] == len(env.episodes)
    assert "The task is won." in steps[-1][0]["text"]
    with pytest.raises(ValueError, match="reset"):
        env.step("look")


def test_both_is_the_sum_of_the_two() -> None:
    envs = [made(reward=reward) for reward in ("task", "knowledge", "both")]
    task, known, both = ([step[1] for step in through(env, plan(env))] for env in envs)
    assert both == pytest.approx([a + b for a, b in zip(task, known, strict=True)])
    assert sum(task) > 0 < sum(known)


def test_a_world_that_is_not_won_is_cut_off_after_its_budget() -> None:
    env = made(max_steps=3)
    steps = through(env, ["look"] * 100)
    assert steps[-1][2:4] == (False, True)
    assert [step[1] for step in steps] == [0.0] * (1 + 3 * len(env.bundle.tasks))
    assert "it is not won" in steps[-1][0]["text"]


def test_a_quiz_pays_for_what_was_shown_and_never_for_guessing(play: Play) -> None:
    idle, seen = made(max_steps=0), made()
    idle.reset()
    commands = plan(seen)
    through(seen, commands)
    run, asked = play(commands, "oracle", 1000), seen.bundle.questions
    for env in (idle, seen):
        assert env.quiz_score(asked, []) == 0
    right = [row.gold for row in run.rows]
    guessed = [idle.quiz_score(asked, right[:n]) for n in range(len(asked))]
    assert all(b <= a for a, b in pairwise(guessed))
    score = seen.quiz_score(asked, [row.reply for row in run.rows])
    assert 0 < score == pytest.approx(run.scores["knowledge"])
    assert score <= run.scores["ceiling"]


def test_records_are_those_of_a_scripted_agent(play: Play) -> None:
    env = made(max_steps=STEPS)
    commands = ["look", "go west", "xyzzy", "go east", "inventory"] * len(plan(env))
    through(env, commands)
    run = play(commands, "abstainer", STEPS)
    lines = [json.loads(line) for line in (run.path / "episodes.jsonl").read_text().splitlines()]
    assert [(each.task, str(each.outcome)) for each in env.episodes] == [
        (line["task"], line["outcome"]) for line in lines
    ]
    for episode, line in zip(env.episodes, lines, strict=True):
        assert [
            (step.action, step.observation.text, [*map(str, step.revealed)])
            for step in episode.steps
        ] == [(each["action"], each["observation"]["text"], each["revealed"])
              for each in line["steps"]]  # fmt: skip


@settings(max_examples=15)
@given(data=st.data())
def test_knowledge_is_paid_when_it_is_settled_and_adds_up_to_coverage(
    env: Any, words: list[str], play: Play, data: st.DataObject
) -> None:
    most = STEPS * len(env.bundle.tasks)
    commands = data.draw(st.lists(st.sampled_from(words), min_size=most, max_size=most))
    steps, rows = through(env, commands), play(commands, "abstainer", STEPS).rows
    info = steps[-1][4]
    assert info["coverage"] == sum(row.shown for row in rows) / len(rows)
    earned = sum(step[1] for step in steps)
    assert steps[0][4]["coverage"] + earned == pytest.approx(info["coverage"])
    moments = [(row.episode, row.step) for row in rows]
    assert [round(step[1] * len(moments)) for step in steps[1:]] == [
        sum(moment in shown for moment in moments) for shown in shown_by_steps(env)
    ]


def shown_by_steps(env: Any) -> list[set[tuple[int, int]]]:
    """Return the moments that each command showed: the last one of a task begins the next, too."""
    found: list[set[tuple[int, int]]] = []
    for number, episode in enumerate(env.episodes):
        if found:
            found[-1].add((number, 0))
        found += [{(number, step.index)} for step in episode.steps[1:]]
    return found


def test_admissible_commands_are_told_on_demand_and_never_refused() -> None:
    env = made(admissible=True, max_steps=6)
    (_, info), over, given = env.reset(), False, 0
    while not over:
        commands = info["admissible_commands"]
        *_, won, cut, info = env.step(commands[given % len(commands)])
        over, given = won or cut, given + 1
    steps = [step for episode in env.episodes for step in episode.steps[1:]]
    assert all(step.command == step.action for step in steps)
    assert "admissible_commands" not in made().reset()[1]


def test_a_seed_decides_the_world_and_resets_go_on_from_it() -> None:
    env = made(seed=5, worlds=2)
    env.reset()
    assert env.bundle.spec.id == "easy-train-1"
    drawn = []
    for seed in (8, None, None, 8, None, None):
        env.reset(seed=seed)
        drawn.append(env.bundle.spec.id)
    env.close()
    assert drawn[:3] == drawn[3:]
    assert drawn[0] == "easy-train-0"


def test_any_text_is_a_command_and_what_is_seen_stays_in_its_space(env: Any) -> None:
    env.reset()
    for command in ("ö" * 5_000, "", "\x00", "look\nlook"):
        seen, *_ = env.step(command)
        assert seen in env.observation_space
        assert seen["objective"] in env.bundle.tasks[0].objective
    with pytest.raises(ValueError, match="is not a text"):
        env.step(3)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_many_at_once_are_told_what_each_alone_is() -> None:
    commands = ["look", "go west", "inventory", "go east"]
    env = made()
    alone = [step[0]["text"] for step in through(env, commands)]
    env.close()
    apart = {"shared_memory": False}
    envs = gymnasium.make_vec(NAME, 2, "async", apart, worlds=1)
    told = [envs.reset()[0]["text"]]
    told += [envs.step((command, command))[0]["text"] for command in commands]
    envs.close()
    assert told == [(text, text) for text in alone]


def test_a_vector_is_told_that_shared_memory_holds_no_texts() -> None:
    """Gymnasium would show the texts that were there at the start, which are none, for ever."""
    with pytest.raises(ValueError, match="shared_memory=False"):
        gymnasium.make_vec(NAME, 1, "async", worlds=1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": "easi"}, r"no level 'easi'; did you mean 'easy'"),
        ({"split": "dev"}, "no split 'dev'"),
        ({"reward": "tasks"}, r"no reward 'tasks'; did you mean 'task'"),
        ({"worlds": 0}, "worlds: 0"),
        ({"max_steps": "9"}, "max_steps: '9': expected a whole number of 0 or more"),
        ({"max_steps": 5, "budget": 2.0}, "give only one of them"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(KnobError, match=said):
        made(**options)
