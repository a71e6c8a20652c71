"""Names that inspect_ai finds here, as in ``inspect eval worldquiz/t2q`` or ``worldquiz/mango``.

Those of a benchmark whose extra is not installed are left out.
"""

from contextlib import suppress

import worldquiz.serve.inspect_tools
from worldquiz.errors import MissingExtra

with suppress(MissingExtra):
    import worldquiz.t2q.inspect_task
with suppress(MissingExtra):
    import worldquiz.mango.inspect_task
with suppress(MissingExtra):
    import worldquiz.tea.exam.inspect_tasks  # noqa: F401
