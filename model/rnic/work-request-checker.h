/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_WORK_REQUEST_CHECKER_H
#define NFSRDMA_RNIC_WORK_REQUEST_CHECKER_H

#include "rnic/rnic-limits.h"
#include "rnic/work-request.h"

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
 * without RdmapExtensions, inline data that is too long, of another kind than a Send or Write or in
 * memory that is not allocated, and a registration that names no living region, no octets, more
 * pages than the region holds, memory that is not allocated, remote write without local write, or
 * an iova that wraps.
 */
class WorkRequestChecker
{
  public:
    WorkRequestChecker(const RnicLimits& limits, const HostMemory& memory);

    /// \param maxElements elements allowed
    /// \param maxInline octets of inline data allowed
    /// \return octets of all elements, or INVALID_ARGUMENT.
    [[nodiscard]] tl::expected<uint32_t, VerbsError> Check(const SendWorkRequest& request,
                                                           uint32_t maxElements,
                                                           uint32_t maxInline) const;
    /// \param maxElements elements allowed
    /// \return octets of all elements, or INVALID_ARGUMENT.
    [[nodiscard]] tl::expected<uint32_t, VerbsError> Check(const ReceiveWorkRequest& request,
                                                           uint32_t maxElements) const;

  private:
    [[nodiscard]] tl::expected<uint32_t, VerbsError> CheckElements(
        const std::vector<ScatterGatherElement>& elements,
        uint32_t maxElements) const;
    [[nodiscard]] bool IsInlinable(const SendWorkRequest& request, uint32_t maxInline) const;
    [[nodiscard]] bool IsRegistrable(const SendWorkRequest& request) const;

    const RnicLimits& m_limits;
    const HostMemory& m_memory;
};

/// \return pages that \p registration spans.
[[nodiscard]] uint32_t CountPages(const MemoryRegistration& registration);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_WORK_REQUEST_CHECKER_H
