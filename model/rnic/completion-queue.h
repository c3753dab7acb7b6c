/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_COMPLETION_QUEUE_H
#define NFSRDMA_RNIC_COMPLETION_QUEUE_H

#include "rnic/work-request.h"

#include "ns3/callback.h"
#include "ns3/object.h"

#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief A completion queue with one-shot notification.
 *
 * After RequestNotify() the next entry raises an interrupt, once; the handler is called after the
 * device's interrupt latency. Race rule: after arming, poll again.
 */
class CompletionQueue : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the oldest entry, removed; nothing when empty.
    std::optional<WorkCompletion> Poll();
    /// Arms the notification for the next entry of any kind.
    void RequestNotify();
    [[nodiscard]] uint32_t GetDepth() const;
    [[nodiscard]] uint32_t GetCount() const;

    using NotifyCallback = Callback<void, Ptr<CompletionQueue>>;
    void SetNotifyCallback(NotifyCallback callback);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_COMPLETION_QUEUE_H
