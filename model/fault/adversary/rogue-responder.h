/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_ROGUE_RESPONDER_H
#define NFSRDMA_FAULT_ADVERSARY_ROGUE_RESPONDER_H

#include "fault/adversary/role.h"
#include "rpcrdma/server/reply-filter.h"

#include "ns3/random-variable-stream.h"

namespace ns3::nfsrdma
{

/**
 * \brief A responder that serves as others do, but breaks a rule with some of its replies: each
 * reply with attribute Probability, Count of them at most, to the host Victim alone if one is
 * named.
 */
class RogueResponder : public AdversaryRole, private SvcRdmaReplyFilter
{
  public:
    static TypeId GetTypeId();
    RogueResponder();

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;
    void DoStart() override;
    void DoStop() override;

    /// Breaks the role's rule with \p reply. \return what was done; empty: it cannot be done with
    /// this reply, which is as it was.
    virtual std::string Tamper(SvcRdmaOutgoingReply& reply) = 0;

    /// Sees every reply before it may be tampered with, while the role is active.
    virtual void Watch(const SvcRdmaOutgoingReply& /* reply */)
    {
    }

    [[nodiscard]] UniformRandomVariable& GetRandom()
    {
        return *m_random;
    }

  private:
    void Filter(SvcRdmaOutgoingReply& reply) override;

    double m_probability{1};
    uint64_t m_count{0};
    std::string m_victim;
    Ptr<UniformRandomVariable> m_random;
    Ptr<RpcRdmaServer> m_server; ///< While it filters its replies.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_ROGUE_RESPONDER_H
