/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_PORT_CALENDAR_H
#define NFSRDMA_LINK_PORT_CALENDAR_H

#include "link/serializer-clock.h"
#include "wire/ring.h"

#include "ns3/nstime.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief When the frames given to a port leave it: a drop-tail queue before a serializer, computed
 * when a frame is given instead of played with events.
 *
 * Frames are given in the order in which they arrive at the queue; each starts when it has arrived
 * and the one before it, with its gap, is out. Those that arrive when the port is busy take room in
 * the queue until they start.
 */
class PortCalendar
{
  public:
    /// What a frame got.
    struct Slot
    {
        Time starts;    ///< Its first octet leaves.
        Time lastOctet; ///< From then until its last octet has left.
        Time busy;      ///< From then until the next frame can start.
        bool waits;     ///< In the queue, from its arrival until it starts.
    };

    /// \param bitsPerSecond above zero; for frames that are given from now on
    void SetRate(uint64_t bitsPerSecond)
    {
        m_clock.SetRate(bitsPerSecond);
    }

    /// Frames (without preamble, FCS and gap) that may wait, or their octets.
    void SetQueueSize(QueueSize size)
    {
        m_size = size;
    }

    [[nodiscard]] QueueSize GetQueueSize() const
    {
        return m_size;
    }

    /**
     * \brief Gives a frame to the port.
     * \param arrives not before any that was asked for earlier
     * \param octets what it takes of the queue
     * \param wireOctets what it takes on the wire, preamble to FCS
     * \param gap octets before the next frame
     * \return null when the queue is full
     */
    [[nodiscard]] std::optional<Slot> Reserve(Time arrives,
                                              uint32_t octets,
                                              uint32_t wireOctets,
                                              uint32_t gap);
    /// As Reserve() of what has passed the queue's bound before.
    [[nodiscard]] Slot ReserveAgain(Time arrives,
                                    uint32_t octets,
                                    uint32_t wireOctets,
                                    uint32_t gap);
    /// Forgets all slots: the next frame can start at \p idleFrom.
    void Restart(Time idleFrom);
    /// \return octets in the queue at \p at, which is not before any that was asked for earlier.
    [[nodiscard]] uint64_t GetWaiting(Time at);
    /// Takes back all slots that start after \p from: the port stops then.
    void Cut(Time from);

    /// \return when the next frame can start, or could have started, if it arrives in time.
    [[nodiscard]] Time GetIdleFrom() const
    {
        return m_idleFrom;
    }

  private:
    struct Waiting
    {
        Time starts;
        uint32_t octets;
    };

    QueueSize m_size{"100p"};
    SerializerClock m_clock;
    Time m_idleFrom;
    Ring<Waiting> m_waiting; ///< Those that have not started at the latest time asked for.
    uint64_t m_octets{0};    ///< Of them.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_PORT_CALENDAR_H
