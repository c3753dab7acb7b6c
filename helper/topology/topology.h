/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_H
#define NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What is said of a link; what is not said is as elsewhere in the network.
struct LinkTraits
{
    std::optional<uint64_t> rate;      ///< bit/s, each direction.
    std::optional<int64_t> delay;      ///< ns from end to end.
    std::optional<uint32_t> queue;     ///< Octets that wait at most at a port of a switch.
    std::optional<uint32_t> hostQueue; ///< Octets that wait at most at a host.
    std::optional<uint16_t> mtu;       ///< Octets of the largest IP packet, at both ends.

    /// Takes what \p stronger says over.
    void Override(const LinkTraits& stronger);
};

bool operator==(const LinkTraits& a, const LinkTraits& b);

/// A cable between two nodes.
struct TopologyLink
{
    uint32_t one{0};   ///< A node; the host, where there is one.
    uint32_t other{0}; ///< A node, always a switch.
    LinkTraits traits;

    /// \return the node that \p node is connected to by this link.
    [[nodiscard]] uint32_t GetPeer(uint32_t node) const
    {
        return node == one ? other : one;
    }
};

/**
 * \brief Who is connected to whom: hosts, switches and the links between them, a graph.
 *
 * Nodes are numbered: hosts from 0 on, in the order of the cluster (servers first), then switches.
 * Links are numbered in order of their addition. A host has one link, to a switch, or several,
 * which its bond makes one; then switches must be connected as a tree. Else two switches may have
 * several links.
 */
class Topology
{
  public:
    /// \param hosts their names, by number.
    explicit Topology(std::vector<std::string> hosts);

    /// \return the number of a new switch.
    uint32_t AddSwitch(const std::string& name);
    /// Connects a host or a switch \p one to a switch \p other. \return the number of the link.
    uint32_t AddLink(uint32_t one, uint32_t other, const LinkTraits& traits = {});

    [[nodiscard]] uint32_t GetHostCount() const;
    [[nodiscard]] uint32_t GetSwitchCount() const;
    [[nodiscard]] uint32_t GetNodeCount() const;
    [[nodiscard]] bool IsSwitch(uint32_t node) const;
    [[nodiscard]] const std::string& GetName(uint32_t node) const;
    /// \return the node of this name.
    [[nodiscard]] std::optional<uint32_t> Find(const std::string& name) const;
    [[nodiscard]] const std::vector<TopologyLink>& GetLinks() const;
    /// \return the numbers of the links of \p node, ascending.
    [[nodiscard]] const std::vector<uint32_t>& GetLinksOf(uint32_t node) const;
    /// \return whether a host has several links.
    [[nodiscard]] bool HasBonds() const;
    /// \return whether there is more than one way between two switches.
    [[nodiscard]] bool HasLoop() const;
    /// \return what is wrong with a network whose hosts have bonds of their links, or empty: a host
    /// without a link, one that cannot reach another, a loop of switches where a host has several
    /// links.
    [[nodiscard]] std::string Check() const;

  private:
    uint32_t m_hosts;
    std::vector<std::string> m_names;
    std::vector<TopologyLink> m_links;
    std::vector<std::vector<uint32_t>> m_linksOf;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_H
