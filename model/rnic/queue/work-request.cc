/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/work-request.h"

#include "wire/name-of.h"

namespace ns3::nfsrdma
{

const char*
ToString(WorkRequestOpcode opcode)
{
    return NameOf(opcode,
                  {{WorkRequestOpcode::SEND, "SEND"},
                   {WorkRequestOpcode::SEND_WITH_INVALIDATE, "SEND_WITH_INVALIDATE"},
                   {WorkRequestOpcode::RDMA_WRITE, "RDMA_WRITE"},
                   {WorkRequestOpcode::RDMA_READ, "RDMA_READ"},
                   {WorkRequestOpcode::REGISTER_MR, "REGISTER_MR"},
                   {WorkRequestOpcode::LOCAL_INVALIDATE, "LOCAL_INVALIDATE"},
                   {WorkRequestOpcode::BIND_WINDOW, "BIND_WINDOW"},
                   {WorkRequestOpcode::RDMA_WRITE_WITH_IMM, "RDMA_WRITE_WITH_IMM"},
                   {WorkRequestOpcode::ATOMIC_FETCH_AND_ADD, "ATOMIC_FETCH_AND_ADD"},
                   {WorkRequestOpcode::ATOMIC_CMP_AND_SWP, "ATOMIC_CMP_AND_SWP"}});
}

const char*
ToString(WorkCompletionStatus status)
{
    return NameOf(status,
                  {{WorkCompletionStatus::SUCCESS, "SUCCESS"},
                   {WorkCompletionStatus::LOC_LEN_ERR, "LOC_LEN_ERR"},
                   {WorkCompletionStatus::LOC_QP_OP_ERR, "LOC_QP_OP_ERR"},
                   {WorkCompletionStatus::LOC_PROT_ERR, "LOC_PROT_ERR"},
                   {WorkCompletionStatus::WR_FLUSH_ERR, "WR_FLUSH_ERR"},
                   {WorkCompletionStatus::MW_BIND_ERR, "MW_BIND_ERR"},
                   {WorkCompletionStatus::LOC_ACCESS_ERR, "LOC_ACCESS_ERR"},
                   {WorkCompletionStatus::REM_INV_REQ_ERR, "REM_INV_REQ_ERR"},
                   {WorkCompletionStatus::REM_ACCESS_ERR, "REM_ACCESS_ERR"},
                   {WorkCompletionStatus::FATAL_ERR, "FATAL_ERR"},
                   {WorkCompletionStatus::GENERAL_ERR, "GENERAL_ERR"}});
}

const char*
ToString(VerbsError error)
{
    return NameOf(error,
                  {{VerbsError::INVALID_ARGUMENT, "invalid argument"},
                   {VerbsError::NO_MEMORY, "no memory"},
                   {VerbsError::NOT_CONNECTED, "not connected"},
                   {VerbsError::BUSY, "busy"},
                   {VerbsError::TRY_AGAIN, "try again"},
                   {VerbsError::NO_DEVICE, "no device"}});
}

} // namespace ns3::nfsrdma
