# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity of an output to factors that lie between 0 and 1: Morris's screening, and Sobol's indices.

Screening (Morris 1991; mu* of Campolongo, Cariboni and Saltelli 2007) takes one step of each factor from random places of a
grid of LEVELS; the mean of the steps' effects is what the factor does, their spread how much that depends on the others.
Indices are shares of the variance: of the factor alone (Saltelli et al. 2010) and with all that it does together with others
(Jansen 1999), over a scrambled Sobol sequence. Both are the same whenever they are made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from scipy.stats import qmc

LEVELS = 4
STEP = LEVELS / (2 * (LEVELS - 1))
RESAMPLES = 500


@dataclass(frozen=True)
class Effect:
    """Of one factor, for its whole range: mean effect, mean of absolute effects, their standard deviation."""

    mean: float
    absolute: float
    deviation: float


@dataclass(frozen=True)
class Index:
    """A share of the variance with its 95 % interval."""

    share: float
    low: float
    high: float


def make_trajectories(factors: int, count: int, seed: int) -> numpy.ndarray:
    """count x (factors + 1) x factors: each row differs from the one before in one factor, by STEP."""
    generator = numpy.random.default_rng(seed)
    made = numpy.empty((count, factors + 1, factors))
    lower = numpy.arange(LEVELS // 2) / (LEVELS - 1)
    for path in made:
        upwards = generator.random(factors) < 0.5
        path[0] = generator.choice(lower, factors) + numpy.where(upwards, 0, STEP)
        for place, factor in enumerate(generator.permutation(factors), 1):
            path[place] = path[place - 1]
            path[place, factor] += STEP if upwards[factor] else -STEP
    return made


def measure_effects(trajectories: numpy.ndarray, outputs: numpy.ndarray) -> list[Effect]:
    """outputs is count x (factors + 1)."""
    steps = numpy.diff(trajectories, axis=1)
    moved = numpy.abs(steps).argmax(axis=2)
    effects = numpy.diff(outputs, axis=1) / numpy.take_along_axis(steps, moved[..., None], axis=2)[..., 0]
    found = []
    for factor in range(trajectories.shape[2]):
        of_factor = effects[moved == factor]
        deviation = float(of_factor.std(ddof=1)) if len(of_factor) > 1 else 0.0
        found.append(Effect(float(of_factor.mean()), float(numpy.abs(of_factor).mean()), deviation))
    return found


def make_sample(factors: int, base: int, seed: int) -> numpy.ndarray:
    """(factors + 2) x base x factors: A, B, and for each factor A with that column of B. base is a power of 2."""
    points = qmc.Sobol(2 * factors, scramble=True, seed=seed).random(base)
    first, second = points[:, :factors], points[:, factors:]
    mixed = numpy.repeat(first[None], factors, axis=0)
    for factor in range(factors):
        mixed[factor, :, factor] = second[:, factor]
    return numpy.concatenate([first[None], second[None], mixed])


def measure_indices(outputs: numpy.ndarray, seed: int) -> tuple[list[Index], list[Index]]:
    """First-order and total indices of each factor; outputs is (factors + 2) x base. Intervals are bootstrapped."""
    base = outputs.shape[1]
    generator = numpy.random.default_rng(seed)
    whole = _indices(outputs)
    drawn = numpy.array([_indices(outputs[:, generator.integers(0, base, base)]) for _ in range(RESAMPLES)])
    low, high = numpy.percentile(drawn, (2.5, 97.5), axis=0)
    first, total = (
        [Index(float(whole[kind, i]), float(low[kind, i]), float(high[kind, i])) for i in range(whole.shape[1])] for kind in (0, 1)
    )
    return first, total


def _indices(outputs: numpy.ndarray) -> numpy.ndarray:
    # The estimator of the first order is far less noisy of outputs whose mean is 0.
    outputs = outputs - outputs[:2].mean()
    first, second, mixed = outputs[0], outputs[1], outputs[2:]
    variance = numpy.concatenate([first, second]).var()
    if variance <= 0:
        return numpy.zeros((2, len(mixed)))
    alone = (second * (mixed - first)).mean(axis=1) / variance
    together = ((first - mixed) ** 2).mean(axis=1) / (2 * variance)
    return numpy.array([alone, together])
