"""Physics that lets loose things come to rest, and so decides their poses and supports.

Loose things are free bodies made of their own parts; fixed things do not move. Friction acts
against sliding, turning and rolling, and all motion is damped, so that round things stop. When
nothing moves any more, poses are rounded and fixed, and the support of a thing is whatever pushes
it up most. One thread works in a fixed order, so equal things come to rest at equal poses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from worldquiz_scenes import gl
from worldquiz_scenes.arrays import np
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.geometry import rounded
from worldquiz_scenes.scene import FLOOR, Quat, Shape, Thing

STEP = 0.004  # seconds of one step
LONGEST = 3.0  # seconds after which things count as at rest
AIR = 0.95  # share of every speed that is left after a step
STILL = 0.012  # metres (and radians) per second below which a scene is at rest
QUIET = 10  # steps at rest that prove it
UPRIGHT_WITHIN = math.radians(0.8)  # a thing that turned less keeps its rotation
FRICTION = (0.9, 0.02, 0.004)  # against sliding, turning on the spot, rolling
PRESSED = 0.005  # most metres that one thing may sink into another at rest
STATIC, LOOSE = 2, 1  # collision bits: fixed things collide only with loose ones


@dataclass(frozen=True, slots=True)
class Rest:
    """Loose things at rest."""

    things: tuple[Thing, ...]  # with new pose and support; in the order given
    steps: int  # of physics
    fallen: frozenset[str]  # ids of things that fell to the floor, or touch nothing
    jammed: frozenset[str]  # ids of things that are pressed into something


def settle(loose: Sequence[Thing], fixed: Sequence[Thing]) -> Rest:
    """Return loose things at rest on fixed ones and on the floor.

    Raises `SceneError` if MuJoCo refuses a shape.
    """
    if not loose:
        return Rest((), 0, frozenset(), frozenset())
    mujoco = gl.engine()
    spec = mujoco.MjSpec()
    spec.option.timestep = STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    floor = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    _touching(floor, STATIC)
    for thing in fixed:
        _body(mujoco, spec, thing, STATIC)
    for thing in loose:
        _body(mujoco, spec, thing, LOOSE).add_freejoint()
    try:
        model = spec.compile()
    except ValueError as error:
        raise SceneError(f"MuJoCo cannot settle the things: {error}") from error
    data = mujoco.MjData(model)
    still = steps = 0
    while still < QUIET and steps < round(LONGEST / STEP):
        mujoco.mj_step(model, data)
        data.qvel[:] *= AIR
        still = still + 1 if abs(data.qvel).max() < STILL else 0
        steps += 1
    mujoco.mj_forward(model, data)
    supports, jammed = _contacts(mujoco, model, data, {thing.id for thing in loose})
    things = tuple(
        replace(
            thing,
            position=rounded(data.body(thing.id).xpos),
            rotation=_rotation(thing.rotation, data.body(thing.id).xquat),
            support=supports.get(thing.id, thing.support),
        )
        for thing in loose
    )
    fallen = {
        new.id
        for old, new in zip(loose, things, strict=True)
        if new.id not in supports or (new.support == FLOOR and old.support != FLOOR)
    }
    return Rest(things, steps, frozenset(fallen), frozenset(jammed))


def _body(mujoco: Any, spec: Any, thing: Thing, bit: int) -> Any:
    body = spec.worldbody.add_body(
        name=thing.id, pos=list(thing.position), quat=list(thing.rotation)
    )
    for part in thing.parts:
        felt = Shape.BOX if part.shape is Shape.MESH else part.shape  # a mesh counts as its box
        geom = body.add_geom(
            type=getattr(mujoco.mjtGeom, f"mjGEOM_{felt.upper()}"),
            pos=list(part.at),
            size=list(part.size),
            quat=list(part.turn),
        )
        geom.density = 250.0
        _touching(geom, bit)
    return body


def _touching(geom: Any, bit: int) -> None:
    geom.contype, geom.conaffinity = bit, LOOSE if bit == STATIC else LOOSE | STATIC
    geom.condim = 6
    geom.friction = list(FRICTION)
    geom.solref = [0.012, 1.0]


def _contacts(
    mujoco: Any, model: Any, data: Any, loose: set[str]
) -> tuple[dict[str, str], set[str]]:
    """Return the support of each thing (what pushes it up most, ties by name), and the loose things
    that sank into others; where both of two things are loose, only the upper one.
    """
    push: dict[str, dict[str, float]] = {}
    jammed, force = set(), np.zeros(6)
    for index in range(data.ncon):
        contact = data.contact[index]
        mujoco.mj_contactForce(model, data, index, force)
        one, two = (model.body(int(model.geom_bodyid[geom])).name for geom in contact.geom)
        if contact.dist < -PRESSED:
            jammed.add(max({one, two} & loose, key=lambda id: (float(data.body(id).xpos[2]), id)))
        up = float(force[:3] @ contact.frame.reshape(3, 3)[:, 2])  # on the second body
        for lower, upper, lift in ((one, two, up), (two, one, -up)):
            if lift > 0:
                borne = push.setdefault(upper, {})
                name = FLOOR if lower == "world" else lower
                borne[name] = borne.get(name, 0.0) + lift
    supports = {
        id: min(borne, key=lambda name: (-round(borne[name], 6), name))
        for id, borne in push.items()
    }
    return supports, jammed


def _rotation(old: Quat, measured: Sequence[float]) -> Quat:
    """Return a measured rotation, rounded to 1e-6; the old one if it hardly changed."""
    dot = abs(sum(a * float(b) for a, b in zip(old, measured, strict=True)))
    if 2 * math.acos(min(1.0, dot)) < UPRIGHT_WITHIN:
        return old
    sign = -1.0 if measured[0] < 0 else 1.0
    w, x, y, z = (round(sign * float(value), 6) + 0.0 for value in measured)
    return (w, x, y, z)
