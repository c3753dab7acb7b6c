/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_CREDIT_OVERRUN_H
#define NFSRDMA_FAULT_ADVERSARY_CREDIT_OVERRUN_H

#include "fault/adversary/rogue-requester.h"

namespace ns3::nfsrdma
{

/**
 * \brief Sends bursts of calls without a look at the credits granted (RFC 8166 section 3.3.1): each
 * lists a directory, so that it keeps a thread of the server busy for a while.
 */
class CreditOverrun : public RogueRequester
{
  public:
    static TypeId GetTypeId();
    CreditOverrun();
    ~CreditOverrun() override;

  protected:
    void Act(RogueConnection& connection) override;

  private:
    uint32_t m_burst{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_CREDIT_OVERRUN_H
