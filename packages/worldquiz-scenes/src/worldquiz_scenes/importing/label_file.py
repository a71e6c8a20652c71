"""`labels.toml` in an imported scene's folder: labels of its things, for the user to confirm.

The import writes it: every name of the file with our label, unknown names apart. The user changes
labels and imports again; the import reads the file in the folder first, so no change is lost.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from worldquiz_scenes.errors import FileError
from worldquiz_scenes.files import digest, read_bytes, write_bytes
from worldquiz_scenes.importing.names import fold, known

LABELS = "labels.toml"
UNKNOWN, KNOWN, DIGEST = "unknown", "known", "imported"  # its tables, and its digest of the labels
LONGEST = 60  # characters of a label
MOST_DOTS = 100
_HEAD = """\
# What the things of this scene are called: "name in the file" = "label in tasks".
# Change the labels that are wrong, and give the names under [unknown] one (two names may share a
# label). Then give the command again that imported the scene into this folder. Tasks that use
# labels leave out things whose label is "".
"""


@dataclass(frozen=True, slots=True)
class Term:
    """A name in a file: the label of its things ("" where nobody knows one), and their number."""

    label: str
    things: int


def read_labels(folder: Path) -> dict[str, str]:
    """Return the label of each name in a folder's file, nothing where there is no file.

    A label is written as we write it: "Couch" is "sofa". Raises `FileError` naming the entry.
    """
    path = folder / LABELS
    if not path.exists():
        return {}
    found: dict[str, str] = {}
    tables = _parsed(path)
    for table in (UNKNOWN, KNOWN):
        entries = tables.get(table, {})
        for name, label in entries.items() if isinstance(entries, dict) else [(table, None)]:
            if name in found or not isinstance(label, str) or len(label) > LONGEST:
                raise FileError(
                    f"{path}: {name!r}: is listed twice, or its label is not a text of at most "
                    f'{LONGEST} characters: write "{name}" = "label", once'
                )
            found[name] = written(label)
    return found


def written(label: str) -> str:
    """Return a label as we write it: our own word for it, or the user's in small letters."""
    text = fold(label)[:LONGEST].strip()
    return known(text) or text


def _parsed(path: Path) -> dict[str, object]:
    try:
        text = read_bytes(path).decode()
        if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
            raise ValueError(f"a line has more than {MOST_DOTS} dots")  # which takes quadratic time
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(
            f"{path}: is not TOML ({error}): correct that line, or delete the file and import again"
        ) from error


def write_labels(folder: Path, terms: Mapping[str, Term]) -> None:
    """Write a scene's names and labels into its folder. Equal terms give equal bytes."""
    lines = [_HEAD, "# Of the labels that the scene has: leave it as it is."]
    lines.append(f'{DIGEST} = "{_digest({name: term.label for name, term in terms.items()})}"')
    for table in (UNKNOWN, KNOWN):
        listed = [name for name in sorted(terms) if bool(terms[name].label) is (table == KNOWN)]
        lines += ["", f"[{table}]", *(_line(name, terms[name]) for name in listed)]
    write_bytes(folder / LABELS, ("\n".join(lines) + "\n").encode())


def _line(name: str, term: Term) -> str:
    texts = (json.dumps(text, ensure_ascii=False) for text in (name, term.label))
    count = f"  # {term.things} things" if term.things > 1 else ""
    return " = ".join(texts).replace("\x7f", "\\u007f") + count


def check_labels(folder: Path) -> None:
    """Raise `FileError` where a folder's labels were changed after its scene was imported."""
    path = folder / LABELS
    if path.exists() and _parsed(path).get(DIGEST) != _digest(read_labels(folder)):
        raise FileError(
            f"{path}: was changed after the import, so the scene does not have these labels yet: "
            f"give the command again that imported it (worldquiz tea scene --import FILE --out "
            f"{folder})"
        )


def _digest(labels: Mapping[str, str]) -> str:
    return digest(*(part for pair in sorted(labels.items()) for part in pair))[:16]
