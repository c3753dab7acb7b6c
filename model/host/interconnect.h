/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_INTERCONNECT_H
#define NFSRDMA_HOST_INTERCONNECT_H

#include "host/costs.h"
#include "host/memory-piece.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The links between the sockets of a host, as an adapter of the first socket uses them: to
 * memory of its own socket there are none.
 *
 * What goes to, or comes from, memory of another socket (HostCosts::memorySocket) takes
 * socketLatency longer, and crosses at socketRate, one thing after the other in each direction.
 */
class HostInterconnect
{
  public:
    enum class Direction
    {
        READ, ///< From memory to the adapter.
        WRITE
    };

    /// \param costs outlive this
    explicit HostInterconnect(const HostCosts& costs)
        : m_costs(costs)
    {
    }

    /// \p pieces are asked for, or arrive, at \p time. \return when the last of them is across
    Time Cross(Direction direction, const std::vector<MemoryPiece>& pieces, Time time);
    /// \return octets of \p pieces that are of another socket than the adapter.
    [[nodiscard]] uint64_t CountRemote(const std::vector<MemoryPiece>& pieces) const;
    /// \return how long they take to cross with nothing else to do.
    [[nodiscard]] Time GetCrossing(const std::vector<MemoryPiece>& pieces) const;

  private:
    const HostCosts& m_costs;
    std::array<Time, 2> m_free; ///< When each direction is.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_INTERCONNECT_H
