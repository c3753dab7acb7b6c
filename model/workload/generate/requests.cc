/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/requests.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RequestWorkload);

const std::vector<Setting<RequestWorkload::Settings>>&
RequestWorkload::Settings::GetRows()
{
    static const std::vector<Setting<RequestWorkload::Settings>> rows{
#define SETTING(type, name, ...) NFSRDMA_SETTING_ROW(RequestWorkload::Settings, name, __VA_ARGS__),
#include "workload/generate/requests.def"
#undef SETTING
    };
    return rows;
}

TypeId
RequestWorkload::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::RequestWorkload").SetParent<FileWorkload>().SetGroupName("NfsRdma"),
        Settings::GetRows(),
        &RequestWorkload::m_settings);
    return tid;
}

RequestWorkload::RequestWorkload() = default;
RequestWorkload::~RequestWorkload() = default;

tl::expected<void, std::string>
RequestWorkload::Validate() const
{
    return ArrivalProcess::Check(GetStreamSettings().arrivals);
}

RequestStream::Settings
RequestWorkload::GetStreamSettings() const
{
    RequestStream::Settings settings;
    settings.arrivals = {m_settings.arrivals,
                         m_settings.arrivalRate,
                         m_settings.burstSize,
                         m_settings.burstSpacing};
    settings.depth = m_settings.ioDepth;
    settings.requests = m_settings.requests;
    settings.runtime = m_settings.runtime;
    settings.thinkTime = m_settings.thinkTime;
    return settings;
}

Time
RequestWorkload::GetRampTime() const
{
    return m_settings.rampTime;
}

} // namespace ns3::nfsrdma
