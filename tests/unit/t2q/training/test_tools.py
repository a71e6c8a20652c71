"""An episode by tools: it earns what the same commands earn in Gymnasium, and what scores say."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import astuple
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz.errors import KnobError
from worldquiz.facts import knowledge, knowledge_score
from worldquiz.facts.episode import Observation, Outcome
from worldquiz.facts.question import ABSTAIN, Prompt, gold
from worldquiz.serve.session import ToolError
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.run import Trial, sit
from worldquiz.t2q.training import trl
from worldquiz.t2q.training.rewards import Rewards
from worldquiz.t2q.training.tools import ToolEpisode, TypedTools
from worldquiz.t2q.training.worlds import Worlds

STEPS = 4
"""Commands a task, in the laws."""
Made = Callable[..., ToolEpisode]
Calls = list[tuple[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def episode() -> Iterator[ToolEpisode]:
    """Return an episode of short tasks in one easy world."""
    made = ToolEpisode(Worlds("easy", worlds=1, max_steps=STEPS))
    made.begin(0)
    yield made
    made.close()


@pytest.fixture(scope="module")
def words(episode: ToolEpisode) -> list[str]:
    """Return commands that do something in its world, and some that are refused."""
    plans = [task.walkthrough.commands for task in episode.watched.bundle.tasks]
    moves = [f"go {way}" for way in ("north", "south", "east", "west")]
    return sorted({*chain(*plans), *moves, "look", "inventory", "xyzzy", ""})


def answers(data: st.DataObject, episode: ToolEpisode) -> list[str]:
    """Draw an answer to each question: the right one, an abstention, or any other."""
    questions = episode.watched.bundle.questions
    return [data.draw(st.sampled_from([gold(q), ABSTAIN, "yes", "west", ""])) for q in questions]


def plays(episode: ToolEpisode, commands: list[str], said: list[str]) -> list[Rewards]:
    """Give commands, an empty one ends a task, then answers; return what was earned after each."""
    episode.begin(0)
    episode.look()
    earned = [episode.rewards]
    give, quiz = iter(commands), iter(said)
    while not episode.over:
        command = "" if episode._in_quiz else next(give, "")
        if episode._in_quiz:
            episode.say(next(quiz))
        elif command:
            episode.say(command)
        else:
            episode.call("done")
        earned.append(episode.rewards)
    return earned


class Scripted:
    """Gives the same commands and answers, by the benchmark's own loop."""

    name = "trainer"

    def __init__(self, commands: list[str], said: list[str]) -> None:
        self._commands, self._said = iter(commands), iter(said)

    async def begin(self, observation: Observation) -> None: ...

    async def act(self, observation: Observation) -> str | None:
        return next(self._commands, None) or None

    async def end(self, observation: Observation) -> None: ...

    async def study(self, transcripts: object) -> None: ...

    async def answer(self, prompt: Prompt) -> str:
        return next(self._said)


def run(script: Any) -> Any:
    """Run a coroutine that awaits nothing."""
    with pytest.raises(StopIteration) as end:
        script.send(None)
    return end.value.value


@settings(max_examples=10)
@given(data=st.data())
def test_rewards_add_up_to_the_scores_and_records_are_those_of_any_agent(
    episode: ToolEpisode, words: list[str], data: st.DataObject
) -> None:
    commands, said = data.draw(st.lists(st.sampled_from(words))), answers(data, episode)
    earned = plays(episode, commands, said)
    scripted, watched = Scripted(commands, said), Worlds("easy", worlds=1).opened(0)
    trial = Trial("trainer", "trainer", budget=PerTask(STEPS))
    sat = run(sit(watched, watched.bundle, trial, scripted, lambda episodes: scripted))
    watched.close()
    assert episode.played is not None
    assert [each.steps for each in episode.played.episodes] == [e.steps for e in sat.episodes]
    assert episode.played.answers == sat.answers

    graded, last = results(sat), earned[-1]
    points = knowledge_score.of(graded)
    assert points.counted
    assert last.quiz == points.share("knowledge")
    assert last.task == sum(each.outcome is Outcome.WON for each in sat.episodes) / watched.tasks
    assert knowledge.of(graded).share("coverage") == watched.knowing.coverage
    assert earned[0] == Rewards()
    steps = [b - a for a, b in pairwise(earned)]
    assert [sum(column) for column in zip(*map(astuple, steps), strict=True)] == pytest.approx(
        astuple(last)
    )
    assert all(step.task >= 0 <= step.knowledge for step in steps)


@settings(max_examples=10)
@given(data=st.data())
def test_who_answers_without_playing_never_gains(episode: ToolEpisode, data: st.DataObject) -> None:
    """Not even by right answers: nothing was shown that could have told them."""
    earned = plays(episode, [], answers(data, episode))
    assert all(each.task == each.knowledge == 0 for each in earned)
    assert all(b.quiz <= a.quiz for a, b in pairwise(earned))


def test_who_abstains_earns_nothing_from_the_quiz(episode: ToolEpisode, words: list[str]) -> None:
    asked = len(episode.watched.bundle.questions)
    assert {each.quiz for each in plays(episode, words, [ABSTAIN] * asked)} == {0.0}


def test_who_knows_all_that_was_shown_earns_the_ceiling(episode: ToolEpisode) -> None:
    full = ToolEpisode(Worlds("easy", worlds=1))
    full.begin(0)
    bundle = full.watched.bundle
    plan = [command for task in bundle.tasks for command in task.walkthrough.commands]
    right = [gold(question) for question in bundle.questions]
    last = plays(full, plan, right)[-1]
    assert full.played is not None
    points = knowledge_score.of(results(full.played))
    assert last.task == 1
    assert 0 < last.quiz <= (points.share("knowledge_ceiling") or 0)
    full.close()


def test_the_same_commands_earn_the_same_in_gymnasium_and_in_trl(words: list[str]) -> None:
    pytest.importorskip("gymnasium")
    from worldquiz.t2q.gym import T2QEnv

    options: dict[str, Any] = {"worlds": 1, "max_steps": STEPS}
    env, tools = T2QEnv("easy", reward="both", **options), trl.T2QTools("easy", **options)
    env.reset()
    told, commands = tools.reset(seed=0, prompt="ignored"), words * 3
    assert env.bundle.tasks[0].objective in told
    for command in commands:
        before = tools.rewards
        tools.act(command)
        _, reward, terminated, truncated, _ = env.step(command)
        assert reward == pytest.approx((tools.rewards - before).total(["task", "knowledge"]))
        if terminated or truncated:
            break
    assert terminated or truncated
    assert trl.knowledge_reward([tools]) == [tools.rewards.knowledge]
    assert trl.task_reward([tools], prompt=[""]) == [tools.rewards.task]
    tools.answer("yes")
    assert trl.quiz_reward([tools]) == [tools.rewards.quiz]
    env.close()


def test_typed_tools_give_the_commands_that_their_names_say() -> None:
    given: Calls = []

    class Noted(TypedTools):
        def _call(self, tool: str, /, **arguments: object) -> str:
            given.append((tool, arguments))
            return "told"

    tools = Noted()
    assert tools.go("north") == "told"
    tools.inventory()
    tools.unlock("blue door", "red key")
    tools.lock("blue door", "red key")
    tools.put("lamp", "table")
    for name in ("examine", "open", "close", "take", "drop", "eat"):
        getattr(tools, name)("lamp")
    assert [arguments["command"] for tool, arguments in given if tool == "act"] == [
        "go north", "inventory", "unlock blue door with red key", "lock blue door with red key",
        "put lamp on table", "examine lamp", "open lamp", "close lamp", "take lamp", "drop lamp",
        "eat lamp",
    ]  # fmt: skip
    given.clear()
    tools.look(), tools.done(), tools.answer("attic")
    assert given == [("look", {}), ("done", {"all_tasks": False}), ("answer", {"answer": "attic"})]


def test_each_tool_says_what_it_takes_as_trainers_read_it() -> None:
    for name, tool in inspect.getmembers(TypedTools, inspect.isfunction):
        if not name.startswith("_"):
            about = inspect.getdoc(tool) or ""
            parameters = [each for each in inspect.signature(tool).parameters if each != "self"]
            assert "Returns:" in about
            assert all(f"    {each}: " in about for each in parameters)
            assert ("Args:" in about) == bool(parameters)


def test_a_call_out_of_turn_changes_and_earns_nothing(episode: ToolEpisode) -> None:
    episode.begin(0)
    with pytest.raises(ToolError, match="call `look` first"):
        episode.call("act", command="look")
    assert episode.call("look") == episode.look()
    with pytest.raises(ToolError, match="You are playing"):
        episode.call("answer", answer="yes")
    with pytest.raises(ToolError, match="no tool"):
        episode.call("go", direction="north")
    episode.call("done", all_tasks=True)
    with pytest.raises(ToolError, match="You are in the quiz"):
        episode.call("act", command="look")
    assert episode.rewards == Rewards()
    assert episode.calls == 1


def test_a_quiz_may_be_short_or_left_out() -> None:
    short = ToolEpisode(Worlds("easy", worlds=1), questions=2)
    none = ToolEpisode(Worlds("easy", worlds=1, max_steps=0), questions=0)
    none.begin(0)
    assert "is finished" in none.look()
    assert none.over
    assert none.rewards == Rewards()
    short.begin(0)
    assert "get a few tasks" in short.look()
    assert "Question 1 of 2" in short.call("done", all_tasks=True)
    short.say("west")
    assert "is finished" in short.say("west")
    assert "is finished" in short.look() == short.call("look")
    assert short.played is not None
    assert len(short.played.answers) == 2
    for each in (short, none):
        each.close()


def test_a_seed_is_a_world_and_rows_of_a_dataset_name_them() -> None:
    assert [row["seed"] for row in trl.rows(3, first=5)] == [5, 6, 7]
    env = trl.T2QTools("easy", worlds=1, questions=0)
    assert env.reset(**trl.rows(1)[0]) == env.reset(seed=1)


def test_misuse_is_refused() -> None:
    with pytest.raises(KnobError, match="questions: -1"):
        trl.T2QTools(questions=-1)
    with pytest.raises(KnobError, match=r"questions: 2\.5"):
        trl.T2QTools(questions=2.5)  # type: ignore[arg-type]
    for number in ("../../up", 1.5, -1):
        with pytest.raises(KnobError, match=r"world .*: give a whole number"):
            trl.T2QTools().reset(seed=number)  # type: ignore[arg-type]
    with pytest.raises(KnobError, match="did you mean 'easy'"):
        trl.T2QTools("easi")
    with pytest.raises(KnobError, match="max_steps: '9': give a whole number from 0 up"):
        trl.T2QTools(max_steps="9")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="reset"):
        trl.T2QTools().look()
    with pytest.raises(ValueError, match="reset"):
        trl.T2QTools().rewards  # noqa: B018
