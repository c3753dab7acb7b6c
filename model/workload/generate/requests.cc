/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/requests.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RequestWorkload);

#define SETTINGS_OF RequestWorkload::Settings
#define SETTINGS_FILE "workload/generate/requests.def"
#include "settings/rows.def"

TypeId
RequestWorkload::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::RequestWorkload").SetParent<FileWorkload>().SetGroupName("NfsRdma"),
        Settings::GetRows(),
        &RequestWorkload::m_settings);
    return tid;
}

tl::expected<void, std::string>
RequestWorkload::Validate() const
{
    if (m_settings.requests == 0 && m_settings.runtime.IsZero())
    {
        return tl::unexpected(std::string("Requests or Runtime above 0"));
    }
    return CheckArrivals();
}

RequestStream&
RequestWorkload::GetStream()
{
    if (m_stream == nullptr)
    {
        m_stream = std::make_unique<RequestStream>(MakeStreamSettings());
    }
    return *m_stream;
}

void
RequestWorkload::EndRequest()
{
    if (m_stream)
    {
        m_stream->End();
    }
}

void
RequestWorkload::DoDrain()
{
    if (m_stream)
    {
        m_stream->Drain();
    }
}

void
RequestWorkload::DoDispose()
{
    m_stream.reset();
    FileWorkload::DoDispose();
}

RequestStream::Settings
RequestWorkload::GetStreamSettings() const
{
    RequestStream::Settings settings;
    settings.arrivals = m_settings.arrivals;
    settings.depth = m_settings.ioDepth;
    settings.requests = m_settings.requests;
    settings.runtime = m_settings.runtime;
    settings.thinkTime = m_settings.thinkTime;
    return settings;
}

RequestStream::Settings
RequestWorkload::MakeStreamSettings()
{
    auto settings = GetStreamSettings();
    settings.setArrival = [this](std::optional<Time> time) { GetMount().SetArrival(time); };
    settings.setSubmitter = [this](const Ptr<HostThread>& thread) {
        GetMount().SetSubmitter(thread);
    };
    return settings;
}

} // namespace ns3::nfsrdma
