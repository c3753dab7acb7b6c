/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_REPLY_STALE_INVALIDATION_H
#define NFSRDMA_FAULT_ADVERSARY_REPLY_STALE_INVALIDATION_H

#include "fault/adversary/rogue-responder.h"

#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief Sends a reply as Send with Invalidate of an STag that is not its call's: one of an earlier
 * call, invalid by now, or one drawn at random.
 */
class ReplyStaleInvalidation : public RogueResponder
{
  public:
    static TypeId GetTypeId();
    ReplyStaleInvalidation();
    ~ReplyStaleInvalidation() override;

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override;
    void Watch(const SvcRdmaOutgoingReply& reply) override;
    void DoDispose() override;

  private:
    std::string m_tag;
    std::map<Ipv4Address, Stag> m_earlier; ///< By client: of a call that was answered.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_REPLY_STALE_INVALIDATION_H
