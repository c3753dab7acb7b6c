/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_REQUESTS_H
#define NFSRDMA_WORKLOAD_GENERATE_REQUESTS_H

#include "workload/generate/measured-files.h"
#include "workload/generate/request-stream.h"

#include <memory>

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

    [[nodiscard]] tl::expected<void, std::string> Validate() const override;

  protected:
    void DoDispose() override;

    /// \return nothing when requests can arrive as the attributes say, else what is expected.
    [[nodiscard]] tl::expected<void, std::string> CheckArrivals() const;
    /// \return the stream of a workload that has one; made when it is first asked for.
    [[nodiscard]] RequestStream& GetStream();
    /// A request of that stream is over.
    void EndRequest();
    /// \return what the attributes say.
    [[nodiscard]] RequestStream::Settings GetStreamSettings() const;

    [[nodiscard]] Time GetRampTime() const
    {
        return m_rampTime;
    }

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
    std::unique_ptr<RequestStream> m_stream;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_REQUESTS_H
