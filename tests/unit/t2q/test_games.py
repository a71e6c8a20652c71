"""The order in which the game lists things tells nothing but their names."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from conftest import SpecOf
from worldquiz.facts.fact import MATCH, Fact
from worldquiz.t2q.games import source
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.spec import WorldSpec


def declared(spec: WorldSpec) -> list[list[str]]:
    """Return the names of each kind in the order in which the game declares them."""
    text, _ = source(spec)
    names = dict(re.findall(r'The printed name of ([a-z]_\d+) is "(.+?)"', text))
    lists = re.findall(r"^The (.*) are (?!privately)[a-z-]+\.$", text, re.MULTILINE)
    return [[names[id] for id in re.findall(r"[a-z]_\d+", line)] for line in lists]


@pytest.mark.parametrize("level", PRESETS)
def test_things_of_a_kind_are_declared_by_name(level: str, spec_of: SpecOf) -> None:
    spec = spec_of(level, 1)
    listed = spec.of_kind("container", "supporter", "object", "food", "key")
    things = [names for names in declared(spec) if names[0] in listed]
    assert things
    assert things == [sorted(names) for names in things]


def test_what_keys_fit_changes_no_order(spec_of: SpecOf) -> None:
    spec = spec_of("hard", 1)
    keys = list(MATCH.of(spec.facts))
    others = [lock for _, lock in keys[1:] + keys[:1]]
    turned = {MATCH(key, lock) for (key, _), lock in zip(keys, others, strict=True)}
    kept: set[Fact] = {fact for fact in spec.facts if fact.predicate != "match"}
    assert declared(replace(spec, facts=tuple(sorted(kept | turned)))) == declared(spec)
