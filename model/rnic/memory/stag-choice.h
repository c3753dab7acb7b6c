/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_STAG_CHOICE_H
#define NFSRDMA_RNIC_MEMORY_STAG_CHOICE_H

#include "rnic/hardware/profile.h"
#include "rnic/memory/stag-table.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief How the STags of a device are chosen, index and key, as RnicDefences says.
 */
class StagChoice
{
  public:
    /// \param defences outlives this, as \p table
    StagChoice(const RnicDefences& defences, StagTable& table);

    /// Puts the indices of the table in their order, when it is to be a random one. Before memory
    /// is registered.
    void OrderIndices();
    /// Has what is random come from \p stream; before memory is registered.
    void AssignStream(int64_t stream);
    /// \return the key of a region's next STag.
    [[nodiscard]] uint8_t ChooseKey(uint8_t previous);

  private:
    [[nodiscard]] UniformRandomVariable& GetRandom();

    const RnicDefences& m_defences;
    StagTable& m_table;
    Ptr<UniformRandomVariable> m_random; ///< Null until used.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_STAG_CHOICE_H
