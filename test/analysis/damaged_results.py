# SPDX-License-Identifier: GPL-2.0-only
"""Ways to damage a file of results: what a full disk, an editor, another version or an accident leave."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

#: What a cell or a value of JSON becomes: of another type, out of range, or odd as a text.
WORDS = ("", "word", "-1", "0", "0.5", "1e999", "nan", "99999999999999999999999", "1e300", "$x_{$", "../x", "a" * 500, "é\u0301", "client-9..8")
VALUES = (None, True, 0, -1, 1.5, "word", "", [], ["word"], [1], {}, {"a": "b"}, "\ud800", "10Gbps", "-1us")


def _cut(octets: bytes, generator: random.Random) -> bytes:
    return octets[: generator.randrange(len(octets))]


def _cut_line(octets: bytes, generator: random.Random) -> bytes:
    lines = octets.splitlines(keepends=True)
    return b"".join(lines[: generator.randrange(len(lines))])


def _rubbish(octets: bytes, generator: random.Random) -> bytes:
    return generator.randbytes(generator.choice((1, 4, 100, 5000)))


def _sprinkle(octets: bytes, generator: random.Random) -> bytes:
    changed = bytearray(octets)
    for _ in range(generator.choice((1, 3, 20))):
        changed[generator.randrange(len(changed))] = generator.randrange(256)
    return bytes(changed)


def _empty(octets: bytes, generator: random.Random) -> bytes:
    return b""


def _of_table(change: Callable[[list[list[str]], random.Random], None]):
    def damage(octets: bytes, generator: random.Random) -> bytes:
        rows = list(csv.reader(io.StringIO(octets.decode("utf-8"), newline="")))
        change(rows, generator)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue().encode("utf-8")

    return damage


def _drop_column(rows: list[list[str]], generator: random.Random) -> None:
    place = generator.randrange(len(rows[0]))
    for row in rows:
        del row[place : place + 1]


def _rename_column(rows: list[list[str]], generator: random.Random) -> None:
    rows[0][generator.randrange(len(rows[0]))] = generator.choice(("other", rows[0][0]))


def _spoil_column(rows: list[list[str]], generator: random.Random) -> None:
    place, word = generator.randrange(len(rows[0])), generator.choice(WORDS)
    for row in rows[1:]:
        row[place] = word


def _spoil_cell(rows: list[list[str]], generator: random.Random) -> None:
    row = generator.choice(rows[1:] or rows)
    row[generator.randrange(len(row))] = generator.choice(WORDS)


def _swap_columns(rows: list[list[str]], generator: random.Random) -> None:
    one, other = (generator.randrange(len(rows[0])) for _ in range(2))
    for row in rows[1:]:
        row[one], row[other] = row[other], row[one]


def _drop_row(rows: list[list[str]], generator: random.Random) -> None:
    del rows[generator.randrange(len(rows))]


def _repeat_row(rows: list[list[str]], generator: random.Random) -> None:
    rows.insert(generator.randrange(len(rows)), list(generator.choice(rows)))


def _drop_cell(rows: list[list[str]], generator: random.Random) -> None:
    row = generator.choice(rows)
    del row[generator.randrange(len(row))]


def _spoil_value(octets: bytes, generator: random.Random) -> bytes:
    value = json.loads(octets)
    places: list[tuple] = []

    def walk(container) -> None:
        for key in container if isinstance(container, dict) else range(len(container)):
            places.append((container, key))
            if isinstance(container[key], (dict, list)):
                walk(container[key])

    walk(value)
    # What the programs look at has as many chances as all the rest.
    known = [place for place in places if place[1] in ("figures", "sweep", "keys", "config", "scenario_file", 0)]
    container, key = generator.choice(generator.choice((places, known or places)))
    if generator.random() < 0.3:
        del container[key]
    else:
        container[key] = generator.choice(VALUES)
    return json.dumps(value).encode("utf-8")


def _nest(octets: bytes, generator: random.Random) -> bytes:
    return b"[" * 100_000


_ANY = (_cut, _cut_line, _rubbish, _sprinkle, _empty)
_TABLE = tuple(
    map(_of_table, (_drop_column, _rename_column, _spoil_column, _spoil_column, _spoil_cell, _spoil_cell, _swap_columns,
                    _drop_row, _repeat_row, _drop_cell))
)  # fmt: skip
_KINDS = {".csv": _ANY + _TABLE, ".json": (*_ANY, _spoil_value, _spoil_value, _spoil_value, _nest)}


def damage(path: Path, generator: random.Random) -> None:
    """Spoils one file of results, or what stands in its place."""
    octets = path.read_bytes()
    way = generator.random()
    if way < 0.06 or not octets:
        path.unlink()
    elif way < 0.09:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(generator.choice(_KINDS.get(path.suffix, _ANY))(octets, generator))


def damaged_copy(directory: Path, place: Path, generator: random.Random) -> Path:
    """A copy of a directory in which one file is damaged; returns the path of that file."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(directory, place)
    kinds: dict[tuple[str, int], list[Path]] = {}
    for path in sorted(place.rglob("*")):
        if path.is_file() and path.suffix not in (".png", ".pdf"):
            kinds.setdefault((path.name, len(path.parts)), []).append(path)
    spoilt = generator.choice(generator.choice(list(kinds.values())))
    damage(spoilt, generator)
    return spoilt
