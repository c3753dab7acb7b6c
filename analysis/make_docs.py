#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Make the documentation as a site: OUT/index.html.

Sphinx renders the guide: the pages of analysis/guide, the documents of the source tree, and reference pages that are
generated from the simulator (keys, commands, scenarios). Doxygen renders the reference of the modules, by storey. A
warning of either fails, and so does a link that leads nowhere. Exit status: 0 done; 1 warnings; 2 unusable input.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import entry
from nfsrdma_method.place import ROOT, SIMULATOR

GUIDE = ROOT / "analysis" / "guide"
#: Where the documents are; the first page of the guide, index.md, goes to the top.
FOLDERS = ("", ".github", "model", "helper", "examples", "analysis", "analysis/guide", "scenarios/validation")


class DocumentsError(Exception):
    """What cannot be used; the text is one line."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("results/docs"), metavar="DIR", help="default: results/docs")
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    parser.add_argument("--external", action="store_true", help="also follow the links to other sites")
    options = parser.parse_args(arguments)
    try:
        for program in ("sphinx-build", "doxygen"):
            if shutil.which(program) is None:
                raise DocumentsError(f"{program}: not found")
        with tempfile.TemporaryDirectory() as scratch:
            source = Path(scratch) / "source"
            assemble(source, options.simulator)
            status = make_guide(source, options.out, "html", describe_version(options.simulator))
            if options.external:
                status = make_guide(source, Path(scratch) / "links", "linkcheck", "") or status
        status = make_reference(options.out / "api") or status
    except DocumentsError as error:
        print(f"docs: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"docs: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    if status == 0:
        print(options.out / "index.html")
    return status


def assemble(source: Path, simulator: Path) -> None:
    """Puts all pages where their links between each other lead, which are those of the source tree."""
    source.mkdir()
    for file in ("conf.py", "index.md"):
        shutil.copy(GUIDE / file, source)
    for folder in FOLDERS:
        for document in sorted((ROOT / folder).glob("*.md")):
            if document != GUIDE / "index.md":
                copy_with_links(document, source)
    reference = source / "reference"
    reference.mkdir()
    (reference / "keys.md").write_text(describe_keys(ask(simulator, "--list-keys")), encoding="utf-8")
    (reference / "commands.md").write_text(describe_commands(simulator), encoding="utf-8")
    (reference / "scenarios.md").write_text(describe_scenarios(), encoding="utf-8")


def copy_with_links(document: Path, source: Path) -> None:
    """A document, and the files other than documents that it links to."""
    place = source / document.relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    text = document.read_text(encoding="utf-8")
    place.write_text(text, encoding="utf-8")
    for link in re.findall(r"\]\(([^)#\s]+)", text):
        file = (document.parent / link).resolve()
        if "://" not in link and file.suffix != ".md" and file.is_file() and file.is_relative_to(ROOT):
            copy = source / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)


def ask(simulator: Path, *words: str) -> str:
    done = subprocess.run([simulator, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise DocumentsError(f"{simulator} {' '.join(words)}: exit status {done.returncode}")
    return done.stdout


def describe_version(simulator: Path) -> str:
    return ask(simulator, "--version").split()[1]


def read_keys(listing: str) -> Iterator[dict[str, str]]:
    """The rows of --list-keys, by the columns of its first line."""
    head, *lines = listing.splitlines()
    starts = [match.start() for match in re.finditer(r"\S+", head)]
    names = head.split()
    for line in lines:
        # A value may be wider than its column: it ends where two blanks are.
        cells = re.split(r"\s{2,}", line.strip(), maxsplit=len(starts) - 1)
        yield dict(zip(names, cells))


def escape(text: str) -> str:
    """Text that Markdown shows as it is, in a cell of a table."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", text)


def describe_keys(listing: str) -> str:
    pages = ["# Keys of a scenario\n\n`nfsrdma-sim --list-keys` prints this list. A key belongs to the section that its name begins with.\n"]
    section = None
    for key in read_keys(listing):
        of, _, name = key["key"].rpartition(".")
        if of != section:
            section = of
            pages.append(f"\n## {of}\n\n| key | type | default | meaning |\n|---|---|---|---|\n")
        default = "" if key["default"] == "-" else f"`{key['default']}`"
        pages.append(f"| `{name}` | {key['type']} | {default} | {escape(key['meaning'])} |\n")
    return "".join(pages)


def describe_commands(simulator: Path) -> str:
    texts = [
        ("./start", subprocess.run([ROOT / "start", "help"], capture_output=True, text=True, check=True).stdout),
        ("nfsrdma-sim", ask(simulator, "--help")),
    ]
    return "# Commands\n" + "".join(f"\n## {name}\n\n```\n{text.rstrip()}\n```\n" for name, text in texts)


def describe_scenarios() -> str:
    """Every scenario of the project with the comment that it begins with."""
    pages = ["# Scenarios\n\n`./start run NAME` runs one.\n"]
    folder = None
    for file in sorted((ROOT / "scenarios").glob("*/*.ini")):
        if file.parent.name in ("profiles", "validation"):
            continue
        if file.parent != folder:
            folder = file.parent
            pages.append(f"\n## {folder.name}\n")
        lines = []
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                break
            lines.append(line.removeprefix("#").removeprefix(" "))
        pages.append(f"\n### {file.stem}\n\n```\n" + "\n".join(lines).strip("\n") + "\n```\n")
    return "".join(pages)


def make_guide(source: Path, out: Path, builder: str, version: str) -> int:
    words = ["sphinx-build", "-b", builder, "-q", "-W", "--keep-going", "-n", "-d", source.parent / f"trees-{builder}"]
    done = subprocess.run([*words, "-D", f"version={version}", "-D", f"release={version}", source, out], check=False)
    return 0 if done.returncode == 0 else 1


def make_reference(out: Path) -> int:
    out = out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    given = (GUIDE / "Doxyfile").read_text(encoding="utf-8")
    made = f"OUTPUT_DIRECTORY = \"{out.parent}\"\nHTML_OUTPUT = \"{out.name}\"\n"
    done = subprocess.run(["doxygen", "-"], input=given + made, text=True, cwd=ROOT, env={**os.environ, "LC_ALL": "C.UTF-8"}, check=False)
    return 0 if done.returncode == 0 else 1


if __name__ == "__main__":
    entry.run(main)
