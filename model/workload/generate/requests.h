/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_REQUESTS_H
#define NFSRDMA_WORKLOAD_GENERATE_REQUESTS_H

#include "workload/generate/measured-files.h"
#include "workload/generate/request-stream.h"

namespace ns3::nfsrdma
{

/**
 * \brief A FileWorkload of streams of requests, closed or open loop.
 *
 * Attributes, each of every stream: IoDepth, Requests (count), Runtime, RampTime, ThinkTime (Time),
 * Arrivals, ArrivalRate (per second), BurstSize (count), BurstSpacing (Time).
 */
class RequestWorkload : public FileWorkload
{
  public:
    static TypeId GetTypeId();
    RequestWorkload();
    ~RequestWorkload() override;

    [[nodiscard]] tl::expected<void, std::string> Validate() const override;

  protected:
    /// \return what the attributes say.
    [[nodiscard]] RequestStream::Settings GetStreamSettings() const;
    [[nodiscard]] Time GetRampTime() const;

  private:
    uint32_t m_depth{0};
    uint64_t m_requests{0};
    Time m_runtime;
    Time m_rampTime;
    Time m_thinkTime;
    ArrivalProcess::Kind m_arrivals{ArrivalProcess::CLOSED};
    double m_arrivalRate{0};
    uint32_t m_burstSize{0};
    Time m_burstSpacing;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_REQUESTS_H
