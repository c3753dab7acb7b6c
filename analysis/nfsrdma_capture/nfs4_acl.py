# SPDX-License-Identifier: GPL-2.0-only
"""POSIX access lists that Linux's server has given as ACL attributes of NFSv4 (fs/nfsd/nfs4acl.c), as text.

The text is that of nfsacl3: user::rw-,user:1000:r--,...
"""

from __future__ import annotations

from dataclasses import dataclass, field

_ALLOWED, _DENIED = 0, 1
_INHERITANCE, _INHERIT_ONLY, _GROUP = 0x0B, 0x08, 0x40
_READ, _WRITE, _EXECUTE, _DELETE_CHILD = 0x01, 0x06, 0x20, 0x40
_NAMES = {"root": 0, "nobody": 65534}


class UnknownWho(ValueError):
    """A name that stands for no number."""


@dataclass
class _Bits:
    allow: int = 0
    deny: int = 0

    def apply(self, allowed: bool, mask: int) -> None:
        if allowed:
            self.allow |= mask & ~self.deny
        else:
            self.deny |= mask & ~self.allow


@dataclass
class _List:
    """A POSIX list in the making, as posix_acl_state of nfs4acl.c."""

    is_directory: bool
    empty: bool = True
    owner: _Bits = field(default_factory=_Bits)
    group: _Bits = field(default_factory=_Bits)
    other: _Bits = field(default_factory=_Bits)
    everyone: _Bits = field(default_factory=_Bits)
    users: dict[int, _Bits] = field(default_factory=dict)
    groups: dict[int, _Bits] = field(default_factory=dict)

    def take(self, allowed: bool, flags: int, mask: int, who: str) -> None:
        self.empty = False
        if who == "OWNER@":
            self.owner.apply(allowed, mask)
        elif who == "GROUP@":
            self.group.apply(allowed, mask)
            if not allowed:
                self._deny_others(self.group.deny)
        elif who == "EVERYONE@":
            for bits in (self.owner, self.group, self.other, self.everyone, *self._named()):
                bits.apply(allowed, mask)
        else:
            self._take_named(flags & _GROUP != 0, _number(who), allowed, mask)

    def _named(self):
        return (*self.users.values(), *self.groups.values())

    def _deny_others(self, denied: int) -> None:
        for bits in (self.owner, self.everyone, *self._named()):
            bits.apply(False, denied)

    def _take_named(self, is_group: bool, number: int, allowed: bool, mask: int) -> None:
        named = self.groups if is_group else self.users
        bits = named.setdefault(number, _Bits(self.everyone.allow, self.everyone.deny))
        bits.apply(allowed, mask)
        if allowed:
            return
        denied = bits.deny
        self.owner.apply(False, denied)
        if is_group:
            self.group.apply(False, denied)
            self._deny_others(denied)

    def text(self) -> str:
        mask = self.group.allow
        for bits in self._named():
            mask |= bits.allow
        entries = [f"user::{self._letters(self.owner.allow)}"]
        entries += [f"user:{number}:{self._letters(bits.allow)}" for number, bits in sorted(self.users.items())]
        entries.append(f"group::{self._letters(self.group.allow)}")
        entries += [f"group:{number}:{self._letters(bits.allow)}" for number, bits in sorted(self.groups.items())]
        if self._named():
            entries.append(f"mask::{self._letters(mask)}")
        return ",".join([*entries, f"other::{self._letters(self.other.allow)}"])

    def _letters(self, mask: int) -> str:
        write = _WRITE | (_DELETE_CHILD if self.is_directory else 0)
        return (
            ("r" if mask & _READ else "-")
            + ("w" if mask & write == write else "-")
            + ("x" if mask & _EXECUTE else "-")
        )


def _number(who: str) -> int:
    name = who.partition("@")[0]
    if name in _NAMES:
        return _NAMES[name]
    if not name.isdecimal():
        raise UnknownWho(who)
    return int(name)


def posix_lists(aces: list[tuple[int, int, int, str]], is_directory: bool) -> tuple[str, str]:
    """The access list and the default list (empty: none) of an ACL attribute. UnknownWho: no such lists can be."""
    access, inherited = _List(is_directory), _List(is_directory)
    for kind, flags, mask, who in aces:
        if kind not in (_ALLOWED, _DENIED):
            continue
        inherits = flags & _INHERITANCE != 0
        if inherits:
            inherited.take(kind == _ALLOWED, flags, mask, who)
        if not inherits or not flags & _INHERIT_ONLY:
            access.take(kind == _ALLOWED, flags, mask, who)
    return access.text(), "" if inherited.empty else inherited.text()
