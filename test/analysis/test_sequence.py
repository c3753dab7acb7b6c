# SPDX-License-Identifier: GPL-2.0-only
"""Message-sequence charts: of runs, beside the charts kept in test/data/sequence, and of invented rows."""

from __future__ import annotations

import os
import subprocess

from nfsrdma_figures import asked
import pytest
from nfsrdma_figures import sequence
from nfsrdma_figures.results import ResultsError

ONE_READ = "kind = fio\nreadwrite = read\nbs = {size}\nsize = {size}\nrequests = 1\ndirect = true\n"
ONE_WRITE = "kind = fio\nreadwrite = write\nbs = {size}\nsize = {size}\nrequests = 1\ndirect = true\n"
LISTING = "kind = listing\nlist_entries = 100\nrequests = 1\n"
PULLED = (
    "[rpcrdma]\nclient_read_chunk_extension = true\nserver_read_chunk_extension = true\n"
    "server_read_chunk_policy = when-needed\nclient_reply_mechanism = reply-chunk-never\n"
)
# An RDMA Write whose tagged offset has got a bit too many, with a good CRC, ends outside of the Write chunk.
OVERRUN = "[faults]\noverrun = 1st rdma-write: corrupt 1 bits before crc octet 9\n"
LOST = "[faults]\nlost = 1st nfs READ call: partition client-0 | server-0 for 30ms\n"

# Name: (operation, workload, other sections)
CASES = {
    "inline": ("CREATE", ONE_READ.format(size=100), ""),
    "write-chunk": ("READ", ONE_READ.format(size=65536), ""),
    "read-chunk": ("WRITE", ONE_WRITE.format(size=65536), ""),
    "reply-chunk": ("READDIRPLUS", LISTING, ""),
    "pulled-reply": ("READDIRPLUS", LISTING, PULLED),
    "error": ("READDIRPLUS", LISTING, "[rpcrdma]\nclient_reply_mechanism = reply-chunk-never\n"),
    "overrun": ("READ", ONE_READ.format(size=8192), OVERRUN),
}


def run(simulator, directory, workload, more="", messages="all"):
    directory.mkdir(exist_ok=True)
    scenario = directory / "chart.ini"
    scenario.write_text(
        f"[cluster]\nclients = 1\n[output]\nfigure = sequence\nmessages = {messages}\n[workload]\n{workload}{more}"
    )
    command = [simulator, "run", scenario, "--out", directory / "out"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return finished, directory / "out"


@pytest.mark.parametrize("name", CASES)
def test_chart_is_the_one_kept(name, simulator, data, tmp_path, run_program):
    operation, workload, more = CASES[name]
    finished, out = run(simulator, tmp_path, workload, more)
    assert finished.returncode in (0, 1), finished.stderr
    drawn = run_program("sequence.py", out, "--operation", operation)
    assert drawn.returncode == 0, drawn.stderr
    kept = data / "sequence" / f"{name}.txt"
    if os.environ.get("NFSRDMA_KEEP_CHARTS"):
        kept.write_text(drawn.stdout)
    assert drawn.stdout == kept.read_text()
    assert (out / "sequence.txt").read_text() == drawn.stdout


def test_chart_shows_what_the_form_is_made_of(data):
    """What no chart may lose, whatever the times are."""
    charts = {name: (data / "sequence" / f"{name}.txt").read_text() for name in CASES}
    assert charts["inline"].count("Send") == 2 + 2  # two messages, two posts
    for name, words in {
        "write-chunk": ("register", "Write chunk", "RDMA Write", "Send with Invalidate"),
        "read-chunk": ("register", "Read chunk at", "RDMA Read Request", "RDMA Read Response", "Send with Invalidate"),
        "reply-chunk": ("Reply chunk", "RDMA Write", "RDMA_NOMSG", "invalidate"),
        "pulled-reply": ("Position-Zero Read chunk", "RDMA Read Request", "RDMA Read Response", "RDMA_DONE"),
        "error": ("RDMA_ERROR", "ERR_CHUNK", "TRANSPORT_ERROR"),
        "overrun": ("Terminate 1/1/01 base or bounds violation", "TCP FIN", "RTS to TERMINATE", "connected", "SUCCESS"),
    }.items():
        at = 0
        for word in words if name != "error" and name != "overrun" else ():
            assert word in charts[name][at:], (name, word)
            at = charts[name].index(word, at)
        assert all(word in charts[name] for word in words), name
    assert "RDMA_DONE" not in charts["reply-chunk"]


def test_a_message_that_did_not_arrive_ends_on_its_way(simulator, tmp_path):
    finished, out = run(simulator, tmp_path, ONE_READ.format(size=8192), LOST)
    assert finished.returncode == 0, finished.stderr
    chart = sequence.make_chart(sequence.choose(sequence.read_messages(out), None, "READ", 1))
    arrows = [step for step in chart.steps if isinstance(step, sequence.Arrow)]
    assert arrows[0].end - arrows[0].begin < 1000 * 1000
    delays = [arrow.end - arrow.begin for arrow in arrows]
    assert max(delays) > 25e6  # The reply waits until the partition has healed.


def test_nothing_is_written_or_changed_without_a_wish(simulator, tmp_path):
    runs = {}
    for messages in ("none", "all", "first 2, 0x1234, NFSACL3 GETACL, first 3 READ"):
        finished, out = run(simulator, tmp_path / str(len(runs)), ONE_READ.format(size=8192), messages=messages)
        assert finished.returncode == 0
        digests = [line for line in finished.stdout.splitlines() if line.startswith("digest")]
        runs[messages] = (digests, (out / "messages.csv").exists(), out)
    assert [found for _, found, _ in runs.values()] == [False, True, True]
    assert len({digest[0] for digest, _, _ in runs.values()}) == 1
    some = sequence.read_messages(runs["first 2, 0x1234, NFSACL3 GETACL, first 3 READ"][2])
    everything = sequence.read_messages(runs["all"][2])
    assert some["xid"].nunique() == 3 < everything["xid"].nunique()


def test_refuses_a_wish_that_it_cannot_read(simulator, tmp_path):
    for wish in ("0x12345678f", "read", "first none", "first 0", ","):
        finished, out = run(simulator, tmp_path, ONE_READ.format(size=8192), messages=wish)
        assert finished.returncode == 2
        assert "chart.ini:5: output.messages: got" in finished.stderr
        assert not out.exists()


def make_rows(directory, rows):
    lines = [",".join(sequence.COLUMNS)]
    lines += [f"client-0,server-0,0x7,READ,{row}" for row in rows]
    (directory / "messages.csv").write_text("\n".join(lines) + "\n")
    return sequence.read_messages(directory)


def test_draws_a_lost_message_and_counts_writes(tmp_path):
    rows = ["0,0,client-0,local,,0,submit,call", "5,5,client-0,sent,1:0x0,0,Send,RDMA_MSG; Call; 40 octets; credits 1"]
    rows += [f"{100 + n},{100 + n},server-0,sent,2:0x0,{n},RDMA Write,0x101 1000" for n in range(4)]
    rows += [f"{200 + n},{200 + n},client-0,received,2:0x0,{n},RDMA Write,0x101 1000" for n in range(4)]
    chart = sequence.make_chart(make_rows(tmp_path, rows))
    text = sequence.draw_text(chart)
    assert "X" in text and "4 x RDMA Write 0x101, 4000 in all" in text
    assert [type(step).__name__ for step in chart.steps] == ["Note", "Arrow", "Arrow"]
    assert chart.steps[1].end is None
    assert (chart.steps[2].begin, chart.steps[2].end) == (100, 203)
    assert all(len(line) <= 90 for line in text.splitlines())


def test_chooses_by_xid_operation_and_number(tmp_path, run_program):
    make_rows(tmp_path, ["0,0,client-0,local,,0,submit,call"])
    assert run_program("sequence.py", tmp_path, "--xid", "0x00000007").returncode == 0
    for options in (("--xid", "8"), ("--operation", "WRITE"), ("--nth", "2"), ("--nth", "0"), ("--xid", "seven")):
        finished = run_program("sequence.py", tmp_path, *options)
        assert finished.returncode == 2 and finished.stderr.count("\n") == 1
    with pytest.raises(ResultsError, match="output"):
        sequence.read_messages(tmp_path / "..")


def test_scenario_draws_a_chart_of_each_form(simulator, root, tmp_path):
    finished = subprocess.run(
        [simulator, "run", "sequence", "--out", tmp_path / "a"], capture_output=True, text=True, check=False,
        timeout=60,
    )
    assert finished.returncode == 0, finished.stderr
    paths = asked.draw(tmp_path / "a")
    texts = {path.stem.removeprefix("sequence-"): path.read_text() for path in paths if path.suffix == ".txt"}
    assert set(texts) == {"getattr", "read", "write", "readdirplus"}
    assert "chunk" not in texts["getattr"]
    for operation, chunk in {"read": "Write chunk", "write": "Read chunk", "readdirplus": "Reply chunk"}.items():
        assert chunk in texts[operation]
    again = {path: path.read_bytes() for path in paths}
    assert {path: path.read_bytes() for path in asked.draw(tmp_path / "a")} == again
