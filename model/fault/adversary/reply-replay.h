/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_FAULT_ADVERSARY_REPLY_REPLAY_H
#define NFSRDMA_FAULT_ADVERSARY_REPLY_REPLAY_H

#include "fault/adversary/rogue-responder.h"

#include <map>

namespace ns3::nfsrdma
{

/**
 * \brief Sends a reply again: itself, or the one before it to the same client, whose call has long
 * ended.
 */
class ReplyReplay : public RogueResponder
{
  public:
    static TypeId GetTypeId();
    ReplyReplay();
    ~ReplyReplay() override;

  protected:
    std::string Tamper(SvcRdmaOutgoingReply& reply) override;
    void Watch(const SvcRdmaOutgoingReply& reply) override;
    void DoDispose() override;

  private:
    uint32_t m_copies{0};
    std::map<Ipv4Address, ByteVector> m_earlier; ///< By client: an earlier reply.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_FAULT_ADVERSARY_REPLY_REPLAY_H
