"""Memory addresses of a game that tell the rooms of a maze apart.

A maze may be one object whose rooms are numbers kept in memory, and its rooms may read alike. A
round trip finds the address that keeps them: a move changes its value, the move's reverse puts it
back, and the move again changes it to the same. Turn counters and the last command fail this.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

Addresses = tuple[int, ...]
"""Addresses of memory, in order."""


def kept(before: bytes, here: bytes, there: bytes, again: bytes, after: bytes) -> list[int]:
    """Return the addresses that a move changed, its reverse put back, and the move changed again.

    `before` and `after` are the memory around the move itself. The others are taken each after one
    and the same command that takes no turn: `here` after the move, `there` after its reverse,
    `again` after the move once more.
    """
    memories = zip(before, here, there, again, after, strict=True)
    return [
        address
        for address, (old, new, back, twice, now) in enumerate(memories)
        if old == back != new == twice == now
    ]


def grounds(rounds: Iterable[tuple[int, str, Sequence[int]]]) -> dict[int, Addresses]:
    """Return, for each object, the addresses that tell its rooms apart.

    A round is an object, an axis (a direction, north and south being one) and what was kept there.
    An address that says where one is was kept by most moves along its axis, more often than any
    other, and by those along every axis if the rooms are numbered; an address that happened to be
    put back, such as the room before, was not. One round alone is no proof.
    """
    votes: dict[int, dict[str, list[Sequence[int]]]] = defaultdict(lambda: defaultdict(list))
    for place, axis, addresses in rounds:
        votes[place][axis].append(addresses)
    return {
        place: _ground(axes)
        for place, axes in votes.items()
        if sum(len(moves) for moves in axes.values()) > 1
    }


def _ground(axes: Mapping[str, Sequence[Sequence[int]]]) -> Addresses:
    found = []
    for moves in axes.values():
        counts = Counter(address for addresses in moves for address in addresses)
        most = max(counts.values(), default=0)
        found.append(
            {address for address, count in counts.items() if count == most > len(moves) / 2}
        )
    return tuple(sorted(set.intersection(*found) or set.union(*found)))
