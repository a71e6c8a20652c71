"""Tables 1 and 2 of written tasks in words: as Markdown, and as CSV for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Any

from worldquiz.tea.written.parts import FIRST, SECOND, WITHOUT
from worldquiz.tea.written.tables import PAIRS, SETS, WAYS, WHOLE

Row = Sequence[object]
HEADINGS = {
    WITHOUT: "without TEA",
    FIRST: "with TEA, first round",
    SECOND: "second round",
    "first_each": "first round in parts as small",
    "second_each": "each executed task",
}
_NOTES = (
    "The three sets of a scene have equally many tasks. MIR falls as sets grow, so the paper's "
    'second rounds (4 to 59 tasks an executed task) stand under "each executed task", beside the '
    "first round cut into parts as small.",
    "The paper's threshold and encoders are not known: signs compare, levels do not.",
    "p is two-sided, of a paired t-test over scenes; d is the mean difference over its standard "
    'deviation; intervals are 95 %, by bootstrap over scenes; p "by exchange" takes no spread to '
    "be normal. The first comparison, by equation 8's three, is the paper's; the others say where "
    "it comes from.",
    "Pictures count among what is compared: a writer that always says the same still has an MIR "
    "of about as many pictures as it was shown, over its tasks. See MIR by what is compared.",
    "A scripted writer's MIR says nothing about models.",
)


def markdown(found: Mapping[str, Any]) -> str:
    """Return the tables of `tables` as Markdown: Tables 1 and 2, the paper's beside them."""
    parts = [
        f"## Table 1: MIR at a threshold of {found['threshold']:g}",
        _table(("tasks written by", *HEADINGS.values(), "MIR-e", "tasks of a set"), _means(found)),
        "### Differences",
        _table(("written by", "compared by", "difference", "mean [95 %]", "t (df)", "p", "n", "d",
                "by exchange", "scenes above"), _differences(found)),
        "### MIR by what is compared",
        _table(("written by", "compared by", *(HEADINGS[name] for name in SETS)), _ways(found)),
        "### MIR by threshold, compared by view, command and label",
        _table(("written by", "threshold", *(HEADINGS[name] for name in SETS),
                "first - without, p"), _curve(found)),
        "### Scenes",
        _table(("written by", "scene", *map(HEADINGS.__getitem__, (*SETS, "second_each")),
                "proven"), _scenes(found)),
        "### What was written",
        _table(("written by", "part", "tasks", "requests", "repeated", "dropped"),
               _written(found)),
        *_rule_based(found),
        "## Table 2: where the tasks are",
        _table(("written by", "scene", "set", "volume m3", "extent m: x, y, z",
                "spread m: x, y, z", "task's volume m3, mean and sd", "objects", "tasks"),
               _places(found)),
        "\n".join(f"- {note}" for note in _NOTES),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def sheets(found: Mapping[str, Any]) -> dict[str, str]:
    """Return CSV files by name: every set's MIR, every comparison, and every set's places."""
    return {
        "table1.csv": _csv(
            ("writer", "scene", "set", "compared_by", "tasks", "independent", "bound", "optimal",
             "mir"), _sets_plain(found)),
        "tests.csv": _csv(
            ("writer", "compared_by", "threshold", "difference", "scenes", "mean", "low", "high",
             "t", "p", "d", "p_exchange", "above"), _tests_plain(found)),
        "table2.csv": _csv(
            ("writer", "scene", "set", "volume_m3", "extent_x_m", "extent_y_m", "extent_z_m",
             "spread_x_m", "spread_y_m", "spread_z_m", "task_volume_m3", "task_volume_sd_m3",
             "objects", "tasks"), _places_plain(found)),
    }  # fmt: skip


def _means(found: Mapping[str, Any]) -> Iterator[Row]:
    paper = found["paper"]
    cells = [_pm(*paper["table_1"][name]) if name in paper["table_1"] else "" for name in HEADINGS]
    yield f"{paper['model']} (the paper)", *cells, f"{paper['mir_e']['GPT-4o']:.3f}", "86 to 108"
    for name, told in found["writers"].items():
        mean = told["mean"][WHOLE]
        sizes = sorted({told["scenes"][scene]["tasks"] for scene in told["compared"]})
        size = " to ".join(map(str, dict.fromkeys((sizes[0], sizes[-1])))) if sizes else "0"
        cells = [_spread(mean[each] if each in mean else told[each]) for each in HEADINGS]
        yield name, *cells, _spread(told["mir_e"]), size


def _differences(found: Mapping[str, Any]) -> Iterator[Row]:
    for name, told in found["writers"].items():
        for way in WAYS:
            for pair in PAIRS:
                key = " - ".join(pair)
                one = told["tests"][way][key]
                if one is None:
                    continue
                bounds = "" if one["low"] is None else f" [{one['low']:+.3f}, {one['high']:+.3f}]"
                t = "" if one["t"] is None else f"{one['t']:.2f} ({one['scenes'] - 1})"
                yield (name, way, key, f"{one['mean']:+.3f}{bounds}", t, _p(one["p"]),
                       one["scenes"], _two(one["effect"]), _p(one["exchanged"]),
                       f"{one['above']} of {one['scenes']}")  # fmt: skip


def _ways(found: Mapping[str, Any]) -> Iterator[Row]:
    for name, told in found["writers"].items():
        for way in WAYS:
            yield name, way, *(_spread(told["mean"][way][each]) for each in SETS)


def _curve(found: Mapping[str, Any]) -> Iterator[Row]:
    for name, told in found["writers"].items():
        for threshold, some in told["curve"].items():
            test = told["curve_tests"][threshold][" - ".join(PAIRS[0])]
            p = "" if test is None else _p(test["p"])
            yield name, threshold, *(_spread(some[each]) for each in SETS), p


def _scenes(found: Mapping[str, Any]) -> Iterator[Row]:
    for scene, told in found["paper"]["scenes"].items():
        cells = [_share(told[name]) if name in told else "" for name in SETS]
        yield "the paper", scene, *cells, ", ".join(map(_share, told["second_each"])), ""
    for name, told in found["writers"].items():
        for scene, one in told["scenes"].items():
            sets = [one["sets"].get(each, {}).get("ways", {}).get(WHOLE) for each in SETS]
            cells = ["" if each is None else _counted(each) for each in sets]
            proven = all(each is not None and each["optimal"] for each in sets)
            every = ", ".join(map(_counted, one["second_each"]))
            yield name, scene, *cells, every, "yes" if proven else "no"


def _written(found: Mapping[str, Any]) -> Iterator[Row]:
    for name, told in found["writers"].items():
        for part, one in told["written"].items():
            numbers = (one[key] for key in ("tasks", "requests", "repeated", "dropped"))
            yield name, HEADINGS.get(part, part), *numbers


def _rule_based(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the measures of generated tasks, which no model wrote."""
    if "templates" not in found:
        return
    told = found["templates"]
    rows = [(name, _spread(one), one["n"]) for name, one in told["mean"].items()]
    rows.append(("MIR-e", _spread(told["mir_e"]), told["mir_e"]["n"]))
    yield "### Rule-based tasks of all types, by themselves"
    yield _table(("set", "MIR", "scenes"), rows)


def _places(found: Mapping[str, Any]) -> Iterator[Row]:
    for number, one in enumerate(found["paper"]["table_2"], start=1):
        task = "{:.2f}, {:.2f}".format(*one["task_volume"])
        yield ("GPT-4o (the paper)", "first", f"column {number}", f"{one['volume']:.2f}",
               _axes(one["extent"]), _axes(one["spread"]), task, one["objects"], "")  # fmt: skip
    for name, told in found["writers"].items():
        groups = [(scene, one["spatial"]) for scene, one in told["scenes"].items()]
        for scene, some in groups[:1]:
            for part, one in some.items():
                if one is not None:
                    yield name, scene, _part(part), *_place(one)
        for part in SETS:
            every = [some[part] for _, some in groups if some.get(part) is not None]
            if every:
                yield name, f"mean of {len(every)}", HEADINGS[part], *_place(_averaged(every))
    yield from _rule_based_places(found)


def _rule_based_places(found: Mapping[str, Any]) -> Iterator[Row]:
    """Yield where the first scene's generated tasks are."""
    by_scene = found.get("templates", {}).get("spatial", {})
    for scene in sorted(by_scene)[:1]:
        for part, one in by_scene[scene].items():
            yield "rule-based, all types", scene, part, *_place(one)


def _part(name: str) -> str:
    return HEADINGS.get(name, name.replace(f"{SECOND}-", "executed task "))


def _place(one: Mapping[str, Any]) -> Row:
    task = f"{one['mean_volume']:.2f}, {sqrt(one['variance_volume']):.2f}"
    return (f"{one['volume']:.2f}", _axes(one["extent"]), _axes(one["spread"]), task,
            f"{one['objects']:g}", f"{one['tasks']:g}")  # fmt: skip


def _averaged(every: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the means of spatial statistics over scenes."""
    one = {key: fmean(each[key] for each in every)
           for key in ("volume", "mean_volume", "variance_volume")}  # fmt: skip
    counts = {key: round(fmean(each[key] for each in every), 1) for key in ("objects", "tasks")}
    axes = {
        key: tuple(fmean(each[key][axis] for each in every) for axis in range(3))
        for key in ("extent", "spread")
    }
    return {**one, **axes, **counts}


def _sets_plain(found: Mapping[str, Any]) -> Iterator[Row]:
    for name, told in found["writers"].items():
        for scene, one in told["scenes"].items():
            for part, some in one["sets"].items():
                for way, each in some["ways"].items():
                    yield name, scene, part, way, *_record(each)
            for number, each in enumerate(one["second_each"], start=1):
                yield name, scene, f"{SECOND}-{number}", WHOLE, *_record(each)


def _record(each: Mapping[str, Any]) -> Row:
    return tuple(each[key] for key in ("tasks", "independent", "bound", "optimal", "mir"))


def _tests_plain(found: Mapping[str, Any]) -> Iterator[Row]:
    keys = ("scenes", "mean", "low", "high", "t", "p", "effect", "exchanged", "above")
    for name, told in found["writers"].items():
        every = [(way, found["threshold"], some) for way, some in told["tests"].items()]
        every += [(WHOLE, float(at), some) for at, some in told["curve_tests"].items()]
        for way, at, some in every:
            for pair, one in some.items():
                if one is not None:
                    yield name, way, at, pair, *(one[key] for key in keys)


def _places_plain(found: Mapping[str, Any]) -> Iterator[Row]:
    for name, told in found["writers"].items():
        for scene, one in told["scenes"].items():
            for part, some in one["spatial"].items():
                if some is not None:
                    yield (name, scene, part, some["volume"], *some["extent"], *some["spread"],
                           some["mean_volume"], sqrt(some["variance_volume"]), some["objects"],
                           some["tasks"])  # fmt: skip


def _table(headings: Sequence[str], rows: Iterable[Row]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _csv(headings: Row, rows: Iterable[Row]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return stream.getvalue()


def _spread(told: Mapping[str, Any]) -> str:
    return "" if told["mean"] is None else _pm(told["mean"], told["sd"])


def _pm(mean: float, sd: float | None) -> str:
    return f"{mean:.3f}" if sd is None else f"{mean:.3f} ± {sd:.3f}"


def _counted(each: Mapping[str, Any]) -> str:
    return _share((each["independent"], each["tasks"]))


def _share(pair: Sequence[int]) -> str:
    return f"{pair[0] / pair[1]:.2f} ({pair[0]}/{pair[1]})"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _two(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _axes(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)
