/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_WORK_DESCRIPTOR_H
#define NFSRDMA_RNIC_QUEUE_WORK_DESCRIPTOR_H

#include "rnic/hardware/stage-times.h"
#include "rnic/queue/work-request.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// Octets of a work request in a queue in host memory: a cache line, then its elements, or its
/// inline data.
struct WorkDescriptor
{
    static constexpr uint32_t BASE_SIZE = 64;
    static constexpr uint32_t ELEMENT_SIZE = 16;
};

/// \return octets that work requests of \p chain take, from \p first on, as many as one read of
/// the device brings: \p batch, 0 for all. They have \p lengths octets of elements.
uint64_t GetDescriptorOctets(const std::vector<SendWorkRequest>& chain,
                             const std::vector<uint32_t>& lengths,
                             std::size_t first,
                             uint32_t batch);

/// \return what the device is to learn of \p chain, whose work requests have \p lengths octets of
/// elements; of descriptors, those of the first \p batch of them. A chain of inline data only is
/// pushed; any other is fetched.
PostedWork DescribePost(const std::vector<SendWorkRequest>& chain,
                        const std::vector<uint32_t>& lengths,
                        uint32_t batch);
PostedWork DescribePost(const ReceiveWorkRequest& request);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_WORK_DESCRIPTOR_H
