/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_MALFORMED_CALLS_H
#define NFSRDMA_FAULT_ADVERSARY_MALFORMED_CALLS_H

#include "fault/adversary/rogue-requester.h"

namespace ns3::nfsrdma
{

/**
 * \brief Sends calls whose transport headers are spoilt in one of the ways of HeaderSpoiler.
 */
class MalformedCalls : public RogueRequester
{
  public:
    static TypeId GetTypeId();
    MalformedCalls();
    ~MalformedCalls() override;

  protected:
    void Act(RogueConnection& connection) override;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_MALFORMED_CALLS_H
