# SPDX-License-Identifier: GPL-2.0-only
"""What could have been had if all that was to come had been known: least costs over choices that may change with time.

Costs are of stages (RPCs, or windows of time) by choices (thresholds, credits). Everything here is exact, by dynamic
programming over whole tables, or says how far from it it may be; tests hold it against an exhaustive search.
"""

from __future__ import annotations

import bisect
import heapq
import math
from dataclasses import dataclass

import numpy


#: Of which all allocations of credits are looked for: the search goes one call deeper for each.
MOST_CONNECTIONS = 100


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


@dataclass(frozen=True)
class QueueState:
    """Of a connection at the beginning of a window: how many of its calls have begun, and when those that have not ended will end."""

    begun: int = 0
    ends: tuple[int, ...] = ()


class Line:
    """The calls of a connection, first come, first served, whose number of credits changes from window to window.

    A call that is under way when credits are taken away keeps its own until it ends; none begins before there is room again. Calls that
    wait when a window ends are the first of the next. So a call never begins later because there were more credits before.
    """

    def __init__(self, arrivals: list[int], services: list[int], beginnings: list[int]) -> None:
        """beginnings: of each window, ns; the first one's calls may have come before it, and the last one has no end."""
        self._arrivals, self._services = arrivals, services
        self._begin = [-math.inf, *beginnings[1:]]
        self._end = [*beginnings[1:], math.inf]
        self._count = [bisect.bisect_left(arrivals, end) for end in self._end]
        self._advanced: dict[tuple[QueueState, int, int], tuple[int, QueueState]] = {}
        self._needed: dict[tuple[QueueState, int], int] = {}

    def idle_before(self, window: int) -> QueueState:
        """The state in which all calls that came before the window have ended: no plan leads to an earlier one."""
        return QueueState(self._count[window - 1] if window else 0)

    def advance(self, state: QueueState, window: int, credits: int) -> tuple[int, QueueState]:
        """How long calls wait during the window, ns, and the state after it."""
        key = state, window, credits
        if key not in self._advanced:
            self._advanced[key] = self._run(state, window, credits)[:2]
        return self._advanced[key]

    def needed(self, state: QueueState, window: int) -> int:
        """The credits with which no call waits in the window, at least 1."""
        key = state, window
        if key not in self._needed:
            self._needed[key] = self._run(state, window, len(self._arrivals) + 1)[2]
        return self._needed[key]

    def _run(self, state: QueueState, window: int, credits: int) -> tuple[int, QueueState, int]:
        opens, closes, last = self._begin[window], self._end[window], self._count[window]
        ends, place, waited, most = list(state.ends), state.begun, 0, 1
        heapq.heapify(ends)
        while place < last:
            ready = max(self._arrivals[place], opens)
            while ends and ends[0] <= ready:
                heapq.heappop(ends)
            begin, passed = ready, []
            while len(ends) >= credits:
                passed.append(heapq.heappop(ends))
                begin = passed[-1]
            if begin >= closes:
                ends += passed
                waited += sum(closes - max(arrival, opens) for arrival in self._arrivals[place:last])
                break
            waited += begin - ready
            heapq.heappush(ends, begin + self._services[place])
            most = max(most, len(ends))
            place += 1
        return int(waited), QueueState(place, tuple(sorted(end for end in ends if end > closes))), most


@dataclass(frozen=True)
class CreditPlan:
    """The credits of each connection in each window."""

    cost: int  #: how long calls wait in all, ns
    credits: tuple[tuple[int, ...], ...]
    bound: int  #: no plan waits less; cost, where the plan was found to be a best one

    @property
    def is_exact(self) -> bool:
        return self.bound >= self.cost


class CreditPlanner:
    """Gives credits to connections, window by window, together no more than budget in each, that have calls wait the least.

    Dynamic programming over windows: states are those of all queues together, equal ones are one, and those from which even the bound
    cannot reach the best plan so far are left out. The bound of a window is the best allocation for queues that were idle before it,
    found by the knapsack. As more credits never have a later call begin later, only allocations matter to which no credit can be added.
    Exact up to most_states states of a window, most_allocations allocations of a state and MOST_CONNECTIONS connections. Beyond them it goes on with the most promising
    ones, and the plan has a bound that is less than its cost.
    """

    def __init__(
        self, lines: list[Line], windows: int, choices: tuple[int, ...], budget: int, most_states: int = 4000, most_allocations: int = 200
    ) -> None:
        self._lines, self._windows, self._choices, self._budget = lines, windows, choices, budget
        self._most_states, self._most_allocations = most_states, most_allocations

    def plan(self, fixed: tuple[int, ...] | None) -> CreditPlan | None:
        """fixed: credits that are allowed all the time, to begin with; None: the least. None comes back without a credit for each."""
        if len(self._lines) * self._choices[0] > self._budget:
            return None
        fixed = fixed or (self._choices[0],) * len(self._lines)
        below = [0] * (self._windows + 1)
        for window in reversed(range(self._windows)):
            idle = tuple(line.idle_before(window) for line in self._lines)
            below[window] = below[window + 1] + self._waits(idle, window, self._best_of_window(idle, window))[0]
        best = self._follow(lambda states, window: fixed)
        if best[0] > below[0]:
            best = min(best, self._follow(self._best_of_window), key=lambda found: found[0])
        if best[0] <= below[0]:
            return CreditPlan(best[0], best[1], best[0])
        found, complete = self._search(best, below)
        return CreditPlan(found[0], found[1], found[0] if complete else below[0])

    def _search(self, best: tuple[int, tuple], below: list[int]) -> tuple[tuple[int, tuple], bool]:
        reached: dict[tuple[QueueState, ...], tuple[int, tuple]] = {(QueueState(),) * len(self._lines): (0, ())}
        complete = True
        for window in range(self._windows):
            after: dict[tuple[QueueState, ...], tuple[int, tuple]] = {}
            for states, (cost, credits) in reached.items():
                allocations = self._allocations(states, window)
                complete = complete and allocations is not None
                for allocation in allocations or [self._best_of_window(states, window), best[1][window]]:
                    waited, following = self._waits(states, window, allocation)
                    total = cost + waited
                    if total + below[window + 1] < best[0] and total < after.get(following, (math.inf,))[0]:
                        after[following] = total, (*credits, allocation)
            most = self._most_states if complete else 8
            if len(after) > most:
                complete = False
                after = dict(sorted(after.items(), key=lambda item: item[1][0])[:most])
            reached = after
        return min([best, *reached.values()], key=lambda found: found[0]), complete

    def _waits(self, states: tuple[QueueState, ...], window: int, allocation: tuple[int, ...]) -> tuple[int, tuple[QueueState, ...]]:
        found = [line.advance(state, window, credits) for line, state, credits in zip(self._lines, states, allocation)]
        return sum(waited for waited, _ in found), tuple(state for _, state in found)

    def _follow(self, choose) -> tuple[int, tuple]:
        states, cost, credits = (QueueState(),) * len(self._lines), 0, []
        for window in range(self._windows):
            credits.append(choose(states, window))
            waited, states = self._waits(states, window, credits[-1])
            cost += waited
        return cost, tuple(credits)

    def _useful(self, states: tuple[QueueState, ...], window: int) -> list[tuple[int, ...]]:
        """Of each connection the numbers of credits up to that with which no call of it waits in the window."""
        found = []
        for line, state in zip(self._lines, states):
            place = bisect.bisect_left(self._choices, line.needed(state, window))
            found.append(self._choices[: place + 1])
        return found

    def _best_of_window(self, states: tuple[QueueState, ...], window: int) -> tuple[int, ...]:
        """The allocation with which calls wait the least in the window, with no regard to what comes after."""
        useful = self._useful(states, window)
        full = tuple(numbers[-1] for numbers in useful)
        if sum(full) <= self._budget:
            return full
        waits = [
            [float(line.advance(state, window, credits)[0]) for credits in numbers]
            for line, state, numbers in zip(self._lines, states, useful)
        ]
        found = allocate(waits, [list(numbers) for numbers in useful], self._budget)
        return tuple(numbers[choice] for numbers, choice in zip(useful, found.choices))

    def _allocations(self, states: tuple[QueueState, ...], window: int) -> list[tuple[int, ...]] | None:
        """All to which no useful credit can be added; None: too many, or of more than MOST_CONNECTIONS, short of credits."""
        useful = self._useful(states, window)
        full = tuple(numbers[-1] for numbers in useful)
        if sum(full) <= self._budget:
            return [full]
        if len(useful) > MOST_CONNECTIONS:
            return None
        least = [sum(numbers[0] for numbers in useful[place:]) for place in range(len(useful) + 1)]
        found: list[tuple[int, ...]] = []

        def extend(chosen: tuple[int, ...], left: int, gap: float) -> bool:
            """gap: the least that would have to be added to one of those chosen."""
            place = len(chosen)
            if place == len(useful):
                if left < gap:
                    found.append(chosen)
                return len(found) <= self._most_allocations
            numbers = useful[place]
            for number, credits in enumerate(numbers):
                if credits + least[place + 1] > left:
                    break
                step = numbers[number + 1] - credits if number + 1 < len(numbers) else math.inf
                # What is not of use to those who follow would be left over.
                if left - credits - sum(full[place + 1 :]) >= min(gap, step):
                    continue
                if not extend((*chosen, credits), left - credits, min(gap, step)):
                    return False
            return True

        return found if extend((), self._budget, math.inf) else None
