/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

std::vector<ScenarioKey>
MakeConnectionAttackKeys()
{
    return {
        {"manner",
         Choice({"octets", "withheld", "silent", "complete"}),
         "octets",
         "drip-fed-startup: a Request by octets, without its private data, not at all, or nothing "
         "after it",
         {"DripFedStartup::Manner"}},
        {"octet_interval",
         Duration(1, HOUR),
         "10ms",
         "drip-fed-startup: from one octet to the next",
         {"DripFedStartup::OctetInterval"}},
        {"ending",
         Choice({"reset", "fin", "terminate"}),
         "reset",
         "connection-churn: how a connection is dropped",
         {"ConnectionChurn::Ending"}},
        {"private_data",
         Choice({"foreign", "other-version", "cut-short", "absurd-sizes", "second", "all"}),
         "all",
         "private-data-mimic: what the private data is; all: each in turn",
         {"PrivateDataMimic::Kind"}},
        {"malformation",
         Choice({"bad-crc",
                 "bad-marker",
                 "long-ulpdu",
                 "unknown-queue",
                 "msn-gap",
                 "mo-overlap",
                 "terminate-storm",
                 "all"}),
         "all",
         "malformed-segments: what is wrong; all: each in turn",
         {"MalformedSegments::Kind"}},
        {"hold_time",
         Duration(0, HOUR),
         "1ms",
         "malformed-segments: until a connection is reset that the server has not ended",
         {"MalformedSegments::HoldTime"}},
        {"guess",
         Choice({"near", "sequential", "random", "replay"}),
         "near",
         "guessed-stags: which STags: around, or from, one seen; any; one seen before",
         {"StagGuesser::Strategy"}},
        {"aim",
         Choice({"write", "read"}),
         "write",
         "guessed-stags: RDMA Writes or RDMA Reads",
         {"StagGuesser::Operation"}},
        {"guess_window",
         Integer(0, 0x7fffff),
         "64",
         "guessed-stags near: indices on each side of the one seen",
         {"StagGuesser::Window"}},
        {"guess_offsets",
         Size(0),
         "1MiB",
         "guessed-stags: tagged offsets tried, pages from the one seen on",
         {"StagGuesser::OffsetSpan"}},
    };
}

} // namespace ns3::nfsrdma
