/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/read-response-queue.h"

#include <utility>

namespace ns3::nfsrdma
{

ReadResponseQueue::ReadResponseQueue(uint32_t ird)
    : m_ird(ird)
{
}

void
ReadResponseQueue::Push(const RdmaReadRequest& request, PayloadSource source)
{
    m_responses.push_back({request, std::move(source), std::nullopt});
}

} // namespace ns3::nfsrdma
