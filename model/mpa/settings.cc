/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/settings.h"

#include "ns3/abort.h"
#include "ns3/string.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(MpaSettings);

#define SETTINGS_OF MpaSettings::Values
#define SETTINGS_FILE "mpa/settings.def"
#include "settings/rows.def"

TypeId
MpaSettings::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::MpaSettings")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<MpaSettings>()
            .AddAttribute("ReadyToReceive",
                          "Kinds of that first FPDU to offer as initiator and to accept as "
                          "responder, the preferred one first, of Send, Write and Read. Default: "
                          "Linux siw.",
                          StringValue("Write Read"),
                          MakeStringAccessor(&MpaSettings::SetReadyToReceive,
                                             &MpaSettings::GetReadyToReceive),
                          MakeStringChecker()),
        Values::GetRows(),
        &MpaSettings::m_values);
    return tid;
}

Ptr<MpaSettings>
MpaSettings::CopyWithRevision1() const
{
    auto copy = CopyObject(Ptr<const MpaSettings>(this));
    copy->m_values.policy.revision = 1;
    return copy;
}

void
MpaSettings::SetReadyToReceive(const std::string& kinds)
{
    const auto parsed = ParseReadyToReceiveKinds(kinds);
    NS_ABORT_MSG_UNLESS(parsed, "not a list of Send, Write and Read: " << kinds);
    m_values.policy.readyToReceive = *parsed;
}

std::string
MpaSettings::GetReadyToReceive() const
{
    return ToString(m_values.policy.readyToReceive);
}

} // namespace ns3::nfsrdma
