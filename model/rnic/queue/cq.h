/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_CQ_H
#define NFSRDMA_RNIC_QUEUE_CQ_H

#include "host/cpu.h"
#include "rnic/hardware/adaptive-moderation.h"
#include "rnic/hardware/interrupt-moderator.h"
#include "rnic/queue/async-event.h"
#include "rnic/queue/work-request.h"
#include "rnic/queue/work-timeline.h"
#include "wire/planned-event.h"
#include "wire/ring.h"
#include "wire/simulation-clock.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <optional>

namespace ns3::nfsrdma
{

class CompletionWriter;
class RnicDevice;

/// What a completion queue tells the queue pairs attached to it.
class CompletionQueueUser
{
  public:
    virtual ~CompletionQueueUser() = default;

    /// A completion of the send queue was polled that ends \p slots of its slots.
    virtual void SendSlotsPolled(uint32_t slots) = 0;
    /// The completion queue is dead.
    virtual void CompletionQueueFailed() = 0;
    /// \return whether anyone wants to know how its work requests spend their time.
    [[nodiscard]] virtual bool IsWorkTraced() const = 0;
    /// A work request is over: its completion was polled, or none is made.
    virtual void WorkDone(const WorkCompletion& completion, const WorkTimeline& timeline) = 0;
};

/**
 * \brief A completion queue with one-shot notification.
 *
 * After RequestNotify() the next entry of that kind, or the last of a moderated batch
 * (InterruptModerator), raises an interrupt, once:
 *
 *     entry -> [moderation] -> InterruptLatency -> InterruptCost, in a context of its own
 *           -> [the thread's other work], or WakeUp, if the thread sleeps -> handler
 *
 * The device's AdaptiveModeration sets the moderation anew from what was polled between interrupts
 * (AdaptiveModeration).
 *
 * For a polling consumer (SetPolling()), whose thread looks at the queue all the time, an entry of
 * that kind is seen at once, or when the thread is through with its other work. Race rule: after
 * arming, poll again. An interrupt that is raised while one is on its way merges with it.
 *
 * An entry that appears before an interrupt on its way takes no event of its own, unless somebody
 * watches the trace source: its interrupt is reckoned when it is written, and who polls finds what
 * is due by then. Others appear with the last that is known of, so that a simulation that ends when
 * nothing is left to happen does not end before.
 *
 * An entry that finds the queue full is lost, and kills the queue: async event CQ_ERR, all queue
 * pairs attached move to ERROR, later entries are lost too. What is in the queue can still be
 * polled. Size it for the send and receive depths of all its queue pairs.
 */
class CompletionQueue : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the oldest entry, removed; nothing when empty. Each entry costs the thread time.
    std::optional<WorkCompletion> Poll();

    /// Arms the notification.
    void RequestNotify(NotifyKind kind = NotifyKind::NEXT);

    /// Holds an interrupt back until \p count entries have been written, or for \p period after the
    /// first; with a count of 0 or 1, or without a period, none. Default: the device's
    /// ModerationCount and ModerationPeriod, or, with its AdaptiveModeration, what the queue
    /// measures.
    void SetModeration(uint32_t count, Time period);

    /// Has the consumer take each entry \p lag after it could have: Poll() returns nothing until
    /// then, and the notify callback is called again. 0: at once. Default: 0.
    void SetLag(Time lag);
    /// Loses an entry, as if the queue were full.
    void Overrun();

    /// Whether the consumer polls instead of sleeping. Default: the device's Polling.
    void SetPolling(bool polling)
    {
        m_polling = polling;
    }

    /// What the consumer does with each entry: Poll() returns nothing until it is done, and the
    /// notify callback is called again. Default: nothing, or a part of what Poll() costs.
    void SetWork(const HostWork& work)
    {
        m_work = work;
    }

    /// \return whether the consumer is busy with an entry: what comes meanwhile needs no
    /// notification.
    [[nodiscard]] bool IsBeingHandled() const
    {
        return m_handling.IsRunning();
    }

    /// The thread that polls. Default: one of its own.
    void SetThread(Ptr<HostThread> thread);

    [[nodiscard]] Ptr<HostThread> GetThread() const
    {
        return m_thread;
    }

    [[nodiscard]] uint32_t GetDepth() const
    {
        return m_depth;
    }

    /// \return entries that can be polled.
    [[nodiscard]] uint32_t GetCount();

    using NotifyCallback = Callback<void, Ptr<CompletionQueue>>;

    void SetNotifyCallback(NotifyCallback callback)
    {
        m_notify = callback;
    }

    /// \return true once an entry was lost.
    [[nodiscard]] bool IsDead() const
    {
        return m_dead;
    }

    [[nodiscard]] uint32_t GetNumber() const
    {
        return m_number;
    }

    /// Signature of the Completion trace source.
    using CompletionTracedCallback = void (*)(const WorkCompletion& completion);

    // For the device only.
    void Bind(RnicDevice& device, uint32_t number, uint32_t depth);

    void Attach(uint32_t queuePairNumber, CompletionQueueUser& user)
    {
        m_users[queuePairNumber] = &user;
    }

    void Detach(uint32_t queuePairNumber)
    {
        m_users.erase(queuePairNumber);
    }

    [[nodiscard]] bool IsUsed() const
    {
        return !m_users.empty();
    }

    /**
     * \brief Writes an entry.
     * \param writer whose entries appear in their order
     * \param slots of the send queue that end when it is polled
     * \param due when it appears, not before now
     * \param timeline of its work request, or null
     */
    void Write(const CompletionWriter& writer,
               const WorkCompletion& completion,
               uint32_t slots,
               Time due,
               std::unique_ptr<WorkTimeline> timeline);
    /// Forgets the entries of \p writer that have not appeared, or appear now.
    void Withdraw(const CompletionWriter& writer);
    /// As Withdraw(), for a writer at its end: an interrupt that is planned comes all the same.
    void Forget(const CompletionWriter& writer);

    /// What is due has appeared.
    void Settle()
    {
        if (!m_coming.empty())
        {
            SettleUntil(SimulationClock::Now());
        }
    }

    [[nodiscard]] RnicDevice& GetDevice() const
    {
        return *m_device;
    }

  protected:
    void DoDispose() override;

  private:
    struct Entry
    {
        WorkCompletion completion;
        uint32_t slots{0};
        std::unique_ptr<WorkTimeline> timeline;
    };

    /// An entry on its way into the queue.
    struct Coming
    {
        Time due;
        const CompletionWriter* writer;
        Entry entry;
    };

    void SettleUntil(Time until);
    [[nodiscard]] static bool IsSolicited(const WorkCompletion& completion);
    /// Has events for what comes: an interrupt for the first entry that raises one, its appearance
    /// if anyone would know of it before the next Poll(), and one not before the last appears.
    void Await();
    void AwaitAnew();
    void AppearAt(Time due);
    void Appear();
    void Take(Entry entry);
    /// \param appears when the entry does that raises it, now or later
    void RaiseInterrupt(Time appears);
    void SettleInInterrupt();
    void Interrupt();
    void Handle();
    /// An interrupt has been taken: measures what was polled since the one before.
    void Adapt();
    void Notify();
    void ModerationOver();
    void Fail();
    /// \return whether the oldest entry cannot be taken yet.
    [[nodiscard]] bool IsLate();
    void LagOver();
    /// \return whether the consumer is still busy with the oldest entry.
    [[nodiscard]] bool HandlesOldest();
    void HandlingOver();

    RnicDevice* m_device{nullptr};
    uint32_t m_number{0};
    uint32_t m_depth{0};
    bool m_polling{false};
    bool m_dead{false};
    Ring<Entry> m_entries;
    Ring<Coming> m_coming; ///< In the order in which they appear.
    PlannedEvent m_appearance;
    std::map<uint32_t, CompletionQueueUser*> m_users; ///< By queue pair number.
    InterruptModerator m_moderator;
    std::unique_ptr<AdaptiveModeration> m_adaptive; ///< Null without.
    uint64_t m_polled{0};                           ///< Entries, since the latest interrupt.
    Ptr<HostThread> m_thread;
    Ptr<HostThread> m_interruptContext; ///< On the thread's core, if it has one.
    NotifyCallback m_notify;
    Time m_wakeUp; ///< Of the thread, for the interrupt on its way.
    EventId m_moderation;
    PlannedEvent m_interrupt;
    Time m_interruptOf;        ///< When the entry that raises it appears; 0 once it has.
    bool m_inInterrupt{false}; ///< Entries that appear now need no other.
    EventId m_failure;
    Time m_lag;
    bool m_lagOver{false}; ///< Of the oldest entry.
    EventId m_late;
    HostWork m_work;
    bool m_handled{false}; ///< The oldest entry.
    PlannedEvent m_handling;
    TracedCallback<const WorkCompletion&> m_completionTrace;
    TracedCallback<AsyncEventType, uint32_t> m_asyncEventTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_CQ_H
