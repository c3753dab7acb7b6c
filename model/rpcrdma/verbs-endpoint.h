/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_VERBS_ENDPOINT_H
#define NFSRDMA_RPCRDMA_VERBS_ENDPOINT_H

#include "rnic/hardware/device.h"

#include <functional>
#include <memory>

namespace ns3::nfsrdma
{

/**
 * \brief The verbs objects of one connection: a protection domain (its own, unless those of the
 * device share one: RnicDefences::ProtectionDomains), two completion queues and a queue pair. The
 * destructor gives all back; regions of the domain must be gone by then.
 */
class VerbsEndpoint
{
  public:
    /// What handles completions, and what it does with each.
    struct Handling
    {
        HostCosts::Completions context{HostCosts::THREAD};
        HostWork send;
        HostWork receive;
    };

    using Handler = std::function<void(const WorkCompletion&)>;

    /// \return null when the device refuses an object.
    static std::unique_ptr<VerbsEndpoint> Create(Ptr<RnicDevice> device,
                                                 const QueuePairCapabilities& sizes,
                                                 const Handling& handling,
                                                 Handler onSendQueue,
                                                 Handler onReceive);
    ~VerbsEndpoint();
    VerbsEndpoint(const VerbsEndpoint&) = delete;
    VerbsEndpoint& operator=(const VerbsEndpoint&) = delete;

    [[nodiscard]] Ptr<ProtectionDomain> GetDomain() const
    {
        return m_domain;
    }

    [[nodiscard]] Ptr<CompletionQueue> GetReceiveCompletions() const
    {
        return m_receiveCompletions;
    }

    [[nodiscard]] Ptr<QueuePair> GetQueuePair() const
    {
        return m_pair;
    }

  private:
    VerbsEndpoint(Ptr<RnicDevice> device, Handler onSendQueue, Handler onReceive);

    bool Allocate(const QueuePairCapabilities& sizes, const Handling& handling);
    void Drain(Ptr<CompletionQueue> queue);

    Ptr<RnicDevice> m_device;
    Handler m_onSendQueue;
    Handler m_onReceive;
    Ptr<ProtectionDomain> m_domain;
    bool m_ownsDomain{true};
    Ptr<CompletionQueue> m_sendCompletions;
    Ptr<CompletionQueue> m_receiveCompletions;
    Ptr<QueuePair> m_pair;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_VERBS_ENDPOINT_H
