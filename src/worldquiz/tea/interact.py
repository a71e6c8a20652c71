"""TEA's interaction loop: an agent's views give tasks, and executing tasks gives new views.

Equations 5-7 of arXiv 2602.05249. Each loop makes several walks (`bouts`). With probability
epsilon, or if there are no tasks yet, a walk goes to a random point, otherwise to the object of a
chosen task. At each stop the agent takes a picture, and at some stops the cameras of its room do
too. Then the agent visits some places with views that tasks need, such as views into mirrors. The
views give new tasks, and the next loop executes a few that represent all tasks so far.

*The filter* (equation 8) selects these few, since executing every task would give ever more tasks.
Tasks are embedded in several modalities (picture, command, label); their similarity is the mean of
the cosines. Spectral clustering divides them into k clusters. Each cluster is represented by the
task that is most similar to its other tasks.

No embedding needs a model's weights. The picture of a task's view (or of its object, if it has one)
becomes histograms of oriented gradients and of Lab colours, and a small Lab picture. A text becomes
hashed character n-grams, as a sparse row. All rows have length 1, so that inner products are
cosines.

Clustering needs the leading eigenvectors of the similarity matrix, but never builds this matrix: it
is a product of the embeddings, so multiplying a vector by them twice is enough. Thus 88,000 tasks
are clustered as exactly as 300, in time and memory proportional to their number.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import atan2, degrees
from typing import Any

from worldquiz import rng
from worldquiz.plugins import need
from worldquiz.tea.kinds.counting import balanced
from worldquiz.tea.kinds.kinds import Crop, Goal, Instance, TaskKind, harvest
from worldquiz.tea.kinds.perception import WITHIN
from worldquiz.tea.viewpoints import hiding_places, looking_places, promise, several_places
from worldquiz_scenes.arrays import Longs, Picture, Singles, np
from worldquiz_scenes.episode import Shot, Walker
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.locomotion import Ground, Move, wrapped
from worldquiz_scenes.scene import Scene, Spot, Thing
from worldquiz_scenes.view import BODY, View

linalg = need("scipy.linalg", extra="tea")
sparse = need("scipy.sparse.linalg", extra="tea")

Content = tuple[Hashable, ...]
TURNS = (-120.0, -60.0, 60.0, 120.0)
"""Degrees by which an agent turns to look around, give or take 15."""
FEW = 2
"""Fewest things that a view should show; an agent turns away from a bare wall."""


@dataclass(frozen=True, slots=True)
class Loops:
    """Parameters of interaction."""

    loops: int = 2
    bouts: int = 12  # in each loop
    looks: int = 8  # in each bout
    epsilon: float = 0.2  # probability of a random walk once there are tasks
    chosen: int = 5  # tasks that the filter selects: the paper's k
    stride: float = 1.0  # metres between two looks
    watched: int = 2  # looks of the agent for each look of the room's cameras
    mirrors: int = 12  # places in each loop from which the agent looks into a mirror
    hidden: int = 5  # places in each loop that face a thing hidden by another
    several: int = 8  # places in each loop that face several things with one label or pattern


def interact(
    walker: Walker, kinds: Sequence[TaskKind], loops: Loops, seed: int
) -> tuple[list[View], list[Instance], list[list[str]]]:
    """Run an agent's loops; return views, tasks, and the ids of the tasks that loops executed.

    Equal seeds give equal views and tasks.
    """
    scene = walker.scene
    views: list[View] = []
    rows: dict[str, Singles] = {}
    tasks: dict[str, Instance] = {}
    asked: set[Content] = set()
    near = within_reach(walker.ground)
    chosen: list[tuple[Instance, ...]] = []
    for loop in range(1, loops.loops + 1):
        todo = chosen[-1] if chosen else ()
        draw = rng.child(seed, "bouts", scene.id, loop)
        fresh = []
        for shot in _shots(walker, todo, loops, draw):
            fresh.append(shot.view)
            if loop < loops.loops and shot.images.rgb is not None:
                rows[shot.view.id] = embedded(shot.images.rgb)
        views += fresh
        by_id = {view.id: view for view in views}
        found = []
        for each in harvest(scene, fresh, kinds, loop=loop, eyes=walker.eyes):
            same = content(each, by_id)
            if same not in asked and (not isinstance(each.truth, Goal) or each.truth.thing in near):
                asked.add(same)
                found.append(each)
        tasks |= {each.id: each for each in balanced(scene, fresh, found)}
        if loop < loops.loops:
            chosen.append(_chosen(scene, tuple(tasks.values()), loops.chosen, rows, seed))
    return views, list(tasks.values()), [[each.id for each in some] for some in chosen]


def content(task: Instance, views: Mapping[str, View]) -> Content:
    """Return a task's content without its time: equal for tasks that fixed cameras give twice."""
    view = views[task.view]
    given = [
        (name, views[told.view].camera, told.box) if isinstance(told, Crop) else (name, told)
        for name, told in sorted(task.given.items())
    ]
    stands = view.agent if BODY in task.bind.values() else None
    return (task.type, view.camera, stands, *given, task.truth)


def within_reach(ground: Ground) -> frozenset[str]:
    """Return the things that an agent can approach closely enough for a navigation task."""
    things = ground.scene.things
    return frozenset(thing.id for thing in things if ground.grid.near(thing, WITHIN))


def _shots(
    walker: Walker, todo: Sequence[Instance], loops: Loops, draw: random.Random
) -> Iterator[Shot]:
    """Yield the pictures that a loop takes."""
    for _ in range(loops.bouts):
        yield from bout(walker, todo, loops, draw)
    walker.watch = "room"
    for spot, thing in hiding_places(walker, loops.hidden, draw):
        yield from _visit(walker, spot, thing)
    walker.watch = "none"
    for spot, thing in several_places(walker, loops.several, draw):
        yield from _visit(walker, spot, thing)
    for mirror in walker.scene.mirrors:
        for spot in looking_places(walker.ground, mirror, loops.mirrors, draw):
            yield from _visit(walker, spot, mirror)


def _visit(walker: Walker, spot: Spot, thing: Thing) -> Iterator[Shot]:
    """Walk to a spot, turn to a thing, and yield the pictures taken there."""
    for move in walker.ground.grid.to_point(*spot).moves(walker.pose):
        walker.go(move)
    yield from walker.step(_facing(walker, thing))[1]


def bout(
    walker: Walker, tasks: Sequence[Instance], loops: Loops, draw: random.Random
) -> Iterator[Shot]:
    """Make one walk, and yield the pictures taken at every stop."""
    walk = draw.random() < loops.epsilon or not tasks
    about = None if walk else draw.choice(list(tasks)).bind.get("object")
    thing = walker.scene.thing.get(about or "")
    looks = 0
    for move in _moves(walker, thing, loops, draw):
        walker.go(move)
        if move.walk and promise(walker) < FEW:
            continue  # a bare wall: walk on
        walker.watch = "room" if looks % loops.watched == 0 else "none"
        yield from walker.see()
        looks += 1
        if looks == loops.looks:
            return


def _moves(
    walker: Walker, thing: Thing | None, loops: Loops, draw: random.Random
) -> Iterator[Move]:
    """Yield the moves to a thing, or to a random point, then endless turns to look around."""
    grid, way = walker.ground.grid, None
    with suppress(SceneError):  # no way leads near the thing
        way = grid.to_thing(thing, 1.2) if thing else None
    way = way or grid.to_point(*grid.spot(draw.randrange(len(grid.points))))
    yield from way.moves(walker.pose, loops.stride)
    if thing is not None:
        yield _facing(walker, thing)
    while True:
        turns = [turn + draw.uniform(-15, 15) for turn in draw.sample(TURNS, len(TURNS))]
        shows = [promise(walker, turn) for turn in turns]
        yield Move(
            turn=next(
                (t for t, n in zip(turns, shows, strict=True) if n >= FEW), turns[np.argmax(shows)]
            )
        )


def _facing(walker: Walker, thing: Thing) -> Move:
    """Return the move that turns the agent towards a thing."""
    ahead = atan2(thing.position[1] - walker.pose.y, thing.position[0] - walker.pose.x)
    return Move(turn=degrees(wrapped(ahead - walker.pose.heading)))


def _chosen(
    scene: Scene, tasks: Sequence[Instance], k: int, rows: Mapping[str, Singles], seed: int
) -> tuple[Instance, ...]:
    """Return k tasks that represent all those whose views have pictures (the filter)."""
    known = [task for task in tasks if task.view in rows]
    if not known:
        return ()
    parts = modalities(scene, known, rows, [task.view for task in known])
    picked = representatives(parts, k, seed=rng.child_seed(seed, "filter", scene.id))
    return tuple(known[number] for number in picked)


# The filter


SIDE = 64
"""Side of the square that pictures are shrunk to before embedding."""
TEXT_SIZE = 512
"""Length of a text's vector."""
DIGITS = 9
"""Significant digits of a mean similarity: later ones depend on the machine."""


def embedded(picture: Picture) -> Singles:
    """Return the embedding of one picture, height x width x 3.

    Raises `MissingExtra` without scikit-image.
    """
    need("skimage", extra="tea", library="scikit-image")
    from skimage.color import rgb2lab
    from skimage.feature import hog
    from skimage.transform import resize

    shrunk: Any = resize  # the library's own function has no types
    small = shrunk(picture, (SIDE, SIDE), anti_aliasing=True)
    lab = rgb2lab(small) / (100.0, 128.0, 128.0)
    edges = hog(small, orientations=8, pixels_per_cell=(16, 16), cells_per_block=(1, 1),
                channel_axis=-1)  # fmt: skip
    colours, _ = np.histogramdd(
        lab.reshape(-1, 3), bins=(4, 4, 4), range=((0, 1), (-1, 1), (-1, 1))
    )
    grid = shrunk(lab, (6, 8), anti_aliasing=True)
    parts = [
        each / (np.linalg.norm(each) + 1e-9) for each in (edges, colours.ravel(), grid.ravel())
    ]
    row: Singles = np.concatenate(parts).astype("float32")
    return row


def modalities(
    scene: Scene, tasks: Sequence[Instance], pictures: Mapping[Any, Singles], shown: Sequence[Any]
) -> tuple[Any, Any, Any]:
    """Return three embeddings of each task: of its picture, its command, and its subject, which is
    its type with the labels of its things. `pictures` holds vectors from `embedded`, whose mean is
    subtracted here; `shown` holds the key of each task's picture.
    """
    rows = list(pictures.values())
    less = np.array(rows, "float32") - np.mean(rows, axis=0, dtype="float32")
    unit = less / np.maximum(np.linalg.norm(less, axis=1, keepdims=True), 1e-9)
    order = {key: number for number, key in enumerate(pictures)}
    subjects = []
    for task in tasks:
        bound = [task.bind[name] for name in sorted(task.bind) if name != "view"]
        words = [scene.thing[each].label if each in scene.thing else each for each in bound]
        subjects.append(" ".join((task.type, *words)))
    views = unit.astype("float32")[[order[key] for key in shown]]
    return views, worded([task.command for task in tasks]), worded(subjects)


def worded(texts: Sequence[str]) -> Any:
    """Return the embeddings of texts as rows of a sparse array.

    A row counts the character 3- to 5-grams of each word, with a space on either side, in columns
    that `murmur` gives, like scikit-learn's `HashingVectorizer`. It has length 1. Repeated texts
    are computed only once.
    """
    from scipy.sparse import csr_array

    place = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    columns = [[at for word in text.lower().split() for at in _grams(word)] for text in place]
    ends = np.cumsum([0, *map(len, columns)])
    rows = csr_array((np.ones(ends[-1]), [*chain(*columns)], ends), shape=(len(place), TEXT_SIZE))
    rows.sum_duplicates()
    squares = np.ravel((rows * rows).sum(axis=1))
    rows.data /= np.sqrt(np.repeat(squares, np.diff(rows.indptr)))
    return rows.astype("float32")[[place[text] for text in texts]]


@lru_cache(maxsize=1 << 14)
def _grams(word: str) -> tuple[int, ...]:
    """Return the columns of the character n-grams of a word."""
    word, found = f" {word} ", list[int]()
    for size in range(3, 6):
        starts = range(max(len(word) - size, 0) + 1)
        found += (murmur(word[at : at + size].encode()) for at in starts)
        if len(word) <= size:  # a short word counts once
            break
    return tuple(min(each, 2**32 - each) % TEXT_SIZE for each in found)  # of a signed number


def murmur(data: bytes) -> int:
    """Return the hash MurmurHash3_x86_32 of bytes (Appleby 2011), with seed 0."""
    most, result = 2**32 - 1, 0
    for at in range(0, len(data), 4):
        part = int.from_bytes(data[at : at + 4], "little") * 0xCC9E2D51 & most
        result ^= (part << 15 | part >> 17) * 0x1B873593 & most
        if at + 4 <= len(data):
            result = ((result << 13 | result >> 19) * 5 + 0xE6546B64) & most
    result ^= len(data)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        result = (result ^ result >> shift) * factor & most
    return result


def representatives(modalities: Sequence[Singles], k: int, *, seed: int = 0) -> list[int]:
    """Return the numbers of the tasks that represent k clusters, in rising order.

    `modalities` are arrays of (tasks, size), dense or sparse, with rows of length 1. If there are
    at most k tasks, all represent themselves. Raises `MissingExtra`.
    """
    size = modalities[0].shape[0]
    if size <= k:
        return list(range(size))
    parts = [each.astype("float64") for each in modalities]
    labels = clusters(parts, k, seed=seed)
    found = []
    for label in sorted(set(labels.tolist())):
        members = np.flatnonzero(labels == label)
        like = sum(part[members] @ part[members].sum(axis=0) for part in parts)
        like = np.round(like / (len(members) * len(parts)), DIGITS)
        found.append(int(members[int(np.argmax(like))]))
    return sorted(found)


def clusters(parts: Sequence[Any], k: int, *, seed: int = 0) -> Longs:
    """Return the cluster, 0 to k-1, of each of more than k tasks, by spectral clustering.

    The affinity of two tasks is (1 + similarity) / 2. The clusters are those of scikit-learn's
    `SpectralClustering` with this affinity and `assign_labels="cluster_qr"` (Damle et al. 2019),
    except that the signs of eigenvectors do not affect them. Raises `MissingExtra`.
    """
    size = parts[0].shape[0]

    def affine(vector: Any) -> Any:
        """Multiply a vector by the affinities between different tasks."""
        vector = np.ravel(vector)
        like = sum(part @ (part.T @ vector) for part in parts) / len(parts)
        return (vector.sum() + like) / 2 - itself * vector

    squares = (np.ravel((part * part).sum(axis=1)) for part in parts)  # 1, or 0 without words
    itself = sum(squares) / len(parts) / 2 + 0.5
    scale = 1 / np.sqrt(np.maximum(affine(np.ones(size)), 1e-9))
    operator = sparse.LinearOperator(
        (size, size), lambda vector: scale * affine(scale * np.ravel(vector)), dtype="float64"
    )
    start = np.random.default_rng(seed).uniform(0.5, 1, size)
    _, vectors = sparse.eigsh(operator, k=k, which="LA", v0=start, tol=1e-6)
    vectors = vectors * scale[:, None]
    _, _, pivots = linalg.qr(vectors.T, pivoting=True, mode="economic")
    left, _, right = linalg.svd(vectors[pivots[:k]].T)
    found: Longs = np.abs(vectors @ (left @ right)).argmax(axis=1)
    return found
