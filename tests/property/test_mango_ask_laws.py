"""Laws of asking: what is asked is scored as it was asked, whatever names a maze has."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mango_data import mazes
from worldquiz.mango.answers import Answer, Asked, import_work
from worldquiz.mango.generate import generate
from worldquiz.mango.grade import Guide, Question, Task
from worldquiz.mango.mazes import Edge, Maze, Sight
from worldquiz.mango.paths import Route
from worldquiz.mango.published import read, write
from worldquiz.mango.questions import planned, question_words, questions
from worldquiz.mango.run import Book
from worldquiz.mango.settings import Knobs, QuizSettings
from worldquiz.mango.walkthrough import WalkStep, plain
from worldquiz.runs.life import live

FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def answer_to(question: Question, steps: int) -> Answer:
    return Answer(
        game=question.game, id=question.id, task=question.task, source=question.source,
        actions=question.actions, target=question.target, reply=None, steps=steps,
    )  # fmt: skip


@FEW
@given(mazes(), st.integers(0, 12), st.sampled_from(Route))
def test_a_question_is_as_hard_when_it_is_scored_as_when_it_was_asked(
    maze: Maze, steps: int, easy: Route
) -> None:
    asked = QuizSettings(steps=steps, choice="published", per_maze=40, rf_easy=easy)
    known = Asked(maze, easy)
    for question in questions(maze, asked, steps):
        found = known.question(answer_to(question, steps))
        assert found.level(steps) is not None
        assert (found.level(steps), found.shortest) == (question.level(steps), question.shortest)


@FEW
@given(mazes(), st.integers(0, 12))
def test_a_route_is_asked_wherever_told_moves_join_two_places(maze: Maze, steps: int) -> None:
    joined = {
        (edge.source, edge.target)
        for edge in maze.edges
        if min(edge.told.forward or 99, edge.told.backward or 99) <= steps
    }
    while more := {(a, d) for a, b in joined for c, d in joined if b == c} - joined:
        joined |= more
    given = QuizSettings(steps=steps, choice="published", tasks="rf", per_maze=10**6)
    asked = questions(maze, given, steps)
    assert {(each.source, each.target) for each in asked} == {(a, b) for a, b in joined if a != b}


@FEW
@given(st.builds(Knobs, size=st.integers(2, 9)), st.integers(0, 2**32), st.integers(1, 20))
def test_a_perfect_keeper_of_the_map_is_right_on_all(knobs: Knobs, seed: int, steps: int) -> None:
    maze = generate(knobs, seed, name="it")
    book, guide = Book(maze), Guide(maze)
    given = QuizSettings(steps=steps, choice="published", per_maze=20)
    for question in questions(maze, given, steps):
        edges = [maze.edges[number] for number in guide.answer(question, steps) or ()]
        reply = [
            {"prev_node": edge.source, "action": edge.action, "node": edge.target} for edge in edges
        ]
        found = book.graded(question, steps, {"reply": json.dumps(reply)})
        assert found["correct"] == found["measures"]["reasoning"] == 1
        assert found["correct"] == 1


HOSTILE = [
    "]", '"', "'", "}]", "[{", "a, b", "->", "a --> b --> c, step 3, answerable 1", "{walkthrough}",
    "{}", "\\", "\\n", "hall (2nd floor)", "Bob's \"house\"", "``` ```", "None", "True", "100%",
    "to", 'x" to "y', "straße", "İstanbul", "名前", "é", "e\u0301", "\u202eright", "💡", "<think>",
    "</think>", "'], where are you now?", "# no comment", "prev_node", "'node': 'x'",
]  # fmt: skip


@st.composite
def hostile(draw: st.DrawFn) -> Maze:
    """A walk from place to place, back and on, whose places and actions have hostile names."""
    odd = st.sampled_from(HOSTILE) | st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1
    )
    name = odd.filter(lambda text: text.strip() == text and text != "" and text.isprintable())
    places = draw(st.lists(name, min_size=2, max_size=6, unique_by=plain))
    actions = draw(st.lists(name, min_size=2, max_size=6, unique_by=plain))
    edges: dict[tuple[str, str, str], int] = {}
    walk = [WalkStep(0, "Init", places[0])]
    here = places[0]
    for number in range(1, draw(st.integers(1, 12)) + 1):
        there = draw(st.sampled_from([place for place in places if place != here]))
        action = draw(st.sampled_from(actions))
        known = {end for (start, act, end) in edges if (start, act) == (here, action)}
        there = min(known, default=there)
        edges.setdefault((here, action, there), number)
        walk.append(WalkStep(number, action, there))
        here = there
    made = [
        Edge(source, action, target, Sight(step), Sight(step))
        for (source, action, target), step in edges.items()
    ]
    seen = dict.fromkeys(step.observation for step in walk)
    return Maze("hostile", tuple(seen), tuple(made), tuple(walk), len(walk) - 1)


def perfect(maze: Maze, question: Question) -> list[dict[str, str]]:
    """The question's own moves, or those of a shortest route, as a model should tell them."""
    exits = {(edge.source, edge.action): edge.target for edge in maze.edges}
    if question.task is Task.DF:
        legs, here = [], question.source
        for action in question.actions:
            legs.append((here, action, exits[here, action]))
            here = exits[here, action]
    else:
        came: dict[str, list[tuple[str, str, str]]] = {question.source: []}
        queue = deque([question.source])
        while question.target not in came:
            here = queue.popleft()
            for (source, action), target in exits.items():
                if source == here and target not in came:
                    came[target] = [*came[here], (source, action, target)]
                    queue.append(target)
        legs = came[question.target]
    return [{"prev_node": s, "action": a, "node": t} for s, a, t in legs]


def worded(moves: list[dict[str, str]], way: int) -> str:
    """Tell moves in one of several ways, with words around them where no name looks like a list."""
    told = (str(moves), json.dumps(moves), json.dumps(moves, ensure_ascii=False))[way % 3]
    around = ("{}", "```json\n{}\n```", "Sure! Here it is:\n\n{}\n\nGood luck.")[way // 3 % 3]
    looks = any(word in name for move in moves for name in move.values() for word in ("[{", "<"))
    return told if looks else around.replace("{}", told)


@pytest.mark.slow
@settings(FEW, max_examples=25)
@given(hostile(), st.sampled_from(["full", "simplified"]))
def test_a_perfect_reader_is_perfect_whatever_things_are_called(maze: Maze, text: str) -> None:
    """From the folder that a run keeps, through the prompt, to the score on disk."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        read_back = read(write(maze, home / "mazes"))
        assert read_back == maze
        plan = planned(
            {"hostile": read_back}, QuizSettings(steps=70, walkthrough=text, choice="published")
        )
        lines = []
        for number, question in enumerate(plan.questions):
            prompt = question_words(question)
            assert question.source in prompt or repr(question.source)[1:-1] in prompt
            reply = worded(perfect(maze, question), number)
            df = question.task is Task.DF
            told = {"actions": question.actions} if df else {"target": question.target}
            about = {"game": "hostile", "task": question.task, "id": question.id, **told}
            lines.append({**about, "source": question.source, "reply": reply, "steps": 70})
        answers = home / "answers.jsonl"
        answers.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        found = live(import_work(answers, home / "mazes"), home / "run")
    asked = 0
    for task in ("df", "rf"):
        cell = found[task]["all"]
        asked += cell["asked"]
        for name in ("success", "reasoning", "weighted"):
            assert cell[name]["macro"] in (1.0, None)
        assert cell["ill_formed"] == 0
    assert asked == len(plan.questions)
