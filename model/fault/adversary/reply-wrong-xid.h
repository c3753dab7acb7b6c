/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_REPLY_WRONG_XID_H
#define NFSRDMA_FAULT_ADVERSARY_REPLY_WRONG_XID_H

#include "fault/adversary/rogue-responder.h"

namespace ns3::nfsrdma
{

/**
 * \brief Answers under an XID that is another call's or nobody's: rdma_xid and the XID of the RPC
 * message inline, if there is one, are changed alike.
 */
class ReplyWrongXid : public RogueResponder
{
  public:
    static TypeId GetTypeId();
    ReplyWrongXid();
    ~ReplyWrongXid() override;

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_REPLY_WRONG_XID_H
