/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WORKLOAD_GENERATE_REQUEST_STREAM_H
#define NFSRDMA_WORKLOAD_GENERATE_REQUEST_STREAM_H

#include "host/cpu.h"
#include "wire/ring.h"
#include "workload/generate/arrival-process.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief When the requests of one job are started.
 *
 * Closed loop: depth places, each with a request outstanding or in its think time. Open loop:
 * requests arrive at times of their own; depth of them are outstanding at most, later ones wait in
 * the order of arrival. Either way a request is not started before the rate limits allow it: after
 * n requests of b octets not before begin + max(n / rateRequests, b / rateOctets).
 */
class RequestStream
{
  public:
    struct Settings
    {
        ArrivalProcess::Settings arrivals;
        uint32_t depth{1};
        Time thinkTime; ///< Closed loop.
        /// Closed loop; draws each think time in place of that. Null: none is drawn.
        std::function<Time()> drawThinkTime{};
        /// Told when a request that has waited for a place is about to start, and with nothing when
        /// it has been started. Null: nobody is.
        std::function<void(std::optional<Time> arrived)> setArrival{};
        /// Told before a request is started which thread submits it, and with null when it has been
        /// started. Null: nobody is.
        std::function<void(Ptr<HostThread> thread)> setSubmitter{};
        uint64_t requests{0}; ///< In all; 0: no limit.
        uint64_t octets{0};   ///< None is started when so many were; 0: no limit.
        Time runtime; ///< None is started, or arrives, so long after the begin; 0: no limit.
        double rateRequests{0}; ///< Per second; 0: no limit.
        double rateOctets{0};   ///< Per second; 0: no limit.
    };

    /// Starts a request that arrived then; End() is to be called once for it, later, not from
    /// within. \return its octets.
    using Starter = std::function<uint64_t(Time arrived)>;

    explicit RequestStream(const Settings& settings);

    /// Takes one stream number. \return 1.
    int64_t AssignStreams(int64_t stream)
    {
        return m_arrivals.AssignStreams(stream);
    }

    /// \param finished called once, when nothing more is to be started or outstanding
    void Start(Starter starter, std::function<void()> finished);
    /// A request has completed.
    void End();
    /// Nothing more arrives, and no place is used again; what has arrived is started.
    void Drain();

    [[nodiscard]] uint64_t GetStarted() const
    {
        return m_started;
    }

    [[nodiscard]] uint32_t GetOutstanding() const
    {
        return m_outstanding;
    }

    /// \return requests that have arrived and wait for a place.
    [[nodiscard]] std::size_t GetQueued() const
    {
        return m_queue.size();
    }

  private:
    [[nodiscard]] bool HasMore() const;

    [[nodiscard]] bool IsOver(Time time) const
    {
        return m_settings.runtime.IsStrictlyPositive() && time >= m_begin + m_settings.runtime;
    }

    void ScheduleArrival();
    void Arrive();
    /// Uses free places for what waits.
    void Serve();
    /// A place of the closed loop is free.
    void UsePlace();
    void StartOne(Time arrived);
    /// \return the time until the rate limits allow another request.
    [[nodiscard]] Time GetRateDelay() const;
    void After(Time delay, void (RequestStream::*method)());
    void CheckFinished();

    Settings m_settings;
    Ptr<HostThread> m_thread{Create<HostThread>()}; ///< Of the application.
    ArrivalProcess m_arrivals;
    Starter m_starter;
    std::function<void()> m_finished;
    Time m_begin;
    uint64_t m_started{0};
    uint64_t m_octets{0};
    uint64_t m_arrived{0};
    uint32_t m_outstanding{0};
    uint32_t m_thinking{0}; ///< Places in their think time or held by a rate limit.
    bool m_arriving{false};
    bool m_draining{false};
    bool m_serving{false}; ///< Serve() is due by itself.
    Ring<Time> m_queue;
    std::shared_ptr<RequestStream*> m_alive; ///< Gone with this object: events have no effect.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WORKLOAD_GENERATE_REQUEST_STREAM_H
