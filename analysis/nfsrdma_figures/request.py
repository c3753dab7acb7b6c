# SPDX-License-Identifier: GPL-2.0-only
"""What a figure is asked to show: words ROLE=NAME and KEY=VALUE of a command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas

from .results import ResultsError
from .sweep import KeyAxis, key_axis
from .units import in_base_units

#: Where a key of a sweep may lie in a figure.
ROLES = ("x", "series", "panel", "row")


@dataclass(frozen=True)
class Request:
    """roles has for each role the keys that lie there; options are the other words; kept are keys with one value."""

    roles: dict[str, tuple[str, ...]]
    options: dict[str, tuple[str, ...]]
    kept: dict[str, str]
    words: tuple[str, ...]

    def option(self, name: str, default: str) -> str:
        """The one value of an option."""
        values = self.options.get(name, (default,))
        if len(values) > 1:
            raise ResultsError(f"{name}= was given {len(values)} times, expected one")
        return values[0]


def parse(words: Sequence[str], options: Sequence[str] = ()) -> Request:
    """Of x=KEY series=KEY panel=KEY row=KEY, each as often as wanted, OPTION=NAME, and KEY=VALUE, what is kept."""
    roles: dict[str, list[str]] = {}
    chosen: dict[str, list[str]] = {}
    kept: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not value or (name not in (*ROLES, *options) and "." not in name):
            known = ", ".join(f"{role}=" for role in (*ROLES, *options))
            raise ResultsError(f"{word}: expected one of {known} or SECTION.KEY=VALUE")
        if name in ROLES:
            roles.setdefault(name, []).append(value)
        elif name in options:
            chosen.setdefault(name, []).append(value)
        else:
            kept[name] = value
    named = [key for keys in roles.values() for key in keys]
    for key in named:
        if named.count(key) > 1:
            raise ResultsError(f"{key}: has two places in the figure, expected one")
    return Request(
        {role: tuple(keys) for role, keys in roles.items()},
        {name: tuple(values) for name, values in chosen.items()},
        kept,
        tuple(words),
    )


def keep(table: pandas.DataFrame, keys: Sequence[str], request: Request, units: dict[str, str]) -> pandas.DataFrame:
    """The rows in which the keys have the values that were asked for, as text or as number with unit."""
    for key in [*request.kept, *(key for keys_of_role in request.roles.values() for key in keys_of_role)]:
        if key not in keys:
            raise ResultsError(f"{key}: not a key of this sweep; those are {', '.join(keys) or 'none'}")
    for key, wanted in request.kept.items():
        values = dict.fromkeys(table[key])
        number = in_base_units(wanted)
        unit = units.get(key, "")
        same = [value for value in values if value == wanted]
        same = same or [value for value in values if number is not None and in_base_units(value + unit) == number]
        same = same or [value for value in values if number is not None and in_base_units(value) == number]
        if not same:
            raise ResultsError(f"{key}: no run with {wanted}; its values are {', '.join(values)}")
        table = table[table[key].isin(same)]
    return table


def place(
    table: pandas.DataFrame, keys: Sequence[str], request: Request, roles: Sequence[str] = ROLES
) -> dict[str, tuple[str, ...]]:
    """The keys of each role: those asked for; of the rest those with several values, the one with most along x.

    What is left when every role has a key is told apart by the series.
    """
    placed = {role: request.roles.get(role, ()) for role in ROLES}
    for role in ROLES:
        if placed[role] and role not in roles:
            raise ResultsError(f"{role}={placed[role][0]}: this figure has no {role}")
    taken = {key for chosen in placed.values() for key in chosen}
    rest = [key for key in keys if key not in taken and table[key].nunique() > 1]
    rest.sort(key=lambda key: (not key_axis(key, list(table[key])).numeric, -table[key].nunique()))
    for role in roles:
        if rest and not placed[role]:
            placed[role] = (rest.pop(0),)
    last = "series" if "series" in roles else roles[-1]
    placed[last] += tuple(rest)
    return placed


def axis_of(table: pandas.DataFrame, keys: Sequence[str], units: dict[str, str]) -> KeyAxis:
    """How the values of one key, or the combinations of several, lie on an axis."""
    if len(keys) == 1:
        return key_axis(keys[0], list(table[keys[0]]), units.get(keys[0], ""))
    return key_axis(", ".join(keys), list(combine(table, keys, units)))


def combine(table: pandas.DataFrame, keys: Sequence[str], units: dict[str, str]) -> pandas.Series:
    """A text for the values of some keys in each row, as legends and titles show it."""
    if not keys:
        return pandas.Series("", index=table.index)
    axes = {key: key_axis(key, list(table[key]), units.get(key, "")) for key in keys}

    def tell(key: str, value: str) -> str:
        axis = axes[key]
        text = f"{axis.labels[value]} {axis.unit}".rstrip()
        return text if len(keys) == 1 else f"{key.rpartition('.')[2]} {text}"

    columns = [[tell(key, value) for value in table[key]] for key in keys]
    return pandas.Series([", ".join(parts) for parts in zip(*columns)], index=table.index, dtype=object)


def in_order(table: pandas.DataFrame, keys: Sequence[str], units: dict[str, str]) -> list[str]:
    """The texts of combine(), each once, by number where the keys are numbers."""
    if not keys:
        return [""]
    axes = [key_axis(key, list(table[key]), units.get(key, "")) for key in keys]
    rows = table.drop_duplicates(list(keys))
    texts = combine(table, keys, units).loc[rows.index]
    places = [tuple(axis.positions[row[axis.key]] for axis in axes) for _, row in rows.iterrows()]
    return [text for _, text in sorted(zip(places, texts))]
