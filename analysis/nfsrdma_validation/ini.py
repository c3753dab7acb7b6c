# SPDX-License-Identifier: GPL-2.0-only
"""INI files as the simulator reads them, with the line of each key, and what is wrong with one in one line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nfsrdma_method.resolved import MethodError


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    path: Path
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True)
class Entry:
    value: str
    place: Place


@dataclass
class Section:
    name: str
    place: Place
    entries: dict[str, Entry] = field(default_factory=dict)


def refuse(place: Place, key: str, got: str, expected: str) -> MethodError:
    return MethodError(f"{place}: {key}: got '{got}', expected {expected}")


def nearest(word: str, known: Iterable[str]) -> str:
    """What is said beside an unknown word."""
    names = list(known)
    found = difflib.get_close_matches(word, names, 1, 0)
    return f"one of {', '.join(names)}" + (f"; nearest: {found[0]}" if found else "")


def read(path: Path) -> list[Section]:
    """MethodError for a line that is none, and for what stands twice."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise MethodError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise MethodError(f"{path}: is no text of UTF-8") from error
    sections: list[Section] = []
    for number, line in enumerate(text.splitlines(), 1):
        place = Place(path, number)
        line = re.sub(r"(^|\s)#.*", "", line).strip()
        if not line:
            continue
        if header := re.fullmatch(r"\[([^\[\]]+)\]", line):
            name = header[1].strip()
            if any(section.name == name for section in sections):
                raise refuse(place, f"[{name}]", "it again", "each section once")
            sections.append(Section(name, place))
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not key or not sections:
            raise refuse(place, key or line, line, "KEY = VALUE below a [SECTION]")
        if key in sections[-1].entries:
            raise refuse(place, key, value, "each key once in its section")
        sections[-1].entries[key] = Entry(value, place)
    return sections
