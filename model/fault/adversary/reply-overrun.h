/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_REPLY_OVERRUN_H
#define NFSRDMA_FAULT_ADVERSARY_REPLY_OVERRUN_H

#include "fault/adversary/rogue-responder.h"

namespace ns3::nfsrdma
{

/**
 * \brief Writes beyond the end of a Write or Reply chunk with an RDMA Write of its own, before the
 * reply (section 3.1 of the draft; "a rogue responder", section 3.4).
 */
class ReplyOverrun : public RogueResponder
{
  public:
    static TypeId GetTypeId();
    ReplyOverrun();
    ~ReplyOverrun() override;

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override;

  private:
    uint32_t m_octets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_REPLY_OVERRUN_H
