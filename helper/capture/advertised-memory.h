/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_ADVERTISED_MEMORY_H
#define NFSRDMA_HELPER_CAPTURE_ADVERTISED_MEMORY_H

#include "ddp/segment-header.h"

#include <array>
#include <functional>
#include <map>
#include <vector>

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
    using Elsewhere = std::function<bool(Stag)>;

    /// The side says \p octets to its peer; they outlive this object.
    void Advertise(ByteSpan octets);
    /// \param elsewhere whether the side's host names an STag on another connection
    void SetElsewhere(Elsewhere elsewhere);
    [[nodiscard]] bool IsValid(Stag stag) const;
    void Invalidate(Stag stag);

  private:
    static constexpr std::size_t OVERLAP = sizeof(Stag) - 1;

    /// What was said at once, and what lies across its start and that of what was said before.
    struct Said
    {
        ByteSpan octets;
        std::array<uint8_t, 2 * OVERLAP> seam{};
        std::size_t seamOctets{0};
    };

    /// \return whether the name was said, the first \p ignored times left out; the latest is looked
    /// at first.
    [[nodiscard]] bool WasSaid(ByteSpan name, std::size_t ignored) const;

    std::vector<Said> m_said;
    std::array<uint8_t, OVERLAP> m_tail{}; ///< The last octets said.
    std::size_t m_tailOctets{0};
    Elsewhere m_elsewhere{[](Stag) { return false; }};
    std::map<Stag, std::size_t> m_invalidated; ///< How often something had been said then.
    mutable std::map<Stag, bool> m_found;      ///< Since the last Advertise() or Invalidate().
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_ADVERTISED_MEMORY_H
