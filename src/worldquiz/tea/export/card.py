"""The README of an export: what it is, how to read it, whose models are in its scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Template

from worldquiz.tea.export.record import Drawn

PAPER = "https://arxiv.org/abs/2602.05249"
HOME = "https://pypi.org/project/worldquiz/"
CITE = (
    "@misc{tea, title={Automatic Cognitive Task Generation for In-Situ Evaluation of Embodied "
    "Agents}, eprint={2602.05249}, archivePrefix={arXiv}, year={2026}}"
)
TITLE = "TEA tasks of worldquiz"
CC0 = "CC0-1.0"
CC0_AT = "https://creativecommons.org/publicdomain/zero/1.0/"
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))

_HEAD = Template("""\
---
pretty_name: $title
license: $licence
${other}language:
- en
task_categories:
- visual-question-answering
size_categories:
- $size
configs:
- config_name: tasks
  default: true
  data_files:
  - split: test
    path: tasks/*.parquet
- config_name: scenes
  data_files:
  - split: test
    path: scenes/*.parquet
---

""")
_OPENING = Template("""\
# $title

Tasks that came of walking through generated 3D scenes, after TEA ($paper); $how. Made by
`worldquiz tea export` from the folder of digest `$digest`.

| type | tasks |
|---|---|
$types

""")
_PARQUET = """\
```python
from datasets import load_dataset

tasks = load_dataset("DIR")["test"]  # a folder or a repository
scenes = load_dataset("DIR", "scenes")["test"]
```

`image`, `image_2` and `image_3` are what a model is shown, in the order in which `command` counts
them; given boxes are drawn in. `prompt` is how `worldquiz tea run` asks, `answer` the answer as
JSON. `croissant.json` says what every column means. Tasks are in order of their views, many a view:
shuffle before you take the first ones.

"""
_VLMEVALKIT = Template("""\
Put both tables into VLMEvalKit's data folder (`$$LMUData`, else `~/LMUData`). It takes them as
custom data sets by their names:

```
python run.py --data $choice --model MODEL --judge exact_matching
python run.py --data $open --model MODEL --mode infer
```

`$choice` is multiple choice, and VLMEvalKit scores it. Names and counts stand beside three answers
of other tasks; what is a choice by itself keeps all its choices, up to H. Chance is 1 over the
number of options, not 1 over 4: report it beside a score.

`$open` asks all tasks, without options; `answer` is JSON. VLMEvalKit asks them, and has no measure
of its own for them.

""")
_ENDING = """\
## Licence

`CREDITS.md` says who made the models in each scene, and under which licence. Tasks, words and
pictures add none of their own.
"""


def licence(licences: Sequence[str]) -> str:
    """Return the licence of a whole, as Hugging Face's cards call it."""
    return "cc0-1.0" if set(licences) <= {CC0} else "other"


def parquet(drawn: Drawn, counts: Mapping[str, int]) -> str:
    """Return the card of a folder of Parquet files; counts are tasks by type."""
    total, kind = sum(counts.values()), licence(drawn.licences)
    head = _HEAD.substitute(
        title=TITLE,
        licence=kind,
        other="license_name: see-credits\nlicense_link: CREDITS.md\n" if kind == "other" else "",
        size=next((name for most, name in _SIZES if total < most), "1M<n<10M"),
    )
    return head + _opening(drawn, counts) + _PARQUET + _ENDING


def vlmevalkit(drawn: Drawn, counts: Mapping[str, int], tables: Sequence[str]) -> str:
    """Return how to use the tables, open and choice, in VLMEvalKit."""
    one, two = (name.removesuffix(".tsv") for name in tables)
    return _opening(drawn, counts) + _VLMEVALKIT.substitute(open=one, choice=two) + _ENDING


def _opening(drawn: Drawn, counts: Mapping[str, int]) -> str:
    some = [
        *([f"at most {drawn.tasks} tasks, evenly over types and answers"] if drawn.tasks else []),
        *([f"{drawn.walks} walks"] if drawn.walks else []),
    ]
    sample = f"a sample: {', and '.join(some)}; seed {drawn.seed}"
    how = "all of them" if drawn.every else sample
    types = "\n".join(f"| {name} | {count} |" for name, count in sorted(counts.items()))
    return _OPENING.substitute(
        title=TITLE, paper=PAPER, how=how, digest=drawn.digest[:16], types=types
    )
