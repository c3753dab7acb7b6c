/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_STAG_INDEX_PERMUTATION_H
#define NFSRDMA_RNIC_MEMORY_STAG_INDEX_PERMUTATION_H

#include <array>
#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief STag indices in an order that a peer cannot guess: a bijection of the positions of a
 * table, 0 to 2^24 - 2, onto the indices 1 to 2^24 - 1.
 *
 * A Feistel network of 24 bits under four round keys; the one position whose image would be 0 takes
 * that of the position left over.
 */
class StagIndexPermutation
{
  public:
    static constexpr std::size_t ROUNDS = 4;
    using Keys = std::array<uint32_t, ROUNDS>;

    explicit StagIndexPermutation(const Keys& keys);

    /// \param position 0 to 2^24 - 2
    [[nodiscard]] uint32_t GetIndex(uint32_t position) const;
    /// \param index 1 to 2^24 - 1
    [[nodiscard]] uint32_t GetPosition(uint32_t index) const;

  private:
    [[nodiscard]] uint32_t Permute(uint32_t value) const;
    [[nodiscard]] uint32_t Restore(uint32_t value) const;

    Keys m_keys;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_STAG_INDEX_PERMUTATION_H
