/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_TRANSMIT_ENGINE_H
#define NFSRDMA_RNIC_HARDWARE_TRANSMIT_ENGINE_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <deque>
#include <optional>

namespace ns3::nfsrdma
{

/// Who asks the transmit engine for service: the sending side of a queue pair.
class TransmitClient
{
  public:
    virtual ~TransmitClient() = default;

    /// What one service of the engine was.
    struct Service
    {
        Time occupancy;    ///< Of the engine.
        bool again{false}; ///< Nothing was sent yet: it is this client's turn again after that.
    };

    /// Sends one segment. \return nothing when there was nothing to send
    virtual std::optional<Service> Transmit() = 0;
    /// The engine has served this client, which may ask again.
    virtual void Served() = 0;
};

/**
 * \brief The transmit engine of a device: one segment at a time, round robin over the clients that
 * ask for service. One simulator event per segment.
 */
class TransmitEngine
{
  public:
    TransmitEngine() = default;
    TransmitEngine(const TransmitEngine&) = delete;
    TransmitEngine& operator=(const TransmitEngine&) = delete;
    ~TransmitEngine();

    /// \return when the engine can serve next, now or later.
    [[nodiscard]] Time GetFree() const;
    /// Puts \p client, which is not waiting, at the end of the ring; it is served from an event.
    void Request(TransmitClient& client);
    /// As Request(), but serves at once when the engine is free. Only from an event of the client.
    void Serve(TransmitClient& client);
    /// Takes \p client out of the ring.
    void Remove(TransmitClient& client);
    void Stop();

  private:
    void Run();
    void ScheduleRun();

    std::deque<TransmitClient*> m_ring;
    Time m_free;
    EventId m_event;
    bool m_running{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_TRANSMIT_ENGINE_H
