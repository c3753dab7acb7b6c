/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_FORWARDING_TABLE_H
#define NFSRDMA_LINK_FORWARDING_TABLE_H

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Where a switch that does not learn sends frames: by destination a group of ports, each as
 * good as the others, of which the flow's hash chooses one (ECMP, RFC 2992), or frames take one
 * after the other; broadcasts go to the ports of a tree.
 *
 * A group may have a port several times, which then gets that much more. Destinations with the same
 * ports share a group.
 */
class ForwardingTable
{
  public:
    static constexpr uint32_t NO_PORT = 0xffffffff;

    /// \param ports not empty. \return its number
    uint32_t AddGroup(std::vector<uint32_t> ports);

    /// Frames to \p address, a MAC address as number, go to \p group.
    void AddDestination(uint64_t address, uint32_t group)
    {
        m_destinations[address] = group;
    }

    /// An ARP request for \p ipv4 is for \p address alone, and not flooded.
    void AddNeighbour(uint32_t ipv4, uint64_t address)
    {
        m_neighbours[ipv4] = address;
    }

    /// Broadcasts, and frames to destinations that the table does not have, go to \p port.
    void AddFloodPort(uint32_t port)
    {
        m_flood.push_back(port);
    }

    /// \param hash of the flow, evenly distributed over 32 bits
    /// \return the port to \p address, or NO_PORT when the table does not have it
    [[nodiscard]] uint32_t Choose(uint64_t address, uint32_t hash) const;
    /// \return the port to \p address that follows the latest one of its group, or NO_PORT when the
    /// table does not have it
    [[nodiscard]] uint32_t TakeTurn(uint64_t address);
    /// \return the MAC address that has \p ipv4, or 0.
    [[nodiscard]] uint64_t FindNeighbour(uint32_t ipv4) const;

    [[nodiscard]] const std::vector<uint32_t>& GetFloodPorts() const
    {
        return m_flood;
    }

    [[nodiscard]] std::size_t GetGroupCount() const
    {
        return m_groups.size();
    }

  private:
    std::vector<std::vector<uint32_t>> m_groups;
    std::vector<std::size_t> m_turns;                      ///< Of each group: which port is next.
    std::unordered_map<uint64_t, uint32_t> m_destinations; ///< Never iterated.
    std::map<uint32_t, uint64_t> m_neighbours;
    std::vector<uint32_t> m_flood;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_FORWARDING_TABLE_H
