/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_FAULT_STATUS_H
#define NFSRDMA_RNIC_QUEUE_FAULT_STATUS_H

#include "rnic/memory/stag-fault.h"
#include "rnic/queue/work-request.h"

namespace ns3::nfsrdma
{

/**
 * \brief With which status a work request completes that met a fault on this side: devices differ.
 *
 * |                            | specified        | siw            | cxgb4            |
 * |----------------------------|------------------|----------------|------------------|
 * | element of the send queue  | LOC_PROT         | LOC_QP_OP      | by the fault     |
 * | element of a receive       | LOC_PROT         | LOC_PROT       | by the fault     |
 * | REGISTER_MR                | LOC_QP_OP        | LOC_QP_OP      | by the fault     |
 * | LOCAL_INVALIDATE           | LOC_QP_OP (1)    | LOC_QP_OP      | by the fault     |
 * | BIND_WINDOW                | MW_BIND          | LOC_QP_OP      | MW_BIND          |
 * | invalidation by the peer   | REM_INV_REQ      | REM_INV_REQ    | by the fault     |
 * | Read refused by the peer   | REM_ACCESS       | WR_FLUSH       | WR_FLUSH         |
 *
 * (1) MW_BIND when windows are bound over the region. By the fault: unknown or invalid STag and
 * missing rights LOC_ACCESS, another domain LOC_PROT, wrap GENERAL, bounds LOC_LEN, what cannot be
 * invalidated MW_BIND. The objects have no state and live for ever.
 */
class FaultStatus
{
  public:
    enum Kind
    {
        SPECIFIED, ///< RDMAC verbs.
        SIW,       ///< Linux siw.
        CXGB4      ///< Linux cxgb4.
    };

    /// \return that of \p kind.
    [[nodiscard]] static const FaultStatus& Get(Kind kind);

    virtual ~FaultStatus() = default;

    /// \return the status of a work request of a send queue, an element of which met \p fault.
    [[nodiscard]] virtual WorkCompletionStatus OfSend(StagFault fault) const = 0;
    /// \return the status of a receive, an element of which met \p fault.
    [[nodiscard]] virtual WorkCompletionStatus OfReceive(StagFault fault) const = 0;
    /// \return the status of registration, local invalidation or binding that met \p fault.
    [[nodiscard]] virtual WorkCompletionStatus OfMemoryWork(WorkRequestOpcode opcode,
                                                            StagFault fault) const = 0;
    /// \return the status of a receive whose Send invalidates what met \p fault.
    [[nodiscard]] virtual WorkCompletionStatus OfInvalidation(StagFault fault) const = 0;
    /// \return the status of a Read that the peer's Terminate names.
    [[nodiscard]] virtual WorkCompletionStatus OfRefusedRead() const = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_FAULT_STATUS_H
