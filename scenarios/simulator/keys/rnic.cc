/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/crypto-engine.h"
#include "mpa/settings.h"
#include "rnic/hardware/profile.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

namespace
{

void
AppendMpaKeys(std::vector<ScenarioKey>& keys)
{
    const auto append = [&keys](const char* names) {
        AppendKeys(keys, MpaSettings::Values::GetRows(), "MpaSettings", "mpa_", names);
    };
    append("revision crc peer_to_peer markers marker_support conformance");
    keys.push_back(
        {"mpa_ready_to_receive",
         Text(),
         "Write Read",
         "kinds of the first FPDU of the peer-to-peer model, preferred ones first, of Send Write "
         "Read",
         {"MpaSettings::ReadyToReceive"}});
    append("responder_crc revision_fallback reply_timeout request_timeout");
    keys.push_back({"mpa_transport",
                    Choice({"layered", "aware-sender", "aware"}),
                    "aware-sender",
                    "how MPA and TCP work together (RFC 5044 section 5)",
                    {"MpaTransport::Transport"}});
    append("place_by_alignment drop_bad_segments");
    keys.push_back({"mpa_packing",
                    Boolean(),
                    "false",
                    "let an aware sender put several FPDUs into one segment",
                    {"MpaTransport::Packing"}});
    keys.push_back({"mpa_nagle",
                    Boolean(),
                    "false",
                    "Nagle's algorithm: less than a segment waits while anything is unacknowledged "
                    "(RFC 896)",
                    {"MpaTransport::Nagle"}});
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
          "hosts that a section [rnic NAME] applies to: client-0..3, server-1, clients, servers"},
         {"profile", Text(), "generic-100g", "profiles/rnic/NAME.ini, values for the keys below"},
         {"port_rate", Rate(1e6), "100Gbps", "highest link rate that the device's port supports"},
         {"tcp",
          Choice({"ns3", "offload"}),
          "offload",
          "TCP below MPA: ns-3's, or the device's own TCP offload engine",
          {"MpaTransport::Tcp"}}}};
    AppendKeys(section.keys, RnicSettings::GetRows(), "RnicDevice");
    AppendMpaKeys(section.keys);
    AppendKeys(section.keys, CryptoEngineSettings::GetRows(), "InlineCrypto");
    AppendKeys(section.keys, RnicDefences::GetRows(), "RnicDevice");
    return section;
}

} // namespace ns3::nfsrdma
