# SPDX-License-Identifier: GPL-2.0-only
"""What the documents advise is tried: every key, value, scenario, option and command that they name.

Documents are README.md and the Markdown files beside the code, and the comments of scenarios and profiles.
What is between backticks, or in an indented block, is taken at its word.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from nfsrdma_validation import enact, rows
from nfsrdma_validation.experiment import read_experiment

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("model", "helper", "analysis", "analysis/guide", "examples")
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / ".github").glob("*.md")),
    *sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.md")),
]
SCENARIOS = sorted(path for path in (ROOT / "scenarios").glob("**/*.ini") if "validation" not in path.parts)
#: Of a refusal of a key whose value is right, where other keys leave it without effect.
ALONE = "this key only with"

#: Documents whose scenarios the reader writes: test_docs.py does as they say.
WITH_OWN_SCENARIOS = ("analysis/guide/tutorial.md",)

#: Words of a document that stand for what a user puts there: N, NAME, CAPTURE.pcap, DIR...
PLACEHOLDER = re.compile(r"^[A-Z][A-Z0-9_.-]*(\.[a-z]+)?(\.\.\.)?$")


@dataclass
class Document:
    """The code of a document."""

    path: Path
    blocks: list[str] = field(default_factory=list)  #: Indented, without the indent.
    words: list[str] = field(default_factory=list)  #: Between backticks.

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT))


def read_markdown(path: Path) -> Document:
    document = Document(path)
    block: list[str] = []
    text: list[str] = []
    for line in [*path.read_text().splitlines(), "."]:
        if line.startswith("    ") and not line.lstrip().startswith(("* ", "- ")):
            block.append(line[4:])
        elif not line.strip() and block:
            block.append("")
        else:
            if block:
                document.blocks.append("\n".join(block).strip("\n"))
                block = []
            text.append(line)
    document.words = re.findall(r"`([^`]+)`", " ".join(text))
    return document


def read_comments(path: Path) -> Document:
    """A scenario: its comments are prose, in which a line of its own is a command."""
    document = Document(path)
    comments = [line[1:].strip() for line in path.read_text().splitlines() if line.startswith("#")]
    document.blocks = [line for line in comments if line.startswith(("nfsrdma-sim ", "./start "))]
    document.words = re.findall(r"--set [\w.-]+=[^ ),;]+", " ".join(comments))
    return document


MARKDOWN = [read_markdown(path) for path in DOCUMENTS]
COMMENTS = [read_comments(path) for path in SCENARIOS]


@dataclass
class Key:
    section: str
    name: str
    type: str
    choices: tuple[str, ...]


def run(*command, cwd=ROOT) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False,
                          timeout=120)


@pytest.fixture(scope="module")
def keys(simulator) -> dict[str, Key]:
    """Every key, by "section.key"."""
    found = {}
    for line in run(simulator, "--list-keys").stdout.splitlines()[1:]:
        full, kind = line.split()[:2]
        section, name = full.split(".", 1)
        choices = re.search(r"\(one of ([^()]*)\)", line)
        found[full] = Key(section, name, kind, tuple(choices[1].split(", ")) if choices else ())
    return found


@pytest.fixture(scope="module")
def check(simulator, tmp_path_factory):
    """Whether the simulator takes a scenario: empty, or what it says against it."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "profiles").symlink_to(ROOT / "scenarios" / "profiles")
    (folder / "traces").symlink_to(ROOT / "scenarios" / "traces")

    def judge(text: str, *options: str) -> str:
        (folder / "a.ini").write_text(text)
        done = run(simulator, "run", "a.ini", "--print-config", *options, cwd=folder)
        return "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"

    return judge


def options_of(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z_-]+", text))


def is_scenario(block: str) -> bool:
    return re.search(r"^\[[a-z]+( [\w-]+)?\]\s*(#.*)?$", block, re.MULTILINE) is not None


def sections_of(block: str) -> list[str]:
    return re.findall(r"^\[([a-z]+(?: [\w-]+)?)\]", block, re.MULTILINE)


#: What a block of a document leaves to the reader: [sweep] speaks of hosts and sections that are not in it.
CONTEXT = (
    ("link fast.rate =", "[link fast]\nhosts = clients\n"),
    ("client-1", "[cluster]\nclients = 3\n"),
    ("client-0..3", "[cluster]\nclients = 4\n"),
    ("server-1", "[cluster]\nservers = 2\n"),
)


def complete(block: str) -> str:
    """The block with what it takes for granted, but where it says it itself."""
    told = set(sections_of(block))
    added: dict[str, list[str]] = {}
    for sign, context in CONTEXT:
        section, *lines = context.splitlines()
        if sign in block and section.strip("[]") not in told:
            added.setdefault(section, []).extend(lines)
    return "".join(f"{section}\n" + "\n".join(lines) + "\n" for section, lines in added.items()) + block + "\n"


def ini_blocks():
    return [
        pytest.param(block, id=f"{document.name}-{number}")
        for document in MARKDOWN
        for number, block in enumerate(document.blocks)
        if is_scenario(block) and "[validation]" not in block
    ]


@pytest.mark.parametrize("block", ini_blocks())
def test_a_scenario_of_a_document_is_one(check, block):
    assert check(complete(block)) == ""


@pytest.mark.parametrize("block", [block for document in MARKDOWN for block in document.blocks if "[validation]" in block])
def test_an_experiment_of_a_document_is_one(simulator, tmp_path, block):
    (tmp_path / "own.ini").write_text(block + "\n")
    one = read_experiment(tmp_path / "own.ini", rows.read_rows())
    enact.Enactor(tmp_path / "runs", simulator).check([one])
    assert one.published and one.bound in block


def test_keys_of_documents_exist(keys):
    sections = {key.section for key in keys.values()}
    unknown = []
    for document in [*MARKDOWN, *COMMENTS]:
        for word in document.words:
            for full in re.findall(r"^(?:--set )?([a-z]+(?: [\w-]+)?\.[a-z_0-9]+)\b", word):
                plain = re.sub(r" [\w-]+(?=\.)", "", full)
                is_file = re.search(r"\.(ini|csv|json|md|py|cc|h|pcap|txt|svg|html|png|pdf|file)$", plain)
                if plain.split(".")[0] in sections - {"faults"} and not is_file and plain not in keys:
                    unknown.append(f"{document.name}: {word}")
    assert unknown == []


def assignments(document: Document):
    """(section or empty, key, value) of every assignment of the document's prose."""
    for text in (part for word in document.words for part in re.split(r"\s*--set ", word)):
        section = ""
        if named := re.match(r"\[([a-z]+)(?: NAME)?\] (.*)", text):
            section, text = named[1], named[2]
        match = re.fullmatch(r"(?:([a-z]+)\.)?([a-z][a-z_0-9]*) ?= ?(.+)", text)
        if match and not PLACEHOLDER.match(match[3]):
            yield match[1] or section, match[2], match[3]


def test_values_of_documents_are_taken(keys, check):
    wrong = []
    seen = set()
    for document in [*MARKDOWN, *COMMENTS]:
        for section, name, value in assignments(document):
            homes = [key for key in keys.values() if key.name == name and section in ("", key.section)]
            if not homes and not section:
                continue
            for choice in value.split(" | "):
                if (section, name, choice) in seen:
                    continue
                seen.add((section, name, choice))
                verdicts = []
                for key in homes:
                    prefix = "adversary storm" if key.section == "adversary" else key.section
                    base = "[cluster]\nclients = 16\nservers = 2\n" + (
                        "[adversary storm]\nrole = abort-storm\nhosts = client-0\n"
                        if key.section == "adversary" else "")
                    verdicts.append(check(base, "--set", f"{prefix}.{name}={choice}"))
                # What is said against another key, or against one without effect here, is not about the value.
                taken = any(f".{name}: got" not in verdict or ALONE in verdict or "keys of role" in verdict
                            for verdict in verdicts)
                if not taken:
                    wrong.append(f"{document.name}: {section}.{name} = {choice}: {verdicts}")
    assert wrong == []


def test_names_that_look_like_keys_are_keys(keys):
    """A word with a prefix of keys, client_... or server_..., is one, or is said to be no key."""
    names = {key.name for key in keys.values()} | {choice for key in keys.values() for choice in key.choices}
    prefixes = ("client_", "server_", "mpa_", "gss_", "nlm_", "red_", "write_back_", "dirty_", "lock_", "list_", "acl_")
    columns = set()
    for source in [*(ROOT / "scenarios").glob("**/*.cc"), *(ROOT / "helper").glob("*.cc")]:
        columns |= set(re.findall(r"[a-z]+(?:_[a-z0-9]+)+", source.read_text()))
    unknown = []
    for document in MARKDOWN:
        for word in document.words:
            if re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", word) and word.startswith(prefixes):
                if word not in names and word not in columns:
                    unknown.append(f"{document.name}: {word}")
    assert unknown == []


@pytest.fixture(scope="module")
def known_options(simulator) -> set[str]:
    """Options of every program that documents speak of."""
    found = set()
    programs = [[simulator, "--help"], [ROOT / "start", "help"]]
    programs += [[program, "--help"] for program in sorted((ROOT / "analysis").glob("*.py"))
                 if program.stat().st_mode & 0o100]
    for program in programs:
        done = run(*program)
        found |= options_of(done.stdout + done.stderr)
    for source in [*(ROOT / "examples").glob("*.cc"), *(ROOT / "examples" / "perftest").glob("*.cc")]:
        found |= {f"--{name}" for name in re.findall(r'"(?:--)?([a-z][a-z_-]+)[",]', source.read_text())}
    return found


#: Of programs that are not this project's.
FOREIGN = {"--preset", "--build", "--array", "--cpus-per-task", "--parsable", "--dependency", "--wrap", "--gtest",
           "--gtest_filter", "--test-dir", "--tstat", "--queue-num", "--install", "--update", "--prefix", "--component", "--cflags", "--libs",
           "--enable-examples", "--enable-tests", "--enable-modules"}


def test_options_of_documents_exist(known_options):
    unknown = []
    for document in [*MARKDOWN, *COMMENTS]:
        for text in [*document.blocks, *document.words]:
            for option in options_of(text) - known_options - FOREIGN:
                unknown.append(f"{document.name}: {option} in {text.splitlines()[0]}")
    assert unknown == []


def commands(document: Document):
    """Lines that start a program of this project, with the lines that go on."""
    for text in [*document.blocks, *document.words]:
        joined = text.replace("\\\n", " ")
        for line in joined.splitlines():
            match = re.match(r"(?:\./)?(?:build/release/bin/)?(nfsrdma-sim|start|analysis/\w+\.py)\b(.*)", line.strip())
            if match and (match[1] != "start" or line.strip().startswith("./")):
                yield match[1], re.split(r"\s{3,}|\s#", match[2])[0].split()


def test_commands_of_documents_work(simulator, tmp_path):
    start = run(ROOT / "start", "help").stdout
    wrong = []
    for document in [*MARKDOWN, *COMMENTS]:
        for program, words in commands(document):
            if program.startswith("analysis/"):
                if not (ROOT / program).exists():
                    wrong.append(f"{document.name}: {program}")
                continue
            if program == "start":
                if words and not re.search(rf"^  {re.escape(words[0])}\b", start, re.MULTILINE):
                    wrong.append(f"{document.name}: ./start {words[0]}")
            if words[:1] != ["run"] or len(words) < 2 or PLACEHOLDER.match(words[1]):
                continue
            if document.name in WITH_OWN_SCENARIOS:
                continue
            options = []
            for place, word in enumerate(words):
                if word == "--set":
                    options += ["--set", words[place + 1].strip("'\"")]
                elif word.startswith("--set="):
                    options.append(word)
            done = run(simulator, "run", words[1], "--print-config", *options, cwd=ROOT)
            if done.returncode != 0:
                wrong.append(f"{document.name}: {' '.join(words)}: {done.stderr.strip()}")
    assert wrong == []


@pytest.mark.parametrize("scenario", [path for path in SCENARIOS if "profiles" not in path.parts],
                         ids=lambda path: path.stem)
def test_settings_that_a_scenario_advises_are_taken(simulator, tmp_path, scenario):
    """Each --set of its comments by itself, and the scenario as it stands."""
    alone = {"": []} | {word: word.split(" ", 1) for word in read_comments(scenario).words}
    for word, options in alone.items():
        done = run(simulator, "run", scenario, "--print-config", *options, cwd=tmp_path)
        assert done.returncode == 0, f"{word}: {done.stderr}"


def test_files_that_documents_name_are_there():
    missing = []
    for document in MARKDOWN:
        for word in document.words:
            folder = re.match(r"(scenarios|model|helper|examples|test|analysis)/[\w./-]+$", word)
            if folder and not re.search(r"\*|[A-Z]{3}|NAME", word) and not (ROOT / word).exists():
                missing.append(f"{document.name}: {word}")
            bare = re.fullmatch(r"[\w-]+\.ini", word)
            if bare and document.name not in WITH_OWN_SCENARIOS and not PLACEHOLDER.match(word) and not list((ROOT / "scenarios").glob(f"**/{word}")):
                missing.append(f"{document.name}: {word}")
    assert missing == []


def read_tour() -> dict[str, list[str]]:
    """The folders that README's tour names, by the room (a path) in whose entry they stand."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("## A tour of the house\n")[1]
    rooms: dict[str, list[str]] = {}
    room = ""
    for line in text.strip("\n").splitlines():
        if not line.startswith("    "):
            break
        entry = re.match(r"    (  )?([\w-]+)/( |$)", line)
        if entry:
            room = f"model/{entry[2]}" if entry[1] else entry[2]
            rooms[room] = []
            line = line[entry.end():]
        rooms[room] += re.findall(r"(?<![\w/])([\w-]+)/(?![\w])", line)
    return rooms


def test_the_tour_names_folders_that_are_there():
    tour = read_tour()
    assert len(tour) > 15
    assert [room for room in tour if not (ROOT / room).is_dir()] == []
    assert [f"{room}: {folder}" for room, folders in tour.items() for folder in folders
            if not any(path.is_dir() for path in (ROOT / room).glob(f"**/{folder}"))] == []


def test_the_tour_names_every_folder_of_the_model():
    tour = read_tour()
    folders = [path.relative_to(ROOT / "model") for path in (ROOT / "model").glob("**/") if path != ROOT / "model"]
    unnamed = [str(folder) for folder in folders if f"model/{folder.parts[0]}" not in tour
               or (len(folder.parts) > 1 and folder.name not in tour[f"model/{folder.parts[0]}"])]
    assert unnamed == []


def test_a_file_of_the_model_has_a_name_of_its_own_that_does_not_begin_with_its_folders():
    stems: dict[str, set[str]] = {}
    for path in (ROOT / "model").glob("**/*"):
        if path.suffix in (".h", ".cc"):
            stems.setdefault(path.stem, set()).add(str(path.relative_to(ROOT / "model").parent))
    assert {stem: places for stem, places in stems.items() if len(places) > 1} == {}
    assert [f"{place}/{stem}" for stem, places in stems.items() for place in places
            if any(stem == folder or stem.startswith(f"{folder}-") for folder in place.split("/"))] == []


def is_cpp(block: str) -> bool:
    return re.search(r"\);$|^#include|^auto |::", block, re.MULTILINE) is not None and not is_scenario(block)


def test_cpp_of_documents_is_that_of_examples_which_are_compiled():
    """Each block stands in a program of examples/, line after line, perhaps with others between."""
    programs = {path.name: [line.strip() for line in path.read_text().splitlines()]
                for path in [*(ROOT / "examples").glob("*.cc"), *(ROOT / "test" / "consumer").iterdir()]}

    def follows(block: list[str], program: list[str]) -> bool:
        place = 0
        for line in block:
            if line not in program[place:]:
                return False
            place = program.index(line, place) + 1
        return True

    foreign = []
    for document in MARKDOWN:
        if document.name not in ("README.md", "analysis/guide/modules.md", "examples/VERBS.md"):
            continue
        for block in document.blocks:
            lines = [line.strip() for line in block.splitlines() if line.strip() not in ("", "...")]
            if is_cpp(block) and not any(follows(lines, program) for program in programs.values()):
                foreign.append(f"{document.name}: {lines[0]}")
    assert foreign == []


def test_the_chapter_for_ns3_names_files_that_are_there_and_shows_a_program_that_is_compiled():
    text = (ROOT / "helper" / "doc" / "nfsrdma.rst").read_text()
    named = set(re.findall(r"``((?:scenarios|model|helper|examples|test|analysis)/[\w./-]*)``", text))
    assert len(named) > 5
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
    layers = {path.name for path in (ROOT / "model").iterdir() if path.is_dir()}
    assert [layer for layer in sorted(layers) if f"``{layer}``" not in text] == []
    program = re.search(r"A client that writes a file::\n\n(.*?)\n\n(?=\S)", text, re.DOTALL)
    lines = [line.strip() for line in program[1].splitlines() if line.strip()]
    compiled = [line.strip() for line in (ROOT / "test" / "consumer" / "consumer.cc").read_text().splitlines()]
    assert [line for line in lines if line not in compiled] == []
