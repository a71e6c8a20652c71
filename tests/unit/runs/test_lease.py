"""Claims in a store: one holder at a time, whatever the order of events and the clocks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stores import memory
from worldquiz.errors import KnobError, RecordError
from worldquiz.runs import lease as leases
from worldquiz.runs.lease import CLAIMS, LENGTH, Lease, Lost

ROOT, WHERE = "/bucket/run", "memory://bucket/run"
SECONDS = 60.0


class Clock:
    """Stands for the module `time`: one true time, and a wall clock that may be wrong."""

    def __init__(self) -> None:
        self.now, self.wrong = 1_000_000.0, 0.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now + self.wrong

    def localtime(self, seconds: float) -> float:
        return seconds

    def strftime(self, form: str, seconds: float) -> str:
        return f"{seconds:.0f}"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(leases, "time", found)
    return found


def lease(files: Any, copy: str) -> Lease:
    return Lease(files, ROOT, WHERE, copy)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(range(3)),
        st.sampled_from(["take", "renew", "release"]),
        st.floats(0, 2 * SECONDS),
    ),
    max_size=20,
)


@given(STEPS, st.lists(st.floats(-0.24 * SECONDS, 0.24 * SECONDS), min_size=3, max_size=3))
def test_two_never_hold_a_folder_at_once(
    steps: list[tuple[int, str, float]], wrong: list[float]
) -> None:
    """Clocks that differ by less than half a length are no danger."""
    files, clock = memory(), Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leases, "time", clock)
        owners = [lease(files, f"machine {number}") for number in range(3)]
        for who, what, wait in steps:
            clock.now += wait
            assert sum(each.sure for each in owners) <= 1
            clock.wrong = wrong[who]
            if what == "take" or owners[who].sure:
                try:
                    getattr(owners[who], what)()
                except Lost:
                    assert not owners[who].sure or what == "take"
            assert sum(each.sure for each in owners) <= 1


def test_the_second_is_told_who_holds_the_folder(clock: Clock) -> None:
    files = memory()
    lease(files, "a").take()
    with pytest.raises(Lost, match=r"another worldquiz is writing here \(process \d+ on .*free at"):
        lease(files, "b").take()


def test_a_dead_holder_is_followed_when_its_claim_has_run_out(clock: Clock) -> None:
    files = memory()
    dead, heir = lease(files, "a"), lease(files, "b")
    dead.take()
    clock.now += SECONDS * 1.4
    with pytest.raises(Lost):
        heir.take()
    clock.now += SECONDS * 0.2
    assert not dead.sure
    heir.take()
    assert heir.sure
    with pytest.raises(Lost, match="has claimed this folder meanwhile"):
        dead.renew()
    assert not dead.sure
    assert [name.rpartition("/")[2] for name in files.find(ROOT)] == ["00000002.json"]


def test_the_copy_of_the_dead_goes_on_at_once(clock: Clock) -> None:
    files = memory()
    lease(files, "a").take()
    again = lease(files, "a")
    again.take()
    assert again.sure


def test_a_claim_that_is_let_go_is_free_at_once(clock: Clock) -> None:
    files = memory()
    first, second = lease(files, "a"), lease(files, "b")
    first.take()
    assert second.holder()
    first.release()
    assert second.holder() is None
    second.take()


def test_a_holder_that_slept_claims_the_folder_anew(clock: Clock) -> None:
    files = memory()
    sleeper = lease(files, "a")
    sleeper.take()
    clock.now += SECONDS * 10
    assert not sleeper.sure
    sleeper.renew()
    assert sleeper.sure
    assert [name.rpartition("/")[2] for name in files.find(ROOT)] == ["00000002.json"]


@pytest.mark.parametrize(
    "claim",
    [
        b"", b"[]", b"null", b"{}", b'"x"', b"x" * 20_000,
        json.dumps({"copy": "a", "host": "h", "process": 1, "length": 1e9, "until": 1}).encode(),
        json.dumps({"copy": "a", "host": "h", "process": 1, "length": 1, "until": 1e300}).encode(),
    ],
)  # fmt: skip
def test_what_is_no_claim_is_refused_by_name(claim: bytes, clock: Clock) -> None:
    files = memory()
    files.pipe_file(f"{ROOT}/{CLAIMS}/00000003.json", claim)
    with pytest.raises(RecordError, match=r"00000003\.json: is no claim of worldquiz"):
        lease(files, "b").take()


@pytest.mark.parametrize("told", ["soon", "0", "-1", "nan", "1e9"])
def test_a_length_that_no_claim_has_is_refused(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LENGTH, told)
    with pytest.raises(KnobError, match=LENGTH):
        leases.length()
