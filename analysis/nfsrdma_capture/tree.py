# SPDX-License-Identifier: GPL-2.0-only
"""The export as it was before a capture, as far as the capture shows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import nfsacl3
from .nfs3 import Attributes
from .trace_rules import is_file_name, tree_acl

COLUMNS = "object parent name type mode uid gid size target nlink acl default_acl".split()
ROOT = "root"
_UNLISTED = 1 << 40
_MAX_TARGET = 1024
_DEFAULT_MODES = {"DIR": 0o755, "LNK": 0o777}


@dataclass
class _Node:
    """What is known of an object; known attributes are those before the capture changed it.

    acls are its access list ("acl", empty when minimal) and default list, as they were before; None: changed
    before they were seen.
    """

    identifier: str
    kind: str | None = None
    attributes: Attributes | None = None
    size: int | None = None
    target: str | None = None
    changed: bool = False
    created: bool = False
    acls: dict[str, str | None] = field(default_factory=dict)


@dataclass
class _Name:
    parent: str
    name: str
    child: str
    initial: bool
    order: int


@dataclass
class InitialTree:
    """Follows the operations of a capture and keeps which names and objects were there before.

    Objects are named root, o1, o2, ... in order of appearance; an object is known by its handle, or by its
    directory and name until a handle is seen.

    rows() tells in unnamed which objects it has placed without knowing their names, and in unplaced which have a
    name or place that no export can give them. contradictions is how often something was as no operation of the capture had left it: what made it so is not in
    the capture.
    """

    _by_handle: dict[tuple[str, bytes], str] = field(default_factory=dict)
    _with_handle: set[str] = field(default_factory=set)
    _nodes: dict[str, _Node] = field(default_factory=dict)
    _names: dict[tuple[str, str], _Name] = field(default_factory=dict)
    _initial: list[_Name] = field(default_factory=list)
    _gone: set[tuple[str, str]] = field(default_factory=set)
    _unseen: set[tuple[str, str]] = field(default_factory=set)  # Made without a handle in the reply.
    _listed: int = 0
    unnamed: list[str] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)
    contradictions: int = 0

    def identify(self, server: str, handle: bytes) -> str:
        known = self._by_handle.get((server, handle))
        if known is None:
            known = self._new_node()
            self._bind(server, handle, known)
        return known

    def is_outside(self, server: str, handle: bytes) -> None:
        """An object above the root: it is not in the export."""
        self._nodes[self.identify(server, handle)].created = True

    def _bind(self, server: str, handle: bytes, identifier: str) -> None:
        self._by_handle[(server, handle)] = identifier
        self._with_handle.add(identifier)

    def _new_node(self) -> str:
        identifier = f"o{len(self._nodes)}" if self._nodes else ROOT
        self._nodes[identifier] = _Node(identifier)
        return identifier

    def _child(self, server: str, parent: str, name: str, handle: bytes | None) -> str:
        present = self._names.get((parent, name))
        if handle is None:
            return present.child if present else self._new_node()
        if present and (server, handle) not in self._by_handle and present.child not in self._with_handle:
            self._bind(server, handle, present.child)
        return self.identify(server, handle)

    def found(
        self, server: str, parent: str, name: str, handle: bytes | None, attributes: Attributes | None, listed: bool
    ) -> str:
        """A name that LOOKUP or a listing showed."""
        key = (parent, name)
        present = self._names.get(key)
        is_new = present is None and (handle is None or (server, handle) not in self._by_handle)
        child = self._child(server, parent, name, handle)
        if is_new and key in self._gone:
            self._nodes[child].created = True
        if present.child != child if present else key in self._gone - self._unseen:
            self.contradictions += 1
        self._unseen.discard(key)
        if present is None or present.child != child:
            present = _Name(parent, name, child, key not in self._gone and not self._nodes[child].created, _UNLISTED)
            self._names[key] = present
            if present.initial:
                self._initial.append(present)
        if listed and present.order == _UNLISTED:
            self._listed += 1
            present.order = self._listed
        if attributes is not None:
            self.saw(child, attributes)
        return child

    def existed(self, parent: str, name: str, kind: str) -> None:
        """A name that an operation proved to be there without showing it."""
        if self._is_gone(parent, name):
            self._reappears(parent, name)
        elif (parent, name) not in self._names:
            self._enter(parent, name, kind, True)

    def _is_gone(self, parent: str, name: str) -> bool:
        return (parent, name) in self._gone and (parent, name) not in self._names

    def _reappears(self, parent: str, name: str) -> None:
        """A name that is gone is there: one made without a handle, or by something that is not in the capture."""
        self.contradictions += (parent, name) not in self._unseen

    def _enter(self, parent: str, name: str, kind: str, initial: bool) -> None:
        child = self._new_node()
        self._nodes[child].kind = kind
        self._nodes[child].created = not initial
        self._names[(parent, name)] = _Name(parent, name, child, initial, _UNLISTED)
        if initial:
            self._initial.append(self._names[(parent, name)])

    def _must_exist(self, parent: str, name: str, kind: str) -> None:
        self.existed(parent, name, kind)
        if (parent, name) not in self._names:
            self._enter(parent, name, kind, False)

    def not_there(self, parent: str, name: str) -> None:
        """A name that an operation did not find."""
        if self._names.pop((parent, name), None) is not None or (parent, name) in self._unseen:
            self.contradictions += 1
            self._gone.add((parent, name))
            self._unseen.discard((parent, name))

    def created(
        self, server: str, parent: str, name: str, handle: bytes | None, is_link: bool = False, is_new: bool = False
    ) -> str | None:
        """A name made by the capture; the object may have been there (CREATE UNCHECKED, LINK) unless is_new."""
        key = (parent, name)
        if key in self._names:
            self.contradictions += is_new
            return self._child(server, parent, name, handle)
        self._gone.add(key)
        if handle is None:
            self._unseen.add(key)
            return None
        known = (server, handle) in self._by_handle
        child = self.identify(server, handle)
        if not known and not is_link:
            self._nodes[child].created = True
        self._names[key] = _Name(parent, name, child, False, _UNLISTED)
        return child

    def removed(self, parent: str, name: str, kind: str) -> None:
        self.existed(parent, name, kind)
        self._names.pop((parent, name), None)
        self._gone.add((parent, name))
        self._unseen.discard((parent, name))

    def renamed(self, parent: str, name: str, parent2: str, name2: str) -> None:
        self._must_exist(parent, name, "REG")
        entry = self._names.pop((parent, name))
        self._gone |= {(parent, name), (parent2, name2)}
        self._unseen.discard((parent, name))
        self._names[(parent2, name2)] = _Name(parent2, name2, entry.child, False, _UNLISTED)

    def not_empty(self, parent: str, name: str) -> None:
        """RMDIR found the directory not empty: something unseen is in it if nothing seen is."""
        self._must_exist(parent, name, "DIR")
        directory = self._names[(parent, name)].child
        if not any(entry.parent == directory for entry in self._names.values()):
            self.existed(directory, "unseen", "REG")

    def saw(self, identifier: str, attributes: Attributes) -> None:
        node = self._nodes[identifier]
        node.kind = attributes.type
        if node.attributes is None:
            node.attributes = attributes
            if not node.changed and node.size is None:
                node.size = attributes.size

    def changes(self, identifier: str, pre_size: int | None) -> None:
        """WRITE or SETATTR of an object; pre_size is its size before, where the server said so."""
        node = self._nodes[identifier]
        if node.size is None and not node.changed and pre_size is not None:
            node.size = pre_size
        node.changed = True

    def saw_acl(self, identifier: str, key: str, text: str) -> None:
        """GETACL gave an access list (key acl) or a default list (key default_acl)."""
        known = "" if key == "acl" and nfsacl3.is_minimal(text) else text
        self._nodes[identifier].acls.setdefault(key, known)

    def changes_acl(self, identifier: str, key: str) -> None:
        """SETACL, or SETATTR of a mode, of an object."""
        self._nodes[identifier].acls.setdefault(key, None)

    def read_link(self, identifier: str, target: str) -> None:
        self._nodes[identifier].target = target

    def rows(self) -> list[dict]:
        """Rows of NAME.tree.csv: the root, then every name that was there, directories before their contents."""
        self.unnamed = []
        self.unplaced = []
        placed = {entry.child for entry in self._initial} | {entry.child for entry in self._names.values()}
        entries = sorted(self._initial, key=lambda entry: entry.order)
        for identifier, node in self._nodes.items():
            if identifier != ROOT and identifier not in placed and not node.created:
                self.unnamed.append(identifier)
                entries.append(_Name(ROOT, f"unnamed-{identifier}", identifier, True, _UNLISTED))
        children: dict[str, list[_Name]] = {}
        for entry in entries:
            children.setdefault(entry.parent, []).append(entry)
        rows = [self._row(ROOT, "", "", "DIR", is_directory=True)] if ROOT in self._nodes else []
        waiting = [ROOT]
        visited = {ROOT}
        named: set[tuple[str, str]] = set()
        while waiting:
            parent = waiting.pop(0)
            for entry in children.get(parent, []):
                is_directory = entry.child in children or self._nodes[entry.child].kind == "DIR"
                is_second = entry.child in visited and is_directory
                if not is_file_name(entry.name) or (parent, entry.name) in named or is_second:
                    self.unplaced.append(entry.child)
                    continue
                named.add((parent, entry.name))
                rows.append(self._row(entry.child, parent, entry.name, "REG", is_directory))
                if entry.child not in visited:
                    visited.add(entry.child)
                    waiting.append(entry.child)
        return rows

    def _row(self, identifier: str, parent: str, name: str, fallback_kind: str, is_directory: bool) -> dict:
        node = self._nodes[identifier]
        kind = "DIR" if is_directory else node.kind or fallback_kind
        known = node.attributes
        target = node.target or ""
        size = node.size
        if size is None:
            size = len(target.encode("utf-8", "surrogateescape"))
        if kind == "LNK" and not target:
            target = "?" * min(max(size, 1), _MAX_TARGET)  # Never read: only its length is known.
        return {
            "object": identifier,
            "parent": parent,
            "name": name,
            "type": kind,
            "mode": f"{known.mode & 0o7777 if known else _DEFAULT_MODES.get(kind, 0o644):04o}",
            "uid": known.uid if known else 0,
            "gid": known.gid if known else 0,
            "size": size,
            "target": target,
            "nlink": known.nlink if known else "",
            "acl": "" if node.created or kind == "LNK" else tree_acl(node.acls.get("acl") or ""),
            "default_acl": "" if node.created or kind != "DIR" else tree_acl(node.acls.get("default_acl") or ""),
        }
