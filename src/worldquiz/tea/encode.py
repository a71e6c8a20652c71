"""Embeddings of tasks by picture, command and label, without any model's weights.

Pictures: histograms of oriented gradients and of Lab colours, and a small picture in Lab, of what
the task's view shows (of the object alone, where a task is about one). Texts: hashed character
n-grams, as sparse rows. All rows have length 1, so that inner products are cosines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.plugins import need
from worldquiz.tea.taskgraph import Instance
from worldquiz_scenes.scene import Scene

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Vectors = NDArray[np.float32]
    Picture = NDArray[np.uint8]

SIDE = 64
"""Pixels of the square that pictures are shrunk to before they are described."""
TEXT_SIZE = 512
"""Numbers that describe a text."""


def centred(rows: Sequence[Vector]) -> Vectors:
    """Return the pictures' vectors from `described`, less their mean."""
    import numpy

    less = numpy.array(rows, "float32") - numpy.mean(rows, axis=0, dtype="float32")
    lengths = numpy.linalg.norm(less, axis=1, keepdims=True)
    unit: Vectors = (less / numpy.maximum(lengths, 1e-9)).astype("float32")
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


def described(picture: Picture) -> Vector:
    """Return the vector of one picture, height x width x 3.

    Raises `MissingExtra` without scikit-image.
    """
    need("skimage", extra="tea", library="scikit-image")
    import numpy
    from skimage.color import rgb2lab
    from skimage.feature import hog
    from skimage.transform import resize

    shrunk: Any = resize  # the library's own function has no types
    small = shrunk(picture, (SIDE, SIDE), anti_aliasing=True)
    lab = rgb2lab(small) / (100.0, 128.0, 128.0)
    edges = hog(small, orientations=8, pixels_per_cell=(16, 16), cells_per_block=(1, 1),
                channel_axis=-1)  # fmt: skip
    colours, _ = numpy.histogramdd(
        lab.reshape(-1, 3), bins=(4, 4, 4), range=((0, 1), (-1, 1), (-1, 1))
    )
    grid = shrunk(lab, (6, 8), anti_aliasing=True)
    parts = (edges, colours.ravel(), grid.ravel())
    row: Vector = numpy.concatenate(
        [each / (numpy.linalg.norm(each) + 1e-9) for each in parts]
    ).astype("float32")
    return row
