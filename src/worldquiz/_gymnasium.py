"""Names the environments to Gymnasium, whichever of the two is imported first.

Gymnasium 1.0 and later look for no plug-ins: a package's ids are there once the package has been
imported. Importing Gymnasium takes a second, so `import worldquiz` does not; it waits for it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

LIBRARY = "gymnasium"
_ENVIRONMENTS = {
    "T2Q": ("worldquiz.t2q.gym:T2QEnv", ("easy", "medium", "hard", "explore")),
    "MANGO": ("worldquiz.mango.gym:MazeEnv", ("small", "medium", "large")),
    "TEA": ("worldquiz.tea.gym:WalkEnv", ("tiny", "paper")),
}
IDS = {
    f"worldquiz/{name}-{level}-v0": (place, level)
    for name, (place, levels) in _ENVIRONMENTS.items()
    for level in levels
}
"""The class and the level of each id."""


def register() -> None:
    """Name the environments. Gymnasium has to be imported, but no environment is."""
    registration = sys.modules[f"{LIBRARY}.envs.registration"]
    for id, (place, level) in IDS.items():
        registration.register(id, entry_point=place, kwargs={"level": level})


class _Waiting:
    """Finds what the other finders find, and registers once Gymnasium has been imported."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how Gymnasium is loaded; None for all else, which the other finders find."""
        if name != LIBRARY:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        specs = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def then_register(module: ModuleType) -> None:
            load(module)
            register()

        spec.loader.exec_module = then_register  # type: ignore[method-assign]
        return spec


def register_once_imported() -> None:
    """Register now if Gymnasium has been imported, else as soon as it is."""
    if f"{LIBRARY}.envs.registration" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _Waiting())
