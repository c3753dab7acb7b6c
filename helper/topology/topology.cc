/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/topology/topology.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ns3::nfsrdma
{

void
LinkTraits::Override(const LinkTraits& stronger)
{
    rate = stronger.rate ? stronger.rate : rate;
    delay = stronger.delay ? stronger.delay : delay;
    queue = stronger.queue ? stronger.queue : queue;
    hostQueue = stronger.hostQueue ? stronger.hostQueue : hostQueue;
    mtu = stronger.mtu ? stronger.mtu : mtu;
}

bool
operator==(const LinkTraits& a, const LinkTraits& b)
{
    return std::tie(a.rate, a.delay, a.queue, a.hostQueue, a.mtu) ==
           std::tie(b.rate, b.delay, b.queue, b.hostQueue, b.mtu);
}

Topology::Topology(std::vector<std::string> hosts)
    : m_hosts(static_cast<uint32_t>(hosts.size())),
      m_names(std::move(hosts)),
      m_linksOf(m_names.size())
{
}

uint32_t
Topology::AddSwitch(const std::string& name)
{
    m_names.push_back(name);
    m_linksOf.emplace_back();
    return GetNodeCount() - 1;
}

uint32_t
Topology::AddLink(uint32_t one, uint32_t other, const LinkTraits& traits)
{
    const auto number = static_cast<uint32_t>(m_links.size());
    m_links.push_back({one, other, traits});
    m_linksOf.at(one).push_back(number);
    m_linksOf.at(other).push_back(number);
    return number;
}

uint32_t
Topology::GetHostCount() const
{
    return m_hosts;
}

uint32_t
Topology::GetSwitchCount() const
{
    return GetNodeCount() - m_hosts;
}

uint32_t
Topology::GetNodeCount() const
{
    return static_cast<uint32_t>(m_names.size());
}

bool
Topology::IsSwitch(uint32_t node) const
{
    return node >= m_hosts;
}

const std::string&
Topology::GetName(uint32_t node) const
{
    return m_names.at(node);
}

std::optional<uint32_t>
Topology::Find(const std::string& name) const
{
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    if (found == m_names.end())
    {
        return std::nullopt;
    }
    return static_cast<uint32_t>(found - m_names.begin());
}

const std::vector<TopologyLink>&
Topology::GetLinks() const
{
    return m_links;
}

const std::vector<uint32_t>&
Topology::GetLinksOf(uint32_t node) const
{
    return m_linksOf.at(node);
}

bool
Topology::HasBonds() const
{
    return std::any_of(m_linksOf.begin(), m_linksOf.begin() + m_hosts, [](const auto& links) {
        return links.size() > 1;
    });
}

bool
Topology::HasLoop() const
{
    std::vector<uint32_t> root(m_names.size());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&root](uint32_t node) {
        while (root[node] != node)
        {
            root[node] = root[root[node]];
            node = root[node];
        }
        return node;
    };
    for (const auto& link : m_links)
    {
        if (!IsSwitch(link.one))
        {
            continue;
        }
        const uint32_t one = find(link.one);
        const uint32_t other = find(link.other);
        if (one == other)
        {
            return true;
        }
        root[one] = other;
    }
    return false;
}

std::string
Topology::Check() const
{
    for (uint32_t host = 0; host < m_hosts; ++host)
    {
        if (m_linksOf[host].empty())
        {
            return m_names[host] + " has no link";
        }
    }
    std::vector<bool> reached(m_names.size(), false);
    std::vector<uint32_t> open;
    if (m_hosts > 0)
    {
        open.push_back(0);
        reached[0] = true;
    }
    while (!open.empty())
    {
        const uint32_t node = open.back();
        open.pop_back();
        for (const uint32_t link : m_linksOf[node])
        {
            const uint32_t peer = m_links[link].GetPeer(node);
            if (!reached[peer])
            {
                reached[peer] = true;
                open.push_back(peer);
            }
        }
    }
    for (uint32_t host = 0; host < m_hosts; ++host)
    {
        if (!reached[host])
        {
            return m_names[host] + " cannot be reached from " + m_names[0];
        }
    }
    if (HasBonds() && HasLoop())
    {
        return "a host has several links, and switches a loop";
    }
    return {};
}

} // namespace ns3::nfsrdma
