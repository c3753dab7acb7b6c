/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/completion-pump.h"

namespace ns3::nfsrdma
{

CompletionPump::~CompletionPump()
{
    Stop();
}

void
CompletionPump::Start(Ptr<CompletionQueue> queue, Handler handler)
{
    m_queue = queue;
    m_handler = std::move(handler);
    m_queue->SetNotifyCallback(MakeCallback(&CompletionPump::HandleNotify, this));
    m_queue->RequestNotify();
}

void
CompletionPump::Stop()
{
    if (m_queue)
    {
        m_queue->SetNotifyCallback({});
        m_queue = nullptr;
    }
}

void
CompletionPump::HandleNotify(Ptr<CompletionQueue> queue)
{
    Drain();
    if (m_queue)
    {
        queue->RequestNotify();
        Drain();
    }
}

void
CompletionPump::Drain()
{
    while (m_queue)
    {
        const auto completion = m_queue->Poll();
        if (!completion)
        {
            return;
        }
        m_handler(*completion);
    }
}

} // namespace ns3::nfsrdma
