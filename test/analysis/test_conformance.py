# SPDX-License-Identifier: GPL-2.0-only
"""The tables of conformance: complete, current, and each clause held by tests that there are."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import conformance
import pytest

TESTS = conformance.ROOT / "test"
BINARIES = conformance.ROOT / "build" / "release" / "bin"
#: Binaries whose sources are not in the folder of their name.
FOLDERS = {"test-scenario": "integration/scenario"}
DEFINITION = re.compile(r"^(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)", re.MULTILINE)
#: What Linux does otherwise is told with the file of the kernel that does it.
KERNEL_SOURCE = re.compile(r"\b(?:net|fs|drivers|include)/[\w/-]+\.[ch]\b")
LINUX = conformance.ROOT / "model" / "LINUX.md"
SPECIFICATIONS = {name: conformance.read(conformance.SOURCES / f"{name}.csv") for name in conformance.NAMES}


def get_folder(binary: str) -> Path:
    """The folder of a test program's sources: test-nfs-v4 is made of nfs/v4, test-fault-plan of fault-plan."""
    if binary in FOLDERS:
        return TESTS / FOLDERS[binary]
    folder = binary.removeprefix("test-")
    candidates = [TESTS / folder]
    candidates += [TESTS / (folder[:at] + "/" + folder[at + 1 :]) for at, mark in enumerate(folder) if mark == "-"]
    return next((path for path in candidates if path.is_dir()), candidates[0])


@cache
def find_defined(binary: str) -> frozenset[str]:
    """Tests that the sources of a test program define."""
    names = set()
    for source in get_folder(binary).glob("*.cc"):
        names.update(f"{suite}.{test}" for suite, test in DEFINITION.findall(source.read_text()))
    return frozenset(names)


@cache
def list_built(binary: str) -> frozenset[str] | None:
    """Tests that a test program lists, without prefix and number of parameters; nothing when it is not built anew."""
    program = BINARIES / binary
    sources = [source.stat().st_mtime for source in get_folder(binary).glob("*.cc")]
    if not program.exists() or program.stat().st_mtime < max(sources, default=0):
        return None
    listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    names, suite = set(), ""
    for line in listing.splitlines():
        if not line.startswith(" "):
            parts = line.partition("  #")[0].strip().rstrip(".").split("/")
            suite = parts[1] if len(parts) > 1 and not parts[1].isdigit() else parts[0]
        else:
            names.add(f"{suite}.{line.strip().partition('/')[0].split()[0]}")
    return frozenset(names)


def find_missing(tests: list[str]) -> list[str]:
    missing = []
    for test in tests:
        if "::" in test:
            path, _, function = test.partition("::")
            source = conformance.ROOT / path
            if not source.exists() or not re.search(rf"^def {function}\(", source.read_text(), re.MULTILINE):
                missing.append(test)
            continue
        binary, _, name = test.partition(":")
        built = list_built(binary)
        if name not in find_defined(binary) or (built is not None and name not in built):
            missing.append(test)
    return missing


@pytest.fixture(params=conformance.NAMES)
def specification(request) -> conformance.Specification:
    return SPECIFICATIONS[request.param]


def test_the_document_is_current():
    assert conformance.DOCUMENT.read_text() == conformance.write(conformance.read_all()), "run analysis/conformance.py"


def test_every_key_word_is_there(specification):
    counts = Counter()
    for clause in specification.clauses:
        counts[clause.section] += clause.count_words()
    assert {section: count for section, count in counts.items() if count} == specification.words


def test_levels_and_stands_are_known(specification):
    for clause in specification.clauses:
        assert set(clause.levels) <= set(conformance.LEVELS), clause
        for text in clause.stands.values():
            conformance.get_stand(text)


def test_every_clause_is_held_by_tests_that_there_are(specification):
    for clause in specification.clauses:
        applies = any(conformance.get_stand(text) != "does not apply" for text in clause.stands.values())
        assert clause.tests or not applies, clause
    assert find_missing([test for clause in specification.clauses for test in clause.tests]) == []


def test_differences_of_linux_name_their_source(specification):
    linux = [name for name in specification.profiles if name.startswith(("linux", "software-iwarp"))]
    assert len(linux) == 1
    for clause in specification.clauses:
        text = clause.stands[linux[0]]
        if conformance.get_stand(text) == "differs":
            assert KERNEL_SOURCE.search(text), text


def test_profiles_of_a_specification_meet_it(specification):
    own = [name for name in specification.profiles if name == specification.name]
    assert len(own) == 1
    for clause in specification.clauses:
        assert conformance.get_stand(clause.stands[own[0]]) != "differs", clause


def test_profiles_are_files(specification):
    for name, path in specification.profiles.items():
        assert (conformance.ROOT / path).exists(), path
        assert Path(path).stem == name


def test_a_test_that_is_taken_out_is_missed():
    good = SPECIFICATIONS["rfc8166"].clauses[0].tests[0]
    assert find_missing([good]) == []
    for wrong in (f"{good}s", good.replace("test-rpcrdma", "test-rpc"), "test-none:Some.Test"):
        assert find_missing([wrong]) == [wrong]
    here = "test/analysis/test_conformance.py::"
    assert find_missing([f"{here}test_the_document_is_current"]) == []
    assert find_missing([f"{here}test_of_nothing"]) == [f"{here}test_of_nothing"]


def test_keys_of_a_stand_are_of_its_profile(specification):
    """A stand that names keys in brackets holds by the profile's file."""
    path = conformance.ROOT / specification.profiles[specification.name]
    values = dict(
        re.match(r"(\w+)\s*=\s*(.*?)\s*(?:#.*)?$", line).groups()
        for line in path.read_text().splitlines()
        if re.match(r"\w+\s*=", line)
    )
    for clause in specification.clauses:
        for key, value in re.findall(r"\b(\w+_\w+) = ([\w.-]+)", clause.stands[specification.name]):
            assert values.get(key) == value, f"{key} = {value}: {clause.text}"


def split_rows(text: str) -> list[list[str]]:
    """The cells of each row of Markdown's tables."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]


def test_what_is_always_so_of_linux_is_held_by_tests_that_there_are():
    changes, _, held = LINUX.read_text().partition("\n## What is always so\n")
    tests = {row[0]: row[2].split(", ") for row in split_rows(held)[2:]}
    assert len(tests) == len(split_rows(held)[2:]), "a commit has one row"
    always = [" ".join(row) for row in split_rows(changes) if row[-1].startswith("always")]
    assert {re.search(r"[0-9a-f]{12}", row)[0] for row in always} == set(tests)
    assert find_missing([test for names in tests.values() for test in names]) == []
