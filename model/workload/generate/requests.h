/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_REQUESTS_H
#define NFSRDMA_WORKLOAD_GENERATE_REQUESTS_H

#include "settings/setting.h"
#include "workload/generate/measured-files.h"
#include "workload/generate/request-stream.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A FileWorkload of streams of requests, closed or open loop.
 *
 * Attributes, each of every stream: IoDepth, Requests (count), Runtime, RampTime, ThinkTime (Time),
 * Arrivals, ArrivalRate, ArrivalPeakRate (per second), ArrivalBusyTime, ArrivalCalmTime,
 * ArrivalRamp (Time), BurstSize (count), BurstSpacing (Time).
 */
class RequestWorkload : public FileWorkload
{
  public:
    /// What can be set: requests.def has the fields.
    struct Settings
    {
#define SETTING(type, name, ...) type name{};
#define SETTING_PART(part, name, ...)
#include "workload/generate/requests.def"
#undef SETTING_PART
#undef SETTING

        ArrivalProcess::Settings arrivals;

        [[nodiscard]] static const std::vector<Setting<Settings>>& GetRows();
    };

    static TypeId GetTypeId();

    [[nodiscard]] tl::expected<void, std::string> Validate() const override;

    [[nodiscard]] Time GetRampTime() const override
    {
        return m_settings.rampTime;
    }

    void SetArrivalTimes(const std::shared_ptr<const std::vector<Time>>& times) override
    {
        m_settings.arrivals.times = times;
    }

    [[nodiscard]] bool CanDrain() const override
    {
        return true;
    }

  protected:
    void DoDispose() override;
    void DoDrain() override;

    /// \return nothing when requests can arrive as the attributes say, else what is expected.
    [[nodiscard]] tl::expected<void, std::string> CheckArrivals() const
    {
        return ArrivalProcess::Check(m_settings.arrivals);
    }

    /// \return the stream of a workload that has one; made when it is first asked for.
    [[nodiscard]] RequestStream& GetStream();
    /// A request of that stream is over.
    void EndRequest();
    /// \return what the attributes say.
    [[nodiscard]] RequestStream::Settings GetStreamSettings() const;
    /// \return the same for a stream of this workload, whose calls tell when they have arrived.
    [[nodiscard]] RequestStream::Settings MakeStreamSettings();

  private:
    Settings m_settings;
    std::unique_ptr<RequestStream> m_stream;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_REQUESTS_H
