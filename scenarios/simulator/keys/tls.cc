/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/transport-security.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-keys.h"
#include "scenarios/simulator/keys/setting-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeTlsSection()
{
    ScenarioSection section{
        "tls",
        "TLS of NFS over TCP (RFC 9289).",
        {{"profile",
          Text(),
          "none",
          "profiles/tls/NAME.ini, values for the keys below; none: no TLS profile"}}};
    AppendKeys(section.keys, RpcTlsSettings::GetRows(), "RpcTls");
    return section;
}

} // namespace ns3::nfsrdma
