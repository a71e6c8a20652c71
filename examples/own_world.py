"""Your own world without a simulator: two rooms and a lamp, checked against the laws of a world.

    python examples/own_world.py

Any world that keeps these laws works with every command: `worldquiz.t2q` makes a suite from it. To
give yours a name, declare an entry point in the group ``worldquiz.worlds`` (see
`worldquiz.t2q.world.spec`).
"""

from __future__ import annotations

import tempfile

import worldquiz
from worldquiz.facts.episode import Observation
from worldquiz.facts.fact import Fact, State
from worldquiz.t2q import Proof, Room, Solution, Task, Transition, Verb, WorldSpec
from worldquiz.t2q.world.predicates import AT, CARRIED, KIND, LEADS, LISTED, PLAYER_AT

SPEC = WorldSpec(
    id="toy",
    level="toy",
    seed=0,
    start="hall",
    rooms=(Room("hall", 0, 0), Room("attic", 0, 1)),
    facts=tuple(
        sorted(
            (
                KIND("hall", "room"),
                KIND("attic", "room"),
                KIND("lamp", "object"),
                LEADS("hall", "north", "attic"),
                LEADS("attic", "south", "hall"),
                AT("lamp", "attic"),
                PLAYER_AT("hall"),
            )
        )
    ),
)
TASK = Task(
    id="fetch-lamp",
    verb=Verb.FETCH,
    target="lamp",
    goal=(CARRIED("lamp"),),
    objective="Recover the lamp.",
    discloses=(),
    covers=("attic", "hall", "lamp"),
    walkthrough=Solution(("go north", "take lamp"), Proof.SHORTEST),
)


class TwoRooms:
    """A hall, an attic, and a lamp that can be taken."""

    spec = SPEC
    tasks = (TASK,)  # without this line, tasks are chosen from the spec

    def __init__(self) -> None:
        self._task = TASK
        self._room, self._taken = "hall", False

    @property
    def state(self) -> State:
        """All that is true now."""
        moved = {PLAYER_AT("hall"), AT("lamp", "attic")}
        lamp = CARRIED("lamp") if self._taken else AT("lamp", "attic")
        return (SPEC.initial - moved) | {PLAYER_AT(self._room), lamp}

    def reset(self, task: Task) -> Transition:
        """Return to the start."""
        self._task, self._room, self._taken = task, "hall", False
        return self._looked(None)

    def step(self, action: str) -> Transition:
        """Carry out a command, or refuse it."""
        match (self._room, action):
            case ("hall", "go north") | ("attic", "go south"):
                before, self._room = self._room, "attic" if self._room == "hall" else "hall"
                walked = LEADS(before, action.removeprefix("go "), self._room)
                return self._looked(action, walked)
            case ("attic", "take lamp") if not self._taken:
                self._taken = True
                return self._seen("Taken.", (AT("lamp", "attic"), CARRIED("lamp")), action)
        return self._seen("You cannot do that.", (), None)

    def close(self) -> None:
        """Do nothing, since there is nothing to free."""

    def _looked(self, command: str | None, *walked: Fact) -> Transition:
        """Describe the room and everything in it; so things not mentioned are not there."""
        lamp = {AT("lamp", self._room)} & self.state
        text = f"You are in the {self._room}. You see {'a lamp' if lamp else 'nothing'} here."
        here = (*walked, *lamp, PLAYER_AT(self._room), LISTED(self._room))
        return self._seen(text, here, command)

    def _seen(self, text: str, revealed: tuple[Fact, ...], command: str | None) -> Transition:
        won = self._task.won(self.state)
        carried = "a lamp" if self._taken else "nothing"
        seen = Observation(text, f"You carry {carried}.", int(won), won, self._task.objective)
        return Transition(seen, tuple(sorted(revealed)), command)


def main() -> None:
    worldquiz.t2q.check_world(TwoRooms(), TASK)
    print("two rooms, no broken law")
    with tempfile.TemporaryDirectory() as scratch:
        suite = worldquiz.t2q.suite(worlds=[TwoRooms], out=f"{scratch}/suite")
        run = suite.run(agent="walkthrough", answerer="oracle", out=f"{scratch}/run")
        print(f"{run.scores['counts']['questions']} questions, EUS {run.scores['eus']:.2f}")


if __name__ == "__main__":
    main()
