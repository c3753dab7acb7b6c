/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_FPDU_RECEIVER_H
#define NFSRDMA_MPA_FPDU_RECEIVER_H

#include "mpa/fpdu.h"

#include "ns3/packet.h"

namespace ns3::nfsrdma
{

/**
 * \brief Finds FPDUs in octets that arrive in order, however they were cut into segments.
 *
 * Octets are copied once, from the packet into a buffer where FPDUs are then read in place; only
 * the beginning of an incomplete FPDU moves again.
 */
class FpduReceiver
{
  public:
    /// Adds all octets of \p packet behind what is there.
    void Append(const Packet& packet);
    /// \return all octets not yet taken.
    [[nodiscard]] ByteSpan Rest() const;
    /// Takes \p octets from the front.
    void Skip(std::size_t octets);
    /// Takes the FPDU at the front; \return its octets, which stay valid until Append(), or an
    /// empty span while it is incomplete.
    [[nodiscard]] ByteSpan TakeFpdu();

  private:
    ByteVector m_buffer;
    std::size_t m_begin{0};
    std::size_t m_end{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_FPDU_RECEIVER_H
