/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TLS_RANDOM_OCTETS_H
#define NFSRDMA_TLS_RANDOM_OCTETS_H

#include "wire/bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief A stream of octets that follows from its name alone: block n is SHA-512 over a label, the
 * name and n.
 *
 * It stands for what a host would draw at random: two streams of different names have nothing in
 * common, and who draws from one changes nothing for the other.
 */
class RandomOctets
{
  public:
    /// \param name any octets
    explicit RandomOctets(std::string name);

    /// Fills \p octets with the next ones.
    void Draw(MutableByteSpan octets);

    /// \return the next \p count.
    [[nodiscard]] ByteVector Draw(std::size_t count);

  private:
    static constexpr std::size_t BLOCK_SIZE = 64;

    void MakeBlock();

    std::string m_name;
    uint64_t m_blocks{0}; ///< Made so far.
    std::array<uint8_t, BLOCK_SIZE> m_block{};
    std::size_t m_used{BLOCK_SIZE}; ///< Octets of m_block.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TLS_RANDOM_OCTETS_H
