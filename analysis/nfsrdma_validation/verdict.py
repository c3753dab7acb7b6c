# SPDX-License-Identifier: GPL-2.0-only
"""What came of experiments, as numbers, as a table and as the document of results."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nfsrdma_method.resolved import MethodError

from . import bounds
from .experiment import Experiment
from .ini import Place, refuse
from .rows import FOLDER, Row

UNMODELLED = FOLDER / "unmodelled.csv"
COLUMNS = ("row", "experiment", "what", "model", "published", "ratio", "unit", "bound", "role", "verdict", "digest")


@dataclass(frozen=True)
class Outcome:
    """The numbers of an experiment beside the published ones."""

    experiment: Experiment
    model: tuple[float, ...]

    @property
    def verdict(self) -> str:
        """within, miss, or predicted where nothing is published to hold it against."""
        one = self.experiment
        if one.bound == "shape":
            good = all(clause.holds(list(self.model), one.look_up_row) for clause in one.clauses)
        elif not one.published:
            return "predicted"
        else:
            good = bounds.agrees(one.bound, list(self.model), one.published)
        return "within" if good else "miss"

    @property
    def ratios(self) -> list[float | None]:
        return bounds.ratios_of(list(self.model), self.experiment.published)

    def cells(self) -> dict[str, str]:
        one = self.experiment
        return {
            "row": one.label,
            "experiment": one.name,
            "what": one.what,
            "model": tell(self.model),
            "published": tell(one.published) if one.published else "",
            "ratio": ", ".join("" if ratio is None else f"{ratio:.2f}" for ratio in self.ratios),
            "unit": one.unit,
            "bound": one.property if one.bound == "shape" else {"ratio": "15 %", "absolute": "x1.5", "count": "equal"}[one.bound],
            "role": one.role,
            "verdict": self.verdict,
            "digest": one.digest(),
        }


def tell(values: Sequence[float]) -> str:
    """With four digits at most, as people write numbers."""
    return ", ".join(f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}" for value in values)


@dataclass(frozen=True)
class Unmodelled:
    """Rows that no experiment can re-enact, for want of one mechanism."""

    mechanism: str
    rows: tuple[str, ...]
    reason: str


def read_unmodelled(rows: dict[str, Row], path: Path = UNMODELLED) -> list[Unmodelled]:
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        if reader.fieldnames != ["mechanism", "rows", "reason"]:
            raise MethodError(f"{path}:1: {','.join(reader.fieldnames or [])}: expected mechanism,rows,reason")
        found = []
        for line in reader:
            names = tuple((line["rows"] or "").split())
            for name in names:
                if name not in rows:
                    raise refuse(Place(path, reader.line_num), "rows", name, "the id of a published row")
            found.append(Unmodelled(line["mechanism"], names, line["reason"] or ""))
    return found


def write_table(outcomes: Sequence[Outcome]) -> str:
    """For people, on a terminal."""
    columns = ("row", "what", "model", "published", "ratio", "bound", "role", "verdict")
    lines = [{**outcome.cells()} for outcome in outcomes]
    for cells in lines:
        cells["what"] = cells["what"] if len(cells["what"]) <= 48 else cells["what"][:45] + "..."
        if len(cells["ratio"]) > 24:
            cells["ratio"] = f"{cells['ratio'].split(', ')[0]} ... {cells['ratio'].split(', ')[-1]}"
    widths = {column: max(len(column), *(len(cells[column]) for cells in lines)) for column in columns}
    head = "  ".join(f"{column:{widths[column]}}" for column in columns).rstrip()
    rows = ["  ".join(f"{cells[column]:{widths[column]}}" for column in columns).rstrip() for cells in lines]
    return "\n".join([head, "-" * len(head), *rows]) + "\n"


def summarise(outcomes: Sequence[Outcome]) -> str:
    parts = []
    for role in ("fit", "predict"):
        of_role = [outcome for outcome in outcomes if outcome.experiment.role == role and outcome.verdict != "predicted"]
        within = sum(outcome.verdict == "within" for outcome in of_role)
        if of_role:
            name = {"fit": "fitted", "predict": "predicted"}[role]
            parts.append(f"{within} of {len(of_role)} {name} within their bound ({100 * within / len(of_role):.0f} %)")
    rows = {outcome.experiment.row.id for outcome in outcomes if outcome.experiment.row}
    return f"{len(outcomes)} experiments of {len(rows)} published rows" + ("; " if parts else "") + "; ".join(parts) + "."


NO_EFFECT = "a ratio that a model without any effect (1) would meet, too"


def tell_little(outcome: Outcome) -> str:
    """Why a number within its bound says little: the file's own words, or that no effect at all would meet it, where an effect
    was published; else empty."""
    one = outcome.experiment
    if outcome.verdict != "within" or one.role == "fit":
        return ""
    if one.says_little:
        return one.says_little
    if not one.unit.startswith("ratio") or one.published == [1.0]:
        return ""
    same = [1.0] * len(outcome.model)
    if one.bound == "shape":
        return NO_EFFECT if all(clause.holds(same, one.look_up_row) for clause in one.clauses) else ""
    return NO_EFFECT if bounds.agrees(one.bound, same, one.published) else ""


def summarise_weak(outcomes: Sequence[Outcome]) -> str:
    """How many predictions are left without those that say little; empty where all say something."""
    weak = {outcome.experiment.name for outcome in outcomes if tell_little(outcome)}
    strong = [one for one in outcomes if one.experiment.role == "predict" and one.verdict != "predicted"
              and one.experiment.name not in weak]  # fmt: skip
    if not weak or not strong:
        return ""
    within = sum(one.verdict == "within" for one in strong)
    return (
        f"{len(weak)} of those predicted say little, though they are within their bound (marked \\*): "
        f"without them it is {within} of {len(strong)} ({100 * within / len(strong):.0f} %)."
    )


def write_document(outcomes: Sequence[Outcome], unmodelled: Sequence[Unmodelled], rows: dict[str, Row]) -> str:
    """RESULTS.md."""
    misses = [outcome for outcome in outcomes if outcome.verdict == "miss"]
    lines = [
        "# Published measurements and the model",
        "",
        "Written by `./start validate`. A ratio is within its bound when it is within 15 % of the published one, an absolute number "
        "within a factor of 1.5, a count when it is equal, a shape when it has the property that is stated. Parameters were fitted on "
        "the rows of role fit; nothing was fitted on the others.",
        "",
        " ".join(filter(None, [summarise(outcomes), summarise_weak(outcomes)])),
        "",
        "![Model against published](validation.png)",
        "",
        "| row | what | model | published | unit | ratio | bound | role | verdict |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for outcome in outcomes:
        cells = outcome.cells()
        verdict = "**miss**" if cells["verdict"] == "miss" else cells["verdict"] + (" \\*" if tell_little(outcome) else "")
        lines.append("| " + " | ".join([
            f"[{cells['row']}]({cells['experiment']}.ini)", cells["what"], cells["model"], cells["published"], cells["unit"],
            cells["ratio"], cells["bound"], cells["role"], verdict]) + " |")  # fmt: skip
    weak = [outcome for outcome in outcomes if tell_little(outcome)]
    if weak:
        lines += ["", "## Within their bound, and saying little", "", "| row | why |", "|---|---|"]
        lines += [f"| {outcome.experiment.label} | {tell_little(outcome)} |" for outcome in weak]
    if misses:
        lines += ["", "## Misses, and what is missing", "", "| row | model over published | missing |", "|---|---|---|"]
        for outcome in misses:
            cells = outcome.cells()
            lines.append(f"| {cells['row']} | {cells['ratio'] or cells['model']} | {outcome.experiment.miss or 'not explained'} |")
    if unmodelled:
        count = sum(len(one.rows) for one in unmodelled)
        lines += ["", f"## Rows that are not re-enacted: {count}", "", "| mechanism | rows | why |", "|---|---|---|"]
        lines += [f"| {one.mechanism} | {', '.join(one.rows)} | {one.reason} |" for one in unmodelled]
        lines += ["", "| row | what was measured |", "|---|---|"]
        lines += [f"| {name} | {rows[name].what} |" for one in unmodelled for name in one.rows]
    return "\n".join(lines) + "\n"
