/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_REPLY_BLACK_HOLE_H
#define NFSRDMA_FAULT_ADVERSARY_REPLY_BLACK_HOLE_H

#include "fault/adversary/rogue-responder.h"

namespace ns3::nfsrdma
{

/// Carries calls out and never answers them.

class ReplyBlackHole : public RogueResponder
{
  public:
    static TypeId GetTypeId();
    ReplyBlackHole();
    ~ReplyBlackHole() override;

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_REPLY_BLACK_HOLE_H
