/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_MALFORMED_REPLIES_H
#define NFSRDMA_FAULT_ADVERSARY_MALFORMED_REPLIES_H

#include "fault/adversary/rogue-responder.h"

namespace ns3::nfsrdma
{

/// Spoils transport headers of replies, in one of the ways of HeaderSpoiler.

class MalformedReplies : public RogueResponder
{
  public:
    static TypeId GetTypeId();
    MalformedReplies();
    ~MalformedReplies() override;

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_MALFORMED_REPLIES_H
