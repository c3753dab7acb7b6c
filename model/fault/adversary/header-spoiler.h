/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_HEADER_SPOILER_H
#define NFSRDMA_FAULT_ADVERSARY_HEADER_SPOILER_H

#include "wire/bytes.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Makes a good message of RPC-over-RDMA version 1 a bad one, in a way drawn at random: bits
 * flipped; cut short; another version; an rdma_proc that is unknown, obsolete or RDMA_ERROR; a
 * segment count beyond the end; a Read list without an end; a Position that is no multiple of 4 or
 * beyond the stream; discriminators other than 0 and 1.
 */
class HeaderSpoiler
{
  public:
    static constexpr uint32_t WAYS = 8;

    /// \param draw gives a number below its argument
    using Draw = std::function<uint32_t(uint32_t bound)>;
    explicit HeaderSpoiler(Draw draw);

    /// \param message has a transport header of \p headerLength octets, 28 or more
    /// \return what was done: "malformed: cut short"
    std::string Spoil(ByteVector& message, uint32_t headerLength) const
    {
        return SpoilBy(m_draw(WAYS), message, headerLength);
    }

    /// As Spoil(), in a way below WAYS.
    std::string SpoilBy(uint32_t way, ByteVector& message, uint32_t headerLength) const;

  private:
    void Flip(ByteVector& message, uint32_t headerLength) const;
    /// \return a word of any kind.
    [[nodiscard]] uint32_t DrawWord() const;

    Draw m_draw;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_HEADER_SPOILER_H
