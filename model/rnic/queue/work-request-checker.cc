/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/work-request-checker.h"

#include "host/memory.h"
#include "rdmap/atomic-message.h"
#include "rnic/queue/element-memory.h"

#include <algorithm>

namespace ns3::nfsrdma
{

WorkRequestChecker::WorkRequestChecker(const RnicSettings& settings, const HostMemory& memory)
    : m_settings(settings),
      m_memory(memory)
{
}

tl::expected<uint32_t, VerbsError>
WorkRequestChecker::CheckElements(const ScatterGatherList& elements, uint32_t maxElements) const
{
    if (elements.size() > maxElements)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    const uint64_t length = ElementMemory::GetLength(elements);
    if (length > m_settings.maxMessage)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    return static_cast<uint32_t>(length);
}

tl::expected<uint32_t, VerbsError>
WorkRequestChecker::Check(const SendWorkRequest& request,
                          uint32_t maxElements,
                          uint32_t maxInline) const
{
    if (request.inlineData && !IsInlinable(request, maxInline))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    switch (request.opcode)
    {
    case WorkRequestOpcode::REGISTER_MR:
        if (!IsRegistrable(request))
        {
            return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
        }
        return 0;
    case WorkRequestOpcode::LOCAL_INVALIDATE:
        return 0;
    case WorkRequestOpcode::BIND_WINDOW:
        if (!IsBindable(request))
        {
            return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
        }
        return 0;
    case WorkRequestOpcode::RDMA_READ:
        if (request.elements.size() != 1 ||
            (request.invalidatesSink &&
             request.elements[0].lkey == ScatterGatherElement::LOCAL_DMA_LKEY))
        {
            return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
        }
        break;
    case WorkRequestOpcode::ATOMIC_FETCH_AND_ADD:
    case WorkRequestOpcode::ATOMIC_CMP_AND_SWP:
        if (!m_settings.rdmapExtensions || request.elements.size() != 1 ||
            request.elements[0].length != AtomicRequest::OPERAND_SIZE)
        {
            return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
        }
        break;
    case WorkRequestOpcode::RDMA_WRITE_WITH_IMM:
        if (!m_settings.rdmapExtensions)
        {
            return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
        }
        break;
    case WorkRequestOpcode::SEND_WITH_INVALIDATE:
        if (!m_settings.sendWithInvalidate)
        {
            return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
        }
        break;
    case WorkRequestOpcode::SEND:
    case WorkRequestOpcode::RDMA_WRITE:
        break;
    }
    return CheckElements(request.elements, maxElements);
}

bool
WorkRequestChecker::IsInlinable(const SendWorkRequest& request, uint32_t maxInline) const
{
    const bool carriesOctets = request.opcode == WorkRequestOpcode::SEND ||
                               request.opcode == WorkRequestOpcode::SEND_WITH_INVALIDATE ||
                               request.opcode == WorkRequestOpcode::RDMA_WRITE ||
                               request.opcode == WorkRequestOpcode::RDMA_WRITE_WITH_IMM;
    return carriesOctets && ElementMemory::GetLength(request.elements) <= maxInline &&
           std::all_of(request.elements.begin(),
                       request.elements.end(),
                       [this](const ScatterGatherElement& element) {
                           return element.length == 0 ||
                                  m_memory.Contains(element.address, element.length);
                       });
}

uint64_t
WorkRequestChecker::CountPinned(const SendWorkRequest& request)
{
    return request.opcode == WorkRequestOpcode::REGISTER_MR ? request.registration.CountPages() : 0;
}

bool
WorkRequestChecker::IsRegistrable(const SendWorkRequest& request) const
{
    const MemoryRegistration& registration = request.registration;
    return request.region && request.region->GetIndex() != 0 && !request.region->IsRegular() &&
           registration.HasLegalAccess() &&
           registration.CountPages() <= request.region->GetMaxPages() &&
           registration.IsBacked(m_memory);
}

bool
WorkRequestChecker::IsBindable(const SendWorkRequest& request)
{
    const WindowBinding& binding = request.binding;
    return request.window && request.window->GetIndex() != 0 && binding.region &&
           binding.region->GetIndex() != 0 && binding.HasLegalAccess();
}

} // namespace ns3::nfsrdma
