/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_GIVEN_UP_CALLS_H
#define NFSRDMA_RPCRDMA_CLIENT_GIVEN_UP_CALLS_H

#include "rpcrdma/client/request.h"
#include "rpcrdma/policy/cancel.h"
#include "rpcrdma/registration/chunk-registrar.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Calls of a connection that were given up after they were sent: how, by a CancelPolicy, and
 * which late replies are still owed.
 *
 * A call is fenced, and over when its chunks are invalid, or set aside, and over for its caller at
 * once while its memory is kept until the late reply. One that is set aside keeps its credit until
 * then; of others the policy decides, unless the connection says that the credit is kept: the one
 * before the first grant (RFC 8166 section 3.3.3), and each where no Receive is spare for a late
 * reply.
 */
class RpcRdmaGivenUpCalls
{
  public:
    explicit RpcRdmaGivenUpCalls(const std::string& policy);

    /// \return how \p request can be given up; NONE when it cannot.
    [[nodiscard]] RpcCancellation Choose(const RpcRdmaRequest& request,
                                         ChunkRegistrar::Fencing fencing) const;
    /// Gives \p request up. \param keepsCredit whether it keeps its credit, whatever the policy
    void Add(RpcRdmaRequest& request, RpcCancellation cancellation, bool keepsCredit);

    /// \return whether the call waits for its Send, which takes the program's memory.
    [[nodiscard]] bool AwaitsSend(const RpcRdmaRequest& request) const
    {
        return request.sendPending && request.sendMapped && m_policy->AwaitsSend();
    }

    /// Nothing of \p request is in use any more.
    void Remove(RpcRdmaRequest& request);

    /// \return whether the call was given up and has had no reply.
    [[nodiscard]] bool Contains(uint32_t xid) const
    {
        return m_givenUp.count(xid) != 0;
    }

    /// \return whether the credits of the late reply are to be taken.
    [[nodiscard]] bool TakesGrantOf(uint32_t xid) const
    {
        return m_policy->KeepsCredit() && m_owed.count(xid) != 0;
    }

    /// The late reply has come. \return when the call was sent, if it has kept its credit.
    std::optional<Time> TakeLate(uint32_t xid);
    /// \return when the oldest call was sent that has kept its credit; Time::Max() for none.
    [[nodiscard]] Time GetOldestOwed() const;

    /// \return calls that are being fenced.
    [[nodiscard]] const std::vector<RpcRdmaRequest*>& GetFencing() const
    {
        return m_fencing;
    }

    [[nodiscard]] uint32_t GetSetAside() const
    {
        return m_setAside;
    }

    /// The connection has ended.
    void Clear();

  private:
    std::unique_ptr<CancelPolicy> m_policy;
    std::vector<RpcRdmaRequest*> m_fencing;
    std::map<uint32_t, Time> m_owed; ///< XIDs that hold a credit; when sent.
    std::set<uint32_t> m_givenUp;    ///< XIDs before a late reply.
    uint32_t m_setAside{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_GIVEN_UP_CALLS_H
