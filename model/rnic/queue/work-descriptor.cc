/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/work-descriptor.h"

#include <algorithm>

namespace ns3::nfsrdma
{

uint64_t
GetDescriptorOctets(const std::vector<SendWorkRequest>& chain,
                    const std::vector<uint32_t>& lengths,
                    std::size_t first,
                    uint32_t batch)
{
    const std::size_t end = batch == 0 ? chain.size() : std::min(chain.size(), first + batch);
    uint64_t octets = 0;
    for (std::size_t i = first; i < end; i++)
    {
        octets += WorkDescriptor::BASE_SIZE;
        octets += chain[i].inlineData ? lengths[i]
                                      : WorkDescriptor::ELEMENT_SIZE * chain[i].elements.size();
    }
    return octets;
}

PostedWork
DescribePost(const std::vector<SendWorkRequest>& chain,
             const std::vector<uint32_t>& lengths,
             uint32_t batch)
{
    PostedWork work;
    work.requests = chain.size();
    work.descriptors = GetDescriptorOctets(chain, lengths, 0, batch);
    work.pushed = true;
    for (std::size_t i = 0; i < chain.size(); i++)
    {
        const bool isInline = chain[i].inlineData;
        work.inlineData += isInline ? lengths[i] : 0;
        work.pushed = work.pushed && isInline;
    }
    return work;
}

PostedWork
DescribePost(const ReceiveWorkRequest& request)
{
    PostedWork work;
    work.requests = 1;
    work.descriptors =
        WorkDescriptor::BASE_SIZE + WorkDescriptor::ELEMENT_SIZE * request.elements.size();
    return work;
}

} // namespace ns3::nfsrdma
