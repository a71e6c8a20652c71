"""Names that inspect_ai finds here, as in ``inspect eval worldquiz/t2q`` or ``worldquiz/mango``."""

from worldquiz.mango.inspect_task import mango, mango_means, routes
from worldquiz.serve.inspect_tools import react, seated, world
from worldquiz.t2q.inspect_task import quiz, shares, sitting, t2q
from worldquiz.tea.exam.inspect_tasks import seen, tea

__all__ = [
    "mango", "mango_means", "quiz", "react", "routes", "seated", "seen", "shares",
    "sitting", "t2q", "tea", "world",
]  # fmt: skip
