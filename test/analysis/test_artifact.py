# SPDX-License-Identifier: GPL-2.0-only
"""Archives of runs: the same again, what differs is told, and hostile archives do no harm."""

from __future__ import annotations

import gzip
import io
import json
import tarfile

import pytest
from nfsrdma_method import archive, packing, resolved
from nfsrdma_method.resolved import MethodError

SCENARIO = """# small
[rpcrdma]
profile = mine

[workload]
kind = mix
operations = 20
"""
PROFILE = "[rpcrdma]\ninline_threshold = 8KiB\n"


@pytest.fixture
def scenario(tmp_path):
    folder = tmp_path / "made"
    (folder / "profiles" / "rpcrdma").mkdir(parents=True)
    (folder / "profiles" / "rpcrdma" / "mine.ini").write_text(PROFILE)
    (folder / "small.ini").write_text(SCENARIO)
    return folder / "small.ini"


@pytest.fixture
def packed(tmp_path, scenario, simulator, run_program):
    out = tmp_path / "small.tar.gz"
    done = run_program("artifact.py", scenario, "--seed", "7", "--out", out, "--simulator", simulator)
    assert (done.returncode, done.stderr) == (0, "")
    return out


def repack(path, change):
    """Writes an archive again after change() has worked on its members, a dictionary of octets."""
    members = {}
    with tarfile.open(path) as tar:
        for member in tar:
            members[member.name] = tar.extractfile(member).read()
    change(members)
    with tarfile.open(path, "w:gz") as tar:
        for name, octets in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(octets)
            tar.addfile(member, io.BytesIO(octets))


def change_description(members, **changes):
    text = json.loads(members[archive.DESCRIPTION]) | changes
    members[archive.DESCRIPTION] = json.dumps(text).encode()


class TestRuns:
    def test_gives_the_same_again_without_the_files_it_was_made_of(self, packed, scenario, simulator, run_program):
        (scenario.parent / "profiles" / "rpcrdma" / "mine.ini").unlink()
        scenario.unlink()
        done = run_program("reproduce.py", packed, "--simulator", simulator)
        assert (done.returncode, done.stderr) == (0, "")
        artifact, files = archive.read(packed)
        assert f"{len(artifact.results)} files: 0 differences" in done.stdout
        assert set(files) == {"small.ini", "profiles/rpcrdma/mine.ini", "profiles/rnic/generic-100g.ini"}
        assert artifact.options == [["--seed", "7"]] and artifact.version.startswith("nfsrdma-sim ")
        assert {"manifest.json", "rpc.csv", "summary.json"} <= set(artifact.results)

    def test_the_same_artifact_has_the_same_octets(self, packed, scenario, simulator, run_program):
        first = packed.read_bytes()
        assert run_program("artifact.py", scenario, "--seed", "7", "--out", packed, "--simulator", simulator).returncode == 0
        assert packed.read_bytes() == first

    def test_has_what_the_profile_of_a_kernel_names(self, tmp_path, scenario, simulator, run_program):
        scenario.write_text("[sweep]\nkernel.profile = linux-6.1, linux-2026\n[workload]\nkind = mix\noperations = 20\n")
        done = run_program("artifact.py", scenario, "--out", tmp_path / "a.tar.gz", "--simulator", simulator)
        assert (done.returncode, done.stderr) == (0, "")
        _, files = archive.read(tmp_path / "a.tar.gz")
        assert {f"profiles/{kind}/{name}.ini" for kind in ("kernel", "rpcrdma") for name in ("linux-6.1", "linux-2026")} <= set(files)

    def test_what_differs_is_named(self, packed, simulator, run_program):
        def change(members):
            results = json.loads(members[archive.DESCRIPTION])["results"]
            results["rpc.csv"] = "0" * 64
            results["more.csv"] = "0" * 64
            change_description(members, results=results, status=1)

        repack(packed, change)
        done = run_program("reproduce.py", packed, "--simulator", simulator)
        assert done.returncode == 1
        for line in ("rpc.csv: differs", "more.csv: was not written", "exit status: 0, was 1"):
            assert line in done.stdout

    @pytest.mark.parametrize(
        ("words", "message"),
        [(("no-such",), "no-such: neither a scenario file nor a name"),
         (("fio-randrw", "--set", "workload.bs=many"), "workload.bs: got 'many'")],
    )  # fmt: skip
    def test_what_cannot_run_is_one_line_and_no_archive(self, tmp_path, simulator, run_program, words, message):
        done = run_program("artifact.py", *words, "--out", tmp_path / "a.tar.gz", "--simulator", simulator)
        assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1
        assert not (tmp_path / "a.tar.gz").exists()

    def test_a_trace_from_elsewhere_is_refused(self, tmp_path, scenario, simulator, root, run_program):
        trace = root / "scenarios" / "traces" / "linux-6.1-nfs-v3"
        for suffix in resolved.TRACE_SUFFIXES:
            (tmp_path / f"t{suffix}").write_bytes(trace.with_name(trace.name + suffix).read_bytes())
        scenario.write_text(f"[workload]\nkind = replay\ntrace = {tmp_path / 't'}\n")
        done = run_program("artifact.py", scenario, "--out", tmp_path / "a.tar.gz", "--simulator", simulator)
        assert done.returncode == 2 and "lies outside the scenario's directory" in done.stderr


class TestHostile:
    def refused(self, path):
        with pytest.raises(MethodError) as error:
            archive.read(path)
        assert "\n" not in str(error.value)
        return str(error.value)

    @pytest.fixture
    def made(self, tmp_path):
        """An archive without a run."""
        path = tmp_path / "a.tar.gz"
        artifact = archive.Artifact("a.ini", [], "", "v", 0, "d", {})
        archive.write(path, artifact, {"a.ini": b"[cluster]\n"})
        assert archive.read(path)[1] == {"a.ini": b"[cluster]\n"}
        return path

    @pytest.mark.parametrize(
        "name", ["../a.ini", "/etc/passwd", "scenario/../../a", "scenario/.hidden", "scenario//a", "other/a", "scenario/a\nb", "scenario/./a", "scenario/a;b"]
    )
    def test_names_that_lead_elsewhere(self, made, name):
        repack(made, lambda members: members.update({name: b"x"}))
        assert "a name that an artifact cannot have" in self.refused(made)

    @pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
    def test_what_is_no_file(self, made, kind):
        member = tarfile.TarInfo("scenario/link")
        member.type, member.linkname = kind, "/etc/passwd"
        with tarfile.open(made, "w:gz") as tar:
            tar.addfile(member)
        assert "not a regular file" in self.refused(made)

    def test_programs(self, made, simulator, run_program):
        """A plugin that an archive brings would run: an ELF file does not get as far as the simulator."""
        text = b"[cluster]\nplugins = x.so\n"
        archive.write(made, archive.Artifact("a.ini", [], "", "v", 0, "d", {}), {"a.ini": text, "x.so": b"\x7fELF" + bytes(60)})
        done = run_program("reproduce.py", made, "--simulator", simulator)
        assert done.returncode == 2
        assert done.stderr == "reproduce: x.so: a program, which an archive cannot have\n"

    def test_a_file_twice(self, made):
        with tarfile.open(made, "w:gz") as tar:
            for _ in range(2):
                tar.addfile(tarfile.TarInfo("scenario/a.ini"))
        assert "is there twice" in self.refused(made)

    def test_more_than_it_may_hold(self, made, monkeypatch):
        monkeypatch.setattr(archive, "MOST_OCTETS", 1 << 20)
        repack(made, lambda members: members.update({"scenario/zeros": bytes(2 << 20)}))
        assert made.stat().st_size < 10_000
        assert "holds more than 1 MiB" in self.refused(made)
        monkeypatch.setattr(archive, "MOST_FILES", 1)
        repack(made, lambda members: members.pop("scenario/zeros"))
        assert "holds more than 1 files" in self.refused(made)

    def test_a_header_that_claims_what_is_not_there(self, made):
        member = tarfile.TarInfo("scenario/a.ini")
        member.size = 1 << 40
        made.write_bytes(gzip.compress(member.tobuf() + bytes(100)))
        self.refused(made)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"format": 2}, "format 2, expected 1"),
            ({"options": [["--out", "/tmp/x"]]}, "options: expected pairs of --set"),
            ({"options": [["--set", 5]]}, "options: expected pairs"),
            ({"options": [["--set", "a\0b"]]}, "a value that no command can have"),
            ({"files": {}}, "a.ini: is not listed"),
            ({"files": {"a.ini": "0"}}, "a.ini: is not what was packed"),
            ({"files": {"b.ini": "0"}}, "b.ini: is missing"),
            ({"scenario": "b.ini"}, "b.ini: the scenario is missing"),
            ({"results": []}, "results: missing, or of another type"),
            ({"status": True}, "status: missing, or of another type"),
        ],
    )
    def test_a_description_that_is_wrong(self, made, changes, message):
        repack(made, lambda members: change_description(members, **changes))
        assert message in self.refused(made)

    @pytest.mark.parametrize(
        "octets",
        [b"", b"text", gzip.compress(b"text", mtime=0), gzip.compress(b"", mtime=0)[:-4], bytes(2000)],
        ids=["empty", "text", "gzip of text", "gzip cut short", "zeros"],
    )
    def test_what_is_no_archive(self, made, octets, run_program):
        made.write_bytes(octets)
        done = run_program("reproduce.py", made)
        assert done.returncode == 2 and done.stderr.startswith(f"reproduce: {made}: ") and done.stderr.count("\n") == 1

    @pytest.mark.parametrize(
        "line",
        ["trace = /etc/passwd", "trace=/etc/passwd", "profile = ../../x", "trace = a#/../../x", "workload.trace = a, /etc/x", "file = x/../../y"],
    )
    def test_paths_that_lead_out_are_refused_unseen(self, line, tmp_path):
        with pytest.raises(MethodError, match="leads out of the scenario's directory"):
            packing.run_copy({"a.ini": f"[workload]\n{line}\n".encode()}, "a.ini", [], tmp_path / "never-run", None)

    def test_what_looks_like_a_path_and_is_none_is_taken(self):
        resolved.refuse_paths(["hosts = client-0..3  # see /proc", "# /etc", "workload.trace = traces/linux-6.1-nfs-v3", "output.pcap=a,b"])

    def test_a_scenario_reads_no_file_but_its_own(self, tmp_path, simulator):
        (tmp_path / "secret.trace.csv").write_text("secret")
        (tmp_path / "secret.tree.csv").write_text("secret")
        for text in (f"[workload]\nkind = replay\ntrace = {tmp_path}/secret\n",
                     f"[topology]\nshape = file\nfile = {tmp_path}/secret.tree.csv\n"):  # fmt: skip
            with pytest.raises(MethodError) as error:
                packing.run_copy({"a.ini": text.encode()}, "a.ini", [], simulator, None)
            assert "secret" not in str(error.value).replace(f"{tmp_path}/secret", "")


def test_lists_of_a_sweep_are_split_as_the_simulator_does():
    assert resolved.split_list("1, 2,3") == ["1", "2", "3"]
    assert resolved.split_list("4096:3,65536:1; 512:1") == ["4096:3,65536:1", "512:1"]
    assert resolved.split_list("rpcrdma.inline_threshold: 2KiB, 4KiB") == ["2KiB", "4KiB"]
