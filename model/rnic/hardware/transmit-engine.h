/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_TRANSMIT_ENGINE_H
#define NFSRDMA_RNIC_HARDWARE_TRANSMIT_ENGINE_H

#include "wire/planned-event.h"

#include "ns3/nstime.h"

#include <cstdint>
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

    /// Sends one segment, of which the engine begins to work at \p begins: now, or later where
    /// CanGoAhead(). \return nothing when there was nothing to send
    virtual std::optional<Service> Transmit(Time begins) = 0;

    /// \return whether the time at which the next segment leaves is known in advance: nothing but
    /// the engine keeps it back.
    [[nodiscard]] virtual bool CanGoAhead() const
    {
        return false;
    }

    /// The engine has served this client, which may ask again.
    virtual void Served() = 0;

    /// \return segments that it may send in one turn, at least 1.
    [[nodiscard]] virtual uint32_t GetWeight() const
    {
        return 1;
    }
};

/**
 * \brief The transmit engine of a device: one segment at a time, weighted round robin over the
 * clients that ask for service.
 *
 * One simulator event per segment while several clients ask. A client that asks alone, and that can
 * go ahead, is served with a burst of segments in one event, each at its own time; who asks while a
 * burst is under way waits until its end.
 */
class TransmitEngine
{
  public:
    /// \param burst how long a burst goes on before its last segment; outlives this
    explicit TransmitEngine(const Time& burst)
        : m_burst(burst)
    {
    }

    TransmitEngine(const TransmitEngine&) = delete;
    TransmitEngine& operator=(const TransmitEngine&) = delete;
    ~TransmitEngine();

    /// \return when the engine can serve next, now or later.
    [[nodiscard]] Time GetFree() const;
    /// Puts \p client, which is not waiting, at the end of the ring; it is served from an event.
    void Request(TransmitClient& client);
    /// As Request(), but serves at once when the engine is free. Only from an event of the client.
    void Serve(TransmitClient& client);

    /// \return whether it serves nobody now, and nobody waits.
    [[nodiscard]] bool IsIdle() const;
    /// Works for \p occupancy, from now on, on something that is in no client's turn; while idle.
    void Occupy(Time occupancy);
    /// As Request(), but before all that wait.
    void RequestFirst(TransmitClient& client);
    /// Takes \p client out of the ring.
    void Remove(TransmitClient& client);
    void Stop();

  private:
    void Run();
    /// Has the only client that waits, if it can, send ahead of time what follows the segment that
    /// leaves now, the first of a burst.
    void GoAhead();
    /// \p client sends a segment, and waits again if it has more. \return the service it had
    std::optional<TransmitClient::Service> Serve(TransmitClient& client, Time begins);
    void ScheduleRun();
    /// \p client has sent a segment, and waits again if it is last in the ring: goes on with its
    /// turn if that is not over.
    void GoOnWith(TransmitClient& client);

    const Time& m_burst;
    std::deque<TransmitClient*> m_ring;
    uint32_t m_sentInTurn{0}; ///< Segments of the client first in the ring.
    Time m_free;
    PlannedEvent m_event;
    bool m_running{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_TRANSMIT_ENGINE_H
