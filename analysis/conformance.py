#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes model/CONFORMANCE.md: what the profiles do of each clause of the specifications, and which tests hold it.

The clauses are in test/conformance, a file for each specification. Its first lines say its title, the profiles that
are columns of it, how many key words (MUST, SHOULD, MAY, ...) each section has, and, where that is not the published
specification, which text the clauses were read in; the rest is CSV:

    section,level,clause,PROFILE,...,tests

level is the clause's key word, several joined by " + ", or "text" where a clause that matters here has none. A
profile's column begins with "meets", "differs" or "does not apply". Tests are BINARY:SUITE.TEST of GoogleTest, or
FILE::FUNCTION of pytest; only a clause that applies to no profile has none.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "test" / "conformance"
DOCUMENT = ROOT / "model" / "CONFORMANCE.md"
#: The specifications, in the order of the document.
NAMES = ("rfc8166", "rfc8797", "draft-read-chunks", "rfc8267", "rfc5044", "rfc9289")
LEVELS = ("MUST", "MUST NOT", "REQUIRED", "SHOULD", "SHOULD NOT", "RECOMMENDED", "MAY", "OPTIONAL", "text")
STANDS = ("meets", "differs", "does not apply")


@dataclass
class Clause:
    """A row."""

    section: str
    levels: list[str]
    text: str
    stands: dict[str, str]  #: By profile.
    tests: list[str]

    def count_words(self) -> int:
        return sum(level != "text" for level in self.levels)


@dataclass
class Specification:
    """A file of clauses."""

    name: str
    title: str = ""
    profiles: dict[str, str] = field(default_factory=dict)  #: Files, by name.
    words: dict[str, int] = field(default_factory=dict)  #: Key words, by section.
    basis: str = ""  #: A sentence on the text that was read; empty: the specification itself.
    clauses: list[Clause] = field(default_factory=list)


def _parse_pairs(text: str) -> dict[str, str]:
    return dict(pair.split(" = ") for pair in text.split(", ") if pair)


def read(path: Path) -> Specification:
    specification = Specification(path.stem)
    lines = path.read_text().splitlines()
    head = [line for line in lines if line.startswith("# ")]
    for line in head:
        key, _, value = line[2:].partition(": ")
        if key == "title":
            specification.title = value
        elif key == "profiles":
            specification.profiles = _parse_pairs(value)
        elif key == "words":
            specification.words = {section: int(count) for section, count in _parse_pairs(value).items()}
        elif key == "basis":
            specification.basis = value
        else:
            raise ValueError(f"{path}: '{key}' is neither title, profiles, words nor basis")
    for row in csv.DictReader(lines[len(head) :]):
        if None in row or None in row.values():
            raise ValueError(f"{path}: {row['section']}, {row['clause']!r}: not as many columns as the first line")
        specification.clauses.append(
            Clause(
                row["section"],
                row["level"].split(" + "),
                row["clause"],
                {profile: row[profile] for profile in specification.profiles},
                row["tests"].split(),
            )
        )
    return specification


def read_all() -> list[Specification]:
    return [read(SOURCES / f"{name}.csv") for name in NAMES if (SOURCES / f"{name}.csv").exists()]


def get_stand(text: str) -> str:
    """The first words of a profile's column."""
    for stand in STANDS:
        if re.match(rf"{stand}\b", text):
            return stand
    raise ValueError(f"{text!r} begins with none of {', '.join(STANDS)}")


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def _write_table(specification: Specification) -> list[str]:
    lines = [
        f"## {specification.title}",
        "",
        "Profiles: " + ", ".join(f"{name} ({path})" for name, path in specification.profiles.items()) + ".",
        *([specification.basis] if specification.basis else []),
        "",
        "| section | | clause | " + " | ".join(specification.profiles) + " | tests |",
        "|---|---|---" + "|---" * len(specification.profiles) + "|---|",
    ]
    for clause in specification.clauses:
        stands = " | ".join(_escape(clause.stands[profile]) for profile in specification.profiles)
        level = "" if clause.levels == ["text"] else ", ".join(clause.levels)
        tests = ", ".join(_escape(test) for test in clause.tests)
        lines.append(f"| {clause.section} | {level} | {_escape(clause.text)} | {stands} | {tests} |")
    return [*lines, ""]


def _write_summary(specifications: list[Specification]) -> list[str]:
    lines = ["| specification | profile | meets | differs | does not apply |", "|---|---|---|---|---|"]
    for specification in specifications:
        for profile in specification.profiles:
            counts = Counter(get_stand(clause.stands[profile]) for clause in specification.clauses)
            columns = " | ".join(str(counts[stand]) for stand in STANDS)
            lines.append(f"| {specification.title.partition(',')[0]} | {profile} | {columns} |")
    return [*lines, ""]


def write(specifications: list[Specification]) -> str:
    lines = [
        "# Conformance, clause by clause",
        "",
        "What each profile does of every clause that has a key word (MUST, SHOULD, MAY, ...), and the tests that hold it;",
        "of clauses without a key word those in which implementations differ. The profiles that are called after a",
        "specification do what it says. Where Linux does not, the kernel's source file is named.",
        "",
        "analysis/conformance.py writes this file from test/conformance, where the clauses are.",
        "",
        *_write_summary(specifications),
    ]
    for specification in specifications:
        lines += _write_table(specification)
    return "\n".join(lines).rstrip("\n") + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes model/CONFORMANCE.md from test/conformance.")
    parser.add_argument("--out", type=Path, default=DOCUMENT, help="the file to write")
    arguments = parser.parse_args()
    arguments.out.write_text(write(read_all()))
    print(arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
