/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/requests.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RequestWorkload);

TypeId
RequestWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RequestWorkload")
            .SetParent<FileWorkload>()
            .SetGroupName("NfsRdma")
            .AddAttribute("IoDepth",
                          "Requests that a stream has outstanding at most (count). Default: fio's",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RequestWorkload::m_depth),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("Requests",
                          "Requests of a stream in all (count; 0: no such limit)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RequestWorkload::m_requests),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Runtime",
                          "No request starts later than that after the run's begin (Time; 0: no "
                          "such limit)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RequestWorkload::m_runtime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RampTime",
                          "Requests that arrive so early in the run are not measured (Time)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RequestWorkload::m_rampTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ThinkTime",
                          "Closed loop: time between a completion and the next request of its "
                          "place (Time)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RequestWorkload::m_thinkTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Arrivals",
                          "When requests arrive: closed (after a completion), or open loop "
                          "constant, poisson or bursts; latency counts from the arrival",
                          EnumValue(ArrivalProcess::CLOSED),
                          MakeEnumAccessor(&RequestWorkload::m_arrivals),
                          MakeEnumChecker(ArrivalProcess::CLOSED,
                                          "closed",
                                          ArrivalProcess::CONSTANT,
                                          "constant",
                                          ArrivalProcess::POISSON,
                                          "poisson",
                                          ArrivalProcess::BURSTS,
                                          "bursts"))
            .AddAttribute("ArrivalRate",
                          "Open loop: mean rate of arrivals of a stream (per second)",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RequestWorkload::m_arrivalRate),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("BurstSize",
                          "Bursts: requests of a burst (count)",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RequestWorkload::m_burstSize),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("BurstSpacing",
                          "Bursts: time between the requests of a burst (Time)",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RequestWorkload::m_burstSpacing),
                          MakeTimeChecker(Time(0)));
    return tid;
}

tl::expected<void, std::string>
RequestWorkload::CheckArrivals() const
{
    return ArrivalProcess::Check(GetStreamSettings().arrivals);
}

tl::expected<void, std::string>
RequestWorkload::Validate() const
{
    if (m_requests == 0 && m_runtime.IsZero())
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
        m_stream = std::make_unique<RequestStream>(GetStreamSettings());
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
RequestWorkload::DoDispose()
{
    m_stream.reset();
    FileWorkload::DoDispose();
}

RequestStream::Settings
RequestWorkload::GetStreamSettings() const
{
    RequestStream::Settings settings;
    settings.arrivals = {m_arrivals, m_arrivalRate, m_burstSize, m_burstSpacing};
    settings.depth = m_depth;
    settings.requests = m_requests;
    settings.runtime = m_runtime;
    settings.thinkTime = m_thinkTime;
    return settings;
}

} // namespace ns3::nfsrdma
