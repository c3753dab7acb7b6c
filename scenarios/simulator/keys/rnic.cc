/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/profile.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

namespace
{

std::vector<ScenarioKey>
MakeMpaKeys()
{
    return {
        {"mpa_revision",
         Integer(1, 2),
         "2",
         "MPA revision asked for (RFC 5044: 1, RFC 6581: 2)",
         {"MpaSettings::Revision"}},
        {"mpa_crc", Boolean(), "true", "ask for CRC32c on every FPDU", {"MpaSettings::Crc"}},
        {"mpa_peer_to_peer",
         Boolean(),
         "false",
         "ask for the peer-to-peer model of MPA revision 2",
         {"MpaSettings::PeerToPeer"}},
        {"mpa_markers",
         Boolean(),
         "false",
         "ask peers for markers in what they send",
         {"MpaSettings::Markers"}},
        {"mpa_marker_support",
         Boolean(),
         "true",
         "send markers to peers that ask; else their connections are refused",
         {"MpaSettings::MarkerSupport"}},
        {"mpa_conformance",
         Choice({"rdma-consortium", "non-permissive", "permissive"}),
         "non-permissive",
         "specifications spoken (RFC 5044 appendix C)",
         {"MpaSettings::Conformance"}},
        {"mpa_ready_to_receive",
         Text(),
         "Write Read",
         "kinds of the peer-to-peer model's first FPDU, preferred first, of Send Write Read",
         {"MpaSettings::ReadyToReceive"}},
        {"mpa_responder_crc",
         Boolean(),
         "true",
         "a responder that asks for CRCs turns them on alone",
         {"MpaSettings::ResponderCrc"}},
        {"mpa_revision_fallback",
         Boolean(),
         "false",
         "connect again with revision 1 to a peer that closes on revision 2",
         {"MpaSettings::RevisionFallback"}},
        {"mpa_reply_timeout",
         Duration(),
         "10s",
         "wait of an initiator for the MPA Reply; 0s: for ever",
         {"MpaSettings::ReplyTimeout"}},
        {"mpa_request_timeout",
         Duration(),
         "5s",
         "wait of a responder for the whole MPA Request; 0s: for ever",
         {"MpaSettings::RequestTimeout"}},
        {"mpa_transport",
         Choice({"layered", "aware-sender", "aware"}),
         "aware-sender",
         "how MPA and TCP work together (RFC 5044 section 5)",
         {"MpaTransport::Transport"}},
        {"mpa_place_by_alignment",
         Boolean(),
         "false",
         "place FPDUs behind a gap that segments begin with (not RFC 5044)",
         {"MpaSettings::PlaceByAlignment"}},
        {"mpa_drop_bad_segments",
         Boolean(),
         "false",
         "have TCP repeat a segment that holds a bad FPDU (RFC 5044 section 8)",
         {"MpaSettings::DropBadSegments"}},
        {"mpa_packing",
         Boolean(),
         "false",
         "let an aware sender put several FPDUs into a segment",
         {"MpaTransport::Packing"}},
        {"mpa_nagle",
         Boolean(),
         "false",
         "let less than a segment wait while anything is unacknowledged (RFC 896)",
         {"MpaTransport::Nagle"}},
    };
}

} // namespace

ScenarioSection
MakeRnicSection()
{
    ScenarioSection section{
        "rnic",
        "The RNIC of every host: costs, limits, MPA startup.",
        {{"hosts",
          Text(),
          "all",
          "of a section [rnic NAME]: client-0..3, server-1, clients, servers"},
         {"profile", Text(), "generic-100g", "profiles/rnic/NAME.ini: values for the keys below"},
         {"port_rate",
          Rate(1e6),
          "100Gbps",
          "highest rate of a link that the device's port can have"}}};
    AppendKeys(section.keys, RnicSettings::GetRows(), "RnicDevice");
    for (auto&& key : MakeMpaKeys())
    {
        section.keys.push_back(std::move(key));
    }
    AppendKeys(section.keys, RnicDefences::GetRows(), "RnicDevice");
    return section;
}

} // namespace ns3::nfsrdma
