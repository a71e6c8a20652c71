"""Who answers TEA's questions: the options --answerer and --model, of which one is given."""

from __future__ import annotations

from typing import Annotated

import typer

Error = Annotated[float, typer.Option(min=0, max=1, help="How often the noisy baseline is wrong.")]
