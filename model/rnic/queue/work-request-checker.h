/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_WORK_REQUEST_CHECKER_H
#define NFSRDMA_RNIC_QUEUE_WORK_REQUEST_CHECKER_H

#include "rnic/hardware/profile.h"
#include "rnic/queue/work-request.h"

#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

class HostMemory;

/**
 * \brief Checks a work request where it is posted: what depends on it and on the device's limits
 * only.
 *
 * Refused are: more elements than allowed, a message longer than MaxMessage, a Read without
 * exactly one element, an atomic without exactly one of 8 octets, atomics and Writes with immediate
 * without RdmapExtensions, and inline data that is too long, of another kind than a Send or Write
 * or in memory that is not allocated. A registration is refused that names no living fast-register
 * region, no octets, more pages than the region holds, memory that is not allocated, a page list
 * that does not fit the length, rights that are unknown, remote write or atomics without local
 * write, or offsets that wrap. A binding is refused that names no living window or region, or
 * rights that windows do not have.
 */
class WorkRequestChecker
{
  public:
    WorkRequestChecker(const RnicSettings& settings, const HostMemory& memory);

    /// \param maxElements elements allowed
    /// \param maxInline octets of inline data allowed
    /// \return octets of all elements, or INVALID_ARGUMENT.
    [[nodiscard]] tl::expected<uint32_t, VerbsError> Check(const SendWorkRequest& request,
                                                           uint32_t maxElements,
                                                           uint32_t maxInline) const;

    /// \param maxElements elements allowed
    /// \return octets of all elements, or INVALID_ARGUMENT.
    [[nodiscard]] tl::expected<uint32_t, VerbsError> Check(const ReceiveWorkRequest& request,
                                                           uint32_t maxElements) const
    {
        return CheckElements(request.elements, maxElements);
    }

    /// \return pages that a registration has pinned from its post on; 0 for other work.
    [[nodiscard]] static uint64_t CountPinned(const SendWorkRequest& request);

  private:
    [[nodiscard]] tl::expected<uint32_t, VerbsError> CheckElements(
        const ScatterGatherList& elements,
        uint32_t maxElements) const;
    [[nodiscard]] bool IsInlinable(const SendWorkRequest& request, uint32_t maxInline) const;
    [[nodiscard]] bool IsRegistrable(const SendWorkRequest& request) const;
    [[nodiscard]] static bool IsBindable(const SendWorkRequest& request);

    const RnicSettings& m_settings;
    const HostMemory& m_memory;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_WORK_REQUEST_CHECKER_H
