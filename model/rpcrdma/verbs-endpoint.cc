/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/verbs-endpoint.h"

#include "ns3/log.h"

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaVerbsEndpoint");

namespace
{

template <typename T>
void
GiveBack(const Ptr<RnicDevice>& device, Ptr<T>& object)
{
    if (!object)
    {
        return;
    }
    if (const auto result = device->Destroy(object); !result)
    {
        NS_LOG_WARN("a verbs object is still in use: " << ToString(result.error()));
    }
    object = nullptr;
}

} // namespace

VerbsEndpoint::VerbsEndpoint(Ptr<RnicDevice> device, Handler onSendQueue, Handler onReceive)
    : m_device(device),
      m_onSendQueue(std::move(onSendQueue)),
      m_onReceive(std::move(onReceive))
{
}

VerbsEndpoint::~VerbsEndpoint()
{
    for (const auto& queue : {m_sendCompletions, m_receiveCompletions})
    {
        if (queue)
        {
            queue->SetNotifyCallback(CompletionQueue::NotifyCallback());
        }
    }
    GiveBack(m_device, m_pair);
    GiveBack(m_device, m_sendCompletions);
    GiveBack(m_device, m_receiveCompletions);
    if (m_ownsDomain)
    {
        GiveBack(m_device, m_domain);
    }
}

std::unique_ptr<VerbsEndpoint>
VerbsEndpoint::Create(Ptr<RnicDevice> device,
                      const QueuePairCapabilities& sizes,
                      const Handling& handling,
                      Handler onSendQueue,
                      Handler onReceive)
{
    std::unique_ptr<VerbsEndpoint> endpoint(
        new VerbsEndpoint(device, std::move(onSendQueue), std::move(onReceive)));
    return endpoint->Allocate(sizes, handling) ? std::move(endpoint) : nullptr;
}

bool
VerbsEndpoint::Allocate(const QueuePairCapabilities& sizes, const Handling& handling)
{
    m_ownsDomain = m_device->GetDefences().protectionDomains == RnicDefences::CONNECTION;
    m_domain = m_ownsDomain ? m_device->AllocateProtectionDomain().value_or(nullptr)
                            : m_device->GetCommonDomain();
    m_sendCompletions = m_device->CreateCompletionQueue(sizes.sendDepth).value_or(nullptr);
    m_receiveCompletions = m_device->CreateCompletionQueue(sizes.receiveDepth).value_or(nullptr);
    if (!m_domain || !m_sendCompletions || !m_receiveCompletions)
    {
        return false;
    }
    m_sendCompletions->SetWork(handling.send);
    m_receiveCompletions->SetWork(handling.receive);
    m_pair = m_device->CreateQueuePair(m_domain, m_sendCompletions, m_receiveCompletions, sizes)
                 .value_or(nullptr);
    for (const auto& queue : {m_sendCompletions, m_receiveCompletions})
    {
        queue->SetThread(m_device->GetHostCpu()->MakeCompletionThread(handling.context));
        queue->SetNotifyCallback(MakeCallback(&VerbsEndpoint::Drain, this));
        queue->RequestNotify();
    }
    return m_pair != nullptr;
}

void
VerbsEndpoint::Drain(Ptr<CompletionQueue> queue)
{
    const Handler& handler = queue == m_sendCompletions ? m_onSendQueue : m_onReceive;
    const auto drain = [&queue, &handler] {
        while (const auto completion = queue->Poll())
        {
            handler(*completion);
        }
    };
    drain();
    if (!queue->IsBeingHandled())
    {
        queue->RequestNotify();
        drain();
    }
}

} // namespace ns3::nfsrdma
