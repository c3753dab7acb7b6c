/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/fault-status.h"

namespace ns3::nfsrdma
{

namespace
{

class SpecifiedFaultStatus : public FaultStatus
{
  public:
    [[nodiscard]] WorkCompletionStatus OfSend(StagFault /* fault */) const override
    {
        return WorkCompletionStatus::LOC_PROT_ERR;
    }

    [[nodiscard]] WorkCompletionStatus OfReceive(StagFault /* fault */) const override
    {
        return WorkCompletionStatus::LOC_PROT_ERR;
    }

    [[nodiscard]] WorkCompletionStatus OfMemoryWork(WorkRequestOpcode opcode,
                                                    StagFault fault) const override
    {
        return opcode == WorkRequestOpcode::BIND_WINDOW || fault == StagFault::WINDOWS_BOUND
                   ? WorkCompletionStatus::MW_BIND_ERR
                   : WorkCompletionStatus::LOC_QP_OP_ERR;
    }

    [[nodiscard]] WorkCompletionStatus OfInvalidation(StagFault /* fault */) const override
    {
        return WorkCompletionStatus::REM_INV_REQ_ERR;
    }

    [[nodiscard]] WorkCompletionStatus OfRefusedRead() const override
    {
        return WorkCompletionStatus::REM_ACCESS_ERR;
    }
};

class SiwFaultStatus final : public SpecifiedFaultStatus
{
  public:
    [[nodiscard]] WorkCompletionStatus OfSend(StagFault /* fault */) const override
    {
        return WorkCompletionStatus::LOC_QP_OP_ERR;
    }

    [[nodiscard]] WorkCompletionStatus OfMemoryWork(WorkRequestOpcode /* opcode */,
                                                    StagFault /* fault */) const override
    {
        return WorkCompletionStatus::LOC_QP_OP_ERR;
    }

    [[nodiscard]] WorkCompletionStatus OfRefusedRead() const override
    {
        return WorkCompletionStatus::WR_FLUSH_ERR;
    }
};

class Cxgb4FaultStatus final : public FaultStatus
{
  public:
    [[nodiscard]] WorkCompletionStatus OfSend(StagFault fault) const override
    {
        return Of(fault);
    }

    [[nodiscard]] WorkCompletionStatus OfReceive(StagFault fault) const override
    {
        return Of(fault);
    }

    [[nodiscard]] WorkCompletionStatus OfMemoryWork(WorkRequestOpcode opcode,
                                                    StagFault fault) const override
    {
        return opcode == WorkRequestOpcode::BIND_WINDOW ? WorkCompletionStatus::MW_BIND_ERR
                                                        : Of(fault);
    }

    [[nodiscard]] WorkCompletionStatus OfInvalidation(StagFault fault) const override
    {
        return Of(fault);
    }

    [[nodiscard]] WorkCompletionStatus OfRefusedRead() const override
    {
        return WorkCompletionStatus::WR_FLUSH_ERR;
    }

  private:
    [[nodiscard]] static WorkCompletionStatus Of(StagFault fault)
    {
        switch (fault)
        {
        case StagFault::UNKNOWN:
        case StagFault::NOT_VALID:
        case StagFault::ACCESS:
            return WorkCompletionStatus::LOC_ACCESS_ERR;
        case StagFault::NOT_ASSOCIATED:
            return WorkCompletionStatus::LOC_PROT_ERR;
        case StagFault::WRAP:
            return WorkCompletionStatus::GENERAL_ERR;
        case StagFault::BOUNDS:
            return WorkCompletionStatus::LOC_LEN_ERR;
        case StagFault::CANNOT_INVALIDATE:
        case StagFault::WINDOWS_BOUND:
            return WorkCompletionStatus::MW_BIND_ERR;
        }
        return WorkCompletionStatus::FATAL_ERR;
    }
};

} // namespace

const FaultStatus&
FaultStatus::Get(Kind kind)
{
    static const SpecifiedFaultStatus specified;
    static const SiwFaultStatus siw;
    static const Cxgb4FaultStatus cxgb4;
    switch (kind)
    {
    case SIW:
        return siw;
    case CXGB4:
        return cxgb4;
    default:
        return specified;
    }
}

} // namespace ns3::nfsrdma
