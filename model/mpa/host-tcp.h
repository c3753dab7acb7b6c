/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_HOST_TCP_H
#define NFSRDMA_MPA_HOST_TCP_H

#include "mpa/tcp-counters.h"
#include "toe/engine-counters.h"

#include "ns3/packet.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

namespace ns3::nfsrdma
{

/**
 * \brief ns-3's TCP of a host, which says what it throws away and counts loss, congestion and
 * waiting: ns3::TcpL4Protocol has neither trace source nor counters for that.
 *
 * Its sockets (StreamTcpSocket) count here, and so do the connections of the host's TcpEngine.
 * Sockets of ns-3's own classes, as an application's, do not.
 *
 * EthernetNetworkHelper puts it in place of ns-3's. A host without it works as well, and
 * counts nothing.
 */
class HostTcp : public TcpL4Protocol
{
  public:
    /// Why a segment has been thrown away.
    enum class Loss
    {
        CHECKSUM, ///< The checksum of TCP is wrong (RFC 9293 section 3.1).
        BUFFER,   ///< The packet buffer of the adapter is full.
        FPDU,     ///< Its sender is to repeat it, since it holds an FPDU that is not valid (RFC
                  ///< 5044 section 8).
    };

    typedef void (*LostTracedCallback)(Ptr<const Packet> segment, Loss loss);

    static TypeId GetTypeId();

    using TcpL4Protocol::Receive;
    RxStatus Receive(Ptr<Packet> segment,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> interface) override;
    RxStatus Receive(Ptr<Packet> segment,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> interface) override;

    /// \return what all connections have counted, those of the host's TcpEngine included.
    [[nodiscard]] TcpCounters GetCounters() const;

    /// Adds what \p engine counts by itself; null: nothing.
    void SetEngine(const TcpEngineCounters* engine)
    {
        m_engine = engine;
    }

    /// \return the counters, for a socket of this host to count in.
    [[nodiscard]] TcpCounters& Count()
    {
        return m_counters;
    }

    /// The octets that a sender holds have changed from \p before to \p now.
    void ChangeHeld(uint64_t before, uint64_t now)
    {
        m_counters.held += now - before;
        m_held = m_counters.held;
    }

    /// The octets that a receiver holds have changed from \p before to \p now.
    void ChangeWaiting(uint64_t before, uint64_t now)
    {
        m_counters.waiting += now - before;
        m_waiting = m_counters.waiting;
    }

    /// Tells of \p segment, which a socket has treated as lost.
    void NoteLost(Ptr<const Packet> segment, Loss loss) const
    {
        m_lost(segment, loss);
    }

  private:
    RxStatus CountArrival(const Ptr<Packet>& segment, bool hasOctets, bool marked, RxStatus status);

    TcpCounters m_counters;
    const TcpEngineCounters* m_engine{nullptr}; ///< Alive as long as this.
    TracedValue<uint64_t> m_held{0};
    TracedValue<uint64_t> m_waiting{0};
    TracedCallback<Ptr<const Packet>, Loss> m_lost;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_HOST_TCP_H
