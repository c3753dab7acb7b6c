/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_REPLY_READ_LIST_H
#define NFSRDMA_FAULT_ADVERSARY_REPLY_READ_LIST_H

#include "fault/adversary/rogue-responder.h"

namespace ns3::nfsrdma
{

/**
 * \brief Puts a Read list into a reply, which only calls have (RFC 8166 section 4.3.1), with an
 * STag drawn at random.
 */
class ReplyReadList : public RogueResponder
{
  public:
    static TypeId GetTypeId();
    ReplyReadList();
    ~ReplyReadList() override;

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_REPLY_READ_LIST_H
