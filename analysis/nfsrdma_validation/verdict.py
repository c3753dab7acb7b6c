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


def name_weak(outcomes: Sequence[Outcome]) -> str:
    """Ratios so near to 1 that a model without any effect would be within their bound, too; empty where there is none."""
    weak = []
    for outcome in outcomes:
        one = outcome.experiment
        is_ratio = one.bound == "ratio" and one.unit.startswith("ratio")
        if is_ratio and outcome.verdict == "within" and bounds.agrees("ratio", [1.0] * len(outcome.model), one.published):
            weak.append(one.label)
    return f"A model without any effect would be within the bound of {', '.join(weak)}, too: these ratios say little." if weak else ""


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
        " ".join(filter(None, [summarise(outcomes), name_weak(outcomes)])),
        "",
        "![Model against published](validation.png)",
        "",
        "| row | what | model | published | unit | ratio | bound | role | verdict |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for outcome in outcomes:
        cells = outcome.cells()
        verdict = "**miss**" if cells["verdict"] == "miss" else cells["verdict"]
        lines.append("| " + " | ".join([
            f"[{cells['row']}]({cells['experiment']}.ini)", cells["what"], cells["model"], cells["published"], cells["unit"],
            cells["ratio"], cells["bound"], cells["role"], verdict]) + " |")  # fmt: skip
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
