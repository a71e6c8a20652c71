"""The task filter: a few tasks that stand for all (arXiv 2602.05249, equation 8).

Executing every task of a loop would give ever more tasks in the next one. Tasks are embedded by
several modalities (picture, command, label), their similarity is the mean of the cosines, spectral
clustering parts them into k clusters, and of each cluster the task that is most like the others
stands for it.

No embedding needs a model's weights. Pictures: histograms of oriented gradients and of Lab colours,
and a small picture in Lab, of what the task's view shows (of the object alone, where a task is
about one). Texts: hashed character n-grams, as sparse rows. All rows have length 1, so that inner
products are cosines.

The matrix of similarities is never made. It is a product of the embeddings, so multiplying it with
a vector takes two products with them, and no more is needed to find its leading vectors: 88,000
tasks are clustered as exactly as 300 are, with time and memory that grow with the tasks alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.plugins import later, need
from worldquiz.tea.taskgraph import Instance
from worldquiz_scenes.scene import Scene

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Vectors = NDArray[np.float32]
    Labels = NDArray[np.int64]
    Picture = NDArray[np.uint8]
else:
    np = later("numpy", extra="tea")
linalg = later("scipy.linalg", extra="tea")
sparse = later("scipy.sparse.linalg", extra="tea")

SIDE = 64
"""Pixels of the square that pictures are shrunk to before they are embedded."""
TEXT_SIZE = 512
"""Numbers that describe a text."""
K = 5
"""Clusters of a scene's tasks, as in the paper."""
DIGITS = 9
"""Digits of a mean similarity that count: those after them depend on how a machine adds."""


def described(picture: Picture) -> Vector:
    """Return the vector of one picture, height x width x 3.

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
    row: Vector = np.concatenate(parts).astype("float32")
    return row


def centred(rows: Sequence[Vector]) -> Vectors:
    """Return the pictures' vectors from `described`, less their mean."""
    less = np.array(rows, "float32") - np.mean(rows, axis=0, dtype="float32")
    lengths = np.linalg.norm(less, axis=1, keepdims=True)
    unit: Vectors = (less / np.maximum(lengths, 1e-9)).astype("float32")
    return unit


def worded(texts: Sequence[str]) -> Any:
    """Return a row for each text, as a sparse array: a command has some 120 of its numbers.

    A text that comes often is described once. Raises `MissingExtra` without scikit-learn.
    """
    need("sklearn", extra="tea", library="scikit-learn")
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import HashingVectorizer

    maker = HashingVectorizer(
        analyzer="char_wb", ngram_range=(3, 5), n_features=TEXT_SIZE, alternate_sign=False
    )
    if not texts:
        return csr_array((0, TEXT_SIZE), dtype="float32")
    place = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    rows = csr_array(maker.transform(list(place)).astype("float32"))
    return rows[[place[text] for text in texts]]


def labels(scene: Scene, tasks: Sequence[Instance]) -> tuple[str, ...]:
    """Return the subject of each task, in words: the labels of its things, or its own type."""
    found = []
    for task in tasks:
        bound = [task.bind[name] for name in sorted(task.bind) if name != "view"]
        words = [scene.thing[each].label if each in scene.thing else each for each in bound]
        found.append(" ".join((task.type, *words)))
    return tuple(found)


def representatives(modalities: Sequence[Vectors], k: int = K, *, seed: int = 0) -> list[int]:
    """Return the numbers of the tasks that stand for k clusters, in order; ties by number.

    `modalities` are arrays of (tasks, size), dense or sparse, with rows of length 1. All tasks come
    back where there are no more than k. Raises `MissingExtra`.
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


def clusters(modalities: Sequence[Vectors], k: int = K, *, seed: int = 0) -> Labels:
    """Return the cluster, 0 to k-1, of each of more than k tasks, by spectral clustering.

    Two tasks' affinity is (1 + similarity) / 2. Clusters are those of scikit-learn's
    `SpectralClustering` with this affinity and `assign_labels="cluster_qr"` (Damle et al. 2019),
    whatever the signs of the leading vectors. Raises `MissingExtra`.
    """
    parts: list[Any] = [each.astype("float64") for each in modalities]
    size = parts[0].shape[0]

    def affine(vector: Any) -> Any:
        """Multiply the affinities of all with others than themselves with a vector."""
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
    found: Labels = np.abs(vectors @ (left @ right)).argmax(axis=1)
    return found
