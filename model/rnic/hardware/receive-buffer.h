/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_RECEIVE_BUFFER_H
#define NFSRDMA_RNIC_HARDWARE_RECEIVE_BUFFER_H

#include "host/occupancy-meter.h"
#include "wire/ring.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// Who takes FPDUs from TCP: the receiving side of a queue pair.
class ReceiveClient
{
  public:
    virtual ~ReceiveClient() = default;

    /// There may be room for this client, which had to wait for it.
    virtual void RoomMade() = 0;
};

/**
 * \brief The buffer between TCP and host memory: FPDUs that a device has taken from its connections
 * and that are not through the receive engine and the bus.
 *
 *     TCP -> [receive buffer: engine -> address translation -> bus] -> host memory
 *
 * All connections of the device share its octets (RnicSettings::rxBuffer). Since the end of every
 * FPDU is known as soon as it is taken, room comes back without an event; only when a client has
 * found no room is there one, at the time when half the buffer is free. Clients that wait share
 * what is free then, first come, first served, and nobody passes them by. What does not fit stays
 * in TCP's receive buffer, whose window closes.
 *
 * An FPDU that is larger than the whole buffer is taken when that is empty.
 */
class ReceiveBuffer
{
  public:
    /// \param capacity octets; outlives this
    explicit ReceiveBuffer(const uint32_t& capacity);
    ~ReceiveBuffer();
    ReceiveBuffer(const ReceiveBuffer&) = delete;
    ReceiveBuffer& operator=(const ReceiveBuffer&) = delete;

    /// \return octets that \p client may take now. When less than \p needed, it is told when there
    /// may be more.
    [[nodiscard]] uint32_t GetRoom(ReceiveClient& client, uint32_t needed);
    /// \return whether \p octets may be taken out of their order: there is room that nobody waits
    /// for.
    [[nodiscard]] bool HasSpareRoom(uint32_t octets);
    /// An FPDU of \p octets has been taken, and is in host memory, or done with, at \p until.
    void Take(uint32_t octets, Time until);
    /// \p client does not wait any more.
    void Remove(ReceiveClient& client);
    /// Nobody waits any more.
    void Stop();

    /// \return octets in the buffer: the most there have been, and the mean.
    [[nodiscard]] const OccupancyMeter& GetMeter();

    /// \return octets of all FPDUs taken so far.
    [[nodiscard]] uint64_t GetTaken() const
    {
        return m_taken;
    }

    /// \return octets of all FPDUs that have left so far.
    [[nodiscard]] uint64_t GetLeft();

    /// \return how often a client found no room and had to wait.
    [[nodiscard]] uint64_t GetStalls() const
    {
        return m_stalls;
    }

  private:
    struct Held
    {
        Time until;
        uint32_t octets{0};
    };

    void Release();
    void Wait(ReceiveClient& client, uint32_t needed);
    void Schedule();
    void Serve();

    const uint32_t& m_capacity;
    Ring<Held> m_held; ///< By time.
    Ring<ReceiveClient*> m_waiting;
    ReceiveClient* m_served{nullptr}; ///< Of those that waited.
    uint64_t m_servedUpTo{0};         ///< What GetTaken() may become meanwhile.
    bool m_servedAny{false};          ///< It has taken something.
    uint32_t m_needed{0};             ///< The most that one that waits asks for.
    bool m_serving{false};
    EventId m_event;
    OccupancyMeter m_meter;
    uint64_t m_taken{0};
    uint64_t m_left{0};
    uint64_t m_stalls{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_RECEIVE_BUFFER_H
