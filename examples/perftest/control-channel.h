/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_CONTROL_CHANNEL_H
#define NFSRDMA_EXAMPLES_CONTROL_CHANNEL_H

#include "perftest/completion-pump.h"
#include "rnic/connect/cm-id.h"

#include <deque>
#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief One side of the connection on which perftest's programs agree, before and after what they
 * measure. The client speaks first, the server answers.
 */
class ControlChannel
{
  public:
    using ReadyCallback = std::function<void()>;
    using ExchangedCallback = std::function<void(const ByteVector& theirs)>;

    ControlChannel(Ptr<RnicDevice> device, bool speaksFirst);
    ControlChannel(const ControlChannel&) = delete;
    ControlChannel& operator=(const ControlChannel&) = delete;
    ~ControlChannel() = default;

    /// Client: connects; \p ready when it has.
    void Connect(const Address& server, ReadyCallback ready);
    /// Server: accepts the request \p id.
    void Accept(Ptr<CmId> id);
    /// Gives \p mine, at most 64 octets, for the message of the peer. One at a time.
    void Exchange(const ByteVector& mine, ExchangedCallback done);
    void Disconnect();

  private:
    void HandleEvent(Ptr<CmId> id, const CmEvent& event);
    void HandleSent(const WorkCompletion& completion);
    void HandleReceived(const WorkCompletion& completion);
    void PostReceive(uint64_t slot);
    void Send();
    void Proceed();

    Ptr<RnicDevice> m_device;
    bool m_speaksFirst;
    Ptr<ProtectionDomain> m_domain;
    Ptr<CompletionQueue> m_sendQueue;
    Ptr<CompletionQueue> m_receiveQueue;
    Ptr<QueuePair> m_pair;
    Ptr<CmId> m_id;
    HostBuffer m_memory; ///< One slot to send from, the others to receive in.
    CompletionPump m_sendPump;
    CompletionPump m_receivePump;
    ReadyCallback m_ready;
    ByteVector m_mine;
    ExchangedCallback m_exchanged;
    std::deque<ByteVector> m_theirs; ///< Received, not yet asked for.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_CONTROL_CHANNEL_H
