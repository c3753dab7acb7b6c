/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_ELEMENT_MEMORY_H
#define NFSRDMA_RNIC_QUEUE_ELEMENT_MEMORY_H

#include "host/memory-piece.h"
#include "host/memory.h"
#include "rnic/memory/stag-table.h"
#include "rnic/queue/work-request.h"

#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Host memory as the scatter/gather elements of work requests see it: every access goes
 * through the check of the element's lkey.
 */
class ElementMemory
{
  public:
    using Elements = ScatterGatherList;

    ElementMemory(HostMemory& memory, const StagTable& table, const ProtectionDomain& domain);

    /// \return octets of all elements, which may pass 32 bits.
    [[nodiscard]] static uint64_t GetLength(const Elements& elements);

    /// The fault of the first element that does not give access; BOUNDS for memory that is not
    /// allocated.
    using Outcome = tl::expected<void, StagFault>;

    /// \return whether every element may be used with \p access rights. Elements of length zero
    /// are not checked.
    [[nodiscard]] Outcome Check(const Elements& elements, uint32_t access) const;
    /// Fills \p out from \p offset on of the elements.
    [[nodiscard]] Outcome Gather(const Elements& elements,
                                 uint64_t offset,
                                 MutableByteSpan out) const;
    /// Sets \p pieces to where \p length octets from \p offset on of the elements are to be
    /// written, or, with an \p access of 0, read.
    [[nodiscard]] Outcome Locate(const Elements& elements,
                                 uint64_t offset,
                                 uint64_t length,
                                 std::vector<MemoryPiece>& pieces,
                                 uint32_t access = ACCESS_LOCAL_WRITE) const;

  private:
    /// Calls \p function(host address, octets) for each piece of \p length octets from octet \p
    /// offset of \p element that lies together, as long as it returns true.
    template <typename Function>
    Outcome ForEachPiece(const ScatterGatherElement& element,
                         uint64_t offset,
                         uint64_t length,
                         uint32_t access,
                         Function function) const;
    template <typename Function>
    Outcome ForEachPiece(const Elements& elements,
                         uint64_t offset,
                         uint64_t length,
                         uint32_t access,
                         Function function) const;

    HostMemory& m_memory;
    const StagTable& m_table;
    const ProtectionDomain& m_domain;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_ELEMENT_MEMORY_H
