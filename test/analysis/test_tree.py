# SPDX-License-Identifier: GPL-2.0-only
"""The export before a capture, from what its operations show."""

from __future__ import annotations

import pytest
from nfsrdma_capture.nfs3 import Attributes
from nfsrdma_capture.tree import InitialTree

SERVER = "10.0.0.1"


def attributes(size: int = 0, kind: str = "REG") -> Attributes:
    return Attributes(kind, 0o640, 1, 3, 4, size, (0, 0), 99)


@pytest.fixture
def tree() -> InitialTree:
    made = InitialTree()
    assert made.identify(SERVER, b"root") == "root"
    return made


def names(tree: InitialTree) -> list[str]:
    return [row["name"] for row in tree.rows()[1:]]


def test_looked_up_name_was_there_created_one_was_not(tree):
    old = tree.found(SERVER, "root", "old", b"h1", attributes(7), listed=False)
    new = tree.created(SERVER, "root", "new", b"h2")
    tree.found(SERVER, "root", "new", b"h2", attributes(9), listed=True)
    assert (old, new) == ("o1", "o2")
    assert names(tree) == ["old"]
    assert tree.rows()[1] | {"size": 7, "mode": "0640", "uid": 3, "gid": 4} == tree.rows()[1]


def test_listing_sets_the_order(tree):
    tree.found(SERVER, "root", "c", b"h1", attributes(), listed=False)
    for name in ("b", "a", "c"):
        tree.found(SERVER, "root", name, None if name != "c" else b"h1", None, listed=True)
    assert names(tree) == ["b", "a", "c"]


def test_name_listed_without_handle_gets_its_handle_later(tree):
    listed = tree.found(SERVER, "root", "a", None, None, listed=True)
    assert tree.found(SERVER, "root", "a", b"h1", attributes(5), listed=False) == listed
    assert [row["size"] for row in tree.rows()[1:]] == [5]


def test_size_is_that_before_the_first_write(tree):
    tree.found(SERVER, "root", "a", b"h1", None, listed=False)
    tree.changes("o1", pre_size=10)
    tree.saw("o1", attributes(500))
    assert tree.rows()[1]["size"] == 10


def test_names_proved_by_their_going_were_there(tree):
    tree.removed("root", "gone", "REG")
    tree.removed("root", "gonedir", "DIR")
    tree.renamed("root", "from", "root", "to")
    tree.existed("root", "clash", "REG")
    assert [(row["name"], row["type"]) for row in tree.rows()[1:]] == [
        ("gone", "REG"),
        ("gonedir", "DIR"),
        ("from", "REG"),
        ("clash", "REG"),
    ]


def test_name_made_again_after_removal_is_not_in_the_export_twice(tree):
    tree.removed("root", "a", "REG")
    tree.created(SERVER, "root", "a", b"h9")
    tree.removed("root", "a", "REG")
    tree.found(SERVER, "root", "a", b"h10", attributes(), listed=False)
    assert names(tree) == ["a"]


def test_name_seen_after_its_removal_came_later(tree):
    tree.removed("root", "a", "REG")
    tree.found(SERVER, "root", "a", b"h1", attributes(), listed=False)
    assert [row["object"] for row in tree.rows()[1:]] == ["o1"]


def test_directory_not_empty_has_something_in_it(tree):
    tree.not_empty("root", "full")
    assert [(row["parent"], row["name"]) for row in tree.rows()[1:]] == [("root", "full"), ("o1", "unseen")]


def test_hard_links_share_the_object(tree):
    tree.found(SERVER, "root", "a", b"h1", attributes(), listed=False)
    tree.found(SERVER, "root", "b", b"h1", attributes(), listed=False)
    assert [(row["object"], row["name"]) for row in tree.rows()[1:]] == [("o1", "a"), ("o1", "b")]


def test_object_known_by_handle_only_is_placed_and_reported(tree):
    tree.identify(SERVER, b"stranger")
    assert names(tree) == ["unnamed-o1"]
    assert tree.unnamed == ["o1"]


def test_same_handle_on_another_server_is_another_object(tree):
    assert tree.identify("10.0.0.9", b"root") == "o1"
