"""Training a policy of `learned_policy` in worlds of Task2Quiz, by the rewards of its environment.

Worlds are played in rounds of `AT_ONCE`, a command each in turn; after a round the policy learns
from all of it, by proximal policy optimization (arXiv 1707.06347).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from learned_policy import Follower, Policy, Sight, torch

from worldquiz import rng
from worldquiz.facts.episode import Observation
from worldquiz.records import whole_file, write_json
from worldquiz.t2q.gym import T2QEnv
from worldquiz.t2q.training import Reward

REWARDS: tuple[Reward, ...] = ("task", "both", "knowledge")
AT_ONCE = 20
"""Worlds that are played at once; after them the policy learns."""
DISCOUNT, TRACE = 0.95, 0.9
CLIP, PASSES, BATCH, RATE, ENTROPY, VALUE = 0.2, 3, 128, 2e-3, 0.01, 0.5
TOTALS = ("won", "tasks", "settled", "questions", "commands")
Counts = dict[str, float]


@dataclass
class Game:
    """One world that is being played."""

    env: T2QEnv
    follower: Follower = field(default_factory=Follower)
    sights: list[Sight] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    logs: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    info: dict[str, Any] = field(default_factory=dict)
    over: bool = False

    def begin(self, number: int) -> None:
        """Begin a world."""
        seen, self.info = self.env.reset(seed=number)
        _, start = told(seen["text"])
        self.follower.begin(_observed(start or "", seen))

    def sight(self) -> Sight:
        """Return what there is to choose from now."""
        self.sights.append(self.follower.sight())
        return self.sights[-1]

    def step(self, taken: int, log: float, value: float) -> None:
        """Give the game the command that was taken."""
        command = self.sights[-1].commands[taken]
        self.taken.append(taken)
        self.logs.append(log)
        self.values.append(value)
        seen, reward, won, lost, self.info = self.env.step(command)
        self.rewards.append(reward)
        self.over = won or lost
        reply, start = told(seen["text"])
        self.follower.follow(command, _observed(reply, seen))
        if start is not None:
            self.follower.begin(_observed(start, seen))

    def advantages(self) -> list[float]:
        """Return how much better each command was than expected (arXiv 1506.02438, eq. 16)."""
        found, ahead, after = [], 0.0, 0.0
        for reward, value in zip(reversed(self.rewards), reversed(self.values), strict=True):
            ahead = reward + DISCOUNT * after - value + DISCOUNT * TRACE * ahead
            after = value
            found.append(ahead)
        return found[::-1]


_TOLD = re.compile(
    r"(?:(?P<reply>.*?)\n\nThe task is (?:won|over; it is not won)\.)?\s*"
    r"(?:Task \d+ of \d+\.(?: The world is as at its start again\.)?\n\n(?P<start>.*))?",
    re.DOTALL,
)


def told(text: str) -> tuple[str, str | None]:
    """Return the last reply of a task that ended, and the first text of one that began.

    A text within a task is a reply and begins none.
    """
    match = _TOLD.fullmatch(text)
    if match is None or not any(match.groups()):
        return text, None
    return match["reply"] or "", match["start"]


def _observed(text: str, seen: Mapping[str, str]) -> Observation:
    return Observation(text, seen["inventory"], 0, False, seen["objective"])


def played(
    envs: Sequence[T2QEnv], policy: Policy, numbers: Sequence[int], draws: random.Random
) -> list[Game]:
    """Return games that a policy played, each to its end, all a command at a time."""
    games = [Game(env) for env in envs[: len(numbers)]]
    for game, number in zip(games, numbers, strict=True):
        game.begin(number)
    while going := [game for game in games if not game.over]:
        sights = [game.sight() for game in going]
        taken, logs, values = policy.picks(sights, [draws.random() for _ in going])
        for game, *step in zip(going, taken, logs.tolist(), values.tolist(), strict=True):
            game.step(*step)
    return games


def learn(policy: Policy, optimizer: Any, games: Sequence[Game], draws: random.Random) -> None:
    """Change a policy by what games earned (arXiv 1707.06347, eq. 7 and 9)."""
    sights = [sight for game in games for sight in game.sights]
    taken = torch.tensor([one for game in games for one in game.taken])
    before = torch.tensor([one for game in games for one in game.logs])
    expected = torch.tensor([one for game in games for one in game.values])
    better = torch.tensor([one for game in games for one in game.advantages()])
    returns = better + expected
    better = (better - better.mean()) / (better.std() + 1e-6)
    order = list(range(len(sights)))
    for _ in range(PASSES):
        draws.shuffle(order)
        for at in range(0, len(order), BATCH):
            part = order[at : at + BATCH]
            logs, values = policy.rated([sights[one] for one in part])
            ratio = (logs.gather(1, taken[part][:, None]).squeeze(1) - before[part]).exp()
            gain = better[part]
            gained = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            spread = -(logs.exp() * logs.clamp(min=-30)).sum(dim=1).mean()
            missed = (values - returns[part]).square().mean()
            optimizer.zero_grad()
            (VALUE * missed - gained - ENTROPY * spread).backward()
            torch.nn.utils.clip_grad_norm_(policy.net.parameters(), 1.0)
            optimizer.step()


@dataclass(frozen=True)
class Plan:
    """What a training is of."""

    level: str
    worlds: int
    epochs: int

    def trained(self, reward: Reward, seed: int, path: Path, say: Callable[[str], None]) -> Policy:
        """Return a policy that was trained, now or before; `path` keeps it after each epoch.

        An epoch plays each world once. All draws follow from seed and epoch, so that a training
        that was killed ends as an undisturbed one.
        """
        policy = Policy(rng.child_seed(seed, "policy") % 2**63)
        optimizer = torch.optim.Adam(policy.net.parameters(), lr=RATE)
        curve: list[Counts] = []
        if path.is_file():
            kept = torch.load(path, weights_only=True)
            policy.net.load_state_dict(kept["net"])
            optimizer.load_state_dict(kept["optimizer"])
            curve = kept["curve"]
        envs = [T2QEnv(self.level, reward=reward) for _ in range(min(AT_ONCE, self.worlds))]
        for epoch in range(len(curve), self.epochs):
            curve.append(self._epoch(policy, optimizer, envs, rng.child(seed, reward, epoch)))
            with whole_file(path) as file:
                torch.save({"net": policy.net.state_dict(), "optimizer": optimizer.state_dict(),
                            "curve": curve}, file)  # fmt: skip
            write_json(path.with_suffix(".json"), curve)
            say(f"{reward} {seed} epoch {epoch + 1}: {curve[-1]}")
        for env in envs:
            env.close()
        return policy

    def _epoch(
        self, policy: Policy, optimizer: Any, envs: Sequence[T2QEnv], draws: random.Random
    ) -> Counts:
        """Play each world once and learn from it; return what the games came to."""
        numbers = draws.sample(range(self.worlds), self.worlds)
        found: Counter[str] = Counter()
        for at in range(0, len(numbers), len(envs)):
            games = played(envs, policy, numbers[at : at + len(envs)], draws)
            learn(policy, optimizer, games, draws)
            for game in games:
                found.update({name: game.info[name] for name in TOTALS})
        return dict(found)
