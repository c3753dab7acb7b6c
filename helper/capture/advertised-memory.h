/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_ADVERTISED_MEMORY_H
#define NFSRDMA_HELPER_CAPTURE_ADVERTISED_MEMORY_H

#include "ddp/ddp-header.h"

#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief The memory of a side, as far as a capture shows it.
 *
 * An STag is valid from when the side has named it to its peer: its four octets stand in private
 * data or in a Send (a chunk of RPC-over-RDMA, the message of a verbs program), there or on another
 * connection of the same two hosts (perftest has one for that). Lengths and rights
 * are not known: they always suffice. Invalidation by the peer ends an STag until it is named
 * again.
 */
class AdvertisedMemory
{
  public:
    /// The side says \p octets to its peer.
    void Advertise(ByteSpan octets);
    /// The side's host says \p octets on another connection; they outlive this object.
    void AdvertiseElsewhere(ByteSpan octets);
    [[nodiscard]] bool IsValid(Stag stag) const;
    void Invalidate(Stag stag);

  private:
    ByteVector m_said;
    std::vector<ByteSpan> m_elsewhere;
    std::map<Stag, std::size_t> m_invalidated; ///< How much had been said then.
    mutable std::map<Stag, bool> m_found;      ///< Since the last Advertise() or Invalidate().
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_ADVERTISED_MEMORY_H
