# SPDX-License-Identifier: GPL-2.0-only
"""Message-sequence chart of one RPC, from messages.csv: as text, as RFCs draw it, and as a figure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas

from . import style
from .results import ResultsError, read_table

COLUMNS = "requester responder xid operation time_ns end_ns host event connection number message text".split()
TEXTS = ("requester", "responder", "xid", "operation", "host", "event", "connection", "number", "message", "text")
#: An operation names files.
PATTERNS = {"xid": "0x[0-9a-fA-F]{1,8}", "event": "local|sent|received", "operation": r"[\w .+-]{0,80}"}
MIDDLE = 56
FEWEST_MERGED = 3


@dataclass(frozen=True)
class Note:
    """Something a host did; left: at the requester."""

    left: bool
    begin: int
    text: str


@dataclass(frozen=True)
class Arrow:
    """A message; times in ns, of what was not seen None."""

    right: bool
    begin: int | None
    end: int | None
    name: str
    lines: tuple[str, ...]
    octets: int = 0
    count: int = 1

    @property
    def start(self) -> int:
        return self.begin if self.begin is not None else self.end


@dataclass
class Chart:
    operation: str
    xid: str
    requester: str
    responder: str
    outcome: str = ""
    steps: list[Note | Arrow] = field(default_factory=list)

    @property
    def title(self) -> str:
        outcome = f": {self.outcome}" if self.outcome else ""
        return f"{self.operation or 'RPC'}, XID {self.xid}{outcome}"


def read_messages(directory: Path) -> pandas.DataFrame:
    path = directory / "messages.csv"
    if not path.exists() and directory.is_dir():
        raise ResultsError(f"{path}: not there; the run writes it with [output] messages = all, or those wanted")
    return read_table(path, COLUMNS, TEXTS, PATTERNS)


def choose(table: pandas.DataFrame, xid: str | None, operation: str | None, nth: int) -> pandas.DataFrame:
    """Rows of the nth RPC, in order of their first event, of those with the XID and the operation."""
    chosen = table
    if xid is not None:
        try:
            number = int(xid, 16)
        except ValueError:
            raise ResultsError(f"--xid: got {xid!r}, expected a hexadecimal number such as 0x1234") from None
        chosen = chosen[chosen["xid"].map(lambda text: int(text, 16)) == number]
    if operation is not None:
        chosen = chosen[chosen["operation"].map(lambda name: operation in (name, name.rpartition(" ")[2]))]
    keys = ["requester", "responder", "xid"]
    firsts = chosen.groupby(keys, sort=False)["time_ns"].min().sort_values(kind="stable")
    if nth < 1 or nth > len(firsts):
        found = sorted({name for name in table["operation"] if name})
        raise ResultsError(f"messages.csv: {len(firsts)} such RPCs, and number {nth} is wanted; operations are {found}")
    wanted = dict(zip(keys, firsts.index[nth - 1]))
    return chosen[(chosen[keys] == pandas.Series(wanted)).all(axis=1)]


def make_chart(rows: pandas.DataFrame) -> Chart:
    first = rows.iloc[0]
    chart = Chart(first["operation"], first["xid"], first["requester"], first["responder"])
    seen: dict[tuple, dict] = {}
    steps: list[Note | Arrow] = []
    for row in rows.sort_values("time_ns", kind="stable").to_dict("records"):
        left = row["host"] == chart.requester
        if row["event"] == "local":
            if row["message"] == "complete":
                chart.outcome = row["text"].removeprefix("complete: ").replace("; ", ", ")
            steps.append(Note(left, row["time_ns"], row["text"].partition(":")[0] if row["message"] == "complete" else row["text"]))
            continue
        right = left == (row["event"] == "sent")
        key = (row["connection"], right, row["number"], row["message"])
        seen.setdefault(key, {})[row["event"]] = row
    for (_, right, _, name), ends in seen.items():
        row = ends.get("sent") or ends["received"]
        begin = ends["sent"]["time_ns"] if "sent" in ends else None
        end = ends["received"]["end_ns"] if "received" in ends else None
        steps.append(Arrow(right, begin, end, name, _lines(row, chart), _octets(row["text"])))
    steps.sort(key=lambda step: step.begin if isinstance(step, Note) else step.start)
    chart.steps = _merge(steps)
    return chart


def _octets(text: str) -> int:
    """Of an RDMA Write or Read Response: "0x101 4096"."""
    match = re.fullmatch(r"0x[0-9a-f]+ (\d+)", text)
    return int(match[1]) if match else 0


def _lines(row: dict, chart: Chart) -> tuple[str, ...]:
    """What stands at an arrow: the message and what is short, then a line for each chunk."""
    parts = [part for part in row["text"].split("; ") if part]
    if row["message"].startswith("Send"):
        lists = [part for part in parts[1:] if "chunk" in part]
        short = [part for part in parts[1:] if "chunk" not in part]
        if short and short[0] in ("Call", "Reply"):
            short[0] = f"{short[0]} {chart.operation}".strip()
        first = f"{row['message']}: {parts[0]}, XID {chart.xid}" if parts else row["message"]
        return tuple(line for line in (first, ", ".join(short), *lists) if line)
    return (f"{row['message']} {', '.join(parts)}".strip(),)


def _merge(steps: list[Note | Arrow]) -> list[Note | Arrow]:
    """Runs of the same RDMA Write, and of posts of it, become one step that counts them."""
    merged: list[Note | Arrow] = []
    position = 0
    while position < len(steps):
        run = [steps[position]]
        while position + len(run) < len(steps) and _alike(run[0], steps[position + len(run)]):
            run.append(steps[position + len(run)])
        merged += [_sum(run)] if len(run) >= FEWEST_MERGED else run
        position += len(run)
    return merged


def _alike(one: Note | Arrow, other: Note | Arrow) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, Note):
        pattern = r"(post RDMA (?:Write|Read)) \d+"
        matches = re.fullmatch(pattern, one.text), re.fullmatch(pattern, other.text)
        return one.left == other.left and all(matches) and matches[0][1] == matches[1][1]
    stags = [arrow.lines[0].rpartition(" ")[0] for arrow in (one, other)]
    whole = one.octets > 0 and other.octets > 0 and None not in (one.begin, one.end, other.begin, other.end)
    return whole and one.right == other.right and one.name == other.name and stags[0] == stags[1]


def _sum(run: list) -> Note | Arrow:
    first, last = run[0], run[-1]
    if isinstance(first, Note):
        octets = sum(int(note.text.rpartition(" ")[2]) for note in run)
        return replace(first, text=f"post {len(run)} {first.text[5:].rpartition(' ')[0]}s, {octets} in all")
    octets = sum(arrow.octets for arrow in run)
    line = f"{len(run)} x {first.lines[0].rpartition(' ')[0]}, {octets} in all"
    return replace(first, end=last.end, lines=(line,), octets=octets, count=len(run))


def _clock(chart: Chart):
    zero = min(step.begin if isinstance(step, Note) else step.start for step in chart.steps)
    return lambda time: "" if time is None else f"{(time - zero) / 1e3:.3f}"


def _wrap(line: str, width: int) -> list[str]:
    """Breaks behind ", " and " + "."""
    lines = [""]
    for piece in re.split(r"(?<=, )|(?<= \+ )", line):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append("  ")
        lines[-1] += piece
    return [text.rstrip() for text in lines]


def draw_text(chart: Chart) -> str:
    """Times, in microseconds, are those of each host: when a message begins to leave, and when it is complete."""
    clock = _clock(chart)
    rows = [chart.title, "", f"{'us':>10} {chart.requester:<{MIDDLE // 2}}{chart.responder:>{MIDDLE - MIDDLE // 2 + 2}} us"]

    def add(left: str, middle: str, right: str, ends: str = "||") -> None:
        rows.append(f"{left:>10} {ends[0]}{middle:<{MIDDLE}}{ends[1]} {right}".rstrip())

    for step in chart.steps:
        if isinstance(step, Note):
            for index, line in enumerate(_wrap(step.text, MIDDLE - 2)):
                time = clock(step.begin) if index == 0 else ""
                if step.left:
                    add(time, f" {line}", "", "*|" if index == 0 else "||")
                else:
                    add("", f"{line:>{MIDDLE - 1}} ", time, "|*" if index == 0 else "||")
            continue
        add("", "", "")
        for line in (part for whole in step.lines for part in _wrap(whole, MIDDLE - 4)):
            add("", f"  {line}", "")
        shaft = "-" * (MIDDLE - 1)
        if step.end is None:
            shaft = "-" * (MIDDLE // 2) + "X" + " " * (MIDDLE - 2 - MIDDLE // 2)
        begin, end = clock(step.begin), clock(step.end)
        if step.right:
            add(begin, shaft + (">" if step.end is not None else " "), end)
        else:
            add(end, ("<" if step.end is not None else " ") + shaft[::-1], begin)
    rows.append("")
    return "\n".join(rows)


def write_chart(chart: Chart, directory: Path, name: str) -> list[Path]:
    """Writes NAME.txt, NAME.png and NAME.pdf, and returns their paths."""
    figure = draw_chart(chart)
    path = directory / f"{name}.txt"
    path.write_text(draw_text(chart), encoding="utf-8")
    return [path, *style.save(figure, directory, name)]


def draw_operation(directory: Path, operation: str):
    """The chart of the first RPC of an operation in messages.csv."""
    return draw_chart(make_chart(choose(read_messages(directory), None, operation, 1)))


LOOKS = {"Send": ("-", style.BLACK), "RDMA": ((0, (5, 1.6)), style.BLUE), "Terminate": ("-", style.VERMILION)}


def draw_chart(chart: Chart):
    """Steps at equal distances, time downwards."""
    clock = _clock(chart)
    line, gap = 0.135, 0.10
    places: list[tuple[float, Note | Arrow, list[str]]] = []
    height = 0.0
    for step in chart.steps:
        if isinstance(step, Note):
            height += line + 0.02
            places.append((height, step, [step.text]))
        else:
            lines = [text for whole in step.lines for text in _wrap(whole, 72)]
            height += gap + 0.05 + line * len(lines)
            places.append((height, step, lines))
            height += gap + 0.03
    height += 0.12
    figure, axes = style.new_figure(figsize=(style.WIDTH_INCHES, height + 0.62))
    axes.set_position((0, 0, 1, 1))
    axes.set_xlim(0, style.WIDTH_INCHES)
    axes.set_ylim(height + 0.12, -0.5)
    axes.axis("off")
    left, right, slope = 1.25, style.WIDTH_INCHES - 1.25, 0.07
    axes.text(0.04, -0.4, chart.title, fontsize=8.5, va="center")
    for x, name in ((left, chart.requester), (right, chart.responder)):
        axes.plot((x, x), (0.02, height), color=style.GREY, linewidth=0.8, zorder=1)
        axes.text(
            x, -0.1, name, ha="center", va="center", bbox={"boxstyle": "square,pad=0.3", "facecolor": "white", "linewidth": 0.7}
        )
    axes.text(left - 0.62, -0.1, "µs", ha="right", va="center", color=style.GREY)
    axes.text(right + 0.62, -0.1, "µs", ha="left", va="center", color=style.GREY)
    for y, step, lines in places:
        if isinstance(step, Note):
            x, side = (left, -1) if step.left else (right, 1)
            axes.plot([x], [y], marker="s", markersize=2.6, color=style.BLACK, zorder=3)
            axes.text(x - side * 0.08, y, lines[0], ha="left" if step.left else "right", va="center", fontsize=7, color="#404040")
            axes.text(x + side * 0.08, y, clock(step.begin), ha="right" if step.left else "left", va="center", fontsize=7)
            continue
        _draw_arrow(axes, step, y, (left, right, slope), clock)
        for index, text in enumerate(reversed(lines)):
            axes.text(
                (left + right) / 2, y - 0.05 - line * index, text, ha="center", va="bottom", fontsize=7,
                fontweight="bold" if index == len(lines) - 1 else "normal",
            )
    return figure


def _draw_arrow(axes, step: Arrow, y: float, frame: tuple[float, float, float], clock) -> None:
    left, right, slope = frame
    word = step.name.split()[0]
    dashes, colour = LOOKS.get(word, (":", style.VERMILION))
    if "RDMA_ERROR" in " ".join(step.lines):
        colour = style.VERMILION
    begin, end = (left, right) if step.right else (right, left)
    lost = step.end is None
    stop = (begin + end) / 2 if lost else end
    axes.annotate(
        "", (stop, y + slope), (begin, y), zorder=2,
        arrowprops={"arrowstyle": "-" if lost else "-|>", "linestyle": dashes, "color": colour, "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0},
    )
    if lost:
        axes.plot([stop], [y + slope], marker="x", markersize=5, color=style.VERMILION, zorder=3)
    for x, at, time in ((begin, y, step.begin), (end, y + slope, step.end)):
        side = -1 if x == left else 1
        axes.text(x + side * 0.08, at, clock(time), ha="right" if x == left else "left", va="center", fontsize=7)
