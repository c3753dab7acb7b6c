/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/ethernet-network.h"

namespace ns3::nfsrdma
{

int64_t
EthernetNetwork::AssignStreams(int64_t stream) const
{
    int64_t used = 0;
    for (const auto& middlebox : middleboxes)
    {
        used += middlebox ? middlebox->AssignStreams(stream + used) : 0;
    }
    for (const auto& one : switches)
    {
        used += one->AssignStreams(stream + used);
    }
    return used;
}

void
EthernetNetwork::StartBonds() const
{
    for (const auto& bond : bonds)
    {
        if (bond)
        {
            bond->Start();
        }
    }
    for (const auto& one : switches)
    {
        one->StartLacp();
    }
}

void
EthernetNetwork::StopBonds() const
{
    for (const auto& bond : bonds)
    {
        if (bond)
        {
            bond->Stop();
        }
    }
    for (const auto& one : switches)
    {
        one->StopLacp();
    }
}

std::vector<Ptr<EthernetInterface>>
EthernetNetwork::GetInterfaces(std::size_t host) const
{
    if (bonds.at(host))
    {
        return {bonds[host]};
    }
    const auto& all = hostPorts.at(host);
    return {all.begin(), all.end()};
}

const std::vector<IpAddress>&
EthernetNetwork::GetAddressesOf(std::size_t host, std::size_t instance) const
{
    return instance == 0 ? hostAddresses.at(host) : furtherAddresses.at(host).at(instance - 1);
}

std::vector<IpAddress>
EthernetNetwork::GetAddressesFrom(std::size_t host,
                                  std::size_t instance,
                                  std::size_t first,
                                  std::size_t count) const
{
    const auto& all = GetAddressesOf(host, instance);
    std::vector<IpAddress> some;
    some.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        some.push_back(all[(first + i) % count]);
    }
    return some;
}

} // namespace ns3::nfsrdma
