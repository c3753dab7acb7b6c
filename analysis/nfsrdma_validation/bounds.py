# SPDX-License-Identifier: GPL-2.0-only
"""When a number of the model agrees with a published one.

ratio: within 15 % of it; absolute: within a factor of 1.5; count: equal. shape: a property of the numbers, whatever their
size: clauses with commas between,

    rising from 1 to 3, flat within 10% from 3 to 5         each number above, near, below the one before it
    above N12[0], below 2                                   every number
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .expression import Expression

RATIO = 0.15
FACTOR = 1.5
KINDS = ("ratio", "absolute", "count", "shape")
PROPERTY = "rising, falling, flat within P%, each with from I to J, above X or below X, with commas between"

_RUN = re.compile(r"(rising|falling|flat within (\d+(?:\.\d+)?)%)(?: from (\d+))?(?: to (\d+))?")
_LIMIT = re.compile(r"(above|below) (.+)")


@dataclass(frozen=True)
class Clause:
    text: str
    kind: str
    share: float = 0
    first: int = 1
    last: int = 0
    limit: Expression | None = None

    def holds(self, values: list[float], look_up: Callable[[str], float | list[float]]) -> bool:
        if self.limit is not None:
            limit = self.limit.evaluate(look_up)[0]
            return all(value > limit if self.kind == "above" else value < limit for value in values)
        part = values[self.first - 1 : self.last or len(values)]
        if self.kind == "flat":
            return max(part) <= (1 + self.share) * min(part)
        pairs = list(zip(part, part[1:]))
        return all(after > before if self.kind == "rising" else after < before for before, after in pairs)


def read_property(text: str, count: int) -> list[Clause]:
    """ValueError with the clause that is none, or speaks of numbers that there are not."""
    clauses = []
    for part in re.split(r"\s*,\s*", text.strip()):
        if match := _RUN.fullmatch(part):
            clause = Clause(part, match[1].split()[0], float(match[2] or 0) / 100, int(match[3] or 1), int(match[4] or 0))
            if not 1 <= clause.first < (clause.last or count) <= count:
                raise ValueError(part)
            clauses.append(clause)
        elif match := _LIMIT.fullmatch(part):
            clauses.append(Clause(part, match[1], limit=Expression(match[2])))
        else:
            raise ValueError(part)
    return clauses


def agrees(kind: str, model: list[float], published: list[float]) -> bool:
    """Of the kinds but shape: whether each number is within the bound of its published one."""
    if len(model) != len(published):
        return False
    if kind == "count":
        return all(round(one, 6) == round(other, 6) for one, other in zip(model, published))
    ratios = ratios_of(model, published)
    if kind == "ratio":
        return all(ratio is not None and abs(ratio - 1) <= RATIO for ratio in ratios)
    return all(ratio is not None and 1 / FACTOR <= ratio <= FACTOR for ratio in ratios)


def ratios_of(model: list[float], published: list[float]) -> list[float | None]:
    """Model over published, where both are of one sign."""
    if len(model) != len(published):
        return []
    return [one / other if one * other > 0 else None for one, other in zip(model, published)]


def tolerance(kind: str) -> float:
    """Of the logarithm of a number: how far it may be from the published one."""
    return {"ratio": RATIO, "absolute": 0.405, "count": 0.01}[kind]
