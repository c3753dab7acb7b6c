# SPDX-License-Identifier: GPL-2.0-only
"""The table of NFSv4's operations as the analysis reads it."""

from __future__ import annotations

import pytest
from nfsrdma_capture import nfs4_operations
from nfsrdma_capture.nfs4 import _ARGUMENTS, _RESULTS


@pytest.fixture(scope="module")
def rows():
    return nfs4_operations.read_rows()


def test_no_row_is_overlooked(rows):
    lines = nfs4_operations.TABLE.read_text(encoding="utf-8").splitlines()
    assert len(rows) == sum(line.startswith("NFS4_OPERATION(") for line in lines)


def test_numbers_are_in_order_without_a_gap(rows):
    assert [row.number for row in rows[:-1]] == list(range(3, 3 + len(rows) - 1))
    assert (rows[-1].number, rows[-1].name, rows[-1].since) == (10044, "ILLEGAL", None)


@pytest.mark.parametrize(
    ("name", "number", "since"),
    [("ACCESS", 3, 0), ("RELEASE_LOCKOWNER", 39, 0), ("SEQUENCE", 53, 1), ("ALLOCATE", 59, 2), ("REMOVEXATTR", 75, 2)],
)
def test_numbers_are_those_of_the_rfcs(rows, name, number, since):
    (row,) = [row for row in rows if row.name == name]
    assert (row.number, row.since) == (number, since)
    assert nfs4_operations.NAMES[number] == name


def test_rules_are_read(rows):
    rules = {row.name: row.rules for row in rows}
    assert rules["RENAME"] == {"NEEDS_SAVED_HANDLE", "CHANGES_FILES", "CACHED_V40"}
    assert rules["SEEK"] == {"NO_RULE"}
    assert {"WRITE", "OPEN", "COPY"} <= nfs4_operations.CHANGING
    assert not {"READ", "LOCK", "GETATTR"} & nfs4_operations.CHANGING


def test_what_is_decoded_is_in_the_table(rows):
    decoded = {name for name in {*_ARGUMENTS, *_RESULTS} if not name.startswith("CB_")}
    assert decoded <= {row.name for row in rows}
