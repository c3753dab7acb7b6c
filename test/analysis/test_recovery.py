# SPDX-License-Identifier: GPL-2.0-only
"""Loss and restarts: what captures of Linux show, and how near the model comes (model/LOSS.md)."""

from __future__ import annotations

import statistics
import subprocess

import pytest
from nfsrdma_capture.pcap import CaptureReader
from nfsrdma_capture.recovery import NFS_PORT, Side, read_recovery
from nfsrdma_capture.tcp import parse_segment
from test_linux_replay import xprt_counters

SEEDS = range(1, 9)
MILLISECOND = 1_000_000
# Of linux-loss3.ini: four links of 250 us there and back, losses from 630 ms on, and none of these.
ROUND_TRIP = MILLISECOND
LOSS_BEGINS = 630 * MILLISECOND
WITHOUT_CHANCE = ("--set", "faults.calls=none", "--set", "faults.replies=none")


def run(simulator, root, directory, scenario, *options):
    command = [simulator, "run", scenario, "--out", directory, "--pcap", "all", *options]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return directory


@pytest.fixture(scope="module")
def linux(data):
    return read_recovery(data / "linux-6.1-nfs-v3-loss3.pcap.gz")


@pytest.fixture(scope="module")
def lossy(simulator, root, tmp_path_factory):
    """Directories of the scenario's runs with several seeds, by what was set besides."""
    made = {}

    def runs(*options):
        if options not in made:
            place = tmp_path_factory.mktemp("lossy")
            made[options] = [
                run(simulator, root, place / str(seed), "linux-loss3", "--set", f"cluster.seed={seed}", *options) for seed in SEEDS
            ]
        return made[options]

    return runs


def repeated(recovery):
    return recovery.client.repeated + recovery.server.repeated


def repairs(recovery):
    return recovery.client.repairs + recovery.server.repairs


def share(recoveries):
    segments = sum(recovery.client.segments + recovery.server.segments for recovery in recoveries)
    return sum(map(repeated, recoveries)) / segments


def test_linux_repeated_what_was_lost(linux):
    assert (len(linux.rpcs), linux.resent, len(linux.connections)) == (18, 0, 1)
    assert (linux.client.repeated, linux.server.repeated) == (5, 5)
    assert linux.client.segments + linux.server.segments == 391
    # No timer of 200 ms has run out: all was repaired by acknowledgments (RACK, SACK) or a probe (TLP).
    assert max(repairs(linux)) < 12 * MILLISECOND
    assert linux.longest_silence < 12 * MILLISECOND


def test_model_under_loss_is_like_linux(linux, lossy):
    recoveries = [read_recovery(directory / "client-0.pcap") for directory in lossy()]
    for recovery in recoveries:
        assert (len(recovery.rpcs), recovery.resent, len(recovery.connections)) == (18, 0, 1)
        assert all(rpc.status == "NFS3_OK" for rpc in recovery.rpcs if rpc.name in ("READ", "WRITE"))
        assert max(repairs(recovery)) < 12 * MILLISECOND
    # 3 % are lost, of which ends of the server's messages leave no gap at the client; Linux's 2.6 % are of one run.
    assert 0.018 < share(recoveries) < 0.036
    counts = [repeated(recovery) for recovery in recoveries]
    assert min(counts) <= repeated(linux) <= max(counts) + 2
    medians = [statistics.median(repairs(recovery)) for recovery in recoveries]
    assert 0.5 < statistics.median(medians) / statistics.median(repairs(linux)) < 2


def test_model_under_loss_sends_the_same_messages_and_counts_the_same(data, lossy, run_program):
    for directory in lossy()[:3]:
        compared = run_program("compare_capture.py", data / "linux-6.1-nfs-v3-loss3.pcap.gz", directory / "client-0.pcap")
        assert compared.returncode == 0, compared.stdout
        assert xprt_counters(directory / "mountstats.txt") == xprt_counters(data / "linux-6.1-nfs-v3-loss3.mountstats")


def test_without_loss_nothing_is_repeated(simulator, root, tmp_path):
    recovery = read_recovery(run(simulator, root, tmp_path / "calm", "linux-loss3", *WITHOUT_CHANCE) / "client-0.pcap")
    assert repeated(recovery) == 0
    assert len(recovery.rpcs) == 18


def test_sack_repeats_no_more_than_what_was_lost(lossy):
    with_sack = [read_recovery(directory / "client-0.pcap") for directory in lossy()]
    without = [read_recovery(directory / "client-0.pcap") for directory in lossy("--set", "tcp.sack=false")]
    assert share(with_sack) <= share(without)
    assert max(map(repeated, with_sack)) < 15


def server_data(capture):
    """Time in ns and sequence number of each segment of the server that carries data."""
    segments = ((frame.time_ns, parse_segment(frame)) for frame in CaptureReader(capture))
    return [
        (time, segment.sequence)
        for time, segment in segments
        if segment is not None and segment.source[1] == NFS_PORT and (segment.payload or segment.lost_octets)
    ]


def ordinal(number):
    return f"{number}{'th' if number % 100 in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


@pytest.fixture(scope="module")
def flights(simulator, root, tmp_path_factory):
    """Segments that the server sends back to back, from LOSS_BEGINS on: (number, sequence number) of each."""
    place = run(simulator, root, tmp_path_factory.mktemp("flights"), "linux-loss3", *WITHOUT_CHANCE)
    sent = [(time, sequence) for time, sequence in server_data(place / "server-0.pcap") if time >= LOSS_BEGINS]
    found = []
    for number, (time, sequence) in enumerate(sent, 1):
        if number == 1 or time - sent[number - 2][0] > ROUND_TRIP / 10:
            found.append([])
        found[-1].append((number, sequence))
    return found


@pytest.mark.parametrize("losses", (1, 2, 3, 4))
def test_sack_repairs_in_one_round_trip_what_costs_newreno_one_each(simulator, root, flights, tmp_path, losses):
    # RFC 6675: SACK tells of every gap at once. RFC 6582: a partial acknowledgment tells of the next one, a round trip
    # later. Every second segment of a flight's first half is lost, so that enough follow each to tell (RFC 5681: three).
    long = [flight for flight in flights if len(flight) >= 2 * losses + 8]
    assert len(long) >= 4
    for flight in long:
        lost = flight[0 : 2 * losses : 2]
        sentences = [
            f"faults.l{number}={ordinal(number)} data from server-0 after {LOSS_BEGINS}ns: drop" for number, _ in lost
        ]
        for sack in ("true", "false"):
            settings = [f"tcp.sack={sack}", *sentences]
            options = [part for setting in settings for part in ("--set", setting)]
            place = run(simulator, root, tmp_path / f"{flight[0][0]}-{sack}", "linux-loss3", *WITHOUT_CHANCE, *options)
            # What was lost comes once, as everything else: nothing that arrived is repeated.
            arrived = [sequence for _, sequence in server_data(place / "client-0.pcap")]
            assert len(arrived) == len(set(arrived)) and set(arrived) >= {sequence for _, sequence in lost}
            times = sorted(read_recovery(place / "client-0.pcap").server.repairs)
            assert len(times) == losses
            if sack == "true":
                assert ROUND_TRIP <= times[0] and times[-1] < 2 * ROUND_TRIP
            else:
                assert all(time >= rank * ROUND_TRIP for rank, time in enumerate(times, 1))


def test_linuxs_timer_without_its_probes_stalls_rpcs(linux, lossy):
    slow = [read_recovery(directory / "client-0.pcap") for directory in lossy("--set", "tcp.min_rto=200ms", "--set", "tcp.tail_loss_probe=false")]
    stalled = [recovery for recovery in slow if max(repairs(recovery)) >= 200 * MILLISECOND]
    assert len(stalled) >= len(slow) / 2
    assert linux.longest_silence < 12 * MILLISECOND < min(recovery.longest_silence for recovery in stalled)


def test_restart_of_nfs3_closes_waits_and_sends_the_same_call_again(simulator, root, data, tmp_path):
    linux = read_recovery(data / "linux-6.1-nfs-v3-nfsd-restart.pcap.gz")
    model = read_recovery(run(simulator, root, tmp_path / "v3", "nfsd-restart-v3") / "client-0.pcap")
    for recovery in (linux, model):
        first, attempt, last = recovery.connections
        assert (first.end, first.ended_by) == ("FIN", "server")
        assert attempt.operational is None and last.operational is not None
        assert attempt.opened - first.ended < 10 * MILLISECOND
        (pause,) = recovery.pauses()
        assert 3000 * MILLISECOND <= pause < 3300 * MILLISECOND
        assert [(rpc.name, rpc.resent) for rpc in recovery.rpcs if rpc.resent] == [("WRITE", 1)]
        assert {order for order in recovery.recovery_order() if order.startswith("WRITE")} == {"WRITE NFS3_OK"}
    # Linux's attempt reached a listener that did not answer, and gave up after 10 s; here nobody listens.
    assert linux.connections[1].refused is None and linux.connections[1].ended - linux.connections[1].opened > 10e9
    assert model.connections[1].refused is not None


def test_restart_of_nfs41_is_recovered_in_linuxs_order(simulator, root, data, tmp_path):
    linux = read_recovery(data / "linux-6.1-nfs-v4.1-nfsd-restart.pcap.gz")
    model = read_recovery(run(simulator, root, tmp_path / "v41", "nfsd-restart-v41") / "client-0.pcap")
    for recovery in (linux, model):
        first, attempt, last = recovery.connections
        assert (first.end, first.ended_by) == ("FIN", "server")
        assert attempt.refused is not None and last.operational is not None
        (pause,) = recovery.pauses()
        assert 3000 * MILLISECOND <= pause < 3300 * MILLISECOND
        assert recovery.resent == 1
    orders = [recovery.recovery_order() for recovery in (linux, model)]
    until = orders[0].index("WRITE NFS4_OK") + 1
    assert until == 10
    assert orders[0][:until] == orders[1][:until]


def test_restarts_are_needed_for_all_that(simulator, root, tmp_path):
    for scenario in ("nfsd-restart-v3", "nfsd-restart-v41"):
        directory = run(simulator, root, tmp_path / scenario, scenario, "--set", "faults.restart=none")
        recovery = read_recovery(directory / "client-0.pcap")
        assert len(recovery.connections) == 1
        assert recovery.pauses() == [] and recovery.recovery_order() == []


def test_program_shows_both(data, lossy, run_program):
    captures = [directory / "client-0.pcap" for directory in lossy()]
    shown = run_program("compare_recovery.py", data / "linux-6.1-nfs-v3-loss3.pcap.gz", *captures)
    assert shown.returncode == 0
    lines = {line[:28].strip(): line.split()[-4:] for line in shown.stdout.splitlines()}
    assert lines["RPCs"] == ["18"] * 4
    assert lines["repeated, client"][0] == "5"
    missing = run_program("compare_recovery.py", data / "absent.pcap", captures[0])
    assert missing.returncode == 2 and missing.stderr.count("\n") == 1


def test_share_of_nothing_is_nothing():
    assert Side().share == 0
