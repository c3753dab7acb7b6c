/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/work-request.h"

namespace ns3::nfsrdma
{

const char*
ToString(WorkRequestOpcode opcode)
{
    switch (opcode)
    {
    case WorkRequestOpcode::SEND:
        return "SEND";
    case WorkRequestOpcode::SEND_WITH_INVALIDATE:
        return "SEND_WITH_INVALIDATE";
    case WorkRequestOpcode::RDMA_WRITE:
        return "RDMA_WRITE";
    case WorkRequestOpcode::RDMA_READ:
        return "RDMA_READ";
    case WorkRequestOpcode::REGISTER_MR:
        return "REGISTER_MR";
    case WorkRequestOpcode::LOCAL_INVALIDATE:
        return "LOCAL_INVALIDATE";
    case WorkRequestOpcode::BIND_WINDOW:
        return "BIND_WINDOW";
    case WorkRequestOpcode::RDMA_WRITE_WITH_IMM:
        return "RDMA_WRITE_WITH_IMM";
    case WorkRequestOpcode::ATOMIC_FETCH_AND_ADD:
        return "ATOMIC_FETCH_AND_ADD";
    case WorkRequestOpcode::ATOMIC_CMP_AND_SWP:
        return "ATOMIC_CMP_AND_SWP";
    }
    return "unknown";
}

const char*
ToString(WorkCompletionStatus status)
{
    switch (status)
    {
    case WorkCompletionStatus::SUCCESS:
        return "SUCCESS";
    case WorkCompletionStatus::LOC_LEN_ERR:
        return "LOC_LEN_ERR";
    case WorkCompletionStatus::LOC_QP_OP_ERR:
        return "LOC_QP_OP_ERR";
    case WorkCompletionStatus::LOC_PROT_ERR:
        return "LOC_PROT_ERR";
    case WorkCompletionStatus::WR_FLUSH_ERR:
        return "WR_FLUSH_ERR";
    case WorkCompletionStatus::MW_BIND_ERR:
        return "MW_BIND_ERR";
    case WorkCompletionStatus::LOC_ACCESS_ERR:
        return "LOC_ACCESS_ERR";
    case WorkCompletionStatus::REM_INV_REQ_ERR:
        return "REM_INV_REQ_ERR";
    case WorkCompletionStatus::REM_ACCESS_ERR:
        return "REM_ACCESS_ERR";
    case WorkCompletionStatus::FATAL_ERR:
        return "FATAL_ERR";
    case WorkCompletionStatus::GENERAL_ERR:
        return "GENERAL_ERR";
    }
    return "unknown";
}

const char*
ToString(VerbsError error)
{
    switch (error)
    {
    case VerbsError::INVALID_ARGUMENT:
        return "invalid argument";
    case VerbsError::NO_MEMORY:
        return "no memory";
    case VerbsError::NOT_CONNECTED:
        return "not connected";
    case VerbsError::BUSY:
        return "busy";
    case VerbsError::TRY_AGAIN:
        return "try again";
    case VerbsError::NO_DEVICE:
        return "no device";
    }
    return "unknown";
}

} // namespace ns3::nfsrdma
