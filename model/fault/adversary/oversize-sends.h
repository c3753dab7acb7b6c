/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_OVERSIZE_SENDS_H
#define NFSRDMA_FAULT_ADVERSARY_OVERSIZE_SENDS_H

#include "fault/adversary/rogue-requester.h"

namespace ns3::nfsrdma
{

/**
 * \brief Sends calls that are longer than the receives which the server has posted: beyond its
 * inline threshold.
 */
class OversizeSends : public RogueRequester
{
  public:
    static TypeId GetTypeId();
    OversizeSends();
    ~OversizeSends() override;

  protected:
    void Act(RogueConnection& connection) override;

  private:
    uint32_t m_octets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_OVERSIZE_SENDS_H
