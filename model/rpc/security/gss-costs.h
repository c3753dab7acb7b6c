/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SECURITY_GSS_COSTS_H
#define NFSRDMA_RPC_SECURITY_GSS_COSTS_H

#include "rpc/security/gss-credential.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::nfsrdma
{

/// What the tokens of a security context cost a host's processor.
class GssCosts : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return to create a context, at either end.
    [[nodiscard]] Time GetInitCost() const
    {
        return m_initCost;
    }

    /// \return to make or check a MIC over \p octets.
    [[nodiscard]] Time GetMicCost(uint64_t octets) const
    {
        return m_micCost + m_micRate.CalculateBytesTxTime(static_cast<uint32_t>(octets));
    }

    /// \return of a message with \p octets of arguments or results, sent or received: the MIC of
    /// its verifier, and what \p service adds.
    [[nodiscard]] Time GetMessageCost(RpcSecGssService service, uint64_t octets) const;

  private:
    Time m_initCost;
    Time m_micCost;
    DataRate m_micRate;
    Time m_wrapCost;
    DataRate m_wrapRate;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SECURITY_GSS_COSTS_H
