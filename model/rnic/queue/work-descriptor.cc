/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/work-descriptor.h"

namespace ns3::nfsrdma
{

PostedWork
DescribePost(const std::vector<SendWorkRequest>& chain, const std::vector<uint32_t>& lengths)
{
    PostedWork work;
    work.requests = chain.size();
    work.pushed = true;
    for (std::size_t i = 0; i < chain.size(); i++)
    {
        const bool isInline = chain[i].inlineData;
        work.descriptors += WorkDescriptor::BASE_SIZE;
        work.descriptors +=
            isInline ? lengths[i] : WorkDescriptor::ELEMENT_SIZE * chain[i].elements.size();
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
