/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_COMPLETION_QUEUE_H
#define NFSRDMA_RNIC_COMPLETION_QUEUE_H

#include "rnic/async-event.h"
#include "rnic/work-request.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

class RnicHardware;

/// What a completion queue tells the queue pairs attached to it.
class CompletionQueueUser
{
  public:
    virtual ~CompletionQueueUser() = default;

    /// A completion of the send queue was polled that ends \p slots of its slots.
    virtual void SendSlotsPolled(uint32_t slots) = 0;
    /// The completion queue is dead.
    virtual void CompletionQueueFailed() = 0;
};

/**
 * \brief A completion queue with one-shot notification.
 *
 * After RequestNotify() the next entry raises an interrupt, once; the handler is called after the
 * device's interrupt latency. Race rule: after arming, poll again. An interrupt that is raised
 * while one is on its way merges with it.
 *
 * An entry that finds the queue full is lost, and kills the queue: async event CQ_ERR, all queue
 * pairs attached move to ERROR, later entries are lost too. What is in the queue can still be
 * polled. Size it for the send and receive depths of all its queue pairs.
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
    /// \return true once an entry was lost.
    [[nodiscard]] bool IsDead() const;
    [[nodiscard]] uint32_t GetNumber() const;

    /// Signature of the Completion trace source.
    using CompletionTracedCallback = void (*)(const WorkCompletion& completion);

    // For the device only.
    void Bind(RnicHardware& hardware, uint32_t number, uint32_t depth);
    void Attach(uint32_t queuePairNumber, CompletionQueueUser& user);
    void Detach(uint32_t queuePairNumber);
    [[nodiscard]] bool IsUsed() const;
    /// Writes an entry now; \p slots of the send queue end when it is polled.
    void Write(const WorkCompletion& completion, uint32_t slots);

  protected:
    void DoDispose() override;

  private:
    struct Entry
    {
        WorkCompletion completion;
        uint32_t slots{0};
    };

    void Interrupt();
    void Fail();

    RnicHardware* m_hardware{nullptr};
    uint32_t m_number{0};
    uint32_t m_depth{0};
    bool m_armed{false};
    bool m_dead{false};
    std::deque<Entry> m_entries;
    std::map<uint32_t, CompletionQueueUser*> m_users; ///< By queue pair number.
    NotifyCallback m_notify;
    EventId m_interrupt;
    EventId m_failure;
    TracedCallback<const WorkCompletion&> m_completionTrace;
    TracedCallback<AsyncEventType, uint32_t> m_asyncEventTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_COMPLETION_QUEUE_H
