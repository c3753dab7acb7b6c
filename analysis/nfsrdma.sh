#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The commands of those who use the simulator: they run it and draw what it writes. Installed, this is the program
# nfsrdma (share/nfsrdma/analysis/nfsrdma.sh below the prefix, with the simulator in bin); in a source tree ./start calls
# it, and the simulator is built first.
set -euo pipefail

PYTHON=/usr/bin/python3
HERE=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
ROOT=$(dirname "$HERE")
if [[ -x "$ROOT/start" ]]; then
  COMMAND=./start
  PRESET=${NFSRDMA_PRESET:-release}
  SIMULATOR="$ROOT/build/$PRESET/bin/nfsrdma-sim"
else
  COMMAND=nfsrdma
  SIMULATOR="$(dirname "$(dirname "$ROOT")")/bin/nfsrdma-sim"
fi

commands() {
  cat <<'TEXT'
  run SCENARIO [OPTION...]         run a scenario, a file or a name that "scenarios" lists, draw its figures, and say how many
                                   of the costs in it are estimates. Options are those of nfsrdma-sim; --figure WORD... also
                                   draws "plot lines WORD..."; --regret also does what "oracle" does
  explore SCENARIO [OPTION...]     try the orders of events that section [explore] of the scenario allows, and check the
                                   invariants in each. Each order in which one fails is written as a scenario to
                                   results/explore-SCENARIO, run again with captures, and drawn as a message-sequence chart.
                                   Options: --set KEY=VALUE, --seed N, --jobs N, --out DIR
  scenarios                        list the scenarios, one line each
  merge SHARD_DIR... [--out DIR]   combine the shards of a sweep, and draw its figures
  submit SWEEP --slurm|--parallel [OPTION...]
                                   write the jobs of a sweep for Slurm or GNU parallel (an array of its shards, and a merge
                                   that depends on it) to results/SWEEP-jobs; --run also submits them. The same command again
                                   submits only shards that have not finished. Options: --shards N, --cpus N, --time T,
                                   --mem M, --retries N, --out DIR, --set KEY=VALUE; submit --help lists all
  plot RESULTS KIND [WORD...]      draw a figure of results again, with its caption. Kinds: lines, latency-throughput (with
                                   its knee), heat, fairness, cdf, tail, stack, utilisation, time, auto. Words place the keys
                                   of a sweep (x=KEY series=KEY panel=KEY row=KEY), choose what is drawn (metric=COLUMN), and
                                   select runs (KEY=VALUE)
  export RESULTS FORMAT            print results of a run in the format of another program: fio (json+), rdma (JSON), openmetrics
  parquet RESULTS                  also write rpc.csv as Parquet, where PyArrow or DuckDB is installed
  compare A [B] [OPTION...]        run two scenarios, or one scenario with two settings, with the same seeds, and report the
                                   differences with 95% intervals, p and effect size, as a table and a figure.
                                   --a KEY=VALUE, --b KEY=VALUE and --set KEY=VALUE set a key of A, of B or of both; other
                                   options: --seeds N (default: 10), --metric COLUMN of sweep.csv, --test t|wilcoxon,
                                   --out DIR, --jobs N
  sensitivity SCENARIO [--metric M] [OPTION...]
                                   vary each cost within its uncertainty (analysis/uncertainty.csv), and report which costs a
                                   result depends on, and whether the difference between --a KEY=VALUE and --b KEY=VALUE
                                   keeps its sign. Other options: --set KEY=VALUE, --cost KEY, --seeds N (3),
                                   --trajectories N (4), --most N (4), --base N (32), --out DIR, --jobs N
  oracle RESULTS [--switch TIME] [--memory OCTETS] [--windows N]
                                   report the regret of policies for inline thresholds and credits: what the RPCs of a run or
                                   a sweep cost beyond the cost of an oracle that knows the whole trace, as a table, a
                                   figure and columns of sweep.csv. Run a sweep with --set output.rpc_csv=true first, or
                                   with --regret
  artifact SCENARIO [OPTION...]    run a scenario and pack it into one archive with all files that it reads, the command, the
                                   commit, and the digests of the results. Options: --set, --seed, --runs and --pcap as of
                                   run, --out FILE, --jobs N
  reproduce ARCHIVE [--jobs N]     run the contents of an archive and compare the digests: 0 all are the same, 1 some differ
  replay CAPTURE.pcap [--out DIR] [--nfs-version VERSION]
                                   replay the NFS/RDMA workload of a capture, and compare the simulation with the capture;
                                   VERSION (3, 4.1, ...) selects one when the capture has several
  check-capture FILE...            decode the MPA connections of captures (.pcap, also gzip)
  sequence RESULTS [OPTION...]     draw the message-sequence chart of an RPC of a run; options: --xid, --operation, --nth
TEXT
}

usage() {
  echo "Usage: nfsrdma COMMAND"
  commands
  cat <<'TEXT'
  help                             print this
  version                          print the versions of the simulator and of ns-3
Results go to results/<scenario>. nfsrdma-sim --list-keys prints what a scenario can set.
Exit status: 0 done; 1 a run could not be verified or captures disagree; 2 unusable input; 3 the simulation got stuck.
TEXT
}

fail() {
  echo "${COMMAND#./}: $2" >&2
  exit "$1"
}

# What the simulator is made of is there only in a source tree.
prepare() {
  [[ $COMMAND == nfsrdma ]] || "$ROOT/start" build "$PRESET" nfsrdma-sim
}

prepare_python() {
  [[ $COMMAND == nfsrdma ]] || "$ROOT/start" packages
}

# A path; or the name of a scenario of this project, which nfsrdma-sim knows too.
is_scenario() {
  [[ -f "$1" ]] || [[ "$1" =~ ^(scenarios/)?[A-Za-z0-9_.-]+$ && -n $(find_scenarios -name "$(basename "$1" .ini).ini") ]]
}

find_scenarios() {
  find "$ROOT/scenarios" -mindepth 2 -maxdepth 2 -path "$ROOT/scenarios/profiles" -prune -o -not -path "$ROOT/scenarios/validation/*" "$@" -name '*.ini' -print | sort
}

# Folder by folder, each scenario with the first sentence of its comment.
list_scenarios() {
  local file folder="" here
  while read -r file; do
    here=$(basename "$(dirname "$file")")
    [[ "$here" == "$folder" ]] || echo "$here"
    folder=$here
    awk -v name="$(basename "$file" .ini)" '
      /^#/ { sub(/^# ?/, ""); text = text (text == "" ? "" : " ") $0; next }
      { exit }
      END {
        if (match(text, /[.?]( |$)/)) text = substr(text, 1, RSTART - (substr(text, RSTART, 1) == "."))
        if (length(text) > 110 && match(text, /[:;] /)) text = substr(text, 1, RSTART - 1)
        printf "  %-26s %s\n", name, text
      }' "$file"
  done < <(find_scenarios)
}

run_scenario() {
  (($#)) || fail 2 "run: which scenario? A file, or a name that $COMMAND scenarios lists"
  local scenario=$1 out="" shard="" arguments=() words=() draws=false regrets=false index argument status=0
  while (($#)); do
    if [[ "$1" == --figure ]]; then
      draws=true
      while (($# > 1)) && [[ "$2" == *=* && "$2" != -* ]]; do
        words+=("$2")
        shift
      done
    elif [[ "$1" == --regret ]]; then
      regrets=true
      arguments+=(--set output.rpc_csv=true)
    else
      arguments+=("$1")
    fi
    shift
  done
  set -- "${arguments[@]}"
  is_scenario "$scenario" || fail 2 "$scenario: neither a scenario file nor a name that $COMMAND scenarios lists"
  for ((index = 1; index < $#; index++)); do
    argument=${arguments[index]}
    case $argument in
      --out) out=${arguments[index + 1]-} ;;
      --out=*) out=${argument#--out=} ;;
      --shard) shard=${arguments[index + 1]-} ;;
      --shard=*) shard=${argument#--shard=} ;;
      --print-config | --list-keys | --help | --version)
        prepare
        exec "$SIMULATOR" run "$@"
        ;;
    esac
  done
  if [[ -z "$out" ]]; then
    out=results/$(basename "$scenario" .ini)
    [[ -z "$shard" ]] || out+=-shard-${shard/\//-of-}
    arguments+=(--out "$out")
  fi
  [[ -z "$shard" || $regrets == false ]] || fail 2 "--regret: a shard has no table; merge the shards, and run $COMMAND oracle on the result"
  prepare
  "$SIMULATOR" run "${arguments[@]}" || status=$?
  # A sweep has its tables although some runs have failed; a shard has none.
  if [[ -n "$shard" ]] || ((status == 2)) || { ((status != 0)) && [[ ! -f "$out/sweep.csv" ]]; }; then
    return "$status"
  fi
  "$PYTHON" "$HERE/figures.py" "$out" || { status=$?; return "$status"; }
  [[ $regrets == false ]] || "$PYTHON" "$HERE/oracle.py" "$out" || { status=$?; return "$status"; }
  [[ $draws == false ]] || "$PYTHON" "$HERE/plot.py" "$out" lines "${words[@]}" || { status=$?; return "$status"; }
  "$PYTHON" "$HERE/estimates.py" "$out" "${arguments[@]}" || { status=$?; return "$status"; }
  return "$status"
}

merge_shards() {
  local out="" argument previous="" arguments=("$@") status=0
  for argument in "$@"; do
    case $argument in
      --out=*) out=${argument#--out=} ;;
    esac
    [[ "$previous" != --out ]] || out=$argument
    previous=$argument
  done
  if [[ -z "$out" ]]; then
    (($#)) || fail 2 "merge: which directories of shards?"
    out=results/merged-$(basename "$1")
    out=${out%-shard-*}
    arguments+=(--out "$out")
  fi
  prepare
  "$SIMULATOR" merge "${arguments[@]}" || status=$?
  ((status == 2)) || "$PYTHON" "$HERE/figures.py" "$out" || status=$?
  return "$status"
}

compare_scenarios() {
  local scenarios=() of_a=() of_b=() of_both=() analysis=() out=results/compare seeds=10 option
  while (($#)); do
    option=$1
    case $option in
      --*=*) set -- "${option%%=*}" "${option#*=}" "${@:2}" ;;
    esac
    case $1 in
      --a | --b | --set | --seeds | --metric | --test | --out | --jobs)
        (($# > 1)) || fail 2 "compare: $1: its value is missing"
        case $1 in
          --a) of_a+=(--set "$2") ;;
          --b) of_b+=(--set "$2") ;;
          --set) of_both+=(--set "$2") ;;
          --seeds) seeds=$2 ;;
          --metric | --test) analysis+=("$1" "$2") ;;
          --out) out=$2 ;;
          --jobs) of_both+=(--jobs "$2") ;;
        esac
        shift 2
        ;;
      -*) fail 2 "compare: unknown option $1; known are --a, --b, --set, --seeds, --metric, --test, --out, --jobs" ;;
      *)
        is_scenario "$1" || fail 2 "$1: neither a scenario file nor a name that $COMMAND scenarios lists"
        scenarios+=("$1")
        shift
        ;;
    esac
  done
  ((${#scenarios[@]} == 1 || ${#scenarios[@]} == 2)) || fail 2 "compare: one scenario, or two"
  ((${#scenarios[@]} == 2 || ${#of_a[@]} + ${#of_b[@]})) || fail 2 "compare: what differs? A second scenario, --a KEY=VALUE or --b KEY=VALUE"
  [[ $seeds =~ ^[1-9][0-9]*$ ]] && ((seeds >= 2)) || fail 2 "compare: --seeds: got '$seeds', expected a number of at least 2"
  prepare
  local status=0
  "$SIMULATOR" run "${scenarios[0]}" --runs "$seeds" --out "$out/a" "${of_both[@]}" "${of_a[@]}" || status=$?
  ((status < 2)) || return "$status"
  "$SIMULATOR" run "${scenarios[-1]}" --runs "$seeds" --out "$out/b" "${of_both[@]}" "${of_b[@]}" || status=$?
  ((status < 2)) || return "$status"
  "$PYTHON" "$HERE/compare.py" "$out/a" "$out/b" --out "$out" "${analysis[@]}" || status=$?
  return "$status"
}

replay_capture() {
  local capture="" out="" index version=()
  while (($#)); do
    case $1 in
      --out)
        (($# > 1)) || fail 2 "--out: which directory?"
        out=$2
        shift
        ;;
      --out=*) out=${1#--out=} ;;
      --nfs-version)
        (($# > 1)) || fail 2 "--nfs-version: which version?"
        version=("--nfs-version=$2")
        shift
        ;;
      --nfs-version=*) version=("$1") ;;
      -*) fail 2 "replay: unknown option $1; known are --out DIR and --nfs-version VERSION" ;;
      *)
        [[ -z "$capture" ]] || fail 2 "replay: one capture at a time"
        capture=$1
        ;;
    esac
    shift
  done
  [[ -n "$capture" ]] || fail 2 "replay: which capture file?"
  [[ -f "$capture" ]] || fail 2 "$capture: no such capture file"
  local name
  name=$(basename "$capture")
  name=${name%.gz}
  name=${name%.*}
  out=${out:-results/replay-$name}
  prepare_python
  "$PYTHON" "$HERE/trace_from_pcap.py" "$capture" --out "$out/$name" "${version[@]}"
  local clients nodes=client-0
  clients=$(grep -c '^# client=' "$out/$name.trace.csv")
  for ((index = 1; index < clients; index++)); do
    nodes+=",client-$index"
  done
  prepare
  local status=0 compared=0
  "$SIMULATOR" run linux-replay --out "$out" --pcap "$nodes" \
    --set "cluster.clients=$clients" --set workload.kind=replay --set "workload.trace=$(cd "$out" && pwd)/$name" ||
    status=$?
  # A run that differs from the capture has written all that there is to compare.
  ((status < 2)) || return "$status"
  "$PYTHON" "$HERE/figures.py" "$out"
  for ((index = 0; index < clients; index++)); do
    ((clients == 1)) || echo "client $index"
    compared=0
    "$PYTHON" "$HERE/compare_capture.py" "$capture" "$out/client-$index.pcap" --client "$index" || compared=$?
    # That a client differs is worse than that the capture has nothing to compare it with.
    ((compared == 0 || status == 1)) || status=$compared
  done
  return "$status"
}

check_captures() {
  (($#)) || fail 2 "check-capture: which capture files?"
  prepare
  exec "$SIMULATOR" check-capture "$@"
}

run_on_simulator() {
  local program=$1
  shift
  prepare
  exec "$PYTHON" "$HERE/$program.py" "$@"
}

submit_shards() {
  (($#)) || fail 2 "submit: which sweep, and --slurm or --parallel?"
  run_on_simulator submit "$@"
}

write_parquet() {
  (($# == 1)) || fail 2 "parquet: which results? A directory of a run or a sweep"
  prepare_python
  exec "$PYTHON" "$HERE/parquet.py" "$@"
}

export_results() {
  (($# == 2)) || fail 2 "export: which results, and in which format? $COMMAND help lists the formats"
  prepare_python
  exec "$PYTHON" "$HERE/export.py" "$@"
}

find_regret() {
  (($#)) || fail 2 "oracle: which results? A directory of a run or a sweep"
  prepare_python
  exec "$PYTHON" "$HERE/oracle.py" "$@"
}

draw_plot() {
  (($# >= 2)) || fail 2 "plot: which results directory, and which kind of figure? $COMMAND help lists the kinds"
  prepare_python
  exec "$PYTHON" "$HERE/plot.py" "$@"
}

# Of the RPCs that were sent most often, the last.
find_troubled_rpc() {
  awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "xid") xid = i; if ($i == "transmissions") sent = i }; next }
    $sent >= most { most = $sent; found = $xid }
    END { print found }' "$1/rpc.csv"
}

# An order that does not hold is run once more, and the RPC that went worst is drawn.
explore_orders() {
  (($#)) || fail 2 "explore: which scenario? A file, or a name that $COMMAND scenarios lists"
  is_scenario "$1" || fail 2 "$1: neither a scenario file nor a name that $COMMAND scenarios lists"
  local out status=0 index arguments=("$@") violation results
  out="results/explore-$(basename "$1" .ini)"
  for ((index = 1; index < $#; index++)); do
    case ${arguments[index]} in
      --out) out=${arguments[index + 1]-} ;;
      --out=*) out=${arguments[index]#--out=} ;;
    esac
  done
  prepare
  "$SIMULATOR" explore "$@" || status=$?
  ((status == 1)) || exit "$status"
  for violation in "$out"/violation-*.ini; do
    results=${violation%.ini}
    "$SIMULATOR" run "$violation" --pcap all --set output.messages=all --out "$results" > "$results.txt" 2>&1 || true
    "$PYTHON" "$HERE/sequence.py" "$results" --xid "$(find_troubled_rpc "$results")" || true
  done
  exit 1
}

draw_sequence() {
  (($#)) || fail 2 "sequence: which results directory?"
  prepare_python
  exec "$PYTHON" "$HERE/sequence.py" "$@"
}

command=${1:-help}
(($# == 0)) || shift
case $command in
  run) run_scenario "$@" ;;
  explore) explore_orders "$@" ;;
  scenarios) list_scenarios ;;
  merge) merge_shards "$@" ;;
  submit) submit_shards "$@" ;;
  plot) draw_plot "$@" ;;
  parquet) write_parquet "$@" ;;
  export) export_results "$@" ;;
  compare) compare_scenarios "$@" ;;
  sensitivity) run_on_simulator sensitivity "$@" ;;
  oracle) find_regret "$@" ;;
  artifact) run_on_simulator artifact "$@" ;;
  reproduce) run_on_simulator reproduce "$@" ;;
  replay) replay_capture "$@" ;;
  check-capture) check_captures "$@" ;;
  sequence) draw_sequence "$@" ;;
  commands) commands ;;
  version | --version) exec "$SIMULATOR" --version ;;
  help | --help | -h) usage ;;
  *) fail 2 "unknown command $command; nfsrdma help lists the commands" ;;
esac
