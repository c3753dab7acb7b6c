/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_REPLY_FALSE_CREDITS_H
#define NFSRDMA_FAULT_ADVERSARY_REPLY_FALSE_CREDITS_H

#include "fault/adversary/rogue-responder.h"

namespace ns3::nfsrdma
{

/**
 * \brief Grants a number of credits that it must not, or cannot keep: 0 (RFC 8166 section 3.3.1),
 * or more than it has receives for, so that a client which believes it overruns them.
 */
class ReplyFalseCredits : public RogueResponder
{
  public:
    static TypeId GetTypeId();
    ReplyFalseCredits();
    ~ReplyFalseCredits() override;

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override;

  private:
    uint32_t m_credits{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_REPLY_FALSE_CREDITS_H
