/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_COMPLETION_PUMP_H
#define NFSRDMA_EXAMPLES_COMPLETION_PUMP_H

#include "rnic/queue/cq.h"

#include <functional>

namespace ns3::nfsrdma
{

/**
 * \brief Takes every entry from a completion queue as soon as the host can see it, and hands it on.
 */
class CompletionPump
{
  public:
    using Handler = std::function<void(const WorkCompletion&)>;

    CompletionPump() = default;
    ~CompletionPump();
    CompletionPump(const CompletionPump&) = delete;
    CompletionPump& operator=(const CompletionPump&) = delete;

    void Start(Ptr<CompletionQueue> queue, Handler handler);
    void Stop();

  private:
    void HandleNotify(Ptr<CompletionQueue> queue);
    void Drain();

    Ptr<CompletionQueue> m_queue;
    Handler m_handler;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_COMPLETION_PUMP_H
