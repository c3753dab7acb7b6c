/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_HOST_TCP_H
#define NFSRDMA_MPA_HOST_TCP_H

#include "ns3/packet.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traced-callback.h"

namespace ns3::nfsrdma
{

/**
 * \brief ns-3's TCP of a host, which says what it throws away: ns3::TcpL4Protocol has no trace
 * source for that.
 *
 * InternetStackHelper::SetTcp() puts it in place of ns-3's. A host without it works as well, and
 * counts nothing.
 */
class HostTcp : public TcpL4Protocol
{
  public:
    /// Why a segment has been thrown away.
    enum class Loss
    {
        CHECKSUM, ///< The checksum of TCP is wrong (RFC 9293 section 3.1).
        FPDU,     ///< Its sender is to repeat it, since it holds an FPDU that is not valid (RFC
                  ///< 5044 section 8).
    };

    typedef void (*LostTracedCallback)(Ptr<const Packet> segment, Loss loss);

    static TypeId GetTypeId();

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    using TcpL4Protocol::Receive;
    RxStatus Receive(Ptr<Packet> segment,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> interface) override;

    /// Tells of \p segment, which a socket has treated as lost.
    void NoteLost(Ptr<const Packet> segment, Loss loss) const
    {
        m_lost(segment, loss);
    }

  private:
    TracedCallback<Ptr<const Packet>, Loss> m_lost;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_HOST_TCP_H
