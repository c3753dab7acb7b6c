# SPDX-License-Identifier: GPL-2.0-only
"""What could have been had if all that was to come had been known: least costs over choices that may change with time.

Costs are of stages (RPCs, or windows of time) by choices (thresholds, credits). Everything here is exact, by dynamic
programming over whole tables; tests hold it against an exhaustive search.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy


@dataclass(frozen=True)
class Plan:
    """A sequence of choices: what it costs in all, switches included, and the choice of each stage."""

    cost: float
    choices: tuple[int, ...]

    @property
    def switches(self) -> int:
        return sum(one != next_one for one, next_one in zip(self.choices, self.choices[1:]))


def best_fixed(costs: numpy.ndarray) -> Plan:
    """The best one choice for all stages, in hindsight; the first of several."""
    totals = costs.sum(axis=0)
    choice = int(totals.argmin())
    return Plan(float(totals[choice]), (choice,) * len(costs))


def best_changing(costs: numpy.ndarray, switch: float) -> Plan:
    """The least cost of choices that may change between stages, each change at the cost of switch.

    V(t, k) = c(t, k) + min(V(t - 1, k), min over j of V(t - 1, j) + switch): stages times choices in all.
    """
    stages, width = costs.shape
    value = costs[0].astype(float)
    came = numpy.empty((stages, width), dtype=numpy.int32)
    own = numpy.arange(width, dtype=numpy.int32)
    for stage in range(1, stages):
        best = int(value.argmin())
        stays = value <= value[best] + switch
        came[stage] = numpy.where(stays, own, best)
        value = numpy.where(stays, value, value[best] + switch) + costs[stage]
    choice = int(value.argmin())
    cost = float(value[choice])
    choices = [choice]
    for stage in range(stages - 1, 0, -1):
        choice = int(came[stage, choice])
        choices.append(choice)
    return Plan(cost, tuple(reversed(choices)))


def allocate(costs: list[list[float]], sizes: list[list[int]], budget: int) -> Plan | None:
    """One choice for each of several, of least cost in all, whose sizes are no more than budget together; None: there is none.

    A knapsack of groups, exact: units of the budget times choices in all.
    """
    least = numpy.zeros(budget + 1)
    taken = []
    for group, weights in zip(costs, sizes):
        after = numpy.full(budget + 1, numpy.inf)
        choice = numpy.full(budget + 1, -1, dtype=numpy.int32)
        for number, (cost, size) in enumerate(zip(group, weights)):
            if size > budget:
                continue
            reached = least[: budget + 1 - size] + cost
            better = reached < after[size:]
            after[size:][better] = reached[better]
            choice[size:][better] = number
        least = after
        taken.append(choice)
    if not numpy.isfinite(least[budget]):
        return None
    left, choices = budget, []
    for choice, weights in zip(reversed(taken), reversed(sizes)):
        choices.append(int(choice[left]))
        left -= weights[choices[-1]]
    return Plan(float(least[budget]), tuple(reversed(choices)))


def waiting(arrivals: list[int], services: list[int], credits: int) -> int:
    """What calls that arrive in this order wait for one of so many credits, each kept for its service: in all.

    First come, first served (a queue with as many servers as credits).
    """
    ends: list[int] = []
    total = 0
    for arrival, service in zip(arrivals, services):
        begin = arrival
        if len(ends) == credits:
            begin = max(arrival, heapq.heappop(ends))
        total += begin - arrival
        heapq.heappush(ends, begin + service)
    return total
